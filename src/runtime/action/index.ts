export { ActionBar } from './ActionBar'
export { offeredActions, type OfferedAction } from './rowActions'
export { runAction, type ActionScreen, type ActionTarget, type BulkOutcome } from './run'
export { useActions, type ActionBase, type Actions } from './useActions'
