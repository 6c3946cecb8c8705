import type { DemoRecord, DemoWorld } from '../../../demo'
import type { QuoteBook } from './book'
import { type Quote, type Quoted } from './book'
import { PRICED, rounded, text, type Priced } from './prices'

/** Accounts that have prices: at least, and with a world of full size. */
const ACCOUNTS = { sms: [12, 20], voice: [4, 8], otp: [4, 6], whatsapp: [3, 6], number: [3, 6] } as const
const PRODUCTS: Readonly<Record<string, readonly string[]>> = { otp: ['otpSms', 'otpVoice'] }
/** What is added to the cost, per cent, by level of the customer. */
const MARKUP: Readonly<Record<string, number>> = { a: 10, b: 18 }
const OTHERS = 28
const CNY = 7.1
const SUPPLIERS = 8

/** Days from today. */
export const STORY = { opening: -540, costUp: -120, quotedUp: -108, cheaper: -45, special: -40, specialEnds: 21, next: 6 }

/** Prices of the accounts of customers, and what suppliers' accounts cost, each with the sheet that said so and with what was before. */
export function makeRates(world: DemoWorld, book: QuoteBook): void {
  makeCosts(world, book)
  const chance = world.random.fork('customer rates')
  const levels = new Map((world.rows['crm.customer'] ?? []).map(({ id, level }) => [id, String(level ?? '')]))
  for (const [kind, [least, whole]] of Object.entries(ACCOUNTS)) {
    const most = least + Math.round((whole - least) * Math.min(1, world.scale))
    const accounts = (world.rows['fin.customerAccount'] ?? []).filter(
      ({ product, status }) => product === kind && status === 'active',
    )
    for (const [index, account] of accounts.slice(0, most).entries()) {
      const markup = (MARKUP[levels.get(String(account.customerId)) ?? ''] ?? OTHERS) + chance.integer(-2, 2)
      for (const product of PRODUCTS[kind] ?? [kind]) sell(book, { account, product, markup, index })
    }
  }
}

interface Sold {
  account: DemoRecord
  product: string
  markup: number
  index: number
}

function sell(book: QuoteBook, { account, product, markup, index }: Sold): void {
  const opened = book.daysTo(account.openedAt)
  const inCurrency = account.currency === 'CNY' ? CNY : 1
  const priceOf = (cost: number): string => text(rounded(cost * (1 + markup / 100) * inCurrency))
  const first: Quoted[] = []
  const changes = new Map<number, Quoted[]>()
  for (const priced of PRICED[product] ?? []) {
    const steps = stepsOf(priced, opened, index)
    for (const [at, step] of steps.entries()) {
      const [before, next] = [steps[at - 1], steps[at + 1]]
      const line: Quoted = {
        ...{ product, unit: priced.unit, destination: destinationAt(priced, markup, inCurrency) },
        ...{ price: priceOf(step.cost), from: step.from },
        flag: !before ? 'new' : step.cost > before.cost ? 'increase' : 'decrease',
        ...(before ? { old: priceOf(before.cost) } : {}),
        ...(next ? { until: next.from } : {}),
        ...(step.special === undefined ? {} : { specialPriceId: step.special }),
        // a mail that came back holds what it said to be dearer
        ...(step.from === STORY.next && index === 5 ? { status: 'held' } : {}),
      }
      if (!before) first.push(line)
      else changes.set(step.from, [...(changes.get(step.from) ?? []), line])
    }
  }
  // one network that the customer's traffic must not take
  if (product === 'sms' && index === 0)
    first.push({
      product,
      unit: 'segment',
      destination: { country: 'BR', mccmnc: '72410', routeClass: 'direct' },
      price: null,
      flag: 'blocked',
      from: opened,
    })
  const quote = { side: 'customer', account, product } as const
  const sender = product === 'sms' ? 'smsAz' : product
  book.add({ ...quote, sender, scope: 'az', sent: opened, source: opened < -300 ? 'opening' : 'az', lines: first })
  for (const [from, lines] of [...changes].sort(([a], [b]) => a - b)) {
    const source = lines.some(({ specialPriceId }) => specialPriceId !== undefined) ? 'special' : 'sheet'
    // dearer prices are told a week before
    const sent = from > 0 ? -1 : from === STORY.quotedUp ? from - 7 : from
    book.add({ ...quote, sender: product, sent, source, lines })
  }
  if (product === 'sms') unsent(book, quote, index, priceOf)
}

/** Sheets that came to nothing: one taken back at once, one that a later one took the place of, drafts. */
function unsent(
  book: QuoteBook,
  quote: Pick<Quote, 'side' | 'account' | 'product'>,
  index: number,
  priceOf: (cost: number) => string,
): void {
  const some = (PRICED.sms ?? []).filter(({ destination }) => ['TH', 'VN', 'PH'].includes(String(destination.country)))
  const lines = (from: number, status?: string): Quoted[] =>
    some.map(({ destination, unit, cost }) => ({
      ...{ product: 'sms', unit, destination, price: priceOf(cost * 1.04), old: priceOf(cost), flag: 'increase', from },
      ...(status === undefined ? {} : { status }),
    }))
  const sheet = { ...quote, sender: 'sms', source: 'sheet' } as const
  if (index === 3) book.add({ ...sheet, sent: -20, lines: lines(-12, 'superseded') })
  if (index === 4) book.add({ ...sheet, sent: -30, lines: lines(-22, 'cancelled'), more: { status: 'recalled' } })
  if (index === 6 || index === 7) book.add({ ...sheet, sent: -1, lines: lines(2), more: { status: 'draft' }, draft: true })
}

