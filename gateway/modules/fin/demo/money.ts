import { sql } from 'drizzle-orm'
import type { DemoRecord, DemoWorld } from '../../../demo'
import type { Entities, EntityRecord } from '../../../entities'
import { addDays, dayOf, type Day } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'
import { Exact, exactText } from '../../../../src/schema/formats'
import { openingStock, received, sold, spent, takenBack } from '../ledger/goods'
import { monthsToWrite, writeCustomerMonth } from '../ledger/months'
import { cost, costProduct, mirrored, opening, priced, receipt } from '../ledger/rules'
import { settleLedger, type LedgerWork } from '../ledger/settle'
import { countDays } from '../ledger/supplierDays'
import { writeSnapshots } from '../ledger/snapshots'
import type { LedgerAccount, Leg } from '../ledger/types'
import { BANK_OPENING, bankId, BANKS, cycleId, OPENED_DAYS, ENTITIES, entityId } from './base'
import { add, instant, monthsBack, put, type Books, type Head } from './books'
import { makeChecks } from './checks'
import { fillKingdee } from './kingdee'
import { returnedMoney, unclaimedMoney } from './lines'
import { collected, noted, paidOut, refunded } from './paid'
import { productOf, used } from './usage'
import { vendorMoney } from './vendors'

/** Days of usage that are posted one by one; what was before lies in the opening balance or in a bill. */
const USED_DAYS = 8

/**
 * Money of the demo world, when its accounts are there: openings, recharges, usage of the last days, bills of last month, credit
 * lines. Balances and stages are what follows from the entries.
 */
export async function fillMoney(world: DemoWorld, entities: Entities, tx: Executor): Promise<void> {
  const today = dayOf(world.now, world.timeZone)
  const books: Books = {
    world,
    today,
    random: world.random.fork('money'),
    rates: lastRates(world, addDays(today, -30)),
    postings: [],
    rows: {},
    accounts: [],
    imported: { prepaid: new Set(), postpaid: new Set() },
  }
  openBanks(books)
  for (const [index, row] of (world.rows['srm.supplierAccount'] ?? []).entries()) supplierMoney(books, row, index)
  returnedMoney(books)
  vendorMoney(books)
  unclaimedMoney(books)
  const days = daysByAccount(world)
  for (const [index, row] of (world.rows['fin.customerAccount'] ?? []).entries())
    if (row.status !== 'closed' && row.product !== 'device') customerMoney(books, row, index, days.get(row.id) ?? [])
  stockMoney(books)
  makeChecks(books)
  await write(books, entities, tx)
}

/** What our banks had when the ledger began: the documents, and their postings. */
function openBanks(books: Books): void {
  const day = addDays(books.today, -OPENED_DAYS)
  for (const [index, [code, currency]] of BANKS.entries()) {
    const id = bankId(code, currency)
    const number = `QC${day.replaceAll('-', '')}${String(index + 1).padStart(4, '0')}`
    const postingId = put(
      books,
      { type: 'opening', day, entity: code, source: ['opening', `open-${id}`, number] },
      opening({ kind: 'bank', id, currency }, BANK_OPENING),
    )
    add(books, 'fin.bankOpening', {
      ...{ id: `open-${id}`, code: number, bankAccountId: id, day, amount: BANK_OPENING, status: 'posted', postingId },
      ...{ createdAt: instant(day), createdBy: '' },
    })
  }
}

