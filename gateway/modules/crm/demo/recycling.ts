import * as ownership from '../../../ownership'
import type { RuleTypes } from '../../../rules'

/** What the rule of recycling looks at in a customer: invented lives keep to it. */
export type RecyclingFacts = Omit<ownership.RecyclingFacts, 'spared' | 'kept' | 'extended'> & {
  level: string
  tags: readonly string[]
  /** An open opportunity at s3 or later gives the no-deal rule its one extension. */
  lateOpportunity?: boolean
}

/** When a private customer goes to the sea if nobody does anything (CRM rule 9.2). */
export const decideRecycling = (
  { level, tags, lateOpportunity, ...facts }: RecyclingFacts,
  rules: RuleTypes['crm.sea'],
  timeZone: string,
): ownership.RecyclingDecision =>
  ownership.decideRecycling(
    { ...facts, spared: level === 'a', kept: tags.includes('keep'), extended: lateOpportunity },
    rules,
    timeZone,
  )

/** Whether an owned customer counts against the cap (CRM rule 9.4). */
export const countsAgainstCap = (
  { holding, level, stage, lastTrafficAt }: { holding: string; level: string; stage: string; lastTrafficAt: string | null },
  rules: RuleTypes['crm.retention'],
  now: Date,
  timeZone: string,
): boolean =>
  ownership.countsAgainstCap({ holding, spared: level === 'a', dealt: stage === 'dealt', lastTrafficAt }, rules, now, timeZone)
