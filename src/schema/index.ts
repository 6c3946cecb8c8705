/**
 * The schema language in one place. Pure: no React, DOM or network; browser and gateway share it.
 *
 *   compilePage(bundle, context)         page document -> PageModel
 *   loadValidator() -> validateDocuments   everything that is wrong with documents
 *   migrateDocument(document)            an older formatVersion -> the present one
 *   expression/, formats/, entity/       imported from their own folders
 */
export { compilePage, ROOTS } from './compile'
export type { CompileBundle, CompileContext, CompileResult } from './compile'
export { didYouMean, formatProblem, pointer } from './diagnosis'
export type { BilingualText, Locale, Problem, ProblemCode } from './problem'
