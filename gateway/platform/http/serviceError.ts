import { codes } from './codes'
import type { CodeName } from './codes'
import type { Locale, Text } from './text'

interface ServiceErrorOptions {
  /** A sentence in both languages: what, where, why, what to do. Default: the message of the code. */
  message?: Text
  /** `data` of the envelope; its shape belongs to the code (docs/calls.md). */
  data?: unknown
  /** Another code of the answer, where the specification names one; what the reason means stays. */
  code?: number
  /** Id of the rule, limit or refusal of a document that says so. */
  rule?: string | undefined
  cause?: unknown
}

/**
 * A refusal that the caller is told about: an answer code, a sentence in both languages, data.
 * Everything else that is thrown is a fault: logged with its stack, answered with code 10010099 and a trace id.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: number
  /** HTTP status of the answer. */
  readonly status: number
  readonly text: Text
  readonly data: unknown
  readonly rule: string | undefined

  constructor(
    readonly reason: CodeName,
    options: ServiceErrorOptions = {},
  ) {
    const entry = codes[reason]
    const text = options.message ?? entry.message
    super(text.en, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code ?? entry.code
    this.status = entry.status
    this.text = text
    this.data = options.data ?? null
    this.rule = options.rule
  }

  /** The sentence in the caller's language. */
  messageIn(locale: Locale): string {
    return this.text[locale]
  }
}
