import { readAnswer } from '../../http/answer'
import { connect, pause, type Connection, type ConnectionEnd, type SentEvent } from '../../stream/connection'
import { RefreshRefused } from '../../token/tokenKeeper'

/** Pings come every 15 s. */
const SILENCE = 45_000
/** Between two tries to take a lost answer up again, ms; after the last one it is given up (R391). */
const WAITS = [500, 1_000, 2_000, 4_000, 8_000, 15_000]

export interface AnswerStream {
  connection: Pick<Connection, 'host' | 'tokens'>
  headers: () => Readonly<Record<string, string>>
  body: object
  /** Where to go on; null for a question that the gateway may not know yet. */
  resumeFrom: () => string | null
  onEvent: (event: SentEvent) => void
  signal: AbortSignal
  /** What failed, for developers (R391-R393). */
  log: (error: unknown) => void
  waits?: readonly number[]
}

/** How it ended: with its last event, by our own hand, without a session, refused with a reason, or lost for now. */
export type AnswerEnd = { type: 'ended' | 'aborted' | 'over' | 'lost' } | { type: 'refused'; message: string | null }

/**
 * Asks and follows the answer to its end. A lost connection is taken up again where it broke off; before the first event nothing is
 * sent twice, since nobody knows whether the question arrived. Never rejects.
 */
export async function followAnswer(stream: AnswerStream): Promise<AnswerEnd> {
  const { body, connection, headers, resumeFrom, onEvent, signal, log, waits = WAITS } = stream
  let left = waits
  let expired = false
  for (;;) {
    const from = resumeFrom()
    let ended = false
    const end = await connect({
      ...connection,
      path: '/v2/ai/api/chat/sse',
      headers: { ...headers(), ...(from === null ? {} : { 'Last-Event-ID': from }) },
      body,
      silence: SILENCE,
      signal,
      onOpen: () => undefined,
      onEvent: (event) => {
        if (event.event === 'end') ended = true
        // a gateway that only greets has not gone on
        if (event.event !== 'init') left = waits
        onEvent(event)
      },
    }).catch((error: unknown): ConnectionEnd => {
      log(signal.aborted ? 'interrupted' : error)
      return { type: error instanceof RefreshRefused ? 'over' : 'closed' }
    })
    if (ended) return { type: 'ended' }
    if (signal.aborted) return { type: 'aborted' }
    if (end.type === 'over') return { type: 'over' }
    if (end.type === 'refused' && !isPassing(end.response.status))
      return { type: 'refused', message: await reasonOf(end.response) }
    const again = end.type === 'expired' && !expired
    expired = end.type === 'expired'
    if (again) continue
    const [wait, ...later] = left
    if (wait === undefined || resumeFrom() === null) return { type: 'lost' }
    left = later
    await pause(wait, signal)
  }
}

/** A gateway that starts again or a proxy that has lost it: another try may succeed. */
const isPassing = (status: number): boolean => status >= 502 && status <= 504

async function reasonOf(response: Response): Promise<string | null> {
  const answer = readAnswer(await response.text().catch(() => ''))
  return (answer.kind === 'envelope' && answer.msg) || null
}
