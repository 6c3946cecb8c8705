import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { EntityEngine } from '../entities'
import type { Database } from '../platform/database'
import type { SessionService } from '../platform/session'
import { AccessRequests } from './access/requests'
import { registerAccessRoutes } from './access/routes'
import type { Directory } from './directory'
import { registerHome, type HomeSchemas } from './home'
import { registerMenuRoutes } from './manage/menuRoutes'
import type { MenuParts } from './manage/menuRoutes'
import { registerRoleRoutes } from './manage/roleRoutes'
import { registerNeededRight } from './neededRight'
import { registerUserManagement } from './manage/userRoutes'
import { registerSavedViews } from './savedViews'
import { registerUsage } from './usage'
import { registerUserRoutes } from './userRoutes'

export { AccessRequests } from './access/requests'
export { ensureAdministrator } from './bootstrap'
export type { FirstAdministrator } from './bootstrap'
export { Directory } from './directory'
export { holdsPermission } from './store'
export { placeOf } from './menuPlace'
export { menuIdsOf, moduleRoles, type ModuleRole } from './moduleRoles'
export { mergeRoles } from './rights'
export type { MergedRights, StoredRole } from './rights'
export { externalModules, planResources, seedResources } from './seedResources'
export { registerStaffServices } from './services'
export { staffTables } from './tables'
export { sweepUsage } from './usage'

/** All calls of staff: about oneself, and the management of menus, roles and users. */
export function registerStaffRoutes(
  app: FastifyInstance,
  parts: {
    database: Database
    engine: EntityEngine
    directory: Directory
    sessions: SessionService
    routeOf: MenuParts['routeOf']
    /** The documents as they stand for a request. */
    schemasFor: (request: FastifyRequest) => HomeSchemas
    /** How long opened pages are kept. */
    usageDays: number
  },
): void {
  registerUserRoutes(app, parts)
  registerSavedViews(app, parts)
  registerHome(app, parts)
  registerNeededRight(app, parts)
  registerMenuRoutes(app, parts)
  registerRoleRoutes(app, parts)
  const access = new AccessRequests(parts)
  registerUserManagement(app, { ...parts, access })
  registerAccessRoutes(app, access)
  registerUsage(app, parts.database, parts.usageDays)
}
export { staffName } from './directory'
