import { closest, distance } from 'fastest-levenshtein'
import { ServiceError } from '../platform/http'
import type { Locale, Text } from '../platform/http'

/** One thing wrong with an input, as the caller reads it: the field, the sentence in the caller's language, the broken rule. */
export interface InputProblem {
  field?: string
  message: Text
  rule?: string
}

/** More problems of one input help nobody. */
export const MOST_PROBLEMS = 50
/** What was probably meant is looked for this often: whoever has more wrong did not mistype. */
const MOST_HINTS = 5

/** The name that was probably meant: at most a third of its letters wrong. */
export function meantName(name: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates]
  if (all.length === 0 || name.length > 60) return undefined
  const best = closest(name, all)
  return distance(name, best) <= Math.ceil(name.length / 3) ? best : undefined
}

/** "There is no field …" with what was probably meant, unless much of the same input is wrong already (`told` problems). */
export function unknownName(what: Text, name: string, candidates: Iterable<string>, told = 0): Text {
  const hint = told < MOST_HINTS ? meantName(name, candidates) : undefined
  const shown = shorten(name)
  return {
    zh: `没有${what.zh}“${shown}”${hint ? `，是否想写“${hint}”？` : '。'}`,
    en: `There is no ${what.en} "${shown}"${hint ? `; did you mean "${hint}"?` : '.'}`,
  }
}

/** The input cannot be read as a request (10010001); names the field. */
export function badRequest(locale: Locale, message: Text, field?: string): ServiceError {
  return refusal('badRequest', locale, [{ field, message }])
}

/** 10010001, 10010005, 10010008 or 10010013 with `{ errors: [{ field?, message, rule? }] }`; the answer's own sentence is the first problem's, unless there is one for all. */
export function refusal(
  code: 'badRequest' | 'validationFailed' | 'uniqueTaken' | 'importRefused',
  locale: Locale,
  problems: readonly InputProblem[],
  own: { message?: Text; code?: number; id?: string } = {},
): ServiceError {
  const [first] = problems
  const more = problems.length - 1
  const message =
    own.message ??
    (first && {
      zh: more > 0 ? `${first.message.zh}（另有 ${more} 处）` : first.message.zh,
      en: more > 0 ? `${first.message.en} (and ${more} more)` : first.message.en,
    })
  const errors = problems.slice(0, MOST_PROBLEMS).map(({ message: text, ...rest }) => ({ ...rest, message: text[locale] }))
  return new ServiceError(code, { message, data: { errors }, code: own.code, rule: own.id })
}

/** What a refusal says, by the fields that it names; one sentence without a field where it names none. */
export function refusalsOf(error: ServiceError, locale: Locale): { field: string | null; message: string }[] {
  const errors = (error.data as { errors?: unknown } | null)?.errors
  const named = (Array.isArray(errors) ? errors : []).filter(
    (one): one is { field?: string; message: string } => typeof (one as { message?: unknown } | null)?.message === 'string',
  )
  return named.length > 0
    ? named.map(({ field, message }) => ({ field: field ?? null, message }))
    : [{ field: null, message: error.messageIn(locale) }]
}

/** A value of a request as an answer quotes it: a text as it is, anything else as JSON (an object need not be able to become a text); cut after `length` characters. */
export function shorten(value: unknown, length = 60): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  return text.length > length ? `${text.slice(0, length)}…` : text
}
