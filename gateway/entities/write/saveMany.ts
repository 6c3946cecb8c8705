import { setImmediate as others } from 'node:timers/promises'
import type { EntityModel } from '../../../src/schema/entity'
import type { Transaction } from '../../platform/database'
import { ServiceError, type RequestContext, type Text } from '../../platform/http'
import type { Core, WriteContext } from '../core'
import type { EntityRecord } from '../calls'
import { OwnValues } from '../derive/own'
import { DuplicatesInBulk } from '../duplicates/check'
import { forbiddenError, forbiddenTo } from '../effects/forbids'
import { askInvariants } from '../effects/invariants'
import { doSaved, setOwn } from '../effects/saved'
import { refusal } from '../errors'
import type { BulkSave } from '../types'
import { insertAudited } from './audit'
import { chosenReferences, missingReferences } from './check'
import { consequences } from './consequences'
import { followFiles } from './files'
import { keepStates } from './row'
import { stampNew } from './newRecord'
import { planLines, type PlannedLines } from '../lines/plan'
import { changesOfLines, differingLines, writeLines } from '../lines/write'
import { giveNumbers, numbersFor } from './numbers'
import { checkDraft, followOwner, newDraft, readNew, saveRecord, type Draft, type ReadRecord, type WriteOptions } from './save'

/** A new record and the numbers that were taken for it before the transaction. */
export interface NewRecord {
  values: EntityRecord
  numbers: EntityRecord
}

/** A new record with what became of reading it. */
export interface NewRecordRead extends NewRecord {
  read: ReadRecord | ServiceError
}

/** Records that are checked before other calls get their turn. */
const AT_A_STRETCH = 50

/** What is to be told of records, by their place among those that were given. */
interface Told {
  /** Why they were not saved. */
  refused: Map<number, ServiceError>
  /** What was said of those that were saved. */
  warned: Map<number, Text[]>
  /** Those that were saved, as they are stored. */
  saved: Map<number, EntityRecord>
}

/** Saves new records of one entity together, batch by batch. Every record is checked as a single save would check it. */
export class NewRecords {
  private readonly bulk: BulkSave | undefined
  private readonly duplicates: DuplicatesInBulk
  /** A service that reads and writes for one record at a time has to see each record stored before the next. */
  private readonly single: boolean

  constructor(
    private readonly core: Core,
    private readonly context: RequestContext,
    private readonly model: EntityModel,
    private readonly options: Pick<WriteOptions, 'origin' | 'reason'>,
  ) {
    const service = core.registry.serviceOf(model)
    this.bulk = service?.bulk?.()
    this.duplicates = new DuplicatesInBulk(core, model)
    this.single = !this.bulk && (service?.beforeSave ?? service?.afterSave) !== undefined
  }

  /** Reads a batch. That needs no database, so that it can be done while the batch before is being written. */
  async read(records: readonly NewRecord[]): Promise<NewRecordRead[]> {
    const done: NewRecordRead[] = []
    for (const [index, record] of records.entries()) {
      if (index % AT_A_STRETCH === 0) await others()
      done.push({ ...record, read: this.readOne(record) })
    }
    return done
  }

  private readOne({ values }: NewRecord): ReadRecord | ServiceError {
    try {
      return readNew(this.core, this.context, this.model, values, this.options)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return error
    }
  }

  /**
   * Saves a batch inside a transaction; a refused record keeps no other from being saved. `onWriting` is called when everything is
   * decided and the database has the rest of the work.
   */
  async save(tx: Transaction, records: readonly NewRecordRead[], onWriting?: () => void): Promise<Told> {
    const told: Told = { refused: new Map(), warned: new Map(), saved: new Map() }
    const { refused } = told
    if (!this.single) {
      try {
        await tx.transaction((inner) => this.together(inner, records, told, onWriting))
        return ofSaved(told)
      } catch (error) {
        // somebody took a unique value in between: which record it is, shows when they are saved one by one
        if (!(error instanceof ServiceError)) throw error
        told.warned.clear()
        told.saved.clear()
      }
    }
    for (const [index, { values, numbers }] of records.entries()) {
      if (refused.has(index)) continue
      await refusing(refused, index, async () => {
        const saved = await tx.transaction((inner) =>
          saveRecord({ core: this.core, tx: inner, context: this.context, model: this.model }, values, {
            ...this.optionsOf(told, index),
            numbers,
          }),
        )
        told.saved.set(index, saved)
      })
    }
    return ofSaved(told)
  }

  /** The options of one record, whose warnings are noted. */
  private optionsOf({ warned }: Told, index: number): WriteOptions {
    return { ...this.options, onWarning: (message) => void warned.set(index, [...(warned.get(index) ?? []), message]) }
  }

