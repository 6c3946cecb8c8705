import type { FieldKind } from '../model'

/** What stands for a value that may not be read; it says nothing about the value, not even its length. */
export const MASK = '***'

/**
 * A value as somebody without the right sees it (R: masked in lists, details, exports and search):
 * `138****0001`, `a***@x.com`, the first character of other texts, `***` for everything else. Null stays null.
 */
export function maskValue(kind: FieldKind, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return value ?? null
  if (Array.isArray(value)) return value.length === 0 ? [] : [MASK]
  if (typeof value !== 'string') return MASK
  if (kind === 'phone') return maskPhone(value)
  if (kind === 'email') return maskEmail(value)
  if (kind !== 'string' && kind !== 'url') return MASK
  const [first] = value
  return [...value].length > 4 ? `${first}${MASK}` : MASK
}

/** True when the value can only be a mask: such a value is never written. */
export function isMasked(kind: FieldKind, masked: unknown, given: unknown): boolean {
  return (
    given === MASK ||
    JSON.stringify(given) === JSON.stringify(masked) ||
    (kind === 'phone' && typeof given === 'string' && given.includes('****'))
  )
}

function maskPhone(value: string): string {
  const digits = value.replace(/^\+86/, '')
  return digits.length < 8 ? MASK : `${digits.slice(0, 3)}****${digits.slice(-4)}`
}

function maskEmail(value: string): string {
  const at = value.lastIndexOf('@')
  return at < 1 ? MASK : `${[...value][0]}${MASK}${value.slice(at)}`
}
