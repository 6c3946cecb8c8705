import { Amount } from '../expression'
import { currencyOf, fieldKind, toExact } from '../formats'
import type { EntityField } from '../generated/entity'
import type { EntityModel } from './model'

type Values = Readonly<Record<string, unknown>>

/** A field whose values calculate exactly. */
interface ExactField {
  name: string
  /** `x-money`: a currency, or the field that holds it. */
  money?: string
  /** The fields of the rows, where the field holds lines. */
  lines?: () => EntityModel | undefined
}

const plans = new WeakMap<object, readonly ExactField[]>()

/**
 * The values of a record as its expressions read them: decimals, money and percentages as exact numbers, money with its
 * currency, lines with their own. A copy; with `only`, of these fields, which spares the others (see `dependenciesOf`); of a row, `around`
 * is the form whose currency it may have.
 */
export function entityScope(
  model: Pick<EntityModel, 'fields'> & Partial<Pick<EntityModel, 'find'>>,
  record: Values,
  only?: Iterable<string>,
  around?: Values,
): Record<string, unknown> {
  const held = around ? { ...record, head: around } : record
  const scope: Record<string, unknown> = only ? {} : { ...record }
  if (only) for (const name of only) if (name in record) scope[name] = record[name]
  for (const field of planOf(model)) {
    if (field.name in scope) scope[field.name] = valueOf(field, scope[field.name], held)
  }
  return scope
}

/** One value of a field as expressions read it; `record` holds its currency. */
export function exactValue(model: Pick<EntityModel, 'fields'>, name: string, value: unknown, record: Values): unknown {
  const field = planOf(model).find((each) => each.name === name)
  return field ? valueOf(field, value, record) : value
}

/** The same for fields that stand by themselves, as the browser has them. */
export function exactFields(fields: ReadonlyMap<string, EntityField>, record: Values): Record<string, unknown> {
  const scope: Record<string, unknown> = { ...record }
  for (const field of known(fields, () => planned(fields))) {
    if (field.name in scope) scope[field.name] = valueOf(field, scope[field.name], record)
  }
  return scope
}

function planOf(model: Parameters<typeof entityScope>[0]): readonly ExactField[] {
  return known(model.fields, () => planned(new Map([...model.fields].map(([name, { field }]) => [name, field])), model.find))
}

function known(key: object, make: () => readonly ExactField[]): readonly ExactField[] {
  const plan = plans.get(key) ?? make()
  plans.set(key, plan)
  return plan
}

function planned(fields: ReadonlyMap<string, EntityField>, find?: EntityModel['find']): readonly ExactField[] {
  return [...fields].flatMap(([name, field]): ExactField[] => {
    const lines = field['x-lines']?.entity
    if (lines !== undefined) return find ? [{ name, lines: () => find(lines) }] : []
    const kind = fieldKind(field)
    if (kind === 'money') return [{ name, money: field['x-money'] }]
    return kind === 'decimal' || kind === 'percent' ? [{ name }] : []
  })
}

function valueOf({ money, lines }: ExactField, value: unknown, record: Values): unknown {
  if (lines) {
    const model = lines()
    return model && Array.isArray(value)
      ? value.map((row: unknown) => (isRecord(row) ? entityScope(model, row, undefined, record) : row))
      : value
  }
  const exact = toExact(value)
  if (!exact) return value
  const currency = money === undefined ? undefined : (currencyOf({ 'x-money': money }, record) ?? null)
  return new Amount(exact, currency, typeof value === 'string' ? value : undefined)
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