  private async together(tx: Transaction, records: readonly NewRecordRead[], told: Told, onWriting?: () => void): Promise<void> {
    const { core, context, model, bulk, duplicates } = this
    const { refused } = told
    const drafts = new Map<number, Draft>()
    for (const [index, { read }] of records.entries()) {
      if (read instanceof ServiceError) refused.set(index, read)
      else drafts.set(index, newDraft({ core, tx, context, model }, read, this.optionsOf(told, index)))
    }

    const sound = [...drafts.values()].filter(({ problems }) => problems.length === 0)
    await bulk?.prepare(sound.map(({ hook }) => hook))
    await duplicates.prepare(sound.map(({ hook }) => hook))
    const chosen = await chosenReferences(
      { registry: core.registry, db: tx, context, model },
      sound.map(({ record, hook }) => ({ record, given: hook.given })),
    )
    const write = { core, tx, context, trusted: this.options.origin === 'service' }
    const lines = await planLines(
      write,
      model,
      sound.map(({ record, lines: given, problems }) => ({ before: null, record, given, path: '', problems })),
    )
    const writing = { core, tx, context, model }
    const forbidden = await forbiddenTo(
      writing,
      'create',
      sound.map(({ record }) => record),
    )
    await setOwn(
      writing,
      sound.map(({ record }) => ({ before: null, after: record })),
    )
    const own = new OwnValues(writing)
    await own.load(sound.map(({ record }) => record))
    const accepted = new Map<number, Draft>()
    const alongside = new Set<string>()
    for (const [index, draft] of drafts) {
      if (index % AT_A_STRETCH === 0) await others()
      const { record, hook, problems } = draft
      await refusing(refused, index, async () => {
        const held = forbidden.get(record)
        if (held) throw forbiddenError(held)
        if (problems.length === 0) await bulk?.beforeSave(hook)
        if (problems.length === 0) await duplicates.guard(hook)
        if (problems.length === 0) {
          for (const [name, number] of Object.entries(records[index]!.numbers)) record[name] ??= number
          Object.assign(record, await numbersFor(tx, model, core.registry.dayOf(context.now), record))
        }
        await followOwner({ core, tx, context, model }, null, record)
        problems.push(...(await own.follow(null, record)))
        await checkDraft({ core, tx, context, model }, draft, {
          given: hook.given,
          chosen,
          givenOnly: true,
          alongside,
          lines: differingLines(lines, record.id),
        })
        keepStates(model, null, record)
        stampNew(context, record)
        bulk?.accepted(hook)
        duplicates.accepted(hook)
        accepted.set(index, draft)
        told.saved.set(index, record)
        alongside.add(record.id as string)
      })
    }
    const saving = [...accepted.values()].map(({ record, hook: { given } }) => ({ record, given }))
    const missing = await missingReferences({ registry: core.registry, db: tx, context, model, alongside }, saving)
    for (const { record, problems } of accepted.values()) problems.push(...(missing.get(record) ?? []))
    await this.refuseBroken(writing, accepted, told)
    await this.write(tx, [...accepted.values()], lines, onWriting)
  }

  /** Takes those out that name what is not there, or break an invariant which needs the database. */
  private async refuseBroken(write: WriteContext, accepted: Map<number, Draft>, { refused, saved }: Told): Promise<void> {
    const coded = await askInvariants(write, [...accepted.values()])
    for (const [index, { record, problems }] of accepted) {
      const error = problems.length > 0 ? refusal('validationFailed', write.context.locale, problems) : coded.get(record)
      if (!error) continue
      refused.set(index, error)
      saved.delete(index)
      accepted.delete(index)
    }
  }

  private async write(
    tx: Transaction,
    accepted: readonly Draft[],
    lines: readonly PlannedLines[],
    onWriting?: () => void,
  ): Promise<void> {
    const { core, context, model } = this
    const records = accepted.map(({ record }) => record)
    await giveNumbers({ core, tx, context, model }, records)
    const inserted = insertAudited(core.registry, tx, context, model, records, this.options.reason, ({ id }) =>
      changesOfLines(lines, id),
    )
    onWriting?.()
    await inserted
    if (records.length === 0) return
    for (const record of records) await followFiles({ core, tx, context, model }, null, record)
    const written = records.map((after) => ({ before: null, after }))
    await doSaved({ core, tx, context, model }, written)
    await consequences({ core, tx, context, model }, written)
    await writeLines({ core, tx, context, trusted: true }, lines, new Set(records.map(({ id }) => id)))
    await this.bulk?.afterSave(accepted.map(({ hook }) => hook))
    tx.afterCommit(() => records.forEach((record) => core.references.forget(model.name, record.id as string)))
  }
}

/** Of a record that was refused, nothing else is told. */
function ofSaved(told: Told): Told {
  for (const index of told.refused.keys()) told.warned.delete(index)
  return told
}

/** Notes a refusal; what is no refusal goes on. */
async function refusing(refused: Told['refused'], index: number, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    refused.set(index, error)
  }
}
