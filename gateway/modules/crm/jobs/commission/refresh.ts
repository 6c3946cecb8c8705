import { sql, type SQL } from 'drizzle-orm'
import type { Executor } from '../../../../platform/database'
import { stageOf, type TellProgress } from '../../../../platform/jobs'
import type { Day } from '../../rules/companyDay'
import { monthStart } from '../../rules/months'
import { inTurn } from '../inLanes'

/** Months before the running one whose figures may still change until they are locked. */
const OPEN_MONTHS = 1
/** Agents whose rows one statement counts. */
const BATCH = 200
const STAGE = { zh: '计算代理商的佣金', en: 'Counting the commission of agents' }

export interface CommissionOutcome {
  /** Rows of the open months, new or counted again. */
  earning: number
  /** Rows of past months that are locked and can be withdrawn from now on. */
  locked: number
  /** What the agents earned so far in the running month, the most first. */
  agents: { id: string; agent: string; customers: number; earned: string }[]
}

/** What agents with an active agreement by a share earn of the months since `from`: one row a month, customer and product. */
const earned = (from: Day, today: Day): SQL => sql`
  select 'co-' || md5(concat_ws(' ', c.agent_id, m.customer_id, m.month, m.product)) as id, c.agent_id as party_id, m.customer_id, m.month, m.product,
    m.revenue, m.profit, p.commission_rate as rate,
    round(case p.commission_mode when 'revenueShare' then m.revenue else greatest(m.profit, 0) end * p.commission_rate / 100, 2) as earned
  from fin_customer_month m join crm_customer c on c.id = m.customer_id and c.deleted_at is null
    join crm_partner_profile p on p.customer_id = c.agent_id and p.deleted_at is null and p.status = 'active'
      and p.commission_mode in ('revenueShare', 'profitShare') and p.commission_rate is not null
  where m.deleted_at is null and m.month >= ${from}::date and m.month <= ${today}::date
    and (p.agreement_from is null or m.month >= date_trunc('month', p.agreement_from)) and (p.agreement_to is null or m.month <= p.agreement_to)`

/**
 * Writes the commission of agents (biz.commission) from the monthly figures of their customers: the running month and the one before
 * it, or those since `from`, at the rate of the agreement. Months that are over are locked, and stay as they are: what can be
 * withdrawn is never counted again. Running it twice changes nothing more.
 */
export async function refreshCommissions(
  db: Executor,
  {
    now,
    today,
    from = monthStart(today, OPEN_MONTHS),
    dry = false,
    tell = () => {},
  }: { now: Date; today: Day; from?: Day; dry?: boolean; tell?: TellProgress },
): Promise<CommissionOutcome> {
  const at = now.toISOString()
  const running = monthStart(today)
  const agents = await db.query<CommissionOutcome['agents'][number]>(sql`
    select e.party_id as id, a.name || ' (' || a.code || ')' as agent, count(distinct e.customer_id)::int as customers, sum(e.earned)::text as earned
    from (${earned(running, today)}) e join crm_customer a on a.id = e.party_id group by 1, 2 order by sum(e.earned) desc, 1`)
  const open = sql`from (${earned(from, today)}) e left join biz_commission k on k.party_id = e.party_id
    and k.customer_id = e.customer_id and k.month = e.month and k.product = e.product and k.deleted_at is null where (k.id is null or k.status = 'earning')`
  if (dry) {
    const { rows } = await db.query<{ earning: number; locked: number }>(
      sql`select count(*)::int as earning, count(*) filter (where e.month < ${running}::date)::int as locked ${open}`,
    )
    return { earning: rows[0]?.earning ?? 0, locked: rows[0]?.locked ?? 0, agents: agents.rows }
  }
  const { rows: parties } = await db.query<{ id: string }>(
    sql`select distinct customer_id as id from crm_partner_profile where deleted_at is null and status = 'active' order by 1`,
  )
  let earning = 0
  await inTurn(parties, BATCH, stageOf(tell, STAGE, parties.length), async (some) => {
    const written = await db.query(sql`
    insert into biz_commission (id, party_kind, party_id, customer_id, month, product, revenue, profit, rate, earned, withdrawn, status, created_at, updated_at, version)
    select coalesce(k.id, e.id), 'agent', e.party_id, e.customer_id, e.month, e.product, e.revenue, e.profit, e.rate, e.earned, 0, 'earning', ${at}, ${at}, 1 ${open}
      and e.party_id = any(${`{${some.map(({ id }) => id).join(',')}}`}::text[])
    on conflict (id) do update set revenue = excluded.revenue, profit = excluded.profit, rate = excluded.rate, earned = excluded.earned,
      updated_at = excluded.updated_at, version = biz_commission.version + 1`)
    earning += written.rowCount
  })
  const locked = await db.query(
    sql`update biz_commission set status = 'locked', updated_at = ${at}, version = version + 1 where status = 'earning' and month < ${running}::date`,
  )
  return { earning, locked: locked.rowCount, agents: agents.rows }
}
