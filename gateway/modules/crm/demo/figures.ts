import { churnFactsOf } from '../jobs/churn/decide'
import { addDays, dayOf, instantAt, type Day } from '../../../platform/calendar'
import { decideChurn, lastThirtyDays, type ChurnFacts } from '../rules/churn'
import { decideLevel, levelPoints } from '../rules/levels'
import { monthStart } from '../rules/months'
import type { Chapter } from './handovers'
import type { Chance, DemoRecord } from '../../../demo'
import { RULE_DEFAULTS } from '../../../rules'

/** What a customer earned us in a month with a product. */
interface Month {
  month: Day
  product: string
  revenue: string
  profit: string
  overdueDays: number
  messages: number
}
const HISTORY = 18
const GROWTH = 1.022

/**
 * Monthly figures of everybody who ever dealt, from the first deal to the last traffic, and what follows from them: revenue and
 * profit of the last thirty days, levels with their log, steps of churn with their cause. Nothing of that is drawn.
 */
export function makeFigures(chapter: Chapter): void {
  const { customers, random, now, timeZone, further } = chapter
  const months: DemoRecord[] = []
  const levels: DemoRecord[] = []
  const churn: DemoRecord[] = []
  const today = dayOf(now, timeZone)
  for (const [index, customer] of customers.entries()) {
    if (typeof customer.firstDealAt !== 'string' || typeof customer.lastTrafficAt !== 'string') {
      customers[index] = { ...customer, level: 'd', revenue30: null, profit30: null }
      continue
    }
    const figures = monthsOf(random.fork(customer.id), customer, today, timeZone)
    months.push(
      ...figures.map((row) => ({
        ...row,
        id: `cm-${customer.id}-${row.month.slice(0, 7)}-${row.product}`,
        customerId: customer.id,
        createdAt: now.toISOString(),
        createdBy: '',
      })),
    )
    const level = levelOf(figures, customer, today, timeZone)
    if (level.log) levels.push(level.log)
    churn.push(...churnOf(random, figures, customer, chapter))
    const active = customer.stage === 'dealt'
    customers[index] = {
      ...customer,
      level: level.level,
      revenue30: active ? last30(figures, 'revenue', today) : null,
      profit30: active ? last30(figures, 'profit', today) : null,
    }
  }
  further['fin.customerMonth'] = months
  further['crm.levelLog'] = levels
  further['crm.churnRecord'] = churn
}

function monthsOf(random: Chance, customer: DemoRecord, today: Day, timeZone: string): Month[] {
  const lastDay = dayOf(String(customer.lastTrafficAt), timeZone)
  const [first, last] = [monthStart(dayOf(String(customer.firstDealAt), timeZone)), monthStart(lastDay)]
  const size = 300 + 42_000 * random.next() ** 2.2
  const margin = 0.02 + random.next() * 0.17
  const falling = random.happens(0.08)
  const late = random.happens(0.12)
  const products = (Array.isArray(customer.products) ? customer.products.map(String) : ['sms']).slice(0, 2)
  const rows: Month[] = []
  for (let back = HISTORY; back >= 0; back -= 1) {
    const month = monthStart(today, back)
    if (month < first || month > last) continue
    const part = month === last ? Number(lastDay.slice(8)) / 30 : 1
    const fade = falling && back < 2 ? 0.3 : 1
    for (const [index, product] of products.entries()) {
      const share = products.length === 1 ? 1 : index === 0 ? 0.7 : 0.3
      const revenue = (size * share * part * fade * (0.85 + random.next() * 0.3)) / GROWTH ** back
      rows.push({
        month,
        product,
        revenue: revenue.toFixed(2),
        profit: (revenue * margin).toFixed(2),
        overdueDays: late && back > 0 && random.happens(0.3) ? random.integer(1, 25) : 0,
        messages: Math.max(1, Math.round(revenue / 0.012)),
      })
    }
  }
  return rows
}

function last30(figures: readonly Month[], field: 'revenue' | 'profit', today: Day): string {
  const of = (month: Day): string =>
    figures
      .filter((row) => row.month === month)
      .reduce((sum, row) => sum + Number(row[field]), 0)
      .toFixed(2)
  return lastThirtyDays(of(monthStart(today)), of(monthStart(today, 1)), today).toFixed(2)
}

/** The level after this month's run. */
function levelOf(figures: readonly Month[], customer: DemoRecord, today: Day, timeZone: string) {
  const rule = RULE_DEFAULTS['crm.level']
  const at = instantAt(monthStart(today), '03:00', timeZone)
  const full = figures.filter(({ month }) => month < monthStart(today) && month >= monthStart(today, 3))
  const sum = (field: 'revenue' | 'profit'): number => full.reduce((all, row) => all + Number(row[field]), 0)
  const inputs = {
    revenue: (sum('revenue') / 3).toFixed(2),
    margin: sum('revenue') > 0 ? ((sum('profit') / sum('revenue')) * 100).toFixed(2) : null,
    overdueDays: Math.max(0, ...full.map((row) => row.overdueDays)),
  }
  const { total } = levelPoints(inputs, rule)
  const { computed, to } = decideLevel(total, { level: 'd', classA: false, locked: false, before: [], pointsBefore: null }, rule)
  if (customer.createdAt > at.toISOString() || full.length === 0) return { level: to, log: null }
  return {
    level: to,
    log: {
      id: `ll-${customer.id}`,
      customerId: customer.id,
      fromLevel: to,
      computedLevel: computed,
      toLevel: to,
      points: total.toFixed(2),
      inputs,
      ruleVersion: 1,
      manual: false,
      at: at.toISOString(),
      createdAt: at.toISOString(),
      createdBy: '',
    },
  }
}

/** The steps that the nightly job has told of the customer so far, product by product. */
function churnOf(
  random: Chance,
  figures: readonly Month[],
  customer: DemoRecord,
  { now, timeZone }: Pick<Chapter, 'now' | 'timeZone'>,
): DemoRecord[] {
  const today = dayOf(now, timeZone)
  const rule = RULE_DEFAULTS['crm.churn']
  const traffic = dayOf(String(customer.lastTrafficAt), timeZone)
  return [...new Set(figures.map(({ product }) => product))].flatMap((product) => {
    const own = figures.filter((row) => row.product === product)
    const cause = random.happens(0.6)
      ? random.pick(['price', 'quality', 'seasonal', 'businessEnd', 'competitor', 'policy'])
      : null
    const told: DemoRecord[] = []
    let latest: ChurnFacts['latest'] = null
    // the nights on which a step could first be told
    for (const night of [addDays(traffic, rule.silentDays + 1), addDays(traffic, rule.churnDays + 1), today]) {
      if (night > today) continue
      const facts = churnFactsOf(own, traffic, night, latest ?? undefined)
      const decision = decideChurn(facts, rule, night)
      if (!decision) continue
      const four = instantAt(night, '04:00', timeZone)
      const at = (four < now ? four : now).toISOString()
      told.push({
        id: `ch-${customer.id}-${product}-${decision.step}`,
        customerId: customer.id,
        product,
        kind: decision.step,
        at,
        baseline: decision.baseline,
        last30: facts.last30,
        dropPct: decision.drop,
        cause: decision.step === 'warning' ? null : cause,
        action: null,
        recoveredAt: null,
        createdAt: at,
        createdBy: '',
      })
      latest = { step: decision.step, baseline: decision.baseline, on: night }
    }
    return told
  })
}
