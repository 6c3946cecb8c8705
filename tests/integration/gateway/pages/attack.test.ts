import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListPage } from '../../../../src/schema/generated/page'
import type { Change } from '../../../../src/schema/overlay'
import { Caller, startGateway, type TestGateway } from '../../../support/gateway'
import { gatewayDatabase, type TestDatabase } from '../../testDatabase'

const PAGE = 'page:crm/my-client'
const PATH = '/crm/client-partner/my-client'
const FORM = 'page:crm/customer'
const MENU = 'crm:client-partner:my-client'
const GRAY = { 'x-gray-version': '1' }
const [REFUSED, BAD, INVALID, STALE] = [10010003, 10010001, 10010005, 10010006]

let shared: TestDatabase
let a: TestGateway
let b: TestGateway
let admin: Caller
let drafter: Caller
beforeAll(async () => {
  shared = await gatewayDatabase()
  const environment = { DATABASE_URL: shared.url }
  a = await startGateway({ environment })
  b = await startGateway({ environment })
  await a.addStaff({
    id: 'admin',
    jobNumber: 'T0001',
    name: '管理员',
    keys: ['setModule:pages', 'setModule:pages:release'],
    menus: [MENU],
  })
  await a.addStaff({ id: 'drafter', jobNumber: 'T0002', name: '起草人', keys: ['setModule:pages'] })
  admin = await a.signIn('T0001')
  drafter = await a.signIn('T0002')
})
afterAll(async () => {
  await Promise.all([a.close(), b.close()])
  await shared.drop()
})

interface Saved {
  version: number
  problems: { code: string }[]
  outcomes: string[]
}
const on = (gateway: TestGateway, caller: Caller) => new Caller(gateway.base, caller.token, caller.refreshToken)
const bundle = async (gateway: TestGateway, headers?: Record<string, string>) =>
  (await on(gateway, admin).get<{ page: ListPage; revision: string }>(`/v2/sys/page/bundle?path=${PATH}`, headers)).data
const versionOf = async (target = PAGE) =>
  (await admin.get<{ draft: { version: number } | null }>(`/v2/sys/schema/target?target=${encodeURIComponent(target)}`)).data
    .draft?.version ?? 0
const draft = async (changes: readonly Change[], target = PAGE) =>
  admin.post<Saved>('/v2/sys/schema/draft/save', { target, version: await versionOf(target), changes })
const body = (version: number, more: object = {}, target = PAGE) => ({
  drafts: [{ target, version }],
  stage: 'all',
  title: '调整',
  reason: '测试',
  accepted: [],
  ...more,
})
const release = async (more: object = {}, target = PAGE, caller = admin) =>
  caller.post<{ releaseId: string; revisions: { number: number }[]; problems?: { code: string }[] }>(
    '/v2/sys/schema/release',
    body(await versionOf(target), more, target),
  )
const discard = async (target = PAGE) => admin.post('/v2/sys/schema/draft/discard', { target, version: await versionOf(target) })
const rollBack = (number: number, target = PAGE) =>
  admin.post<{ number: number }>('/v2/sys/schema/rollback', { target, number, reason: '清理' })
const soon = (check: () => Promise<unknown>, timeout = 5000) => expect.poll(check, { timeout, interval: 25 })
const rows = async (sql: string) => (await shared.database.query<Record<string, unknown>>(sql)).rows

