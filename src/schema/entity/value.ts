import { exactText, formatOf, toExact, toInstant, type FormatContext } from '../formats'
import type { BilingualText } from '../problem'
import type { FieldModel } from './fieldModel'

/** A value as it is stored, or what is wrong with it and which rule says so. */
export type ReadValue = { value: unknown } | { problem: BilingualText; rule: string }

const PLACE: FormatContext = { locale: 'zh', timeZone: 'UTC' }
/** Kinds that people write in many ways; what does not fit as it is may still be read. */
const TYPED: ReadonlySet<string> = new Set(['phone', 'email', 'url', 'decimal', 'money', 'percent'])
/** Half of a character: no database text can hold it. */
const LONE_SURROGATE = /\p{Surrogate}/u
const DEEPEST = 20

/**
 * Reads a value that came as JSON for a field: emptiness becomes null, texts are trimmed, exact numbers and moments get
 * their one stored form; then the format of the kind checks it (type, length, bounds, pattern). The message names the field. `region` is
 * the country of phone numbers that are written without one.
 */
export function readValue(field: FieldModel, raw: unknown, region?: string | null): ReadValue {
  const value = normalise(field, raw)
  if (value === null) return { value }
  if (!isStorable(value, 0)) {
    return {
      problem: named(field, {
        zh: '含有无法保存的字符，或嵌套过深。',
        en: 'it holds characters that cannot be stored, or is nested too deep.',
      }),
      rule: 'shape',
    }
  }
  const format = formatOf(field.kind)
  const wrong = format.validate(value, field.field, PLACE)
  if (!wrong) return { value }
  if (TYPED.has(field.kind) && typeof raw === 'string') {
    const parsed = format.parse(raw, field.field, { ...PLACE, region })
    if ('value' in parsed && !format.validate(parsed.value, field.field, PLACE)) return { value: parsed.value }
  }
  return { problem: named(field, wrong), rule: 'format' }
}

function normalise(field: FieldModel, raw: unknown): unknown {
  if (raw === undefined || raw === null) return null
  if (Array.isArray(raw)) return raw.length === 0 ? null : raw
  switch (field.kind) {
    case 'decimal':
    case 'money':
    case 'percent': {
      const exact = toExact(raw)
      return exact ? exactText(exact) : raw === '' ? null : raw
    }
    case 'dateTime': {
      const instant = typeof raw === 'string' ? toInstant(raw) : undefined
      return instant === undefined ? (raw === '' ? null : raw) : new Date(instant).toISOString()
    }
    case 'richText':
    case 'json':
      return raw === '' ? null : raw
    default: {
      if (typeof raw !== 'string') return raw
      const text = raw.trim()
      return text === '' ? null : text
    }
  }
}

/** Texts without NUL and half characters, all the way down. */
function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !value.includes('\u0000') && !LONE_SURROGATE.test(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= DEEPEST) return false
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1))
  return Object.entries(value).every(([key, item]) => isStorable(key, depth) && isStorable(item, depth + 1))
}

function named(field: FieldModel, message: BilingualText): BilingualText {
  return { zh: `“${field.label.zh}”：${message.zh}`, en: `${field.label.en}: ${message.en}` }
}
