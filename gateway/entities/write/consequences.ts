import type { WriteContext, Written } from '../core'
import { followPeople } from '../duplicates/follow'
import { keepEffective } from './effective'
import { numberMoved } from './numbers'
import { checkLimits } from './limits'
import { actOnDeletion, holdReferences } from './onDelete'
import { followDeletion } from '../lines/follow'

export type { WriteContext, Written }
import { follow } from '../derive/follow'

/**
 * What follows from rows that were written, in this order, for all of them at once: numbers given with a transition, rollups and
 * derived values of others, limits, transitions that take themselves (`automatic`), of these rows and of those whose values followed.
 * Every way of writing rows ends here: saves, imports, transitions, bulk changes, deletions.
 */
export async function consequences(
  write: WriteContext,
  written: readonly Written[],
  { automatic = true }: { automatic?: boolean } = {},
): Promise<void> {
  if (written.length === 0) return
  await numberMoved(write, written)
  await holdReferences(write, written)
  await actOnDeletion(write, written)
  await keepEffective(write, written)
  for (const lines of await followDeletion(write, written)) await consequences({ ...write, model: lines.model }, lines.written)
  const followed = await follow(write, written)
  await followPeople(write, written)
  await checkLimits(write, written)
  if (!automatic) return
  await write.core.takeAutomatic(write, written)
  for (const [model, rows] of followed) await write.core.takeAutomatic({ ...write, model }, rows)
}
