/**
 * Approval processes as documents (`schemas/<module>/processes/<code>.json`): their tree of nodes, their form as an entity and as pages, the rights of
 * each node. Pure: browser and gateway share it.
 */
export { entityField, fieldsOf, isExact, type FieldSummary, type FieldType } from './fields'
export { formEntity, formEntityName, isFormEntity, rowEntities, rowEntityName } from './formEntity'
export { factsOf, formPage, type FormFacts, type FormPageOptions } from './formPage'
export { PROCESS_ROOTS } from './formWords'
export { hashOf } from './hash'
export { formFields } from './head'
export { isHeadField, namedFields, rightsOf, type Right, type Rights } from './rights'
export { tolerantText } from './tolerant'
export { branchOf, isForPeople, nodeById, pathTo, placesOf, startOf, walkNodes, type Enclosing, type NodePlace } from './tree'
