import { createEntityEngine, type EntityEngine } from './entities'
import { releaseNoticeService, saidService } from './messages'
import { registerModuleServices, type ModuleServiceParts } from './modules'
import { registerOwnership } from './ownership'
import { readConfiguration } from './platform/configuration'
import type { Database } from './platform/database'
import type { SessionService } from './platform/session'
import { RULE_MODULES, ruleSource } from './rules'
import { Directory, registerStaffServices } from './staff'
import { registerWorkflowServices } from './workflow'

export interface ServiceParts extends Omit<ModuleServiceParts, 'engine'> {
  database: Database
  directory: Directory
  sessions: SessionService
}

/** Registers the domain services of all modules: what entities and transitions name in the schemas. */
export function registerServices(engine: EntityEngine, parts: ServiceParts): void {
  registerStaffServices({ engine, database: parts.database, directory: parts.directory, sessions: parts.sessions })
  for (const module of RULE_MODULES) engine.registerRules(module, ruleSource)
  registerModuleServices({ ...parts, engine })
  registerWorkflowServices(engine)
  engine.registerEntityService('sys.releaseNotice', releaseNoticeService)
  for (const told of ['sys.message', 'sys.todo'] as const) engine.registerEntityService(told, saidService(engine, told))
  registerOwnership(engine, { timeZone: parts.configuration.companyTimeZone, onError: parts.onError })
}

/** The names of all services with the further inputs of their saves, without a database: schemas are checked against them before anything starts. */
export function serviceNames(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>()
  const database = nowhere<Database>('database')
  const engine = createEntityEngine({ database, entities: [], dictionary: () => undefined })
  registerServices(
    { ...engine, registerEntityService: (name, { inputs = [] }) => void names.set(name, inputs) },
    {
      configuration: readConfiguration({}),
      onError: () => undefined,
      database,
      directory: new Directory(database, () => undefined),
      sessions: nowhere<SessionService>('session service'),
    },
  )
  return names
}

/** Stands in for a part that registering must not use; whoever does is told. */
function nowhere<Part extends object>(name: string): Part {
  return new Proxy<Part>({} as Part, {
    get: () => {
      throw new Error(`There is no ${name} yet when services are registered.`)
    },
  })
}

/** Somebody, or a role: the keys that are held, and the rules as they were written. */
interface Holder {
  permissions: ReadonlySet<string>
  fieldRules: Readonly<Record<string, string>>
}

/** The rules with what follows from them: fields behind a key that is not held, and what is computed of restricted fields. */
export const fieldRulesOf = (engine: EntityEngine, holder: Holder, entities: Iterable<string> = engine.names()) =>
  engine.fieldRules({ has: (key) => holder.permissions.has(key), fieldRules: holder.fieldRules }, entities)
