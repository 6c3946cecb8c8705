import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntityRecord } from '../../../../gateway/entities'
import { systemContext } from '../../../../gateway/platform/http'
import type { ProcessDocument } from '../../../../src/schema/generated/process'
import type { Caller } from '../../../support/gateway'
import { flowWorld, label, processOf, step, type FlowWorld } from './flowWorld'

interface Bulk {
  done: string[]
  refused: { id: string; reason: string }[]
}

let world: FlowWorld
let seller: Caller
let boss: Caller
let count = 0
beforeAll(async () => {
  world = await flowWorld()
  const { gateway } = world
  await gateway.addStaff({
    id: 'seller',
    jobNumber: 'F20',
    name: 'Seller',
    keys: ['crm:classA:add'],
    scopes: { 'crm.customer': ['own'] },
  })
  await gateway.addStaff({
    id: 'boss',
    jobNumber: 'F21',
    name: 'Boss',
    keys: ['crm:classA:approve', 'crm:classA:add', 'crm:customer:manage'],
    scopes: { 'crm.customer': ['all'] },
  })
  ;[seller, boss] = await Promise.all([gateway.signIn('F20'), gateway.signIn('F21')])
})
afterAll(() => world.close())

type Transact = FlowWorld['gateway']['gateway']['engine']['transaction']
const work = <Result>(todo: (...given: Parameters<Parameters<Transact>[1]>) => Promise<Result>): Promise<Result> =>
  world.gateway.gateway.engine.transaction(systemContext({ now: world.gateway.clock.now() }), todo)
const find = (entity: string, id: string): Promise<EntityRecord> => work(async (entities) => (await entities.find(entity, id))!)

/** A draft of an application for class A of a customer of the seller's own. */
const draft = async (): Promise<string> => {
  count += 1
  const customerId = `customer-${count}`
  await work((entities) =>
    entities.insertMany('crm.customer', [
      {
        id: customerId,
        code: `CU${count}`,
        name: `Acme ${count}`,
        holding: 'private',
        ownerId: 'seller',
        level: 'd',
        classA: false,
      },
    ]),
  )
  const saved = await seller.post<{ id: string }>('/v2/crm/classApply/save', {
    customerId,
    applyKind: 'enter',
    exception: true,
    expectedMonthly: '5000',
    reason: 'A strategic customer of the region.',
  })
  expect(saved.msg).toBe('OK')
  return saved.data.id
}
const move = (caller: Caller, id: string, transition: string, values: object = {}) =>
  caller.post<Bulk>('/v2/crm/classApply/stateUpdate', { ids: [id], transition, values })
const offered = async (caller: Caller, id: string): Promise<Record<string, string | null>> =>
  (await caller.get<{ can: { transitions: Record<string, string | null> } }>(`/v2/crm/classApply/view/${id}`)).data.can
    .transitions
const instanceOf = async (id: string): Promise<{ id: string; code: string; status: string }> =>
  (
    await world.rows<{ id: string; code: string; status: string }>(
      `select id, code, status from wf_instance where form_data->>'applyId' = $1`,
      [id],
    )
  )[0]!

const deciding = (): ProcessDocument =>
  processOf('decideClassA', [step('leader', 'leader'), step('director', 'director')], {
    form: {
      fields: {
        applyId: { type: 'string', 'x-ref': 'crm.classApply', 'x-label': label('Application') },
        reason: { type: 'string', format: 'text', maxLength: 2000, 'x-label': label('Reason') },
      },
      required: ['applyId'],
    },
    decides: {
      entity: 'crm.classApply',
      field: 'applyId',
      on: 'submit',
      agreed: 'approve',
      rejected: 'reject',
      withdrawn: 'withdraw',
    },
  } as Partial<ProcessDocument>)

describe('decisions in one step', () => {
  it('stay as they are while no process stands for them', async () => {
    const id = await draft()
    expect((await move(seller, id, 'submit')).msg).toBe('OK')
    expect((await move(boss, id, 'approve')).msg).toBe('OK')
    expect(await find('crm.classApply', id)).toMatchObject({ status: 'approved' })
    expect(await instanceOf(id)).toBeUndefined()
  })

  it('start an application, are refused to people with its number, and are taken at its end with its effects', async () => {
    await world.publish(deciding())
    const id = await draft()
    expect((await move(seller, id, 'submit')).msg).toBe('OK')
    const { id: instanceId, code, status } = await instanceOf(id)
    expect(status).toBe('running')
    const refused = await move(boss, id, 'approve')
    expect([refused.code === 0 ? refused.data.refused[0]?.reason : refused.msg]).toEqual([expect.stringContaining(code)])
    expect((await offered(boss, id)).approve).toContain(code)
    expect((await move(boss, id, 'reject', { decisionNote: 'Not now.' })).text).toContain(code)
    expect(await find('crm.classApply', id)).toMatchObject({ status: 'pending' })
    await world.agree('leader', instanceId)
    await world.agree('director', instanceId)
    const decided = await find('crm.classApply', id)
    expect(decided).toMatchObject({ status: 'approved' })
    expect(await find('crm.customer', String(decided.customerId))).toMatchObject({ classA: true, level: 'a' })
    expect((await instanceOf(id)).status).toBe('done')
    const { rows } = await world.gateway.gateway.database.query(
      `select 1 from sys_todo where subject_id = $1 and kind = 'decide' and status = 'open'`,
      [id],
    )
    expect(rows).toEqual([])
  })

  it('a rejection says why in the words of whoever rejected', async () => {
    const id = await draft()
    await move(seller, id, 'submit')
    const { id: instanceId } = await instanceOf(id)
    const taskId = await world.taskOf('leader', instanceId)
    expect((await world.act('leader', 'reject', { taskId, comment: 'The customer owes us money.' })).msg).toBe('OK')
    expect(await find('crm.classApply', id)).toMatchObject({ status: 'rejected', decisionNote: 'The customer owes us money.' })
  })

  it('what waited before the process was there, or after it was disabled, is decided as before', async () => {
    const id = await draft()
    await world.rows(`update wf_process set state = 'disabled' where code = 'decideClassA'`)
    await move(seller, id, 'submit')
    await world.rows(`update wf_process set state = 'enabled' where code = 'decideClassA'`)
    expect(await instanceOf(id)).toBeUndefined()
    expect((await move(boss, id, 'approve')).msg).toBe('OK')
  })
})
