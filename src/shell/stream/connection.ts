import { createParser } from 'eventsource-parser'
import type { TokenKeeper } from '../token/tokenKeeper'

/** One event as the gateway sent it. */
export interface SentEvent {
  id: string | null
  event: string
  data: string
}

export interface Connection {
  /** Base address of the gateway or of its streaming host; '' = the page's own. */
  host: string
  path: string
  tokens: Pick<TokenKeeper, 'current' | 'replace'>
  headers: Readonly<Record<string, string>>
  /** Sent by POST as JSON; without one it is a GET. */
  body?: unknown
  /** So long without a byte, the connection is given up as dead, ms. */
  silence: number
  signal: AbortSignal
  onOpen: () => void
  onEvent: (event: SentEvent) => void
}

/** How a connection came to its end: nobody is signed in any more, the token was another one, the answer was none, or it broke off. */
export type ConnectionEnd = { type: 'over' } | { type: 'expired' } | { type: 'refused'; response: Response } | { type: 'closed' }

/**
 * One connection of a stream of events from its beginning to its end, with the token of the person who is signed in. Rejects with
 * RefreshRefused when the session ended, and with whatever the network failed by.
 */
export async function connect(connection: Connection): Promise<ConnectionEnd> {
  const { tokens, silence, signal, onOpen, onEvent } = connection
  const token = await tokens.current()
  if (token === null) return { type: 'over' }
  const dead = new AbortController()
  const response = await ask(connection, token, AbortSignal.any([signal, dead.signal]))
  if (response.status === 401) return (await tokens.replace(token)) === null ? { type: 'over' } : { type: 'expired' }
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
  if (!response.ok || response.body === null || !isStream) return { type: 'refused', response }
  onOpen()
  const parser = createParser({ onEvent: ({ id, event, data }) => onEvent({ id: id ?? null, event: event ?? 'message', data }) })
  const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const timer = setTimeout(() => dead.abort(), silence)
    const { done, value } = await pieces.read().finally(() => clearTimeout(timer))
    if (done) return { type: 'closed' }
    parser.feed(value)
  }
}

const ask = ({ host, path, headers, body }: Connection, token: string, signal: AbortSignal): Promise<Response> =>
  fetch(host + path, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
      Accept: 'text/event-stream',
      Authorization: `Bearer ${token}`,
    },
    credentials: 'include',
    cache: 'no-store',
    signal,
  })

/** Waits, or less when the signal ends it. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
