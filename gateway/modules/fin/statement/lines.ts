import { sql } from 'drizzle-orm'
import { tableOf, type EntityService, type HookContext, type RecordOf } from '../../../entities'
import { payBillsOf } from '../acts/billPayment'
import { bankAccount, recordOf, type FinContext, type Given } from '../facts'
import { matchLine, type OpenBill } from './match'

/** Open bills of customers that no other waiting line of a statement pays already. */
async function openBills({ tx, entities }: Pick<HookContext, 'tx' | 'entities'>, lineId: string): Promise<OpenBill[]> {
  if (!entities.has('crm.customer')) return []
  const { rows } = await tx.query<Omit<OpenBill, 'names'> & { names: (string | null)[] }>(
    sql`select b.id, b.code, b.customer_id as "customerId", b.currency, b.open_amount::text as "openAmount",
        coalesce(b.deferred_to, b.due_date)::text as "dueDate", array[c.name, c.name_en, c.short_name] as names
      from fin_bill b join ${sql.raw(tableOf('crm.customer'))} c on c.id = b.customer_id
      where b.side = 'customer' and b.status in ('issued', 'partPaid', 'disputed') and b.open_amount > 0 and b.deleted_at is null
        and not exists (select 1 from fin_bank_line l where l.status = 'open' and l.id <> ${lineId} and l.deleted_at is null
          and (l.bill_id = b.id or l.bill_ids @> to_jsonb(b.id)))
      order by b.due_date, b.id limit 20000`,
  )
  return rows.map(({ names, ...bill }) => ({ ...bill, names: names.filter((name) => name !== null) }))
}

/** Lines look for their bills when they come in, and again when what they are matched by changes; a bill that somebody chose stays. */
export const bankLineService: EntityService<'fin.bankLine'> = {
  beforeSave: async (hook) => {
    const { record, before, given } = hook
    const chosen = record.billId && (given.has('billId') || before?.matchedBy === 'hand') ? record.billId : null
    if (chosen && chosen !== before?.billId) {
      record.billIds = [chosen]
      record.matchedBy = 'hand'
      return
    }
    const told = ['bankAccountId', 'amount', 'payer', 'bankRef', 'note'] as const
    if (before && !told.some((name) => before[name] !== record[name]) && record.billId === before.billId) return
    if (chosen && record.matchedBy === 'hand') return
    if (!record.bankAccountId || !record.amount) return
    const { currency } = await bankAccount(hook, record.bankAccountId)
    const match = matchLine(
      {
        ...{ currency, amount: record.amount, payer: record.payer ?? '' },
        text: [record.note, record.bankRef, record.payer].filter((part) => !!part).join(' '),
      },
      await openBills(hook, record.id ?? ''),
    )
    record.billId = match?.billIds[0] ?? null
    record.billIds = match?.billIds ?? []
    record.matchedBy = match?.by ?? 'none'
  },
}

/** `fin.bookLine`: the money of a line of a bank statement pays the bills that it is matched with, as far as they are open still. */
export async function bookLine(fin: FinContext, given: Given): Promise<RecordOf<'fin.recharge'>> {
  const line = await recordOf(fin, 'fin.bankLine', given.needed('lineId'), { zh: '银行流水', en: 'statement line' })
  const ids = line.billIds?.length ? line.billIds : [line.billId ?? '']
  const bills = await fin.entities.list('fin.bill', { where: [{ field: 'id', operator: 'in', value: [...ids] }] })
  return payBillsOf(fin, bills, {
    ...{ amount: line.amount, payDate: line.payDate, bankAccountId: line.bankAccountId, bankRef: line.bankRef },
    payer: line.payer ?? '',
  })
}
