/**
 * Features: documents with parameters that entities take part in by `x-use`. Everything behind the reading of documents sees the
 * entity with them (`expandFeatures`).
 */
export { expandFeatures, usesFeatures, type Expanded } from './expand'
export { placeholdersIn } from './template'
