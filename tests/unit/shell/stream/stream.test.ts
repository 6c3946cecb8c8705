import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openStream, type StreamParts } from '../../../../src/shell/stream/stream'
import { SchemaRevision } from '../../../../src/shell/stream/schemaRevision'

/** Plays the gateway: each request of the stream is answered by the next plan; the last one stays. */
function play(plans: ((answer: { push: (event: object) => void; close: () => void }) => number)[]) {
  const asked: { url: string; authorization: string | null }[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    asked.push({ url, authorization: new Headers(init.headers).get('authorization') })
    const plan = plans[Math.min(asked.length, plans.length) - 1]!
    const encoder = new TextEncoder()
    let status = 200
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        init.signal?.addEventListener('abort', () => controller.error(new DOMException('aborted', 'AbortError')))
        status = plan({
          push: (event) => controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)),
          close: () => controller.close(),
        })
      },
    })
    return Promise.resolve(new Response(status === 200 ? body : null, { status, headers: { 'content-type': 'text/event-stream' } }))
  })
  return { asked }
}

const events: string[] = []
const states: string[] = []
const logged: string[] = []
let end = (): void => undefined
const tokens = { current: () => Promise.resolve<string | null>('t1'), replace: () => Promise.resolve<string | null>('t2') }
const open = (changed: Partial<StreamParts> = {}) => {
  end = openStream({
    gateway: 'https://gateway.test',
    tokens: { ...tokens, store: () => undefined, clear: () => undefined, present: () => true },
    headers: () => ({}),
    onEvent: ({ event }) => events.push(event),
    onState: (state) => states.push(state),
    log: (error) => logged.push(String(error)),
    ...changed,
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', {})
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  for (const list of [events, states, logged]) list.length = 0
})
afterEach(() => {
  end()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('sends the token and delivers events; its states are loading, connected and disconnected (R093, R223, R224, R225, R328, R329, R330)', async () => {
  const { asked } = play([
    ({ push, close }) => {
      push({ event: 'connection' })
      push({ event: 'heartbeat' })
      push({ event: 'schema' })
      close()
      return 200
    },
    () => 200,
  ])
  open()
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toEqual([{ url: 'https://gateway.test/v2/sys/mc/sse/connection', authorization: 'Bearer t1' }])
  expect(events).toEqual(['connection', 'heartbeat', 'schema'])
  expect(states).toEqual(['loading', 'connected', 'disconnected'])
  await vi.advanceTimersByTimeAsync(5_500)
  expect(asked).toHaveLength(2)
})

it('closes after a gateway timeout and comes back after ten seconds (R386)', async () => {
  const { asked } = play([() => 504, () => 200])
  open()
  await vi.advanceTimersByTimeAsync(9_900)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(asked).toHaveLength(2)
  expect(logged).toEqual([])
})

it('is given up as dead after 120 seconds without a sign of life (R331)', async () => {
  const { asked } = play([({ push }) => (push({ event: 'connection' }), 200), () => 200])
  open()
  await vi.advanceTimersByTimeAsync(119_000)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked).toHaveLength(2)
})

it('only logs a network failure and tries again (R387, R388)', async () => {
  const calls = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', calls)
  open()
  await vi.advanceTimersByTimeAsync(1)
  expect(logged).toEqual(['TypeError: Failed to fetch'])
  expect(states).toEqual(['loading', 'disconnected'])
  await vi.advanceTimersByTimeAsync(5_500)
  expect(calls).toHaveBeenCalledTimes(2)
})

it('stays closed when nobody is signed in, and takes a new token once when the old one is refused (R385)', async () => {
  const { asked } = play([() => 401, () => 200])
  let current: string | null = 't1'
  const keeper = {
    current: () => Promise.resolve(current),
    replace: () => Promise.resolve((current = 't2')),
    store: () => undefined,
    clear: () => undefined,
    present: () => true,
  }
  open({ tokens: keeper })
  await vi.advanceTimersByTimeAsync(5_500)
  expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer t1', 'Bearer t2'])
  end()
  current = null
  open({ tokens: keeper })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(2)
})

it('tells of other schemas once, and never of the first ones', () => {
  const revision = new SchemaRevision()
  const heard = vi.fn()
  const stop = revision.listen(heard)
  for (const one of ['a', 'a', 'b', 'b', 'a']) revision.note(one)
  expect(heard).toHaveBeenCalledTimes(2)
  stop()
  revision.note('c')
  expect(heard).toHaveBeenCalledTimes(2)
})
