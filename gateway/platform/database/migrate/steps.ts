import type { Transaction } from '../types'

/** A change that tables alone cannot say: filling a new column, a rename, an extension's function. Runs once per database. */
export interface SqlStep {
  /** Unique for ever and sorted by the author's list, for example `2026-11-customer-pinyin`. */
  id: string
  /** SQL text (may hold several statements) or work in the migration's transaction. */
  run: string | ((transaction: Transaction) => Promise<void>)
  /**
   * `after` (default): when the tables stand as wanted. `before`: on the old tables, for renames and conversions; on a
   * fresh database such a step has nothing to convert and is recorded without being run.
   */
  when?: 'before' | 'after'
}

export interface MigrateOptions {
  /** Extensions that tables or steps need (`pg_trgm`, `unaccent`); created when missing. */
  extensions?: readonly string[]
  onProgress?: (message: string) => void
}
