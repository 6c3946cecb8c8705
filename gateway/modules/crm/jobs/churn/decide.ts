import type { Database } from '../../../../platform/database'
import type { Text } from '../../../../platform/http'
import {
  decideChurn,
  hasRecovered,
  lastThirtyDays,
  stageByTraffic,
  type ChurnDecision,
  type ChurnFacts,
  type ChurnStep,
} from '../../rules/churn'
import { addDays, dayOf, type Day } from '../../rules/companyDay'
import { monthStart } from '../../rules/months'
import type { RuleTypes } from '../../../../rules'
import { staffName } from '../../../../staff'
import { monthsSince, type MonthRow } from '../months'
import { tableOf } from '../../../../entities'

export interface ChurnCustomer {
  id: string
  code: string
  name: string
  ownerId: string | null
  owner: Text | null
  leaderId: string | null
  lastTrafficAt: string | null
  records:
    { id: string; product: string | null; step: ChurnStep; baseline: string | null; at: string; recovered: boolean }[] | null
}
export interface ChurnChange extends ChurnDecision {
  customer: ChurnCustomer
  product: string | null
  last30: string
}
export interface ChurnOutcome {
  changes: ChurnChange[]
  /** Records of warnings that are over. */
  recovered: string[]
  /** Customers whose stage follows their traffic. */
  stages: { customer: Pick<ChurnCustomer, 'id'>; to: 'dealt' | 'silent' | 'churned' }[]
}

/** What the churn rule says today, for every customer that has dealt. */
export async function decideAllChurn(
  db: Database,
  rule: RuleTypes['crm.churn'],
  today: Day,
  timeZone: string,
): Promise<ChurnOutcome> {
  const outcome: ChurnOutcome = { changes: [], recovered: [], stages: [] }
  for await (const rows of db.stream<{ id: string; stage: string; lastTrafficAt: string | null }>(
    `select id, stage, last_traffic_at as "lastTrafficAt" from crm_customer
     where deleted_at is null and first_deal_at is not null and stage in ('dealt', 'silent', 'churned')`,
    [],
    { batchSize: 5_000 },
  ))
    for (const customer of rows) {
      const to = stageByTraffic(customer.lastTrafficAt ? dayOf(customer.lastTrafficAt, timeZone) : null, rule, today)
      if (to !== customer.stage) outcome.stages.push({ customer: { id: customer.id }, to })
    }
  for await (const group of monthsSince(db, monthStart(today, 24)))
    for (const customer of await dealtCustomers(db, [...group.keys()]))
      judge(outcome, customer, group.get(customer.id) ?? [], rule, today, timeZone)
  return outcome
}

/** Of some customers those that have dealt, with what was noted of their falls. */
async function dealtCustomers(db: Database, ids: readonly string[]): Promise<ChurnCustomer[]> {
  const { rows } = await db.query<ChurnCustomer>(
    `select c.id, c.code, c.name, c.owner_id as "ownerId", ${staffName('s')} as owner, d.leader_id as "leaderId", c.last_traffic_at as "lastTrafficAt",
       (select jsonb_agg(jsonb_build_object('id', r.id, 'product', r.product, 'step', r.kind, 'baseline', r.baseline::text, 'at', r.at, 'recovered', r.recovered_at is not null) order by r.at desc)
          from crm_churn_record r where r.customer_id = c.id and r.deleted_at is null) as records
     from crm_customer c left join ${tableOf('sys.staff')} s on s.id = c.owner_id left join ${tableOf('sys.department')} d on d.id = c.owner_dept_id
     where c.id = any($1::text[]) and c.deleted_at is null and c.first_deal_at is not null order by c.id`,
    [ids],
  )
  return rows
}

function judge(
  outcome: ChurnOutcome,
  customer: ChurnCustomer,
  months: readonly MonthRow[],
  rule: RuleTypes['crm.churn'],
  today: Day,
  timeZone: string,
): void {
  const traffic = customer.lastTrafficAt ? dayOf(customer.lastTrafficAt, timeZone) : null
  const products = rule.byProduct ? [...new Set(months.map(({ product }) => product))] : [null]
  for (const product of products) {
    const own = product === null ? months : months.filter((row) => row.product === product)
    const latest = (customer.records ?? []).find((record) => (record.product ?? null) === product && !record.recovered)
    const facts = churnFactsOf(
      own,
      traffic,
      today,
      latest && { step: latest.step, baseline: latest.baseline ?? '0', on: dayOf(latest.at, timeZone) },
    )
    const decision = decideChurn(facts, rule, today)
    if (decision) outcome.changes.push({ ...decision, customer, product, last30: facts.last30 })
    else if (latest && hasRecovered(facts, rule)) outcome.recovered.push(latest.id)
  }
}

/** Facts of one product from its monthly figures; the customer's last traffic tells the day inside the last month. */
export function churnFactsOf(
  rows: readonly Pick<MonthRow, 'month' | 'revenue' | 'messages'>[],
  customerTraffic: Day | null,
  today: Day,
  latest: ChurnFacts['latest'] | undefined,
): ChurnFacts {
  const current = monthStart(today)
  const revenue = new Map<Day, number>()
  for (const row of rows) revenue.set(row.month, (revenue.get(row.month) ?? 0) + Number(row.revenue))
  const first = [...revenue.keys()].sort()[0] ?? current
  const months: string[] = []
  for (let month = first; month < current; month = monthStart(addDays(month, 31)))
    months.push((revenue.get(month) ?? 0).toFixed(2))
  const sent = rows
    .filter(({ messages }) => messages > 0)
    .map(({ month }) => month)
    .sort()
  const lastMonth = sent[sent.length - 1]
  const end = lastMonth === undefined ? null : addDays(monthStart(addDays(lastMonth, 31)), -1)
  const lastTraffic =
    lastMonth === undefined || end === null
      ? null
      : customerTraffic !== null && monthStart(customerTraffic) <= lastMonth
        ? customerTraffic
        : end < today
          ? end
          : today
  return {
    months,
    last30: lastThirtyDays(
      (revenue.get(current) ?? 0).toFixed(2),
      (revenue.get(monthStart(today, 1)) ?? 0).toFixed(2),
      today,
    ).toFixed(2),
    lastTraffic,
    latest: latest ?? null,
  }
}
