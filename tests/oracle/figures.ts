import Decimal from 'decimal.js'
import { creditOf } from './credit'
import { GUIDE } from './guide'
import type { Books } from './reckon'
import type { Entry } from './ledger'

const ZERO = new Decimal(0)

export type Row = Record<string, string>
type Group = { guide: string[]; figures: Record<string, Row> }
/** Group of figures by its name: where it follows from, and its rows by what they are of. */
export type Figures = Record<keyof typeof GUIDE, Group>

/** The figures that the play is compared by; decimals without trailing zeros. */
export function figuresOf(books: Books): Figures {
  const rows: Record<keyof typeof GUIDE, Record<string, Row>> = {
    accounts: accounts(books),
    system: system(books),
    bills: billRows(books),
    consumption: consumption(books, 'customer', ['usage', 'fee', 'adjustment']),
    cost: consumption(books, 'supplier', ['cost', 'costAdjust']),
    channels: channels(books),
    unbilled: unbilled(books),
    prepayment: prepayment(books),
    revaluation: Object.fromEntries(
      Object.entries(books.revaluations).map(([month, changes]) => [
        month,
        Object.fromEntries(Object.entries(changes).map(([code, change]) => [code, text(change)])),
      ]),
    ),
    credit: credit(books),
    unrated: unrated(books),
    reconcile: reconcile(books),
  }
  return Object.fromEntries(
    Object.entries(rows).map(([name, figures]) => [name, { guide: GUIDE[name as keyof typeof GUIDE], figures }]),
  ) as Figures
}

/** Balance on the normal side (positive: his money at us, ours at a supplier, at a bank) and its worth in CNY. */
function accounts({ company, ledger }: Books): Record<string, Row> {
  const rows: Record<string, Row> = {}
  for (const kind of ['customer', 'main', 'supplier', 'bank'] as const) {
    const list = { customer: company.accounts, main: company.mains, supplier: company.suppliers, bank: company.banks }[kind]
    for (const { code, currency } of list) {
      const sign = kind === 'customer' || kind === 'main' ? -1 : 1
      const where = (entry: Entry): boolean => entry.kind === kind && entry.account === code
      rows[code] = { currency, balance: text(ledger.net(where).times(sign)), base: text(ledger.net(where, 'base').times(sign)) }
    }
  }
  return rows
}

/** Debit less credit of each system account; clearing accounts have base 0, exchange differences have no amount. */
function system({ ledger }: Books): Record<string, Row> {
  const rows: Record<string, Row> = {}
  for (const { entity, account, currency } of ledger.entries.filter((entry) => entry.kind === 'system')) {
    const where = (entry: Entry): boolean => entry.kind === 'system' && entry.entity === entity && entry.account === account
    if (account === 'FXD') rows[`${entity} FXD`] = { base: text(ledger.net(where, 'base')) }
    else
      rows[`${entity} ${account} ${currency}`] ??= {
        amount: text(ledger.net((entry) => where(entry) && entry.currency === currency)),
      }
  }
  return sorted(rows)
}

function billRows({ bills }: Books): Record<string, Row> {
  const rows: Record<string, Row> = {}
  for (const bill of bills.bills) {
    rows[bill.id] = {
      to: bill.to,
      usage: text(bill.usage),
      fee: text(bill.fee),
      adjustment: text(bill.adjustment),
      rounding: text(bill.rounding),
      tax: text(bill.tax),
      total: text(bill.total),
      open: text(bills.open(bill)),
      status: bills.status(bill),
      issued: bill.issued,
      due: bill.due,
      ...Object.fromEntries(Object.entries(bill.lines).map(([line, amount]) => [`line ${line}`, text(amount)])),
    }
  }
  return sorted(rows)
}

function consumption({ ledger }: Books, kind: 'customer' | 'supplier', types: string[]): Record<string, Row> {
  const sums = new Map<string, Record<string, Decimal>>()
  for (const entry of ledger.entries) {
    if (entry.kind !== kind || !types.includes(entry.type)) continue
    const key = `${entry.account} ${entry.serviceDay} ${entry.product}`
    const row = sums.get(key) ?? {}
    const amount = (kind === 'customer') === (entry.side === 'D') ? entry.amount : entry.amount.neg()
    sums.set(key, { ...row, [entry.type]: (row[entry.type] ?? ZERO).plus(amount) })
  }
  return sorted(
    Object.fromEntries(
      [...sums]
        .filter(([, row]) => Object.values(row).some((amount) => !amount.isZero()))
        .map(([key, row]) => [key, Object.fromEntries(Object.entries(row).map(([type, amount]) => [type, text(amount)]))]),
    ),
  )
}

/** A message counts on the channel of its last try, what a try costs on the channel of the try (quotes-traffic 7.2). */
function channels({ records, company }: Books): Record<string, Row> {
  const rows: Record<string, Row> = {}
  const messages = [...records.all.values()].filter((record) => record.product === 'sms')
  for (const channel of [...company.routes.filter((one) => one.kind === 'channel').map((one) => one.code), '']) {
    const own = messages.filter((record) => (record.tries.at(-1)?.route ?? '') === channel)
    const tries = messages
      .flatMap((record) => record.tries.map((one) => ({ ...one, units: record.units })))
      .filter((one) => one.route === channel)
    const count = (state: string): string => String(own.filter((record) => record.state === state).length)
    rows[channel || 'not routed'] = {
      submitted: String(own.length),
      rejected: count('rejected'),
      delivered: count('delivered'),
      failed: count('failed'),
      unknown: count('unknown'),
      late: String(own.filter((record) => record.late).length),
      tries: String(tries.length),
      ...byCurrency(
        'revenue',
        own.map((record) => [record.account, record.revenue]),
        company.accounts,
      ),
      ...byCurrency(
        'cost',
        tries.map((one) => [one.supplier, one.cost ?? ZERO]),
        company.suppliers,
      ),
    }
  }
  return rows
}

