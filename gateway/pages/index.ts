/**
 * The portal's released schemas: read and validated at the start, served to the portal, and read by the entity engine and
 * by staff (menus, permission keys).
 *
 *   const registry = await openSchemaRegistry(configuration.schemasDir, { warn })
 *   servePages(app, registry)
 */
export { servePages } from './http'
export { readSchemas } from './readSchemas'
export { openSchemaRegistry } from './registry'
export type { SchemaRegistry } from './registry'
