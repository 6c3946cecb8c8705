import type { Holdings } from '../../services/holdings'
import { RULE_COLUMNS, type RulesByRow } from './rulesByRow'

/**
 * The recycling rule over all private customers, or over those of `only` (SQL of an array of ids), in one statement: rows (id, place in the table, owner_id, old, decided, reason, "nextOn"). It says
 * the same as `decideRecycling`, which stays the definition; a test compares both row by row. Owners who are or were on
 * leave ($4) are left to the function.
 * Parameters: $1 rules, $2 time zone, $3 today, $4 ids of owners to leave out, $5 days of notice.
 */
export function deadlinesSql(rules: RulesByRow, holdings: Holdings, only?: string): string {
  const among = (column: string): string => (only ? `${column} = any(${only})` : 'true')
  return `
  with r as (select * from jsonb_to_recordset($1::jsonb) as r(${RULE_COLUMNS})),
  held as materialized (select distinct customer_id from (${holdings.heldSql}) as kept where ${among('customer_id')}),
  late as materialized (select distinct customer_id from (${holdings.lateSql}) as opportunities where ${among('customer_id')}),
  facts as (
    select c.id, c.ctid as place, c.owner_id, c.recycle_on as old, c.recycle_not_before as notice, c.stage, c.protect_until, c.first_deal_at,
      r.first, r.potential, r.following, r.testing, r.quoted, r.dealt, r."noTraffic", r."noDeal", r.extension,
      (r.enabled and c.level is distinct from 'a' and not coalesce(c.tags @> '["keep"]'::jsonb, false)
        and not coalesce(c.balance > r.exempt, false) and h.customer_id is null) as open,
      (c.owned_at at time zone $2)::date as owned_on,
      coalesce(c.last_follow_at >= c.owned_at, false) as touched,
      case when c.last_follow_at >= c.owned_at then (c.last_follow_at at time zone $2)::date else (c.owned_at at time zone $2)::date end as last_touch,
      (c.last_traffic_at at time zone $2)::date as traffic_on,
      l.customer_id is not null as late
    from crm_customer c
      join r on ${rules.join}
      left join held h on h.customer_id = c.id
      left join late l on l.customer_id = c.id
    where c.holding = 'private' and c.deleted_at is null and c.owned_at is not null and not (c.owner_id = any($4::text[])) and ${among('c.id')}
  ),
  days as (
    select id, place, owner_id, old, notice, open,
      greatest(
        case stage when 'potential' then last_touch + potential when 'following' then last_touch + following
          when 'testing' then last_touch + testing when 'quoted' then last_touch + quoted
          else greatest(last_touch + dealt, traffic_on + "noTraffic") end,
        protect_until) as no_follow,
      case when first_deal_at is null and "noDeal" > 0
        then greatest(owned_on + "noDeal" + case when late then extension else 0 end, protect_until) end as no_deal,
      case when not touched then owned_on + first end as first_touch
    from facts
  ),
  decisions as (
    select id, place, owner_id, old, notice,
      case when open then least(no_follow, no_deal, first_touch) + 1 end as decided,
      case when not open then null
        when no_follow = least(no_follow, no_deal, first_touch) then 'noFollow'
        when no_deal = least(no_follow, no_deal, first_touch) then 'noDeal' else 'firstTouch' end as reason
    from days
  )
  select id, place, owner_id, old, notice, decided, reason,
    case when decided is null then null
      when old is null or decided < old
        then greatest(decided, coalesce(notice, decided), least(coalesce(old, $3::date + $5::int), $3::date + $5::int))
      else greatest(decided, coalesce(notice, decided)) end as "nextOn"
  from decisions`
}
