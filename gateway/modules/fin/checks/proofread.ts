import { sql, type SQL } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import type { RecordOf } from '../../../entities'
import { newId } from '../../../platform/database'
import { recordOf, supplierAccount, todayOf, type FinContext, type Given } from '../facts'
import { post } from '../ledger/post'
import { costAdjust, costProduct } from '../ledger/rules'
import { comparedTotals, compareFigures, type ComparedTotals, type Figure } from './rules'
import { checkedAccounts, type CheckedAccount } from './vos'

const WHAT = { zh: '核对单', en: 'proofreading' }

/**
 * `fin.compareStatement`: lays our figures beside the lines of their statement and writes what comes of it as lines of the proofreading;
 * causes and notes that somebody typed stay with their key. Answers the totals.
 */
export async function compareStatement(fin: FinContext, given: Given): Promise<ComparedTotals> {
  const proof = await recordOf(fin, 'fin.proofread', given.needed('proofreadId'), WHAT)
  const id = proof.id
  const [account] = await checkedAccounts(fin.tx, [proof])
  if (!account) throw given.wrong('proofreadId', { zh: '的账户不存在', en: 'of an account that is gone' })
  const by = proof.kind === 'bank' || proof.kind === 'kingdee' ? 'reference' : 'traffic'
  const tolerancePct = exactText(new Exact(proof.tolerancePct ?? '0.5'))
  const ours = await ourFigures(fin, { account, by, from: proof.periodFrom, to: proof.periodTo })
  const theirs = await figures(
    fin,
    sql`select day::text, country_code as "countryCode", network, reference, qty::text, amount::text from fin_statement_line where proofread_id = ${id} and deleted_at is null order by day, id`,
  )
  const lines = compareFigures(ours, theirs, { by, tolerancePct })
  const { rows: typed } = await fin.tx.query<{ key: string; cause: string | null; note: string | null }>(
    sql`delete from fin_proofread_line where proofread_id = ${id} returning key, cause, note`,
  )
  const before = new Map(typed.map((line) => [line.key, line]))
  await fin.entities.insertMany(
    'fin.proofreadLine',
    lines.map((line) => ({
      ...line,
      id: newId(),
      proofreadId: id,
      currency: account.currency,
      cause: before.get(line.key)?.cause ?? line.cause,
      note: before.get(line.key)?.note ?? null,
      createdBy: fin.context.user.staffId,
    })),
  )
  return comparedTotals(lines, tolerancePct)
}

interface Asked {
  account: CheckedAccount
  by: 'traffic' | 'reference'
  from: string
  to: string
}

/** What our books say: usage or cost as amounts above 0, money of banks with its sign. */
function ourFigures(fin: FinContext, { account, by, from, to }: Asked): Promise<Figure[]> {
  const own = sql`e.account_kind = ${account.side} and e.account_id = ${account.id} and e.biz_date between ${from}::date and ${to}::date`
  if (by === 'reference')
    return figures(
      fin,
      sql`select min(e.biz_date)::text as day, null as "countryCode", null as network, null as qty, sum(e.signed_amount)::text as amount,
          coalesce(r.bank_ref, p.bank_ref, f.bank_ref, e.source_code, e.posting_id) as reference
        from fin_ledger_entry e left join fin_recharge r on r.posting_id = e.posting_id left join fin_payment p on p.posting_id = e.posting_id left join fin_bill_refund f on f.posting_id = e.posting_id and f.kind = 'refund'
        where ${own} and e.type <> 'opening' group by 6, e.posting_id order by 1, 6`,
    )
  const types = account.side === 'supplier' ? ['cost', 'fee'] : ['usage', 'fee']
  return figures(
    fin,
    sql`select e.biz_date::text as day, u.country_code as "countryCode", u.prefix as network, null as reference,
        case when bool_and(u.id is not null) then sum(u.units)::text end as qty, (-sum(e.signed_amount))::text as amount
      from fin_ledger_entry e left join fin_usage u on u.posting_id = e.posting_id and u.deleted_at is null
      where ${own} and e.type = any(${sql.param(types)}::text[]) group by 1, 2, 3 order by 1, 2, 3`,
  )
}

async function figures({ tx }: FinContext, query: SQL): Promise<Figure[]> {
  const { rows } = await tx.query<Omit<Figure, 'qty'> & { qty: string | null }>(query)
  return rows.map((row) => ({ ...row, qty: row.qty === null ? null : Number(row.qty), amount: exactText(new Exact(row.amount)) }))
}

/**
 * `fin.adjustCost`: what a supplier charged otherwise than we counted (money 1.3 `costAdjust`), dated today: `amount` above 0 is cost
 * that we lacked. Answers the posting.
 */
export async function adjustCost(fin: FinContext, given: Given): Promise<{ postingId: string }> {
  const proof: RecordOf<'fin.proofread'> = await recordOf(fin, 'fin.proofread', given.needed('proofreadId'), WHAT)
  const account = await supplierAccount(fin, proof.supplierAccountId ?? '')
  const amount = given.amount('amount')
  const id = proof.id
  const { postingId } = await post(fin, {
    type: 'costAdjust',
    bizDate: todayOf(fin),
    companyEntityId: account.companyEntityId,
    sourceType: 'proofread',
    sourceId: id,
    sourceCode: proof.code,
    idemKey: `proofread:${id}:costAdjust:${Number(proof.adjustTimes ?? 0) + 1}`,
    legs: costAdjust(account, costProduct(account.record.kind), amount),
  })
  return { postingId }
}