/** Parts of a price beside the price itself: set-up, month, bot. */
function destinationAt({ destination }: Priced, markup: number, inCurrency: number): Priced['destination'] {
  const { setupFee, monthlyFee, aiPrice, ...where } = destination
  const dearer = (part: unknown): string => text(rounded(Number(part) * 1_000_000 * (1 + markup / 100) * inCurrency))
  return {
    ...where,
    ...(setupFee === undefined ? {} : { setupFee: dearer(setupFee) }),
    ...(monthlyFee === undefined ? {} : { monthlyFee: dearer(monthlyFee) }),
    ...(aiPrice === undefined ? {} : { aiPrice: dearer(aiPrice) }),
  }
}

interface Step {
  cost: number
  from: number
  /** The special price that it is owed to. */
  special?: string
}

/** What a price was reckoned from, since when: India rose, the USA fell, Brazil rises for every fourth customer. */
function stepsOf({ product, destination, cost }: Priced, opened: number, index: number): Step[] {
  if (product !== 'sms') return [{ cost, from: opened }]
  const { country, mccmnc } = destination
  const before = cost - 500
  if (country === 'IN' && opened < STORY.quotedUp)
    return [
      { cost: before, from: opened },
      { cost, from: STORY.quotedUp },
    ]
  if (country === 'US' && mccmnc === undefined && opened < STORY.cheaper)
    return [
      { cost: cost + 600, from: opened },
      { cost, from: STORY.cheaper },
    ]
  if (country === 'ID' && mccmnc === undefined && index > 1 && index < 6 && opened < STORY.special)
    return [
      { cost, from: opened },
      { cost: cost - 4500, from: STORY.special, special: `sp-${String(index - 1).padStart(4, '0')}` },
      { cost, from: STORY.specialEnds },
    ]
  if (country === 'BR' && mccmnc === undefined && index % 4 === 1)
    return [
      { cost, from: opened },
      { cost: cost + 700, from: STORY.next },
    ]
  return [{ cost, from: opened }]
}

const SUPPLIED: Readonly<Record<string, readonly string[]>> = {
  sms: ['sms', 'otpSms', 'whatsapp', 'number'],
  vos: ['voice', 'otpVoice', 'aiVoice'],
}

/** Every account at a supplier costs a little else; the further products are bought of the first ones only. */
function makeCosts(world: DemoWorld, book: QuoteBook): void {
  const chance = world.random.fork('supplier rates')
  for (const kind of ['sms', 'vos']) {
    const accounts = (world.rows['srm.supplierAccount'] ?? []).filter((one) => one.kind === kind && one.status === 'active')
    for (const [index, account] of accounts.slice(0, SUPPLIERS).entries()) {
      const factor = 0.97 + 0.03 * index + chance.next() * 0.01
      for (const [at, product] of (SUPPLIED[kind] ?? []).entries()) {
        if (at > 0 && index > 2) continue
        for (const quote of costsOf(account, product, index, factor)) book.add(quote)
      }
    }
  }
}

function costsOf(account: DemoRecord, product: string, index: number, factor: number): Quote[] {
  const costOf = (cost: number): string => text(rounded(cost * factor))
  const tested = { testResult: index % 3 === 2 ? 'partial' : 'pass' }
  const line = ({ unit, destination, cost }: Priced, rest: Partial<Quoted>): Quoted => ({
    ...{ product, unit, destination, price: costOf(cost), flag: 'new', from: STORY.opening, more: tested, ...rest },
  })
  const of = PRICED[product] ?? []
  const rising = of.filter(({ destination }) => product === 'sms' && destination.country === 'IN')
  const sender =
    product === 'sms' || product === 'otpSms' ? 'supplierSms' : product === 'aiVoice' ? 'supplierAiVoice' : 'supplierVoice'
  const quote = { side: 'supplier', account, product, sender } as const
  const opening = of.map((one) =>
    rising.includes(one) ? line({ ...one, cost: one.cost - 500 }, { until: STORY.costUp }) : line(one, {}),
  )
  const quotes: Quote[] = [{ ...quote, sent: STORY.opening, scope: 'az', source: 'opening', lines: opening }]
  if (rising.length > 0)
    quotes.push({
      ...{ ...quote, sent: STORY.costUp - 7, source: 'sheet' },
      lines: rising.map((one) => line(one, { flag: 'increase', old: costOf(one.cost - 500), from: STORY.costUp })),
    })
  if (product === 'sms' && index % 3 === 1)
    quotes.push({
      ...{ ...quote, sent: -2, source: 'sheet', more: { status: 'draft' } },
      lines: of
        .filter(({ destination }) => ['TH', 'PH', 'VN'].includes(String(destination.country)))
        .map((one, at) => {
          const offered = at === 0 ? one.cost * 1.08 : one.cost * 0.95
          const more = { ...tested, testResult: 'untested' }
          return line(
            { ...one, cost: offered },
            { flag: at === 0 ? 'increase' : 'decrease', old: costOf(one.cost), from: STORY.next + 1, status: 'offered', more },
          )
        }),
    })
  return quotes
}
