import type { EntityRecord, HookContext, FieldOf, RecordOf } from '../../entities'
import { ServiceError, type Text } from '../../platform/http'
import { rateKeyOf } from '../biz'

/** Members of a line that say where it leads to. */
const DESTINATION = ['country', 'mccmnc', 'prefix', 'destination', 'routeClass', 'numberType', 'waCategory', 'unit'] as const

/** Values that one condition names at most. */
const AT_ONCE = 1_000
const MOST_ROWS = 100_000

/** What an application is made of: its entity, the members of its head and its lines that approvals give. */
export interface Kind {
  entity: string
  head: readonly string[]
  line: readonly string[]
}

const isObject = (value: unknown): value is EntityRecord => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Only what is there: an approval leaves out, or gives as null, what its form does not have. */
export const picked = <From extends object, Name extends keyof From>(
  from: From,
  names: readonly Name[],
): Partial<Pick<From, Name>> => {
  const found: Partial<Pick<From, Name>> = {}
  for (const name of names) if (from[name] !== undefined && from[name] !== null && from[name] !== '') found[name] = from[name]
  return found
}

/** The lines of an approval, each with the key of its destination. */
export function linesOf(given: EntityRecord, { line }: Kind): EntityRecord[] {
  const product = String(given.product)
  const rows = Array.isArray(given.lines) ? (given.lines as unknown[]).filter(isObject) : []
  return rows.map((row) => ({
    ...picked(row, [...DESTINATION, ...line]),
    rateKey: typeof row.rateKey === 'string' && row.rateKey !== '' ? row.rateKey : rateKeyOf(product, row),
  }))
}

/** The application that an instance made, held until the transaction ends. */
export async function applicationOf(
  { entities }: HookContext,
  entity: string,
  instanceId: unknown,
): Promise<EntityRecord | undefined> {
  const id = String(instanceId ?? '')
  if (id === '') throw new Error(`An effect on ${entity} names no instanceId.`)
  const [found] = await entities.list(entity, {
    where: [{ field: 'instanceId', operator: 'eq', value: id }],
    lock: true,
    limit: 1,
  })
  return found
}

/**
 * The application of an instance as it was submitted, in approval: made, or brought up to what the form says now. One that is decided is
 * answered as it is.
 */
export async function submitted(hook: HookContext, kind: Kind, given: EntityRecord): Promise<EntityRecord> {
  const { entities } = hook
  const known = await applicationOf(hook, kind.entity, given.instanceId)
  if (known && !['draft', 'returned', 'inApproval'].includes(String(known.status))) return known
  const values = { ...picked(given, kind.head), lines: linesOf(given, kind) }
  const saved = await entities.save(kind.entity, {
    ...values,
    ...(known ? { id: known.id } : { instanceId: given.instanceId, applicantId: given.applicantId ?? hook.context.user.staffId }),
  })
  return saved.status === 'inApproval' ? saved : entities.transition(kind.entity, String(saved.id), 'submit')
}

/** The lines of an application, or of a sheet, as they are stored. */
export const storedLines = <Entity extends string>(
  { entities }: HookContext,
  entity: Entity,
  field: FieldOf<Entity>,
  id: string,
): Promise<RecordOf<Entity>[]> => entities.list(entity, { where: [{ field, operator: 'eq', value: id }], limit: 20_000 })

/** Records whose field holds one of many values, asked for in parts. */
export async function whose(
  { entities }: HookContext,
  entity: string,
  field: string,
  values: Iterable<string>,
  where: Parameters<HookContext['entities']['list']>[1] = {},
): Promise<EntityRecord[]> {
  const all = [...new Set(values)]
  const found: EntityRecord[] = []
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const part = { field, operator: 'in' as const, value: all.slice(start, start + AT_ONCE) }
    found.push(...(await entities.list(entity, { ...where, where: [part, ...(where.where ?? [])], limit: MOST_ROWS })))
  }
  return found
}

/** The facts that a form was filled with are not the facts any more (10060059). */
export const factsChanged = (message: Text): ServiceError => new ServiceError('factsChanged', { message })
