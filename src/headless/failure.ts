import type { Locale } from '../schema/problem'
import { RequestError } from './host'

/** Answer codes of the envelope that change what the runtime draws. */
export const CODES = {
  badRequest: 10010001,
  noPermission: 10010003,
  notFound: 10010004,
  invalid: 10010005,
  stale: 10010006,
  transition: 10010007,
  importRefused: 10010013,
} as const

/** Why something failed, ready to be shown. */
export interface Failure {
  kind: 'denied' | 'missing' | 'stale' | 'failed'
  /** A sentence in the viewer's language. */
  message: string
  /** The permission that is missing, when the gateway named it. */
  permission?: string
  error: unknown
}

const field = (data: unknown, name: string): unknown =>
  data !== null && typeof data === 'object' ? (data as Record<string, unknown>)[name] : undefined

const UNKNOWN = {
  zh: '页面出了差错，原因已记录。请重试；若仍然失败，请联系管理员。',
  en: 'Something went wrong on this page and was logged. Try again; if it keeps failing, tell your administrator.',
}

/** True when a request was given up on purpose, which is not worth a word. */
export const isAborted = (error: unknown): boolean =>
  (error instanceof RequestError && error.kind === 'aborted') || (error instanceof DOMException && error.name === 'AbortError')

/** True when the shell has said already why something failed. */
export const isTold = (error: unknown): boolean => error instanceof RequestError && error.told

/** Turns what a call threw into what can be shown. */
export const toFailure = (error: unknown, locale: Locale): Failure => {
  if (!(error instanceof RequestError)) return { kind: 'failed', message: UNKNOWN[locale], error }
  const permission = field(error.data, 'permission')
  if (error.code === CODES.noPermission || error.code === 403) {
    return { kind: 'denied', message: error.message, error, ...(typeof permission === 'string' ? { permission } : {}) }
  }
  if (error.code === CODES.notFound) return { kind: 'missing', message: error.message, error }
  return { kind: error.code === CODES.stale ? 'stale' : 'failed', message: error.message, error }
}
