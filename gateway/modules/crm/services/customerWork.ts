import type { FastifyInstance } from 'fastify'
import type { EntityEngine } from '../../../entities'
import type { Database } from '../../../platform/database'
import { registerHomeStatistics } from './homeStatistics'
import type { Pages } from '../../../pages'
import { registerToday } from './today'

/** Calls of the sales day that are no call of one entity: figures and today. */
export function registerCustomerWork(
  app: FastifyInstance,
  { engine, database, timeZone, page }: { engine: EntityEngine; database: Database; timeZone: string; page: Pages },
): void {
  registerHomeStatistics(app, { engine, database, timeZone, page })
  registerToday(app, { engine, timeZone, page })
}
