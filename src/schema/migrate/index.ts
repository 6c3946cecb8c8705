/** Older formats of documents -> the present one, step by step. */
export { migrateDocument, MIGRATIONS, PRESENT_VERSION, type MigrationResult } from './migrate'
export type { MigratedType, Migration } from './migration'
