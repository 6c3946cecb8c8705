// @vitest-environment jsdom
import { createMemoryHistory, type BrowserHistory } from 'history'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createAddresses } from '../../../../src/shell/portal/location'
import { BATCH_EVERY, RANDOM_LENGTH, randomString, trackUsage } from '../../../../src/shell/usage/usage'

interface Told {
  visit: string
  events: { path: string; ago: number }[]
}

const told: { url: string; init: RequestInit; body: Told }[] = []
let answer: () => Promise<Response>
beforeEach(() => {
  vi.useFakeTimers()
  told.splice(0)
  answer = () => Promise.resolve(new Response('{}'))
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    told.push({ url, init, body: JSON.parse(String(init.body)) as Told })
    return answer()
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const start = (token: string | null = 't1') => {
  const addresses = createAddresses(createMemoryHistory({ initialEntries: ['/home'] }) as unknown as BrowserHistory)
  const end = trackUsage(addresses, { current: () => Promise.resolve(token) }, 'https://gateway.test')
  return { addresses, end }
}
const hide = async () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(0)
  vi.restoreAllMocks()
}

it('opened pages are told in batches, by their path alone, under the session (R303)', async () => {
  const { addresses, end } = start()
  addresses.go('/crm/list?q=secret')
  addresses.go('/crm/list?q=other')
  await vi.advanceTimersByTimeAsync(10_000)
  addresses.go('/crm/list/details?id=1')
  await vi.advanceTimersByTimeAsync(BATCH_EVERY - 10_000)
  expect(told).toHaveLength(1)
  expect(told[0]).toMatchObject({ url: 'https://gateway.test/v2/sys/staff/usage', init: { method: 'POST', keepalive: true } })
  expect(new Headers(told[0]?.init.headers).get('authorization')).toBe('Bearer t1')
  expect(told[0]?.body.events).toEqual([
    { path: '/home', ago: BATCH_EVERY },
    { path: '/crm/list', ago: BATCH_EVERY },
    { path: '/crm/list/details', ago: BATCH_EVERY - 10_000 },
  ])
  await vi.advanceTimersByTimeAsync(BATCH_EVERY)
  expect(told).toHaveLength(1)
  addresses.go('/home')
  await hide()
  expect(told[1]?.body).toMatchObject({ visit: told[0]?.body.visit, events: [{ path: '/home', ago: 0 }] })
  end()
  addresses.go('/crm/sea')
  await hide()
  await vi.advanceTimersByTimeAsync(BATCH_EVERY)
  expect(told).toHaveLength(2)
})

it('nothing is told without a session, and a gateway that does not answer is no matter', async () => {
  const out = start(null)
  await vi.advanceTimersByTimeAsync(BATCH_EVERY)
  expect(told).toHaveLength(0)
  out.end()
  answer = () => Promise.reject(new TypeError('no network'))
  const { end } = start()
  await vi.advanceTimersByTimeAsync(BATCH_EVERY)
  expect(told).toHaveLength(1)
  end()
})

it('a random string has 8 characters (R412), and no two are the same', () => {
  const some = Array.from({ length: 500 }, randomString)
  expect(RANDOM_LENGTH).toBe(8)
  for (const text of some) expect(text).toMatch(/^[A-Za-z0-9]{8}$/)
  expect(new Set(some).size).toBe(500)
})
