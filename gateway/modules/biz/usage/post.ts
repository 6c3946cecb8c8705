import { sql, type SQL } from 'drizzle-orm'
import { tableOf } from '../../../entities'
import type { HookContext } from '../../../entities'
import { newId, type Executor } from '../../../platform/database'
import { postCost, postUsage, type UsageBatch } from '../../fin'
import { longestWait } from '../lock/lock'

/** Records that money follows from: who pays stands in them, and what was posted of them. */
interface RatedRecords {
  entity: string
  /** The column of the moment by which they are kept. */
  at: string
  product: string
  /** Suppliers are paid for them as well. */
  costs: boolean
}

/** One-time passwords are not among them: the message or the call that carried one is. */
const RATED: readonly RatedRecords[] = [
  { entity: 'biz.smsRecord', at: 'submitted_at', product: 'r.product', costs: true },
  { entity: 'biz.callRecord', at: 'start_at', product: 'r.product', costs: true },
  { entity: 'biz.waRecord', at: 'submitted_at', product: `'whatsapp'`, costs: true },
  { entity: 'biz.mailRecord', at: 'submitted_at', product: `'mail'`, costs: false },
]

/** Hours of a day, and what changes of zone and a job that was late add. */
const DAY_HOURS = 48

/** Records since then may stand on days that are not locked (quotes-traffic 7.1). */
async function openSince(db: Executor, now: Date): Promise<SQL> {
  const hours = DAY_HOURS + (await longestWait(db, now))
  return sql`${new Date(now.getTime() - hours * 3_600_000).toISOString()}::timestamptz`
}

const column = (name: string): SQL => sql.raw(`r.${name}`)

/** What one go posted. */
export interface PostedUsage {
  usage: number
  cost: number
}

interface Sum {
  accountId: string
  product: string
  billDay: string
  amount: string
}

/**
 * Posts what records of open days came to and is not posted yet: one posting for each account, product and day, to the last digit (quotes-traffic 7.1, money 1.5). The records
 * keep what was posted of them, so that a change joins the next batch as its difference; all in one transaction.
 */
export async function postRecords(given: Pick<HookContext, 'tx' | 'context' | 'now' | 'entities'>): Promise<PostedUsage> {
  const { tx, now } = given
  const batchStart = now
  const batchId = newId(now.getTime())
  const since = await openSince(tx, now)
  let [usage, cost] = [0, 0]
  for (const records of RATED) {
    if (!(await holdsPostings(tx, records.entity))) continue
    const taken = (side: Side): Promise<UsageBatch[]> => take(tx, records, side, { batchId, since, batchStart })
    const owed = await taken('revenue')
    await postUsage(given, owed)
    usage += owed.length
    if (!records.costs) continue
    const owing = await taken('cost')
    await postCost(given, owing)
    cost += owing.length
  }
  return { usage, cost }
}

async function holdsPostings(tx: Executor, entity: string): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>(
    sql`select exists (select 1 from information_schema.columns where table_name = ${tableOf(entity)} and column_name = 'posted_revenue') as found`,
  )
  return rows[0]?.found ?? false
}

type Side = 'revenue' | 'cost'
const COLUMNS = {
  revenue: { amount: 'revenue', posted: 'posted_revenue', account: 'account_id', day: 'bill_day' },
  cost: { amount: 'cost_amount', posted: 'posted_cost', account: 'supplier_account_id', day: 'cost_day' },
} as const

/** What of one side of a record `r` is not posted. */
function unposted({ at }: RatedRecords, side: Side, since: SQL): SQL {
  const { amount, posted, account } = COLUMNS[side]
  return sql.join(
    [
      sql`${column(at)} >= ${since} and r.deleted_at is null and not coalesce(r.test_flag, false)`,
      sql`${column(account)} is not null and ${column(amount)} is not null and coalesce(${column(posted)}, 0) <> ${column(amount)}`,
    ],
    sql` and `,
  )
}

/** Whether records of open days came to something that is not posted. */
export async function recordsWait(db: Executor, now: Date): Promise<boolean> {
  const since = await openSince(db, now)
  for (const records of RATED) {
    if (!(await holdsPostings(db, records.entity))) continue
    const table = sql.raw(tableOf(records.entity))
    for (const side of ['revenue', 'cost'] as const) {
      if (side === 'cost' && !records.costs) continue
      const { rows } = await db.query(sql`select 1 from ${table} r where ${unposted(records, side, since)} limit 1`)
      if (rows.length > 0) return true
    }
  }
  return false
}

/** Marks what is not posted of one side as posted and answers its sums. */
async function take(
  tx: Executor,
  records: RatedRecords,
  side: Side,
  { batchId, since, batchStart }: { batchId: string; since: SQL; batchStart: Date },
): Promise<UsageBatch[]> {
  const { entity, at, product } = records
  const { amount, posted, account, day } = COLUMNS[side]
  const table = sql.raw(tableOf(entity))
  const { rows } = await tx.query<Sum>(
    sql`with due as (
        select r.id, ${column(at)} as at, coalesce(${column(posted)}, 0) as before from ${table} r
        where ${unposted(records, side, since)}),
      changed as (
        update ${table} r set ${sql.raw(posted)} = ${column(amount)}, usage_batch_id = ${batchId} from due d where r.id = d.id and ${column(at)} = d.at
        returning ${column(account)} as account, ${sql.raw(product)} as product, ${column(day)} as day, ${column(amount)} - d.before as amount)
      select account as "accountId", product, day::text as "billDay", trim_scale(sum(amount))::text as amount from changed group by 1, 2, 3 having sum(amount) <> 0 order by 1, 2, 3`,
  )
  return rows.map((row) => ({ ...row, batchStart }))
}
