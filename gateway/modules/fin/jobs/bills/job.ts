import { sql } from 'drizzle-orm'
import { addDays } from '../../../../platform/calendar'
import { systemContext } from '../../../../platform/http'
import { MOST_ROWS, stageOf, type JobReport } from '../../../../platform/jobs'
import { ruleFor } from '../../../../rules'
import type { RecordOf } from '../../../../entities'
import type { ModuleJob } from '../../../module'
import { ASKED, withoutBill } from '../../bills/agree'
import { closePeriods, cycleOf, finalBill, waitingBills } from '../../bills/books'
import { customerAccount } from '../../facts'
import { accountDay } from '../../zones'

interface Due {
  id: string
  waitHours: number
  autoIssue: boolean
  /** It has no next bill: what is left of its post-paid time has one of its own. */
  last: boolean
}

/**
 * Bills of post-paid accounts, when a period has ended and its receipts had their time (money 2.4). The same period is billed once,
 * however often it runs; an account that fails leaves the others, and says why.
 */
export const job: ModuleJob = ({ engine, database }) => ({
  name: 'fin.bills',
  title: { zh: '账单生成', en: 'Bills' },
  description: {
    zh: '账期结束并等待回执后，为后付费账户生成账单草稿：汇总未出账的消费、费用和调整，计算尾差与税；账期设为自动出账的当即出账。',
    en: 'Makes the bills of post-paid accounts when a period has ended and its receipts had their time: what was posted and is on no bill, rounding and tax. They are drafts, or issued at once where the billing cycle says so.',
  },
  schedule: { every: 'day', at: '01:00' },
  run: async ({ now, dry }, progress): Promise<JobReport> => {
    const { dlrWaitHours } = await ruleFor(database, 'fin.billing', now)
    const { rows: due } = await database.query<Due>(
      sql`select a.id, coalesce(y.dlr_wait_hours, ${dlrWaitHours})::int as "waitHours", coalesce(y.auto_issue, false) as "autoIssue", a.pay_mode <> 'postpaid' as last
        from fin_customer_account a left join fin_bill_cycle y on y.id = a.bill_cycle_id
        where a.status <> 'closed' and a.deleted_at is null and (a.pay_mode = 'postpaid' and y.id is not null
          or a.pay_mode <> 'postpaid' and (exists (select 1 from fin_ledger_entry e where e.account_id = a.id and e.bill_id is null and ${ASKED})
            or exists (select 1 from fin_bill l where l.account_id = a.id and l.status in ('draft', 'checking') and l.wait_reason is not null and l.deleted_at is null))) order by a.id`,
    )
    const told = stageOf(progress, { zh: '生成账单', en: 'Making bills' }, due.length)
    const bills: JobReport['rows'][number][] = []
    const failed: JobReport['rows'][number][] = []
    for (const { id, waitHours, autoIssue, last } of dry ? [] : due) {
      const context = systemContext({ now })
      try {
        const made = await engine.transaction(
          context,
          async (entities, tx): Promise<RecordOf<'fin.bill'>[]> => {
            const fin = { tx, context, now, entities }
            const account = await customerAccount(fin, id)
            const waited = new Date(now.getTime() - waitHours * 3_600_000)
            const through = addDays(accountDay(account.record, waited, tx.companyTimeZone), -1)
            const whole = await waitingBills(fin, account, { issue: autoIssue })
            if (last) return [...whole, ...[await finalBill(fin, account, through)].filter((bill) => bill !== null)]
            const cycle = await cycleOf(fin, account.record.billCycleId ?? '', account.record.cycleFrom)
            return [...whole, ...(await closePeriods(fin, account, cycle, { through, issue: autoIssue }))]
          },
          { retries: 3 },
        )
        for (const bill of made)
          bills.push({
            id: bill.id,
            account: bill.code,
            period: `${bill.periodFrom} – ${bill.periodTo}`,
            total: bill.total,
            currency: bill.currency,
            why: bill.waitReason ? bill.waitReason : null,
          })
      } catch (error) {
        failed.push({
          id,
          account: id,
          period: null,
          total: null,
          currency: null,
          why: error instanceof Error ? error.message : String(error),
        })
      }
      told(1)
    }
    const open = await withoutBill(database)
    const waiting = open.map(({ id, title, owed, currency, mode, cycle }): JobReport['rows'][number] => ({
      ...{ id: `${id}-open`, account: title, period: null, total: owed, currency },
      why: cycle || mode !== 'postpaid' ? '未出账消费 / on no bill yet' : '未设账期，不出账 / on no bill: no billing cycle',
    }))
    const rows = [...failed, ...bills, ...waiting]
    return {
      figures: [
        { id: 'accounts', title: { zh: '后付费账户', en: 'Post-paid accounts' }, value: due.length },
        { id: 'bills', title: { zh: '新账单', en: 'New bills' }, value: bills.length },
        { id: 'failed', title: { zh: '失败', en: 'Failed' }, value: failed.length },
        { id: 'open', title: { zh: '有未出账消费的账户', en: 'Accounts with usage on no bill' }, value: waiting.length },
      ],
      columns: [
        { id: 'account', title: { zh: '账单或账户', en: 'Bill or account' } },
        { id: 'period', title: { zh: '期间', en: 'Period' } },
        { id: 'total', title: { zh: '合计', en: 'Total' }, kind: 'number', of: ['fin.bill.total'] },
        { id: 'currency', title: { zh: '币种', en: 'Currency' } },
        { id: 'why', title: { zh: '说明', en: 'Why' } },
      ],
      rows: rows.slice(0, MOST_ROWS),
      more: Math.max(0, rows.length - MOST_ROWS),
    }
  },
})
