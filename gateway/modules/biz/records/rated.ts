import { sql, type SQL } from 'drizzle-orm'
import { columnName } from '../../../../src/schema/entity'
import { CHARGED } from '../../../../src/schema/generated/charges'
import type { EntityRecord, EntityService, SaveHook } from '../../../entities'
import { addDays } from '../../../platform/calendar'
import { accountDay, typedTraffic, type DayTraffic } from '../../fin'
import { dayLocks, type DayLock } from '../lock/lock'
import type { PricedRate, RateFound, RatedDestination } from '../rating/rates'
import { batchService } from './batch'
import { findRate, moment, NOBODY, readSide, recordsBy, text, valuesOf, type Side } from './sides'

/** What a record is charged by a rate. */
export interface Charge {
  billable: boolean
  amount: string
}

/** A record that is being rated. */
export interface RatedRow<More> {
  hook: SaveHook
  record: EntityRecord
  /** When it was sent, or the call began. */
  at: number
  more: More
  customer: Find
  supplier: Find
}
type Find = (destination: RatedDestination) => RateFound
/** The rates that a record was charged by. */
export interface Charged {
  price: PricedRate | null
  cost: PricedRate | null
}

export interface RatedRecords<More> {
  /** The field that says when. */
  moment: string
  /** The field that tells one record from another: what came in once does not come in again. */
  key: string
  /** The field that names the route, and the entity that knows the supplier's account of it. */
  route?: readonly [field: string, entity: string]
  /** What the records of a batch need besides accounts and rates. */
  read?(hooks: readonly SaveHook[]): Promise<More>
  rate(row: RatedRow<More>): void
  /** When the records are written. */
  written?(hooks: readonly SaveHook[]): Promise<void>
}

/** Accounts, rates and routes that the records of a batch name. */
interface Known<More> {
  customers: Side
  suppliers: Side
  /** The customers themselves. */
  owners: ReadonlyMap<string, EntityRecord>
  locks: ReadonlyMap<string, DayLock>
  /** Traffic of these accounts and days that was typed as usage. */
  typed: readonly DayTraffic[]
  /** Keys that records have; those of the batch join them. */
  taken: Set<string>
  more: More | undefined
}

async function read<More>(words: RatedRecords<More>, hooks: readonly SaveHook[]): Promise<Known<More>> {
  const [first] = hooks
  if (!first)
    return {
      customers: NOBODY,
      suppliers: NOBODY,
      owners: new Map(),
      locks: new Map(),
      typed: [],
      taken: new Set(),
      more: undefined,
    }
  if (words.route) {
    const [field, entity] = words.route
    const routes = await recordsBy(first, entity, 'id', valuesOf(hooks, field))
    // who is paid for a route is known from the route
    for (const { record } of hooks) record.supplierAccountId ??= routes.get(text(record[field]))?.supplierAccountId ?? null
  }
  const [customers, suppliers] = [
    await readSide(first, ['fin.customerAccount', 'qm.customerRate', 'accountId'], valuesOf(hooks, 'accountId')),
    await readSide(first, ['srm.supplierAccount', 'qm.supplierRate', 'supplierAccountId'], valuesOf(hooks, 'supplierAccountId')),
  ]
  const ids = [...new Set([...customers.accounts.values()].map(({ customerId }) => text(customerId)))]
  return {
    ...{ customers, suppliers, owners: await recordsBy(first, 'crm.customer', 'id', ids) },
    ...{ locks: await dayLocks(first.tx, valuesOf(hooks, 'accountId')), typed: await typedOf(words, hooks) },
    taken: await takenKeys(words, hooks),
    more: await words.read?.(hooks),
  }
}

/** Keys of a batch that records of about the same time have already (quotes-traffic 2.4). */
async function takenKeys<More>(words: RatedRecords<More>, hooks: readonly SaveHook[]): Promise<Set<string>> {
  const [first] = hooks
  const moments = hooks.map(({ record }) => moment(record[words.moment])).filter((at) => !Number.isNaN(at))
  const keys = valuesOf(hooks, words.key)
  if (!first || moments.length === 0 || keys.length === 0) return new Set()
  const [from, until] = [Math.min(...moments) - NEAR, Math.max(...moments) + NEAR].map((at) => new Date(at).toISOString())
  const column = (name: string): SQL => sql.raw(columnName(name))
  const { rows } = await first.tx.query<{ key: string }>(
    sql`select ${column(words.key)} as key from ${sql.raw(first.model.table)} where ${column(words.key)} = any(${sql.param(keys)}::text[])
      and ${column(words.moment)} between ${from}::timestamptz and ${until}::timestamptz and deleted_at is null`,
  )
  return new Set(rows.map(({ key }) => key))
}
/** How far the moments of a record that comes in twice may lie apart, ms. */
const NEAR = 86_400_000

/** What was typed of the days of a batch, and of those beside them: which day a record is of hangs on the zone of its account. */
async function typedOf<More>(words: RatedRecords<More>, hooks: readonly SaveHook[]): Promise<readonly DayTraffic[]> {
  const moments = hooks.map(({ record }) => moment(record[words.moment])).filter((at) => !Number.isNaN(at))
  if (moments.length === 0) return []
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
  const [from, through] = [addDays(day(Math.min(...moments)), -1), addDays(day(Math.max(...moments)), 1)]
  return typedTraffic(hooks[0]!.tx, { accountIds: valuesOf(hooks, 'accountId'), from, through })
}