/** What the documents of stock brought to the ledger, as their postings would have. */
function stockMoney(books: Books): void {
  const { rows } = books.world
  const suppliers = new Map((rows['srm.equipmentSupplier'] ?? []).map((supplier) => [supplier.id, supplier]))
  const entity = ENTITIES[0].code
  const documents = [...(rows['srm.stockIn'] ?? []), ...(rows['srm.stockOut'] ?? [])]
  for (const { id, code, kind, status, postedAt, totalCost, supplierId, ...sale } of documents) {
    if (typeof postedAt !== 'string') continue
    const cost = String(totalCost)
    const head = (type: string, more = ''): Head => ({
      ...{ type, entity, day: dayOf(new Date(postedAt), books.world.timeZone) },
      source: ['stockDoc', `${id}${more}`, String(code)],
    })
    const reversed = (type: string, legs: readonly Leg[]): void => {
      const reversesId = put(books, head(type), legs)
      if (status !== 'reversed') return
      put(books, head(type, '-rev'), mirrored(priced(legs, books.rates)))
      Object.assign(books.postings.at(-1)!, { reversesId, idemKey: `rev:${reversesId}` })
    }
    const supplier = suppliers.get(String(supplierId))
    if (kind === 'opening') reversed('opening', openingStock(cost))
    else if (kind === 'purchase' && supplier) {
      const currency = String(supplier.currency)
      const owed = exactText(new Exact(cost).dividedBy(books.rates.get(currency)!).toDecimalPlaces(2))
      reversed('purchaseReceipt', received({ cost, owed, supplier: { kind: 'supplier', id: String(supplierId), currency } }))
    } else if (kind === 'sale' || kind === 'saleReturn') {
      const currency = String(sale.currency)
      const account = (rows['fin.customerAccount'] ?? []).find(
        (one) => one.product === 'device' && one.customerId === sale.customerId && one.currency === currency,
      )
      if (!account) continue
      const owing: LedgerAccount = { kind: 'customer', id: account.id, currency, customerId: String(sale.customerId) }
      const amount = String(sale.amount)
      const gone = kind === 'sale'
      put(books, head(gone ? 'deviceSale' : 'deviceReturn'), gone ? sold(owing, amount) : takenBack(owing, amount))
      put(books, head(gone ? 'deviceSale' : 'deviceReturn', ':cost'), spent(gone ? cost : `-${cost}`))
      const order = (rows['srm.deviceSale'] ?? []).find((one) => one.id === sale.saleId)
      if (order?.status === 'completed') recharged(books, { row: account, account: owing, entity, amount, back: 60 })
    } else if (['ownUse', 'countLoss', 'scrap'].includes(String(kind))) reversed('stockVariance', spent(cost))
  }
}

function lastRates({ rows }: DemoWorld, day: Day): ReadonlyMap<string, string> {
  const found = new Map([['CNY', '1']])
  for (const { kind, base, date, rate } of rows['sys.exchangeRate'] ?? [])
    if (kind === 'xe' && String(date) <= day) found.set(String(base), String(rate))
  return found
}

/** A day of traffic of an account: what it earned in USD, and how much it was. */
interface Traffic {
  day: string
  revenue: string
  volume: number
}

/** The last days of traffic of each account, the latest first: what they earned in USD. */
function daysByAccount({ rows }: DemoWorld): ReadonlyMap<string, Traffic[]> {
  const found = new Map<string, Traffic[]>()
  for (const { accountId, day, revenue, volume, test } of rows['fin.accountDay'] ?? []) {
    if (test === true) continue
    const own = found.get(String(accountId)) ?? []
    found.set(String(accountId), own)
    own.push({ day: String(day), revenue: String(revenue), volume: Number(volume) })
  }
  for (const own of found.values()) own.sort((a, b) => b.day.localeCompare(a.day))
  return found
}

function supplierMoney(books: Books, row: DemoRecord, index: number): void {
  const balance = String((row.balance as string | null) ?? '0')
  const currency = String(row.currency)
  if (new Exact(balance).isZero() || !books.rates.has(currency)) return
  const account: LedgerAccount = { kind: 'supplier', id: row.id, currency, supplierId: String(row.supplierId) }
  const entity = ENTITIES.find(({ code }) => code === row.ourCompany)?.code ?? ENTITIES[index % 2]!.code
  put(
    books,
    { type: 'opening', day: addDays(books.today, -OPENED_DAYS), entity, source: ['opening', `open-${row.id}`] },
    opening(account, balance),
  )
  if (row.status !== 'active' || new Exact(balance).isNegative()) return
  if (index % 4 === 1) paidOut(books, { account, entity, balance, index })
  // every ninth account runs out of money these days
  const daily = new Exact(balance).dividedBy(index % 9 === 4 ? 10 : 20 + (index % 25))
  for (let back = USED_DAYS; back > 0; back -= 1) {
    const dayOfCost = addDays(books.today, -back)
    const amount = exactText(daily.times(String(0.9 + 0.05 * ((index + back) % 5))).toDecimalPlaces(2))
    if (new Exact(amount).gt(0))
      put(
        books,
        { type: 'cost', day: dayOfCost, entity, source: ['usageBatch', `${row.id}:${dayOfCost}`] },
        cost(account, costProduct(String(row.kind)), amount),
      )
  }
}

