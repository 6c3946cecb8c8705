import type { PgTable } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import type { PageDocument } from '../../src/schema/generated/page'
import type { DemoPart } from '../demo'
import type { EntityEngine, EntityService, FieldDrift, OutsideOrder, OutsideVerb, Verb, VerbContext } from '../entities'
import type { AdaptPage, SchemaRegistry } from '../pages'
import type { Papers } from '../papers'
import type { Configuration, SettingTable } from '../platform/configuration'
import type { Database, SqlStep } from '../platform/database'
import type { FileService, FileStore } from '../platform/files'
import type { Queue } from '../platform/queue'
import type { JobDefinition } from '../platform/jobs'
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
  configuration: Configuration
  /** Lines are defined by the calls of a module, and worked on from its `start` on. */
  queue: Queue
  /** What people upload, and where bytes lie. */
  files: { service: FileService; store: FileStore }
  /** Records as PDF. */
  papers: Papers
  /** The company's clock. */
  now: () => Date
  /** Told when something that nobody waits for went wrong. */
  onError: (error: unknown, message: string) => void
  /** The documents as they are released. */
  schemas: SchemaRegistry
  /** A page's document as it is released, by name. */
  page(name: string): PageDocument | undefined
}

/** A job of a module: what `jobs/<name>/job.ts` of its folder exports as `job`. */
export type ModuleJob = (parts: Pick<ModuleParts, 'engine' | 'database' | 'configuration'>) => JobDefinition

/** A call of a module that is no entity's: `calls/<name>.ts` of its folder exports it as `call`, which adds its address to the gateway. */
export type ModuleCall = (parts: ModuleParts) => void

/** Where a verb of a module is done. */
export type ModuleVerbContext = VerbContext & ModuleServiceParts

/**
 * A verb of a module, what effects of documents do that no verb of the engine says: `verbs/<name>.ts` of its folder exports it as `verb`. Transitions, listeners and
 * processes name it `<module>.<name>`, `fin/verbs/open-line.ts` as `fin.openLine`.
 * With names of entities it knows the fields of its records: `ModuleVerb<'fin.bill'>`.
 */
export type ModuleVerb<Entity extends string = string, Target extends string = string> = {
  verb(hook: ModuleVerbContext, runs: Parameters<Verb<Entity, Target>>[1]): ReturnType<Verb>
}['verb']

/** A verb that reaches another system (`later` of an effect), outside of any transaction: `outside/<name>.ts` of the folder of a module exports it as `outside`. */
export type ModuleOutsideVerb = (order: OutsideOrder & ModuleServiceParts) => ReturnType<OutsideVerb>

/** How what is kept is compared with what it is made of. */
export interface VerifyOptions {
  /** Whether what differs is mended, too. */
  fix: boolean
  /** What had to be done by this moment is done; the present when it is left out. */
  now?: Date
}

/** A domain of the company. A new one is a folder beside this file whose `index.ts` exports it by the name of the folder. */
export interface GatewayModule {
  /** Environment variables of its own; it reads them with `configuration.of`. */
  settings?: SettingTable
  /** Tables of its own that are no entity's. */
  tables?: readonly PgTable[]
  /** What its tables hold by themselves and no document says; done once, when the tables stand. */
  steps?: readonly SqlStep[]
  /** Domain services by the names that entities and transitions of the schemas use. */
  services?(parts: ModuleServiceParts): Readonly<Record<string, EntityService>>
  /** Further hooks by entity, of this module or another: they run after its service, those of modules that this one needs first. */
  hooks?(parts: ModuleServiceParts): Readonly<Record<string, EntityService>>
  /** What code adds to the rule sets of `schemas/<module>/rules`: the effect of a change, a rule test, what follows. */
  rules?(parts: ModuleParts): RuleCodes
  /** Begins what goes on beside calls, when everything stands. */
  start?(parts: ModuleParts): Promise<void>
  /** Lets go of what it holds open, when the gateway stops. */
  stop?(parts: ModuleParts): Promise<void>
  /** Pages that one of the module's rules changes for a person. */
  adaptPage?(database: Database): AdaptPage
  /** Compares what it keeps by itself with what that is made of; with `fix` mends what differs. */
  verify?(database: Database, options: VerifyOptions): Promise<readonly FieldDrift[]>
  /** What it adds to the demo world. */
  demo?: DemoPart
}
