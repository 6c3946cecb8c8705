import type { Host } from '../../../headless/host'
import { RequestError } from '../../../headless/host'
import type { Attachment } from './shown'

const BASE = '/v2/download/downloadCenter/api'
/** Larger files travel in segments of this size, and go on after a failure or a reload where they stopped. */
export const SEGMENT = 8 * 1024 * 1024
/** Uploads have ten minutes (R336). */
const TIMEOUT = 600_000
const ATTEMPTS = 3

export interface Upload {
  promise: Promise<Attachment>
  abort(): void
}

const hex = (bytes: ArrayBuffer): string => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** SHA-256 of a piece, where the browser offers it (HTTPS or localhost); empty elsewhere: the gateway then checks the size. */
const digest = async (piece: Blob): Promise<string> =>
  typeof crypto !== 'undefined' && crypto.subtle ? hex(await crypto.subtle.digest('SHA-256', await piece.arrayBuffer())) : ''

/** The same file, chosen again after a reload, is recognised by name, size and time. */
const fileKey = (file: File): string => `upload:${file.name}:${file.size}:${file.lastModified}`

const randomId = (): string =>
  typeof crypto !== 'undefined' && 'randomUUID' in crypto
    ? crypto.randomUUID()
    : `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 12)}`

const isPassing = (error: unknown): boolean =>
  error instanceof RequestError &&
  (error.kind === 'network' || error.kind === 'timeout' || (error.kind === 'http' && (error.code ?? 0) >= 500))

const retried = async <T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (!isPassing(error) || attempt >= ATTEMPTS || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, 500 * attempt))
    }
  }
}

const whole = (host: Host, file: File, signal: AbortSignal, progress: (fraction: number) => void): Promise<Attachment> => {
  const body = new FormData()
  body.append('file', file, file.name)
  return host.request<Attachment>({
    method: 'POST',
    path: `${BASE}/upload`,
    body,
    timeout: TIMEOUT,
    signal,
    onProgress: progress,
  })
}

/** What the gateway has of an upload; all of it, when only the answer was lost. */
const received = async (
  host: Host,
  uploadId: string,
  signal: AbortSignal,
): Promise<{ received: number[]; file?: Attachment }> => {
  try {
    return await host.request({ method: 'GET', path: `${BASE}/segmentUpload/${uploadId}`, signal })
  } catch (error) {
    // the gateway does not know it (any more): it starts afresh
    if (isPassing(error) || signal.aborted) throw error
    return { received: [] }
  }
}

const segmented = async (
  host: Host,
  file: File,
  signal: AbortSignal,
  progress: (fraction: number) => void,
): Promise<Attachment> => {
  const key = fileKey(file)
  const known = host.local.get(key)
  const uploadId = known ?? randomId()
  host.local.set(key, uploadId)
  const total = Math.ceil(file.size / SEGMENT)
  const before = known ? await received(host, uploadId, signal) : { received: [] }
  const done = new Set(before.received)
  let finished: Attachment | undefined = before.file
  for (let index = 0; index < total && !finished; index += 1) {
    // the last one is sent again when all are there: its answer names the file
    if (done.has(index) && !(index === total - 1 && done.size === total)) continue
    const piece = file.slice(index * SEGMENT, (index + 1) * SEGMENT)
    const sha256 = await digest(piece)
    const answer = await retried(signal, () => {
      const body = new FormData()
      body.append('uploadId', uploadId)
      body.append('index', String(index))
      body.append('total', String(total))
      body.append('name', file.name)
      body.append('size', String(file.size))
      body.append('sha256', sha256)
      body.append('file', piece, file.name)
      return host.request<{ received: number[]; file?: Attachment }>({
        method: 'POST',
        path: `${BASE}/segmentUpload`,
        body,
        timeout: TIMEOUT,
        signal,
        onProgress: (fraction) => progress((done.size + fraction) / total),
      })
    })
    for (const one of answer.received) done.add(one)
    done.add(index)
    progress(done.size / total)
    finished = answer.file ?? finished
  }
  if (!finished) throw new Error('The gateway has every segment and did not name the file.')
  host.local.remove(key)
  return finished
}

/** Uploads a file; `progress` hears of fractions from 0 to 1. Rejects with RequestError. */
export const upload = (host: Host, file: File, progress: (fraction: number) => void): Upload => {
  const abort = new AbortController()
  const send = file.size > SEGMENT ? segmented : whole
  return { promise: send(host, file, abort.signal, progress), abort: () => abort.abort() }
}
