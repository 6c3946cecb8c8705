import axios, { AxiosError, type AxiosInstance, type AxiosRequestConfig, type AxiosResponse } from 'axios'
import type { TFunction } from 'i18next'
import type { Locale } from '../../schema/problem'
import { RequestError, type HostRequest } from '../../headless/host'
import type { Configuration } from '../configuration/configuration'
import { RefreshRefused, type TokenKeeper } from '../token/tokenKeeper'
import { consequenceOf, readAnswer, statusText } from './answer'
import { languageHeader, takeEarly, type EarlyAnswer } from './early'
import { MAILBOX_MISSING, type Reactions } from './reactions'

export const REQUEST_TIMEOUT = 90_000
export const EXPORT_TIMEOUT = 300_000
export const UPLOAD_TIMEOUT = 600_000
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{1,200}"$/
const IDEMPOTENCE_PATH = '/v2/sys/staff/common/request/idempotence'
const SESSION_ENDED = 11015

/** The one client that every call goes through (R308). */
export interface Http {
  /** The data of the envelope; rejects with RequestError. */
  request<T>(request: HostRequest): Promise<T>
  /** Like request, and the headers: for conditional requests. `unchanged` is a 304. */
  conditional<T>(
    request: HostRequest,
    etag: string | null,
  ): Promise<{ unchanged: true } | { unchanged: false; data: T; etag: string | null }>
  /** A blob answer, passed through (R375); a JSON answer is returned as text in its place. */
  blob(request: HostRequest): Promise<{ blob: Blob; json: string | null; fileName: string | null }>
  /** Server clock minus local clock, ms. */
  readonly clockOffset: number
  /** Replaced when the signed-in portal is up. */
  reactions: Reactions
}

interface Wiring {
  configuration: Configuration
  tokens: TokenKeeper
  locale: () => Locale
  t: () => TFunction
  /** The local gray flag, null when there is none (R312). */
  gray: () => string | null
  /** Every answer says which schemas the gateway serves now. */
  onSchemaRevision?: (revision: string) => void
  reactions: Reactions
  /** For tests. */
  axios?: AxiosInstance
}

interface Raw {
  status: number
  statusText: string
  body: ArrayBuffer | string
  header: (name: string) => string | null
}

