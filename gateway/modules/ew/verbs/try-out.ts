import type { EntityRecord } from '../../../entities'
import type { Executor } from '../../../platform/database'
import type { ModuleVerb } from '../../module'
import { firedOver, ruleOf } from '../evaluate'
import { historyOf, type Series } from '../take'

const DAY = 86_400_000

/** `ew.tryOut`: how often rules would have fired over the samples of the last 7 days. */
export const verb: ModuleVerb = async ({ tx, now }, runs) => {
  for (const { subject } of runs) Object.assign(subject.record, await tried(tx, subject.record, now))
}

async function tried(tx: Executor, rule: EntityRecord, now: Date): Promise<EntityRecord> {
  const series = await seriesOf(tx, rule, now)
  return { dryFires: firedOver(ruleOf(rule), series, tx.companyTimeZone), dryAt: now.toISOString() }
}

async function seriesOf(tx: Executor, rule: EntityRecord, now: Date): Promise<readonly Series[]> {
  const history = await historyOf(tx, String(rule['configuredId']), new Date(now.getTime() - 7 * DAY), now)
  return [...history].map(([dimKey, samples]) => ({ dimKey, dims: parsed(dimKey), samples }))
}

/** The dimensions that a key was made of. */
const parsed = (dimKey: string): Record<string, string> =>
  Object.fromEntries(
    dimKey.split('|').flatMap((part) => (part.includes('=') ? [part.split(/=(.*)/s).slice(0, 2)] : [])),
  ) as Record<string, string>
