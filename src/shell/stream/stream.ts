import { STREAM, type StreamEvent } from './channel'
import { connect, pause } from './connection'
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
    const outcome = await connectOnce(parts, ended).catch((error: unknown) => {
      if (!ended.aborted) parts.log(error)
      return error instanceof RefreshRefused ? ('over' as const) : ('failed' as const)
    })
    parts.onState('disconnected')
    if (outcome === 'over' || ended.aborted) return
    await pause(outcome === 'gatewayTimeout' ? AFTER_GATEWAY_TIMEOUT : RECONNECT * (0.5 + Math.random()), ended)
  }
}

/** One connection from its beginning to its end. */
async function connectOnce(parts: StreamParts, ended: AbortSignal): Promise<'over' | 'failed' | 'gatewayTimeout'> {
  const { gateway, tokens, headers, onEvent, onState } = parts
  const end = await connect({
    host: gateway,
    path: '/v2/sys/mc/sse/connection',
    tokens,
    headers: headers(),
    silence: HEARTBEAT_TIMEOUT,
    signal: ended,
    onOpen: () => onState('connected'),
    onEvent: ({ data }) => {
      const event = readEvent(data)
      if (event) onEvent(event)
    },
  })
  if (end.type === 'over') return 'over'
  if (end.type !== 'refused') return 'failed'
  if (end.response.status === 504) return 'gatewayTimeout'
  throw new Error(`the stream answered ${end.response.status}`)
}

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
