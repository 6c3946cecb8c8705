import type { Host, HostRequest } from '../../../headless/host'
import { RequestError } from '../../../headless/host'
import { CODES } from '../../../headless/failure'
import type { LinesInWords } from '../../lines/LinesChange'

/** What came back from the gateway, as the form has to treat it. */
export type Outcome =
  | { type: 'saved'; answer: unknown }
  | { type: 'fields'; errors: readonly { field?: string; message: string }[]; message: string }
  | { type: 'stale'; conflict: Conflict; message: string }
  | { type: 'duplicate'; decision: 'block' | 'warn'; hits: readonly DuplicateHit[]; message: string; appeal?: string }
  /** The connection broke: nobody knows whether it was saved; a retry with the same key is safe. */
  | { type: 'unknown'; message: string }
  | { type: 'refused'; message: string }
  /** A value was taken meanwhile and the gateway made another one: the form takes it, the person confirms again (R368). */
  | { type: 'generated'; values: Readonly<Record<string, unknown>>; message: string }
  /** The form was released anew while it was filled in, and what was typed does not fit: nothing was saved. */
  | { type: 'changed'; changes: readonly string[]; message: string }
  | { type: 'aborted' }

export interface Conflict {
  version: number
  /** `label` and `text` (what was saved, in words) are the gateway's, for fields that the form does not hold. */
  changes: readonly { field: string; label?: string; before: unknown; after: unknown; text?: string; lines?: LinesInWords }[]
  by?: string
  at?: string
  /** What others did since the caller looked, the newest first; of an action on an application. */
  meanwhile?: readonly Meanwhile[]
}
interface Meanwhile {
  by?: string
  at?: string
  action: string
  nodeName?: Readonly<Record<'zh' | 'en', string>>
  comment?: string
}
export interface DuplicateHit {
  id?: string
  title: string
  reason?: string
  /** Address of the record, for whom it is his own. */
  link?: string
}

const UNIQUE = 10010008
const RUNNING = 10010010
const FORM_CHANGED = 10010014
const TAKEN_AND_GENERATED = 10050016
const DUPLICATE = 10030001
const IDEMPOTENCE = '/v2/sys/staff/common/request/idempotence'
const RUNNING_WAITS = [1000, 2000, 4000]

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const fieldErrors = (data: unknown): { field?: string; message: string }[] =>
  listOf(isRecord(data) ? data.errors : undefined).flatMap((entry) => {
    if (!isRecord(entry)) return []
    const message = textOf(entry.message)
    const field = textOf(entry.field)
    return message ? [{ message, ...(field ? { field } : {}) }] : []
  })

const conflictOf = (data: unknown): Conflict | null => {
  if (!isRecord(data) || typeof data.version !== 'number') return null
  const changes = listOf(data.changes).flatMap((entry) => {
    const field = isRecord(entry) ? textOf(entry.field) : undefined
    if (!isRecord(entry) || !field) return []
    const label = textOf(entry.label)
    const text = typeof entry.text === 'string' ? entry.text : undefined
    return [
      {
        field,
        before: entry.before,
        after: entry.after,
        ...(label ? { label } : {}),
        ...(text === undefined ? {} : { text }),
        ...(isRecord(entry.lines) ? { lines: entry.lines as unknown as LinesInWords } : {}),
      },
    ]
  })
  const by = textOf(data.byName) ?? textOf(data.by)
  const at = textOf(data.at)
  const meanwhile = listOf(data.meanwhile).flatMap(meanwhileOf)
  return {
    version: data.version,
    changes,
    ...(by ? { by } : {}),
    ...(at ? { at } : {}),
    ...(meanwhile.length > 0 ? { meanwhile } : {}),
  }
}

const meanwhileOf = (entry: unknown): Meanwhile[] => {
  if (!isRecord(entry)) return []
  const [action, by, at, comment] = [entry.action, entry.by, entry.at, entry.comment].map(textOf)
  const { nodeName } = entry
  const named = isRecord(nodeName) && typeof nodeName.zh === 'string' && typeof nodeName.en === 'string'
  if (!action) return []
  return [
    {
      action,
      ...(by ? { by } : {}),
      ...(at ? { at } : {}),
      ...(comment ? { comment } : {}),
      ...(named ? { nodeName: { zh: String(nodeName.zh), en: String(nodeName.en) } } : {}),
    },
  ]
}

