import type { Executor } from '../../../platform/database'
import { ServiceError, type Text } from '../../../platform/http'

/**
 * What keeps a customer from being recycled besides its own fields (CRM rule 9.2): unfinished alias changes, pending documents,
 * unpaid bills. Each source answers customer ids with the number of the document; entities that this gateway does not have are left out.
 */
const SOURCES: readonly { entity: string; why: string; sql: string }[] = [
  {
    entity: 'crm.aliasRecord',
    why: 'alias',
    sql: `select customer_id, code from crm_alias_record where status in ('pending', 'syncing', 'failed') and deleted_at is null`,
  },
  {
    entity: 'crm.classApply',
    why: 'document',
    sql: `select customer_id, code from crm_class_apply where status = 'pending' and deleted_at is null`,
  },
  {
    entity: 'crm.blacklist',
    why: 'document',
    sql: `select customer_id, code from crm_blacklist where status = 'pending' and deleted_at is null`,
  },
  {
    entity: 'crm.transferItem',
    why: 'document',
    sql: `select i.customer_id, t.code from crm_transfer_item i join crm_transfer t on t.id = i.transfer_id
          where t.status = 'pending' and t.deleted_at is null and i.deleted_at is null`,
  },
  {
    entity: 'fin.customerMonth',
    why: 'bill',
    sql: `select m.customer_id, null::text as code from fin_customer_month m
          where m.overdue_days > 0 and m.deleted_at is null
            and m.month = (select max(month) from fin_customer_month where deleted_at is null)`,
  },
]
const LATE_OPPORTUNITY = `select customer_id from crm_opportunity where stage in ('s3', 's4', 's5') and deleted_at is null`

/** Which of the sources this gateway has. */
export interface Holdings {
  /** Rows (customer_id, why, code) of everything that keeps a customer: why = alias, document or bill. */
  heldSql: string
  /** Rows (customer_id) of open opportunities at s3 or later. */
  lateSql: string
}

/** The sources of a gateway; `has` says whether it has an entity. */
export function holdingsOf(has: (entity: string) => boolean): Holdings {
  const held = SOURCES.filter(({ entity }) => has(entity)).map(
    ({ why, sql }) => `select customer_id, '${why}' as why, code from (${sql}) as source where customer_id is not null`,
  )
  return {
    heldSql:
      held.length > 0
        ? held.join(' union all ')
        : `select null::text as customer_id, null::text as why, null::text as code where false`,
    lateSql: has('crm.opportunity') ? LATE_OPPORTUNITY : `select null::text as customer_id where false`,
  }
}

/**
 * Refuses with 10010007 to give a customer away while a document of it waits or a bill is unpaid (CRM section 3): what waits would
 * be decided about a customer that somebody else has by then. Alias changes have a refusal of their own (10050027).
 */
export async function refuseWhileHeld(db: Executor, { heldSql }: Holdings, customerId: string): Promise<void> {
  const { rows } = await db.query<{ why: string; code: string | null }>(
    `select why, code from (${heldSql}) as held where customer_id = $1 and why <> 'alias' order by why desc, code limit 1`,
    [customerId],
  )
  const [held] = rows
  if (!held) return
  const message = held.code === null ? UNPAID : waiting(held.code)
  throw new ServiceError('transitionRefused', { message, data: { transition: 'release' } })
}

const UNPAID: Text = {
  zh: '客户有逾期未付的账单，付清后才能退回公海。',
  en: 'The customer has an overdue bill; it can go to the sea when the bill is paid.',
}
const waiting = (code: string): Text => ({
  zh: `单据 ${code} 尚未办结，完成或撤回后才能退回公海。`,
  en: `Document ${code} about the customer is still open; the customer can go to the sea when it is finished or withdrawn.`,
})
