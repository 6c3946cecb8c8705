import type { WritePlace, Written } from '../core'
import { followPeople } from '../duplicates/follow'
import { keepEffective } from './effective'
import { numberMoved } from './numbers'
import { checkLimits } from './limits'
import { actOnDeletion, holdReferences } from './onDelete'
import { followDeletion } from '../lines/follow'

export type { WritePlace, Written }
import { follow } from '../derive/follow'

/**
 * What follows from rows that were written, in this order, for all of them at once: numbers given with a transition, rollups and
 * derived values of others, limits, transitions that take themselves (`automatic`), of these rows and of those whose values followed.
 * Every way of writing rows ends here: saves, imports, transitions, bulk changes, deletions.
 */
export async function consequences(
  place: WritePlace,
  written: readonly Written[],
  { automatic = true }: { automatic?: boolean } = {},
): Promise<void> {
  if (written.length === 0) return
  await numberMoved(place, written)
  await holdReferences(place, written)
  await actOnDeletion(place, written)
  await keepEffective(place, written)
  for (const lines of await followDeletion(place, written)) await consequences({ ...place, model: lines.model }, lines.written)
  const followed = await follow(place, written)
  await followPeople(place, written)
  await checkLimits(place, written)
  if (!automatic) return
  await place.core.takeAutomatic(place, written)
  for (const [model, rows] of followed) await place.core.takeAutomatic({ ...place, model }, rows)
}
