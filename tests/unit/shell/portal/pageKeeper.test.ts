import { IDBFactory, IDBObjectStore } from 'fake-indexeddb'
import { createStore, set } from 'idb-keyval'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PageBundle } from '../../../../src/headless/host'
import { createPageKeeper } from '../../../../src/shell/portal/pageKeeper'

const bundle = (revision: string): PageBundle => ({
  page: { formatVersion: 3, kind: 'embed', title: { zh: '页', en: 'Page' }, iframeName: 'x' } as PageBundle['page'],
  where: 'page:a/b',
  revision,
  entities: {},
  dictionaries: {},
})

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('A page is kept twice: as it was last answered, and as it last stood without a fault; a reload finds both', async () => {
  const before = createPageKeeper()
  await before.put('/a', { etag: '"r2"', bundle: bundle('r2') })
  await before.keepGood('/a', bundle('r1'))
  const after = createPageKeeper()
  expect((await after.get('/a'))?.bundle.revision).toBe('r2')
  expect((await after.good('/a'))?.revision).toBe('r1')
  await after.clear()
  expect([await after.get('/a'), await after.good('/a')]).toEqual([null, null])
})

it('A good revision is written once, not at every visit', async () => {
  const written = vi.spyOn(IDBObjectStore.prototype, 'put')
  const keeper = createPageKeeper()
  for (const revision of ['r1', 'r1', 'r2', 'r2', 'r1']) await keeper.keepGood('/a', bundle(revision))
  expect(written).toHaveBeenCalledTimes(3)
})

const HOSTILE: readonly (readonly [string, unknown])[] = [
  ['text', 'x'],
  ['a number', 7],
  ['nothing', null],
  ['a list', []],
  ['a bundle that is text', { etag: '"r"', bundle: '{}' }],
  ['a page without entities', { etag: '"r"', bundle: { ...bundle('r'), entities: null } }],
  ['a page that is a list', { etag: '"r"', bundle: { ...bundle('r'), page: [] } }],
  ['a page of an older format', { etag: '"r"', bundle: { ...bundle('r'), page: { ...bundle('r').page, formatVersion: 0 } } }],
  ['a page of a newer format', { etag: '"r"', bundle: { ...bundle('r'), page: { ...bundle('r').page, formatVersion: 4 } } }],
]
it.each(HOSTILE)('A spoilt copy is as none: %s', async (_, value) => {
  const store = createStore('switchboard-pages', 'bundles')
  await set('/a', value, store)
  await set('good /a', (value as { bundle?: unknown } | null)?.bundle ?? value, store)
  const keeper = createPageKeeper()
  expect([await keeper.get('/a'), await keeper.good('/a')]).toEqual([null, null])
})

const refused = (): never => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}
const REFUSALS: readonly (readonly [string, () => unknown])[] = [
  ['there is no store', () => undefined],
  ['asking for the store fails', refused],
  ['the store cannot be opened', () => ({ open: refused })],
]
it.each(REFUSALS)('Where the browser keeps nothing, nothing is found and nothing fails: %s', async (_, indexedDB) => {
  vi.stubGlobal('indexedDB', undefined)
  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, get: indexedDB })
  const keeper = createPageKeeper()
  await keeper.put('/a', { etag: null, bundle: bundle('r1') })
  await keeper.keepGood('/a', bundle('r1'))
  await keeper.clear()
  expect([await keeper.get('/a'), await keeper.good('/a')]).toEqual([null, null])
})
