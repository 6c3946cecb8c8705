import { IDBFactory } from 'fake-indexeddb'
import { createStore, set } from 'idb-keyval'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DRAFT_DAYS, DraftKeeper, MOST_DRAFTS } from '../../../../src/shell/drafts/draftKeeper'

const DAY = 86_400_000
let now = Date.UTC(2026, 2, 10)
const keeperOf = async (person: string): Promise<DraftKeeper> => {
  const keeper = new DraftKeeper(() => now)
  await keeper.open(person)
  return keeper
}

beforeEach(() => {
  now = Date.UTC(2026, 2, 10)
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('BroadcastChannel', undefined)
})
afterEach(() => vi.unstubAllGlobals())

it('a draft is there at once and after a reload, for the one person who typed it', async () => {
  const keeper = await keeperOf('s1')
  const written = keeper.set('crm/customer:new', 'typed', 'p1')
  expect([keeper.get('crm/customer:new', 'p1'), keeper.count, keeper.keeps('p1'), keeper.keeps('p2')]).toEqual([
    'typed',
    1,
    true,
    false,
  ])
  expect(await written).toBe(true)
  const again = await keeperOf('s1')
  expect([again.get('crm/customer:new', 'p1'), again.count, again.keeps('p1')]).toEqual(['typed', 1, true])
  const other = await keeperOf('s11')
  expect([other.get('crm/customer:new', 'p1'), other.count]).toEqual([null, 0])
  await other.discard()
  expect((await keeperOf('s1')).count).toBe(1)
})

it('drafts of a record that is gone go with it, in every form', async () => {
  const keeper = await keeperOf('s1')
  for (const key of ['a:7', 'b:7', 'a:17', 'a:new']) await keeper.set(key, 'x', 'p')
  keeper.forget(['7', '8'])
  keeper.remove('a:new')
  await keeper.set('end', 'x', 'p')
  const again = await keeperOf('s1')
  expect(['a:7', 'b:7', 'a:17', 'a:new'].map((key) => again.get(key, 'p1'))).toEqual([null, null, 'x', null])
})

it('whoever discards them has none left, and what open forms still write is not kept', async () => {
  const keeper = await keeperOf('s1')
  await keeper.set('a:new', 'x', 'p')
  await keeper.discard()
  expect(await keeper.set('a:new', 'later', 'p')).toBe(false)
  expect((await keeperOf('s1')).count).toBe(0)
})

it('an old draft is given up, also that of somebody who never came back; of one person the newest are kept', async () => {
  const keeper = await keeperOf('s1')
  for (let index = 0; index < MOST_DRAFTS + 2; index += 1) {
    now += 1
    await keeper.set(`a:${index}`, 'x', 'p')
  }
  expect([keeper.count, keeper.get('a:1', 'p1'), keeper.get('a:2', 'p1')]).toEqual([MOST_DRAFTS, null, 'x'])
  const gone = await keeperOf('s2')
  await gone.set('a:new', 'x', 'p')
  now += DRAFT_DAYS * DAY + 1
  await keeperOf('s3')
  now -= DRAFT_DAYS * DAY
  expect([(await keeperOf('s1')).count, (await keeperOf('s2')).count]).toEqual([0, 0])
})

it('what is no draft is thrown away, and a browser without a database keeps nothing for long', async () => {
  await set('s1 a:new', 'no draft', createStore('switchboard-drafts', 'drafts'))
  expect((await keeperOf('s1')).count).toBe(0)
  vi.stubGlobal('indexedDB', undefined)
  const keeper = await keeperOf('s1')
  expect(await keeper.set('a:new', 'x', 'p')).toBe(false)
  expect(keeper.get('a:new', 'p1')).toBe('x')
})

it('all tabs of a person know the same drafts, and lose them together', async () => {
  vi.unstubAllGlobals()
  vi.stubGlobal('indexedDB', new IDBFactory())
  const [one, two, stranger] = [await keeperOf('s1'), await keeperOf('s1'), await keeperOf('s2')]
  await one.set('a:new', 'x', 'p')
  await vi.waitFor(() => expect(two.get('a:new', 'p1')).toBe('x'))
  two.remove('a:new')
  await vi.waitFor(() => expect(one.get('a:new', 'p1')).toBeNull())
  await one.set('b:new', 'y', 'p')
  await vi.waitFor(() => expect(two.get('b:new', 'p1')).toBe('y'))
  await stranger.set('b:new', 'z', 'p')
  await two.discard()
  await vi.waitFor(() => expect(one.count).toBe(0))
  expect(await one.set('b:new', 'again', 'p')).toBe(false)
  expect(stranger.get('b:new', 'p1')).toBe('z')
})
