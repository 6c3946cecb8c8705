import { sql, type SQL } from 'drizzle-orm'
import { columnName, tableName, type ChargeSideName } from '../../../../src/schema/entity'
import { Exact, exactText } from '../../../../src/schema/formats'
import { dueSql, openSql, type EntityEngine } from '../../../entities'
import { newId, type Executor, type Transaction } from '../../../platform/database'
import { ServiceError, systemContext, type Text } from '../../../platform/http'
import type { FinContext } from '../facts'
import { postCost, postCostAdjustments, postUsage, postUsageAdjustments } from '../ledger/usage'
import { chargedSides, postedSql, productSql, recordColumn, type ChargedSide } from './open'

/** A day of an account of which nothing could be posted; the others were. */
export interface RefusedDay {
  side: ChargeSideName
  accountId: string
  day: string
  why: Text
}

/** What one go posted. */
export interface PostedCharges {
  /** Days of accounts of customers, and at suppliers, that something was posted for. */
  revenue: number
  cost: number
  refused: readonly RefusedDay[]
}

/** Whether the day of records `r` is locked: what they come to is an adjustment then. */
export type IsLocked = (account: SQL, day: SQL) => SQL

interface Parts {
  engine: EntityEngine
  database: Executor
  now: Date
  isLocked: IsLocked
}

interface Taken {
  product: string
  late: boolean
  amount: string
}

/** Sides whose records are gathered here; those that are posted whole have a job of their own. */
const gathered = async (db: Executor): Promise<ChargedSide[]> =>
  (await chargedSides(db)).filter(({ side }) => side.posting === null)

const table = ({ charged }: ChargedSide): SQL => sql.raw(tableName(charged.entity))
/** Open records `r` that have a price. */
const priced = ({ charged, side }: ChargedSide): SQL =>
  sql`${openSql(charged, side.side, 'r')} and ${dueSql(charged, side.side, 'r')} is not null`

/** Whether records came to something that is not posted. */
export async function chargesWait(db: Executor): Promise<boolean> {
  const parts = (await gathered(db)).map((one) => sql`exists (select 1 from ${table(one)} r where ${priced(one)})`)
  if (parts.length === 0) return false
  const { rows } = await db.query<{ waits: boolean }>(sql`select ${sql.join(parts, sql` or `)} as waits`)
  return rows[0]?.waits ?? false
}

/**
 * Posts whatever records came to and is not posted, however old it is: one posting for each account, product and day, to the last digit
 * (quotes-traffic 7.1, money 1.5). The records keep what was posted of them, so that a change joins the next batch as its difference. What
 * belongs to a closed month is dated with the first open day, what belongs to a locked day is an adjustment of today; both say their day.
 * Each day of an account is a transaction of its own: one that refuses leaves the others, and is answered with the reason.
 */
export async function postCharges({ engine, database, now, isLocked }: Parts): Promise<PostedCharges> {
  const sides = await gathered(database)
  const batchId = newId(now.getTime())
  const context = systemContext({ now })
  const posted = { revenue: 0, cost: 0 }
  const refused: RefusedDay[] = []
  for (const name of ['revenue', 'cost'] as const) {
    const own = sides.filter(({ side }) => side.side === name)
    for (const unit of await daysWith(database, own)) {
      try {
        await engine.transaction(
          context,
          (entities, tx) => postDay({ tx, context, now, entities }, own, { ...unit, batchId, isLocked }),
          { retries: 3 },
        )
        posted[name] += 1
      } catch (error) {
        refused.push({ side: name, ...unit, why: whyOf(error) })
      }
    }
  }
  return { ...posted, refused }
}

/**
 * Posts the same in the transaction that runs, as one: a day that refuses undoes all of it. For few days of few accounts.
 * @throws ServiceError why an account does not take a day
 */
export async function postChargesWithin(fin: FinContext, isLocked: IsLocked): Promise<void> {
  const batchId = newId(fin.now.getTime())
  const sides = await gathered(fin.tx)
  for (const name of ['revenue', 'cost'] as const) {
    const own = sides.filter(({ side }) => side.side === name)
    for (const unit of await daysWith(fin.tx, own)) await postDay(fin, own, { ...unit, batchId, isLocked })
  }
}

