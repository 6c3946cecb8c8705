import { addDays, dayOf, type Day } from '../../../platform/calendar'
import { lastThirtyDays } from '../rules/churn'
import { monthStart } from '../rules/months'
import { aliasOf } from './customerRow'
import { changeCustomer, type Chapter } from './handovers'
import type { Chance, DemoRecord } from '../../../demo'

const DAY = 86_400_000
/** Days of the line in the details of a customer: the days of traffic that the world keeps. */
const LINE_DAYS = 90
const WAVES = [0.8, 1.1, 0.95, 1.2, 1, 0.85, 1.15]
/** Aliases of customers who have an account before their first deal. */
const ALIASES_FROM = 30_000
const ACCOUNT_PRODUCTS: Readonly<Record<string, string>> = { otpSms: 'otp', otpVoice: 'otp', aiVoice: 'voice' }
const accountProduct = (product: string): string => ACCOUNT_PRODUCTS[product] ?? product

/** Cents of a customer's revenue and profit by account product and month. */
type Months = ReadonlyMap<string, { revenue: number; profit: number }>
const cents = (value: unknown): number => Math.round(Number(value ?? 0) * 100)

/**
 * Accounts of the customers who dealt, one for each product with monthly figures, and of some of those who are testing, who have no
 * traffic yet. Traffic and revenue tell the same: the days of a past month follow its figures, and the revenue and profit of the last
 * thirty days are those of the customer, to the cent.
 */
export function makeAccounts(chapter: Chapter): void {
  const { random, customers, now, timeZone, further } = chapter
  const accounts = (further['fin.customerAccount'] ??= [])
  const days = (further['fin.accountDay'] ??= [])
  const figures = monthsByCustomer(further['fin.customerMonth'] ?? [])
  for (const customer of customers) {
    const dealt = typeof customer.firstDealAt === 'string'
    const trying = ['testing', 'quoted'].includes(String(customer.stage)) && random.happens(0.3)
    if (!dealt && !trying) continue
    const products = [
      ...new Set((Array.isArray(customer.products) ? customer.products.map(String) : []).map(accountProduct)),
    ].slice(0, dealt ? 2 : 1)
    const own = products.map((product) => {
      const row = accountOf(random, customer, product, { dealt, now, number: accounts.length + 1 })
      accounts.push(row)
      return row
    })
    const [main] = own
    if (dealt) traffic(random, { days, now, timeZone, months: figures.get(customer.id) ?? new Map() }, customer, own)
    if (main && !customer.alias)
      changeCustomer(customers, customer.id, { alias: aliasOf(String(customer.countryCode), ALIASES_FROM + accounts.length) })
    if (main && customer.payMode === 'none') changeCustomer(customers, customer.id, { payMode: main.payMode })
  }
}

function monthsByCustomer(rows: readonly DemoRecord[]): ReadonlyMap<string, Months> {
  const found = new Map<string, Map<string, { revenue: number; profit: number }>>()
  for (const { customerId, month, product, revenue, profit } of rows) {
    const own = found.get(String(customerId)) ?? new Map<string, { revenue: number; profit: number }>()
    found.set(String(customerId), own)
    own.set(monthKey(accountProduct(String(product)), String(month)), { revenue: cents(revenue), profit: cents(profit) })
  }
  return found
}
const monthKey = (product: unknown, month: Day): string => `${String(product)} ${month}`

function accountOf(
  random: Chance,
  customer: DemoRecord,
  product: string,
  plan: { dealt: boolean; now: Date; number: number },
): DemoRecord {
  const { dealt, now, number } = plan
  const dealtAt = dealt ? Date.parse(String(customer.firstDealAt)) : now.getTime() - random.integer(2, 60) * DAY
  const openedAt = new Date(Math.max(Date.parse(customer.createdAt), dealtAt - random.integer(2, 28) * DAY))
  // a customer who never sent anything has dealt all the same: his first recharge came before his first message
  const lastTrafficAt = dealt && typeof customer.lastTrafficAt === 'string' ? Date.parse(customer.lastTrafficAt) : null
  const firstTrafficAt =
    lastTrafficAt === null ? null : new Date(Math.min(dealtAt + random.integer(0, 4) * DAY, lastTrafficAt, now.getTime() - DAY))
  const tested = firstTrafficAt !== null || random.happens(0.6)
  const churned = customer.stage === 'churned'
  return {
    id: `ac-${String(number).padStart(6, '0')}`,
    code: `A${String(number).padStart(6, '0')}`,
    name: `${String(customer.shortName ?? customer.code).slice(0, 40)} ${product.toUpperCase()}`,
    customerId: customer.id,
    product,
    payMode: customer.payMode === 'postpaid' ? 'postpaid' : 'prepaid',
    currency: typeof customer.settleCurrency === 'string' ? customer.settleCurrency : 'USD',
    status: churned && random.happens(0.5) ? 'closed' : 'active',
    openedAt: openedAt.toISOString(),
    firstTestAt: tested ? new Date((openedAt.getTime() + (firstTrafficAt ?? now).getTime()) / 2).toISOString() : null,
    firstTrafficAt: firstTrafficAt?.toISOString() ?? null,
    lastTrafficAt: firstTrafficAt ? customer.lastTrafficAt : null,
    createdAt: openedAt.toISOString(),
    createdBy: String(customer.ownerId ?? customer.lastOwnerId ?? customer.createdBy),
  }
}