function rate<More>(words: RatedRecords<More>, hook: SaveHook, known: Known<More>): void {
  const { customers, suppliers, owners, locks, typed, more } = known
  const { record, now, tx, fail } = hook
  refuseTwice(words.key, hook, known.taken)
  const at = moment(record[words.moment])
  // without its moment or its account it is refused by the checks of its fields
  if (Number.isNaN(at) || text(record.accountId) === '') return
  if (at > now.getTime())
    fail({
      field: words.moment,
      message: { zh: '时间不能晚于现在。', en: 'What was not submitted yet has no record.' },
    })
  const customer = customers.accounts.get(text(record.accountId))
  const supplier = suppliers.accounts.get(text(record.supplierAccountId))
  const day = (account: EntityRecord = {}): string => accountDay(account, new Date(at), tx.companyTimeZone)
  Object.assign(record, {
    ...{ customerId: customer?.customerId ?? null, agentId: owners.get(text(customer?.customerId))?.agentId ?? null },
    ...{ supplierId: supplier?.supplierId ?? null, billDay: day(customer) },
    ...{ costDay: supplier ? day(supplier) : null },
    ...{ currency: text(customer?.currency) || null, costCurrency: text(supplier?.currency) || null },
  })
  refuseLocked(words.moment, hook, locks.get(text(record.accountId)))
  refuseTyped(hook, typed)
  words.rate({
    ...{ hook, record, at, more: more! },
    customer: (destination) => findRate(customers, text(record.accountId), destination, at),
    supplier: (destination) =>
      findRate(suppliers, text(record.supplierAccountId), destination, at, words.route && text(record[words.route[0]])),
  })
}

/** A day that was locked here takes no further records; those of days before the first one that was open are taken over. */
function refuseLocked(field: string, { record, fail }: SaveHook, lock: DayLock | undefined): void {
  const day = text(record.billDay)
  if (!lock || day < lock.begins || day > lock.through) return
  fail({
    field,
    message: {
      zh: `账户的 ${day} 已锁账，不能再补记录。`,
      en: `${day} is locked for this account and takes no further records.`,
    },
  })
}

function refuseTwice(key: string, { record, fail }: SaveHook, taken: Set<string>): void {
  const value = text(record[key])
  if (value === '') return
  if (taken.has(value))
    fail({
      field: key,
      message: { zh: '该记录已存在，不会重复计费。', en: 'There is a record of this already; it is not charged again.' },
    })
  taken.add(value)
}

/** The same traffic is charged once: what was typed for the account, product and day has to say that records come beside it. */
function refuseTyped({ record, model, fail }: SaveHook, typed: readonly DayTraffic[]): void {
  const charged = CHARGED.find(({ entity }) => entity === model.name)
  if (!charged || record.testFlag === true || typed.length === 0) return
  const product = 'value' in charged.product ? charged.product.value : record[charged.product.field]
  const same = typed.find((one) => one.accountId === record.accountId && one.day === record.billDay && one.product === product)
  if (!same) return
  fail({
    field: 'accountId',
    message: {
      zh: `该账户 ${same.day} 的此产品用量已手工录入或导入。如果这是另外的业务量，请在用量行上勾选“与记录并存”。`,
      en: `Usage of this account and product was entered for ${same.day}. If this is other traffic, tick "Beside records" in its lines of usage.`,
    },
  })
}

/**
 * Price and cost of a record at the rates of its moment (quotes-traffic 5.2). What was sent stays a record: without a rate it has no
 * price, and says so (5.8); what was refused or is a test costs the customer nothing. Likewise what a supplier carried has no cost without a cost
 * rate, which is not a cost of 0 (7.3, m22); what he would not have charged for costs 0.
 */
export function chargeBothSides<More>(
  { hook, record, customer, supplier }: RatedRow<More>,
  [priceTo, costTo]: readonly [RatedDestination, RatedDestination],
  { refused, charge }: { refused: boolean; charge(rate: PricedRate): Charge },
): Charged {
  const test = record.testFlag === true
  const price = customer(priceTo)
  if ('refused' in price && !refused && !test) hook.warn(UNPRICED[price.refused])
  const charged = 'rate' in price && !test ? charge(price.rate) : null
  Object.assign(record, {
    price: 'rate' in price && !test ? price.rate.price : null,
    rateId: 'rate' in price ? price.rate.id : null,
    billable: charged?.billable ?? false,
    revenue: charged?.amount ?? (refused || test ? '0' : null),
  })
  const cost = supplier(costTo)
  const paid = 'rate' in cost ? charge(cost.rate) : null
  Object.assign(record, {
    cost: 'rate' in cost ? cost.rate.price : null,
    costRateId: 'rate' in cost ? cost.rate.id : null,
    costBillable: paid?.billable ?? false,
    costAmount: paid?.amount ?? (isOwed(record) && charge(UNRATED).billable ? null : '0'),
  })
  return { price: 'rate' in price ? price.rate : null, cost: 'rate' in cost ? cost.rate : null }
}

/** What says by the usual terms whether something would have been charged, where no rate does. */
const UNRATED: PricedRate = { id: '', rateKey: '', currency: '', price: '0', from: 0, until: Infinity }

/** Without an account at a supplier nobody asks for a cost. */
const isOwed = ({ supplierAccountId }: EntityRecord): boolean => text(supplierAccountId) !== ''

const UNPRICED = {
  BLOCKED: {
    zh: '该账户的此目的地已屏蔽，未计价。',
    en: 'The destination is blocked for this account: the record has no price.',
  },
  NO_RATE: {
    zh: '该账户当时没有此目的地的费率，未计价。',
    en: 'The account had no rate for this destination then: the record has no price.',
  },
}

/** Rates records when they come in; each by itself and by nothing that comes later. */
export const ratedRecords = <More = undefined>(words: RatedRecords<More>): EntityService =>
  batchService<Known<More>>({
    read: (hooks) => read(words, hooks),
    fill: (hook, known) => {
      rate(words, hook, known)
    },
    ...(words.written ? { written: words.written } : {}),
  })
