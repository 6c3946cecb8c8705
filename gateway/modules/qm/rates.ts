import { sql, type SQL } from 'drizzle-orm'
import { toExact } from '../../../src/schema/formats'
import { tableOf, type EntityRecord, type EntityService, type SaveHook } from '../../entities'
import { addDays, startOfDay } from '../../platform/calendar'
import type { Executor } from '../../platform/database'
import { ServiceError } from '../../platform/http'
import { ruleFor } from '../../rules'
import { rateKeyOf } from '../biz'
import { Costs, costText, keysOf } from './costs'
import { breaksLimit } from './limits'
import { marginOf } from './margins'

const SOLD = sql.raw(tableOf('qm.customerRate'))
const DAY = /^\d{4}-\d{2}-\d{2}$/
const NUMBER = /^\+?\d{1,20}$/
/** Products of an account, where they are not called like it. */
const KINDS: Readonly<Record<string, string>> = { aiVoice: 'voice', otpSms: 'otp', otpVoice: 'otp', mail: 'sms' }

/** The account that a rate names, and what it must agree with. */
const SIDES = {
  customer: { account: 'accountId', of: 'fin.customerAccount', party: 'customerId' },
  supplier: { account: 'supplierAccountId', of: 'srm.supplierAccount', party: 'supplierId' },
} as const

/** A rate is found by the key of its destination. What people take over from elsewhere is marked so, and agrees with its account. */
async function beforeRate(hook: SaveHook<'qm.customerRate' | 'qm.supplierRate'>, side: keyof typeof SIDES): Promise<void> {
  const { record, before, origin, entities, fail } = hook
  record.rateKey ??= rateKeyOf(record.product ?? '', record)
  if (before !== null || (origin !== 'save' && origin !== 'import')) return
  record.source = 'opening'
  const { account: field, of, party } = SIDES[side]
  const { [field]: accountId = null, [party]: partyId = null }: EntityRecord = record
  const account: EntityRecord | null = typeof accountId === 'string' ? await entities.find(of, accountId) : null
  if (!account) return
  record.changeFlag = record.price === null || record.price === undefined ? 'blocked' : 'new'
  if (account[party] !== partyId)
    fail({ field: party, message: { zh: '账户不属于该对象', en: 'The account is not of that party' } })
  if (account.currency !== record.currency)
    fail({ field: 'currency', message: { zh: '币种须与账户相同', en: 'The currency is that of the account' } })
  if (side === 'customer' && account.product !== (KINDS[record.product ?? ''] ?? record.product))
    fail({ field: 'product', message: { zh: '账户不是该产品的账户', en: 'The account is of another product' } })
}

/** Conditions on the day on which a rate held, and on a number that its prefix covers. */
function rateFilter(timeZone: string): NonNullable<EntityService['filter']> {
  return ({ alias, conditions, context }) => {
    const column = (name: string): SQL => sql`${sql.identifier(alias)}.${sql.identifier(name)}`
    const parts = conditions.map(({ field, value }): SQL => {
      const asked: unknown = Array.isArray(value) ? value[0] : value
      if (field === 'effectiveAt' && typeof asked === 'string' && DAY.test(asked)) {
        const [begins, ends] = [startOfDay(asked, timeZone), startOfDay(addDays(asked, 1), timeZone)]
        return sql`(${column('effective_from')} < ${ends}::timestamptz and coalesce(${column('effective_to')} > ${begins}::timestamptz, true) and ${column('status')} not in ('offered', 'superseded', 'cancelled'))`
      }
      if (field === 'coversNumber' && typeof asked === 'string' && NUMBER.test(asked))
        return sql`(${column('prefix')} <> '' and ${asked.replace('+', '')} like ${column('prefix')} || '%')`
      if (field === 'brokenLimit' && typeof asked === 'string') return breaksLimit(alias, asked, context.now)
      throw new ServiceError('badRequest', {
        message: { zh: `条件 ${field} 无法识别`, en: `The condition on ${field} means nothing` },
      })
    })
    return parts.length === 0 ? undefined : sql.join(parts, sql` and `)
  }
}

/** Tells what a sold destination costs at the least, and what is left of its price. */
export async function fillMargins(records: EntityRecord[], db: Executor, now: Date, price = 'price'): Promise<void> {
  const costs = await Costs.of(db, now, keysOf(records))
  for (const record of records) {
    const cost = costs.lowest(String(record.rateKey), String(record.currency))
    const paid = toExact(record[price])
    record.cost = cost ? costText(cost) : null
    record.margin = cost && paid ? marginOf(paid, cost) : null
  }
}

/** Rates of customers. */
export const customerRates = (timeZone: string): EntityService<'qm.customerRate'> => ({
  beforeSave: (hook) => beforeRate(hook, 'customer'),
  filter: rateFilter(timeZone),
  computeFields: (records, { db, now }) => fillMargins(records, db, now),
})

/** What suppliers cost: which rate is the cheapest of its destination, and how many customers are left below the floor by it. */
export const supplierRates = (timeZone: string): EntityService<'qm.supplierRate'> => ({
  beforeSave: (hook) => beforeRate(hook, 'supplier'),
  filter: rateFilter(timeZone),
  async computeFields(records, { db, now }) {
    const costs = await Costs.of(db, now, keysOf(records))
    const sold = await soldOf(db, keysOf(records))
    const { marginFloorPct } = await ruleFor(db, 'qm.quote', now)
    for (const record of records) {
      const [rateKey, currency, cost] = [String(record.rateKey), String(record.currency), toExact(record.price)]
      const lowest = costs.lowest(rateKey, currency)
      record.cheapest = record.status === 'active' && cost !== undefined && lowest !== undefined && cost.lte(lowest)
      const below = (sold.get(rateKey) ?? []).filter((one) => {
        const own = cost && costs.worth.convert(cost, currency, one.currency)
        const paid = toExact(one.price)
        const margin = own && paid ? marginOf(paid, own) : null
        return margin !== null && toExact(margin)!.lt(marginFloorPct)
      })
      record.affectedCustomers = new Set(below.map(({ customerId }) => customerId)).size
    }
  },
})

interface Sold {
  rateKey: string
  customerId: string
  price: string
  currency: string
}

async function soldOf(db: Executor, rateKeys: readonly string[]): Promise<ReadonlyMap<string, readonly Sold[]>> {
  const { rows } = await db.query<Sold>(
    sql`select s.rate_key as "rateKey", s.customer_id as "customerId", s.price::text as price, s.currency from ${SOLD} s
      where s.rate_key = any(${sql.param([...new Set(rateKeys)])}::text[]) and s.status = 'active' and s.price is not null and s.deleted_at is null`,
  )
  const found = new Map<string, Sold[]>()
  for (const row of rows) {
    const own = found.get(row.rateKey) ?? []
    found.set(row.rateKey, own)
    own.push(row)
  }
  return found
}

/** What agents pay, and what is left of it. */
export const agentRates: EntityService<'qm.agentRate'> = {
  beforeSave({ record }) {
    record.rateKey ??= rateKeyOf(record.product ?? '', record)
  },
  computeFields: (records, { db, now }) => fillMargins(records, db, now, 'agentPrice'),
}
