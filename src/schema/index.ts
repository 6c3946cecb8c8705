/**
 * The schema language in one place. Pure: no React, DOM or network; browser and gateway share it.
 *
 *   compilePage(bundle, context)     page document -> PageModel
 *   expression/, formats/, entity/   imported from their own folders
 *   validate/                        everything that is wrong with documents; loaded only where it is needed
 *   migrate/                         an older formatVersion -> the present one, part of reading a document
 */
export { compilePage } from './compile'
export type { CompileBundle, CompileContext } from './compile'
export { formatProblem } from './diagnosis'
export type { Problem } from './problem'
