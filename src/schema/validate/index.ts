/**
 * The one validator of the language: the same code in CI over schemas/, in the gateway when it starts, and in the browser
 * at load (imported lazily: it is not part of a page's first visit).
 *
 *   validateDocuments(sources)   -> every problem, errors and warnings
 *   readDocuments(sources)       -> also the documents whose shape is right, migrated to the present format
 *
 * Never throws and never hangs, whatever it is given.
 */
export type { ValidationContext } from './catalog'
export type { SourceDocument } from './documents'
export { readDocuments, validateDocuments, type Validated } from './validate'
