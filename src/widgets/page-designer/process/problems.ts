import type { Problem } from '../../../schema/problem'
import { RequestError } from '../../../headless/host'
import { CODES } from '../../../headless/failure'
import { isObject } from '../../../schema/overlay'
import type { Finding } from './types'

/** What the gateway found wrong, as the designer shows it: with its place, in the language that the gateway answered in. */
export const problemOf = ({ pointer = '', rule = '', severity = 'error', text, message }: Finding): Problem[] => {
  const told = text ?? message
  return told === undefined
    ? []
    : [{ code: rule as Problem['code'], severity, where: '', at: pointer, message: { zh: told, en: told } }]
}

/** What a refused save found wrong. */
export const problemsOfRefusal = (error: unknown): Problem[] =>
  error instanceof RequestError && isObject(error.data) && Array.isArray(error.data.errors)
    ? (error.data.errors as readonly Finding[]).flatMap(problemOf)
    : []

/** Somebody else published in between. */
export interface Behind {
  /** The version that is published now. */
  version: number
  by: string
  /** ISO 8601. */
  at: string | null
}

/** The conflict that a refused save tells of; null for any other reason. */
export const behindOf = (error: unknown): Behind | null => {
  if (!(error instanceof RequestError) || error.code !== CODES.stale || !isObject(error.data)) return null
  const { version, by, at } = error.data
  if (typeof version !== 'number') return null
  return { version, by: typeof by === 'string' ? by : '', at: typeof at === 'string' && at !== '' ? at : null }
}
