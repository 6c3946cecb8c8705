import type { EntityEngine, Verb } from '../../../entities'
import { refuseWhileAliasChanges } from './alias/block'
import type { HitDesk } from './blacklist/guard'
import { sameCompany } from './comeBack'
import { held, holdingsOf, recyclingFacts } from './holdings'

/** What the transitions of customers ask and do that is no data: what holds a customer, which alias changes run, who stands beside it. */
export function registerCustomerVerbs(engine: EntityEngine, hitDesk: HitDesk): void {
  const holdings = holdingsOf((entity) => engine.names().includes(entity))
  engine.registerFunction('crm.held', held(holdings))
  engine.registerFunction('crm.recyclingFacts', recyclingFacts(holdings))
  engine.registerVerb('crm.refuseWhileAliasChanges', ({ tx }, runs) =>
    refuseWhileAliasChanges(tx, ...runs.map(({ subject }) => String(subject.record.id))),
  )
  engine.registerVerb('crm.noAliasChange', ({ tx }, runs) =>
    refuseWhileAliasChanges(tx, ...runs.flatMap((run) => run.with.customerIds as string[])),
  )
  engine.registerVerb('crm.sameCompany', standBeside(hitDesk))
}

/** The same company was entered anew while the customer was void: both have a history, somebody decides whether they are merged. */
const standBeside =
  (hitDesk: HitDesk): Verb =>
  async (hook, runs) => {
    for (const { subject } of runs) {
      const same = await sameCompany(hook, subject.before!, hitDesk)
      if (same) subject.record.duplicateOfId = same.id
    }
  }
