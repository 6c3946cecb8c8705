import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { HookContext } from '../../../entities'
import { newId, type Transaction } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'
import { agreeLast } from '../bills/agree'
import { CONSUMPTION } from '../bills/rules'
import { ruleFor } from '../../../rules'
import { documentsOfPosting } from '../kingdee/make'
import { documentsFollow } from './documents'
import { CNY_ALONE, ratesOfDays } from './rates'
import { mirrored, priced } from './rules'
import { settleLedger } from './settle'
import type { AccountKind, Direction, PostingDraft, PricedLeg } from './types'

/** Where a posting is written: the transaction of the act, who does it, one clock. */
export type LedgerContext = Pick<HookContext, 'tx' | 'context' | 'now' | 'entities'>

export interface Posted {
  postingId: string
  /** False: the act was posted before, and nothing was written now. */
  first: boolean
}

/**
 * Writes a posting once: the same key with the same content answers the first one (money 1.4). Its legs are placed and the balances
 * moved in the last statements before the commit, so that an account is held only that long.
 * @throws ServiceError 10060058 for a key that was posted with other content, and for a closed month; 10030002 without a rate of the day
 */
export async function post(ledger: LedgerContext, draft: PostingDraft): Promise<Posted> {
  const [posted] = await postMany(ledger, [draft])
  return posted!
}

interface Written {
  draft: PostingDraft
  id: string
  hash: string
}

/**
 * Writes postings as `post` does, in a number of statements that does not grow with them; each of them once, also when a key is given
 * twice. Answers them in the order of the drafts. @throws as `post`, for the first that is refused; nothing is written then
 */
export async function postMany(ledger: LedgerContext, drafts: readonly PostingDraft[]): Promise<Posted[]> {
  if (drafts.length === 0) return []
  const { tx, context, now } = ledger
  const at = now.toISOString()
  const staffId = context.user.staffId
  const written = drafts.map((draft): Written => ({ draft, id: newId(), hash: contentHash(draft) }))
  const heads = written.map(({ draft, id, hash }) => ({
    ...{ id, type: draft.type, biz_date: draft.bizDate, company_entity_id: draft.companyEntityId, source_type: draft.sourceType },
    ...{ source_id: draft.sourceId, source_code: draft.sourceCode ?? null, idem_key: draft.idemKey, content_hash: hash },
    ...{ reverses_id: draft.reversesId ?? null, memo: draft.memo ?? null },
  }))
  const { rows } = await tx.query<{ id: string }>(
    sql`insert into fin_posting (id, type, biz_date, company_entity_id, source_type, source_id, source_code, idem_key, content_hash, reverses_id, memo, posted_by, created_at, updated_at, created_by, updated_by, version)
      select g.*, ${staffId}, ${at}::timestamptz, ${at}::timestamptz, ${staffId}, ${staffId}, 1
      from jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) as g(id text, type text, biz_date date, company_entity_id text, source_type text, source_id text, source_code text, idem_key text, content_hash text, reverses_id text, memo text)
      on conflict (idem_key) where deleted_at is null do nothing returning id`,
  )
  const inserted = new Set(rows.map(({ id }) => id))
  const fresh = written.filter(({ id }) => inserted.has(id))
  const before = await firstPostings(
    tx,
    written.filter(({ id }) => !inserted.has(id)),
  )
  await openMonths(
    tx,
    fresh.map(({ draft }) => draft),
  )
  const { maxAgeDays } = await ruleFor(tx, 'sys.rates', now)
  const asked = fresh.flatMap(({ draft }) =>
    draft.legs.map(({ account: { currency }, base }) => ({
      ...{ currency, day: draft.bizDate },
      // what a leg is worth in the base currency may be known already: a mirrored one is what it was
      maxAgeDays: base === undefined ? maxAgeDays : undefined,
    })),
  )
  const rates = await ratesOfDays(
    tx,
    asked.sort((a, b) => Number(a.maxAgeDays !== undefined) - Number(b.maxAgeDays !== undefined)),
  )
  for (const { draft, id } of fresh) {
    const legs = priced(draft.legs, rates.get(draft.bizDate) ?? CNY_ALONE)
    tx.beforeCommit(settleLedger, { posting: { ...draft, id, legs, at, staffId } })
    for (const { account, type = draft.type } of legs)
      if (account.kind === 'customer' && !CONSUMPTION.includes(type)) agreeLast(tx, account.id, now)
    await documentsOfPosting(ledger, { ...draft, id, legs })
  }
  return written.map(({ id }) => ({ postingId: before.get(id) ?? id, first: inserted.has(id) }))
}

