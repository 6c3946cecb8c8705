import { isDeepStrictEqual } from 'node:util'
import type { DictionaryDocument } from '../../../src/schema/generated/dictionary'
import type { EntityEngine } from '../../entities'
import type { Database, Executor } from '../../platform/database'
import { keepChanges, mergeDictionary, NO_CHANGES, type DictionaryChanges, type ValueChange } from './merge'
import { countUsage, fieldsUsing, type UsingField } from './usage'

const CHANNEL = 'dictionaries'

/** The changes of one dictionary as they are stored. */
export interface StoredChanges extends DictionaryChanges {
  /** Counts the writes; 0 = nothing was ever changed. */
  version: number
  updatedAt: string | null
  updatedBy: string | null
}
const UNTOUCHED: StoredChanges = { ...NO_CHANGES, version: 0, updatedAt: null, updatedBy: null }

/** The schemas that are served, as far as their dictionaries change. */
export interface ChangingDictionaries {
  readonly dictionaries: readonly DictionaryDocument[]
  /** As the files have them. */
  readonly releasedDictionaries: readonly DictionaryDocument[]
  /** Puts these in force instead of those of the files. */
  replaceDictionaries(changed: readonly DictionaryDocument[]): void
}

/**
 * What administrators changed in dictionaries, over those of the release. Keeps the registry of every gateway instance at
 * what the database says.
 */
export class DictionaryBook {
  private stored: ReadonlyMap<string, StoredChanges> = new Map()
  private reading: Promise<void> = Promise.resolve()

  constructor(
    private readonly database: Database,
    readonly registry: ChangingDictionaries,
    private readonly engine: EntityEngine,
  ) {}

  /** Compares the release with the one before, puts the changes in force and follows those of other instances. Answers its end. */
  async open(onError: (error: unknown) => void): Promise<() => Promise<void>> {
    await this.meetRelease()
    await this.read()
    const again = () => void this.read().catch(onError)
    return this.database.listen(CHANNEL, again, { onGap: again })
  }

  changes(name: string): StoredChanges {
    return this.stored.get(name) ?? UNTOUCHED
  }

  released(name: string): DictionaryDocument | undefined {
    return this.registry.releasedDictionaries.find((one) => one.name === name)
  }

  /** Columns that hold codes of a dictionary. */
  fieldsOf(name: string): UsingField[] {
    return fieldsUsing(
      this.engine.names().map((entity) => this.engine.model(entity)),
      name,
    )
  }

  /** Reads what is stored and puts it in force here; one after the other, or an older answer could come last. */
  read(): Promise<void> {
    const next = this.reading.then(
      () => this.readNow(),
      () => this.readNow(),
    )
    this.reading = next
    return next
  }

  private async readNow(): Promise<void> {
    const stored = await readChanges(this.database)
    this.stored = new Map(stored)
    this.registry.replaceDictionaries(
      [...stored].flatMap(([name, changes]) => {
        const released = this.released(name)
        return released ? [mergeDictionary(released, changes)] : []
      }),
    )
  }

  /** Stores changes and tells every instance; inside the transaction of the write. The caller holds the dictionary's lock. */
  async write(tx: Executor, name: string, changes: DictionaryChanges, by: string | null, at: Date): Promise<void> {
    await tx.query(
      `insert into dictionary_change (name, changes, sequence, version, updated_at, updated_by) values ($1, $2::json, $3::json, 1, $4, $5)
       on conflict (name) do update set changes = excluded.changes, sequence = excluded.sequence,
         version = dictionary_change.version + 1, updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
      [name, JSON.stringify(changes.values), JSON.stringify(changes.order), at.toISOString(), by],
    )
    await tx.notify(CHANNEL, name)
  }

  /** One writer at a time, and what is stored now. */
  async lock(tx: Executor, name: string): Promise<StoredChanges> {
    await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [`dictionary ${name}`])
    return (await readChanges(tx, name)).get(name) ?? UNTOUCHED
  }

  /** A value that this release gives up stays, retired, while rows hold it. */
  private async meetRelease(): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtext('dictionary release'))`)
      const { rows } = await tx.query<{ name: string; items: DictionaryDocument['items'] }>(
        'select name, items from dictionary_release',
      )
      const before = new Map(rows.map(({ name, items }) => [name, items]))
      const changed = this.registry.releasedDictionaries.filter(({ name, items }) => !isDeepStrictEqual(before.get(name), items))
      for (const { name, items } of changed) {
        const given = (before.get(name) ?? []).filter(({ code }) => !items.some((item) => item.code === code))
        if (given.length === 0) continue
        const used = await countUsage(
          tx,
          this.fieldsOf(name),
          given.map(({ code }) => code),
        )
        const changes = await this.lock(tx, name)
        const next = keepChanges(given, items, changes, (code) => used.has(code))
        if (next !== changes) await this.write(tx, name, next, null, new Date())
      }
      if (changed.length === 0) return
      await tx.query(
        `insert into dictionary_release (name, items) select d.name, d.items from json_to_recordset($1::json) as d(name text, items json)
         on conflict (name) do update set items = excluded.items`,
        [JSON.stringify(changed.map(({ name, items }) => ({ name, items })))],
      )
    })
  }
}

async function readChanges(db: Executor, name?: string): Promise<Map<string, StoredChanges>> {
  const { rows } = await db.query<{
    name: string
    values: Record<string, ValueChange>
    order: string[]
    version: number
    updatedAt: string
    updatedBy: string | null
  }>(
    `select name, changes as "values", sequence as "order", version, updated_at as "updatedAt", updated_by as "updatedBy"
     from dictionary_change where $1::text is null or name = $1`,
    [name ?? null],
  )
  return new Map(rows.map(({ name, ...stored }) => [name, stored]))
}