function customerMoney(books: Books, row: DemoRecord, index: number, days: readonly Traffic[]): void {
  const { random, today, rates } = books
  const currency = BANKS.some(([, one]) => one === row.currency) ? String(row.currency) : 'USD'
  const entity = (BANKS.filter(([, one]) => one === currency)[0] ?? BANKS[0])[0]
  const account: LedgerAccount = { kind: 'customer', id: row.id, currency, customerId: String(row.customerId) }
  const perUsd = new Exact(rates.get('USD')!).dividedBy(rates.get(currency)!)
  const amountOf = (usd: string): string => exactText(new Exact(usd).times(perUsd).toDecimalPlaces(2))
  const recent = days.slice(0, USED_DAYS).reverse()
  const daily = new Exact(
    amountOf(String(recent.reduce((sum, { revenue }) => sum + Number(revenue), 0) / Math.max(1, recent.length))),
  )
  const postpaid = row.payMode === 'postpaid'
  const usual = daily.gt(20) ? daily : new Exact(20)
  // what a post-paid account used before this month is on its bill
  const since = postpaid ? monthsBack(today, 0) : addDays(today, -30)
  const single = recent.filter(({ day }) => day >= since)
  const rest = restOfMonths(books, days, single, amountOf)
  const [before, now] = [rest.get(monthsBack(today, 1)), rest.get(monthsBack(today, 0))]
  const restUsed = [...rest.values()].reduce((sum, { amount }) => sum.plus(amount), new Exact(0))
  const start = exactText(
    usual
      .times(random.integer(postpaid ? 0 : 9, postpaid ? 0 : 24))
      .plus(postpaid ? 0 : restUsed)
      .toDecimalPlaces(2),
  )
  if (!postpaid && new Exact(start).gt(0))
    put(
      books,
      { type: 'opening', day: addDays(today, -OPENED_DAYS), entity, source: ['opening', `open-${row.id}`] },
      opening(account, start),
    )
  for (const of of postpaid ? [now ?? []].flat() : rest.values()) used(books, { row, account, entity, ...of, batch: 'rest' })
  for (const { day, revenue, volume } of single) {
    const amount = amountOf(revenue)
    if (new Exact(amount).gt(0)) used(books, { row, account, entity, day, amount, volume })
  }
  if (!postpaid && index % 17 === 4 && new Exact(start).gt(usual))
    refunded(books, { account, entity, amount: exactText(usual.toDecimalPlaces(2)), index })
  if (postpaid) billed(books, { row, account, entity, usual, index, before, unbilled: now?.amount ?? '0' })
  else if (index % 3 !== 2)
    recharged(books, { row, account, entity, amount: exactText(usual.times(5).toDecimalPlaces(0)), back: 2 + (index % 25) })
  if (!postpaid && index % 40 === 7) temporary(books, { row, account, entity, usual, index })
  const cycle = index % 3 === 0 ? 'monthly30' : 'monthly15'
  books.accounts.push({
    id: row.id,
    company_entity_id: entityId(entity),
    currency,
    bill_cycle_id: postpaid ? cycleId(cycle) : null,
    cycle_from: postpaid ? monthsBack(today, 1) : null,
    term_days: cycle === 'monthly30' ? 30 : 15,
  })
}

/** A temporary credit of a prepaid account: one that runs, or one of tomorrow. */
function temporary(books: Books, { row, account, usual, index }: Side & { usual: Exact; index: number }): void {
  const { today } = books
  const tomorrow = index % 80 === 7
  const [from, to] = tomorrow ? [addDays(today, 1), addDays(today, 4)] : [addDays(today, -1), addDays(today, 3)]
  const written = addDays(today, -1)
  add(books, 'fin.creditGrant', {
    ...{
      id: `ct-${row.id}`,
      code: `SX${written.replaceAll('-', '')}${String(index + 1).padStart(4, '0')}`,
      accountId: row.id,
      customerId: row.customerId,
    },
    ...{ kind: 'temporary', amount: exactText(usual.times(3).toDecimalPlaces(0)), currency: account.currency },
    ...{
      startsAt: instant(from),
      endsAt: instant(to),
      status: tomorrow ? 'pending' : 'active',
      createdAt: instant(written),
      createdBy: '',
    },
  })
  if (!tomorrow) granted(books, `ct-${row.id}`)
}