describe('hostile drafts', () => {
  it('do not reach a prototype, whether as keys, addresses or ids', async () => {
    const raw = await admin.raw('POST', '/v2/sys/schema/preview', {
      headers: { 'content-type': 'application/json' },
      body: `{"target":"${PAGE}","changes":[{"at":"columns/level","set":{"field":"level","__proto__":{"polluted":true}}}]}`,
    })
    expect([raw.status === 400, ((await raw.json()) as { code: number }).code === 0]).not.toEqual([false, true])
    const look = async (target: string, change: object) =>
      (await admin.post('/v2/sys/schema/preview', { target, changes: [change] })).code
    for (const at of ['__proto__/polluted', 'constructor/prototype/polluted', 'columns/__proto__/polluted'])
      expect(await look(PAGE, { at, set: true })).toBe(10010001)
    expect(await look(FORM, { at: 'schema/properties', id: 'constructor', add: { type: 'string' } })).toBe(10010001)
    expect({}).not.toHaveProperty('polluted')
  })

  it('that are no changes, too deep or too large are refused, saved nowhere, and harm no later call', async () => {
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const deep = await admin.raw('POST', '/v2/sys/schema/draft/save', {
      headers: { 'content-type': 'application/json' },
      body: `{"target":"${PAGE}","version":0,"changes":[{"at":"title","set":${nested}}]}`,
    })
    expect(((await deep.json()) as { code: number }).code).not.toBe(0)
    expect(deep.status).toBeLessThan(500)
    for (const change of [
      { at: 5, set: 1 },
      { set: 1 },
      { at: 'title' },
      { at: 'title', set: 1, remove: true },
      { at: 'columns', order: 'level' },
      { at: 'columns', order: [1] },
      { at: 'columns', add: {}, after: {} },
    ]) {
      const { code } = await admin.post('/v2/sys/schema/draft/save', { target: PAGE, version: 0, changes: [change] })
      expect(code, JSON.stringify(change)).toBe(BAD)
    }
    const huge = await admin.raw('POST', '/v2/sys/schema/draft/save', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ target: PAGE, version: 0, changes: [{ at: 'title/zh', set: '长'.repeat(1_000_000) }] }),
    })
    expect(huge.status).toBe(413)
    expect(await huge.json()).toMatchObject({ code: BAD, msg: expect.stringContaining('超过允许的大小') as string })
    expect(await versionOf()).toBe(0)
    expect((await admin.get('/v2/sys/schema/targets')).code).toBe(0)
  })

  it('with a label of a million characters, wrong expressions or unknown words are never released', async () => {
    const wrong: [string, Change[]][] = [
      [PAGE, [{ at: 'title/zh', set: 'x'.repeat(1_000_000) }]],
      [PAGE, [{ at: 'columns', add: { id: 'x', value: '{{ row. + }}' } }]],
      [PAGE, [{ at: 'columns', add: { id: 'x', value: '{{ process.exit() }}' } }]],
      [PAGE, [{ at: '$ref', set: '#' }]],
      [PAGE, [{ at: 'columns/level', set: { field: 'level', $ref: '#/columns/0' } }]],
      [PAGE, [{ at: '', set: 7 }]],
      [FORM, [{ at: 'schema/properties', id: 'evil', add: { type: 'string', 'x-reactions': '{{ () => fetch("/") }}' } }]],
    ]
    for (const [target, changes] of wrong) {
      const { data, code } = await draft(changes, target)
      expect([code, data.problems.length > 0], JSON.stringify(changes).slice(0, 80)).toEqual([0, true])
      const refused = await release({}, target)
      expect(refused.code).toBe(INVALID)
      await discard(target)
    }
    expect(await rows('select 1 from schema_release')).toEqual([])
  })

  it('that make the fields of a form depend on one another in a circle are refused with the circle', async () => {
    const linked = (name: string, on: string) => ({
      type: 'string',
      'x-component': 'Input',
      'x-visible': `{{ $values.${on} === 'x' }}`,
      name,
    })
    const changes: Change[] = [
      { at: 'schema/properties', id: 'one', add: { ...linked('one', 'two'), name: undefined, title: { zh: '一', en: 'One' } } },
      { at: 'schema/properties', id: 'two', add: { ...linked('two', 'one'), name: undefined, title: { zh: '二', en: 'Two' } } },
    ]
    const { data } = await draft(changes, FORM)
    expect(data.problems.map(({ code }) => code)).toContain('linkage-cycle')
    expect((await release({}, FORM)).code).toBe(INVALID)
    await discard(FORM)
  })

  it('of thousands of changes are told in bearable time, whatever their order', async () => {
    const chain: Change[] = Array.from({ length: 4000 }, (_, index) => ({
      at: 'columns',
      add: { id: `c${index}`, value: 'x', title: { zh: '列', en: 'Column' } },
      after: index === 0 ? 'level' : `c${index - 1}`,
    }))
    const start = performance.now()
    const { code } = await admin.post<Saved>('/v2/sys/schema/preview', { target: PAGE, changes: chain.reverse() })
    expect(code).toBe(0)
    expect(performance.now() - start).toBeLessThan(10_000)
    const fields: Change[] = Array.from({ length: 4000 }, (_, index) => ({
      at: 'schema/properties',
      id: `f${index}`,
      add: { type: 'string', title: { zh: '列', en: 'Column' } },
      after: index === 0 ? 'name' : `f${index - 1}`,
    }))
    const begun = performance.now()
    expect((await admin.post<Saved>('/v2/sys/schema/preview', { target: FORM, changes: fields.reverse() })).code).toBe(0)
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect((await admin.get('/v2/sys/schema/targets')).code).toBe(0)
  })
})

