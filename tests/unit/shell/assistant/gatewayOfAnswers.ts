import { vi } from 'vitest'

export interface Asked {
  body: Record<string, unknown>
  from: string | null
}

const encoder = new TextEncoder()

/** One event as the gateway writes it. */
export const written = (id: string, event: string, data: unknown): string =>
  `id: ${id}\nevent: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

export const CHAT = 'c1'
const PIECES = ['本月 ', '**12** USD', '，多 8 %。[1]\n']
export const ANSWER = PIECES.join('')
export const SOURCES = [{ document_name: '销售手册', reference_url: '/crm/today', section: '', quote: '' }]
export const kept = (state = 'done', aiResponse = ANSWER) => ({
  id: CHAT,
  uuid: CHAT,
  userQuery: '我这个月的收入多少',
  aiResponse,
  state,
  like: null,
  kbDocuments: SOURCES,
})

/** A whole session, or what is left of it after so many characters of the answer. */
export function session(known = 0): string {
  let chars = 0
  let n = 0
  const told = PIECES.flatMap((piece) => {
    const rest = piece.slice(Math.max(0, Math.min(piece.length, known - chars)))
    chars += piece.length
    return rest === ''
      ? []
      : [written(`${CHAT}.${++n}.${chars}`, 'message', { content: rest, conversationUuid: 'v1', chatUuid: CHAT })]
  })
  return [
    written(`${CHAT}.0.${known}`, 'init', { conversationUuid: 'v1', chatUuid: CHAT }),
    ': ping\n\n',
    written(`${CHAT}.0.${known}`, 'thinking', { text: '正在查询' }),
    ...told,
    written(`${CHAT}.${++n}.${chars}`, 'kbdocs', SOURCES),
    written(`${CHAT}.${++n}.${chars}`, 'end', { state: 'done', chat: kept() }),
  ].join('')
}

export type Plan = (asked: Asked) => Response | Promise<Response>

/** Plays the gateway: each request is answered by the next plan; the last one stays. */
export function play(...plans: Plan[]): Asked[] {
  const all: Asked[] = []
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    const asked = {
      body: JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Record<string, unknown>,
      from: new Headers(init.headers).get('last-event-id'),
    }
    all.push(asked)
    if (init.signal?.aborted) return Promise.reject(new DOMException('aborted', 'AbortError'))
    return Promise.resolve(plans[Math.min(all.length, plans.length) - 1]!(asked))
  })
  return all
}

/** A stream of these pieces; then it is closed, broken, or stays open until it is left. */
export function streamed(pieces: readonly (string | Uint8Array)[], then: 'close' | 'break' | 'stay' = 'close'): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
      if (then === 'close') controller.close()
    },
    pull(controller) {
      if (then === 'break') controller.error(new TypeError('network error'))
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

export const refused = (status: number, code: number, msg: string): Response =>
  new Response(JSON.stringify({ code, msg, data: null }), { status, headers: { 'content-type': 'application/json' } })

/** What goes on where a request says it was. */
export const goesOn: Plan = ({ from }) => streamed([session(Number(/\.(\d+)$/.exec(from ?? '')?.[1] ?? 0))])

export const tokens = { current: () => Promise.resolve<string | null>('t1'), replace: () => Promise.resolve<string | null>('t2') }
