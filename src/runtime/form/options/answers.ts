import type { Host, HostRequest } from '../../../headless/host'
import type { Refs } from '../../../headless/row'

/** What a request for options answered. */
export interface Answer {
  rows: readonly unknown[]
  refs: Refs
}

/** One who waits for an answer; who leaves before it is there gets none. */
export interface Asking {
  answer: Promise<Answer>
  leave(): void
}

interface Entry {
  answer: Promise<Answer>
  abort: AbortController
  waiting: number
  /** When it was answered; not yet. */
  at: number | null
}

/** An answer serves other fields, and the next opening of a form, for half a minute. */
const KEPT = 30_000
const MOST = 200

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const rowsOf = (data: unknown): Answer => {
  const { records, refs } = (data ?? {}) as { records?: unknown; refs?: Refs }
  const rows = isList(data) ? data : records
  if (!isList(rows)) throw new Error('The answer holds no list.')
  return { rows, refs: refs ?? {} }
}

const caches = new WeakMap<Host, Map<string, Entry>>()

/** Asks for rows; the same request is sent once, whoever asks, and is broken off when nobody waits for it any more. */
export const ask = (host: Host, request: HostRequest): Asking => {
  let known = caches.get(host)
  if (!known) caches.set(host, (known = new Map()))
  const cache = known
  const key = `${host.user.userId} ${host.locale} ${JSON.stringify(request)}`
  const now = Date.now()
  for (const [old, { at }] of cache) if (at !== null && (now - at > KEPT || cache.size > MOST)) cache.delete(old)
  const entry = cache.get(key) ?? send(host, request, cache, key)
  cache.set(key, entry)
  entry.waiting += 1
  let left = false
  return {
    answer: entry.answer,
    leave: () => {
      if (left) return
      left = true
      entry.waiting -= 1
      if (entry.waiting > 0 || entry.at !== null) return
      if (cache.get(key) === entry) cache.delete(key)
      entry.abort.abort()
    },
  }
}

const send = (host: Host, request: HostRequest, cache: Map<string, Entry>, key: string): Entry => {
  const abort = new AbortController()
  const entry: Entry = {
    abort,
    waiting: 0,
    at: null,
    answer: host.request<unknown>({ ...request, signal: abort.signal }).then(rowsOf),
  }
  entry.answer.then(
    () => {
      entry.at = Date.now()
    },
    () => {
      // another try asks again
      if (cache.get(key) === entry) cache.delete(key)
    },
  )
  return entry
}