/** What the credit record says of a grant. */
function granted(books: Books, id: string): void {
  const grant = books.rows['fin.creditGrant']?.find((row) => row.id === id)
  if (!grant) return
  const { accountId, customerId, amount, currency, createdAt } = grant
  add(books, 'fin.creditRecord', {
    ...{
      id: `cr-${id}`,
      at: createdAt,
      accountId,
      customerId,
      action: 'grant',
      before: '0',
      after: amount,
      currency,
      createdAt,
      createdBy: '',
    },
  })
}

interface Side {
  row: DemoRecord
  account: LedgerAccount
  entity: string
}

/** What the days of traffic came to that are not posted one by one, by month: those that the ledger knows from their first day. */
function restOfMonths(
  { today }: Books,
  days: readonly Traffic[],
  single: readonly { day: string }[],
  amountOf: (usd: string) => string,
): ReadonlyMap<Day, { day: Day; amount: string; volume: number }> {
  const opened = addDays(today, -OPENED_DAYS)
  const posted = new Set(single.map(({ day }) => day))
  const sums = new Map<Day, { day: Day; usd: Exact; volume: number }>()
  for (const { day, revenue, volume } of days) {
    const month: Day = `${day.slice(0, 7)}-01`
    if (month <= opened || day >= today || posted.has(day)) continue
    const known = sums.get(month) ?? { day, usd: new Exact(0), volume: 0 }
    const last = known.day > day ? known.day : day
    sums.set(month, { day: last, usd: known.usd.plus(revenue), volume: known.volume + volume })
  }
  return new Map(
    [...sums].flatMap(([month, { day, usd, volume }]) => {
      const amount = amountOf(exactText(usd))
      return new Exact(amount).gt(0) ? [[month, { day, amount, volume }] as const] : []
    }),
  )
}

/** A credit line, the bill of last month, and with every third customer the money for it. */
function billed(
  books: Books,
  {
    row,
    account,
    entity,
    usual,
    index,
    before,
    unbilled,
  }: Side & { usual: Exact; index: number; before: { amount: string; volume: number } | undefined; unbilled: string },
): void {
  const { today, rates } = books
  const [from, next] = [monthsBack(today, 1), monthsBack(today, 0)]
  const to = addDays(next, -1)
  const total = before?.amount ?? exactText(usual.times(30).toDecimalPlaces(2))
  const volume = before?.volume ?? 0
  const { postings, lines } = used(books, { row, account, entity, day: to, amount: total, volume, batch: 'month' })
  const number = String(index + 1).padStart(4, '0')
  // early in a month the bill of the last one is not out yet: it is dated with the day before today at the latest
  const issued = [addDays(next, 3), addDays(today, -1)].sort()[0]!
  // two of three have paid; of the others one in five had a short term and is late
  const made = books.rows['fin.bill']?.length ?? 0
  const paid = made % 3 !== 1 && issued < addDays(today, -2)
  const billId = `bl-${row.id}`
  const stamp = { createdAt: instant(issued), createdBy: '' }
  add(books, 'fin.bill', {
    ...stamp,
    ...{
      id: billId,
      code: `ZD${issued.replaceAll('-', '')}${number}`,
      side: 'customer',
      accountId: row.id,
      customerId: row.customerId,
    },
    ...{
      companyEntityId: entityId(entity),
      cycleId: cycleId(index % 3 === 0 ? 'monthly30' : 'monthly15'),
      periodFrom: from,
      periodTo: to,
    },
    ...{
      transition: false,
      currency: account.currency,
      usageAmount: total,
      total,
      openAmount: paid ? '0' : total,
      paidAmount: paid ? total : '0',
    },
    baseTotal: exactText(new Exact(total).times(rates.get(account.currency)!).toDecimalPlaces(6)),
    ...{
      issuedAt: issued,
      dueDate: addDays(issued, made % 15 === 4 ? 9 : made % 15 === 7 ? 15 : 30),
      deferCount: 0,
      status: paid ? 'paid' : 'issued',
    },
    postings,
  })
  for (const [at, line] of lines.entries())
    add(books, 'fin.billLine', { ...stamp, ...line, id: `bn-${row.id}-${at + 1}`, billId })
  add(books, 'fin.creditGrant', {
    ...stamp,
    ...{
      id: `cg-${row.id}`,
      code: `SX${from.replaceAll('-', '')}${number}`,
      accountId: row.id,
      customerId: row.customerId,
      kind: 'permanent',
    },
    ...{
      amount: exactText(
        usual
          .times(60 + 15 * (index % 4))
          .dividedBy(1000)
          .toDecimalPlaces(0)
          .plus(1)
          .times(1000)
          .plus(unbilled),
      ),
      currency: account.currency,
    },
    ...{ startsAt: instant(from), endsAt: null, status: 'active' },
  })
  granted(books, `cg-${row.id}`)
  const bill = books.rows['fin.bill']!.at(-1)!
  if (issued < addDays(today, -2) && (made === 0 || made % 6 === 1)) {
    const amount = exactText(new Exact(total).dividedBy(paid ? 50 : 20).toDecimalPlaces(2))
    if (new Exact(amount).gt(0)) noted(books, { account, entity, bill, product: productOf(row), amount })
  }
  if (!paid) return
  const day = addDays(today, -2)
  const money = recharged(books, { row, account, entity, amount: total, back: 2 })
  const { id: rechargeId, bankAccountId, bankRef } = books.rows['fin.recharge']!.at(-1)!
  const more = { rechargeId, bankAccountId, bankRef }
  collected(books, { kind: 'collection', account, amount: total, day, postingId: money, allocated: total, more })
  add(books, 'fin.allocation', {
    ...{
      id: `al-${row.id}`,
      postingId: money,
      collectionId: `cl-${money}`,
      accountKind: 'customer',
      accountId: row.id,
      billId,
      amount: total,
      currency: account.currency,
    },
    ...{ rate: rates.get(account.currency), fxDifference: '0', at: instant(day), staffId: null, auto: true, status: 'live' },
    ...{ createdAt: instant(day), createdBy: '' },
  })
}

