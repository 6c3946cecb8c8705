import { sql, type SQL } from 'drizzle-orm'
import type { Executor } from '../../../../platform/database'
import { inTurn, stageOf, type TellProgress } from '../../../../platform/jobs'
import type { Day } from '../../rules/companyDay'
import { monthStart } from '../../rules/months'
import { tableOf, thereIs } from '../../../../entities'

const CUSTOMER_MONTH = sql.raw(tableOf('fin.customerMonth'))
const COMMISSION = sql.raw(tableOf('biz.commission'))
const AUDIT_LOG = sql.raw(tableOf('sys.auditLog'))

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
  /** Rows of open months that agents lose, as the customer is another one's now. */
  lost: number
  /** What the agents earned so far in the running month, the most first. */
  agents: { id: string; agent: string; customers: number; earned: string }[]
}

/** Where the agents of customers that changed theirs since the first open month stand, period by period, while a run lasts. */
const MOVED = sql`pg_temp.crm_commission_moved`

/**
 * Reads the agents that customers had before from the log of changes. Who has a customer without an entry has had it all the time.
 * An agent that was merged is the one that it was merged into.
 */
async function readMoves(db: Executor, from: Day, timeZone: string): Promise<void> {
  await db.query(sql`drop table if exists ${MOVED}`)
  await db.query(sql`create temporary table crm_commission_moved on commit drop as
    with changed as (
      select l.record_id as customer_id, change ->> 'before' as agent_id, l.at as until, l.id
      from (select customer_id from ${CUSTOMER_MONTH} where deleted_at is null and month >= ${from}::date
            union select customer_id from ${COMMISSION} where deleted_at is null and status = 'earning') concerned
        join ${AUDIT_LOG} l on l.entity = 'crm.customer' and l.record_id = concerned.customer_id
        cross join jsonb_array_elements(l.changes) change
      where l.at >= ${from}::timestamp at time zone ${timeZone} and l.action <> 'create' and l.deleted_at is null
        and l.changes @> '[{"field":"agentId"}]' and change ->> 'field' = 'agentId'
    ), held as (
      select customer_id, agent_id, lag(until, 1, '-infinity') over (partition by customer_id order by until, id) as since, until from (
        select customer_id, agent_id, until, id from changed
        union all select c.id, c.agent_id, 'infinity', '' from crm_customer c where c.id in (select customer_id from changed)
      ) known
    )
    select held.customer_id, coalesce(merged.duplicate_of_id, held.agent_id) as agent_id, held.since, held.until
    from held join crm_customer c on c.id = held.customer_id and c.deleted_at is null
      left join crm_customer merged on merged.id = held.agent_id and merged.deleted_at is not null
    where held.since < held.until`)
}

/** Customers with the agents that they had, and from when to when. */
const BOUND = sql`
  select id as customer_id, agent_id, '-infinity'::timestamptz as since, 'infinity'::timestamptz as until from crm_customer
  where deleted_at is null and agent_id is not null and id not in (select customer_id from ${MOVED})
  union all select customer_id, agent_id, since, until from ${MOVED} where agent_id is not null`

/** A month belongs to one agent: the last that the customer had in it. */
const holdsMonth = (bound: SQL, month: SQL, timeZone: string): SQL => {
  const end = sql`((${month} + interval '1 month') at time zone ${timeZone})`
  return sql`${bound}.since < ${end} and ${bound}.until > (${month}::timestamp at time zone ${timeZone}) and not exists (
    select from ${MOVED} later where later.customer_id = ${bound}.customer_id and later.agent_id is not null
      and later.since > ${bound}.since and later.since < ${end})`
}

/** What agents with an active agreement by a share earn of the months since `from`: one row a month, customer and product. */
const earned = (from: Day, today: Day, timeZone: string): SQL => sql`
  select 'co-' || md5(concat_ws(' ', b.agent_id, m.customer_id, m.month, m.product)) as id, b.agent_id as party_id, m.customer_id, m.month, m.product,
    m.revenue, m.profit, p.commission_rate as rate,
    round(case p.commission_mode when 'revenueShare' then m.revenue else greatest(m.profit, 0) end * p.commission_rate / 100, 2) as earned
  from ${CUSTOMER_MONTH} m join (${BOUND}) b on b.customer_id = m.customer_id and ${holdsMonth(sql`b`, sql`m.month`, timeZone)}
    join crm_partner_profile p on p.customer_id = b.agent_id and p.deleted_at is null and p.status = 'active'
      and p.commission_mode in ('revenueShare', 'profitShare') and p.commission_rate is not null
  where m.deleted_at is null and m.month >= ${from}::date and m.month <= ${today}::date
    and (p.agreement_from is null or m.month >= date_trunc('month', p.agreement_from)) and (p.agreement_to is null or m.month <= p.agreement_to)`

