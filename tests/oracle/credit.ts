import Decimal from 'decimal.js'
import { plusDays } from './calendar'
import type { Day } from './model'

export interface CreditFacts {
  balance: Decimal
  unposted: Decimal
  frozen: Decimal
  limit: Decimal
  gift: Decimal
  bills: { open: Decimal; due: Day; deferredTo?: Day }[]
  today: Day
  graceDays: number
  /** Of the currency: what is paid back is rounded down. */
  decimals: number
}

/** money 2.1: what an account may still use, what it owes too late, and its stage when it is post-paid. */
export function creditOf(facts: CreditFacts): {
  used: Decimal
  usagePct: Decimal | null
  available: Decimal
  refundable: Decimal
  overdue: Decimal
  stage: 'normal' | 'warn' | 'urgent' | 'stop'
} {
  const { balance, unposted, frozen, limit, gift, today } = facts
  const used = Decimal.max(0, balance.minus(unposted).neg())
  const usagePct = limit.isZero() ? null : used.div(limit).times(100)
  const late = facts.bills.filter((bill) => bill.open.gt(0) && (bill.deferredTo ?? bill.due) < today)
  const stopped = late.some((bill) => plusDays(bill.deferredTo ?? bill.due, facts.graceDays) < today)
  const soon = facts.bills.some((bill) => bill.open.gt(0) && bill.due <= plusDays(today, 3))
  const pct = usagePct ?? new Decimal(0)
  return {
    used,
    usagePct,
    available: balance.minus(unposted).plus(limit).minus(frozen),
    // money L10: a gift is consumed last and never given back.
    refundable: Decimal.max(0, balance.minus(Decimal.min(gift, Decimal.max(0, balance))).minus(frozen)).toDecimalPlaces(
      facts.decimals,
      Decimal.ROUND_DOWN,
    ),
    overdue: late.reduce((sum, bill) => sum.plus(bill.open), new Decimal(0)),
    stage: stopped || pct.gte(100) ? 'stop' : late.length > 0 || pct.gte(90) ? 'urgent' : soon || pct.gte(80) ? 'warn' : 'normal',
  }
}
