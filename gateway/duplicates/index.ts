/**
 * Which records are the same company: keys of names in any script, registration numbers, domains, people, similar names. It knows tables
 * and columns; which fields of an entity they are says `x-duplicates` (docs/language.md).
 */
export {
  compareIdentities,
  DUPLICATE_DEFAULTS,
  type Candidate,
  type DuplicateHit,
  type DuplicateRule,
  type DuplicateRules,
  type Identity,
} from './compare'
export { findDuplicates, type DuplicateTable } from './find'
export { ManyDuplicates } from './many'
export { bigramsOf, looksLike, matchKeys, similarity, type MatchKeys } from './names'
