/** Page documents -> page models: `compilePage(bundle, context)`. Pure; the same in browser and gateway. */
export { compilePage, type CompileResult } from './compilePage'
export type { CompileBundle, CompileContext } from './context'
export { ROOTS } from './roots'
