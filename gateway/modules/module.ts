import type { FastifyInstance } from 'fastify'
import type { PageDocument } from '../../src/schema/generated/page'
import type { EntityEngine, EntityService } from '../entities'
import type { AdaptPage } from '../pages'
import type { Configuration } from '../platform/configuration'
import type { Database } from '../platform/database'
import type { Scheduler } from '../platform/jobs'
import type { RuleCodes } from '../rules'

/** What the services of a module may use. There may be no database yet: schemas are checked against the services' names first. */
export interface ModuleServiceParts {
  engine: EntityEngine
  configuration: Configuration
  /** Told when something beside the running transaction could not be written down. */
  onError: (error: unknown, message: string) => void
}

/** What the calls and jobs of a module may use. */
export interface ModuleParts {
  app: FastifyInstance
  engine: EntityEngine
  database: Database
  scheduler: Scheduler
  configuration: Configuration
  /** A page's document as it is released, by name. */
  page(name: string): PageDocument | undefined
}

/** A domain of the company. A new one is a folder beside this file and a line in the list of `index.ts`. */
export interface GatewayModule {
  /** Domain services by the names that entities and transitions of the schemas use. */
  services(parts: ModuleServiceParts): Readonly<Record<string, EntityService>>
  /** What code adds to the rule sets of `schemas/<module>/rules`: the effect of a change, a rule test, what follows. */
  rules?(parts: ModuleParts): RuleCodes
  /** Registers the calls that are no entity's, and the jobs. */
  serve?(parts: ModuleParts): void
  /** Pages that one of the module's rules changes for a person. */
  adaptPage?(database: Database): AdaptPage
}