export function createHttp(wiring: Wiring): Http {
  const { configuration, tokens, locale, t, gray } = wiring
  const client = wiring.axios ?? axios.create()
  let clockOffset = 0

  const http: Http = {
    reactions: wiring.reactions,
    get clockOffset() {
      return clockOffset
    },
    async request<T>(request: HostRequest) {
      const raw = await send(request, 'text')
      return settle(request, raw) as T
    },
    async conditional<T>(request: HostRequest, etag: string | null) {
      // It may come from a spoilt copy: what cannot stand in a header asks for the whole.
      const raw = await send(request, 'text', etag !== null && ETAG.test(etag) ? { 'If-None-Match': etag } : {})
      if (raw.status === 304) return { unchanged: true as const }
      return { unchanged: false as const, data: settle(request, raw) as T, etag: raw.header('etag') }
    },
    async blob(request) {
      const raw = await send(request, 'arraybuffer')
      const type = raw.header('content-type') ?? ''
      const bytes = raw.body instanceof ArrayBuffer ? raw.body : new TextEncoder().encode(raw.body)
      const json = /json/i.test(type) ? new TextDecoder().decode(bytes) : null
      if (raw.status >= 400) settle(request, { ...raw, body: new TextDecoder().decode(bytes) })
      return { blob: new Blob([bytes], { type }), json, fileName: fileNameOf(raw.header('content-disposition')) }
    },
  }
  return http

  /** One call with its token; after a 401 the token is replaced once and the call repeated once, with the same idempotence key. */
  async function send(
    request: HostRequest,
    responseType: 'text' | 'arraybuffer',
    extra: Record<string, string> = {},
  ): Promise<Raw> {
    const key = request.idempotent === true ? await idempotenceKey(request.signal) : request.idempotent || null
    const headers = { ...extra, ...(key === null ? {} : { [configuration.headers.idempotence]: key }) }
    const token = await withToken(request, () => tokens.current())
    const first = await exchange(request, responseType, headers, token)
    if (first.status !== 401 || token === null || codeOf(first) === SESSION_ENDED) return first
    const replaced = await withToken(request, () => tokens.replace(token))
    return exchange(request, responseType, headers, replaced)
  }

  async function withToken(request: HostRequest, get: () => Promise<string | null>): Promise<string | null> {
    try {
      return await get()
    } catch (error) {
      if (!(error instanceof RefreshRefused)) throw failure(error, request)
      const message = error.message || t()('error.refresh')
      http.reactions.endSession(message)
      throw new RequestError('signedOut', message)
    }
  }

  async function idempotenceKey(signal: AbortSignal | undefined): Promise<string> {
    const data = await http.request<{ key?: unknown } | null>({ method: 'GET', path: IDEMPOTENCE_PATH, signal })
    if (typeof data?.key !== 'string') throw new RequestError('malformed', t()('error.malformed'))
    return data.key
  }

  async function exchange(
    request: HostRequest,
    responseType: 'text' | 'arraybuffer',
    headers: Record<string, string>,
    token: string | null,
  ): Promise<Raw> {
    const early = request.method === 'GET' && responseType === 'text' ? await takeEarly(request, token, locale()) : null
    if (request.signal?.aborted) throw new RequestError('aborted', t()('error.aborted'))
    if (early !== null) return received(early)
    const multipart = typeof FormData !== 'undefined' && request.body instanceof FormData
    const grayValue = gray()
    const config: AxiosRequestConfig = {
      baseURL: configuration.gateway,
      url: request.path,
      method: request.method,
      params: request.query,
      data: request.body,
      responseType,
      timeout: request.timeout ?? (multipart ? UPLOAD_TIMEOUT : REQUEST_TIMEOUT),
      signal: request.signal,
      validateStatus: () => true,
      transformResponse: [(data: unknown) => data],
      transitional: { clarifyTimeoutError: true },
      headers: {
        Accept: 'application/json',
        'Accept-Language': languageHeader(locale()),
        'Cache-Control': 'no-cache',
        Pragma: 'no-cache',
        ...(multipart || request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(request.form ? { 'x-form-revision': formHeader(request.form) } : {}),
        ...(grayValue === null ? {} : { [configuration.headers.gray]: grayValue }),
        ...headers,
      },
      onUploadProgress: request.onProgress && ((event) => request.onProgress?.(event.total ? event.loaded / event.total : 0)),
    }
    try {
      const answer: AxiosResponse<ArrayBuffer | string> = await client.request(config)
      const header = (name: string) => {
        const value: unknown = answer.headers[name]
        return typeof value === 'string' ? value : null
      }
      const date = Date.parse(header('date') ?? '')
      if (!Number.isNaN(date)) clockOffset = date - Date.now()
      return received({ status: answer.status, statusText: answer.statusText, body: answer.data ?? '', header })
    } catch (error) {
      throw failure(error, request)
    }
  }

  function received<T extends Raw | EarlyAnswer>(answer: T): T {
    const revision = answer.header('x-schema-revision')
    if (revision !== null) wiring.onSchemaRevision?.(revision)
    return answer
  }

  /** No answer at all: cancelled, timed out, or the network failed on the way (half a body counts as that). */
  function failure(error: unknown, request: HostRequest): RequestError {
    if (axios.isCancel(error)) return new RequestError('aborted', t()('error.aborted'))
    const timedOut = error instanceof AxiosError && error.code === AxiosError.ETIMEDOUT
    const made = timedOut ? new RequestError('timeout', t()('error.timeout')) : new RequestError('network', t()('error.network'))
    if (request.showErrors) http.reactions.error(made.message)
    return made
  }

  /** The data, or the RequestError that the answer means; shows what the catalogue says. */
  function settle(request: HostRequest, raw: Raw): unknown {
    const show = request.showErrors === true
    const answer = readAnswer(textOf(raw))
    const http5xx = raw.status >= 500
    if (answer.kind === 'envelope' && !http5xx && (answer.code !== 0 || raw.status < 400)) {
      if (answer.code === 0) return answer.data
      const told = react(answer.code, answer.msg, answer.data, show)
      const kind = told === 'ended' ? 'signedOut' : 'business'
      throw new RequestError(kind, sentence(answer.code, answer.msg), answer.code, answer.data, told !== 'silent')
    }
    if (raw.status === 401 && tokens.present()) {
      const message = t()('error.signedOut')
      http.reactions.endSession(message)
      throw new RequestError('signedOut', message, raw.status)
    }
    const error =
      raw.status >= 400
        ? new RequestError('http', httpSentence(raw, answer.kind === 'envelope' ? answer.msg : ''), raw.status)
        : new RequestError('malformed', t()(malformedKey(answer)))
    if (show) http.reactions.error(error.message)
    throw error
  }

  /** Shows what the catalogue says: whether the session ended, the reason was told, or nobody has said it yet. */
  function react(code: number, msg: string, data: unknown, show: boolean): 'ended' | 'told' | 'silent' {
    const consequence = consequenceOf(code, data, show)
    switch (consequence.type) {
      case 'endSession':
        http.reactions.endSession(msg || t()('error.signedOut'))
        return 'ended'
      case 'mailboxMissing':
        http.reactions.open(MAILBOX_MISSING)
        return 'told'
      case 'aliasChange':
        http.reactions.aliasChange(consequence)
        return 'told'
      case 'aliasTaken':
        http.reactions.error(t()('error.aliasTaken'))
        return 'told'
      case 'cannotExecute':
        http.reactions.cannotExecute(sentence(code, msg))
        return 'told'
      case 'message':
        http.reactions.error(sentence(code, msg))
        return 'told'
      case 'none':
        return 'silent'
    }
  }

  function sentence(code: number, msg: string): string {
    return msg || t()('error.business', { code })
  }

  function httpSentence(raw: Raw, message: string): string {
    const words = { status: raw.status, text: statusText(raw.status, raw.statusText), message }
    return message === '' ? t()('error.http', words) : t()('error.httpWith', words)
  }
}

const textOf = (raw: Raw) => (typeof raw.body === 'string' ? raw.body : new TextDecoder().decode(raw.body))

function codeOf(raw: Raw): number | null {
  const answer = readAnswer(textOf(raw))
  return answer.kind === 'envelope' ? answer.code : null
}

function malformedKey(answer: ReturnType<typeof readAnswer>): 'error.empty' | 'error.html' | 'error.malformed' {
  if (answer.kind === 'envelope' || answer.why === 'broken') return 'error.malformed'
  return answer.why === 'empty' ? 'error.empty' : 'error.html'
}

/** filename* (RFC 5987) before filename. */
export function fileNameOf(disposition: string | null): string | null {
  if (disposition === null) return null
  const extended = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended.trim())
    } catch {
      return null
    }
  }
  return /filename\s*=\s*"?([^";]+)"?/i.exec(disposition)?.[1]?.trim() ?? null
}

const formHeader = ({ page, revision }: NonNullable<HostRequest['form']>): string =>
  `${encodeURIComponent(page)} ${encodeURIComponent(revision)}`
