import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import { tableOf } from '../../../entities'
import { newId, type Executor } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'
import { CONSUMPTION } from '../bills/rules'
import { refreshCredit } from '../credit/refresh'
import { settleSales } from './receivables'
import { signed, stored } from './rules'
import type { PostingDraft, PricedLeg } from './types'

/** A posting whose legs wait for the end of its transaction, or a customer account whose credit is worked out anew there. */
export type LedgerWork =
  | { posting: Omit<PostingDraft, 'legs'> & { id: string; legs: readonly PricedLeg[]; at: string; staffId: string } }
  | { refresh: string; now: Date }

interface Entry {
  key: string
  leg: PricedLeg
  change: Exact
  baseChange: Exact
  posting: Extract<LedgerWork, { posting: unknown }>['posting']
  legNo: number
  accountId: string
  seq: number
  balanceAfter: string
  baseAfter: string
}

/**
 * The last statements of a transaction that posts: adds to the balances, in one order for everybody, and places the legs with their
 * number and the balance after them. An account is held from here to the commit only.
 * @throws ServiceError 10060059 for an account that would fall below what its leg allows, or whose currency is another one
 */
export async function settleLedger(tx: Executor, work: readonly LedgerWork[]): Promise<void> {
  const entries = work.flatMap((item) => ('posting' in item ? entriesOf(item.posting) : []))
  const touched = new Map<string, string>()
  let now = new Date(0)
  for (const item of work) {
    const at = 'posting' in item ? new Date(item.posting.at) : item.now
    if (at > now) now = at
    if ('refresh' in item) touched.set(item.refresh, '0')
  }
  if (entries.length > 0) {
    await addToBalances(tx, entries, now)
    await insertEntries(tx, entries)
    await noteLatePrepaid(tx, entries, now)
    await keepBalances(tx, entries)
    await keepEntityBalances(tx, entries)
  }
  for (const { leg, change, posting } of entries) {
    if (leg.account.kind !== 'customer') continue
    const given = posting.type === 'gift' ? change : new Exact(0)
    touched.set(leg.account.id, exactText(new Exact(touched.get(leg.account.id) ?? '0').plus(given)))
  }
  await refreshCredit(tx, touched, now)
  if (touched.size > 0) await settleSales(tx, [...touched.keys()])
}

/** The id that the ledger knows a system account by: one of each a company entity and currency. */
const ledgerId = ({ kind, id, currency }: PricedLeg['account'], companyEntityId: string): string =>
  kind === 'system' ? `${id}@${companyEntityId}:${currency}` : id

function entriesOf(posting: Entry['posting']): Entry[] {
  return posting.legs.map((leg, index) => {
    const accountId = ledgerId(leg.account, posting.companyEntityId)
    return {
      key: `${leg.account.kind}:${accountId}`,
      leg,
      posting,
      accountId,
      legNo: index + 1,
      change: signed(leg, leg.amount),
      baseChange: signed(leg, leg.base),
      seq: 0,
      balanceAfter: '0',
      baseAfter: '0',
    }
  })
}

async function addToBalances(tx: Executor, entries: readonly Entry[], now: Date): Promise<void> {
  const accounts = new Map<string, Entry[]>()
  for (const entry of entries) {
    const own = accounts.get(entry.key)
    if (own) own.push(entry)
    else accounts.set(entry.key, [entry])
  }
  const sorted = [...accounts].sort(([a], [b]) => (a < b ? -1 : 1))
  const sum = (of: readonly Entry[], which: 'change' | 'baseChange'): string =>
    exactText(of.reduce((all, entry) => all.plus(entry[which]), new Exact(0)))
  const rows = sorted.map(([id, own]) => ({
    id,
    account_kind: own[0]!.leg.account.kind,
    account_id: own[0]!.accountId,
    company_entity_id: own[0]!.posting.companyEntityId,
    currency: own[0]!.leg.account.currency,
    balance: sum(own, 'change'),
    base: sum(own, 'baseChange'),
    last_seq: own.length,
  }))
  const at = now.toISOString()
  const { rows: after } = await tx.query<{ id: string; balance: string; base: string; lastSeq: number; currency: string }>(
    sql`insert into fin_account_balance as b (id, account_kind, account_id, company_entity_id, currency, balance, base, last_seq, frozen, unposted, created_at, updated_at, version)
      select g.id, g.account_kind, g.account_id, g.company_entity_id, g.currency, g.balance, g.base, g.last_seq, 0, 0, ${at}::timestamptz, ${at}::timestamptz, 1
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(id text, account_kind text, account_id text, company_entity_id text, currency text, balance numeric, base numeric, last_seq bigint)
      order by g.id collate "C"
      on conflict (id) do update set balance = b.balance + excluded.balance, base = b.base + excluded.base, last_seq = b.last_seq + excluded.last_seq, updated_at = excluded.updated_at
      returning b.id, b.balance::text as balance, b.base::text as base, b.last_seq as "lastSeq", b.currency`,
  )
  for (const { id, balance, base, lastSeq, currency } of after) {
    const own = accounts.get(id)!
    checkAccount(own, balance, currency)
    let [reached, worth, seq] = [
      new Exact(balance).minus(sum(own, 'change')),
      new Exact(base).minus(sum(own, 'baseChange')),
      Number(lastSeq) - own.length,
    ]
    for (const entry of own) {
      reached = reached.plus(entry.change)
      worth = worth.plus(entry.baseChange)
      seq += 1
      Object.assign(entry, { seq, balanceAfter: stored(reached), baseAfter: stored(worth) })
    }
  }
}

