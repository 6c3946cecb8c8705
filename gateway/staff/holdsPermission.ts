import type { Executor } from '../platform/database'
import { mergeRoles } from './rights'
import { rolesOf } from './store'

/** Whether the roles of a person hold the key of a button at a moment; about somebody else than the caller, of whom the context tells. */
export async function holdsPermission(db: Executor, staffId: string, key: string, moment: Date): Promise<boolean> {
  return mergeRoles(await rolesOf(db, staffId, moment), () => undefined).permissions.has(key)
}
