import type { Entities } from '../../../entities'

/** Do all these records stand under the customer? */
export async function isEntityOf(
  entities: Entities,
  entity: string,
  ids: readonly string[],
  customerId: string,
): Promise<boolean> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return true
  const found = await entities.count(entity, [
    { field: 'id', operator: 'in', value: wanted },
    { field: 'customerId', operator: 'eq', value: customerId },
  ])
  return found === wanted.length
}
