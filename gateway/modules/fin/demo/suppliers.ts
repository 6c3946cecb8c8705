import { Exact, exactText } from '../../../../src/schema/formats'
import type { DemoRecord } from '../../../demo'
import { addDays } from '../../../platform/calendar'
import { cost, costProduct, opening } from '../ledger/rules'
import type { LedgerAccount } from '../ledger/types'
import { ENTITIES, OPENED_DAYS } from './base'
import { put, type Books } from './books'
import { paidOut } from './paid'
import { USED_DAYS } from './usage'

/** What a supplier's account had when the ledger began, what it cost in the last days, and what was paid to it. */
export function supplierMoney(books: Books, row: DemoRecord, index: number): void {
  const balance = ((row.balance as string | null) ?? '0')
  const currency = String(row.currency)
  if (new Exact(balance).isZero() || !books.rates.has(currency)) return
  const account: LedgerAccount = { kind: 'supplier', id: row.id, currency, supplierId: String(row.supplierId) }
  const entity = ENTITIES.find(({ code }) => code === row.ourCompany)?.code ?? ENTITIES[index % 2]!.code
  put(
    books,
    { type: 'opening', day: addDays(books.today, -OPENED_DAYS), entity, source: ['opening', `open-${row.id}`] },
    opening(account, balance),
  )
  if (row.status !== 'active' || new Exact(balance).isNegative()) return
  if (index % 4 === 1) paidOut(books, { account, entity, balance, index })
  // every ninth account runs out of money these days
  const daily = new Exact(balance).dividedBy(index % 9 === 4 ? 10 : 20 + (index % 25))
  for (let back = USED_DAYS; back > 0; back -= 1) {
    const dayOfCost = addDays(books.today, -back)
    const amount = exactText(daily.times(String(0.9 + 0.05 * ((index + back) % 5))).toDecimalPlaces(2))
    if (new Exact(amount).gt(0))
      put(
        books,
        { type: 'cost', day: dayOfCost, entity, source: ['usageBatch', `${row.id}:${dayOfCost}`] },
        cost(account, costProduct(String(row.kind)), amount),
      )
  }
}
