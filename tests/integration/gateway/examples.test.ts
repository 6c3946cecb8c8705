import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readReleasedSchemas } from '../../../gateway/pages/registry'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import { startGateway, type TestGateway } from '../../support/gateway'

/** Entities with examples beside them or in a feature that they take part in. */
const shown = (await readReleasedSchemas(join(import.meta.dirname, '../../../schemas')))
  .flatMap(({ type, value }) => (type === 'entity' ? [value as EntityDocument] : []))
  .filter((entity) => (entity['x-tests'] ?? []).length > 0)

let test: TestGateway
const runs = new Map<string, Awaited<ReturnType<TestGateway['gateway']['engine']['runExamples']>>>()
beforeAll(async () => {
  test = await startGateway()
  for (const { name } of shown) runs.set(name, await test.gateway.engine.runExamples([name]))
})
afterAll(() => test.close())

const examplesOf = (entity: string): NonNullable<EntityDocument['x-tests']> =>
  test.gateway.engine.model(entity).document['x-tests'] ?? []
const count = async (): Promise<unknown[]> =>
  (
    await test.gateway.database.query(
      `select (select count(*) from crm_customer) as customers, (select count(*) from sys_staff) as staff, (select count(*) from sys_rule_set) as rules, (select count(*) from crm_share) as shares`,
    )
  ).rows

describe('The examples beside the documents hold', () => {
  it.each(
    shown.flatMap(({ name, 'x-tests': examples = [] }) => examples.map(({ id, label }) => [name, id, label?.en ?? ''] as const)),
  )('%s: %s %s', (name, id) => {
    const failed = runs.get(name)
    expect(failed?.filter(({ example }) => example === id)).toEqual([])
  })

  it('and leave nothing behind', async () => {
    const before = await count()
    await test.gateway.engine.runExamples(shown.map(({ name }) => name))
    expect(await count()).toEqual(before)
  })
})

describe('An example that does not hold', () => {
  const withExamples = (name: string, examples: unknown): EntityDocument[] =>
    test.gateway.engine
      .names()
      .map((one) => test.gateway.engine.model(one).document)
      .map((document) => (document.name === name ? ({ ...document, 'x-tests': examples } as EntityDocument) : document))

  it('says of which document it is, where it stands, what it expects and what it found', async () => {
    const [accepted] = examplesOf('crm.share').filter(({ id }) => id === 'accepted')
    const wrong = {
      ...accepted,
      expect: [{ values: { status: 'ended' } }, { entity: 'crm.ownerLog', match: { customerId: 'customer' }, records: 3 }],
    }
    expect(await test.gateway.engine.runExamples(['crm.share'], withExamples('crm.share', [wrong]))).toEqual([
      {
        entity: 'crm.share',
        example: 'accepted',
        at: '/x-tests/0/expect/0/values/status',
        expected: 'ended',
        actual: 'accepted',
      },
      { entity: 'crm.share', example: 'accepted', at: '/x-tests/0/expect/1/records', expected: 3, actual: 1 },
    ])
  })

  it('tells a step that is refused though it should not be, and one that is not though it should be', async () => {
    const [cap] = examplesOf('crm.share').filter(({ id }) => id === 'shareCap')
    const [frozen] = examplesOf('crm.share').filter(({ id }) => id === 'frozen')
    const steps = frozen!.do.map(({ refused: _refused, ...step }) => step)
    const found = await test.gateway.engine.runExamples(
      ['crm.share'],
      withExamples('crm.share', [
        { ...cap, rules: {} },
        { ...frozen, do: steps },
      ]),
    )
    expect(found).toMatchObject([
      { example: 'shareCap', at: '/x-tests/0/do/0/refused', expected: 'shareCap', actual: null },
      { example: 'frozen', at: '/x-tests/1/do/0', expected: null, actual: expect.stringContaining('customerPrivate') },
    ])
  })
})

describe('A release that changes an entity', () => {
  it('runs its examples, and is refused with the one that does not hold until rule and example agree', async () => {
    const keys = ['setModule:pages', 'setModule:pages:release', 'setModule:pages:effects', 'crm:param:manage']
    await test.addStaff({ id: 'admin', jobNumber: 'T0001', name: '管理员', keys, scopes: { '*': ['all'] } })
    const admin = await test.signIn('T0001')
    const target = 'entity:crm.visit'
    const base = test.gateway.engine.model('crm.visit').document
    const deadlines = (base['x-deadlines'] ?? []).map((deadline) => ({ ...deadline, plus: 'PT48H' }))
    const save = async (version: number, changes: readonly object[]): Promise<void> => {
      const saved = await admin.post('/v2/sys/schema/draft/save', { target, role: null, version, changes })
      expect(saved.code, saved.text).toBe(0)
    }
    const release = async (version: number) => {
      const body = { drafts: [{ target, role: null, version }], stage: 'all', title: '两天', reason: '两天后才算逾期' }
      const asked = await admin.post<{ differences?: { id: string }[] }>('/v2/sys/schema/release', { ...body, accepted: [] })
      const accepted = (asked.data?.differences ?? []).map(({ id }) => id)
      return accepted.length === 0 ? asked : admin.post('/v2/sys/schema/release', { ...body, accepted })
    }
    const later = { at: 'x-deadlines', set: deadlines }
    await save(0, [later])
    const refused = await release(1)
    expect(refused.code).toBe(10010005)
    expect(refused.data).toMatchObject({
      problems: [{ where: 'entity:crm.visit', at: '/x-tests/1/expect/0/values/status' }],
    })
    expect(refused.msg).toContain('拜访记录（crm.visit）的示例“overdue”不成立')
    expect(refused.msg).toContain('应为 overdue，实为 planned')
    const steps = examplesOf('crm.visit').find(({ id }) => id === 'overdue')!.do
    const longer = steps.map((step) => (step.clock === undefined ? step : { ...step, clock: '2026-03-06T10:00:00+08:00' }))
    await save(1, [later, { at: 'x-tests/overdue/do', set: longer }])
    const released = await release(2)
    expect(released.code, released.text).toBe(0)
  })
})
