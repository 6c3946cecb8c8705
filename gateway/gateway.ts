import { resolve } from 'node:path'
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { RolesDocument } from '../src/schema/generated/roles'
import { createEntityEngine, OUTBOX_LINE, describedCalls, registerEntityRoutes } from './entities'
import type { EntityEngine } from './entities'
import { gatewayFact, ensureWorld, type WorldState } from './world'
import { fieldRulesOf, registerServices, serviceNames } from './services'
import { registerDownloads } from './files'
import type { DownloadService } from './files'
import { ReportFiles, registerReportRoutes, scheduledReports } from './reports'
import { networkStep } from './networks/step'
import { adaptedByModules, moduleSteps, moduleTables, ruleCodes, serveModules, startModules } from './modules'
import { ownershipRules, registerOwnershipCalls } from './ownership'
import { registerMessages } from './messages'
import { Papers, registerPaperRoutes } from './papers'
import {
  DictionaryBook,
  dictionaryTables,
  FormMemory,
  formTables,
  LiveSchemas,
  readReleasedSchemas,
  registerSchemaRoutes,
  SchemaChanges,
  schemaSteps,
  schemaTables,
  serveDictionaries,
  serveMetaSchemas,
  servePages,
} from './pages'
import type { SchemaRegistry } from './pages'
import { createClock } from './platform/clock'
import type { MovableClock } from './platform/clock'
import type { Configuration } from './platform/configuration'
import { migrate, openDatabase } from './platform/database'
import type { Database } from './platform/database'
import { createFileStore, fileTables, followRecord, registerFiles } from './platform/files'
import type { FileService } from './platform/files'
import { answerProbes, createLogger, createServer, describeApi, servePortal } from './platform/http'
import type { RequestContext } from './platform/http'
import { idempotenceTables, registerIdempotence } from './platform/idempotence'
import { registerClockRoute, registerJobRoutes, Scheduler } from './platform/jobs'
import { stopGracefully } from './platform/lifecycle'
import { registerMetrics } from './platform/metrics'
import { Queue } from './platform/queue'
import { registerSession, sessionTables } from './platform/session'
import type { SessionOptions, SessionService } from './platform/session'
import { registerSearch } from './search'
import { duplicateRules, registerRuleRoutes, rulePage } from './rules'
import { addressesOf, portalConfiguration, securityOf, sessionOptionsOf, storageOf } from './settings'
import { Stream } from './stream'
import { closedStarts, startPages, registerWorkflow, WORKFLOW_TIMERS, WORKFLOW_UPLOAD } from './workflow'
import { AccessRequests, Directory, externalModules, registerStaffRoutes, seedResources, staffTables, sweepUsage } from './staff'

/** What tests and the command line may decide beside the configuration. */
export interface GatewayOverrides {
  logger?: Logger
  /** False: an empty database stays without demo data. */
  demo?: boolean
  /** Folder of the built portal; default dist/portal. */
  portalRoot?: string
  /** The clock of sessions and files. */
  now?: () => Date
  session?: Partial<
    Pick<SessionOptions, 'corporate' | 'demoSignIn' | 'accessTokenSeconds' | 'refreshTokenSeconds' | 'sessionSeconds'>
  >
  /** Further routes, e.g. of a test. */
  routes?: (app: FastifyInstance, parts: GatewayParts) => void | Promise<void>
  onProgress?: (message: string) => void
}

export interface GatewayParts {
  configuration: Configuration
  database: Database
  registry: LiveSchemas
  engine: EntityEngine
  directory: Directory
  sessions: SessionService
  files: FileService
  downloads: DownloadService
  clock: MovableClock
  queue: Queue
  scheduler: Scheduler
}

export interface Gateway extends GatewayParts {
  app: FastifyInstance
  logger: Logger
  world: WorldState
  /** Listens where the configuration says; answers the address with the port that was taken. */
  listen(): Promise<string>
  /** Ends background work; before the server is closed. */
  endStreams(): Promise<void>
  /** Stops timers and listeners; after the server was closed. */
  stopJobs(): Promise<void>
  /** Stops everything, the database last. */
  close(): Promise<void>
}

const VERSION = '0.1.0'
const SWEEP_EVERY = 600_000

