import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { ProcessDocument } from '../generated/process'

/** A value with the members of its objects in one order: what means the same is written the same. The order of lists is content. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => key !== '$schema' && item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, ordered(item)]),
  )
}

/**
 * What a process says, as one text: two documents with the same text are the same process. The order in which fields are written is what a form is
 * drawn in, so it is told too.
 */
const canonicalJson = (process: ProcessDocument): string =>
  JSON.stringify([
    ordered(process),
    Object.entries(process.form.fields).map(([name, { rows }]) => [name, Object.keys(rows?.fields ?? {})]),
  ])

/** The address of a process by its content, `sha256-…` in hexadecimal digits. */
export const hashOf = (process: ProcessDocument): string => `sha256-${bytesToHex(sha256(utf8ToBytes(canonicalJson(process))))}`
