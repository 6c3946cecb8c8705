import { addDays, daysBetween } from '../../../platform/calendar'
import { currencyDigits, Exact, exactText, roundedText } from '../../../../src/schema/formats'

/** What of the entries of a period a bill is made of: signed as the account sees them, usage is negative. */
export interface BilledEntry {
  type: string
  signedAmount: string
}

/** What a bill asks for, by its figures. */
const ASKED_AS = { usage: ['usage'], fee: ['fee', 'deviceSale', 'deviceReturn'], adjust: ['adjustment'] } as const

/** Kinds of entries that a bill asks for (dictionary `ledgerType`, money 2.4). */
export const CONSUMPTION: readonly string[] = Object.values(ASKED_AS).flat()

export interface BillTotals {
  usageAmount: string
  feeAmount: string
  adjustAmount: string
  /** The sum with all its decimals. */
  exact: string
  /** Output tax on the rounded sum. */
  taxAmount: string
  /** Rounded half up to the currency, with tax. */
  total: string
  /** Posted to the account so that it owes the total: positive raises what it owes (examples B1, L6). */
  difference: string
}

/**
 * Adds up what a bill asks for.
 * @param taxRate percent
 */
export function billTotals(entries: readonly BilledEntry[], currency: string, taxRate = '0'): BillTotals {
  const sum = (types: readonly string[]): Exact =>
    entries.filter(({ type }) => types.includes(type)).reduce((all, { signedAmount }) => all.minus(signedAmount), new Exact(0))
  const [used, fees, adjusted] = [sum(ASKED_AS.usage), sum(ASKED_AS.fee), sum(ASKED_AS.adjust)]
  const exact = used.plus(fees).plus(adjusted)
  const net = roundedText(exact, currencyDigits(currency))
  const tax = roundedText(new Exact(net).times(taxRate).dividedBy(100), currencyDigits(currency))
  return {
    usageAmount: exactText(used),
    feeAmount: exactText(fees),
    adjustAmount: exactText(adjusted),
    exact: exactText(exact),
    taxAmount: tax,
    total: exactText(new Exact(net).plus(tax)),
    difference: exactText(new Exact(net).minus(exact)),
  }
}

export interface OpenBill {
  id: string
  dueDate: string
  openAmount: string
}

/**
 * Which bills money pays: those that are named first, then the oldest by due day (money 2.4, FIFO). What is left is a prepayment.
 * @param named ids that are paid first, in their order; `only`: no others
 */
export function allocated<Bill extends OpenBill>(
  amount: string,
  bills: readonly Bill[],
  { named = [], only = false }: { named?: readonly string[]; only?: boolean } = {},
): { paid: { bill: Bill; amount: string }[]; rest: string } {
  const place = ({ id }: OpenBill): number => (named.includes(id) ? named.indexOf(id) : named.length)
  const meant = only ? bills.filter(({ id }) => named.includes(id)) : bills
  const sorted = [...meant].sort((a, b) => place(a) - place(b) || a.dueDate.localeCompare(b.dueDate) || a.id.localeCompare(b.id))
  const paid: { bill: Bill; amount: string }[] = []
  let rest = new Exact(amount)
  for (const bill of sorted) {
    const open = new Exact(bill.openAmount)
    if (!rest.gt(0) || !open.gt(0)) continue
    const part = rest.gt(open) ? open : rest
    paid.push({ bill, amount: exactText(part) })
    rest = rest.minus(part)
  }
  return { paid, rest: exactText(rest) }
}

/** State of a bill by what is open: nothing open is paid. */
export const billStatus = (total: string, open: string): 'issued' | 'partPaid' | 'paid' =>
  !new Exact(open).gt(0) ? 'paid' : new Exact(open).lt(total) ? 'partPaid' : 'issued'

/**
 * What of a bill's base amount the money that pays it does not bring: positive is a loss (example L7: a bill of 7.10 paid at 7.05).
 * @param billRate CNY for one unit when it was used
 * @param paidRate when it was paid
 */
export const realisedDifference = (amount: string, billRate: string, paidRate: string): string =>
  exactText(new Exact(amount).times(new Exact(billRate).minus(paidRate)).toDecimalPlaces(6))

