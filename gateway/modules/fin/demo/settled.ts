import { sql } from 'drizzle-orm'
import type { DemoStep } from '../../../demo'
import { addDays, dayOf } from '../../../platform/calendar'
import { closePeriods, cycleOf } from '../bills/books'
import { customerAccount } from '../facts'
import { monthsToWrite, writeCustomerMonth } from '../ledger/months'
import { writeSnapshots } from '../ledger/snapshots'
import { monthsBack } from './books'

/** Post-paid accounts that are charged by records have the bill of last month, as the job for bills would have made it and finance issued it. */
export const billRecorded: DemoStep = async (_, at) => {
  const today = dayOf(at.now, at.tx.companyTimeZone)
  const next = monthsBack(today, 0)
  const { rows } = await at.tx.query<{ id: string }>(
    sql`select a.id from fin_customer_account a where a.pay_mode = 'postpaid' and a.status = 'active' and a.bill_cycle_id is not null and a.cycle_from < ${next}::date and a.deleted_at is null
        and not exists (select 1 from fin_bill l where l.account_id = a.id and l.deleted_at is null) order by a.id`,
  )
  for (const { id } of rows) {
    const account = await customerAccount(at, id)
    const cycle = await cycleOf(at, account.record.billCycleId ?? '', account.record.cycleFrom)
    await closePeriods(at, account, cycle, { through: addDays(next, -1), issue: true })
  }
}

/** When everything is posted: what accounts had at the end of the last days whose receipts had their time, and what customers came to by month, up to yesterday. */
export const closeDays: DemoStep = async (_, { tx, now }) => {
  const today = dayOf(now, tx.companyTimeZone)
  for (const back of [5, 4]) await writeSnapshots(tx, addDays(today, -back), now)
  for (const month of await monthsToWrite(tx, { today, since: today })) await writeCustomerMonth(tx, month, { today, now })
}
