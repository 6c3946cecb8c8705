import type { EntityModel } from '../../../src/schema/entity'
import type { Example } from '../../../src/schema/generated/entity'
import type { Transaction } from '../../platform/database'
import { systemContext, type RequestContext } from '../../platform/http'
import type { Core } from '../core'

interface StepContext {
  core: Core
  tx: Transaction
  model: EntityModel
  now: Date
}

/** Who does a step: a member of staff who sees everything and holds what the step takes, so that its refusals are those of the document. */
export async function callerOf(
  { core, tx, model, now }: StepContext,
  { user, keys = [], transition }: Example['do'][number],
): Promise<RequestContext> {
  const system = systemContext({ now, locale: 'en' })
  if (user === undefined) return system
  const staff = await core.entities(tx, system).find('sys.staff', user)
  if (!staff) throw new Error(`There is no member of staff "${user}".`)
  const text = (name: 'mainDeptId' | 'name' | 'jobNumber'): string => staff[name] ?? ''
  const mainDeptId = text('mainDeptId') || null
  const deptIds = mainDeptId === null ? [] : [mainDeptId]
  const taken = model.machines.flatMap(({ transitions }) => transitions.filter(({ id }) => id === transition))
  const held = [
    ...core.registry.all().flatMap(({ permissions: { read, edit } }) => [read, edit]),
    ...[model.permissions.add, model.permissions.delete, ...taken.map(({ permission }) => permission), ...keys],
  ]
  return {
    ...system,
    kind: 'staff',
    user: {
      ...{ userId: user, staffId: user, name: text('name'), nameEn: null, jobNumber: text('jobNumber'), roleCodes: [] },
      ...{ deptIds, mainDeptId, ledDeptIds: [], scopeDeptIds: deptIds, scopeTreeIds: deptIds },
    },
    permissions: new Set(held.filter((key) => key !== undefined)),
    scopes: { '*': ['all'] },
  }
}
