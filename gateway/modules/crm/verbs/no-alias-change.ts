import type { ModuleVerb } from '../../module'
import { refuseWhileAliasChanges } from '../services/alias/block'

/** `crm.noAliasChange`: none of the customers of `customerIds` may be one whose alias is being changed. */
export const verb: ModuleVerb = ({ tx }, runs) =>
  refuseWhileAliasChanges(tx, ...runs.flatMap((run) => run.with.customerIds as string[]))
