/** What came back, before anybody decides what it means. Pure. */

export type Answer =
  | { kind: 'envelope'; code: number; msg: string; data: unknown }
  /** Nothing that can be read: an empty body, a web page, half a body, JSON without a code. */
  | { kind: 'malformed'; why: 'empty' | 'html' | 'broken' }

/** Reads a body as the envelope `{ code, msg, data }` (R314). */
export function readAnswer(text: string): Answer {
  const body = text.trim()
  if (body === '') return { kind: 'malformed', why: 'empty' }
  if (body.startsWith('<')) return { kind: 'malformed', why: 'html' }
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return { kind: 'malformed', why: 'broken' }
  }
  if (typeof value !== 'object' || value === null || !('code' in value)) return { kind: 'malformed', why: 'broken' }
  const code = Number(value.code)
  if (!Number.isInteger(code)) return { kind: 'malformed', why: 'broken' }
  const msg = 'msg' in value && typeof value.msg === 'string' ? value.msg : ''
  return { kind: 'envelope', code, msg, data: 'data' in value ? value.data : undefined }
}

/** What an answer code asks the shell to do (R362-R374). */
export type Consequence =
  | { type: 'none' }
  | { type: 'endSession' }
  | { type: 'mailboxMissing' }
  | { type: 'aliasChange'; code: string | null; recordId: string | null; taskId: string | null }
  | { type: 'aliasTaken' }
  | { type: 'cannotExecute' }
  | { type: 'message' }

export function consequenceOf(code: number, data: unknown, showErrors: boolean): Consequence {
  switch (code) {
    case 0:
      return { type: 'none' }
    case 11015:
    case 11008:
    case 100200:
      return { type: 'endSession' }
    case 10170036:
      return { type: 'mailboxMissing' }
    case 10050027:
      return {
        type: 'aliasChange',
        code: textOf(data, 'subjectCode') ?? textOf(data, 'code'),
        recordId: textOf(data, 'recordId'),
        taskId: textOf(data, 'taskId'),
      }
    case 10050016:
      return { type: 'aliasTaken' }
    case 10060053:
    case 10060054:
    case 10060058:
    case 10060059:
      return { type: 'cannotExecute' }
    default:
      return { type: showErrors ? 'message' : 'none' }
  }
}

function textOf(data: unknown, key: string): string | null {
  if (typeof data !== 'object' || data === null) return null
  const value = (data as Record<string, unknown>)[key]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** HTTP/2 sends no status text, yet R376 shows one. */
export const statusText = (status: number, given: string): string => given || (STATUS_TEXTS[status] ?? 'HTTP')
