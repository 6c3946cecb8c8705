import type { ModuleVerb } from '../../module'
import type { AssignRule } from '../rules/assign'

/** `csc.keepCounters`: keeps the counters of the rules that decided: the last decision of a rule knows them. */
export const verb: ModuleVerb = async ({ entities }, runs) => {
  const last = new Map<string, AssignRule>()
  for (const { with: values } of runs) {
    const rule = values.rule as AssignRule | null
    if (rule) last.set(rule.id, rule)
  }
  const rules = new Map([...last].map(([id, { pointer }]) => [id, { pointer }] as const))
  const members = new Map([...last.values()].flatMap((rule) => rule.members.map(({ id, current }) => [id, { current }] as const)))
  await entities.changeMany('csc.assignRule', rules)
  await entities.changeMany('csc.assignMember', members)
}
