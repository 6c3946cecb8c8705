import { OPEN_STAGES, STAGE_ORDER } from '../../gateway/modules/crm/rules/opportunity'

/** One change of stage as the log holds it. */
export interface StageStep {
  opportunityId: string
  fromStage: string | null
  toStage: string
  /** ISO instant. */
  at: string
  daysInStage: number | null
}

/** Instants of the edges: from <= at < to. */
interface FunnelPeriod {
  from: string
  to: string
}

interface FunnelStage {
  stage: string
  /** Opportunities by figure; every list holds an opportunity once. */
  entered: string[]
  passed: string[]
  lost: string[]
  stayed: string[]
  left: string[]
  /** Median of the days that changes of the period end in this stage; null when nobody left. */
  medianDays: number | null
}

const rank = (stage: string): number => STAGE_ORDER.findIndex((known) => known === stage)

/**
 * The funnel of a period by the stage log: an opportunity entered a stage when the log has it come there within the period; from
 * its first coming on it passed when it reached a later stage within the period, else was lost when it was given up, else it
 * stayed (or went back). entered = passed + lost + stayed.
 */
export function funnelOf(steps: readonly StageStep[], period: FunnelPeriod): FunnelStage[] {
  const inside = steps.filter((step) => step.at >= period.from && step.at < period.to)
  return OPEN_STAGES.map((stage) => {
    const entries = new Map<string, string>()
    for (const step of inside)
      if (step.toStage === stage && (entries.get(step.opportunityId) ?? '~') > step.at) entries.set(step.opportunityId, step.at)
    const after = (id: string, reached: (to: string) => boolean): boolean =>
      inside.some((step) => step.opportunityId === id && step.at >= (entries.get(id) ?? '~') && reached(step.toStage))
    const entered = [...entries.keys()].sort()
    const passed = entered.filter((id) => after(id, (to) => rank(to) > rank(stage)))
    const lost = entered.filter((id) => !passed.includes(id) && after(id, (to) => to === 'lost'))
    const leaving = inside.filter((step) => step.fromStage === stage)
    return {
      stage,
      entered,
      passed,
      lost,
      stayed: entered.filter((id) => !passed.includes(id) && !lost.includes(id)),
      left: [...new Set(leaving.map((step) => step.opportunityId))].sort(),
      medianDays: median(leaving.flatMap((step) => (step.daysInStage === null ? [] : [step.daysInStage]))),
    }
  })
}

/** The middle value, or the mean of the two middle ones; null of nothing. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}
