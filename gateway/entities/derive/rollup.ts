import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import { Exact, exactText, toExact } from '../../../src/schema/formats/decimal'
import type { Executor } from '../../platform/database'
import { clauseSql, allOf } from '../clause'
import type { EntityRecord } from '../calls'
import { conditionSql } from '../query/condition'
import type { Registry } from '../registry'
import { storageOf } from '../storage'
import { columnSql, tableSql } from '../tables'
import { sameValue } from '../sameValue'
import { currencyField, currencyIn } from './currency'
import type { RollupNode } from './graph'
import { isLive, type ChangeLog } from './log'
import { emptyRollup, sameStored } from './value'

/** What one record adds to a rollup. */
interface Part {
  parent: string
  value: unknown
  currency: string | undefined
}

/** What changed for one parent. */
export interface Shift {
  added: Part[]
  removed: Part[]
}

type Condition = NonNullable<NonNullable<FieldModel['field']['x-rollup']>['where']>[number]

const operatorOf = ({ operator, value }: Condition) => operator ?? (Array.isArray(value) ? 'in' : 'eq')

/** Whether a record meets a fixed condition: the same as `conditionSql` says of its row. */
function meets(child: EntityModel, condition: Condition, row: EntityRecord): boolean {
  const field = child.fields.get(condition.field)
  const held = row[condition.field] ?? null
  const given: unknown = condition.value ?? null
  if (!field) return false
  const equal = (value: unknown): boolean => held !== null && sameStored(field, held, value)
  switch (operatorOf(condition)) {
    case 'ne':
      return !equal(given)
    case 'in':
      return [given].flat().some(equal)
    case 'notIn':
      return ![given].flat().some(equal)
    case 'empty':
      return held === null
    case 'notEmpty':
      return held !== null
    default:
      return equal(given)
  }
}

/** What a record adds, or nothing. */
function partOf(node: RollupNode, row: EntityRecord | null): Part | undefined {
  const { child, reference, measure, source, field } = node
  if (!isLive(row)) return undefined
  const parent = row[reference.name]
  const value = source ? (row[source.name] ?? null) : null
  if (typeof parent !== 'string' || (source && value === null && measure.function !== 'last')) return undefined
  if (!(field.field['x-rollup']?.where ?? []).every((condition) => meets(child, condition, row))) return undefined
  return { parent, value, currency: source && currencyIn(source, row) }
}

/** By parent: what the records of a write add to a rollup, and what they take away. Records that count as before are left out. */
export function shiftsOf(node: RollupNode, log: ChangeLog): Map<string, Shift> {
  const shifts = new Map<string, Shift>()
  const of = (parent: string): Shift => {
    const shift = shifts.get(parent) ?? { added: [], removed: [] }
    shifts.set(parent, shift)
    return shift
  }
  const by = node.measure.function === 'last' ? (node.field.field['x-rollup']?.by ?? 'createdAt') : undefined
  for (const { before, after } of log.of(node.child)) {
    const [old, now] = [partOf(node, before), partOf(node, after)]
    const moved = by !== undefined && !sameValue(before?.[by] ?? null, after[by] ?? null)
    if (!moved && sameValue(old ?? null, now ?? null)) continue
    if (old) of(old.parent).removed.push(old)
    if (now) of(now.parent).added.push(now)
  }
  return shifts
}

/** How much a sum or a count grows. */
export function deltaOf({ measure }: RollupNode, { added, removed }: Shift): Exact {
  const amount = (part: Part): Exact => (measure.function === 'count' ? new Exact(1) : (toExact(part.value) ?? new Exact(0)))
  const taken = removed.reduce((sum, part) => sum.plus(amount(part)), new Exact(0))
  return added.reduce((sum, part) => sum.plus(amount(part)), new Exact(0)).minus(taken)
}

