/**
 * The portal's schemas: the files of the release, read and validated at the start, with the released changes of admins over
 * them. They are served to the portal, and read by the entity engine and by staff (menus, permission keys).
 *
 *   const files = await readReleasedSchemas(configuration.schemasDir, { warn })
 *   const schemas = await LiveSchemas.open({ database, files, ... })
 *   servePages(app, schemas)
 *
 * Values of dictionaries change at once:
 *
 *   const book = new DictionaryBook(database, schemas, engine)
 *   const stop = await book.open(onError)
 *   serveDictionaries(app, { database, engine, book })
 */
export { makeBundle, type PageBundle } from './bundle'
export { LiveSchemas, registerSchemaRoutes, SchemaChanges, schemaSteps, schemaTables, type RoleView } from './changes'
export { asAccepted } from './changes/compose'
export { DictionaryBook } from './dictionaries/book'
export { serveDictionaries } from './dictionaries/http'
export { dictionaryTables } from './dictionaries/tables'
export { FormMemory, formTables } from './forms/memory'
export { servePages } from './http'
export type { AdaptPage } from './http'
export { serveMetaSchemas } from './metaSchemas'
export { tabOf, type ListTab, type Pages, type TabName } from './listTab'
export { readSchemas } from './readSchemas'
export { openSchemaRegistry, readReleasedSchemas } from './registry'
export type { SchemaRegistry } from './registry'
export { flatten } from './routes'
