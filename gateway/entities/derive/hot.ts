import { sql } from 'drizzle-orm'
import type { EntityModel } from '../../../src/schema/entity'
import { compileExpression, ExpressionError, type CompiledExpression } from '../../../src/schema/expression'
import { Exact, exactText, toExact } from '../../../src/schema/formats/decimal'
import type { Transaction } from '../../platform/database'
import { ServiceError, type RequestContext, type Text } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { Registry } from '../registry'
import { columnSql, tableSql } from '../tables'
import type { WriteContext } from '../core'
import { currencyField, currencyIn, otherCurrency } from './currency'
import type { Graph, RollupNode } from './graph'
import type { ChangeLog } from './log'
import { deltaOf, mixed, shiftsOf, type Shift } from './rollup'

/** What a transaction adds to a hot sum, or the bound that it has from now on. */
interface HotShift {
  field: string
  recordId: string
  delta: Exact
  bound: string | null
  label: Text
}

/** No bound, of a sum that had one. */
const NONE = '-Infinity'

/** Notes what the rows of a write add to hot sums; it is added last in the transaction. */
export async function addToHotSums({ core, tx, context }: WriteContext, { hot }: Graph, log: ChangeLog): Promise<void> {
  for (const node of [...hot.values()].flat()) {
    const shared = { field: node.field.hot!, label: node.field.label }
    const bound = boundOf(node.field.field['x-rollup']?.atLeast)
    for (const { before, after } of log.of(node.model)) {
      if (before !== null && !(bound && readsChanged(bound, before, after))) continue
      const value = bound ? boundIn(core.registry, context, node.model, bound, after) : null
      tx.beforeCommit(settleHotSums, { ...shared, recordId: String(after.id), delta: new Exact(0), bound: value })
    }
    const shifts = shiftsOf(node, log)
    await checkCurrency(tx, node, shifts, log)
    await checkRenewed(core.registry, tx, node, log)
    for (const [recordId, shift] of shifts) {
      const delta = deltaOf(node, shift)
      if (!delta.isZero()) tx.beforeCommit(settleHotSums, { ...shared, recordId, delta, bound: null })
    }
  }
}

export const boundOf = (text: string | undefined): CompiledExpression | undefined =>
  text === undefined ? undefined : compileExpression(text)

const readsChanged = (bound: CompiledExpression, before: EntityRecord, after: EntityRecord): boolean =>
  bound.dependencies.some((path) => {
    const name = path.split('.', 1)[0]!
    return name in after && (before[name] ?? null) !== (after[name] ?? null)
  })

/** The bound of one record, as text. */
export function boundIn(
  registry: Registry,
  context: RequestContext,
  model: EntityModel,
  bound: CompiledExpression,
  record: EntityRecord,
): string {
  try {
    const value = bound(registry.expressionScope(context, model, record), registry.environment(context))
    const exact = value instanceof Exact ? value : toExact(value)
    return exact ? exactText(exact) : NONE
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return NONE
  }
}

async function checkCurrency(
  tx: Transaction,
  node: RollupNode & { model: EntityModel },
  shifts: ReadonlyMap<string, Shift>,
  log: ChangeLog,
): Promise<void> {
  const { model, field } = node
  const name = currencyField(field)
  const ids = [...shifts].flatMap(([id, { added }]) => (added.length > 0 ? [id] : []))
  if (field.kind !== 'money' || ids.length === 0) return
  const held = new Map(ids.map((id) => [id, log.find(model, id)?.after]))
  const unknown = ids.filter((id) => name !== undefined && held.get(id)?.[name] === undefined)
  if (name !== undefined && unknown.length > 0) {
    const { rows } = await tx.query<EntityRecord>(
      sql`select t."id", ${columnSql('t', model.fields.get(name)!)} as ${sql.identifier(name)} from ${tableSql(model, 't')} where t."id" = any(${sql.param(unknown)}::text[])`,
    )
    for (const row of rows) held.set(String(row.id), row)
  }
  for (const [id, { added }] of shifts) {
    const currency = currencyIn(field, held.get(id) ?? {})
    const other = added.find((part) => part.currency === undefined || part.currency !== currency)
    if (other) throw otherCurrency(model, node, currency, other.currency)
  }
}

/** A sum whose currency is another one now must have nothing in the one of before. */
async function checkRenewed(
  registry: Registry,
  tx: Transaction,
  node: RollupNode & { model: EntityModel },
  log: ChangeLog,
): Promise<void> {
  const { model, field } = node
  const currency = currencyField(field)
  const renewed = currency === undefined ? [] : log.renewed(model, currency)
  const [wrong] = renewed.length > 0 ? await mixed(tx, registry, model, node, renewed) : []
  if (wrong !== undefined) throw otherCurrency(model, node, currencyIn(field, log.find(model, wrong)!.after), undefined)
}

/**
 * The last statement of a transaction: adds to the sums and says where they stand. Their rows are held from here to the commit only,
 * in one order for everybody.
 * @throws ServiceError 10030002 for a sum that was taken below its bound
 */
async function settleHotSums(tx: Transaction, shifts: readonly HotShift[]): Promise<void> {
  const sums = new Map<string, HotShift>()
  for (const shift of shifts) {
    const key = `${shift.field} ${shift.recordId}`
    const known = sums.get(key)
    sums.set(key, known ? { ...known, delta: known.delta.plus(shift.delta), bound: shift.bound ?? known.bound } : shift)
  }
  const sorted = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, shift]) => shift)
  const list = (values: readonly (string | null)[], type: string) => sql`${sql.param(values)}::${sql.raw(type)}[]`
  const { rows } = await tx.query<{ field: string; recordId: string; value: string; broken: boolean | null; bound: string }>(
    sql`insert into "entity_hot_sum" as h ("field", "record_id", "value", "bound")
      select * from unnest(${list(
        sorted.map(({ field }) => field),
        'text',
      )}, ${list(
        sorted.map(({ recordId }) => recordId),
        'text',
      )}, ${list(
        sorted.map(({ delta }) => exactText(delta)),
        'numeric',
      )}, ${list(
        sorted.map(({ bound }) => bound),
        'numeric',
      )})
      on conflict ("field", "record_id") do update set "value" = h."value" + excluded."value", "bound" = coalesce(excluded."bound", h."bound")
      returning h."field", h."record_id" as "recordId", h."value", h."bound", h."value" < h."bound" as "broken"`,
  )
  for (const row of rows) {
    const shift = sums.get(`${row.field} ${row.recordId}`)
    // what brings a sum nearer to its bound is welcome even below it
    if (row.broken && shift?.delta.isNegative()) throw belowBound(shift, row.value, row.bound)
  }
}

function belowBound({ label, field, recordId }: HotShift, value: string, bound: string): ServiceError {
  const left = exactText(new Exact(value))
  const least = exactText(new Exact(bound))
  return new ServiceError('limitRefused', {
    message: {
      zh: `“${label.zh}”将变为 ${left}，不能低于 ${least}。`,
      en: `"${label.en}" would be ${left}; it cannot go below ${least}.`,
    },
    data: { reason: 'bound', field, id: recordId },
  })
}
