import type { EntityRecord } from '../../entities'
import { hourAt, weekdayAt } from './rules/clock'
import { fires, isOver } from './rules/decide'
import { conditionOf, type Condition } from './rules/expression'
import type { Sample } from './rules/windows'
import type { Series } from './take'

/** A rule as it is stored, with its conditions ready to be asked. */
export interface Rule {
  record: EntityRecord
  met: Condition
  severe: Condition | undefined
  over: Condition | undefined
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

/** @throws ExpressionError for conditions that cannot be read: a save refuses them */
export function ruleOf(record: EntityRecord): Rule {
  const optional = (text: unknown): Condition | undefined => {
    const given = textOf(text)
    return given === undefined ? undefined : conditionOf(given)
  }
  return {
    record,
    met: conditionOf(String(record['expr'])),
    severe: optional(record['severeExpr']),
    over: optional(record['resolveExpr']),
  }
}

/** What a rule says of a series at its last sample. */
export interface Verdict {
  fires: boolean
  over: boolean
  severity: string
}

/** Asks a rule about the last samples of a series; `others` are those of the other indicator at the same moments. */
export function judge(
  { record, met, severe, over }: Rule,
  series: Series,
  timeZone: string,
  others: readonly Sample[] = [],
): Verdict {
  const { samples, dims } = series
  const most = Math.max(Number(record['ofTimes'] ?? 1), Number(record['resolveTimes'] ?? 1))
  const from = Math.max(0, samples.length - most)
  const asked = samples.slice(from).map((sample, index) => ({
    ...{ sample, dims, before: samples.slice(0, from + index), other: others.findLast(({ at }) => at <= sample.at) },
    ...{ hour: hourAt(sample.at, timeZone), weekday: weekdayAt(sample.at, timeZone) },
  }))
  const results = asked.map(met)
  // too few samples are no recovery
  const ended = asked.map((one, index) => one.sample.quality === 'ok' && (over ? over(one) : !results[index]))
  const last = asked.at(-1)
  const raised = severe !== undefined && last !== undefined && severe(last) && textOf(record['severeAs']) !== undefined
  return {
    fires: fires(results, Number(record['forTimes'] ?? 1), Number(record['ofTimes'] ?? 1)),
    over: isOver(ended, Number(record['resolveTimes'] ?? 1)),
    severity: String(raised ? record['severeAs'] : record['severity']),
  }
}

/** How often a rule would have fired over series, each time until it was over again. */
export function firedOver(rule: Rule, series: readonly Series[], timeZone: string): number {
  let fired = 0
  for (const one of series) {
    let open = false
    for (let end = 1; end <= one.samples.length; end += 1) {
      const verdict = judge(rule, { ...one, samples: one.samples.slice(0, end) }, timeZone)
      if (!open && verdict.fires) fired += 1
      open = verdict.fires || (open && !verdict.over)
    }
  }
  return fired
}
