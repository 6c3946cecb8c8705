import Decimal from 'decimal.js'
import { verifyModules } from '../../gateway/modules'
import type { TestGateway } from '../support/gateway'
import { COMPANY } from './company'
import type { GUIDE } from './guide'
import type { Row } from './figures'

type Rows = Record<string, Row>
type Documents = ReadonlyMap<string, { entity: string; id: string }>

const n = (value: string): string => `trim_scale(${value})::text`
const CONSUMED = `('usage', 'fee', 'adjustment')`
/** Notes that name an issued bill, and their reversals: they are on that bill. */
const ON_BILL = `(select posting_id from fin_adjustment where bill_id is not null union select p.id from fin_posting p join fin_adjustment a on p.reverses_id = a.posting_id where a.bill_id is not null)`

/** What the portal has, in the groups of the expected figures. */
export async function foundIn(
  { gateway: { database } }: TestGateway,
  documents: Documents,
): Promise<Record<keyof typeof GUIDE, Rows>> {
  const query = async (text: string): Promise<Row[]> => (await database.query<Row>(text)).rows
  const has = async (table: string, column: string): Promise<boolean> =>
    (
      await query(
        `select column_name as name from information_schema.columns where table_name = '${table}' and column_name = '${column}'`,
      )
    ).length > 0
  const serviceDay = (await has('fin_ledger_entry', 'service_day')) ? 'coalesce(e.service_day, e.biz_date)' : 'e.biz_date'
  const nameOf = (id: string): string => [...documents].find(([, document]) => document.id === id)?.[0] ?? id

  /** Rows with a `key`, and what else they have; empty fields are left out. */
  const keyed = async (text: string): Promise<Rows> =>
    Object.fromEntries(
      (await query(text)).map(({ key, ...row }) => [
        key,
        Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
      ]),
    )
  /** Rows with `key`, `name` and `value`: one field each. */
  const fields = async (text: string): Promise<Rows> => {
    const rows: Rows = {}
    for (const { key = '', name = '', value = '' } of await query(text)) rows[key] = { ...rows[key], [name]: value }
    return rows
  }

  const accounts = await keyed(
    `select account_id as key, currency, ${n('balance')} as balance, ${n('base')} as base from fin_account_balance where account_kind in ('customer', 'main', 'supplier', 'bank')`,
  )
  const net = (column: string): string => `sum(case direction when 'debit' then ${column} else -${column} end)`
  const system = await fields(
    `select upper(replace(split_part(split_part(account_id, '@', 2), ':', 1), 'entity-', '')) || ' ' || split_part(account_id, '@', 1) || case when account_id like 'FXD@%' then '' else ' ' || currency end as key,
      case when account_id like 'FXD@%' then 'base' else 'amount' end as name, case when account_id like 'FXD@%' then ${n(net('base_amount'))} else ${n(net('amount'))} end as value
      from fin_ledger_entry where account_kind = 'system' group by account_id, currency`,
  )
  const bills = await keyed(
    `select account_id || ':' || period_from || case status when 'void' then '/void' else '' end as key, period_to::text as to, ${n('usage_amount')} as usage, ${n('fee_amount')} as fee,
      ${n('adjust_amount')} as adjustment, ${n('rounding_amount')} as rounding, ${n('tax_amount')} as tax, ${n('total')} as total, ${n('open_amount')} as open, status, issued_at::date::text as issued, due_date::text as due
      from fin_bill where side = 'customer' and deleted_at is null`,
  )
  const lines = await fields(
    `select b.account_id || ':' || b.period_from || case b.status when 'void' then '/void' else '' end as key, 'line ' || l.kind || ' ' || coalesce(l.product, '') as name, ${n('sum(l.amount)')} as value
      from fin_bill_line l join fin_bill b on b.id = l.bill_id where b.deleted_at is null and l.deleted_at is null and l.kind not in ('rounding', 'tax') group by b.id, l.kind, l.product`,
  )
  for (const [key, row] of Object.entries(lines)) bills[key] = { ...bills[key], ...row }
  const byDay = (kind: string, types: string, sign: string): Promise<Rows> =>
    fields(
      `select e.account_id || ' ' || ${serviceDay} || ' ' || coalesce(e.product, (select split_part(split_part(s.account_id, '@', 1), ':', 2) from fin_ledger_entry s where s.posting_id = e.posting_id and s.account_kind = 'system' and s.account_id ~ '^(REV|COS):' limit 1)) as key, e.type as name, ${n(`${sign}sum(e.signed_amount)`)} as value
        from fin_ledger_entry e where e.account_kind = '${kind}' and e.type in ${types} group by 1, 2 having sum(e.signed_amount) <> 0`,
    )
  const consumption = await byDay('customer', CONSUMED, '-')
  const cost = await byDay('supplier', `('cost', 'costAdjust')`, '-')
  const channels = await keyed(
    `select coalesce(channel_id, 'not routed') as key, sum(submitted)::text as submitted, sum(rejected)::text as rejected, sum(delivered)::text as delivered, sum(failed)::text as failed,
      sum(unknown)::text as unknown, sum(late)::text as late from rpt_sms_hour where product = 'sms' and deleted_at is null group by 1`,
  )
  for (const [what, currency] of [
    ['revenue', 'currency'],
    ['cost', 'cost_currency'],
  ] as const) {
    const money = await fields(
      `select coalesce(channel_id, 'not routed') as key, '${what} ' || ${currency} as name, ${n(`sum(${what})`)} as value from rpt_sms_hour
        where product = 'sms' and ${currency} is not null and deleted_at is null group by channel_id, ${currency}`,
    )
    for (const [key, row] of Object.entries(money)) channels[key] = { ...channels[key], ...row }
  }
  const tries = `select coalesce(channel_id, 'not routed') as channel, supplier_account_id, cost_amount, cost_day from biz_sms_attempt where deleted_at is null
    union all select coalesce(r.channel_id, 'not routed'), r.supplier_account_id, r.cost_amount, r.cost_day from biz_sms_record r where not exists (select 1 from biz_sms_attempt a where a.msg_id = r.msg_id)`
  for (const [key, row] of Object.entries(
    await keyed(`select channel as key, count(supplier_account_id)::text as tries from (${tries}) x group by 1`),
  ))
    channels[key] = { ...channels[key], ...row }
  const unbilledRows = `select e.account_id, e.biz_date, e.product, e.type, e.signed_amount from fin_ledger_entry e join fin_customer_account a on a.id = e.account_id
    where e.account_kind = 'customer' and e.pay_mode = 'postpaid' and e.type in ${CONSUMED} and e.bill_id is null and e.posting_id not in ${ON_BILL}`
  const unbilled = await fields(
    `select account_id as key, biz_date || ' ' || coalesce(product, '') || ' ' || type as name, ${n('-sum(signed_amount)')} as value from (${unbilledRows}) x group by account_id, biz_date, product, type having sum(signed_amount) <> 0`,
  )
  const left = await query(
    `select r.account_id as account, coalesce(r.recharge_id, r.adjustment_id, r.hedge_id, 'from before') as document, ${n('r.unallocated')} as value
      from fin_bill_refund r join fin_customer_account a on a.id = r.account_id where r.unallocated > 0 and r.kind <> 'refund' and a.pay_mode = 'postpaid' and r.deleted_at is null`,
  )
  const prepayment: Rows = {}
  for (const { account = '', document = '', value = '' } of left)
    prepayment[account] = { ...prepayment[account], [nameOf(document)]: value }
  const revaluation = await fields(
    `select to_char(e.biz_date, 'YYYY-MM') as key, case e.account_kind when 'system' then upper(replace(split_part(split_part(e.account_id, '@', 2), ':', 1), 'entity-', '')) || ' ' || split_part(e.account_id, '@', 1) || ' ' || e.currency else e.account_id end as name, ${n(net('e.base_amount'))} as value from fin_ledger_entry e join fin_posting p on p.id = e.posting_id
      where e.type = 'fxRevalue' and e.account_id not like 'FXD@%' and e.biz_date = (date_trunc('month', e.biz_date) + interval '1 month - 1 day')::date group by 1, 2 having ${net('e.base_amount')} <> 0`,
  )
  const credit = await keyed(
    `select id as key, ${n('coalesce(used, 0)')} as used, ${n('available')} as available, ${n('coalesce(refundable, 0)')} as refundable, ${n('coalesce(overdue_amount, 0)')} as overdue from fin_customer_account where deleted_at is null`,
  )
  const unrated = await keyed(
    `select supplier_account_id || ' ' || channel || ' ' || cost_day || ' sms' as key, count(*)::text as tries from (${tries}) x where supplier_account_id is not null and cost_amount is null group by supplier_account_id, channel, cost_day`,
  )
  return {
    ...{ accounts, system, bills, consumption, cost, channels, unbilled, prepayment, revaluation, credit, unrated },
    reconcile: await reconcile(),
  }

  /** The lines that the reckoning has too, and whatever the portal's own checks find. */
  async function reconcile(): Promise<Rows> {
    const [sums] = await query(
      `select ${n(net('base_amount'))} as trial, (select ${n(`coalesce(${net('base_amount')}, 0)`)} from fin_ledger_entry where account_id ~ '^(FXC|HDG)') as clearing,
        (select ${n('coalesce(-sum(signed_amount), 0)')} from fin_ledger_entry where account_kind = 'customer' and type = 'usage' and source_type = 'usageBatch' and source_id not in (select id from fin_usage)) as usage,
        (select ${n('coalesce(-sum(signed_amount), 0)')} from fin_ledger_entry where account_kind = 'supplier' and type = 'cost' and product <> 'number') as cost from fin_ledger_entry`,
    )
    const records = ['call', 'wa', 'mail', 'otp'].map((one) => `biz_${one}_record where deleted_at is null`)
    // a message with tries leaves its cost to them
    const sides = {
      revenue: [...records, 'biz_sms_record where deleted_at is null'],
      cost_amount: [
        ...records,
        'biz_sms_record where not coalesce(cost_by_attempts, false) and deleted_at is null',
        'biz_sms_attempt where deleted_at is null',
      ],
    }
    const total = async (column: keyof typeof sides): Promise<Decimal> => {
      const all = await Promise.all(
        sides[column].map((table) => query(`select ${n(`coalesce(sum(${column}), 0)`)} as value from ${table}`)),
      )
      return all.reduce((sum, [row]) => sum.plus(row?.value ?? 0), new Decimal(0))
    }
    const rows: Rows = {
      'trial balance': { difference: sums?.trial ?? '' },
      'conversion clearing': { difference: sums?.clearing ?? '' },
      'unposted revenue': { difference: (await total('revenue')).minus(sums?.usage ?? 0).toFixed() },
      'unposted cost': { difference: (await total('cost_amount')).minus(sums?.cost ?? 0).toFixed() },
    }
    const onDrafts = `select e.account_id, e.biz_date, e.product, e.type, e.signed_amount from fin_ledger_entry e join fin_bill b on b.id = e.bill_id where e.account_kind = 'customer' and b.status in ('draft', 'checking')`
    const standing = await query(
      `select a.id as account, a.pay_mode as mode, ${n('coalesce(a.balance, 0)')} as balance, (select ${n('coalesce(sum(b.open_amount), 0)')} from fin_bill b where b.account_id = a.id and b.deleted_at is null and b.status not in ('void', 'draft', 'checking')) as open,
        (select ${n('coalesce(sum(r.unallocated), 0)')} from fin_bill_refund r where r.account_id = a.id and r.kind <> 'refund' and r.deleted_at is null) as free,
        (select ${n('coalesce(-sum(u.signed_amount), 0)')} from (${unbilledRows} union all ${onDrafts}) u where u.account_id = a.id) as waiting from fin_customer_account a where a.deleted_at is null`,
    )
    for (const { account = '', mode, balance = '0', open = '0', free = '0', waiting = '0' } of standing) {
      if (!COMPANY.accounts.some(({ code }) => code === account)) continue
      if (mode === 'prepaid') rows[`${account} open bills`] = { difference: new Decimal(open).neg().toFixed() }
      else rows[`${account} balance`] = { difference: new Decimal(balance).minus(free).plus(open).plus(waiting).toFixed() }
    }
    for (const drift of await verifyModules(database, { fix: false }))
      if (drift.drifted > 0) rows[`reconcile: ${drift.field}`] = { difference: String(drift.drifted) }
    return rows
  }
}
