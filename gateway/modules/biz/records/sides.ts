import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord, SaveHook } from '../../../entities'
import type { BillingMode } from '../rating/messages'
import { RateBook, type Rate, type RatedDestination, type RateFound } from '../rating/rates'

export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Milliseconds of a moment; NaN without one. */
export const moment = (value: unknown): number => Date.parse(text(value))

/** Accounts and rates of one side: what the customer pays, or what the supplier gets. */
export interface Side {
  accounts: ReadonlyMap<string, EntityRecord>
  books: ReadonlyMap<string, RateBook>
}

export const NOBODY: Side = { accounts: new Map(), books: new Map() }

/** States in which a rate has been in force, or is. */
const RATED = ['active', 'pending', 'expired', 'superseded']
const MANY = 100_000

/** The different values of a field over the records of a batch. */
export const valuesOf = (hooks: readonly SaveHook[], field: string): string[] => [
  ...new Set(hooks.map(({ record }) => text(record[field])).filter((value) => value !== '')),
]

/** Records in groups of one key, each in its order. */
export function groupedBy(
  records: readonly EntityRecord[],
  keyOf: (record: EntityRecord) => string,
): Map<string, EntityRecord[]> {
  const groups = new Map<string, EntityRecord[]>()
  for (const record of records) {
    const group = groups.get(keyOf(record))
    if (group) group.push(record)
    else groups.set(keyOf(record), [record])
  }
  return groups
}

/** Records by the value of a field, all that have one of the values; none of an entity whose module is absent. */
export async function recordsBy(
  { entities }: Pick<SaveHook, 'entities'>,
  entity: string,
  field: string,
  values: readonly string[],
): Promise<ReadonlyMap<string, EntityRecord>> {
  if (values.length === 0 || !entities.has(entity)) return new Map()
  const found = await entities.list(entity, { where: [{ field, operator: 'in', value: values }], limit: MANY })
  return new Map(found.map((record) => [text(record[field]), record]))
}

/** Accounts of a side with their rates, in two statements. */
export async function readSide(
  hook: Pick<SaveHook, 'entities'>,
  [accountEntity, rateEntity, key]: readonly [string, string, string],
  ids: readonly string[],
): Promise<Side> {
  if (ids.length === 0) return NOBODY
  const accounts = await recordsBy(hook, accountEntity, 'id', ids)
  const rates = hook.entities.has(rateEntity)
    ? await hook.entities.list(rateEntity, {
        where: [
          { field: key, operator: 'in', value: ids },
          { field: 'status', operator: 'in', value: RATED },
        ],
        limit: MANY,
      })
    : []
  const byAccount = new Map<string, Rate[]>()
  for (const rate of rates) {
    const account = text(rate[key])
    byAccount.set(account, [...(byAccount.get(account) ?? []), rateOf(rate)])
  }
  return { accounts, books: new Map([...byAccount].map(([account, some]) => [account, new RateBook(some)])) }
}

/** The rate of an account for a destination over a route, as its book says it (`RateBook.find`). */
export const findRate = (
  { books }: Side,
  account: string,
  destination: RatedDestination,
  at: number,
  routeId?: string,
): RateFound => books.get(account)?.find(destination, at, routeId) ?? { refused: 'NO_RATE', steps: [] }

const decimal = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : exactText(new Exact(String(value)))
const whole = (value: unknown): number | undefined => (value === null || value === undefined ? undefined : Number(value))

const rateOf = (rate: EntityRecord): Rate => ({
  ...{ id: text(rate.id), rateKey: text(rate.rateKey), currency: text(rate.currency), price: decimal(rate.price) ?? null },
  routeId: text(rate.channelId) || text(rate.gatewayId),
  ...{ from: moment(rate.effectiveFrom), until: rate.effectiveTo ? moment(rate.effectiveTo) : Infinity },
  ...{ unit: text(rate.unit), billingMode: (text(rate.billingMode) || 'sent') as BillingMode },
  ...{ incFirst: whole(rate.incFirst), incNext: whole(rate.incNext), graceSec: whole(rate.graceSec) },
  ...{ setupFee: decimal(rate.setupFee), aiPrice: decimal(rate.aiPrice) },
  ...{ prefix: text(rate.prefix), destination: text(rate.destination) },
})