/** Wires the whole gateway: schemas, database, entities, staff, sessions, files, pages, portal. Does not listen yet. */
export async function createGateway(configuration: Configuration, overrides: GatewayOverrides = {}): Promise<Gateway> {
  const logger = overrides.logger ?? createLogger({ level: configuration.logLevel })
  const onProgress = overrides.onProgress ?? (() => undefined)
  const warn = (text: string) => logger.warn({ schema: text }, 'a schema could be better')
  const validation = { services: serviceNames() }
  const files = await readReleasedSchemas(configuration.schemasDir, { validation, dataDir: configuration.dataDir, warn })
  const database = await openDatabase({
    dataDir: configuration.dataDir,
    databaseUrl: configuration.databaseUrl,
    engine: configuration.databaseEngine,
    poolSize: Math.max(2, configuration.databasePoolSize),
    companyTimeZone: configuration.companyTimeZone,
    logger,
    onProgress,
  })
  try {
    // The changes of admins lie in the database, and which tables there are depends on them.
    await migrate(database, schemaTables, schemaSteps)
    const now = clockOf(configuration, overrides)
    const registry = await LiveSchemas.open({ database, files, validation, now: now.now, warn })
    const roles = files.flatMap(({ type, value }) => (type === 'roles' ? [value as RolesDocument] : []))
    return await build(configuration, overrides, { logger, onProgress, registry, database, roles, clock: now })
  } catch (error) {
    await database.close().catch((failure: unknown) => logger.error({ err: failure }, 'the database could not be closed'))
    throw error
  }
}

interface Foundation {
  logger: Logger
  onProgress: (message: string) => void
  registry: LiveSchemas
  database: Database
  roles: readonly RolesDocument[]
  clock: MovableClock
}

const clockOf = (configuration: Configuration, overrides: GatewayOverrides): MovableClock =>
  createClock(overrides.now ?? (() => new Date()), configuration.clockShift)

