import Decimal from 'decimal.js'
import { Bills } from './bills'
import { lastOfMonth, plusDays } from './calendar'
import { Documents } from './documents'
import { Fees } from './fees'
import { figuresOf, type Figures } from './figures'
import { Ledger, type Entry, type Leg } from './ledger'
import { round } from './rating'
import { isTraffic, Records, type TrafficRecord } from './records'
import type { Act, ActOf, Company, Currency, Day, Product } from './model'

const ZERO = new Decimal(0)

/** Everything that the reckoning holds when the play is over. */
export interface Books {
  company: Company
  ledger: Ledger
  bills: Bills
  records: Records
  /** What each month's end was revalued by: month, account, CNY. */
  revaluations: Record<string, Record<string, Decimal>>
  /** The day of the last act. */
  today: Day
}

/** What the books of a company must say after its acts: a pure function of both. */
export function reckon(company: Company, acts: Act[], begin: Day): Figures {
  return figuresOf(play(company, acts, begin))
}

/** Plays the acts in their order. */
export function play(company: Company, acts: Act[], begin: Day): Books {
  const ledger = new Ledger(company)
  const bills = new Bills(company, ledger, begin)
  const records = new Records(company)
  const books: Books = { company, ledger, bills, records, revaluations: {}, today: begin }
  const documents = new Documents(company, ledger, bills)
  const fees = new Fees(company, ledger)
  for (const act of acts) {
    books.today = act.at.slice(0, 10)
    if (isTraffic(act)) records.add(act)
    else if (act.act === 'receipts') receive(books, act)
    else if (act.act === 'number') fees.activate(act)
    else if (act.act === 'numberPrice') fees.reprice(act)
    else if (act.act === 'numberRelease') fees.release(act)
    else if (act.act === 'zone') records.changeZone(act.supplier, act.zone, act.from)
    else if (act.act === 'jobs') run(books, fees, act)
    else if (act.act === 'repeat') repeat(books, documents, acts, act)
    else documents.play(act)
  }
  return books
}

/** What comes twice is there once (money 1.4, I13). */
function repeat(books: Books, documents: Documents, acts: Act[], act: ActOf<'repeat'>): void {
  const again = acts.find((one) => 'id' in one && one.id === act.of)
  if (!again) throw new Error(`There is no ${act.of}`)
  const before = books.ledger.entries.length + books.records.all.size
  if (isTraffic(again)) books.records.add(again)
  else if (again.act === 'receipt') documents.play(again)
  else throw new Error(`${act.of} cannot be repeated`)
  if (books.ledger.entries.length + books.records.all.size !== before) throw new Error(`${act.of} counted twice`)
}

function run(books: Books, fees: Fees, act: ActOf<'jobs'>): void {
  const at = Date.parse(act.at)
  const today = act.at.slice(0, 10)
  for (const job of act.run) {
    if (job === 'usage') postTraffic(books, act.at)
    if (job === 'changes') books.bills.change(at)
    if (job === 'fees') fees.run(at)
    if (job === 'revalue') revalue(books, today)
    if (job === 'bills') books.bills.run(at, today)
  }
}

/** Receipts before the day is locked change the message; later ones are counted as late and post today (quotes-traffic 7.1). */
function receive(books: Books, act: ActOf<'receipts'>): void {
  const today = act.at.slice(0, 10)
  for (const id of act.messages) {
    const record = books.records.all.get(id)
    if (!record) throw new Error(`There is no message ${id}`)
    const { revenue, costs } = record.rated(act.state)
    if (books.records.locked(record, Date.parse(act.at))) {
      record.late = true
      adjust(books, record, today, revenue, costs)
      continue
    }
    record.state = act.state
    record.revenue = revenue
    record.tries.forEach((one, index) => (one.cost = costs[index] ?? null))
    const last = record.tries.at(-1)
    if (last) last.state = act.state
  }
}

function adjust(books: Books, record: TrafficRecord, day: Day, revenue: Decimal, costs: (Decimal | null)[]): void {
  const more = revenue.minus(record.revenue)
  // What was charged as unknown is not given back.
  if (more.gt(0)) postRevenue(books, `late:${record.id}`, 'adjustment', record.account, record.product, day, more)
  record.tries.forEach((one, index) => {
    const dearer = (costs[index] ?? ZERO).minus(one.cost ?? ZERO)
    if (dearer.gt(0)) postCost(books, `late:${record.id}:${index}`, 'costAdjust', one.supplier, record.product, day, dearer)
  })
}

