import { Exact, exactText, roundedText } from '../../../../src/schema/formats'
import type { DemoRecord } from '../../../demo'
import { addDays, type Day } from '../../../platform/calendar'
import { comparedTotals, compareFigures, vosDifference, type Figure } from '../checks/rules'
import { costAdjust, costProduct, entitySettle, signed } from '../ledger/rules'
import type { LedgerAccount } from '../ledger/types'
import { settlementDay } from '../settle/entities'
import { ENTITIES, entityId } from './base'
import { add, instant, monthsBack, put, type Books } from './books'

/** Settlements between our entities, balances of VOS, and statements that are compared: all beside the postings that are there by now. */
export function makeChecks(books: Books): void {
  settleEntities(books)
  const changes = changesOf(books)
  vosBalances(books, changes)
  proofreads(books, changes)
}

/** Who sells to whom: method, per cent or fixed amount, and what a month costs and earns about. */
const PAIRS = [
  { seller: 'hk', buyer: 'sg', currency: 'USD', method: 'costPlus', rate: '6', fixed: null, product: 'sms', cost: 42_000 },
  { seller: 'sg', buyer: 'eu', currency: 'EUR', method: 'share', rate: '30', fixed: null, product: 'voice', cost: 18_500 },
  { seller: 'eu', buyer: 'hk', currency: 'EUR', method: 'fixed', rate: null, fixed: '3000', product: 'number', cost: 0 },
  { seller: 'cn', buyer: 'hk', currency: 'CNY', method: 'costPlus', rate: '8', fixed: null, product: 'sms', cost: 120_000 },
] as const
/** Settled months, the latest last; the last month of a pair waits in another state each. */
const MONTHS = [3, 2, 1]
const LAST = ['toCheck', 'draft', 'posted', 'sentBack'] as const

function settleEntities(books: Books): void {
  const { today } = books
  for (const [index, pair] of PAIRS.entries()) {
    const { seller, buyer, currency, method, rate, fixed, product } = pair
    const accountId = `ea-${seller}-${buyer}-${currency}`.toLowerCase()
    const opened = instant(monthsBack(today, 4))
    add(books, 'fin.entityAccount', {
      ...{ id: accountId, sellerId: entityId(seller), buyerId: entityId(buyer), currency, method, rate, fixedAmount: fixed },
      ...{
        cycle: 'monthly',
        balance: '0',
        buyerBalance: '0',
        difference: '0',
        status: 'active',
        createdAt: opened,
        createdBy: '',
      },
    })
    for (const back of MONTHS) {
      const month = monthsBack(today, back)
      const status = back === 1 ? LAST[index]! : 'posted'
      settlement(books, { accountId, month, status, number: index * MONTHS.length + back, pair, product })
    }
  }
}

interface Settled {
  accountId: string
  month: Day
  status: (typeof LAST)[number]
  number: number
  pair: (typeof PAIRS)[number]
  product: string
}

function settlement(books: Books, { accountId, month, status, number, pair, product }: Settled): void {
  const { random, today } = books
  const { seller, buyer, currency, method, rate, fixed } = pair
  const cost = new Exact(pair.cost * random.integer(90, 110)).dividedBy(100)
  const revenue = cost.times('1.35')
  const percent = new Exact(rate ?? '0').dividedBy(100)
  const amount =
    method === 'costPlus' ? cost.plus(cost.times(percent)) : method === 'share' ? revenue.minus(cost).times(percent) : fixed
  const total = roundedText(new Exact(String(amount)), 2)
  const id = `es-${accountId}-${month}`
  const written = [addDays(monthsBack(month, -1), 1), addDays(today, -2)].sort()[0]!
  const code = `ZT${written.replaceAll('-', '')}${String(number).padStart(4, '0')}`
  const bizDate = settlementDay(month, today)
  const legs = entitySettle({ accountId, currency, product, seller, buyer, amount: total })
  const inBooks = (part: 'seller' | 'buyer'): string =>
    put(books, { type: 'entitySettle', day: bizDate, entity: pair[part], source: ['settlement', id, code], part }, legs[part])
  const posted = status === 'posted'
  const [first, second] = financePeople(books)
  add(books, 'fin.entitySettlement', {
    ...{ id, code, accountId, month, product, method, rate, adjust: '0', settleAmount: total, total, status },
    ...{ costBase: exactText(cost), revenueBase: exactText(revenue) },
    ...(status === 'draft' ? {} : { sellerConfirmedById: first, sellerConfirmedAt: instant(written) }),
    ...(posted ? { buyerConfirmedById: second, buyerConfirmedAt: instant(addDays(written, 1)), bizDate } : {}),
    ...(posted ? { sellerPostingId: inBooks('seller'), buyerPostingId: inBooks('buyer') } : {}),
    ...{ createdAt: instant(written), createdBy: first },
  })
}

