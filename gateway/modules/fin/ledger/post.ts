import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { tableOf, type HookContext } from '../../../entities'
import { newId, type Transaction } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'
import { mirrored, priced } from './rules'
import { settleLedger } from './settle'
import type { AccountKind, Direction, PostingDraft, PricedLeg } from './types'

/** Where a posting is written: the transaction of the act, who does it, one clock. */
export type LedgerContext = Pick<HookContext, 'tx' | 'context' | 'now'>

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
  const { tx, context, now } = ledger
  const hash = contentHash(draft)
  const postingId = newId()
  const at = now.toISOString()
  const staffId = context.user.staffId
  const { rows } = await tx.query<{ id: string }>(
    sql`insert into fin_posting (id, type, biz_date, company_entity_id, source_type, source_id, source_code, idem_key, content_hash, reverses_id, posted_by, memo, created_at, updated_at, created_by, updated_by, version)
      values (${postingId}, ${draft.type}, ${draft.bizDate}::date, ${draft.companyEntityId}, ${draft.sourceType}, ${draft.sourceId}, ${draft.sourceCode ?? null}, ${draft.idemKey}, ${hash}, ${draft.reversesId ?? null}, ${staffId}, ${draft.memo ?? null}, ${at}::timestamptz, ${at}::timestamptz, ${staffId}, ${staffId}, 1)
      on conflict (idem_key) where deleted_at is null do nothing returning id`,
  )
  if (rows.length === 0) return firstPosting(tx, draft, hash)
  await openMonth(tx, draft)
  const legs = priced(draft.legs, await baseRates(tx, draft))
  tx.beforeCommit(settleLedger, { posting: { ...draft, id: postingId, legs, at, staffId } })
  return { postingId, first: true }
}

/** What makes a posting the same: everything but the rates, which may come later. */
function contentHash({ type, bizDate, companyEntityId, legs }: PostingDraft): string {
  const said = legs.map(({ account, direction, amount, base }) => [
    account.kind,
    account.id,
    account.currency,
    direction,
    amount,
    base ?? '',
  ])
  return createHash('sha256')
    .update(JSON.stringify([type, bizDate, companyEntityId, said]))
    .digest('hex')
}

async function firstPosting(tx: Transaction, draft: PostingDraft, hash: string): Promise<Posted> {
  const { rows } = await tx.query<{ id: string; hash: string; code: string | null }>(
    sql`select id, content_hash as hash, source_code as code from fin_posting where idem_key = ${draft.idemKey} and deleted_at is null`,
  )
  const first = rows[0]
  if (first?.hash === hash) return { postingId: first.id, first: false }
  const code = draft.sourceCode ?? first?.code ?? draft.sourceId
  throw new ServiceError('alreadyPosted', {
    message: {
      zh: `${code} 已按其他内容入账，不能再次入账。请先冲销原凭证。`,
      en: `${code} is posted already with other content. Reverse that posting before it is posted again.`,
    },
    data: { key: draft.idemKey },
  })
}

/** @throws ServiceError 10060058 for a day of a closed month */
export async function openMonth(
  tx: Transaction,
  { companyEntityId, bizDate }: Pick<PostingDraft, 'companyEntityId' | 'bizDate'>,
): Promise<void> {
  const { rows } = await tx.query<{ status: string }>(
    sql`select status from fin_period where company_entity_id = ${companyEntityId} and month = date_trunc('month', ${bizDate}::date)::date and deleted_at is null for share`,
  )
  if (rows[0]?.status !== 'closed') return
  const month = bizDate.slice(0, 7)
  throw new ServiceError('alreadyPosted', {
    message: {
      zh: `会计期间 ${month} 已关账，不能记入 ${bizDate} 的凭证。请改用未关账的日期。`,
      en: `The accounting period ${month} is closed; nothing dated ${bizDate} is posted. Use a day of an open period.`,
    },
    data: { month },
  })
}

/** CNY for one unit of each currency of the legs, on the business day. */
async function baseRates(tx: Transaction, { legs, bizDate }: PostingDraft): Promise<ReadonlyMap<string, string>> {
  return ratesOn(tx, [...legs.map(({ account }) => account.currency), 'CNY'], bizDate)
}

/**
 * CNY for one unit of each currency: the last daily rate up to a day.
 * @throws ServiceError 10030002 naming the currency that has none
 */
export async function ratesOn(tx: Transaction, currencies: readonly string[], day: string): Promise<ReadonlyMap<string, string>> {
  const asked = [...new Set(currencies)].filter((currency) => currency !== 'CNY')
  const { rows } = await tx.query<{ base: string; rate: string }>(
    sql`select distinct on (x.base) x.base, x.rate::text as rate from ${sql.raw(tableOf('sys.exchangeRate'))} x
      where x.kind = 'xe' and x.quote = 'CNY' and x.base = any(${sql.param(asked)}::text[]) and x.date <= ${day}::date and x.deleted_at is null and x.rate > 0
      order by x.base, x.date desc`,
  )
  const found = new Map([['CNY', '1'], ...rows.map(({ base, rate }) => [base, rate] as const)])
  const missing = asked.find((currency) => !found.has(currency))
  if (missing === undefined) return found
  throw new ServiceError('limitRefused', {
    message: {
      zh: `${day} 没有 ${missing} 对 CNY 的汇率，无法记账。请先在汇率设置中维护。`,
      en: `There is no rate of ${missing} in CNY for ${day}, so nothing can be posted. Add it in the exchange rates first.`,
    },
    data: { reason: 'noRate', currency: missing, day },
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
}

/**
 * Mirrors every leg of a posting: the only way to correct one (money 1.3). In a closed month it is dated with the first open day.
 * @throws ServiceError 10010004 for a posting that is not there, 10060058 for one that is reversed already
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
    sql`select account_kind as "accountKind", account_id as "accountId", currency, customer_id as "customerId", supplier_id as "supplierId", direction, amount::text, base_amount::text as base, base_rate::text as rate, type, product
      from fin_ledger_entry where posting_id = ${postingId} order by leg_no`,
  )
  const bizDate = await firstOpenDay(tx, posting.companyEntityId, posting.bizDate)
  return post(ledger, {
    ...posting,
    bizDate,
    memo,
    idemKey: `rev:${postingId}`,
    reversesId: postingId,
    legs: mirrored(
      legs.rows.map(({ accountKind, accountId, currency, customerId, supplierId, ...leg }): PricedLeg => ({
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

async function firstOpenDay(tx: Transaction, companyEntityId: string, day: string): Promise<string> {
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
