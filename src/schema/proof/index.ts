/** What a compiled page does with fields for its viewer, and what of it his access to them does not allow. */
export { exposureOf, newlyExposed, overexposed, type Exposure, type FieldExposure } from './exposure'
export { flowsOf, type Flow } from './flows'
export { widenedActs, widenedFields, type RightsHolder, type Widened } from './rights'