export interface Cycle {
  /** Dictionary `cycleKind`. */
  kind: 'weekly' | 'tenDay' | 'halfMonth' | 'monthly' | 'days'
  /** Day of the month a monthly period begins on; of weekly cycles 1 = Monday. */
  startDay: number
  /** Of `days`. */
  lengthDays?: number | null
  /** First day of the first period of a cycle of days. */
  anchor?: string | null
}

export interface Period {
  from: string
  to: string
}

/** The period of a cycle that a day falls into; both days belong to it (money 2.5). */
export function periodOf(cycle: Cycle, day: string): Period {
  const from = firstDayOf(cycle, day)
  return { from, to: addDays(nextFirst(cycle, from), -1) }
}

/**
 * The periods from a day to another, without gap or overlap (I17): the first begins where the last bill ended, and of the last one no
 * more than is over is there. `cut`: the period that runs ends with the day.
 */
export function periodsUpTo(cycle: Cycle, { since, through, cut }: { since: string; through: string; cut: boolean }): Period[] {
  const found: Period[] = []
  for (let from = since; from <= through;) {
    const whole = periodOf(cycle, from)
    if (whole.to > through && !cut) break
    const to = whole.to > through ? through : whole.to
    found.push({ from, to })
    from = addDays(to, 1)
  }
  return found
}

/** First days of the coming periods, after a day. */
export function comingStarts(cycle: Cycle, after: string, count: number): string[] {
  const found: string[] = []
  for (let day = nextFirst(cycle, firstDayOf(cycle, after)); found.length < count; day = nextFirst(cycle, day)) found.push(day)
  return found
}

/**
 * What a change of cycle leads to: the period that runs is cut on the eve of the new cycle's first day, and no day is billed twice or
 * not at all (I17).
 * @throws Error when the day is no first day of a period of the new cycle, or the cut period is longer than 45 days
 */
export function transitionPeriod(current: Cycle, next: Cycle, effectiveFrom: string): Period {
  if (next.kind !== 'days' && firstDayOf(next, effectiveFrom) !== effectiveFrom)
    throw new Error(`${effectiveFrom} is no first day of a period of the new cycle.`)
  const to = addDays(effectiveFrom, -1)
  const { from } = periodOf(current, to)
  if (daysBetween(from, to) + 1 > LONGEST) throw new Error(`The period from ${from} to ${to} is longer than ${LONGEST} days.`)
  return { from, to }
}
const LONGEST = 45

const dayNumber = (day: string): number => Number(day.slice(8))
const inMonth = (day: string, number: number): string => `${day.slice(0, 8)}${String(number).padStart(2, '0')}`
/** Monday = 1. */
const weekday = (day: string): number => ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1
const monthOn = (day: string): string => {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  return month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
}
const monthBack = (day: string): string => inMonth(addDays(inMonth(day, 1), -1), 1)

function firstDayOf(cycle: Cycle, day: string): string {
  const number = dayNumber(day)
  switch (cycle.kind) {
    case 'weekly':
      return addDays(day, -((weekday(day) - cycle.startDay + 7) % 7))
    case 'tenDay':
      return inMonth(day, number > 20 ? 21 : number > 10 ? 11 : 1)
    case 'halfMonth':
      return inMonth(day, number > 15 ? 16 : 1)
    case 'monthly':
      return inMonth(number >= cycle.startDay ? day : monthBack(day), cycle.startDay)
    case 'days': {
      const length = cycle.lengthDays ?? 1
      const anchor = cycle.anchor ?? day
      const passed = daysBetween(anchor, day)
      return addDays(day, -(((passed % length) + length) % length))
    }
  }
}

function nextFirst(cycle: Cycle, from: string): string {
  switch (cycle.kind) {
    case 'weekly':
      return addDays(from, 7)
    case 'tenDay':
      return dayNumber(from) === 21 ? monthOn(from) : addDays(from, 10)
    case 'halfMonth':
      return dayNumber(from) === 16 ? monthOn(from) : inMonth(from, 16)
    case 'monthly':
      return inMonth(monthOn(from), cycle.startDay)
    case 'days':
      return addDays(from, cycle.lengthDays ?? 1)
  }
}