/** One posting for each account, product and day with what is not posted yet; cost from each try to its own account and day. */
function postTraffic(books: Books, at: string): void {
  const sums = new Map<string, { post: (amount: Decimal) => void; amount: Decimal }>()
  const add = (key: string, amount: Decimal, post: (amount: Decimal) => void): void => {
    const sum = sums.get(key) ?? { post, amount: ZERO }
    sums.set(key, { ...sum, amount: sum.amount.plus(amount) })
  }
  for (const record of books.records.all.values()) {
    const { account, product, day } = record
    const key = `usage:${account}:${product}:${day}:${at}`
    add(key, record.revenue.minus(record.posted), (amount) => postRevenue(books, key, 'usage', account, product, day, amount))
    record.posted = record.revenue
    for (const one of record.tries) {
      if (one.cost === null) continue
      const costKey = `cost:${one.supplier}:${product}:${one.day}:${at}`
      add(costKey, one.cost.minus(one.posted), (amount) =>
        postCost(books, costKey, 'cost', one.supplier, product, one.day, amount),
      )
      one.posted = one.cost
    }
  }
  for (const { post, amount } of sums.values()) if (!amount.isZero()) post(amount)
}

function postRevenue(books: Books, key: string, type: string, code: string, product: Product, day: Day, amount: Decimal): void {
  const account = books.company.accounts.find((one) => one.code === code)
  if (!account) throw new Error(`Unknown account ${code}`)
  const [debit, credit] = amount.gt(0) ? (['D', 'C'] as const) : (['C', 'D'] as const)
  const leg = { currency: account.currency, amount: amount.abs() }
  books.ledger.post({ key, type, entity: account.entity, day, product }, [
    { ...leg, kind: 'customer', account: code, side: debit },
    { ...leg, kind: 'system', account: `REV:${product}`, side: credit },
  ])
}

function postCost(books: Books, key: string, type: string, code: string, product: Product, day: Day, amount: Decimal): void {
  const supplier = books.company.suppliers.find((one) => one.code === code)
  if (!supplier) throw new Error(`Unknown supplier ${code}`)
  const [debit, credit] = amount.gt(0) ? (['D', 'C'] as const) : (['C', 'D'] as const)
  const leg = { currency: supplier.currency, amount: amount.abs() }
  books.ledger.post({ key, type, entity: supplier.entity, day, product }, [
    { ...leg, kind: 'system', account: `COS:${product}`, side: debit },
    { ...leg, kind: 'supplier', account: code, side: credit },
  ])
}

/** Month end (money 1.3, L7): money and what is owed is worth the month-end rate; reversed on the first. */
function revalue(books: Books, today: Day): void {
  const end = plusDays(`${today.slice(0, 7)}-01`, -1)
  const month = end.slice(0, 7)
  if (end !== lastOfMonth(month)) throw new Error(`${end} ends no month`)
  const { accounts, suppliers, banks, mains } = books.company
  const suspense = banks.map(({ currency, entity }) => ({ code: 'SUS', currency, entity }))
  const lists: [Leg['kind'], { code: string; currency: Currency; entity: string }[]][] = [
    ['system', suspense],
    ['customer', accounts],
    ['main', mains],
    ['supplier', suppliers],
    ['bank', banks],
  ]
  const changes: Record<string, Decimal> = {}
  for (const [kind, list] of lists) {
    for (const { code, currency, entity } of list) {
      const where = (entry: Entry): boolean =>
        entry.kind === kind &&
        entry.account === code &&
        entry.entity === entity &&
        entry.currency === currency &&
        entry.day <= end
      const worth = round(books.ledger.net(where).times(books.ledger.rate(currency, end)), 6)
      const change = worth.minus(books.ledger.net(where, 'base'))
      if (change.isZero()) continue
      const name = kind === 'system' ? `${entity} ${code} ${currency}` : code
      changes[name] = change
      const zero = { amount: ZERO, base: change.abs() }
      for (const [key, day, up] of [
        [`fxrev:${name}:${month}`, end, change.gt(0)],
        [`fxrev:${name}:${month}:rev`, plusDays(end, 1), !change.gt(0)],
      ] as const) {
        books.ledger.post({ key, type: 'fxRevalue', entity, day }, [
          { ...zero, kind, account: code, currency, side: up ? 'D' : 'C' },
          { ...zero, kind: 'system', account: 'FXD', currency: 'CNY', side: up ? 'C' : 'D' },
        ])
      }
    }
  }
  books.revaluations[month] = changes
}
