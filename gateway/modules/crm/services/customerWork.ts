import type { FastifyInstance } from 'fastify'
import type { EntityEngine } from '../../../entities'
import type { Database } from '../../../platform/database'
import { registerHomeStatistics } from './homeStatistics'
import { registerHandOver } from './leaving/handOverCalls'
import type { Pages } from '../../../pages'
import { registerOwnershipMap } from './ownershipMap'
import { registerToday } from './today'

/** Calls of the sales day and of its managers that are no call of one entity: figures, today, who owns what, the hand-over. */
export function registerCustomerWork(
  app: FastifyInstance,
  { engine, database, timeZone, page }: { engine: EntityEngine; database: Database; timeZone: string; page: Pages },
): void {
  registerHomeStatistics(app, { engine, database, timeZone, page })
  registerToday(app, { engine, timeZone, page })
  registerOwnershipMap(app, engine, database, timeZone)
  registerHandOver(app, engine, timeZone)
}