/** Two people of finance, for what two have to confirm. */
const financePeople = ({ world }: Books): [string, string] => {
  const people = world.staff.filter(({ position, status }) => position === 'finance' && status === 'active').map(({ id }) => id)
  return [people[0] ?? '', people[1] ?? people[0] ?? '']
}

/** What postings change customers' and suppliers' accounts by, day by day. */
type Changes = ReadonlyMap<string, readonly { day: Day; type: string; change: Exact }[]>

function changesOf({ postings }: Books): Changes {
  const found = new Map<string, { day: Day; type: string; change: Exact }[]>()
  for (const { bizDate, type, legs } of postings)
    for (const leg of legs) {
      const own = found.get(leg.account.id) ?? []
      if (own.length === 0) found.set(leg.account.id, own)
      own.push({ day: bizDate, type, change: signed(leg, leg.amount) })
    }
  return found
}

const VOS_DAYS = 7
const SERVERS = ['VOS-HK-1', 'VOS-HK-2', 'VOS-SG-1'] as const
/** What VOS has more than we do, by account and days ago; what is not named agrees to the cent. */
const OFF: Readonly<Record<string, string>> = { '0:1': '18.32', '1:2': '-240.5', '2:1': '0.005', '3:3': '96.1' }

/** Suppliers' and customers' accounts of voice, whose balances somebody read in VOS each morning. */
function vosBalances(books: Books, changes: Changes): void {
  const { today, world } = books
  const suppliers = (world.rows['srm.supplierAccount'] ?? [])
    .filter((row) => row.kind === 'vos' && row.status === 'active')
    .slice(0, 5)
  const customers = (world.rows['fin.customerAccount'] ?? [])
    .filter((row) => row.product === 'voice' && row.status === 'active' && changes.has(row.id))
    .slice(0, 4)
  for (const [index, row] of [...suppliers, ...customers].entries())
    for (let back = VOS_DAYS; back > 0; back -= 1) {
      const day = addDays(today, -back)
      const ours = dayOf(changes.get(row.id) ?? [], day)
      const off = OFF[`${index}:${back}`] ?? '0'
      const vosClosing = exactText(new Exact(ours.ourClosing).plus(off))
      const { diff, diffPct, within } = vosDifference(vosClosing, ours.ourClosing)
      const supplier = index < suppliers.length
      // somebody reads them the next morning
      const read = [`${addDays(day, 1)}T01:00:00.000Z`, world.now.toISOString()].sort()[0]!
      const disputed = index === 0 && !within
      add(books, 'fin.vosBalance', {
        ...{ id: `vb-${row.id}-${day}`, day, vosServer: SERVERS[index % SERVERS.length], vosAccount: `vos${String(row.code)}` },
        ...(supplier ? { side: 'supplier', supplierAccountId: row.id } : { side: 'customer', accountId: row.id }),
        ...{ currency: currencyOf(books, row), vosClosing, ...ours, diff, diffPct, within, comparedAt: read },
        ...{ vosOpening: exactText(new Exact(ours.ourOpening)), vosRecharge: ours.ourRecharge },
        vosConsume: exactText(new Exact(ours.ourConsume).minus(off)),
        ...{ status: within ? 'accepted' : disputed ? 'disputed' : 'open', cause: disputed ? 'timeZone' : null },
        ...{ createdAt: read, createdBy: financePeople(books)[0] },
      })
    }
}

/** Customers' accounts are posted in a currency that we have a bank account in. */
const currencyOf = ({ accounts }: Books, row: DemoRecord): string =>
  String(accounts.find(({ id }) => id === row.id)?.currency ?? row.currency)

function dayOf(changes: readonly { day: Day; change: Exact }[], day: Day) {
  const sum = (which: (one: { day: Day; change: Exact }) => boolean): string =>
    exactText(changes.filter(which).reduce((all, { change }) => all.plus(change), new Exact(0)))
  return {
    ourOpening: sum((one) => one.day < day),
    ourRecharge: sum((one) => one.day === day && one.change.gt(0)),
    ourConsume: exactText(new Exact(0).minus(sum((one) => one.day === day && one.change.isNegative()))),
    ourClosing: sum((one) => one.day <= day),
  }
}

