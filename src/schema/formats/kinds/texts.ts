/** What the kinds that hold text share: length, pattern, and reading a cell. */
import { matchesPattern } from '../../pattern/match'
import type { BilingualText } from '../../problem'
import { cellText, isBlank, say, type FormatField, type ImportCell, type Parsed } from '../format'

/** Length in characters as people count them. */
function lengthOf(text: string): number {
  return [...text].length
}

/** Length and pattern; `most` is the limit where the field names none. */
export function validateText(value: unknown, field: FormatField, most: number): BilingualText | null {
  if (isBlank(value)) return null
  if (typeof value !== 'string') return say('须是文本。', 'It has to be text.')
  const length = lengthOf(value)
  const limit = field.maxLength ?? most
  if (length > limit) return say(`最多 ${limit} 个字符，现在是 ${length} 个。`, `At most ${limit} characters; it has ${length}.`)
  if (field.minLength !== undefined && length < field.minLength) {
    return say(`至少 ${field.minLength} 个字符。`, `At least ${field.minLength} characters.`)
  }
  if (value.includes('\0')) return say('不能含有控制字符 NUL。', 'It must not hold the control character NUL.')
  if (field.pattern !== undefined && !matchesPattern(field.pattern, value))
    return say('格式不正确。', 'It does not have the required form.')
  return null
}

export function parseText(cell: ImportCell): Parsed {
  return { value: cellText(cell) }
}
