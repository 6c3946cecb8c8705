import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerOwnership } from '../../../../gateway/ownership'
import { systemContext, ServiceError, type RequestContext } from '../../../../gateway/platform/http'
import { ruleSource } from '../../../../gateway/rules'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import { allDictionaries, expanded, wholeSchema } from '../../../support/schemas'
import { as, openWorld, PEOPLE, type World } from './world'

const text = (en: string) => ({ zh: en, en })
const label = (en: string) => ({ 'x-label': text(en) })
const written = (name: string, more: object) => ({ formatVersion: 3, name, label: text(name), type: 'object', ...more })

/** Machines have owners like customers do: the entity says so, and nothing else. Whose rule sets hold is a parameter. */
const MACHINE = written('test.machine', {
  titleField: 'name',
  properties: {
    code: { type: 'string', maxLength: 12, ...label('Code') },
    name: { type: 'string', maxLength: 100, ...label('Name') },
    power: { type: 'string', maxLength: 10, ...label('Power') },
  },
  required: ['name'],
  'x-scope': 'owned',
  'x-permissions': { add: 'test:machine:add', edit: 'test:machine:edit', manage: 'test:machine:manage' },
  'x-use': [
    {
      id: 'ownership',
      feature: 'ownership',
      with: {
        ...{ module: 'test', reference: 'machineId', copiedCode: 'machineCode', key: 'test:machine', path: 'test/machine' },
        ...{ ownMenu: 'test:machines', poolMenu: 'test:pool', ownPage: '/machines', poolPage: '/pool' },
        ...{ sea: 'crm.sea', claims: 'crm.claim', cap: 'crm.retention', coolDown: 'crm.coolDown', wander: 'crm.wander' },
        word: { zh: '机器', en: 'machine', many: 'machines', Many: 'Machines' },
        recycling: { stage: 'power', spared: { field: 'power', value: 'low' } },
      },
    },
  ],
})
const companion = (name: string, feature: string): EntityDocument =>
  expanded(written(name, { 'x-use': [{ id: 'it', feature, with: { subject: 'test.machine' } }] }), [MACHINE])
const ENTITIES = [
  expanded<EntityDocument>(MACHINE),
  companion('test.share', 'ownershipShare'),
  companion('test.transfer', 'ownershipTransfer'),
  companion('test.transferItem', 'ownershipTransferItem'),
  companion('test.seaRecord', 'ownershipStay'),
  companion('test.ownerLog', 'ownershipLog'),
  ...['staff', 'department', 'staff-leave', 'rule-set', 'rule-override', 'todo', 'message', 'audit-log'].map((name) =>
    wholeSchema<EntityDocument>(`sys/entities/${name}.json`),
  ),
]
const KEYS = ['test:machine:add', 'test:machine:edit', 'test:machine:release', 'test:sea:claim', 'test:pool', 'test:share:add']

let world: World
beforeAll(async () => {
  world = await openWorld(ENTITIES, allDictionaries())
  world.engine.registerRules('crm', ruleSource)
  registerOwnership(world.engine, { timeZone: 'Asia/Shanghai', onError: (error) => console.error(error) })
  await world.database.query(`update sys_staff set status = 'active', hired_on = '2020-01-01', position = 'sales'`)
})
afterAll(() => world.close())

const me = (id: string, scope: RequestContext['scopes'][string] = ['own']): RequestContext => ({
  ...as(id, { keys: KEYS }),
  scopes: { 'test.machine': scope },
})
const row = async <T>(sql: string, ...values: unknown[]) => (await world.database.query<T & object>(sql, values)).rows
const take = (id: string, who: string, transition: string, values = {}) =>
  world.engine.stateUpdate('test.machine', me(who), { ids: [id], transition, values })
const reason = (error: unknown): unknown => (error instanceof ServiceError ? (error.data as { reason?: string }).reason : error)

describe('an entity that takes part in ownership', () => {
  let id = ''
  it('gives a new record its owner, a protection, a day of recycling and a line in the log', async () => {
    id = String((await world.engine.save('test.machine', me(PEOPLE.wang), { name: 'Drill' })).id)
    const [made] = await row<{ day: string | null }>(
      `select holding, owner_id as owner, gained_by as "gainedBy", protect_until is not null as protected, recycle_on is not null as day from test_machine where id = $1`,
      id,
    )
    expect(made).toEqual({ holding: 'private', owner: PEOPLE.wang, gainedBy: 'create', protected: true, day: true })
    expect(await row(`select action, to_staff_id as "to" from test_owner_log where machine_id = $1`, id)).toEqual([
      { action: 'create', to: PEOPLE.wang },
    ])
  })

  it('is released to the pool, opens the next working day, cools down for who had it, and is claimed by another', async () => {
    await take(id, PEOPLE.wang, 'release', { releaseReason: 'notFit' })
    expect(await take(id, PEOPLE.zhao, 'claim').catch(reason)).toBe('notYetOpen')
    await world.database.query(`update test_sea_record set claimable_from = now() - interval '1 minute'`)
    expect(await take(id, PEOPLE.wang, 'claim').catch(reason)).toBe('coolDown')
    expect((await take(id, PEOPLE.zhao, 'claim')).refused).toEqual([])
    expect(await row(`select owner_id as owner, sea_stays as stays from test_machine where id = $1`, id)).toEqual([
      { owner: PEOPLE.zhao, stays: 1 },
    ])
    expect(await row(`select left_by as "by", claimed_by_id as who from test_sea_record`)).toEqual([
      { by: 'claim', who: PEOPLE.zhao },
    ])
  })

  it('is shared, and seen by whoever accepted', async () => {
    const shared = { shareWith: PEOPLE.wang, shareMode: 'read', shareReason: 'help' }
    expect((await take(id, PEOPLE.zhao, 'share', shared)).refused).toEqual([])
    const [{ share }] = (await row(`select id as share from test_share where machine_id = $1`, id)) as [{ share: string }]
    await world.engine.transaction(systemContext(), (entities) => entities.transition('test.share', share, 'accept'))
    expect((await world.engine.view('test.machine', me(PEOPLE.wang, ['own', 'shared']), id)).record.name).toBe('Drill')
    expect(await row(`select action from test_owner_log where machine_id = $1 order by at, id`, id)).toEqual(
      ['create', 'release', 'claim', 'share'].map((action) => ({ action })),
    )
  })

  it('goes to the pool when its owner leaves, and one that is spared goes to the leader', async () => {
    const spared = String((await world.engine.save('test.machine', me(PEOPLE.zhao), { name: 'Lamp', power: 'low' })).id)
    await world.database.query(`update sys_staff set manager_id = $1 where id = $2`, [PEOPLE.boss, PEOPLE.zhao])
    await world.engine.transaction(systemContext(), (entities) => entities.transition('sys.staff', PEOPLE.zhao, 'leave'))
    const after = await row(`select id, holding, owner_id as owner from test_machine where id = any($1::text[])`, [id, spared])
    expect(after).toContainEqual({ id, holding: 'sea', owner: null })
    expect(after).toContainEqual({ id: spared, holding: 'private', owner: PEOPLE.boss })
    expect(await row(`select status from test_share where machine_id = $1`, id)).toEqual([{ status: 'ended' }])
  })
})
