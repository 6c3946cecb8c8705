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
let before: unknown[]
beforeAll(async () => {
  test = await startGateway()
  before = await count()
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
  it('runs its examples: one that does not hold is a risk that somebody confirms with its reason seen, or rule and example agree', async () => {
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
    type Told = { id: string; risk: boolean; text: { zh: string; en: string } }
    const examples = (told: readonly Told[] = []): Told[] => told.filter(({ risk, id }) => risk && id.includes(' example '))
    const check = async () => {
      const { data } = await admin.post<{ problems: object[]; differences: Told[] }>('/v2/sys/schema/check', {
        drafts: [{ target }],
      })
      expect(data.problems).toEqual([])
      return data.differences
    }
    const release = (version: number, accepted: readonly Told[]) =>
      admin.post<{ differences?: Told[] }>('/v2/sys/schema/release', {
        ...{ drafts: [{ target, role: null, version }], stage: 'all', title: '两天', reason: '两天后才算逾期' },
        accepted: accepted.map(({ id }) => id),
      })
    const later = { at: 'x-deadlines', set: deadlines }
    const of = (label: string, id: string, at: string): string =>
      `拜访记录（crm.visit）的示例“${label}”（${id}）不再成立（/x-tests/${at}）：`
    await save(0, [later])
    const told = await check()
    expect(examples(told).map(({ text }) => text.zh)).toEqual([
      `${of('计划时间过去一天即逾期', 'overdue', '1/expect/0/values/status')}应为 overdue，实际：planned`,
    ])
    const refused = await release(
      1,
      told.filter((one) => !examples(told).includes(one)),
    )
    expect([refused.code, refused.data.differences]).toEqual([10010005, examples(told)])
    await save(1, [later, { at: 'required', set: [...(base.required ?? []), 'place'] }])
    const more = await check()
    expect(examples(more).map(({ text }) => text.zh)).toContain(
      `${of('已开始的拜访不逾期、不改期', 'begun', '3/do/0')}应能完成，实际：请填写“地点”。`,
    )
    expect((await release(2, more)).code).toBe(0)
    const longer = examplesOf('crm.visit')
      .find(({ id }) => id === 'overdue')!
      .do.map((step) => (step.clock === undefined ? step : { ...step, clock: '2026-03-06T10:00:00+08:00' }))
    await save(0, [later, { at: 'x-tests/overdue/do', set: longer }])
    expect(examples(await check())).toEqual([])
    const released = await release(1, await check())
    expect(released.code, released.text).toBe(0)
  })
})
