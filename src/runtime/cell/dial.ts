import type { PageField } from '../../schema/model'

/** The number of a phone field as a telephone dials it; undefined for what is masked or none. */
export const dialled = ({ kind, masked }: PageField, value: unknown): string | undefined => {
  if (kind !== 'phone' || masked || typeof value !== 'string' || value.includes('*')) return undefined
  return value.replace(/[^+\d]/g, '') || undefined
}