/** What makes a posting the same: everything but the rates, which may come later. */
function contentHash({ type, bizDate, serviceDay, companyEntityId, legs }: PostingDraft): string {
  const said = legs.map(({ account, direction, amount, base }) => [
    account.kind,
    account.id,
    account.currency,
    direction,
    amount,
    base ?? '',
  ])
  return createHash('sha256')
    .update(JSON.stringify([type, bizDate, companyEntityId, said, ...(serviceDay === undefined ? [] : [serviceDay])]))
    .digest('hex')
}

/** The postings that were there before, by the ids of those that were not written. @throws ServiceError 10060058 for other content */
async function firstPostings(tx: Transaction, again: readonly Written[]): Promise<ReadonlyMap<string, string>> {
  if (again.length === 0) return new Map()
  const { rows } = await tx.query<{ id: string; key: string; hash: string; code: string | null }>(
    sql`select id, idem_key as key, content_hash as hash, source_code as code from fin_posting
      where idem_key = any(${sql.param(again.map(({ draft }) => draft.idemKey))}::text[]) and deleted_at is null`,
  )
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return new Map(
    again.map(({ draft, id, hash }) => {
      const first = byKey.get(draft.idemKey)
      if (first?.hash === hash) return [id, first.id] as const
      const code = draft.sourceCode ?? first?.code ?? draft.sourceId
      throw new ServiceError('alreadyPosted', {
        message: {
          zh: `${code} 已按其他内容入账，不能再次入账。请先冲销原凭证。`,
          en: `${code} is posted already with other content. Reverse that posting before it is posted again.`,
        },
        data: { key: draft.idemKey },
      })
    }),
  )
}

/** @throws ServiceError 10060058 for a day of a closed month */
export const openMonth = (tx: Transaction, draft: Pick<PostingDraft, 'companyEntityId' | 'bizDate'>): Promise<void> =>
  openMonths(tx, [draft])

async function openMonths(tx: Transaction, drafts: readonly Pick<PostingDraft, 'companyEntityId' | 'bizDate'>[]): Promise<void> {
  if (drafts.length === 0) return
  const keyOf = (entity: string, month: string): string => `${entity} ${month}`
  const months = new Map(
    drafts.map(({ companyEntityId, bizDate }) => {
      const month = `${bizDate.slice(0, 7)}-01`
      return [keyOf(companyEntityId, month), { entity: companyEntityId, month }] as const
    }),
  )
  const { rows } = await tx.query<{ entity: string; month: string; status: string }>(
    sql`select p.company_entity_id as entity, p.month::text, p.status from fin_period p
      where (p.company_entity_id, p.month) in (select g.entity, g.month from jsonb_to_recordset(${JSON.stringify([...months.values()])}::jsonb) as g(entity text, month date))
        and p.deleted_at is null order by p.id for share of p`,
  )
  const closed = new Set(rows.flatMap(({ entity, month, status }) => (status === 'closed' ? [keyOf(entity, month)] : [])))
  const late = drafts.find(({ companyEntityId, bizDate }) => closed.has(keyOf(companyEntityId, `${bizDate.slice(0, 7)}-01`)))
  if (!late) return
  const month = late.bizDate.slice(0, 7)
  throw new ServiceError('alreadyPosted', {
    message: {
      zh: `会计期间 ${month} 已关账，不能记入 ${late.bizDate} 的凭证。请改用未关账的日期。`,
      en: `The accounting period ${month} is closed; nothing dated ${late.bizDate} is posted. Use a day of an open period.`,
    },
    data: { month },
  })
}