/** The value after a shift; `recount` when only the records themselves can tell. */
export function shifted(node: RollupNode, stored: unknown, shift: Shift): { value: unknown } | 'recount' {
  const { field, measure } = node
  switch (measure.function) {
    case 'count':
    case 'sum':
      return { value: numberOf(field, (toExact(stored) ?? new Exact(0)).plus(deltaOf(node, shift))) }
    case 'last':
      return 'recount'
    default: {
      const sign = measure.function === 'min' ? -1 : 1
      if (shift.removed.some(({ value }) => sameStored(field, value, stored))) return 'recount'
      const values = [stored, ...shift.added.map(({ value }) => value)].filter((value) => (value ?? null) !== null)
      return { value: values.reduce((best, value) => (sign * compare(field, value, best) > 0 ? value : best), values[0]) ?? null }
    }
  }
}

function compare(field: FieldModel, a: unknown, b: unknown): number {
  const storage = storageOf(field)
  if (storage !== 'numeric' && storage !== 'integer') return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
  return (toExact(a) ?? new Exact(0)).comparedTo(toExact(b) ?? new Exact(0))
}

export const numberOf = (field: FieldModel, value: Exact): unknown =>
  storageOf(field) === 'numeric' ? exactText(value) : value.toNumber()

/** Which rows of the records count. */
function countedSql(registry: Registry, { child, field }: RollupNode): SQL {
  const queried = {
    model: child,
    alias: 'c',
    locale: 'en' as const,
    timeZone: registry.timeZone,
    searchable: () => true,
    internal: true,
  }
  const conditions = (field.field['x-rollup']?.where ?? []).map((condition) =>
    conditionSql(queried, { field: condition.field, operator: operatorOf(condition), value: condition.value }),
  )
  return clauseSql(allOf([sql`${columnSql('c', { column: 'deleted_at' })} is null`, ...conditions]))
}

/** The values of a rollup as the records say them, by parent. */
export async function recount(
  db: Executor,
  registry: Registry,
  node: RollupNode,
  parents: readonly string[],
): Promise<Map<string, unknown>> {
  const { child, reference, measure, source, field } = node
  const rows = sql`from ${tableSql(child, 'c')} where ${columnSql('c', reference)} = p."id" and ${countedSql(registry, node)}`
  const value = source ? columnSql('c', source) : sql`1`
  const by = child.fields.get(field.field['x-rollup']?.by ?? 'createdAt')!
  const latest = sql`select ${value} as "value" ${rows} order by ${columnSql('c', by)} desc nulls last, ${columnSql('c', { column: 'id' })} desc limit 1`
  const found = measure.function === 'last' ? latest : sql`select ${sql.raw(measure.function)}(${value}) as "value" ${rows}`
  const { rows: counted } = await db.query<{ id: string; value: unknown }>(
    sql`select p."id", l."value" from unnest(${sql.param(parents)}::text[]) as p("id") left join lateral (${found}) l on true`,
  )
  return new Map(
    counted.map(({ id, value: said }) => {
      const exact = measure.function === 'count' || measure.function === 'sum' ? toExact(said) : undefined
      return [id, exact ? numberOf(field, exact) : (said ?? emptyRollup(field))]
    }),
  )
}

/** Of these parents, those with an amount in another currency than that of the sum. */
export async function mixed(
  db: Executor,
  registry: Registry,
  model: EntityModel,
  node: RollupNode,
  parents: readonly string[],
): Promise<string[]> {
  const { child, reference, source, field } = node
  if (!source || source.kind !== 'money') return []
  const currencyOf = (of: FieldModel, owner: EntityModel, alias: string): SQL => {
    const name = currencyField(of)
    return name === undefined ? sql`${of.field['x-money'] ?? null}::text` : columnSql(alias, owner.fields.get(name)!)
  }
  const { rows } = await db.query<{ id: string }>(
    sql`select distinct p."id" from ${tableSql(model, 'p')} join ${tableSql(child, 'c')} on ${columnSql('c', reference)} = p."id" where p."id" = any(${sql.param(parents)}::text[]) and ${countedSql(registry, node)} and ${columnSql('c', source)} is not null and ${currencyOf(source, child, 'c')} is distinct from ${currencyOf(field, model, 'p')}`,
  )
  return rows.map(({ id }) => id)
}