/** Statements of suppliers over a week: what they say of each day in per cent of ours, and what became of it. */
const STATEMENTS = [
  { kind: 'vos', off: ['0', '2', '-2', '0', '0', '0', '0.9'], status: 'disputed' },
  { kind: 'supplierBill', off: ['0', '0.1', '0', '0', '-0.1', '0', '0'], status: 'accepted' },
  { kind: 'supplierBill', off: ['0', '6', '6', '6', '0', '0', '0'], status: 'adjusted' },
  { kind: 'supplierBill', off: ['0', '0', '0', '-100', '0', '0', '0'], status: 'inReview' },
  { kind: 'supplierBill', off: null, status: 'open' },
] as const

function proofreads(books: Books, changes: Changes): void {
  const { today, world } = books
  const [from, to] = [addDays(today, -VOS_DAYS - 1), addDays(today, -2)]
  const written = addDays(today, -1)
  const active = (world.rows['srm.supplierAccount'] ?? []).filter((row) =>
    changes.get(row.id)?.some(({ type }) => type === 'cost'),
  )
  const [ownerId] = financePeople(books)
  const used = new Set<string>()
  for (const [index, { kind, off, status }] of STATEMENTS.entries()) {
    const row = active.find((one) => !used.has(one.id) && (kind === 'vos') === (one.kind === 'vos'))
    if (!row) continue
    used.add(row.id)
    const ours = (changes.get(row.id) ?? []).flatMap(({ day, type, change }) =>
      type === 'cost' && day >= from && day <= to ? [figure(day, exactText(new Exact(0).minus(change)))] : [],
    )
    const theirs = (off ?? []).flatMap((percent, at) => {
      const mine = ours.find(({ day }) => day === addDays(from, at))
      if (!mine || percent === '-100') return []
      const amount = new Exact(mine.amount).times(new Exact(percent).plus(100)).dividedBy(100)
      return [figure(mine.day, roundedText(amount, 2))]
    })
    const id = `pr-${row.id}`
    const code = `HD${written.replaceAll('-', '')}${String(index + 1).padStart(4, '0')}`
    const lines = off === null ? [] : compareFigures(ours, theirs, { by: 'traffic', tolerancePct: '0.5' })
    const totals = comparedTotals(lines, '0.5')
    const stamp = { createdAt: instant(written), createdBy: ownerId }
    const entity = ENTITIES.find((one) => one.code === row.ourCompany)?.code ?? ENTITIES[0].code
    const account: LedgerAccount = {
      kind: 'supplier',
      id: row.id,
      currency: String(row.currency),
      supplierId: String(row.supplierId),
    }
    add(books, 'fin.proofread', {
      ...{ id, code, kind, supplierAccountId: row.id, periodFrom: from, periodTo: to, source: 'file', currency: row.currency },
      ...{ companyEntityId: entityId(entity), tolerancePct: '0.5', ownerId, buyerId: row.buyerId, status, ...stamp },
      ...(off === null ? {} : { ...totals, comparedAt: instant(written) }),
      ...(status === 'accepted' ? { resolution: 'keepOurs' } : {}),
      ...(status === 'disputed' ? { note: '对方按 UTC 统计，我方按上海时间，请采购与其核对。' } : {}),
      ...(status === 'adjusted'
        ? adjusted(books, { id, code, entity, account, amount: totals.diffAmount, kind: String(row.kind) })
        : {}),
    })
    for (const [at, line] of theirs.entries())
      add(books, 'fin.statementLine', { ...line, ...stamp, id: `sl-${row.id}-${at}`, proofreadId: id })
    for (const [at, line] of lines.entries())
      add(books, 'fin.proofreadLine', { ...line, ...stamp, id: `pl-${row.id}-${at}`, proofreadId: id, currency: row.currency })
  }
}

const figure = (day: Day, amount: string): Figure => ({
  day,
  countryCode: null,
  network: null,
  reference: null,
  qty: null,
  amount,
})

interface Adjusted {
  id: string
  code: string
  entity: string
  account: LedgerAccount
  amount: string
  kind: string
}

/** Theirs was taken: the difference is cost. */
function adjusted(books: Books, { id, code, entity, account, amount, kind }: Adjusted) {
  const head = {
    type: 'costAdjust',
    day: books.today,
    entity,
    source: ['proofread', id, code] as [string, string, string],
    part: '1',
  }
  const adjustPostingId = put(books, head, costAdjust(account, costProduct(kind), amount))
  return {
    resolution: 'takeTheirs',
    adjustAmount: amount,
    adjustTimes: 1,
    adjustPostingId,
    note: '供应商当周调价，按对方金额入账。',
  }
}