interface StoredLeg {
  accountKind: AccountKind
  accountId: string
  currency: string
  customerId: string | null
  supplierId: string | null
  direction: Direction
  amount: string
  base: string
  rate: string
  type: string
  product: string | null
  serviceDay: string
}

/**
 * Mirrors every leg of a posting: the only way to correct one (money 1.3). In a closed month it is dated with the first open day. A
 * posting that a document stands for is reversed by the document's transition.
 * @throws ServiceError 10010004 for a posting that is not there, 10060058 for one that is reversed already; at the commit for one whose document goes on as posted
 */
export async function reverse(ledger: LedgerContext, postingId: string, memo: string): Promise<Posted> {
  const { tx } = ledger
  const { rows } = await tx.query<{
    type: string
    bizDate: string
    companyEntityId: string
    sourceType: string
    sourceId: string
    sourceCode: string | null
    reversed: boolean
  }>(
    sql`select p.type, p.biz_date::text as "bizDate", p.company_entity_id as "companyEntityId", p.source_type as "sourceType", p.source_id as "sourceId", p.source_code as "sourceCode",
        exists (select 1 from fin_posting r where r.reverses_id = p.id and r.deleted_at is null) as reversed
      from fin_posting p where p.id = ${postingId} and p.deleted_at is null for update of p`,
  )
  const posting = rows[0]
  if (!posting) throw new ServiceError('notFound')
  if (posting.reversed)
    throw new ServiceError('alreadyPosted', {
      message: {
        zh: `${posting.sourceCode ?? posting.sourceId} 的凭证已冲销，不能再次冲销。`,
        en: `The posting of ${posting.sourceCode ?? posting.sourceId} is reversed already.`,
      },
    })
  const legs = await tx.query<StoredLeg>(
    sql`select account_kind as "accountKind", account_id as "accountId", currency, customer_id as "customerId", supplier_id as "supplierId", direction, amount::text, base_amount::text as base, base_rate::text as rate, type, product, service_day::text as "serviceDay"
      from fin_ledger_entry where posting_id = ${postingId} order by leg_no`,
  )
  tx.beforeCommit(documentsFollow, postingId)
  const bizDate = await firstOpenDay(tx, posting.companyEntityId, posting.bizDate)
  const serviceDay = legs.rows[0]?.serviceDay ?? posting.bizDate
  return post(ledger, {
    ...posting,
    bizDate,
    ...(serviceDay === bizDate ? {} : { serviceDay }),
    memo,
    idemKey: `rev:${postingId}`,
    reversesId: postingId,
    legs: mirrored(
      legs.rows.map(({ accountKind, accountId, currency, customerId, supplierId, serviceDay: _, ...leg }): PricedLeg => ({
        ...leg,
        account: {
          kind: accountKind,
          id: accountKind === 'system' ? systemCode(accountId) : accountId,
          currency,
          customerId,
          supplierId,
        },
      })),
    ),
  })
}

/** `FEE:<entity>:<currency>` without what the ledger adds to it. */
const systemCode = (id: string): string => id.split('@', 1)[0]!

/** The day itself, or the first day after it of a month that is open in the books of a company entity. */
export async function firstOpenDay(tx: Transaction, companyEntityId: string, day: string): Promise<string> {
  const { rows } = await tx.query<{ month: string }>(
    sql`select month::text from fin_period where company_entity_id = ${companyEntityId} and status = 'closed' and month >= date_trunc('month', ${day}::date)::date and deleted_at is null order by month`,
  )
  const closed = new Set(rows.map(({ month }) => month.slice(0, 7)))
  let open = day
  while (closed.has(open.slice(0, 7))) {
    const [year, month] = open.split('-').map(Number) as [number, number]
    open = month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
  }
  return open
}
