/**
 * The generic entity engine: tables, queries, saves, states, imports, exports and HTTP calls from entity documents.
 *
 * ```ts
 * const engine = createEntityEngine({ database, entities, dictionary: (name) => dictionaries.get(name) })
 * engine.registerEntityService('crm.customer', { beforeSave, guard, effect, shares })
 * await migrate(database, [...engine.tables({ trigram }), ...], steps, { extensions: trigram ? ['pg_trgm'] : [] })
 * await registerEntityRoutes(app, engine, { exportTask })
 * ```
 */
export type * from './calls'
export { createEntityEngine } from './engine'
export type { EngineOptions } from './engine'
export { FinalRefusal, OUTBOX_LINE } from './effects/outbox'
export { tableName as tableOf } from '../../src/schema/entity'
export { dueSql, openSql } from './charge'
export { thereIs } from './there'
export { MOST_PROBLEMS, refusal, type InputProblem } from './errors'
export { describedCalls } from './http/apiShapes'
export { registerEntityRoutes } from './http/routes'
export type { EntityRouteOptions, ImportTasks } from './http/routes'
export { queryPageBody, reportBody } from './http/schemas'
export { convertedSql, type Convertible } from './money/convertedSql'
export type { Reach, Rights, RowsOf } from './reached'
export { MoreRowsError } from './transfer/importTypes'
export { collectStream, Output, type SheetCell } from './transfer/output'
export { readSheet } from './transfer/sheetReader'
export { cellShown, FileRefusedError, isFault, type FileCell, type FileRow } from './transfer/sheetRows'
export { TEXT_FORMAT } from './transfer/columnFormat'
export { sheetName } from './transfer/export'
export { tableFile, type TableAsked } from './transfer/tableFile'
export { columnLetter, XlsxWriter } from './transfer/xlsxWriter'
export type * from './transfer/importTypes'
export type * from './entitiesApi'
export type * from './functions'
export type * from './recordTypes'
export type * from './types'
export { shortPhrase } from './query/shortKeyword'
export { sameValue } from './sameValue'
