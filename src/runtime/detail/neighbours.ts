import type { Host } from '../../headless/host'
import { neighboursKey } from '../list/counting'

/** Ids before and after a record in the list that was shown last. */
export const neighboursOf = (host: Host, entity: string, id: string): { previous: string | null; next: string | null } => {
  const nothing = { previous: null, next: null }
  try {
    const ids: unknown = JSON.parse(host.local.get(neighboursKey(entity)) ?? '[]')
    if (!Array.isArray(ids)) return nothing
    const index = ids.indexOf(id)
    if (index < 0) return nothing
    return { previous: index > 0 ? String(ids[index - 1]) : null, next: index < ids.length - 1 ? String(ids[index + 1]) : null }
  } catch {
    return nothing
  }
}

/** The address of this page for another record: the parameter that holds the id holds the other one, and the name is not this one's. */
export const addressFor = (path: string, search: string, id: string, other: string): string => {
  const params = new URLSearchParams(search)
  params.delete('tagTitle')
  for (const [name, value] of [...params]) if (value === id) params.set(name, other)
  return `${path}?${params.toString()}`
}
