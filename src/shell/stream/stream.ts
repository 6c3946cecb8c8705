import { EventSourceParserStream } from 'eventsource-parser/stream'
import { STREAM, type StreamEvent } from './channel'
import { RefreshRefused, type TokenKeeper } from '../token/tokenKeeper'

export type StreamState = 'loading' | 'connected' | 'disconnected'

export interface StreamParts {
  /** Base address of the gateway; '' = the page's own. */
  gateway: string
  tokens: TokenKeeper
  headers: () => Readonly<Record<string, string>>
  onEvent: (event: StreamEvent) => void
  onState: (state: StreamState) => void
  /** What failed, for developers (R387, R388). */
  log: (error: unknown) => void
}

/** R331 */
const HEARTBEAT_TIMEOUT = 120_000
/** R386 */
const AFTER_GATEWAY_TIMEOUT = 10_000
/** Between two attempts after another failure; spread, so that a restart is not met by all browsers at once. */
const RECONNECT = 5_000

/**
 * Keeps the stream of pushes open (R093, R328) until it is ended or nobody is signed in any more (R385). One tab of the
 * browser holds it and tells the others: a browser has only six connections to one host.
 */
export function openStream(parts: StreamParts): () => void {
  const ended = new AbortController()
  const channel = new BroadcastChannel(STREAM)
  channel.onmessage = ({ data }: MessageEvent<StreamEvent>) => parts.onEvent(data)
  const onEvent = (event: StreamEvent): void => {
    channel.postMessage(event)
    parts.onEvent(event)
  }
  // Locks exist in secure contexts only; elsewhere every tab has a stream of its own.
  const locks = (navigator as { locks?: LockManager }).locks
  const hold = () => keepOpen({ ...parts, onEvent }, ended.signal)
  const held = locks ? locks.request(STREAM, { signal: ended.signal }, hold) : hold()
  held.catch((error: unknown) => {
    if (!ended.signal.aborted) parts.log(error)
  })
  return () => {
    ended.abort()
    channel.close()
  }
}

async function keepOpen(parts: StreamParts, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    parts.onState('loading')
    const outcome = await connect(parts, ended).catch((error: unknown) => {
      if (!ended.aborted) parts.log(error)
      return error instanceof RefreshRefused ? ('over' as const) : ('failed' as const)
    })
    parts.onState('disconnected')
    if (outcome === 'over' || ended.aborted) return
    await pause(outcome === 'gatewayTimeout' ? AFTER_GATEWAY_TIMEOUT : RECONNECT * (0.5 + Math.random()), ended)
  }
}

/** One connection from its beginning to its end. */
async function connect(parts: StreamParts, ended: AbortSignal): Promise<'over' | 'failed' | 'gatewayTimeout'> {
  const token = await parts.tokens.current()
  if (token === null) return 'over'
  const silence = new AbortController()
  const response = await ask(parts, token, AbortSignal.any([ended, silence.signal]))
  if (response.status === 401) return (await parts.tokens.replace(token)) === null ? 'over' : 'failed'
  if (response.status === 504) return 'gatewayTimeout'
  if (!response.ok || response.body === null) throw new Error(`the stream answered ${response.status}`)
  parts.onState('connected')
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
  for (;;) {
    const timer = setTimeout(() => silence.abort(), HEARTBEAT_TIMEOUT)
    const { done, value } = await events.read().finally(() => clearTimeout(timer))
    if (done) return 'failed'
    const event = readEvent(value.data)
    if (event) parts.onEvent(event)
  }
}

const ask = ({ gateway, headers }: StreamParts, token: string, signal: AbortSignal): Promise<Response> =>
  fetch(`${gateway}/v2/sys/mc/sse/connection`, {
    headers: { ...headers(), Accept: 'text/event-stream', Authorization: `Bearer ${token}` },
    credentials: 'include',
    cache: 'no-store',
    signal,
  })

function readEvent(text: string): StreamEvent | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'event' in value && typeof value.event === 'string'
      ? { ...value, event: value.event }
      : null
  } catch {
    return null
  }
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
