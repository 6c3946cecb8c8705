import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoRecord, DemoWorld } from '../../gateway/demo/types'
import { makeWorld, type WorldOptions } from '../../gateway/demo/world'
import { demoParts } from '../../gateway/modules'
import type { RolesDocument } from '../../src/schema/generated/roles'

/** What roles may do, as the released schemas say it. */
const rolesOfSchemas = (): RolesDocument[] =>
  readdirSync('schemas')
    .map((module) => join('schemas', module, 'roles.json'))
    .filter((file) => existsSync(file) && !file.includes('meta'))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as RolesDocument)

/** The demo world with everything that the modules add, the lists of customer relations by name. */
export interface WholeWorld extends DemoWorld {
  customers: DemoRecord[]
  contacts: DemoRecord[]
  followUps: DemoRecord[]
  ownerLogs: DemoRecord[]
  seaRecords: DemoRecord[]
  shares: DemoRecord[]
}

export function demoWorld(options: Omit<WorldOptions, 'roles' | 'parts'>): WholeWorld {
  const world = makeWorld({ ...options, roles: rolesOfSchemas(), parts: demoParts() })
  const of = (entity: string): DemoRecord[] => world.rows[entity] ?? []
  return {
    ...world,
    customers: of('crm.customer'),
    contacts: of('crm.contact'),
    followUps: of('crm.followUp'),
    ownerLogs: of('crm.ownerLog'),
    seaRecords: of('crm.seaRecord'),
    shares: of('crm.share'),
  }
}
