import { beforeEach, expect, it, vi } from 'vitest'
import type { PageBundle } from '../../../../src/runtime/host'

/** IndexedDB of a browser, which Node has not. */
const { stored, state } = vi.hoisted(() => ({ stored: new Map<string, unknown>(), state: { refuses: false, writes: 0 } }))
vi.mock('idb-keyval', () => {
  const ask = <T>(work: () => T): Promise<T> =>
    state.refuses ? Promise.reject(new DOMException('The quota is used up.', 'QuotaExceededError')) : Promise.resolve(work())
  return {
    createStore: () => ({}),
    get: (key: string) => ask(() => structuredClone(stored.get(key))),
    set: (key: string, value: unknown) =>
      ask(() => {
        state.writes += 1
        stored.set(key, structuredClone(value))
      }),
    clear: () => ask(() => stored.clear()),
  }
})

const { createPageKeeper } = await import('../../../../src/shell/portal/pageKeeper')

const bundle = (revision: string): PageBundle => ({
  page: { formatVersion: 1, kind: 'embed', title: { zh: '页', en: 'Page' }, iframeName: 'x' } as PageBundle['page'],
  where: 'page:a/b',
  revision,
  entities: {},
  dictionaries: {},
})

beforeEach(() => {
  stored.clear()
  state.refuses = false
  state.writes = 0
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
  const keeper = createPageKeeper()
  for (const revision of ['r1', 'r1', 'r2', 'r2', 'r1']) await keeper.keepGood('/a', bundle(revision))
  expect(state.writes).toBe(3)
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
  ['a page of a newer format', { etag: '"r"', bundle: { ...bundle('r'), page: { ...bundle('r').page, formatVersion: 2 } } }],
]
it.each(HOSTILE)('A spoilt copy is as none: %s', async (_, value) => {
  stored.set('/a', value)
  stored.set('good /a', (value as { bundle?: unknown } | null)?.bundle ?? value)
  const keeper = createPageKeeper()
  expect([await keeper.get('/a'), await keeper.good('/a')]).toEqual([null, null])
})

it('Where the browser keeps nothing, nothing is found and nothing fails', async () => {
  state.refuses = true
  const keeper = createPageKeeper()
  await keeper.put('/a', { etag: null, bundle: bundle('r1') })
  await keeper.keepGood('/a', bundle('r1'))
  await keeper.clear()
  expect([await keeper.get('/a'), await keeper.good('/a')]).toEqual([null, null])
})
