import type { DetailTexts } from './texts'

/** Entries of a value that has parts of its own; null for what is one thing. */
const partsOf = (value: unknown): number | null =>
  typeof value !== 'object' || value === null
    ? null
    : (Array.isArray(value) ? value : Object.values(value)).filter((part) => part !== null).length

/**
 * Before and after of a structured field. Its JSON says nothing to people: its entries are counted, and where both sides have as
 * many, that they are others.
 */
export const structuredChange = (
  before: unknown,
  after: unknown,
  texts: Pick<DetailTexts, 'entries' | 'otherEntries' | 'empty'>,
): readonly [string, string] => {
  const [from, to] = [partsOf(before), partsOf(after)]
  const said = (count: number | null): string => (count === null || count === 0 ? texts.empty : texts.entries(count))
  return [said(from), from !== null && from === to && from > 0 ? texts.otherEntries : said(to)]
}
