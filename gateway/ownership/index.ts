/**
 * Ownership of records: pool, claim, assign, transfer with acceptance, share, holding cap, cool-down, recycling, and the hand-over of
 * who leaves. What an entity does stands in the feature `ownership` (schemas/features); here is what the feature asks of code, for
 * every entity that says `x-ownership`.
 */
import type { EntityEngine } from '../entities'
import { claimService, stayService } from './claims'
import { followUpService } from './followUps'
import { registerFunctions } from './functions'
import { staffLeavesService } from './leaving/handOver'
import { ownedService } from './saves'
import { subjectsOf } from './subject'

export { registerOwnershipCalls } from './calls'
export { ownershipRules } from './effects'
export { leaderOf } from './leaving/handOver'
export { logOwnership } from './log'
export {
  claimableFrom,
  countsAgainstCap,
  decideRecycling,
  type RecyclingDecision,
  type RecyclingFacts,
  type RecyclingReason,
} from './rules'
export { refuseAboveCap } from './saves'
export { subjectOf } from './subject'

/** Registers what the feature names, and stands on every entity with ownership. */
export function registerOwnership(
  engine: EntityEngine,
  { timeZone, onError }: { timeZone: string; onError: (error: unknown, message: string) => void },
): void {
  registerFunctions(engine, timeZone)
  engine.registerEntityService('ownership.claim', claimService(engine, onError))
  engine.hook('sys.staff', staffLeavesService(engine, timeZone))
  for (const subject of subjectsOf(engine)) {
    engine.hook(subject.name, ownedService(engine, subject, timeZone))
    engine.hook(subject.word.stay, stayService(engine, timeZone))
    engine.hook(subject.word.followUps, followUpService)
  }
}