async function build(
  configuration: Configuration,
  overrides: GatewayOverrides,
  { logger, onProgress, registry, database, roles: released, clock }: Foundation,
): Promise<Gateway> {
  const { now } = clock
  const timeZone = configuration.companyTimeZone
  const queue = new Queue({ database, logger, now })
  const engine = createEntityEngine({
    database,
    queue,
    files: { followRecord },
    entities: registry.woven,
    dictionary: (name) => registry.dictionary(name),
    timeZone,
    detailPage: (entity) => registry.detailPage(entity),
    ruleTitle: (key) => registry.page(rulePage(key) ?? '')?.document.title,
    onError: (error, message) => logger.error({ err: error }, message),
  })
  const directory = new Directory(
    database,
    (code) => registry.dictionary('position')?.items.find((item) => item.code === code)?.label,
  )
  const outside = externalModules(portalConfiguration(configuration).externalModules)
  await prepareDatabase(database, engine, [...registry.modules, ...outside], logger, onProgress)
  const book = new DictionaryBook(database, registry, engine)
  const stopBook = await book.open((error) => logger.error({ err: error }, 'the dictionaries could not be read'))

  const addresses = addressesOf(configuration, () => app.server.address())
  const app = await createServer({
    logger,
    ...securityOf(configuration),
    trustProxy: configuration.trustProxy,
    knowsHost: (host) => addresses.knows(host),
  })
  await app.register(multipart, { limits: { files: 1, fields: 20, parts: 30, fileSize: configuration.uploadMaxBytes } })
  registerMetrics(app, database, { token: configuration.metricsToken, loopback: configuration.metricsLoopback })
  const changing = { revision: () => registry.revision, calls: () => describedCalls(engine) }
  await describeApi(app, { version: VERSION, changing })
  answerProbes(app, database, new Date())
  const sessions = await registerSession(app, {
    ...sessionOptionsOf(configuration),
    ...overrides.session,
    addresses,
    database,
    directory,
    now,
  })
  const idempotence = await registerIdempotence(app, database)
  registerServices(engine, {
    database,
    directory,
    sessions,
    configuration,
    onError: (error, message) => logger.error({ err: error }, message),
  })
  const stopDirectory = await directory.listen()
  registry.onChange(async ({ woven }) => {
    engine.use(woven)
    try {
      await engine.fillKept((what) => logger.info({ what }, 'a release fills values that follow others'))
    } catch (error) {
      // The release stands; rows that are written follow, and the next start goes on with the others.
      logger.error({ err: error }, 'values of a release could not be filled')
    }
  })
  let seededFor = registry.modules
  registry.onChange(async ({ modules }) => {
    // Whoever waits for a released page does not wait for entries of the menu that are all there.
    if (modules.length === seededFor.length && modules.every((document, index) => document === seededFor[index])) return
    try {
      const seeded = await seedResources(engine, [...modules, ...outside])
      if (seeded.menus + seeded.buttons > 0) directory.forget('*')
      seededFor = modules
    } catch (error) {
      // The release stands; the next one, or the next start, makes its entries.
      logger.error({ err: error }, 'menu entries of a release could not be made')
    }
  })
  const stream = new Stream()
  stream.register(app, sessions)
  registry.onChange(() =>
    stream.broadcast({ event: 'schema', revision: registry.revision, gray: registry.snapshot(true).revision }),
  )
  const stopSchemas = await registry.listen()
  const stopMessages = await registerMessages(app, {
    engine,
    database,
    stream,
    onError: (error, message) => logger.error({ err: error }, message),
  })

  const store = createFileStore(storageOf(configuration))
  const files = registerFiles(app, {
    database,
    sessions,
    store,
    folder: configuration.dataDir,
    limit: configuration.uploadMaxBytes,
    uploads: [WORKFLOW_UPLOAD],
    mayReadRecord: async (context, entity, id) =>
      engine.names().includes(entity) && (await engine.count(entity, context, { ids: [id] })) > 0,
    now,
  })
  const adapt = adaptedByModules(database)
  const fieldRules = (context: RequestContext, entities: readonly string[]) => fieldRulesOf(engine, context, entities)
  const reports = new ReportFiles({ schemas: registry, engine, adapt, fieldRules, timeZone })
  const downloads = registerDownloads(app, {
    database,
    queue,
    engine,
    reports,
    sessions,
    store,
    folder: configuration.dataDir,
    logger,
    now,
  })
  serveMetaSchemas(app, {
    directory: configuration.schemasDir,
    origin: ({ protocol, host }) => configuration.publicUrls[0] ?? `${protocol}://${host}`,
  })
  const { revisionFor, schemasFor } = servePages(app, registry, {
    adapt,
    fieldRules,
    closedStarts: (context, bundle) => closedStarts({ db: database, schemas: registry }, context, bundle),
    forms: new FormMemory(database),
  })
  const roles = async () => (await directory.roleViews()).map((role) => ({ ...role, fieldRules: fieldRulesOf(engine, role) }))
  const changes = new SchemaChanges({
    database,
    live: registry,
    roles,
    prepareEntities: async (entities) => {
      const trigram = await hasTrigram(database)
      await migrate(
        database,
        entities.map((entity) => engine.tableOf(entity, { trigram })),
      )
    },
    deadlinesMeet: (entity) => engine.deadlinesMeet(entity, now()),
    runExamples: (names, documents) => engine.runExamples(names, documents),
    widening: {
      holders: () => directory.holders(now()),
      reach: (documents) => engine.reach(documents, now()),
      person: async (staffId) => (await directory.rightsOf(staffId, now()))?.user ?? null,
      startPages: () => startPages(database),
    },
    companyTimeZone: timeZone,
  })
  registerSchemaRoutes(app, {
    database,
    live: registry,
    changes,
    environment: configuration.environmentName,
    roles,
    revisionFor,
    viewer: async (staffId) => {
      const rights = await directory.rightsOf(staffId, now())
      return (
        rights && {
          permissions: rights.permissions,
          roles: rights.user.roleCodes,
          fieldRules: fieldRulesOf(engine, rights),
          label: `${rights.user.name} (${rights.user.jobNumber})`,
        }
      )
    },
  })
  serveDictionaries(app, { database, engine, book })
  await registerEntityRoutes(app, engine, {
    exportTask: (context, entity, request) => downloads.startExport(context, entity, request),
    importTasks: downloads.imports,
    detailPage: (entity) => registry.detailPage(entity),
  })
  registerSearch(app, { engine, schemas: registry })
  registerStaffRoutes(app, {
    database,
    engine,
    directory,
    sessions,
    routeOf: (path) => routeFacts(registry, path),
    schemasFor,
    usageDays: configuration.usageDays,
  })
  const papers = new Papers({ schemas: registry, engine, files, timeZone })
  registerPaperRoutes(app, papers)
  const scheduler = new Scheduler({ database, queue, timeZone, now, logger })
  const page = (name: string) => registry.page(name)?.document
  const moduleParts = {
    ...{ app, engine, database, configuration, schemas: registry, page, papers, queue, now },
    files: { service: files, store },
    onError: (error: unknown, message: string) => logger.error({ err: error }, message),
  }
  serveModules(moduleParts, scheduler)
  registerOwnershipCalls(app, { engine, database, timeZone })
  const codes = {
    ...duplicateRules({ engine, database }),
    ...ownershipRules({ engine, database, timeZone }),
    ...ruleCodes(moduleParts),
  }
  registerRuleRoutes(app, { page, dictionary: (name) => registry.dictionary(name), engine, database, timeZone, codes })
  const workflow = registerWorkflow({
    app,
    engine,
    database,
    schemas: registry,
    directory,
    queue,
    scheduler,
    timeZone,
    folder: configuration.dataDir,
    now,
    origin: () => addresses.canonical,
    allowPrivate: configuration.noticePrivateNetworks,
    onError: (error, message) => logger.error({ err: error }, message),
  })
  scheduler.register(engine.renewal)
  scheduler.register(engine.recordDays)
  scheduler.register(engine.deadlines)
  registerReportRoutes(app, engine, downloads)
  scheduler.register(scheduledReports({ engine, sessions, downloads, timeZone }))
  registerJobRoutes(app, { scheduler, database, readable: (context, field) => engine.readable(context, field) })
  if (configuration.environmentName === 'test')
    registerClockRoute(app, clock, scheduler, { onMove: () => registry.reload(), before: [OUTBOX_LINE, WORKFLOW_TIMERS] })
  const parts: GatewayParts = {
    configuration,
    database,
    registry,
    engine,
    directory,
    sessions,
    files,
    downloads,
    clock,
    queue,
    scheduler,
  }
  await overrides.routes?.(app, parts)
  const portal = await servePortal(app, {
    root: resolve(overrides.portalRoot ?? 'dist/portal'),
    configuration: portalConfiguration(configuration),
  })
  if (!portal) logger.warn('there is no built portal; only the calls are served')

  await queue.open()
  await workflow.synchronise()
  const world = await ensureWorld({
    configuration,
    database,
    engine,
    sessions,
    roles: released,
    wantDemo: overrides.demo ?? true,
    now: now(),
    onProgress,
    afterDemo: (made) => workflow.addDemo(made),
  })
  directory.forget('*')
  sessions.offerDemoStaff(world.demo && (overrides.session?.demoSignIn ?? configuration.demoSignIn))
  await app.ready()
  await downloads.start()
  await queue.work(OUTBOX_LINE)
  await queue.work(WORKFLOW_TIMERS)
  await startModules(moduleParts)
  await scheduler.prepare()
  if (configuration.jobs) await scheduler.start()
  // what waits was sent by another clock
  if (configuration.jobs && clock.shift() !== 0)
    scheduler.runDue().catch((error: unknown) => logger.error({ err: error }, 'what is due could not be run'))

  const sweeps = [
    () => sessions.sweep(),
    () => idempotence.sweep(),
    () => files.sweep(),
    () => downloads.sweep(),
    () => new AccessRequests({ database, engine, directory, sessions }).sweep(now()),
    () => sweepUsage(database, configuration.usageDays, now()),
  ]
  const sweeping = setInterval(() => {
    for (const sweep of sweeps) sweep().catch((error: unknown) => logger.error({ err: error }, 'a clean-up failed'))
  }, SWEEP_EVERY)
  sweeping.unref()

  const endStreams = async () => {
    stream.end()
    await queue.stop()
  }
  const stopJobs = async () => {
    clearInterval(sweeping)
    await idempotence.close()
    await stopDirectory()
    await stopSchemas()
    await stopMessages()
    await stopBook()
    await sessions.close()
  }
  return {
    ...parts,
    app,
    logger,
    world,
    listen: () => app.listen({ host: configuration.host, port: configuration.port }),
    endStreams,
    stopJobs,
    close: async () => {
      const parts = {
        endStreams,
        closeServer: () => app.close(),
        cutConnections: () => app.server.closeAllConnections(),
        stopJobs,
        closeDatabase: () => database.close(),
      }
      await stopGracefully(parts, logger)
    },
  }
}

