import type { ModuleVerb } from '../../module'
import { hitDeskOf } from '../services/blacklist/desk'
import { sameCompany } from '../services/comeBack'

/** `crm.sameCompany`: the same company was entered anew while the customer was void: both have a history, somebody decides whether they are merged. */
export const verb: ModuleVerb = async (hook, runs) => {
  const hitDesk = hitDeskOf(hook)
  for (const { subject } of runs) {
    const same = await sameCompany(hook, subject.before!, hitDesk)
    if (same) subject.record.duplicateOfId = same.id
  }
}
