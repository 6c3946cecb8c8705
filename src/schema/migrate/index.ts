/** Older formats of documents -> the present one, step by step. */
export { migrateChanges, migrateTarget } from './from2'
export { migrateDocument, MIGRATIONS, PRESENT_VERSION } from './migrate'