const whyOf = (error: unknown): Text => {
  if (error instanceof ServiceError) return error.text
  const said = error instanceof Error ? error.message : String(error)
  return { zh: said, en: said }
}

interface Unit {
  accountId: string
  day: string
}

async function daysWith(db: Executor, sides: readonly ChargedSide[]): Promise<Unit[]> {
  if (sides.length === 0) return []
  const parts = sides.map(
    (one) =>
      sql`select ${recordColumn(one.side.account)} as "accountId", ${recordColumn(one.side.day)}::text as day from ${table(one)} r where ${priced(one)}`,
  )
  const { rows } = await db.query<Unit>(
    sql`select * from (${sql.join(parts, sql` union `)}) x where day is not null order by "accountId", day`,
  )
  return rows
}

async function postDay(
  fin: FinContext,
  sides: readonly ChargedSide[],
  { accountId, day, batchId, isLocked }: Unit & { batchId: string; isLocked: IsLocked },
): Promise<void> {
  const sums = new Map<string, Taken>()
  for (const one of sides)
    for (const taken of await take(fin.tx, one, { accountId, day, batchId, isLocked })) {
      const key = `${taken.product} ${taken.late}`
      sums.set(key, { ...taken, amount: exactText(new Exact(sums.get(key)?.amount ?? '0').plus(taken.amount)) })
    }
  const owed = [...sums.values()].filter(({ amount }) => !new Exact(amount).isZero())
  if (owed.some(({ product }) => product === ''))
    throw new ServiceError('factsChanged', {
      message: {
        zh: '有记录没有产品，无法确定收入科目。请补充记录的产品。',
        en: 'Records without a product have no revenue account. Give the records their product.',
      },
    })
  const [onTime, late] = [owed.filter((one) => !one.late), owed.filter((one) => one.late)]
  const batches = onTime.map(({ product, amount }) => ({ accountId, product, billDay: day, batchStart: fin.now, amount }))
  const lates = late.map(({ product, amount }) => ({ accountId, product, serviceDay: day, batchId, amount }))
  const customer = sides[0]?.side.side === 'revenue'
  await (customer ? postUsage : postCost)(fin, batches)
  await (customer ? postUsageAdjustments : postCostAdjustments)(fin, lates)
}

/** Marks what is not posted of a day of an account as posted and answers its sums. */
async function take(
  tx: Transaction,
  one: ChargedSide,
  { accountId, day, batchId, isLocked }: Unit & { batchId: string; isLocked: IsLocked },
): Promise<Taken[]> {
  const { charged, side } = one
  const { by, whose } = charged
  const posted = sql.raw(columnName(side.posted))
  // records of one table a day are found again in the days that were read alone
  const [at, same, within] = by
    ? [
        sql`${recordColumn(by)} as at,`,
        sql` and ${recordColumn(by)} = d.at`,
        sql` and ${recordColumn(by)} between (select min(at) from due) and (select max(at) from due)`,
      ]
    : [sql``, sql``, sql``]
  const late = whose ? isLocked(recordColumn(whose.account), recordColumn(whose.day)) : sql`false`
  const { rows } = await tx.query<Taken>(
    sql`with due as materialized (
        select r.id, ${at} ${productSql(charged)} as product, ${late} as late, ${postedSql(side)} as before, ${dueSql(charged, side.side, 'r')} as due
        from ${table(one)} r where ${priced(one)} and ${recordColumn(side.account)} = ${accountId} and ${recordColumn(side.day)} = ${day}::date for update of r),
      changed as (
        update ${table(one)} r set ${posted} = d.due, usage_batch_id = ${batchId} from due d where r.id = d.id${same}${within} returning d.id)
      select product, late, trim_scale(sum(due - before))::text as amount from due where id in (select id from changed) group by 1, 2 order by 1, 2`,
  )
  return rows
}
