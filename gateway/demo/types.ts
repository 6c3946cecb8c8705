import type { Entities, EntityEngine, HookContext } from '../entities'
import type { Executor } from '../platform/database'
import type { ModuleRole } from '../staff'
import type { Chance } from './random'

/** Rows of the demo world. Ids are readable and stable; instants are ISO texts in UTC, days YYYY-MM-DD. */
export interface DemoDepartment {
  id: string
  code: string
  name: string
  nameEn: string
  parentId: string | null
  path: string
  leaderId: string | null
  kind: string
  sortNo: number
  enabled: boolean
}
export interface DemoStaff {
  id: string
  jobNumber: string
  name: string
  nameEn: string
  email: string
  phone: string
  mainDeptId: string
  deptIds: string[]
  position: string
  managerId: string | null
  status: string
  hiredOn: string
  leftOn: string | null
  countries: string[]
  languages: string[]
  onDuty: boolean
  timeZone: string
}
export type DemoRole = ModuleRole & { id: string }
export interface DemoMember {
  id: string
  staffId: string
  roleId: string
  from: string
  until: string | null
}
/** A record of the world with the columns of its entity by field name; createdAt and createdBy included. */
export type DemoRecord = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly createdAt: string
  readonly createdBy: string
}

/** Who works for the demo company. */
export interface Organisation {
  departments: DemoDepartment[]
  staff: DemoStaff[]
  roles: DemoRole[]
  members: DemoMember[]
  /** Countries that a member of staff covers, by staff id. */
  covers: ReadonlyMap<string, readonly string[]>
}

export interface DemoWorld extends Organisation {
  /** The world's today; nothing in it happens later. */
  now: Date
  timeZone: string
  /** Multiplies the number of ordinary records. */
  scale: number
  /** Parts fork it by a label of their own. */
  random: Chance
  /** Rows by entity name, in the order of filling. */
  rows: Record<string, DemoRecord[]>
}

/** What a module adds to the demo world. */
export interface DemoPart {
  /** Adds rows: those of modules that this one needs are there. */
  make(world: DemoWorld): void
  /** Entities whose `code` goes on behind the number of their rows. */
  coded?: readonly string[]
  /** When all rows are in the database: what follows from them. */
  filled?(world: DemoWorld, entities: Entities, tx: Executor): Promise<void>
  /** When all parts are filled: what jobs would have made of them by now, each step in a transaction of its own. */
  settled?: readonly DemoStep[]
  /** When all parts are settled: what is counted from the ledger of other modules. */
  counted?: readonly DemoStep[]
}

/** A step behind the filled world; entries that it posts to the ledger stand when it is through. */
export type DemoStep = (
  world: DemoWorld,
  at: Pick<HookContext, 'tx' | 'context' | 'now' | 'entities'> & { engine: EntityEngine },
) => Promise<void>
