import type { EntityEngine, EntityRecord } from '../entities'
import { dayOf, refreshAccountTracks } from '../modules/crm'
import { systemContext } from '../platform/http'
import { fillCommissions } from './commissions'
import { ALL_MENUS } from './roles'
import { CODED } from './restrictions'
import type { DemoWorld } from './types'
import { makeWorld, type WorldOptions } from './world'

/** Rows of one insert. */
const BATCH = 1_000

export interface LoadOptions extends WorldOptions {
  /** Told what is being filled, for progress at the terminal. */
  onProgress?: (message: string) => void
}

/** Fills an empty database with the demo world in one transaction. Menu resources have to be there already. Answers the world. */
export async function loadDemoWorld(engine: EntityEngine, options: LoadOptions): Promise<DemoWorld> {
  const world = makeWorld(options)
  await engine.transaction(systemContext({ now: options.now }), async (entities, tx) => {
    const { rows: menus } = await tx.query<{ id: string; international: string }>(
      `select id, international from sys_menu_resource where deleted_at is null`,
    )
    const menuId = new Map(menus.map((menu) => [menu.international, menu.id]))
    const fill = async (entity: string, records: readonly EntityRecord[]): Promise<void> => {
      options.onProgress?.(`${entity} ${records.length}`)
      for (let start = 0; start < records.length; start += BATCH)
        await entities.insertMany(entity, records.slice(start, start + BATCH))
    }
    const since = options.now.toISOString()
    const dated = (records: readonly object[]): EntityRecord[] =>
      records.map((record) => ({ createdAt: since, createdBy: null, ...record }))
    await fill('sys.department', dated(world.departments))
    await fill(
      'sys.staff',
      dated(
        world.staff.map((one) => ({
          ...one,
          signInDisabled: false,
          locale: null,
          openId: null,
          avatar: null,
          lastSignInAt: null,
        })),
      ),
    )
    await fill(
      'sys.role',
      dated(
        world.roles.map(({ menus: keys, ...role }) => ({
          ...role,
          enabled: true,
          resourceIds: keys.includes(ALL_MENUS) ? [...menuId.values()] : keys.map((key) => known(menuId, key)),
        })),
      ),
    )
    await fill('sys.roleMember', dated(world.members))
    await fill('crm.customer', world.customers)
    await fill('crm.contact', world.contacts)
    await fill('crm.followUp', world.followUps)
    await fill('crm.ownerLog', world.ownerLogs)
    await fill('crm.seaRecord', world.seaRecords)
    await fill('crm.share', world.shares)
    for (const [entity, records] of Object.entries(world.further)) {
      await fill(entity, records)
      if (CODED.includes(entity) && records.length > 0) await entities.numbers(entity, 'code', records.length)
    }
    await refreshAccountTracks(tx, { now: options.now, timeZone: options.timeZone })
    await fillCommissions(tx, options)
    await entities.numbers('crm.customer', 'code', highestNumber(world, options))
  })
  return world
}

/** The last customer number of this year: the counter goes on behind it. */
function highestNumber(world: DemoWorld, { now, timeZone }: WorldOptions): number {
  const prefix = `CU${dayOf(now, timeZone).slice(2, 4)}`
  const numbers = world.customers.map((customer) => String(customer.code)).filter((code) => code.startsWith(prefix))
  return Math.max(1, ...numbers.map((code) => Number(code.slice(prefix.length))))
}

function known(menuId: ReadonlyMap<string, string>, key: string): string {
  const id = menuId.get(key)
  if (id === undefined) throw new Error(`The demo roles name the menu ${key}, which no module has.`)
  return id
}
