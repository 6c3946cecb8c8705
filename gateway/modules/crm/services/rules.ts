import type { Executor } from '../../../platform/database'
import { ruleFor } from '../../../rules'

export { departmentsOf, paramsOf, ruleBook, ruleFor, rulesFor, type RuleBook } from '../../../rules'
export type { RuleSubject } from '../../../entities'

/** Mail domains that prove no identity, or that several customers share. */
export async function sharedDomains(db: Executor, now: Date): Promise<readonly string[]> {
  return (await ruleFor(db, 'crm.domain', now)).domains.map(({ domain }) => domain)
}