function checkAccount(own: readonly Entry[], balance: string, currency: string): void {
  const { leg, posting } = own[0]!
  const code = posting.sourceCode ?? posting.sourceId
  if (currency !== leg.account.currency)
    throw new ServiceError('factsChanged', {
      message: {
        zh: `账户币种为 ${currency}，${code} 的金额为 ${leg.account.currency}，请确认后重新提交。`,
        en: `The account is kept in ${currency}, and ${code} gives ${leg.account.currency}. Please check it and submit again.`,
      },
    })
  for (const { leg: one, change } of own)
    if (one.atLeast !== undefined && change.isNegative() && new Exact(balance).lt(one.atLeast))
      throw new ServiceError('factsChanged', {
        message: {
          zh: `余额不足：${code} 入账后余额将为 ${exactText(new Exact(balance))} ${currency}，不能低于 ${one.atLeast}。请确认后重新提交。`,
          en: `The balance does not cover ${code}: it would be ${exactText(new Exact(balance))} ${currency} and may not fall below ${one.atLeast}. Please check it and submit again.`,
        },
        data: { field: 'balance', value: exactText(new Exact(balance)) },
      })
}

async function insertEntries(tx: Executor, entries: readonly Entry[]): Promise<void> {
  const modes = await modesOf(tx, entries)
  const rows = entries.map(({ leg, posting, legNo, accountId, seq, balanceAfter, baseAfter, change }) => ({
    id: newId(),
    posting_id: posting.id,
    leg_no: legNo,
    account_kind: leg.account.kind,
    account_id: accountId,
    account_seq: seq,
    direction: leg.direction,
    amount: leg.amount,
    currency: leg.account.currency,
    signed_amount: exactText(change),
    balance_after: balanceAfter,
    base_rate: leg.rate,
    base_amount: leg.base,
    base_after: baseAfter,
    type: leg.type ?? posting.type,
    biz_date: posting.bizDate,
    service_day: posting.serviceDay ?? posting.bizDate,
    posted_at: posting.at,
    posted_by: posting.staffId || null,
    source_type: posting.sourceType,
    source_id: posting.sourceId,
    source_code: posting.sourceCode ?? null,
    company_entity_id: posting.companyEntityId,
    customer_id: leg.account.customerId ?? null,
    supplier_id: leg.account.supplierId ?? null,
    product: leg.product ?? null,
    bill_id: leg.billId ?? null,
    pay_mode: leg.account.kind === 'customer' ? (modes.get(modeKey(accountId, posting)) ?? null) : null,
    memo: posting.memo ?? null,
    created_at: posting.at,
    updated_at: posting.at,
    created_by: posting.staffId,
    updated_by: posting.staffId,
    version: 1,
  }))
  await tx.query(
    sql`insert into fin_ledger_entry select * from jsonb_populate_recordset(null::fin_ledger_entry, ${JSON.stringify(rows)}::jsonb)`,
  )
}

/** Of entries of customers: how their account was paid on the day of service, which decides who is asked, whatever it is when a bill is made. */
async function modesOf(tx: Executor, entries: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
  const days = new Map(
    entries
      .filter(({ leg }) => leg.account.kind === 'customer')
      .map(({ accountId, posting }) => [modeKey(accountId, posting), { account: accountId, day: dayOfService(posting) }]),
  )
  if (days.size === 0) return new Map()
  const { rows } = await tx.query<{ account: string; day: string; mode: string | null }>(
    sql`select g.account, g.day::text as day, fin_pay_mode_on(g.account, g.day, ${tx.companyTimeZone}) as mode from jsonb_to_recordset(${JSON.stringify([...days.values()])}::jsonb) as g(account text, day date)`,
  )
  return new Map(rows.flatMap(({ account, day, mode }) => (mode === null ? [] : [[`${account} ${day}`, mode] as const])))
}

