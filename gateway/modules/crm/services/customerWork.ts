import type { FastifyInstance } from 'fastify'
import type { EntityEngine } from '../../../entities'
import type { Database } from '../../../platform/database'
import { registerHandOver } from './leaving/handOverCalls'
import { registerOwnershipMap } from './ownershipMap'
import { registerToday } from './today'

/** Calls of the sales day and of its managers that are no call of one entity: today, who owns what, the hand-over. */
export function registerCustomerWork(
  app: FastifyInstance,
  { engine, database, timeZone }: { engine: EntityEngine; database: Database; timeZone: string },
): void {
  registerToday(app, { engine, database, timeZone })
  registerOwnershipMap(app, engine, database, timeZone)
  registerHandOver(app, engine, timeZone)
}
