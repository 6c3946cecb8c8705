/** Admins' changes of the served documents: drafts, releases, roll-back. See docs/decisions/0006-how-admins-change-pages.md. */
export { SchemaChanges } from './changes'
export type { RoleView } from './dryRun'
export { registerSchemaRoutes } from './http'
export { LiveSchemas } from './live'
export { schemaSteps } from './presentWords'
export { schemaTables } from './tables'
