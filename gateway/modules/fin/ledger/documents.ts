import { sql, type SQL } from 'drizzle-orm'
import { tableOf } from '../../../entities'
import type { BeforeCommit } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'

/** Documents that stand for a posting, with the column that names it: whoever reverses the posting moves the document, too (I10). */
const DOCUMENTS = [
  ['fin.recharge', 'posting_id'],
  ['fin.payment', 'posting_id'],
  ['fin.hedge', 'posting_id'],
  ['fin.billRefund', 'posting_id'],
  ['fin.adjustment', 'posting_id'],
  ['fin.bankOpening', 'posting_id'],
  ['fin.unclaimedReceipt', 'posting_id'],
  ['fin.paymentRefund', 'posting_id'],
  ['fin.entitySettlement', 'seller_posting_id'],
  ['fin.entitySettlement', 'buyer_posting_id'],
] as const

/** What an account has from before its bills, and the credit of a bill below 0, were posted by other acts. */
const POSTED_ONLY = sql` and kind not in ('balance', 'billCredit', 'toPrepaid')`

/** `id`, `code`, `status`, `posting_id` of every document that was posted, also of those that were reversed since. */
const POSTED = sql.join(
  DOCUMENTS.map(
    ([entity, column]) =>
      sql`select ${sql.raw(`'${entity} '`)} || id as id, code, status, ${sql.raw(column)} as posting_id from ${sql.raw(tableOf(entity))} where status in ('posted', 'reversed') and deleted_at is null${entity === 'fin.billRefund' ? POSTED_ONLY : sql``}`,
  ),
  sql` union all `,
)

const LIVE = sql`p.reverses_id is null and p.deleted_at is null and not exists (select 1 from fin_posting r where r.reverses_id = p.id and r.deleted_at is null)`

/** A document that is posted has exactly one posting that holds, one that is reversed none: its posting and the mirror of it (I10). */
export const DOCUMENT_POSTINGS: SQL = sql`with documents as (${POSTED}),
    live as (select p.id, count(*) over (partition by p.source_type, p.source_id, p.type, p.company_entity_id) as alike from fin_posting p where ${LIVE})
  select d.id, case d.status when 'posted' then l.id is null or l.alike <> 1
      else l.id is not null or not exists (select 1 from fin_posting r where r.reverses_id = d.posting_id and r.deleted_at is null) end as wrong
  from documents d left join live l on l.id = d.posting_id`

/**
 * Right before the commit: no posting was reversed below a document that goes on as posted.
 * @throws ServiceError 10060058 naming the document to reverse
 */
export const documentsFollow: BeforeCommit<string> = async (tx, postingIds) => {
  const { rows } = await tx.query<{ code: string }>(
    sql`select d.code from (${POSTED}) d where d.status = 'posted' and d.posting_id = any(${sql.param([...postingIds])}::text[]) order by d.code limit 1`,
  )
  const code = rows[0]?.code
  if (code === undefined) return
  throw new ServiceError('alreadyPosted', {
    message: {
      zh: `该凭证属于单据 ${code}，请在单据上冲销。`,
      en: `The posting belongs to ${code}. Reverse that document instead; its posting is mirrored with it.`,
    },
    data: { code },
  })
}
