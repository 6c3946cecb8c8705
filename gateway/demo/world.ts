import { dayOf } from '../platform/calendar'
import type { RolesDocument } from '../../src/schema/generated/roles'
import { moduleRoles } from '../staff'
import { makeOrganisation } from './organisation'
import { chance } from './random'
import { makeNotices } from './notices'
import { makeRates } from './rates'
import type { DemoPart, DemoWorld } from './types'

/** The number that fixes the whole world. */
const SEED = 20_261_120

export interface WorldOptions {
  /** The world's today; nothing in it happens later. */
  now: Date
  /** The company's time zone. */
  timeZone: string
  /** Multiplies the number of ordinary records; default 1. */
  scale?: number
  /** What roles may do, as the modules say it. */
  roles: readonly RolesDocument[]
  /** What the modules add, each after those that it needs. */
  parts: readonly DemoPart[]
}

/** Makes the demo world: the same now, zone and scale give the same world to the last character. */
export function makeWorld({ now, timeZone, scale = 1, roles, parts }: WorldOptions): DemoWorld {
  const random = chance(SEED)
  const organisation = makeOrganisation(
    random.fork('organisation'),
    dayOf(now, timeZone),
    timeZone,
    moduleRoles(roles).map((role) => ({ ...role, id: `ro-${role.code}` })),
  )
  const world: DemoWorld = { now, timeZone, scale, random, ...organisation, rows: {} }
  makeRates(world)
  makeNotices(world)
  for (const part of parts) part.make(world)
  return world
}
