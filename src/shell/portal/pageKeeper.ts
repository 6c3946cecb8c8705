import { clear, createStore, get, set } from 'idb-keyval'
import type { PageBundle } from '../../runtime/host'
import type { PageKeeper } from './portal'

/** Keeps page schemas in IndexedDB. Where the browser refuses it, pages simply need the gateway. */
export function createPageKeeper(): PageKeeper {
  const store = createStore('switchboard-pages', 'bundles')
  return {
    async get(idOrPath) {
      try {
        const value = await get<{ etag: string | null; bundle: PageBundle }>(idOrPath, store)
        return value?.bundle?.page ? value : null
      } catch {
        return null
      }
    },
    async put(idOrPath, value) {
      await set(idOrPath, value, store).catch(() => undefined)
    },
    async clear() {
      await clear(store).catch(() => undefined)
    },
  }
}
