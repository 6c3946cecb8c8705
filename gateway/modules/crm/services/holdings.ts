import { tableOf, type LookupFunction } from '../../../entities'

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
    sql: `select m.customer_id, null::text as code from ${tableOf('fin.customerMonth')} m
          where m.overdue_days > 0 and m.deleted_at is null
            and m.month = (select max(month) from ${tableOf('fin.customerMonth')} where deleted_at is null)`,
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

/** What keeps customers from being given away (CRM section 3), in their order: a bill before a document; alias changes say so themselves. */
export const held =
  ({ heldSql }: Holdings): LookupFunction =>
  async ({ db }, asked) => {
    const { rows } = await db.query<{ id: string; why: string; code: string | null }>(
      `select distinct on (customer_id) customer_id as id, why, code from (${heldSql}) as held
       where customer_id = any($1::text[]) and why <> 'alias' order by customer_id, why, code`,
      [asked.map(({ customerId }) => customerId)],
    )
    const known = new Map(rows.map(({ id, ...why }) => [id, why]))
    return asked.map(({ customerId }) => known.get(String(customerId)) ?? null)
  }

/** What recycling asks besides the customers' own fields: whether something holds them, and whether a late opportunity gives them time. */
export const recyclingFacts =
  ({ heldSql, lateSql }: Holdings): LookupFunction =>
  async ({ db }, asked) => {
    const among = async (rowsSql: string): Promise<ReadonlySet<string>> => {
      const { rows } = await db.query<{ id: string }>(
        `select distinct customer_id as id from (${rowsSql}) as found where customer_id = any($1::text[])`,
        [asked.map(({ id }) => id)],
      )
      return new Set(rows.map(({ id }) => id))
    }
    const [held, late] = [await among(heldSql), await among(lateSql)]
    return asked.map(({ id }) => ({ held: held.has(String(id)), extended: late.has(String(id)) }))
  }
