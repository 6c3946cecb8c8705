import { sql } from 'drizzle-orm'
import type { EntityRecord } from '../calls'
import { clauseSql, textArray } from '../clause'
import type { WriteContext, Written } from '../core'
import { countsSql, decidesEffective, effectiveOf, overlapSql, type Effective } from '../effective'
import { refusal } from '../errors'
import { storedColumns } from '../read/record'
import { columnSql, tableSql } from '../tables'
import { sameValue } from '../sameValue'

/** Two rows of a key that hold at the same time: one that was written, and another. */
interface Pair {
  written: EntityRecord
  other: EntityRecord
}

/**
 * `x-effective`: of the rows that were written none holds at the same time as another of its key. With `endPrevious` a new row ends
 * the one before it, and ends itself where the next one begins, unless it says when. The keys are held since before the rows were written.
 * @throws ServiceError 10010005 naming what it overlaps
 */
export async function keepEffective(write: WriteContext, written: readonly Written[]): Promise<void> {
  const { core, tx, context, model } = write
  const effective = effectiveOf(model)
  if (!effective) return
  const conditions = (model.document['x-effective']?.while ?? []).map(({ field }) => field)
  const names = model.stored.map(({ name }) => name)
  const changed = written.filter(
    ({ before, after }) =>
      !after.deletedAt &&
      (!before ||
        decidesEffective(
          model,
          names.filter((name) => !sameValue(before[name], after[name])),
        )),
  )
  const rows = await counting(write, changed)
  if (rows.length === 0) return
  for (const row of rows) refuseBackwards(write, effective, row)
  let pairs = await overlapping(write, effective, rows)
  if (pairs.length === 0) return
  if (effective.endPrevious) {
    const begun = new Set(
      changed
        .filter(({ before, after }) => !before || conditions.some((name) => !sameValue(before[name], after[name])))
        .map(({ after }) => String(after.id)),
    )
    const ends = endings(effective, pairs, begun)
    const values = new Map([...ends].map(([id, end]) => [id, { [effective.until.name]: end }]))
    await core.entities(tx, context).changeMany(model.name, values)
    for (const { after } of written) {
      const end = ends.get(String(after.id))
      if (end !== undefined) Object.assign(after, { [effective.until.name]: end, version: Number(after.version) + 1 })
    }
    pairs = await overlapping(write, effective, rows)
  }
  if (pairs[0]) throw overlap(write, effective, pairs[0])
}

/** Those of the written rows that count, with every stored field. */
async function counting({ tx, model }: WriteContext, written: readonly Written[]): Promise<EntityRecord[]> {
  if (written.length === 0) return []
  const ids = written.map(({ after }) => String(after.id))
  const { rows } = await tx.query<EntityRecord>(
    sql`select ${storedColumns(model, 't')} from ${tableSql(model, 't')} where ${columnSql('t', { column: 'id' })} = any(${textArray(ids)}) and ${countsSql(model, 't')}`,
  )
  return rows
}

async function overlapping({ tx, model }: WriteContext, effective: Effective, rows: readonly EntityRecord[]): Promise<Pair[]> {
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  const id = (alias: string) => columnSql(alias, { column: 'id' })
  const { rows: found } = await tx.query<EntityRecord>(
    sql`select ${id('n')} as "$written", ${storedColumns(model, 't')} from ${tableSql(model, 'n')} join ${tableSql(model, 't')} on ${id('t')} <> ${id('n')} and ${clauseSql(overlapSql(model, effective, 't', 'n'))} where ${id('n')} = any(${textArray([...byId.keys()])}) order by ${columnSql('t', effective.from)}`,
  )
  return found.map(({ $written, ...other }) => ({ written: byId.get(String($written))!, other }))
}

/** When rows end that have to make way, by id. */
function endings({ from, until, byDay }: Effective, pairs: readonly Pair[], begun: ReadonlySet<string>): Map<string, string> {
  const ends = new Map<string, string>()
  for (const { written, other } of pairs) {
    const [start, another] = [written[from.name], other[from.name]].map((value) => (typeof value === 'string' ? value : ''))
    if (start === another) continue
    const [earlier, later] = start! < another! ? [written, other] : [other, written]
    const makesWay = begun.has(String(later.id)) || (begun.has(String(earlier.id)) && !earlier[until.name])
    if (!makesWay) continue
    const begins = String(later[from.name])
    const end = byDay ? dayBefore(begins) : begins
    const known = ends.get(String(earlier.id))
    if (known === undefined || end < known) ends.set(String(earlier.id), end)
  }
  return ends
}

const DAY = 86_400_000
const dayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - DAY).toISOString().slice(0, 10)

function refuseBackwards({ context }: WriteContext, { from, until }: Effective, row: EntityRecord): void {
  const [start, end] = [row[from.name], row[until.name]]
  if (typeof start !== 'string' || typeof end !== 'string' || start <= end) return
  const message = {
    zh: `“${until.label.zh}”不能早于“${from.label.zh}”。`,
    en: `"${until.label.en}" cannot be before "${from.label.en}".`,
  }
  throw refusal('validationFailed', context.locale, [{ field: until.name, rule: 'effective', message }])
}

function overlap({ context, model }: WriteContext, { from, until }: Effective, { other }: Pair): Error {
  const [start, end] = [other[from.name], other[until.name]].map((value) => (typeof value === 'string' ? value : undefined))
  const message = {
    zh: `与另一条${model.label.zh}的有效期重叠：${start ?? '不限'} 至 ${end ?? '不限'}。`,
    en: `It overlaps another ${model.label.en.toLowerCase()} that holds from ${start ?? 'always'} until ${end ?? 'further notice'}.`,
  }
  return refusal('validationFailed', context.locale, [{ field: from.name, rule: 'effective', message }])
}
