import { refusal, type EntityEngine, type EntityRecord, type InputProblem, type SaveHook } from '../../../entities'
import type { RequestContext } from '../../../platform/http'

/** Refuses with 10010005 and everything that a check finds wrong. */
export async function refuseWrong({ locale }: RequestContext, check: (fail: SaveHook['fail']) => Promise<void>): Promise<void> {
  const problems: InputProblem[] = []
  await check((problem) => void problems.push(problem))
  if (problems.length > 0) throw refusal('validationFailed', locale, problems)
}

/** What the customer template needs to know of a new customer. */
export const newCustomer = (engine: EntityEngine, record: EntityRecord, now: Date) => ({
  model: engine.model('crm.customer'),
  record,
  before: null,
  given: new Set(Object.keys(record)),
  now,
})
