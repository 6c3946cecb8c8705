import { sql } from 'drizzle-orm'
import type { Entities, EntityRecord } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { settleLedger, type LedgerWork } from '../ledger/settle'
import { countDays } from '../ledger/supplierDays'
import type { Books } from './books'
import { fillKingdee } from './kingdee'
import { productOf } from './usage'

/** Writes everything in a number of statements that does not grow with the accounts. */
export async function write(books: Books, entities: Entities, tx: Executor): Promise<void> {
  const { world, rows, accounts } = books
  const postings = [...books.postings].sort((a, b) => a.bizDate.localeCompare(b.bizDate))
  await tx.query(
    sql`update fin_customer_account a set company_entity_id = g.company_entity_id, currency = g.currency, bill_cycle_id = g.bill_cycle_id, cycle_from = g.cycle_from, term_days = g.term_days
      from jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) as g(id text, company_entity_id text, currency text, bill_cycle_id text, cycle_from date, term_days bigint) where a.id = g.id`,
  )
  await tx.query(
    sql`update fin_bill_cycle y set account_count = (select count(*) from fin_customer_account a where a.bill_cycle_id = y.id and a.status <> 'closed' and a.deleted_at is null)`,
  )
  const headed = postings.map(({ legs: _, at, ...head }) => ({
    ...head,
    postedBy: null,
    contentHash: '',
    createdAt: at,
    createdBy: '',
  }))
  await inParts(headed, (part) => entities.insertMany('fin.posting', part))
  const billed = (rows['fin.bill'] ?? []).flatMap(({ id, postings: own }) =>
    (own as string[]).map((posting) => ({ bill: id, posting })),
  )
  rows['fin.bill'] = (rows['fin.bill'] ?? []).map(({ postings: _, ...bill }) => bill)
  for (const [entity, own] of Object.entries(rows)) await inParts(own, (part) => entities.insertMany(entity, part))
  const work: LedgerWork[] = postings.map((posting) => ({ posting: { ...posting, staffId: '' } }))
  for (const { id } of world.rows['fin.customerAccount'] ?? []) work.push({ refresh: id, now: world.now })
  await settleLedger(tx, work)
  const products = new Map((world.rows['fin.customerAccount'] ?? []).map((row) => [row.id, productOf(row)]))
  const bills = (rows['fin.bill'] ?? []).map((bill) => ({ ...bill, product: products.get(String(bill.accountId)) ?? 'sms' }))
  await fillKingdee({ world, postings, bills }, entities)
  await countDays(tx, books.today)
  await tx.query(
    sql`update fin_ledger_entry e set bill_id = g.bill from jsonb_to_recordset(${JSON.stringify(billed)}::jsonb) as g(bill text, posting text)
      where e.posting_id = g.posting and e.account_kind = 'customer'`,
  )
}

const AT_ONCE = 1_000
async function inParts(rows: readonly EntityRecord[], write: (part: readonly EntityRecord[]) => Promise<void>): Promise<void> {
  for (let start = 0; start < rows.length; start += AT_ONCE) await write(rows.slice(start, start + AT_ONCE))
}
