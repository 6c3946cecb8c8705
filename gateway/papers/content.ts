/** How a paper speaks: one language, or both beside each other. */
export const PAPER_LANGUAGES = ['zh', 'en', 'both'] as const
export type PaperLanguage = (typeof PAPER_LANGUAGES)[number]

export interface PaperGroup {
  title: string | null
  rows: string[][]
  /** Below its columns; null: nothing is added up. */
  sums: string[] | null
}

export interface PaperTableContent {
  title: string | null
  columns: { title: string; right: boolean; width: number }[]
  groups: PaperGroup[]
  sums: string[] | null
  /** Before the sums of the whole. */
  sumLabel: string
}

/** What stands on a paper, in words: all that the renderer knows. Lines within a text are parted by a line feed. */
export interface PaperContent {
  title: string
  number: string
  letterhead: { name: string; lines: string[] }
  parties: { title: string; lines: string[] }[]
  facts: { label: string; value: string }[]
  tables: PaperTableContent[]
  totals: { label: string; value: string; strong: boolean }[]
  bank: { title: string; accounts: { label: string; value: string }[][] } | null
  notes: string[]
  /** Of the foot: `{page}` of `{pages}`. */
  pageWords: string
  /** ISO moment that the file tells as its making. */
  madeAt: string
}
