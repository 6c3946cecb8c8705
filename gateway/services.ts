import { createEntityEngine } from './entities'
import type { EntityEngine } from './entities'
import { registerCrm } from './modules/crm'
import type { CrmModuleOptions } from './modules/crm'
import { registerCsc } from './modules/csc'
import type { Database } from './platform/database'
import type { SessionService } from './platform/session'
import { Directory, registerStaffServices } from './staff'
import { registerTodos } from './todos'

export interface ServiceParts extends CrmModuleOptions {
  directory: Directory
  sessions: SessionService
}

/** Registers the domain services of all modules: what entities and transitions name in the schemas. */
export function registerServices(engine: EntityEngine, parts: ServiceParts): void {
  registerStaffServices({ engine, directory: parts.directory, sessions: parts.sessions })
  registerCrm(engine, parts)
  registerTodos(engine)
  registerCsc(engine, parts)
}

/** The names of all services, without a database: schemas are checked against them before anything starts. */
export function serviceNames(): ReadonlySet<string> {
  const names = new Set<string>()
  const database = nowhere<Database>('database')
  const engine = createEntityEngine({ database, entities: [], dictionary: () => undefined })
  registerServices(
    { ...engine, registerEntityService: (name) => void names.add(name) },
    {
      timeZone: 'UTC',
      onError: () => undefined,
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
