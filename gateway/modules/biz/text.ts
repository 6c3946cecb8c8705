/** The text of a stored value; empty where there is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
