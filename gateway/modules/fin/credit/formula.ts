import { Exact, exactText } from '../../../../src/schema/formats'
import type { RuleTypes } from '../../../rules'

/** Dictionary `creditStage`, the lightest first. */
export type CreditStage = 'normal' | 'warn' | 'urgent' | 'stop' | 'manualStop'
/** Dictionary `stopCause`. */
export type StopCause = 'low' | 'limit' | 'overdue' | 'manual'

/** What the stage of an account follows from (money 2.1); amounts in the account's currency as decimal texts. */
export interface CreditFacts {
  payMode: 'prepaid' | 'postpaid'
  balance: string
  unposted: string
  frozen: string
  /** Sums of the grants that are active now. */
  limitPermanent: string
  limitTemporary: string
  overdueAmount: string
  /** Days since the oldest bill that is due and not deferred; 0 when nothing is. */
  overdueDays: number
  /** Days until the next bill is due; null when none is open. */
  daysToDue: number | null
  graceDays: number
  /** Empty: some days of usage, as the rule says. */
  warnAmount: string | null
  stopAmount: string
  /** Average of the last seven days with usage. */
  dailyUsage: string
  manualStop: boolean
  /** A deferral that keeps the stop: nothing is sent though the bill is not overdue any more. */
  keepsStop: boolean
  whitelisted: boolean
  /** An account for equipment: what is owed on it stops nothing (product `device`). */
  receivablesOnly?: boolean
  /** What it was before, and for how many minutes. */
  before: CreditStage
  minutesSinceFlip: number
}

/** The thresholds that admins set (rule set `fin.credit`). */
export type CreditRule = RuleTypes['fin.credit']

export interface CreditState {
  limitEffective: string
  used: string
  /** Percent with two decimals; null without a limit. */
  usagePct: string | null
  available: string
  warnAmount: string
  stage: CreditStage
  cause: StopCause | null
}

const STOP_PERCENT = 100

/**
 * Where an account stands (money 2.1): the limit from its grants, what is used and available, the stage and why it is stopped. Of
 * several causes the gravest is told: by hand, overdue, limit, low.
 */
export function creditOf(facts: CreditFacts, rule: CreditRule): CreditState {
  const prepaid = facts.payMode === 'prepaid'
  const limit = prepaid ? new Exact(facts.limitTemporary) : new Exact(facts.limitPermanent).plus(facts.limitTemporary)
  const own = new Exact(facts.balance).minus(facts.unposted)
  const used = own.isNegative() ? own.abs() : new Exact(0)
  const usage = limit.gt(0) ? used.times(100).dividedBy(limit) : null
  const available = own.plus(limit).minus(facts.frozen)
  const warnAmount = facts.warnAmount === null ? usualWarning(facts, rule) : new Exact(facts.warnAmount)
  const plain = facts.receivablesOnly
    ? NORMAL
    : prepaid
      ? prepaidStage({ available, warnAmount, urgent: warnAmount.times(rule.urgentPct).dividedBy(100) }, facts)
      : postpaidStage({ usage, used }, facts, rule)
  return {
    limitEffective: exactText(limit),
    used: exactText(used),
    usagePct: usage === null ? null : usage.toFixed(2),
    available: exactText(available),
    warnAmount: exactText(warnAmount),
    ...decided(plain, { facts, rule, limit, available }),
  }
}

/** Some days of usage, and no less than the floor. */
function usualWarning({ dailyUsage }: CreditFacts, { warnDays, warnFloor }: CreditRule): Exact {
  const [usage, floor] = [new Exact(dailyUsage).times(warnDays), new Exact(warnFloor)]
  return usage.gt(floor) ? usage : floor
}

type Found = Pick<CreditState, 'stage' | 'cause'>
const NORMAL: Found = { stage: 'normal', cause: null }

function prepaidStage(
  { available, warnAmount, urgent }: Readonly<Record<'available' | 'warnAmount' | 'urgent', Exact>>,
  { stopAmount }: CreditFacts,
): Found {
  if (available.lte(stopAmount)) return { stage: 'stop', cause: 'low' }
  if (available.lte(urgent)) return { stage: 'urgent', cause: null }
  return available.lte(warnAmount) ? { stage: 'warn', cause: null } : NORMAL
}

function postpaidStage(
  { usage, used }: { usage: Exact | null; used: Exact },
  { overdueDays, graceDays, daysToDue, keepsStop }: CreditFacts,
  { usageUrgent, usageWarn, dueSoonDays }: CreditRule,
): Found {
  if (overdueDays > graceDays || keepsStop) return { stage: 'stop', cause: 'overdue' }
  if (usage === null ? used.gt(0) : usage.gte(STOP_PERCENT)) return { stage: 'stop', cause: 'limit' }
  if ((usage?.gte(usageUrgent) ?? false) || overdueDays >= 1) return { stage: 'urgent', cause: null }
  const dueSoon = daysToDue !== null && daysToDue <= dueSoonDays
  return (usage?.gte(usageWarn) ?? false) || dueSoon ? { stage: 'warn', cause: null } : NORMAL
}

/** A person's stop stands above all; the whitelist softens a stop; a stop is left only with a buffer and after a while. */
function decided(
  plain: Found,
  { facts, rule, limit, available }: { facts: CreditFacts; rule: CreditRule; limit: Exact; available: Exact },
): Found {
  if (facts.manualStop) return { stage: 'manualStop', cause: 'manual' }
  if (plain.stage === 'stop') return facts.whitelisted ? { stage: 'urgent', cause: null } : plain
  if (facts.before !== 'stop') return plain
  const share = limit.times(rule.resumeBufferPct).dividedBy(100)
  const units = new Exact(rule.resumeBufferUnits)
  const buffer = share.gt(units) ? share : units
  const resumes = facts.minutesSinceFlip >= rule.resumeMinutes && (available.gte(buffer) || facts.whitelisted)
  return resumes ? plain : { stage: 'stop', cause: facts.payMode === 'prepaid' ? 'low' : 'limit' }
}

/** What a customer may come to owe: average daily usage for the days of the cycle, the term and the grace (money 8.5). */
export const exposure = (dailyUsage: string, days: { cycle: number; term: number; grace: number }): string =>
  exactText(new Exact(dailyUsage).times(days.cycle + days.term + days.grace))
