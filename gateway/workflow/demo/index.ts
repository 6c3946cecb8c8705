import { addDays, dayOf, instantAt } from '../../platform/calendar'
import type { DemoPart, DemoWorld } from '../../demo'
import type { Entities } from '../../entities'
import type { Executor } from '../../platform/database'
import { holder } from './holder'

export { addApplications } from './applications'

/** Who holds the approval roles: positions of the demo company, a number where several hold one. */
const HOLDERS: Readonly<Record<string, readonly (readonly [position: string, index: number])[]>> = {
  'sales.director': [['salesDirector', 0]],
  'credit.officer': [['finance', 0]],
  'fin.ar': [
    ['finance', 1],
    ['finance', 2],
  ],
  'fin.ap': [['finance', 2]],
  cashier: [['finance', 3]],
  'fin.manager': [['financeLead', 0]],
  cfo: [['cfo', 0]],
  ceo: [['ceo', 0]],
  legal: [['legal', 0]],
  'buy.leader': [['buyerLead', 0]],
  'buy.director': [['buyerDirector', 0]],
  'price.manager': [['pricing', 0]],
  'noc.lead': [['opsLead', 0]],
  'cs.lead': [['serviceLead', 0]],
  'it.admin': [['dev', 0]],
}

/** What approvals add to the demo world (money 15): who holds the approval roles, who decides for whom. */
export const workflowDemo: DemoPart = {
  make: () => undefined,
  filled: async (world, entities, tx) => {
    await addMembers(world, entities, tx)
    await addDelegation(world, entities)
  },
}

async function addMembers(world: DemoWorld, entities: Entities, tx: Executor): Promise<void> {
  const { rows } = await tx.query<{ id: string; code: string }>('select id, code from wf_role where deleted_at is null')
  const leaders = world.staff.filter(({ position, status }) => position === 'salesLead' && status !== 'left')
  const members = rows.flatMap(({ id: roleId, code }) => {
    const all = (HOLDERS[code] ?? []).map(([position, index]) => ({
      staffId: holder(world, position, index),
      scopeType: 'all',
      scopeIds: [] as string[],
    }))
    const led =
      code === 'sales.leader'
        ? leaders.map(({ id, mainDeptId }) => ({ staffId: id, scopeType: 'dept', scopeIds: [mainDeptId] }))
        : []
    return [...all, ...led].map((member, index) => ({
      id: `wm-${code}-${index + 1}`,
      createdAt: world.now.toISOString(),
      roleId,
      position: index + 1,
      ...member,
    }))
  })
  await entities.insertMany('wf.roleMember', members)
}

/** The lawyer is away from the day before today; her colleague decides for her. */
async function addDelegation(world: DemoWorld, entities: Entities): Promise<void> {
  const { now, timeZone } = world
  const today = dayOf(now, timeZone)
  const at = (days: number) => instantAt(addDays(today, days), '00:00', timeZone).toISOString()
  const fromId = holder(world, 'legal', 0)
  await entities.insertMany('wf.delegation', [
    {
      id: 'wd-legal',
      createdAt: at(-1),
      createdBy: fromId,
      fromId,
      toId: holder(world, 'legal', 1),
      processIds: [],
      fromAt: at(-1),
      untilAt: at(7),
      reason: '休假',
    },
  ])
}
