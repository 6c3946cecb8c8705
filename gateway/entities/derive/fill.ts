import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { FieldModel } from '../../../src/schema/entity'
import type { Transaction } from '../../platform/database'
import { systemContext } from '../../platform/http'
import type { Core } from '../core'
import { graphOf } from './graph'
import { keyParts } from '../search/fill'
import { tableSql } from '../tables'
import { keptParts } from './rebuild'

interface Known {
  field: string
  definition: string
  filledTo: string | null
  filledAt: string | null
}

/**
 * Fills kept fields that are new, or are worked out otherwise than before, in the rows that are there: batch by batch, each in a
 * transaction that notes how far it is, so that it goes on where it was interrupted. Rows that are written meanwhile follow as always.
 */
export async function fillKept(core: Core, onProgress: (message: string) => void = () => undefined): Promise<void> {
  const { database } = core
  const searched = keyParts(core)
  const parts = [...keptParts(core), ...searched]
  const wanted = definitions(
    parts.flatMap(({ fields }) => fields),
    graphOf(core.registry).sources,
  )
  const { rows } = await database.query<Known>(
    `select field, definition, filled_to as "filledTo", filled_at as "filledAt" from entity_kept_field`,
  )
  const known = new Map(rows.map((row) => [row.field, row]))
  const gone = [...known.keys()].filter((field) => !wanted.has(field))
  // a field that comes back one day has to be filled anew
  if (gone.length > 0) await database.query('delete from entity_kept_field where field = any($1::text[])', [gone])
  await passOver(core, known, wanted, searched)
  for (const { fields, batch } of parts) {
    const pending = fields.filter(
      ({ key }) => known.get(key)?.definition !== wanted.get(key) || known.get(key)?.filledAt === null,
    )
    if (pending.length === 0) continue
    const keys = pending.map(({ key }) => key)
    onProgress(`filling ${keys.join(', ')}`)
    await database.transaction((tx) => begin(tx, keys, wanted))
    for (let done = false; !done;) {
      done = await database.transaction(
        async (tx) => {
          const from = await position(tx, keys)
          if (from === null) return true
          const { last } = await batch({ core, tx, context: systemContext(), fix: true }, from, new Set(keys))
          await tx.query(
            sql`update entity_kept_field set filled_to = coalesce(${last}, filled_to), filled_at = ${last === null ? new Date().toISOString() : null}::timestamptz where field = any(${sql.param(keys)}::text[])`,
          )
          return last === null
        },
        { retries: 3 },
      )
    }
  }
}

/** Keys of entities without any row are complete: nothing has to be asked of each of them, e.g. in a new database. */
async function passOver(
  { database }: Core,
  known: Map<string, Known>,
  wanted: ReadonlyMap<string, string>,
  parts: ReturnType<typeof keyParts>,
): Promise<void> {
  const fresh = parts.filter(({ fields }) => fields.every(({ key }) => !known.has(key)))
  if (fresh.length === 0) return
  const asked = fresh.map(
    ({ model }, index) => sql`select ${sql.raw(String(index))} as part where not exists (select from ${tableSql(model, 't')})`,
  )
  const { rows } = await database.query<{ part: number }>(sql.join(asked, sql` union all `))
  const keys = rows.flatMap(({ part }) => fresh[part]!.fields.map(({ key }) => key))
  if (keys.length === 0) return
  const definitions = keys.map((key) => wanted.get(key)!)
  const filledAt = new Date().toISOString()
  await database.query(
    sql`insert into entity_kept_field (field, definition, filled_at) select *, ${filledAt}::timestamptz from unnest(${sql.param(keys)}::text[], ${sql.param(definitions)}::text[]) on conflict do nothing`,
  )
  keys.forEach((field, index) => known.set(field, { field, definition: definitions[index]!, filledTo: null, filledAt }))
}

/** What a field is worked out from, its own kept sources included, as a short text that differs when anything of it does. */
function definitions(
  fields: readonly { key: string; field: FieldModel }[],
  sources: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, string> {
  const made = new Map<string, string>()
  for (const { key, field } of fields) {
    const { 'x-derived': derived, 'x-rollup': rollup, 'x-money': money, 'x-scale': scale, type, format } = field.field
    const reads = [...(sources.get(key) ?? [])].map((source) => made.get(source))
    const text = JSON.stringify({ derived, rollup, money, scale, type, format, reads })
    made.set(key, createHash('sha256').update(text).digest('hex').slice(0, 32))
  }
  return made
}

/** Notes what is to be filled; what another definition had filled begins anew. */
async function begin(tx: Transaction, keys: readonly string[], wanted: ReadonlyMap<string, string>): Promise<void> {
  await tx.query(
    sql`insert into entity_kept_field as k (field, definition) select * from unnest(${sql.param(keys)}::text[], ${sql.param(keys.map((key) => wanted.get(key)))}::text[])
      on conflict (field) do update set definition = excluded.definition, filled_to = null, filled_at = null where k.definition <> excluded.definition`,
  )
}

/** From where to go on; null when somebody else has finished. The fields are held, so that two gateways take turns. */
async function position(tx: Transaction, keys: readonly string[]): Promise<string | null> {
  const { rows } = await tx.query<{ filledTo: string | null; filledAt: string | null }>(
    sql`select filled_to as "filledTo", filled_at as "filledAt" from entity_kept_field where field = any(${sql.param(keys)}::text[]) order by field for update`,
  )
  const open = rows.filter(({ filledAt }) => filledAt === null)
  if (open.length === 0) return null
  return open.map(({ filledTo }) => filledTo ?? '').reduce((least, id) => (id < least ? id : least))
}
