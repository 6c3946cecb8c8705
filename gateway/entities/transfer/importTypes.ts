export interface ImportProblem {
  /** Row of the sheet, the header being 1. */
  row: number
  field: string | null
  /** Name of the field, also where the file has no column for it. */
  title?: string
  /** Letter of the column, or null for the whole row. */
  column: string | null
  value: string | null
  message: string
}
/** Rows of a kind that an answer tells; the error file holds all that were not saved. */
export const MOST_TOLD = 200
/** What is to be told of a whole row. */
export interface RowNote {
  row: number
  message: string
}
export interface ImportPreview {
  importId: string
  total: number
  valid: number
  columns: { field: string; title: string; column: string }[]
  errors: ImportProblem[]
  /** The first rows that can be saved but should be looked at; of a large file the commit tells them. */
  warnings: RowNote[]
  /** The first rows as they would be saved. */
  sample: Record<string, unknown>[]
}
export interface ImportResult {
  created: number
  /** The first of them; the error file holds all. */
  refused: RowNote[]
  refusedTotal: number
  /** The first rows that were saved and should be looked at. */
  warned: RowNote[]
  warnedTotal: number
}
/** A checked import and how far its commit came. */
export interface ImportState extends ImportPreview {
  fileName: string
  /** Null before the commit began. */
  result: (ImportResult & { finished: boolean }) | null
}
export interface ImportOptions {
  /** The part that is done, 0 to 1; null while that cannot be said. */
  onProgress?: (fraction: number | null) => void
  signal?: AbortSignal
}
export interface PreviewOptions extends ImportOptions {
  /** The id that the import gets; what a broken-off check left under it is begun anew. */
  importId?: string
  /** More rows are not checked: MoreRowsError. */
  mostRows?: number
}
/** A file has more rows than its caller wanted to wait for. */
export class MoreRowsError extends Error {
  override readonly name = 'MoreRowsError'
}
