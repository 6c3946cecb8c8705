import { CODES } from '../../../headless/failure'
import { RequestError } from '../../../headless/host'

/** What somebody else saved in between (code 10010006). */
export interface Conflict {
  /** The version to save against now. */
  version: number
  /** Fields that the other person changed. */
  fields: readonly string[]
  by: string | null
  /** ISO 8601. */
  at: string | null
}

const UNIQUE = 10010008

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The conflict that a refused save tells of; null for any other reason. */
export const conflictOf = (error: unknown): Conflict | null => {
  if (!(error instanceof RequestError) || error.code !== CODES.stale || !isObject(error.data)) return null
  const { version, changes, by, byName, at } = error.data
  if (typeof version !== 'number') return null
  const fields = listOf(changes).flatMap((change) => (isObject(change) && typeof change.field === 'string' ? [change.field] : []))
  return { version, fields, by: textOf(byName) ?? textOf(by), at: textOf(at) }
}

/** Sentences about single fields of a refused save; empty when the refusal is about the whole. */
export const fieldErrorsOf = (error: unknown): { field: string; message: string }[] => {
  if (!(error instanceof RequestError) || !isObject(error.data)) return []
  if (error.code !== CODES.invalid && error.code !== CODES.badRequest && error.code !== UNIQUE) return []
  return listOf(error.data.errors).flatMap((entry) => {
    if (!isObject(entry)) return []
    const { field, message } = entry
    return typeof field === 'string' && typeof message === 'string' ? [{ field, message }] : []
  })
}
