import type { EntityModel } from '../../../src/schema/entity'
import { sameValue } from '../sameValue'
import type { EntityRecord } from '../calls'

/**
 * Only transitions write states: whatever else writes a record leaves its machines where they are, and a new record starts in the
 * initial state. Fields that a bulk change did not read are missing in both. @throws Error that names the field, for whoever wrote the code
 */
export function keepStates({ name, machines }: EntityModel, before: EntityRecord | null, record: EntityRecord): void {
  for (const { field, initial } of machines) {
    const [was, is] = [before ? before[field] : initial, record[field]]
    if (sameValue(was, is)) continue
    throw new Error(
      `Only transitions write ${name}.${field}: ${before ? `a save moved it from "${String(was)}" to` : 'a new record starts in'} "${String(is)}"${before ? '' : `, not in "${initial}"`}.`,
    )
  }
}
