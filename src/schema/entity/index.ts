/** What an entity document means: base fields, kinds, rules, states, numbers, masks. Pure; browser and gateway share it. */
export { restrictedFields, splitSource, sourcesOf } from './access'
export type { FieldAccess, FieldViewer } from './access'
export { chargedEntity } from './charge'
export type { ChargedEntity, ChargeSide, ChargeSideName } from './charge'
export { entityScope, exactFields, exactValue } from './exact'
export { deadlineIndexes, statesOf } from './deadlines'
export { HEAD } from './derived'
export type { Derivation, FieldPath } from './derived'
export { allFields, columnName, entityPath, tableName, VALIDITY } from './fields'
export type { FieldOrigin } from './fields'
export type { FieldModel } from './fieldModel'
export { MASK, isMasked, maskValue } from './mask'
export { compileEntity, compileFields, dependenciesOf, referenceOf } from './model'
export type {
  CompiledRule,
  EntityModel,
  EntityOperation,
  EntityScope,
  EntityView,
  LinesField,
  Rule,
  StateMachine,
  StateTransition,
} from './model'
export { namesAt, PLACES } from './names'
export type { Place } from './names'
export { parseSequence } from './sequence'
export type { SequencePattern } from './sequence'
export { measureOf, splitRollup } from './derived'
export type { Rollup } from './derived'
export { brokenRules } from './rules'
export type { BrokenRule } from './rules'
export { isByHand, standingCodes } from './standing'
export { findTransition, machineOf, outOfState, transitionsOf } from './states'
export type { FoundTransition } from './states'
export { readValue } from './value'
export type { ReadValue } from './value'
export { entityExpression, pathsIn } from './paths'
