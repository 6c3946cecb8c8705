import type { Text } from '../../platform/http'

/** What a tool answers: a table in the reader's language, what has to be said beside it, and a line where one is drawn. */
export interface ToolAnswer {
  columns: readonly { id: string; title: string }[]
  /** Texts by column; `tone` marks a row that needs a look. */
  rows: readonly Readonly<Record<string, string | null>>[]
  notes: readonly string[]
  line?: { label: string; points: readonly { name: string; value: number; text: string }[] }
}

/** The titles of columns in the reader's language. */
export const columnsOf = (titles: Readonly<Record<string, Text>>, locale: 'zh' | 'en'): ToolAnswer['columns'] =>
  Object.entries(titles).map(([id, title]) => ({ id, title: title[locale] }))

/** At most so many entries are looked up at once. */
export const MOST_ENTRIES = 1_000

/** What was pasted, entry by entry: parted by line ends, commas, semicolons and tabs; each once, in its order. */
export function entriesOf(text: string): string[] {
  const entries = text.split(/[\n\r,;，；、\t]+/u).map((entry) => entry.trim().normalize('NFKC'))
  return [...new Set(entries.filter((entry) => entry !== ''))]
}
