import type { EntityEngine, EntityRecord } from '../entities'
import { systemContext } from '../platform/http'
import { menuIdsOf } from '../staff'
import type { DemoWorld } from './types'
import { makeWorld, type WorldOptions } from './world'

/** Rows of one insert. */
const BATCH = 1_000

export interface LoadOptions extends WorldOptions {
  /** Told what is being filled, for progress at the terminal. */
  onProgress?: (message: string) => void
}

/** Fills an empty database with the demo world in one transaction, then does what jobs would have done by now. Menu resources have to be there already. Answers the world. */
export async function loadDemoWorld(engine: EntityEngine, options: LoadOptions): Promise<DemoWorld> {
  const world = makeWorld(options)
  const context = systemContext({ now: options.now })
  await engine.transaction(context, async (entities, tx) => {
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
        world.roles.map((role) => {
          const { menus: _, ...row } = role
          return { ...row, enabled: true, resourceIds: menuIdsOf(role, menuId) }
        }),
      ),
    )
    await fill('sys.roleMember', dated(world.members))
    // what a module says of another one that is not there is nobody's
    const kept = new Set(engine.names())
    for (const [entity, records] of Object.entries(world.rows)) if (kept.has(entity)) await fill(entity, records)
    for (const { coded = [], filled } of options.parts) {
      for (const entity of coded) {
        const count = world.rows[entity]?.length ?? 0
        if (count > 0 && kept.has(entity)) await entities.numbers(entity, 'code', count)
      }
      await filled?.(world, entities, tx)
    }
  })
  // each by itself: entries of the ledger stand at the end of their transaction
  const steps = [...options.parts.flatMap(({ settled = [] }) => settled), ...options.parts.flatMap(({ counted = [] }) => counted)]
  for (const step of steps)
    await engine.transaction(context, (entities, tx) => step(world, { tx, context, now: context.now, entities, engine }))
  return world
}