/** Money that came into our bank account, with its document. Answers the posting. */
function recharged(books: Books, { row, account, entity, amount, back }: Side & { amount: string; back: number }): string {
  const day = addDays(books.today, -back)
  const id = `rc-${row.id}`
  const code = `CZ${day.replaceAll('-', '')}${String((books.rows['fin.recharge']?.length ?? 0) + 1).padStart(4, '0')}`
  const bank = bankId(entity, account.currency)
  const posting = put(
    books,
    { type: 'recharge', day, entity, source: ['recharge', id, code] },
    receipt({
      bank: { kind: 'bank', id: bank, currency: account.currency },
      payAmount: amount,
      bankFee: '0',
      feeBearer: 'us',
      credited: [{ account, amount, takes: amount }],
    }),
  )
  const stamp = { createdAt: instant(day), createdBy: '' }
  add(books, 'fin.recharge', {
    ...stamp,
    ...{ id, code, kind: 'receipt', customerId: row.customerId, companyEntityId: entityId(entity), bankAccountId: bank },
    ...{
      payCurrency: account.currency,
      payAmount: amount,
      bankFee: '0',
      feeBearer: 'us',
      payDate: day,
      bankRef: `TT${code.slice(2)}`,
    },
    ...{ status: 'posted', postingId: posting },
  })
  add(books, 'fin.rechargeLine', {
    ...stamp,
    ...{ id: `rl-${row.id}`, rechargeId: id, position: 1, accountId: row.id, currency: account.currency, amount },
  })
  return posting
}

/** Writes everything in a number of statements that does not grow with the accounts. */
async function write(books: Books, entities: Entities, tx: Executor): Promise<void> {
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
  for (const back of [5, 4]) await writeSnapshots(tx, addDays(books.today, -back), world.now)
}

/** When everything is posted: what customers came to by month, up to yesterday. */
export async function settleMonths({ now }: DemoWorld, tx: Executor): Promise<void> {
  const today = dayOf(now, tx.companyTimeZone)
  for (const month of await monthsToWrite(tx, { today, since: today })) await writeCustomerMonth(tx, month, { today, now })
}

const AT_ONCE = 1_000
async function inParts(rows: readonly EntityRecord[], write: (part: readonly EntityRecord[]) => Promise<void>): Promise<void> {
  for (let start = 0; start < rows.length; start += AT_ONCE) await write(rows.slice(start, start + AT_ONCE))
}
