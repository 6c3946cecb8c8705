import { randomBytes } from 'node:crypto'
import type { Configuration } from './platform/configuration'
import type { Database, Executor } from './platform/database'
import { loadDemoWorld, type DemoWorld } from './demo'
import type { EntityEngine } from './entities'
import type { RolesDocument } from '../src/schema/generated/roles'
import { demoParts } from './modules'
import { workflowDemo } from './workflow'
import type { SessionService } from './platform/session'
import { ensureAdministrator, type FirstAdministrator } from './staff'
import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** What stands in the database when the gateway starts. */
export interface WorldState {
  /** The demo world is in this database. */
  demo: boolean
  /** Password of all demo staff, as long as it is known. */
  demoPassword: string | null
  /** Somebody to sign in first, when there is nobody else. */
  administrator: FirstAdministrator | null
}

interface WorldParts {
  configuration: Configuration
  database: Database
  engine: EntityEngine
  sessions: SessionService
  /** What roles may do, as the modules say it. */
  roles: readonly RolesDocument[]
  /** False: an empty database stays without demo data. */
  wantDemo: boolean
  now: Date
  onProgress: (message: string) => void
  /** Adds what is made of the demo world once it is there. */
  afterDemo?: (world: DemoWorld) => Promise<void>
}

/** Known to everybody, so it is only set where demo staff may be chosen without any password anyway. */
export const DEMO_PASSWORD = 'switchboard1'
const FACT = 'demo'

/** Fills an empty database once: with the demo world, or with one administrator and the roles that the modules ship. */
export async function ensureWorld(parts: WorldParts): Promise<WorldState> {
  const { database, engine, sessions } = parts
  const demoPassword = parts.wantDemo ? await fillOnce(parts) : null
  const demo = (await readFact(database, FACT)) !== null
  const administrator = await ensureAdministrator(database, engine, sessions, parts.roles)
  return { demo, demoPassword: demoPassword ?? (demo && parts.configuration.demoSignIn ? DEMO_PASSWORD : null), administrator }
}

/** Several instances may start on one database: one fills, the others wait. */
async function fillOnce({
  configuration,
  database,
  engine,
  sessions,
  roles,
  now,
  onProgress,
  afterDemo,
}: WorldParts): Promise<string | null> {
  const empty = async () => (await database.query('select 1 from sys_staff limit 1')).rowCount === 0
  if (!(await empty())) return null
  const filledWith = await database.transaction(async (lock) => {
    await lock.query(`select pg_advisory_xact_lock(hashtext('switchboard demo world'))`)
    if (!(await empty())) return null
    const { demoNow, demoScale, companyTimeZone } = configuration
    const options = {
      now: demoNow ?? now,
      scale: demoScale,
      timeZone: companyTimeZone,
      roles,
      parts: [...demoParts(), workflowDemo],
      onProgress,
    }
    const world = await loadDemoWorld(engine, options)
    await afterDemo?.(world)
    const password = configuration.demoSignIn ? DEMO_PASSWORD : `${randomBytes(9).toString('base64url')}a1`
    await sessions.setPassword(
      database,
      world.staff.map((person) => person.id),
      password,
    )
    await writeFact(database, FACT, now.toISOString())
    return password
  })
  // the database would learn by itself in a minute or more how large its tables are; searches with row scopes took a second until then
  if (filledWith !== null) await database.query('analyze')
  return filledWith
}

/** A few people with different rights to try the portal as: one for each role. */
export async function demoAccounts(database: Database): Promise<{ jobNumber: string; name: string; role: string }[]> {
  const { rows } = await database.query<{ jobNumber: string; name: string; role: string; code: string }>(
    `select distinct on (r.code) s.job_number as "jobNumber", s.name, r.name as role, r.code from sys_role r
       join sys_role_member m on m.role_id = r.id and m.deleted_at is null join sys_staff s on s.id = m.staff_id and s.deleted_at is null
     where s.status = 'active' and s.sign_in_disabled is not true and r.code in ('sales', 'salesManager', 'generalManager', 'finance', 'humanResources', 'administrator')
     order by r.code, s.job_number`,
  )
  const order = ['sales', 'salesManager', 'generalManager', 'finance', 'humanResources', 'administrator']
  return rows.sort((a, b) => order.indexOf(a.code) - order.indexOf(b.code))
}

/** What the gateway has to remember about its own database, e.g. that it holds the demo world. */
export const gatewayFact = pgTable('gateway_fact', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
  at: timestamp('at', { withTimezone: true, mode: 'string' }).notNull(),
})

export async function readFact(db: Executor, key: string): Promise<string | null> {
  const { rows } = await db.query<{ value: string }>('select value from gateway_fact where key = $1', [key])
  return rows[0]?.value ?? null
}

export async function writeFact(db: Executor, key: string, value: string): Promise<void> {
  await db.query(
    'insert into gateway_fact (key, value, at) values ($1, $2, now()) on conflict (key) do update set value = excluded.value, at = excluded.at',
    [key, value],
  )
}
