import type { ModuleVerb } from '../../module'
import { refuseWhileAliasChanges } from '../services/alias/block'

/** `crm.refuseWhileAliasChanges`: a customer whose alias is being changed stays as it is. */
export const verb: ModuleVerb = ({ tx }, runs) =>
  refuseWhileAliasChanges(tx, ...runs.map(({ subject }) => String(subject.record.id)))
