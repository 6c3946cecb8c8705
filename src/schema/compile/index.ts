/** Page documents -> page models: `compilePage(bundle, context)`. Pure; the same in browser and gateway. */
export { compileFresh, compilePage, type CompileResult } from './compilePage'
export { EFFECT_WORDS } from './action'
export { deepFreeze } from './compilePage'
export type { CompileBundle, CompileContext, EntityList } from './context'
export { splitField } from './formNode'
export { ROOTS } from './roots'
