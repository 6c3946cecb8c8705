import { addDays, dayOf, daysBetween, instantAt } from '../../../platform/calendar'
import { OPEN_STAGES } from '../rules/opportunity'
import type { Chapter } from './handovers'
import { COUNTRIES, type Chance, type DemoRecord } from '../../../demo'

const DAY = 86_400_000
const PRODUCTS = ['sms', 'voice', 'number', 'whatsapp', 'otpSms'] as const
type Product = (typeof PRODUCTS)[number]
/** Volume a month, price and cost of one, by product. */
const PRICES: Readonly<Record<Product, { volume: [number, number]; price: number; cost: number }>> = {
  sms: { volume: [40_000, 2_000_000], price: 0.0125, cost: 0.0105 },
  voice: { volume: [20_000, 600_000], price: 0.018, cost: 0.0145 },
  number: { volume: [20, 900], price: 4.5, cost: 2.8 },
  whatsapp: { volume: [10_000, 400_000], price: 0.034, cost: 0.029 },
  otpSms: { volume: [30_000, 900_000], price: 0.021, cost: 0.0172 },
}
const WIN_RATE: Readonly<Record<string, number>> = { s1: 10, s2: 25, s3: 50, s4: 70, s5: 85, won: 100, lost: 0 }
const WORDS: Readonly<Record<Product, string>> = {
  sms: '短信',
  voice: '语音',
  number: '号码',
  whatsapp: 'WhatsApp',
  otpSms: 'OTP',
}
/** Products of accounts as opportunities call them. */
const OF_ACCOUNT: Readonly<Record<string, Product>> = {
  sms: 'sms',
  voice: 'voice',
  number: 'number',
  whatsapp: 'whatsapp',
  otp: 'otpSms',
}

/** One opportunity before its rows are written. */
interface Plan {
  customer: DemoRecord
  product: Product
  /** Stages from the first to the last, closing included. */
  path: readonly string[]
  /** When each of them was entered. */
  at: readonly Date[]
  ownerId: string
}

/** Opportunities with the log of their stages: open ones on owned customers, won ones where an account of the product stands. */
export function makeOpportunities(chapter: Chapter): void {
  const { random, customers, now, further, timeZone, staff } = chapter
  const scale = customers.length / 650
  const count = (total: number): number => Math.max(3, Math.round(total * scale))
  const accounts = further['fin.customerAccount'] ?? []
  const byId = new Map(customers.map((customer) => [customer.id, customer]))
  const departments = new Map(staff.map((one) => [one.id, one.mainDeptId]))
  const open = customers.filter((customer) => customer.holding === 'private' && customer.ownerId)
  const plans: Plan[] = []
  const take = (plan: Plan | null): void => {
    if (plan && plan.ownerId !== '') plans.push(plan)
  }
  for (let index = 0; index < count(193); index += 1) {
    const live = accounts.filter((account) => account.status === 'active' && byId.get(String(account.customerId))?.ownerId)
    const account = index % 3 === 0 && live.length > 0 ? random.pick(live) : null
    const customer = account ? byId.get(String(account.customerId)) : random.pick(open)
    if (customer) take(openPlan(random, customer, account ? productOf(account) : random.pick(PRODUCTS), now))
  }
  for (const account of random.sample(
    accounts.filter((one) => one.firstTrafficAt),
    count(66),
  )) {
    const customer = byId.get(String(account.customerId))
    if (customer) take(wonPlan(random, customer, productOf(account), new Date(String(account.firstTrafficAt)), now))
  }
  const old = customers.filter((customer) => now.getTime() - Date.parse(customer.createdAt) > 40 * DAY)
  for (let index = 0; index < count(356) && old.length > 0; index += 1)
    take(lostPlan(random, random.pick(old), random.pick(PRODUCTS), now))
  plans.sort((a, b) => (a.at[0]?.getTime() ?? 0) - (b.at[0]?.getTime() ?? 0))
  const rows = (further['crm.opportunity'] ??= [])
  const log = (further['crm.opportunityStageLog'] ??= [])
  for (const plan of plans) write(random, { rows, log, now, timeZone, departments }, plan)
}

const productOf = (account: DemoRecord): Product => OF_ACCOUNT[String(account.product)] ?? 'sms'
const ownerOf = (customer: DemoRecord): string => String(customer.ownerId ?? customer.lastOwnerId ?? '')

/** Times between two moments, in order, some hours apart. */
function spread(random: Chance, from: number, to: number, count: number): Date[] {
  const room = Math.max(1, to - from)
  const cuts = Array.from({ length: count }, () => random.next()).sort((a, b) => a - b)
  return cuts.map((cut, index) => new Date(Math.round(from + room * ((cut + index) / (count + 1)))))
}

function openPlan(random: Chance, customer: DemoRecord, product: Product, now: Date): Plan | null {
  const stage = random.weighted([
    [1, 30],
    [2, 27],
    [3, 18],
    [4, 15],
    [5, 10],
  ])
  const path = OPEN_STAGES.slice(0, stage)
  const begin = Math.max(
    Date.parse(String(customer.ownedAt ?? customer.createdAt)) + DAY / 4,
    now.getTime() - random.integer(20, 120) * DAY,
  )
  const end = now.getTime() - random.integer(1, 26) * DAY
  if (begin >= end) return null
  return { customer, product, path, at: spread(random, begin, end, path.length), ownerId: ownerOf(customer) }
}

