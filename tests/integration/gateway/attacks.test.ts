import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_PASSWORD } from '../../../gateway/world'
import { startGateway, type Caller, type TestGateway } from '../../support/gateway'

/** What an attack from outside tried: each is refused, and the gateway goes on. */
let test: TestGateway
let admin: Caller
let sales: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  await test.addStaff({
    id: 'designer',
    jobNumber: 'T0001',
    menus: ['setModule.pages'],
    keys: ['setModule:pages', 'setModule:pages:release'],
    scopes: {},
  })
  admin = await test.signIn('T0001')
  sales = await test.signIn('S0006', DEMO_PASSWORD)
})
afterAll(() => test.close())

interface Refused {
  errors: { field?: string; message: string }[]
}
const names = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`nam${at}`, 1]))

describe('A body that nobody could have written', () => {
  it('with more names than any record has is refused before it is looked at', async () => {
    const { code, data } = await sales.post<Refused>('/v2/crm/customer/save', { name: 'x', ...names(200_000) })
    expect(code).toBe(10010001)
    expect(data.errors).toEqual([{ message: 'has more than 5000 properties' }])
    const inside = await sales.post<Refused>('/v2/crm/customer/save', { name: 'x', tags: { a: names(6_000) } })
    expect(inside.data.errors[0]?.field).toBe('tags.a')
  })

  it('with thousands of unknown names is told of the first fifty, and what was meant for five', async () => {
    const { code, data, text } = await sales.post<Refused>('/v2/crm/customer/save', names(5_000))
    expect(code).toBe(10010001)
    expect(data.errors).toHaveLength(50)
    expect(data.errors.filter(({ message }) => /did you mean|是否想写/.test(message))).toHaveLength(5)
    expect(text.length).toBeLessThan(10_000)
  })
})

describe('A draft that is no document', () => {
  const target = 'entity:crm.customer'
  const save = (changes: object[]) =>
    admin.post<{ version: number }>('/v2/sys/schema/draft/save', { target, version: 0, changes })
  const look = () =>
    admin.get<{ draft: { version: number; changes: object[] } | null; problems?: object[] }>(
      `/v2/sys/schema/target?target=${target}`,
    )
  const discard = (version: number) => admin.post('/v2/sys/schema/draft/discard', { target, version })

  it.each([
    [[{ at: 'x-scope', set: null }]],
    [[{ at: 'properties', set: null }]],
    [[{ at: 'x-states', set: [null] }]],
    [[{ at: 'x-lookups', set: [] }]],
    [[{ at: '', set: null }]],
    [[{ at: '', set: { name: 'crm.customer' } }]],
  ])('is refused with the place, or can be looked at, checked and discarded: %j', async (changes) => {
    const saved = await save(changes)
    expect([0, 10010005]).toContain(saved.code)
    const { code, data } = await look()
    expect(code).toBe(0)
    expect(data.draft === null).toBe(saved.code !== 0)
    if (saved.code !== 0) return
    const checked = await admin.post<{ problems: object[] }>('/v2/sys/schema/check', { drafts: [{ target, version: 1 }] })
    expect(checked.data.problems.length).toBeGreaterThan(0)
    expect((await discard(data.draft!.version)).code).toBe(0)
  })

  it.each([
    ['properties/__proto__/polluted', '__proto__'],
    ['constructor/prototype/polluted', 'constructor'],
  ])('has no way to what all objects have: %s', async (at, id) => {
    expect((await save([{ at, set: 1 }])).code).toBe(10010001)
    expect((await save([{ at: 'properties', add: { type: 'string' }, id }])).code).toBe(10010001)
    expect((await look()).data.draft).toBeNull()
  })

  it('kept from before is looked at as it stands, and discarded', async () => {
    const changes = [{ at: 'x-states', set: [null] }]
    await test.gateway.database.query(
      `insert into schema_draft (target, role, changes, version, by, at) values ($1, '', $2, 1, 'designer', now())`,
      [target, JSON.stringify(changes)],
    )
    const { code, data } = await look()
    expect(code).toBe(0)
    expect(data.draft?.changes).toEqual(changes)
    expect((await discard(1)).code).toBe(0)
    expect((await look()).data.draft).toBeNull()
  })
})
