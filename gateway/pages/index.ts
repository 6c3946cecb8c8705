/**
 * The portal's released schemas: read and validated at the start, served to the portal, and read by the entity engine and
 * by staff (menus, permission keys).
 *
 *   const registry = await openSchemaRegistry(configuration.schemasDir, { warn })
 *   servePages(app, registry)
 */
export { makeBundle } from './bundle'
export type { BundleSources, PageBundle } from './bundle'
export { servePages } from './http'
export { readSchemas } from './readSchemas'
export { createSchemaRegistry, openSchemaRegistry } from './registry'
export type { AcceptedSource, SchemaRegistry } from './registry'
export { flatten } from './routes'
export type { ModuleFacts, RegisteredPage, RouteFacts, RouteTable } from './routes'
