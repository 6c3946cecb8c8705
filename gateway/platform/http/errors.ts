import { STATUS_CODES } from 'node:http'
import type { ErrorObject } from 'ajv'
import type { FastifyBaseLogger } from 'fastify'
import { isConnectionLoss } from '../database'
import type { Answer } from './answer'
import { codes } from './codes'
import { describeSchemaErrors } from './schemaErrors'
import { ServiceError } from './serviceError'
import type { Locale, Text } from './text'

interface Refusal {
  status: number
  answer: Answer
  /** Seconds for the Retry-After header. */
  retryAfter?: number
}

/** What an error is told as: status and envelope in the caller's language. Faults are logged here, refusals are not. */
export function refusalFor(error: unknown, request: { locale: Locale; traceId: string; log: FastifyBaseLogger }): Refusal {
  const { locale, traceId } = request
  const known = error instanceof ServiceError ? error : asServiceError(error, locale)
  if (known && known.status < 500) {
    const data = known.data
    const retryAfter = isRetry(data) ? data.retryAfter : undefined
    return { status: known.status, answer: { code: known.code, msg: known.messageIn(locale), data }, retryAfter }
  }
  request.log.error({ err: error, traceId }, 'a request failed')
  const entry = known ?? (isConnectionLoss(error) ? codes.unavailable : codes.fault)
  const text = entry instanceof ServiceError ? entry.text : entry.message
  const suffix: Text = { zh: `（追踪号 ${traceId}）`, en: ` (trace id ${traceId})` }
  return { status: entry.status, answer: { code: entry.code, msg: text[locale] + suffix[locale], data: { traceId } } }
}

/** Errors of the framework and its plugins that are the caller's doing. */
function asServiceError(error: unknown, locale: Locale): ServiceError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, statusCode, validation, validationContext } = error as Error & {
    code?: string
    statusCode?: number
    validation?: ErrorObject[]
    validationContext?: string
  }
  if (validation) {
    const errors = describeSchemaErrors(validation, locale)
    const first = errors[0]
    const at = [validationContext, first?.field].filter(Boolean).join(' ')
    const message = {
      zh: `请求的格式不正确：${at} ${first?.message ?? ''}`,
      en: `The shape of the request is not right: ${at} ${first?.message ?? ''}`,
    }
    return new ServiceError('badRequest', { message, data: { errors } })
  }
  switch (code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return badJson
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('unsupportedMedia')
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
    case 'FST_PARTS_LIMIT':
    case 'FST_FILES_LIMIT':
    case 'FST_FIELDS_LIMIT':
      return new ServiceError('bodyTooLarge')
  }
  if (error instanceof SyntaxError && statusCode === 400) return badJson
  if (statusCode === 404) return new ServiceError('noAddress')
  if (statusCode === 413) return new ServiceError('bodyTooLarge')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const reason = STATUS_CODES[statusCode] ?? 'Bad Request'
    return new ServiceError('badRequest', {
      message: { zh: `请求不正确（${reason}）。`, en: `The request is not right (${reason}).` },
      data: { errors: [{ message: reason }] },
    })
  }
  return undefined
}

const badJson = new ServiceError('badRequest', {
  message: { zh: '请求内容不是有效的 JSON。', en: 'The body of the request is not valid JSON.' },
  data: { errors: [{ message: 'JSON' }] },
})

function isRetry(data: unknown): data is { retryAfter: number } {
  return typeof data === 'object' && data !== null && 'retryAfter' in data && typeof data.retryAfter === 'number'
}
