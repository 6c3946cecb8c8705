/** Older formats of documents -> the present one, step by step. */
export { migrateDocument, MIGRATIONS, PRESENT_VERSION } from './migrate'