describe('a release', () => {
  it('needs its own key: who may only draft neither releases nor rolls back nor cancels', async () => {
    await draft([{ at: 'pageSize', set: 50 }])
    expect((await release({}, PAGE, drafter)).code).toBe(REFUSED)
    expect((await drafter.post('/v2/sys/schema/rollback', { target: PAGE, number: 0, reason: '不行' })).code).toBe(REFUSED)
    expect((await drafter.post('/v2/sys/schema/cancel', { releaseId: 'x' })).code).toBe(REFUSED)
    expect((await drafter.get('/v2/sys/schema/targets')).code).toBe(0)
    expect((await a.anybody.get('/v2/sys/schema/targets')).code).toBe(11008)
  })

  it('of a draft that has moved on, or is gone, is refused', async () => {
    const version = await versionOf()
    await draft([{ at: 'pageSize', set: 100 }])
    const { code } = await admin.post('/v2/sys/schema/release', body(version))
    expect(code).toBe(STALE)
    expect((await admin.post('/v2/sys/schema/release', body(0, {}, FORM))).code).not.toBe(0)
    const half = {
      drafts: [
        { target: PAGE, version: version + 1 },
        { target: FORM, version: 1 },
      ],
    }
    expect((await admin.post('/v2/sys/schema/release', body(0, half))).code).toBe(STALE)
    expect(await rows('select 1 from schema_revision')).toEqual([])
    expect(await versionOf()).toBe(version + 1)
  })

  it('that is clicked twice happens once, on one gateway or two, with a key or without', async () => {
    const version = await versionOf()
    const both = await Promise.all(
      [on(a, admin), on(b, admin)].map((caller) => caller.post('/v2/sys/schema/release', body(version))),
    )
    expect(both.map(({ code }) => code).sort()).toEqual([0, STALE])
    await draft([{ at: 'pageSize', set: 20 }])
    const next = await versionOf()
    const keyed = () =>
      admin.post<{ releaseId: string }>('/v2/sys/schema/release', body(next), { 'idempotency-key': 'release-once' })
    const [first, again] = [await keyed(), await keyed()]
    expect([first.code, again.code, again.data.releaseId]).toEqual([0, 0, first.data.releaseId])
    expect(await rows('select number from schema_revision order by number')).toEqual([{ number: 1 }, { number: 2 }])
    await soon(async () => (await bundle(b)).page.pageSize).toBe(20)
  })

  it('of different pages on two gateways at once leaves both with both', async () => {
    const other = 'page:crm/open-sea'
    await draft([{ at: 'pageSize', set: 50 }])
    await draft([{ at: 'pageSize', set: 50 }], other)
    const [one, two] = await Promise.all([
      on(a, admin).post('/v2/sys/schema/release', body(await versionOf())),
      on(b, admin).post('/v2/sys/schema/release', body(await versionOf(other), {}, other)),
    ])
    expect([one.code, two.code]).toEqual([0, 0])
    const sizes = (gateway: TestGateway) =>
      ['crm/my-client', 'crm/open-sea'].map((name) => (gateway.gateway.registry.page(name)?.document as ListPage).pageSize)
    await soon(() => Promise.resolve([...sizes(a), ...sizes(b)])).toEqual([50, 50, 50, 50])
    expect(a.gateway.registry.revision).toBe(b.gateway.registry.revision)
    await rollBack(0, other)
  })

  it('that is rolled back while it is gray is gone for gray browsers too', async () => {
    const before = (await bundle(a)).page.pageSize
    await draft([{ at: 'pageSize', set: 100 }])
    expect((await release({ stage: 'gray' })).code).toBe(0)
    expect([(await bundle(a, GRAY)).page.pageSize, (await bundle(a)).page.pageSize]).toEqual([100, before])
    const { data } = await rollBack(2)
    expect(data.number).toBeGreaterThan(2)
    expect([(await bundle(a, GRAY)).page.pageSize, (await bundle(a)).page.pageSize]).toEqual([20, 20])
    await soon(async () => (await bundle(b, GRAY)).page.pageSize).toBe(20)
    expect((await rollBack(99)).code).not.toBe(0)
    await rollBack(0)
  })

  it('for a time begins by itself on every gateway', async () => {
    await draft([{ at: 'pageSize', set: 50 }])
    const at = Date.now() + 2_500
    expect((await release({ effectiveAt: new Date(at).toISOString() })).code).toBe(0)
    try {
      expect((await bundle(a)).page.pageSize).not.toBe(50)
      // both gateways work it out on the one thread of this process
      await soon(async () => [(await bundle(a)).page.pageSize, (await bundle(b)).page.pageSize], 30_000).toEqual([50, 50])
    } finally {
      await rollBack(0)
      await discard()
    }
  })

  it('that became due while no gateway ran is in force when one starts', async () => {
    await draft([{ at: 'pageSize', set: 100 }])
    expect((await release({ effectiveAt: new Date(Date.now() + 3_600_000).toISOString() })).code).toBe(0)
    const later = await startGateway({ environment: { DATABASE_URL: shared.url }, now: () => new Date(Date.now() + 7_200_000) })
    expect((later.gateway.registry.page('crm/my-client')?.document as ListPage).pageSize).toBe(100)
    await later.close()
    expect((await bundle(a)).page.pageSize).not.toBe(100)
  })
})