/** What an account and its customer earned us, in cents. */
interface Earned {
  revenue: number
  profit: number
}

/** Days of traffic of a customer's accounts up to his last one; the last thirty sum up to what the customer shows. */
function traffic(
  random: Chance,
  books: { days: DemoRecord[]; now: Date; timeZone: string; months: Months },
  customer: DemoRecord,
  accounts: readonly DemoRecord[],
): void {
  if (typeof customer.lastTrafficAt !== 'string') return
  const { now, timeZone, months } = books
  const today = dayOf(now, timeZone)
  const last = [dayOf(customer.lastTrafficAt, timeZone), addDays(today, -1)].sort()[0] ?? today
  const byMonths = accounts.map(({ product }) => recentOf(months, product, today))
  const all = byMonths.reduce((sum, one) => sum + one, 0)
  const left = { revenue: cents(customer.revenue30), profit: cents(customer.profit30) }
  const whole = { ...left }
  for (const [index, account] of [...accounts.entries()].reverse()) {
    // the first account takes what rounding leaves
    const part = (of: number): number => Math.floor((of * (byMonths[index] ?? 0)) / Math.max(1, all))
    const earned = index === 0 ? { ...left } : { revenue: part(whole.revenue), profit: part(whole.profit) }
    left.revenue -= earned.revenue
    left.profit -= earned.profit
    keepDays(random, books, account, { today, last, earned })
  }
}

/** What the monthly figures say of a product's last thirty days, in cents. */
function recentOf(months: Months, product: unknown, today: Day): number {
  const of = (back: number): string => String(months.get(monthKey(product, monthStart(today, back)))?.revenue ?? 0)
  return lastThirtyDays(of(0), of(1), today).toDecimalPlaces(0).toNumber()
}

function keepDays(
  random: Chance,
  { days, timeZone, months }: { days: DemoRecord[]; timeZone: string; months: Months },
  account: DemoRecord,
  { today, last, earned }: { today: Day; last: Day; earned: Earned },
): void {
  const keep = (day: string, share: number, gain: number): void => {
    days.push({
      id: `ad-${account.id.slice(3)}-${day}`,
      accountId: account.id,
      day,
      test: false,
      volume: Math.max(1, Math.round(share / 1.3)),
      currency: 'USD',
      revenue: (share / 100).toFixed(2),
      cost: ((share - gain) / 100).toFixed(2),
      createdAt: `${day}T18:00:00.000Z`,
      createdBy: '',
    })
  }
  const begun = [dayOf(String(account.firstTrafficAt), timeZone), last].sort()[0] ?? last
  const first = [addDays(today, -LINE_DAYS), begun].sort().at(-1) ?? begun
  const month = addDays(today, -30)
  for (let day = first, index = 0; day < month && day <= last; day = addDays(day, 1), index += 1) {
    const { revenue, profit } = months.get(monthKey(account.product, monthStart(day))) ?? { revenue: 0, profit: 0 }
    const wave = WAVES[index % WAVES.length] ?? 1
    keep(day, Math.floor((revenue / 30) * wave), Math.floor((profit / 30) * wave))
  }
  const recent: string[] = []
  for (let day = first < month ? month : first; day <= last; day = addDays(day, 1)) recent.push(day)
  const daily = earned.revenue / Math.max(1, recent.length)
  let spent: Earned = { revenue: 0, profit: 0 }
  for (const [index, day] of recent.entries()) {
    const closing = index === recent.length - 1
    const left = earned.revenue - spent.revenue
    const share = closing ? left : Math.min(left, Math.floor(daily * (0.7 + random.next() * 0.6)))
    const gain = closing ? earned.profit - spent.profit : Math.floor((earned.profit * share) / Math.max(1, earned.revenue))
    spent = { revenue: spent.revenue + share, profit: spent.profit + gain }
    keep(day, share, gain)
  }
}
