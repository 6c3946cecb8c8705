/** The domains of the company: what CRUD over the schemas cannot express. */
import type { PgTable } from 'drizzle-orm/pg-core'
import type { DemoPart } from '../demo'
import type { FieldDrift } from '../entities'
import type { AdaptPage } from '../pages'
import type { Database, SqlStep } from '../platform/database'
import type { SettingTable } from '../platform/configuration'
import type { Scheduler } from '../platform/jobs'
import type { RuleCodes } from '../rules'
import { CALLS, JOBS, MODULES, OUTSIDE, VERBS } from './generated'
import type { ModuleParts, ModuleServiceParts, VerifyOptions } from './module'

export type { ModuleServiceParts } from './module'

/** The environment variables of the modules. */
export const moduleSettings = (): readonly SettingTable[] => MODULES.flatMap(({ settings }) => (settings ? [settings] : []))

/** Tables of the modules that are no entity's. */
export const moduleTables = (): readonly PgTable[] => MODULES.flatMap(({ tables }) => tables ?? [])

/** What the modules' tables hold by themselves. */
export const moduleSteps = (): readonly SqlStep[] => MODULES.flatMap(({ steps }) => steps ?? [])

/** What the modules keep by themselves, compared with what it is made of. */
export async function verifyModules(database: Database, options: VerifyOptions): Promise<FieldDrift[]> {
  const drifts: FieldDrift[] = []
  for (const { verify } of MODULES) drifts.push(...((await verify?.(database, options)) ?? []))
  return drifts
}

/** What the modules add to the demo world, each after those that it needs. */
export const demoParts = (): readonly DemoPart[] => MODULES.flatMap(({ demo }) => demo ?? [])

/** Gives the engine the domain services of all modules, the hooks that they put on entities, and their verbs. */
export function registerModuleServices(parts: ModuleServiceParts): void {
  const { engine, configuration, onError } = parts
  const within = { engine, configuration, onError }
  for (const { services, hooks } of MODULES) {
    for (const [name, service] of Object.entries(services?.(parts) ?? {})) engine.registerEntityService(name, service)
    for (const [entity, hook] of Object.entries(hooks?.(parts) ?? {})) engine.hook(entity, hook)
  }
  for (const [name, verb] of Object.entries(VERBS)) engine.registerVerb(name, (hook, runs) => verb({ ...hook, ...within }, runs))
  for (const [name, outside] of Object.entries(OUTSIDE))
    engine.registerOutsideVerb(name, (order) => outside({ ...order, ...within }))
}

/** What the modules' code adds to rule sets. */
export const ruleCodes = (parts: ModuleParts): RuleCodes => Object.assign({}, ...MODULES.map((module) => module.rules?.(parts)))

/** Serves the modules' own calls and registers their jobs. */
export function serveModules(parts: ModuleParts, scheduler: Scheduler): void {
  for (const call of CALLS) call(parts)
  parts.app.addHook('onClose', async () => {
    await Promise.all(MODULES.map((module) => module.stop?.(parts)))
  })
  for (const job of JOBS) scheduler.register(job(parts))
}

/** Begins what the modules do beside calls. */
export async function startModules(parts: ModuleParts): Promise<void> {
  for (const { start } of MODULES) await start?.(parts)
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
