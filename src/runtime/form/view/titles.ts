import type { Host } from '../../../headless/host'
import type { Refs } from '../../../headless/row'

/** Titles of referenced records, as far as they are known; what is missing is asked for once, many at a time. */
export interface Titles {
  get(entity: string, id: string): string | undefined
  put(entity: string, id: string, title: string): void
  /** Asks for titles that are not known. `path` is the base path of the entity's calls. */
  ask(entity: string, path: string, ids: readonly string[]): void
  subscribe(listener: () => void): () => void
  version(): number
}

export const createTitles = (host: Host, refs: Refs = {}): Titles => {
  const known = new Map<string, string>()
  const asked = new Set<string>()
  const listeners = new Set<() => void>()
  let version = 0
  const key = (entity: string, id: string): string => `${entity} ${id}`
  const changed = (): void => {
    version += 1
    for (const listener of [...listeners]) listener()
  }
  for (const [entity, records] of Object.entries(refs)) {
    for (const [id, { title }] of Object.entries(records)) known.set(key(entity, id), title)
  }
  return {
    get: (entity, id) => known.get(key(entity, id)),
    put: (entity, id, title) => {
      if (known.get(key(entity, id)) === title) return
      known.set(key(entity, id), title)
      changed()
    },
    ask: (entity, path, ids) => {
      const missing = ids.filter((id) => id !== '' && !known.has(key(entity, id)) && !asked.has(key(entity, id)))
      if (missing.length === 0 || !path) return
      for (const id of missing) asked.add(key(entity, id))
      host
        .request<{ id: string; title: string }[]>({
          method: 'POST',
          path: `${path}/select`,
          body: { ids: missing, pageSize: missing.length },
        })
        .then((records) => {
          for (const { id, title } of records) known.set(key(entity, id), title)
          changed()
        })
        .catch((error: unknown) => {
          // the id stays visible instead of the title; a later visit may ask again
          for (const id of missing) asked.delete(key(entity, id))
          host.report(error, { where: 'form titles', entity })
        })
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    version: () => version,
  }
}
