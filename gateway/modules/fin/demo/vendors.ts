import { addDays } from '../../../platform/calendar'
import { cost, tvsPayout } from '../ledger/rules'
import type { LedgerAccount } from '../ledger/types'
import { bankId, OPENED_DAYS } from './base'
import { put, type Books } from './books'

/** What terminal vendors earned since the ledger was opened is a cost of messages, and their withdrawals were paid. */
export function vendorMoney(books: Books): void {
  const { rows } = books.world
  const entity = 'hk'
  const since = addDays(books.today, 1 - OPENED_DAYS)
  for (const row of rows['srm.tvsAccount'] ?? []) {
    const account: LedgerAccount = {
      ...{
        kind: 'supplier',
        id: String(row.supplierAccountId),
        currency: String(row.currency),
        supplierId: String(row.supplierId),
      },
    }
    for (const { id, accountId, day, amount } of rows['srm.tvsEarning'] ?? [])
      if (accountId === row.id && String(day) >= since)
        put(
          books,
          { type: 'cost', day: String(day), entity, source: ['usageBatch', `tvs:${id}`] },
          cost(account, 'sms', String(amount)),
        )
    for (const { id, accountId, status, paidAt, code, net, fee } of rows['srm.tvsWithdrawal'] ?? []) {
      const day = String(paidAt).slice(0, 10)
      if (accountId !== row.id || status !== 'paid' || day < since) continue
      const bank: LedgerAccount = { kind: 'bank', id: bankId(entity, account.currency), currency: account.currency }
      put(
        books,
        { type: 'tvsPayout', day, entity, source: ['tvs', id, String(code)] },
        tvsPayout({ to: account, net: String(net), fee: String(fee), bank, bankAmount: String(net) }),
      )
    }
  }
}
