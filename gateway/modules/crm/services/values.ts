/** A text that says something, or null. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The texts of a list field. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string' && one.trim() !== '').map((one) => String(one).trim()) : []