/** What an open month still says for an agent who does not have the customer in it any more. */
const lostRows = (from: Day, timeZone: string): SQL => sql`
  ${COMMISSION} k where k.party_kind = 'agent' and k.status = 'earning' and k.deleted_at is null and k.month >= ${from}::date
    and exists (select from crm_customer c where c.id = k.customer_id and c.deleted_at is null)
    and not exists (select from (${BOUND}) b where b.customer_id = k.customer_id and b.agent_id = k.party_id and ${holdsMonth(sql`b`, sql`k.month`, timeZone)})`

/**
 * Writes the commission of agents (biz.commission) from the monthly figures of their customers: the running month and the one before
 * it, or those since `from`, at the rate of the agreement. Months that are over are locked, and stay as they are: what can be
 * withdrawn is never counted again. A customer that changed its agent is paid for once: each month belongs to the last agent that the
 * customer had in it, unless another one's row of that month is locked already. Running it twice changes nothing more.
 */
export async function refreshCommissions(
  db: Executor,
  {
    now,
    today,
    timeZone,
    from = monthStart(today, OPEN_MONTHS),
    dry = false,
    tell = () => {},
  }: { now: Date; today: Day; timeZone: string; from?: Day; dry?: boolean; tell?: TellProgress },
): Promise<CommissionOutcome> {
  for (const source of ['fin.customerMonth', 'biz.commission'])
    if (!(await thereIs(db, source))) return { earning: 0, locked: 0, lost: 0, agents: [] }
  const at = now.toISOString()
  const running = monthStart(today)
  await readMoves(db, from, timeZone)
  const agents = await db.query<CommissionOutcome['agents'][number]>(sql`
    select e.party_id as id, a.name || ' (' || a.code || ')' as agent, count(distinct e.customer_id)::int as customers, sum(e.earned)::text as earned
    from (${earned(running, today, timeZone)}) e join crm_customer a on a.id = e.party_id group by 1, 2 order by sum(e.earned) desc, 1`)
  const open = sql`from (${earned(from, today, timeZone)}) e left join ${COMMISSION} k on k.party_id = e.party_id
    and k.customer_id = e.customer_id and k.month = e.month and k.product = e.product and k.deleted_at is null where (k.id is null or k.status = 'earning')
    and not exists (select from ${COMMISSION} other where other.party_kind = 'agent' and other.party_id <> e.party_id and other.customer_id = e.customer_id
      and other.month = e.month and other.product = e.product and other.status <> 'earning' and other.deleted_at is null)`
  if (dry) {
    const { rows } = await db.query<{ earning: number; locked: number; lost: number }>(
      sql`select count(*)::int as earning, count(*) filter (where e.month < ${running}::date)::int as locked,
        (select count(*)::int from ${lostRows(from, timeZone)}) as lost ${open}`,
    )
    return { earning: rows[0]?.earning ?? 0, locked: rows[0]?.locked ?? 0, lost: rows[0]?.lost ?? 0, agents: agents.rows }
  }
  const { rowCount: lost } = await db.query(sql`delete from ${lostRows(from, timeZone)}`)
  const { rows: parties } = await db.query<{ id: string }>(
    sql`select distinct customer_id as id from crm_partner_profile where deleted_at is null and status = 'active' order by 1`,
  )
  let earning = 0
  await inTurn(parties, BATCH, stageOf(tell, STAGE, parties.length), async (some) => {
    const written = await db.query(sql`
    insert into ${COMMISSION} (id, party_kind, party_id, customer_id, month, product, revenue, profit, rate, earned, withdrawn, status, created_at, updated_at, version)
    select coalesce(k.id, e.id), 'agent', e.party_id, e.customer_id, e.month, e.product, e.revenue, e.profit, e.rate, e.earned, 0, 'earning', ${at}, ${at}, 1 ${open}
      and e.party_id = any(${`{${some.map(({ id }) => id).join(',')}}`}::text[])
    on conflict (id) do update set revenue = excluded.revenue, profit = excluded.profit, rate = excluded.rate, earned = excluded.earned,
      updated_at = excluded.updated_at, version = ${COMMISSION}.version + 1`)
    earning += written.rowCount
  })
  const locked = await db.query(
    sql`update ${COMMISSION} set status = 'locked', updated_at = ${at}, version = version + 1 where party_kind = 'agent' and status = 'earning' and month < ${running}::date`,
  )
  return { earning, locked: locked.rowCount, lost, agents: agents.rows }
}
