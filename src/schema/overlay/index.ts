/**
 * What somebody changed in a document, as a list of changes by stable ids: `diffDocuments` makes it, `applyChanges` lays it
 * over the document, `mergeDocuments` brings two people's work together.
 */
export { applyChanges, type Applied } from './applyChanges'
export {
  addedId,
  idMembers,
  idOf,
  isKeyedList,
  isKeyedName,
  isObject,
  isOrderedMap,
  joinAddress,
  addressOfChange,
  sameChange,
  sameContent,
  isForbiddenStep,
  splitAddress,
  valueIn,
} from './change'
export type { Change, JsonObject, Outcome } from './change'
export { describeChanges, type Difference, type DifferenceKind } from './describeChanges'
export { diffDocuments } from './diffDocuments'
export { mergeDocuments, type Conflict, type Merged } from './mergeChanges'