async function prepareDatabase(
  database: Database,
  engine: EntityEngine,
  modules: Parameters<typeof seedResources>[1],
  logger: Logger,
  onProgress: (message: string) => void,
): Promise<void> {
  const trigram = await hasTrigram(database)
  const tables = [
    ...engine.tables({ trigram }),
    ...sessionTables,
    ...idempotenceTables,
    ...staffTables,
    ...fileTables,
    ...dictionaryTables,
    ...formTables,
    ...moduleTables(),
    gatewayFact,
  ]
  await migrate(database, tables, [networkStep, ...moduleSteps()], { extensions: trigram ? ['pg_trgm'] : [], onProgress })
  await engine.fillKept(onProgress)
  const seeded = await seedResources(engine, modules)
  if (seeded.menus + seeded.buttons > 0) logger.info(seeded, 'new menus and permission keys were added')
}

async function hasTrigram(database: Database): Promise<boolean> {
  const { rowCount } = await database.query(`select 1 from pg_available_extensions where name = 'pg_trgm'`)
  return rowCount > 0
}

function routeFacts(registry: SchemaRegistry, path: string): { page: boolean } | undefined {
  const route = registry.routes.routes.find((facts) => facts.path === path || facts.aliases?.includes(path))
  return route && { page: route.page !== null || route.redirect !== undefined }
}