const dayOfService = ({ bizDate, serviceDay }: Entry['posting']): string => serviceDay ?? bizDate
const modeKey = (accountId: string, posting: Entry['posting']): string => `${accountId} ${dayOfService(posting)}`

/**
 * What an account used while it was prepaid and is posted after it became post-paid is on no bill: it is taken from the balance of before (money 8.4), or given back to it.
 */
async function noteLatePrepaid(tx: Executor, entries: readonly Entry[], now: Date): Promise<void> {
  const own = entries.filter(
    ({ leg, posting }) => leg.account.kind === 'customer' && CONSUMPTION.includes(leg.type ?? posting.type),
  )
  if (own.length === 0) return
  const { rows } = await tx.query<{ accountId: string; customerId: string | null; currency: string; used: string; day: string }>(
    sql`select e.account_id as "accountId", a.customer_id as "customerId", e.currency, (-sum(e.signed_amount))::text as used, max(e.biz_date)::text as day
      from fin_ledger_entry e join fin_customer_account a on a.id = e.account_id and a.pay_mode = 'postpaid'
      where e.posting_id = any(${sql.param([...new Set(own.map(({ posting }) => posting.id))])}::text[]) and e.account_kind = 'customer' and e.pay_mode = 'prepaid'
        and e.type = any(${sql.param([...CONSUMPTION])}::text[]) group by 1, 2, 3 having sum(e.signed_amount) <> 0`,
  )
  if (rows.length === 0) return
  const at = now.toISOString()
  const noted = rows.map(({ accountId, customerId, currency, used, day }) => {
    const id = newId()
    const amount = new Exact(used)
    return {
      ...{ id, code: `TK${day.replaceAll('-', '')}-${id.slice(-6)}`, kind: amount.isNegative() ? 'balance' : 'toPrepaid' },
      ...{ account_id: accountId, customer_id: customerId, currency, amount: exactText(amount.abs()), allocated_amount: '0' },
      ...{
        unallocated: exactText(new Exact(0).minus(amount)),
        paid_at: day,
        status: 'posted',
        created_at: at,
        updated_at: at,
        version: 1,
      },
    }
  })
  await tx.query(
    sql`insert into fin_bill_refund select * from jsonb_populate_recordset(null::fin_bill_refund, ${JSON.stringify(noted)}::jsonb)`,
  )
}

/** Where a balance is shown; equipment is owed to the supplier himself. */
const KEPT = [
  ['main', 'fin.mainAccount'],
  ['supplier', 'srm.supplierAccount'],
  ['supplier', 'srm.equipmentSupplier'],
  ['bank', 'sys.bankAccount'],
] as const

/** The balances that main, supplier and bank accounts show; customers' are worked out with their credit. */
async function keepBalances(tx: Executor, entries: readonly Entry[]): Promise<void> {
  for (const [kind, entity] of KEPT) {
    const ids = [...new Set(entries.filter(({ leg }) => leg.account.kind === kind).map(({ accountId }) => accountId))]
    if (ids.length === 0) continue
    await tx.query(
      sql`update ${sql.raw(tableOf(entity))} a set balance = b.balance from fin_account_balance b
        where b.account_kind = ${kind} and b.account_id = a.id and a.id = any(${sql.param(ids)}::text[])`,
    )
  }
}

/** Both sides of settlement accounts between our entities, and what they differ by: they mirror each other (I16). */
async function keepEntityBalances(tx: Executor, entries: readonly Entry[]): Promise<void> {
  const own = entries.filter(({ leg }) => leg.account.kind === 'entity').map(({ accountId }) => accountId.split(':', 1)[0]!)
  const ids = [...new Set(own)]
  if (ids.length === 0) return
  await tx.query(
    sql`update fin_entity_account a set balance = g.seller, buyer_balance = g.buyer, difference = g.seller + g.buyer from (
        select x.id, coalesce(s.balance, 0) as seller, coalesce(b.balance, 0) as buyer from unnest(${sql.param(ids)}::text[]) as x(id)
          left join fin_account_balance s on s.id = 'entity:' || x.id || ':seller' left join fin_account_balance b on b.id = 'entity:' || x.id || ':buyer') g
      where a.id = g.id`,
  )
}