function wonPlan(random: Chance, customer: DemoRecord, product: Product, dealt: Date, now: Date): Plan | null {
  const end = Math.min(dealt.getTime() + random.integer(1, 12) * DAY, now.getTime() - DAY)
  const begin = Math.max(Date.parse(customer.createdAt) + DAY / 4, end - random.integer(30, 120) * DAY)
  if (begin >= end) return null
  const at = spread(random, begin, end, OPEN_STAGES.length)
  return { customer, product, path: [...OPEN_STAGES, 'won'], at: [...at, new Date(end)], ownerId: ownerOf(customer) }
}

function lostPlan(random: Chance, customer: DemoRecord, product: Product, now: Date): Plan | null {
  const reached = random.weighted([
    [1, 34],
    [2, 28],
    [3, 18],
    [4, 14],
    [5, 6],
  ])
  const begin = Date.parse(customer.createdAt) + random.integer(1, 30) * DAY
  const latest = now.getTime() - random.integer(1, 240) * DAY
  const end = Math.max(begin + DAY, Math.min(latest, begin + random.integer(8, 90) * DAY))
  if (end >= now.getTime()) return null
  const at = spread(random, begin, end, reached)
  return {
    customer,
    product,
    path: [...OPEN_STAGES.slice(0, reached), 'lost'],
    at: [...at, new Date(end)],
    ownerId: ownerOf(customer),
  }
}

interface Books {
  rows: DemoRecord[]
  log: DemoRecord[]
  now: Date
  timeZone: string
  departments: ReadonlyMap<string, string>
}

function write(random: Chance, { rows, log, now, timeZone, departments }: Books, plan: Plan): void {
  const { customer, product, path, at, ownerId } = plan
  const [first, last] = [at[0] ?? now, at.at(-1) ?? now]
  const number = String(rows.length + 1).padStart(5, '0')
  const id = `bo-${number}`
  const stage = path.at(-1) ?? 's1'
  const facts = PRICES[product]
  const monthlyVolume = random.integer(facts.volume[0] / 10, facts.volume[1] / 10) * 10
  const expectedPrice = (facts.price * (0.8 + random.next() * 0.5)).toFixed(6)
  const currency = typeof customer.settleCurrency === 'string' ? customer.settleCurrency : 'USD'
  const ofStage = WIN_RATE[stage] ?? 0
  const winRate = String(stage !== 'won' && stage !== 'lost' && random.happens(0.12) ? Math.max(5, ofStage - 10) : ofStage)
  const countries = random.sample(COUNTRIES, random.integer(1, 3)).map((one) => one.code)
  const closed = stage === 'won' || stage === 'lost'
  // the price rise of an operator 45 days ago lost many for the price
  const priceRise = Math.abs(now.getTime() - last.getTime() - 45 * DAY) < 10 * DAY
  const expectedOn = closed ? dayOf(last, timeZone) : addDays(dayOf(now, timeZone), random.integer(-6, 75))
  const touchedAt = last.toISOString()
  rows.push({
    id,
    code: `BO${dayOf(now, timeZone).slice(2, 4)}${number}`,
    name: `${String(customer.shortName ?? customer.name).slice(0, 60)} ${WORDS[product]} ${countries[0] ?? ''}`.trim(),
    customerId: customer.id,
    product,
    countries,
    stage,
    winRate,
    monthlyVolume,
    currency,
    expectedPrice,
    expectedCost: (facts.cost * (0.9 + random.next() * 0.2)).toFixed(6),
    expectedOn,
    competitor: null,
    currentSupplier: null,
    remark: null,
    attachments: [],
    stageAt: touchedAt,
    touchedAt,
    lastFollowAt: null,
    nextFollowAt:
      !closed && random.happens(0.6)
        ? instantAt(addDays(dayOf(now, timeZone), random.integer(-2, 12)), '10:00', timeZone).toISOString()
        : null,
    wonAt: stage === 'won' ? touchedAt : null,
    lostAt: stage === 'lost' ? touchedAt : null,
    loseReason:
      stage === 'lost'
        ? priceRise && random.happens(0.6)
          ? 'price'
          : random.pick(['price', 'price', 'quality', 'terms', 'compliance', 'cancelled', 'noReply', 'noReply'])
        : null,
    loseNote: null,
    ownerId,
    ownerDeptId: departments.get(ownerId) ?? null,
    ownedAt: first.toISOString(),
    createdAt: first.toISOString(),
    createdBy: ownerId,
  })
  for (const [index, to] of path.entries()) {
    const when = at[index] ?? last
    const before = index === 0 ? null : (at[index - 1] ?? first)
    log.push({
      id: `sl-${number}-${index + 1}`,
      opportunityId: id,
      fromStage: index === 0 ? null : (path[index - 1] ?? null),
      toStage: to,
      at: when.toISOString(),
      byId: ownerId,
      ownerId,
      daysInStage: before === null ? null : daysBetween(dayOf(before, timeZone), dayOf(when, timeZone)),
      note: null,
      createdAt: when.toISOString(),
      createdBy: ownerId,
    })
  }
}
