import type { Word } from '../language/meta'

/** One word of a part of the document. */
export interface ControlProps {
  /** Address of the value. */
  at: string
  name: string
  word: Word
  value: unknown
  onChange(value: unknown): void
}

/** With the id by which a label names the control. */
export type WithId = ControlProps & { id: string }

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** An object with one member set, or without it. */
export const withMember = (part: Readonly<Record<string, unknown>>, name: string, value: unknown): Record<string, unknown> =>
  value === undefined ? Object.fromEntries(Object.entries(part).filter(([key]) => key !== name)) : { ...part, [name]: value }
