import { clear, createStore, get, set } from 'idb-keyval'
import type { PageBundle } from '../../headless/host'
import { PRESENT_VERSION } from '../../schema/migrate'
import type { KeptPage, PageKeeper } from './portal'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Has the parts of a page. Whether it can be shown is not said. */
export const isBundle = (value: unknown): value is PageBundle =>
  isRecord(value) &&
  isRecord(value['page']) &&
  typeof value['where'] === 'string' &&
  typeof value['revision'] === 'string' &&
  isRecord(value['entities']) &&
  isRecord(value['dictionaries'])

/** What lies in a browser may be spoilt, or be of a portal that read another format. */
const isReadable = (value: unknown): value is PageBundle => isBundle(value) && value.page.formatVersion === PRESENT_VERSION

/** What a browser that keeps nothing refuses at once, or later, is not there. */
const orNothing = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await work()
  } catch {
    return undefined
  }
}

/** Keeps page schemas in IndexedDB. Where the browser refuses it, pages simply need the gateway. */
export function createPageKeeper(): PageKeeper {
  const store = createStore('switchboard-pages', 'bundles')
  const read = (key: string): Promise<unknown> => orNothing(() => get<unknown>(key, store))
  const write = (key: string, value: unknown): Promise<void> => orNothing(() => set(key, value, store))
  const goodKey = (idOrPath: string): string => `good ${idOrPath}`
  const written = new Map<string, string>()
  return {
    async get(idOrPath) {
      const value = await read(idOrPath)
      if (!isRecord(value) || !isReadable(value['bundle'])) return null
      const { etag, bundle } = value
      return { etag: typeof etag === 'string' ? etag : null, bundle }
    },
    put: (idOrPath: string, value: KeptPage) => write(idOrPath, value),
    async good(idOrPath) {
      const bundle = await read(goodKey(idOrPath))
      return isReadable(bundle) ? bundle : null
    },
    async keepGood(idOrPath, bundle) {
      if (written.get(idOrPath) === bundle.revision) return
      written.set(idOrPath, bundle.revision)
      await write(goodKey(idOrPath), bundle)
    },
    async clear() {
      written.clear()
      await orNothing(() => clear(store))
    },
  }
}
