/** The domains of the company: what CRUD over the schemas cannot express. */
import type { AdaptPage } from '../pages'
import type { Database } from '../platform/database'
import type { RuleCodes } from '../rules'
import { crm } from './crm'
import { csc } from './csc'
import { srm } from './srm'
import type { GatewayModule, ModuleParts, ModuleServiceParts } from './module'

export type { ModuleServiceParts } from './module'

const MODULES: readonly GatewayModule[] = [crm, csc, srm]

/** Gives the engine the domain services of all modules. */
export function registerModuleServices(parts: ModuleServiceParts): void {
  for (const module of MODULES)
    for (const [name, service] of Object.entries(module.services(parts))) parts.engine.registerEntityService(name, service)
}

/** What the modules' code adds to rule sets. */
export const ruleCodes = (parts: ModuleParts): RuleCodes => Object.assign({}, ...MODULES.map((module) => module.rules?.(parts)))

/** Serves the modules' own calls and registers their jobs. */
export function serveModules(parts: ModuleParts): void {
  for (const module of MODULES) module.serve?.(parts)
}

/** A page as the first module that has a word in it gives it to a person. */
export function adaptedByModules(database: Database): AdaptPage {
  const adapters = MODULES.flatMap((module) => module.adaptPage?.(database) ?? [])
  return async (page, context) => {
    for (const adapt of adapters) {
      const adapted = await adapt(page, context)
      if (adapted) return adapted
    }
    return null
  }
}