/** The records that a refusal or a check names. */
export const hitsOf = (data: unknown): DuplicateHit[] =>
  listOf(isRecord(data) ? data.hits : undefined).flatMap((entry) => {
    if (!isRecord(entry)) return []
    const id = textOf(entry.id)
    const code = textOf(entry.code)
    const named = textOf(entry.title) ?? textOf(entry.name) ?? id
    const title = named && code ? `${named} (${code})` : named
    const reason = textOf(entry.message) ?? textOf(entry.reason)
    const link = textOf(entry.link)
    return title ? [{ title, ...(id ? { id } : {}), ...(reason ? { reason } : {}), ...(link ? { link } : {}) }] : []
  })

/** Reads a failed submission. Pure. */
export const outcomeOf = (error: unknown, fallback: string): Outcome => {
  if (!(error instanceof RequestError)) return { type: 'refused', message: fallback }
  const { kind, code, data, message, told } = error
  if (kind === 'aborted' || kind === 'signedOut') return { type: 'aborted' }
  if (kind === 'network' || kind === 'timeout' || kind === 'malformed') return { type: 'unknown', message }
  if (kind === 'http') return code !== undefined && code >= 500 ? { type: 'unknown', message } : { type: 'refused', message }
  if (code === CODES.invalid || code === CODES.badRequest || code === UNIQUE)
    return { type: 'fields', errors: fieldErrors(data), message }
  if (code === FORM_CHANGED)
    return {
      type: 'changed',
      changes: fieldErrors({ errors: isRecord(data) ? data.changes : [] }).map((change) => change.message),
      message,
    }
  const conflict = code === CODES.stale ? conflictOf(data) : null
  if (conflict) return { type: 'stale', conflict, message }
  if (code === DUPLICATE) {
    return {
      type: 'duplicate',
      decision: isRecord(data) && data.decision === 'warn' ? 'warn' : 'block',
      hits: hitsOf(data),
      message,
      ...(isRecord(data) && textOf(data.appeal) ? { appeal: textOf(data.appeal) } : {}),
    }
  }
  if (code === TAKEN_AND_GENERATED && isRecord(data)) return { type: 'generated', values: data, message: told ? '' : message }
  if (told) return { type: 'aborted' }
  // facts that have changed, too, may be those of one field
  const errors = fieldErrors(data)
  return errors.some(({ field }) => field !== undefined) ? { type: 'fields', errors, message } : { type: 'refused', message }
}

type Submitted = Pick<HostRequest, 'method' | 'path' | 'body' | 'form'>

export interface Submitter {
  /** Sends once. A call while another one runs answers the running one's promise. */
  send(request: Submitted): Promise<Outcome>
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Submits at most once: a double click meets the running request; after a broken connection the same content goes out with
 * the same key, so that the gateway answers what it answered (or would have answered) the first time.
 */
export const createSubmitter = (
  host: Host,
  idempotent: boolean,
  fallback: string,
  pause: (milliseconds: number) => Promise<void> = wait,
): Submitter => {
  let running: Promise<Outcome> | null = null
  let kept: { payload: string; key: string } | null = null

  const keyFor = async (payload: string): Promise<string> => {
    if (kept?.payload === payload) return kept.key
    const { key } = await host.request<{ key: string }>({ method: 'GET', path: IDEMPOTENCE })
    kept = { payload, key }
    return key
  }

  const attempt = async (request: HostRequest, retries: readonly number[]): Promise<unknown> => {
    try {
      return await host.request<unknown>(request)
    } catch (error) {
      const [delay, ...rest] = retries
      const repeatable =
        error instanceof RequestError &&
        (error.code === RUNNING || (error.kind === 'network' && typeof request.idempotent === 'string'))
      if (!repeatable || delay === undefined) throw error
      await pause(delay)
      return attempt(request, rest)
    }
  }

  const run = async (request: Submitted): Promise<Outcome> => {
    try {
      const key = idempotent ? await keyFor(JSON.stringify(request)) : undefined
      const answer = await attempt({ ...request, ...(key ? { idempotent: key } : {}) }, idempotent ? RUNNING_WAITS : [])
      kept = null
      return { type: 'saved', answer }
    } catch (error) {
      const outcome = outcomeOf(error, fallback)
      const stillRuns = error instanceof RequestError && error.code === RUNNING
      if (outcome.type !== 'unknown' && !stillRuns) kept = null
      if (!(error instanceof RequestError)) host.report(error, { where: 'form submit', path: request.path })
      return outcome
    }
  }

  return {
    send: (request) => {
      running ??= run(request).finally(() => {
        running = null
      })
      return running
    },
  }
}
