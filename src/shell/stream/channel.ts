/** What the tab that holds the stream tells the others goes over the channel of this name; the lock that it holds is called the same. */
export const STREAM = 'switchboard.stream'

/** One event of the stream; `event` is connection, heartbeat, message (R225), messageRead, approvals or schema. */
export interface StreamEvent {
  event: string
  /** With schema: the revisions that are served now, to all browsers and to those with the gray flag. */
  revision?: unknown
  gray?: unknown
  /** With message: what it is about, as a template and what fills it (R157). */
  msgType?: unknown
  msgContentTemplate?: unknown
  msgFillAfterVar?: unknown
}

/** So long a tab waits for its own stream before it asks without, ms: another tab may hold the stream. */
const PATIENCE = 2_000

/**
 * Hears every event of the stream and asks `count` once at the beginning: with the first connection, which asks for what may have
 * been missed anyhow, or without one. Answers the end of it.
 */
export function countAndHear(count: () => Promise<void>, onEvent: (event: StreamEvent) => void): () => void {
  const timer = setTimeout(() => void count(), PATIENCE)
  const end = hearStream((told) => {
    if (told.event === 'connection') clearTimeout(timer)
    onEvent(told)
  })
  return () => {
    clearTimeout(timer)
    end()
  }
}

/** Hears every event of the stream, whichever tab holds it. Answers the end of it. */
export function hearStream(onEvent: (event: StreamEvent) => void): () => void {
  const channel = new BroadcastChannel(STREAM)
  channel.onmessage = ({ data }: MessageEvent<StreamEvent>) => onEvent(data)
  return () => channel.close()
}
