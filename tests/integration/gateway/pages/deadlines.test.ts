import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import type { Caller, TestGateway } from '../../../support/gateway'
import { startGateway } from '../../../support/gateway'

const TARGET = 'entity:crm.visit'

let gateway: TestGateway
let admin: Caller
/** May release, but not what records do. */
let designer: Caller
beforeAll(async () => {
  gateway = await startGateway({})
  const keys = ['setModule:pages', 'setModule:pages:release', 'crm:param:manage']
  await gateway.addStaff({ id: 'designer', jobNumber: 'T0002', name: '设计员', keys, scopes: { '*': ['all'] } })
  await gateway.addStaff({
    id: 'admin',
    jobNumber: 'T0001',
    name: '管理员',
    keys: [...keys, 'setModule:pages:effects'],
    scopes: { '*': ['all'] },
  })
  admin = await gateway.signIn('T0001')
  designer = await gateway.signIn('T0002')
})
afterAll(() => gateway.close())

/** Days from the clock of the gateway. */
const inDays = (days: number): string => new Date(gateway.clock.now().getTime() + days * 86_400_000).toISOString()

async function visits(...plannedAt: readonly string[]): Promise<string[]> {
  const rows = plannedAt.map((at) => ({
    id: newId(),
    customerId: 'c1',
    visitType: 'onsite',
    purpose: '试',
    plannedAt: at,
    status: 'planned',
  }))
  await gateway.gateway.engine.transaction(systemContext({ now: gateway.clock.now() }), async (entities) => {
    if (!(await entities.find('crm.customer', 'c1')))
      await entities.insertMany('crm.customer', [{ id: 'c1', name: '到期样本公司', holding: 'private', level: 'd' }])
    await entities.insertMany('crm.visit', rows)
  })
  return rows.map(({ id }) => id)
}
const found = async (ids: readonly string[]): Promise<Record<string, unknown>> => {
  const { rows } = await gateway.gateway.database.query<{ id: string; status: string }>(
    'select id, status from crm_visit where id = any($1)',
    [ids],
  )
  return Object.fromEntries(rows.map(({ id, status }) => [id, status]))
}

describe('an admin’s deadline', () => {
  it('tells before the release how many records it meets, has to be accepted, and acts by itself afterwards', async () => {
    const [old = '', young = '', missed = ''] = await visits(inDays(-800), inDays(-20), inDays(-3))
    const kept = {
      id: 'kept',
      label: { zh: '清理旧拜访', en: 'Old visits' },
      at: 'plannedAt',
      plus: 'P2Y',
      delete: true,
    }
    const { data: state } = await admin.get<{ base: { 'x-deadlines': unknown[] } }>(
      `/v2/sys/schema/target?target=${encodeURIComponent(TARGET)}`,
    )
    const changes = [{ at: 'x-deadlines', set: [...state.base['x-deadlines'], kept] }]
    const saved = await admin.post<{ problems: unknown[] }>('/v2/sys/schema/draft/save', {
      target: TARGET,
      role: null,
      version: 0,
      changes,
    })
    expect(saved.data.problems, saved.text).toEqual([])
    const release = (accepted: readonly string[], caller = admin) =>
      caller.post<{ differences: { id: string; risk: boolean; text: { zh: string; en: string } }[] }>('/v2/sys/schema/release', {
        drafts: [{ target: TARGET, role: null, version: 1 }],
        stage: 'all',
        title: '清理',
        reason: '保留两年',
        accepted,
      })
    const asked = await release([])
    expect(asked.code).toBe(10010005)
    expect(asked.data.differences.map(({ text }) => text)).toContainEqual({
      zh: '期限“清理旧拜访”发布后立即涉及 1 条记录。',
      en: 'The deadline "Old visits" meets 1 record as soon as it is released.',
    })
    const withoutKey = await release(
      asked.data.differences.map(({ id }) => id),
      designer,
    )
    expect([withoutKey.code, withoutKey.msg]).toEqual([10010003, expect.stringContaining('setModule:pages:effects')])
    expect(await found([old, young])).toEqual({ [old]: 'planned', [young]: 'planned' })
    expect((await release(asked.data.differences.map(({ id }) => id))).code).toBe(0)
    gateway.clock.forward(120)
    expect(await gateway.gateway.scheduler.runDue()).toContain('sys.deadlines')
    expect(await found([old, young, missed])).toEqual({ [young]: 'overdue', [missed]: 'overdue' })
    const { data: runs } = await admin.post<{ records: { id: string }[] }>('/v2/sys/jobRun/queryPage', {
      where: [{ field: 'job', operator: 'eq', value: 'sys.deadlines' }],
    })
    const run = await admin.get<{ report: { figures: { id: string; value: number }[] } }>(
      `/v2/sys/job/run/${runs.records[0]?.id}`,
    )
    expect(run.data.report.figures).toContainEqual({
      id: 'crm.visit.kept',
      title: { zh: '清理旧拜访', en: 'Old visits' },
      value: 1,
    })
  })

  it('is refused with a sentence when nothing can be due by it', async () => {
    const changes = [{ at: 'x-deadlines', set: [{ id: 'wrong', at: 'purpose', transition: 'miss' }] }]
    const saved = await admin.post<{ problems: { at: string; message: { en: string } }[] }>('/v2/sys/schema/draft/save', {
      target: TARGET,
      role: null,
      version: 0,
      changes,
    })
    expect(saved.data.problems).toMatchObject([
      { at: '/x-deadlines/0/at', message: { en: '"purpose" is not a stored date or moment: nothing can be due by it.' } },
    ])
  })
})
