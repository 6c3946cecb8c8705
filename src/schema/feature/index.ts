/**
 * Features: documents with parameters that entities, pages and rule sets take part in by `x-use`. Everything behind the reading of
 * documents sees them whole (`expandFeatures`).
 */
export { expandFeatures, libraryOf, usesFeatures, type Expanded, type Library } from './expand'
export { placeholdersIn } from './template'
