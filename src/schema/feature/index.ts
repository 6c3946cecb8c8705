/**
 * What documents are made of: features, documents with parameters that entities, pages and rule sets take part in by `x-use`, and
 * for a page another page that it is `like`. Everything behind the reading of documents sees them whole (`makeWhole`).
 */
export { expandFeatures, libraryOf, usesFeatures, type Expanded, type Library } from './expand'
export { isMadeOf, makeWhole } from './like'
export { placeholdersIn } from './template'
