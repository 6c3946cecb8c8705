import { sql, type SQL } from 'drizzle-orm'
import { tableOf, thereIs, type FieldDrift } from '../../../entities'
import type { Database, Executor } from '../../../platform/database'
import { chargedSides, productSql, recordColumn, type ChargedSide } from './open'
import { PURGED_CHARGES } from './purged'

/**
 * Where entries of consumption and cost come from, by the keys of their postings (money 1.4). Each kind is compared with what it was
 * posted from by a line of reconcile; an entry of no kind that stands here is a kind that nobody compares, and fails.
 */
const KINDS = {
  /** Sums of charged records: compared below. */
  records: '^(usage|cost):|^usageBatch:[^:]+:(adjustment|costAdjust):.*:\\d{4}-\\d{2}-\\d{2}$',
  /** Late receipts, and what was taken over with its day: what they were posted from is not kept. */
  takenOver: '^usageBatch:',
  /** Lines that were typed or imported (I7). */
  lines: '^usageLine:',
  /** Fees of numbers: reconcile compares them with each rented month. */
  fees: '^fee(Cost)?:',
  /** Documents (I10): notes, statements of suppliers, deliveries of equipment, reversals. */
  documents: '^(creditNote|proofread|stockDoc|rev):',
} as const

/** What was posted of charged records, those that are not kept any more with the sums that they left. */
const recorded = ({ charged, side }: ChargedSide): SQL =>
  sql`select ${side.side}::text as side, ${recordColumn(side.account)} as account, ${recordColumn(side.day)} as day, ${productSql(charged)} as product, sum(${recordColumn(side.posted)}) as amount
    from ${sql.raw(tableOf(charged.entity))} r where ${recordColumn(side.posted)} <> 0 and ${recordColumn(side.account)} is not null group by 1, 2, 3, 4`

/** Records = ledger by account, service day and product, on both sides (I7); every entry is of a kind that is compared. */
export async function verifyPosted(database: Database): Promise<FieldDrift[]> {
  const sides = (await chargedSides(database)).filter(({ side }) => side.posting === null)
  const drifts = sides.length === 0 ? [] : [await recordsAndLedger(database, sides)]
  drifts.push(await unknownKinds(database))
  if (await thereIs(database, 'fin.usage')) drifts.push(...(await twiceCharged(database, sides)))
  return drifts
}

async function counted(db: Executor, field: string, rows: SQL): Promise<FieldDrift> {
  const { rows: found } = await db.query<{ rows: string; wrong: string }>(
    sql`select count(*)::text as rows, count(*) filter (where wrong)::text as wrong from (${rows}) x`,
  )
  return { field, rows: Number(found[0]?.rows ?? 0), drifted: Number(found[0]?.wrong ?? 0) }
}

const recordsAndLedger = (db: Executor, sides: readonly ChargedSide[]): Promise<FieldDrift> =>
  counted(
    db,
    'charged records = fin.ledgerEntry (I7)',
    sql`with records as (
        select side, account, day, product, sum(amount) as amount from (${sql.join(
          [...sides.map(recorded), sql`select side, account_id, day, product, amount from ${sql.raw(PURGED_CHARGES)}`],
          sql` union all `,
        )}) r group by 1, 2, 3, 4),
      entries as (
        select case e.account_kind when 'customer' then 'revenue' else 'cost' end as side, e.account_id as account, coalesce(e.service_day, e.biz_date) as day, coalesce(e.product, '') as product, -sum(e.signed_amount) as amount
        from fin_posting p join fin_ledger_entry e on e.posting_id = p.id and e.account_kind in ('customer', 'supplier')
        where p.deleted_at is null and p.idem_key ~ ${KINDS.records} group by 1, 2, 3, 4)
      select r.amount is distinct from e.amount and (coalesce(r.amount, 0) <> 0 or coalesce(e.amount, 0) <> 0) as wrong
      from records r full join entries e using (side, account, day, product)`,
  )

const unknownKinds = (db: Executor): Promise<FieldDrift> =>
  counted(
    db,
    'fin.ledgerEntry of a kind that is compared',
    sql`select not (p.idem_key ~ ${Object.values(KINDS).join('|')}) as wrong from fin_ledger_entry e join fin_posting p on p.id = e.posting_id
      where e.type in ('usage', 'cost', 'fee', 'adjustment', 'costAdjust') and e.account_kind in ('customer', 'supplier')`,
  )

/** The same traffic is not charged twice: typed lines of an account, product and day beside rated records have to say that both are meant. */
async function twiceCharged(db: Executor, sides: readonly ChargedSide[]): Promise<FieldDrift[]> {
  const own = sides.filter(({ side }) => side.side === 'revenue')
  if (own.length === 0) return []
  return [
    await counted(
      db,
      'fin.usage beside charged records',
      sql`select exists (select 1 from (${sql.join(own.map(recorded), sql` union all `)}) r where r.account = u.account_id and r.day = u.day and r.product = u.product) and not coalesce(u.beside_records, false) as wrong
        from (select distinct account_id, day, product, beside_records from fin_usage where posting_id is not null and deleted_at is null) u`,
    ),
  ]
}
