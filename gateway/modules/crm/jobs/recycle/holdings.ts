/**
 * What keeps a customer from being recycled besides its own fields (CRM rule 9.2): unfinished alias changes, pending documents,
 * unpaid bills. Each source answers customer ids; entities that this gateway does not have are left out.
 */
const SOURCES: readonly { entity: string; why: string; sql: string }[] = [
  {
    entity: 'crm.aliasRecord',
    why: 'alias',
    sql: `select customer_id from crm_alias_record where status in ('pending', 'syncing', 'failed') and deleted_at is null`,
  },
  {
    entity: 'crm.classApply',
    why: 'document',
    sql: `select customer_id from crm_class_apply where status = 'pending' and deleted_at is null`,
  },
  {
    entity: 'crm.blacklist',
    why: 'document',
    sql: `select customer_id from crm_blacklist where status = 'pending' and deleted_at is null`,
  },
  {
    entity: 'crm.transferItem',
    why: 'document',
    sql: `select i.customer_id from crm_transfer_item i join crm_transfer t on t.id = i.transfer_id
          where t.status = 'pending' and t.deleted_at is null and i.deleted_at is null`,
  },
  {
    entity: 'fin.customerMonth',
    why: 'bill',
    sql: `select m.customer_id from fin_customer_month m
          where m.overdue_days > 0 and m.deleted_at is null
            and m.month = (select max(month) from fin_customer_month where deleted_at is null)`,
  },
]
const LATE_OPPORTUNITY = `select customer_id from crm_opportunity where stage in ('s3', 's4', 's5') and deleted_at is null`

/** Which of the sources this gateway has. */
export interface Holdings {
  /** Rows (customer_id, why) of everything that keeps a customer. */
  heldSql: string
  /** Rows (customer_id) of open opportunities at s3 or later. */
  lateSql: string
}

export function holdingsOf(entities: readonly string[]): Holdings {
  const there = new Set(entities)
  const held = SOURCES.filter(({ entity }) => there.has(entity)).map(
    ({ why, sql }) => `select customer_id, '${why}' as why from (${sql}) as source where customer_id is not null`,
  )
  return {
    heldSql: held.length > 0 ? held.join(' union all ') : `select null::text as customer_id, null::text as why where false`,
    lateSql: there.has('crm.opportunity') ? LATE_OPPORTUNITY : `select null::text as customer_id where false`,
  }
}
