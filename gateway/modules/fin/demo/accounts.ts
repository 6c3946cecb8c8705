import { Exact, exactText } from '../../../../src/schema/formats'
import type { DemoRecord, DemoWorld } from '../../../demo'
import { addDays, type Day } from '../../../platform/calendar'
import { opening } from '../ledger/rules'
import type { LedgerAccount } from '../ledger/types'
import { BANKS, cycleId, entityId, OPENED_DAYS } from './base'
import { billed } from './billed'
import { monthsBack, put, type Books } from './books'
import { creditLine, temporary } from './credit'
import { recharged, refunded } from './paid'
import { used, USED_DAYS } from './usage'

/** A day of traffic of an account: what it earned in USD, and how much it was. */
export interface Traffic {
  day: string
  revenue: string
  volume: number
}

/** The last days of traffic of each account, the latest first: what they earned in USD. */
export function daysByAccount({ rows }: DemoWorld): ReadonlyMap<string, Traffic[]> {
  const found = new Map<string, Traffic[]>()
  for (const { accountId, day, revenue, volume, test } of rows['fin.accountDay'] ?? []) {
    if (test === true) continue
    const own = found.get(String(accountId)) ?? []
    found.set(String(accountId), own)
    own.push({ day: String(day), revenue: String(revenue), volume: Number(volume) })
  }
  for (const own of found.values()) own.sort((a, b) => b.day.localeCompare(a.day))
  return found
}

/** What a customer's account had when the ledger began, used since, was billed and paid. */
export function customerMoney(books: Books, row: DemoRecord, index: number, days: readonly Traffic[]): void {
  const { random, today, rates } = books
  const currency = BANKS.some(([, one]) => one === row.currency) ? String(row.currency) : 'USD'
  const entity = (BANKS.filter(([, one]) => one === currency)[0] ?? BANKS[0])[0]
  const account: LedgerAccount = { kind: 'customer', id: row.id, currency, customerId: String(row.customerId) }
  const perUsd = new Exact(rates.get('USD')!).dividedBy(rates.get(currency)!)
  const amountOf = (usd: string): string => exactText(new Exact(usd).times(perUsd).toDecimalPlaces(2))
  const recent = days.slice(0, USED_DAYS).reverse()
  const daily = new Exact(
    amountOf(String(recent.reduce((sum, { revenue }) => sum + Number(revenue), 0) / Math.max(1, recent.length))),
  )
  const postpaid = row.payMode === 'postpaid'
  const cycle = index % 3 === 0 ? 'monthly30' : 'monthly15'
  books.accounts.push({
    id: row.id,
    company_entity_id: entityId(entity),
    currency,
    bill_cycle_id: postpaid ? cycleId(cycle) : null,
    cycle_from: postpaid ? monthsBack(today, 1) : null,
    term_days: cycle === 'monthly30' ? 30 : 15,
  })
  const usual = daily.gt(20) ? daily : new Exact(20)
  if (books.recorded.has(row.id)) {
    creditLine(books, { row, account, entity, usual, index, unbilled: '0' })
    return
  }
  // what a post-paid account used before this month is on its bill
  const since = postpaid ? monthsBack(today, 0) : addDays(today, -30)
  const single = recent.filter(({ day }) => day >= since)
  const rest = restOfMonths(books, days, single, amountOf)
  const [before, now] = [rest.get(monthsBack(today, 1)), rest.get(monthsBack(today, 0))]
  const restUsed = [...rest.values()].reduce((sum, { amount }) => sum.plus(amount), new Exact(0))
  const start = exactText(
    usual
      .times(random.integer(postpaid ? 0 : 9, postpaid ? 0 : 24))
      .plus(postpaid ? 0 : restUsed)
      .toDecimalPlaces(2),
  )
  if (!postpaid && new Exact(start).gt(0))
    put(
      books,
      { type: 'opening', day: addDays(today, -OPENED_DAYS), entity, source: ['opening', `open-${row.id}`] },
      opening(account, start),
    )
  for (const of of postpaid ? [now ?? []].flat() : rest.values()) used(books, { row, account, entity, ...of, batch: 'rest' })
  for (const { day, revenue, volume } of single) {
    const amount = amountOf(revenue)
    if (new Exact(amount).gt(0)) used(books, { row, account, entity, day, amount, volume })
  }
  if (!postpaid && index % 17 === 4 && new Exact(start).gt(usual))
    refunded(books, { account, entity, amount: exactText(usual.toDecimalPlaces(2)), index })
  if (postpaid) billed(books, { row, account, entity, usual, index, before, unbilled: now?.amount ?? '0' })
  else if (index % 3 !== 2)
    recharged(books, { row, account, entity, amount: exactText(usual.times(5).toDecimalPlaces(0)), back: 2 + (index % 25) })
  if (!postpaid && index % 40 === 7) temporary(books, { row, account, entity, usual, index })
}

/** What the days of traffic came to that are not posted one by one, by month: those that the ledger knows from their first day. */
function restOfMonths(
  { today }: Books,
  days: readonly Traffic[],
  single: readonly { day: string }[],
  amountOf: (usd: string) => string,
): ReadonlyMap<Day, { day: Day; amount: string; volume: number }> {
  const opened = addDays(today, -OPENED_DAYS)
  const posted = new Set(single.map(({ day }) => day))
  const sums = new Map<Day, { day: Day; usd: Exact; volume: number }>()
  for (const { day, revenue, volume } of days) {
    const month: Day = `${day.slice(0, 7)}-01`
    if (month <= opened || day >= today || posted.has(day)) continue
    const known = sums.get(month) ?? { day, usd: new Exact(0), volume: 0 }
    const last = known.day > day ? known.day : day
    sums.set(month, { day: last, usd: known.usd.plus(revenue), volume: known.volume + volume })
  }
  return new Map(
    [...sums].flatMap(([month, { day, usd, volume }]) => {
      const amount = amountOf(exactText(usd))
      return new Exact(amount).gt(0) ? [[month, { day, amount, volume }] as const] : []
    }),
  )
}
