import { addDays, dayOf } from '../modules/crm'
import { aliasOf } from './customerRow'
import { changeCustomer, type Chapter } from './handovers'
import type { Chance } from './random'
import type { DemoRecord } from './types'

const DAY = 86_400_000
/** Days of traffic that the world keeps by account. */
const KEPT_DAYS = 75
/** Days of the line in the details of a customer. */
const LINE_DAYS = 90
const WAVES = [0.8, 1.1, 0.95, 1.2, 1, 0.85, 1.15]
/** Aliases of customers who have an account before their first deal. */
const ALIASES_FROM = 30_000
const ACCOUNT_PRODUCTS: Readonly<Record<string, string>> = { otpSms: 'otp', otpVoice: 'otp', aiVoice: 'voice' }

/**
 * Accounts of the customers who dealt, and some of those who are testing; with the traffic of the last days. The revenue and
 * profit of the last thirty days are those of the customer, to the cent.
 */
export function makeAccounts(chapter: Chapter): void {
  const { random, customers, now, timeZone, further } = chapter
  const accounts = (further['fin.customerAccount'] ??= [])
  const days = (further['fin.accountDay'] ??= [])
  for (const customer of customers) {
    const dealt = typeof customer.firstDealAt === 'string'
    const trying = ['testing', 'quoted'].includes(String(customer.stage)) && random.happens(0.3)
    if (!dealt && !trying) continue
    const products = [
      ...new Set(
        (Array.isArray(customer.products) ? customer.products.map(String) : []).map((one) => ACCOUNT_PRODUCTS[one] ?? one),
      ),
    ].slice(0, dealt ? 2 : 1)
    const own = products.map((product, index) => {
      const row = accountOf(random, customer, product, { dealt: dealt && index < 2, now, number: accounts.length + 1 })
      accounts.push(row)
      return row
    })
    const [main] = own
    if (main && dealt) traffic(random, { days, now, timeZone }, customer, main)
    if (main && !customer.alias)
      changeCustomer(customers, customer.id, { alias: aliasOf(String(customer.countryCode), ALIASES_FROM + accounts.length) })
    if (main && customer.payMode === 'none') changeCustomer(customers, customer.id, { payMode: main.payMode })
  }
}

function accountOf(
  random: Chance,
  customer: DemoRecord,
  product: string,
  plan: { dealt: boolean; now: Date; number: number },
): DemoRecord {
  const { dealt, now, number } = plan
  const dealtAt = dealt ? Date.parse(String(customer.firstDealAt)) : now.getTime() - random.integer(2, 60) * DAY
  const openedAt = new Date(Math.max(Date.parse(customer.createdAt), dealtAt - random.integer(2, 28) * DAY))
  const main = dealt && number % 5 !== 0
  const firstTrafficAt = main ? new Date(Math.min(dealtAt + random.integer(0, 4) * DAY, now.getTime() - DAY)) : null
  const tested = main || random.happens(0.6)
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
    firstTrafficAt:
      firstTrafficAt && firstTrafficAt > openedAt
        ? firstTrafficAt.toISOString()
        : main
          ? new Date(openedAt.getTime() + DAY / 2).toISOString()
          : null,
    lastTrafficAt: main ? (customer.lastTrafficAt ?? firstTrafficAt?.toISOString() ?? null) : null,
    createdAt: openedAt.toISOString(),
    createdBy: String(customer.ownerId ?? customer.lastOwnerId ?? customer.createdBy),
  }
}

/** Daily figures up to the last day of traffic; the last thirty days sum up to what the customer shows. */
function traffic(
  random: Chance,
  books: { days: DemoRecord[]; now: Date; timeZone: string },
  customer: DemoRecord,
  account: DemoRecord,
): void {
  if (!account.firstTrafficAt || !customer.lastTrafficAt) return
  const { days, now, timeZone } = books
  const today = dayOf(now, timeZone)
  const last = dayOf(String(customer.lastTrafficAt), timeZone)
  const first = [addDays(today, -KEPT_DAYS), dayOf(String(account.firstTrafficAt), timeZone)].sort().at(-1) ?? today
  const all: string[] = []
  for (let day = first; day <= last && day < today; day = addDays(day, 1)) all.push(day)
  const recent = all.filter((day) => day > addDays(today, -31))
  const cents = (value: unknown): number => Math.round(Number(value ?? 0) * 100)
  const [revenue, profit] = [cents(customer.revenue30), cents(customer.profit30)]
  const growth = 0.7 + random.next() * 0.7
  const daily = revenue / Math.max(1, recent.length)
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
  // the days before stand in the line of 90 days only; they go up and down without chance, so that the rest of the world stays as it was
  const begun = [addDays(today, -LINE_DAYS), dayOf(String(account.firstTrafficAt), timeZone)].sort().at(-1) ?? first
  for (let day = begun, index = 0; day < first && day <= last; day = addDays(day, 1), index += 1) {
    const share = Math.floor((daily / growth) * (WAVES[index % WAVES.length] ?? 1))
    keep(day, share, Math.floor(share * 0.1))
  }
  let [spentRevenue, spentProfit] = [0, 0]
  for (const [index, day] of all.entries()) {
    const inMonth = day > addDays(today, -31)
    const closing = index === all.length - 1
    const wave = 0.7 + random.next() * 0.6
    const share =
      inMonth && !closing
        ? Math.min(revenue - spentRevenue, Math.floor(daily * wave))
        : inMonth
          ? revenue - spentRevenue
          : Math.floor((daily / growth) * wave)
    const gain = inMonth
      ? closing
        ? profit - spentProfit
        : Math.floor((profit * share) / Math.max(1, revenue))
      : Math.floor(share * 0.1)
    if (inMonth) [spentRevenue, spentProfit] = [spentRevenue + share, spentProfit + gain]
    keep(day, share, gain)
  }
}