function byCurrency(
  what: string,
  amounts: [account: string, amount: Decimal][],
  accounts: { code: string; currency: string }[],
): Row {
  const sums: Record<string, Decimal> = {}
  for (const [code, amount] of amounts) {
    const key = `${what} ${accounts.find((account) => account.code === code)?.currency ?? ''}`
    sums[key] = (sums[key] ?? ZERO).plus(amount)
  }
  return Object.fromEntries(Object.entries(sums).map(([key, sum]) => [key, text(sum)]))
}

function unbilled({ company, bills }: Books): Record<string, Row> {
  const rows: Record<string, Row> = {}
  for (const { code } of company.accounts) {
    for (const entry of bills.unbilled(code)) {
      const key = `${entry.day} ${entry.product} ${entry.type}`
      const amount = new Decimal(rows[code]?.[key] ?? 0).plus(entry.side === 'D' ? entry.amount : entry.amount.neg())
      rows[code] = { ...rows[code], [key]: text(amount) }
    }
  }
  return rows
}

/** What bills may still take: receipts that are on none, and what was there before the account became post-paid. */
function prepayment({ company, bills }: Books): Record<string, Row> {
  const rows: Record<string, Row> = {}
  for (const { code } of company.accounts.filter((account) => bills.modeOn(account.code, '9999-12-31') === 'postpaid')) {
    const left = bills.credits.filter((credit) => credit.account === code && credit.left.gt(0))
    const before = bills.fromBefore(code)
    const row = Object.fromEntries(left.map((credit) => [credit.id, text(credit.left)]))
    if (before.gt(0)) row['from before'] = text(before)
    if (Object.keys(row).length > 0) rows[code] = row
  }
  return rows
}

/** Without credit limits, at the end of the play. */
function credit({ company, ledger, bills, today }: Books): Record<string, Row> {
  const rows: Record<string, Row> = {}
  for (const { code, currency } of company.accounts) {
    const own = bills.bills.filter((bill) => bill.account.code === code)
    const postings = new Set(
      ledger.entries.filter((entry) => entry.type === 'gift' && entry.account === 'GFT').map((entry) => entry.posting),
    )
    const gift = ledger.net((entry) => entry.kind === 'customer' && entry.account === code && postings.has(entry.posting)).neg()
    const { used, available, refundable, overdue } = creditOf({
      balance: ledger.net((entry) => entry.kind === 'customer' && entry.account === code).neg(),
      unposted: ZERO,
      frozen: ZERO,
      limit: ZERO,
      gift,
      bills: own.map((bill) => ({ open: bills.open(bill), due: bill.due })),
      today,
      graceDays: 7,
      decimals: company.decimals[currency],
    })
    rows[code] = { used: text(used), available: text(available), refundable: text(refundable), overdue: text(overdue) }
  }
  return rows
}

/** Tries without a cost rate: counted and named, never 0. */
function unrated({ records }: Books): Record<string, Row> {
  const rows: Record<string, Row> = {}
  for (const record of records.all.values()) {
    for (const one of record.tries.filter((try_) => try_.cost === null)) {
      const key = `${one.supplier} ${one.route} ${one.day} ${record.product}`
      rows[key] = { tries: String(Number(rows[key]?.tries ?? 0) + 1) }
    }
  }
  return rows
}

/** Each line of the reconcile is zero; what is left is explained by `unbilled` and `unrated`. */
function reconcile({ company, ledger, bills, records }: Books): Record<string, Row> {
  const all = [...records.all.values()]
  const revenue = all.reduce((sum, record) => sum.plus(record.revenue.minus(record.posted)), ZERO)
  const cost = all.flatMap((record) => record.tries).reduce((sum, one) => sum.plus((one.cost ?? ZERO).minus(one.posted)), ZERO)
  const rows: Record<string, Row> = {
    'trial balance': { difference: text(ledger.net(() => true, 'base')) },
    'conversion clearing': {
      difference: text(ledger.net((entry) => entry.account === 'FXC' || entry.account.startsWith('HDG:'), 'base')),
    },
    'unposted revenue': { difference: text(revenue) },
    'unposted cost': { difference: text(cost) },
  }
  for (const { code, mode } of company.accounts) {
    const own = bills.bills.filter((bill) => bill.account.code === code)
    const balance = ledger.net((entry) => entry.kind === 'customer' && entry.account === code).neg()
    const onBills = own.reduce((sum, bill) => sum.minus(bills.open(bill)), ZERO)
    const waiting = bills
      .unbilled(code)
      .reduce((sum, entry) => (entry.side === 'D' ? sum.minus(entry.amount) : sum.plus(entry.amount)), ZERO)
    const credits = bills.credits.filter((credit) => credit.account === code).reduce((sum, credit) => sum.plus(credit.left), ZERO)
    if (bills.modeOn(code, '9999-12-31') === 'prepaid') rows[`${code} open bills`] = { difference: text(onBills) }
    else if (mode === 'postpaid' || own.length > 0) {
      const explained = onBills.plus(waiting).plus(credits).plus(bills.fromBefore(code))
      rows[`${code} balance`] = { difference: text(balance.minus(explained)) }
    }
  }
  return rows
}

function text(amount: Decimal): string {
  return amount.toFixed()
}

function sorted(rows: Record<string, Row>): Record<string, Row> {
  return Object.fromEntries(Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1)))
}
