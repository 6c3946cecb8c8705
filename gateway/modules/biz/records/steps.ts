import { tableOf, thereIs } from '../../../entities'
import type { SqlStep } from '../../../platform/database'
import { DAY_LOCKS } from '../lock/guards'

const [MESSAGE, TRY] = ['biz.smsRecord', 'biz.smsAttempt'].map(tableOf) as [string, string]

/**
 * Tries from before they were charged by themselves. On days that are open they take the cost of their message over: what was posted of it goes back to the supplier of the message,
 * and each try is posted to its own. On locked days the message has been charged for them, and they count as posted.
 */
export const chargedTries: SqlStep = {
  id: '2026-11-biz-charged-tries',
  run: async (tx) => {
    if (!(await thereIs(tx, 'biz.smsAttempt'))) return
    await tx.query(`update ${TRY} t set account_id = r.account_id, product = r.product, submitted_at = r.submitted_at, bill_day = r.bill_day, test_flag = coalesce(r.test_flag, false)
      from ${MESSAGE} r where r.msg_id = t.msg_id and t.submitted_at is null`)
    await tx.query(`update ${MESSAGE} r set cost_by_attempts = true
      where exists (select 1 from ${TRY} t where t.msg_id = r.msg_id and t.deleted_at is null)
        and not exists (select 1 from ${DAY_LOCKS} k where k.account_id = r.account_id and r.bill_day <= k.through)`)
    await tx.query(`update ${TRY} t set posted_cost = t.cost_amount where t.posted_cost is null
      and not exists (select 1 from ${MESSAGE} r where r.msg_id = t.msg_id and r.cost_by_attempts)`)
  },
}
