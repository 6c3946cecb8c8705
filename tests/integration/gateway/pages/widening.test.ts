import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../gateway/platform/http'
import type { Change, Difference } from '../../../../src/schema/overlay'
import type { Answer, Caller, TestGateway } from '../../../support/gateway'
import { startGateway } from '../../../support/gateway'

const RATE = 'entity:qm.customerRate'
const COST = 'entity:qm.supplierRate'
const CUSTOMER = 'entity:crm.customer'
const RIGHTS = 'setModule:authManage:permissions:edit'
const NO_PERMISSION = 10010003
const DESIGN = ['setModule:pages', 'setModule:pages:release', 'setModule:pages:effects']
const CRM = ['crm:customer:add', 'crm:customer:edit', 'crm:param:manage', 'qm:cost:view', 'qm:rate:export']

let gateway: TestGateway
/** May release, and what records do; not who may see what. */
let designer: Caller
/** May edit roles, too. */
let admin: Caller
let sales: Caller

beforeAll(async () => {
  gateway = await startGateway({})
  await gateway.addStaff({ id: 'designer', jobNumber: 'T0001', keys: [...DESIGN, ...CRM], scopes: { '*': ['all'] } })
  await gateway.addStaff({
    id: 'admin',
    jobNumber: 'T0002',
    keys: [...DESIGN, ...CRM, 'crm:customer:viewSensitive', RIGHTS],
    scopes: { '*': ['all'] },
  })
  await gateway.addStaff({
    id: 'sales',
    jobNumber: 'T0003',
    keys: ['crm:customer:add', 'crm:customer:edit', 'crm:classA:add', 'qm:rate:export'],
    scopes: { 'crm.customer': ['own'], 'srm.supplier': ['all'] },
  })
  const at = gateway.clock.now().toISOString()
  await gateway.gateway.engine.transaction(systemContext({ now: gateway.clock.now() }), async (entities) => {
    const customer = (id: string, ownerId: string) => ({
      id,
      name: `客户${id}`,
      holding: 'private',
      level: 'd',
      ownerId,
      regNo: `REG-${id}-77`,
    })
    await entities.insertMany('crm.customer', [customer('c1', 'sales'), customer('c2', 'admin'), customer('c3', 'admin')])
    const rate = (id: string, customerId: string) => ({
      id,
      customerId,
      rateKey: id,
      product: 'sms',
      currency: 'USD',
      status: 'active',
      effectiveFrom: at,
    })
    await entities.insertMany('qm.customerRate', [rate('r1', 'c1'), rate('r2', 'c2'), rate('r3', 'c2'), rate('r4', 'c3')])
    await entities.insertMany('srm.supplier', [{ id: 's1', name: '供应商' }])
    await entities.insertMany('qm.supplierRate', [
      { id: 'p1', supplierId: 's1', product: 'sms', currency: 'USD', status: 'active', effectiveFrom: at },
    ])
  })
  designer = await gateway.signIn('T0001')
  admin = await gateway.signIn('T0002')
  sales = await gateway.signIn('T0003')
})
afterAll(() => gateway.close())

interface Draft {
  target: string
  role: null
  version: number
}
type Found = Difference & { target: string }
let open: Draft | undefined

/** Drafts the changes and answers what the check tells of them. */
async function check(target: string, ...changes: Change[]): Promise<Found[]> {
  const saved = await designer.post<{ version: number; problems: unknown[] }>('/v2/sys/schema/draft/save', {
    target,
    version: 0,
    changes,
  })
  open = { target, role: null, version: saved.data.version }
  expect(saved.data.problems, saved.text).toEqual([])
  const checked = await designer.post<{ problems: unknown[]; differences: Found[] }>('/v2/sys/schema/check', {
    drafts: [{ target }],
  })
  expect(checked.data.problems, checked.text).toEqual([])
  return checked.data.differences
}

/** Releases the draft with everything confirmed. */
async function release(caller: Caller, differences: readonly Found[]): Promise<Answer<{ revisions: { number: number }[] }>> {
  const accepted = differences.filter(({ risk }) => risk).map(({ id }) => id)
  const answer = await caller.post<{ revisions: { number: number }[] }>('/v2/sys/schema/release', {
    drafts: [open],
    stage: 'all',
    title: '试',
    reason: '试验',
    accepted,
  })
  if (answer.code === 0) open = undefined
  return answer
}

const rollBack = (caller: Caller, target: string, number: number) =>
  caller.post('/v2/sys/schema/rollback', { target, role: null, number, reason: '试验' })

const widenings = (differences: readonly Found[]): string[] =>
  differences.filter(({ id, risk }) => risk && id.includes(' widens ')).map(({ text }) => text.en)

/** The designer alone is refused with the sentences of the check. */
async function refused(differences: readonly Found[]): Promise<string[]> {
  const told = widenings(differences)
  const answer = await release(designer, differences)
  expect(answer.code, answer.text).toBe(NO_PERMISSION)
  expect(answer.msg).toContain(RIGHTS)
  for (const { text } of differences.filter(({ id }) => id.includes(' widens '))) expect(answer.msg).toContain(text.zh)
  return told
}

afterEach(async () => {
  if (open) await designer.post('/v2/sys/schema/draft/discard', { target: open.target, version: open.version })
  open = undefined
})

const rates = (caller: Caller) => caller.post<{ total: number }>('/v2/qm/customerRate/queryPage', {})
const label = (text: string) => ({ zh: text, en: text })

describe('a release that shows more rows', () => {
  it('of customer rates is told with counts and needs the key of whoever edits roles; so does the way back to it', async () => {
    expect((await rates(sales)).data.total).toBe(1)
    const differences = await check(RATE, { at: 'x-scope', set: 'public' })
    const told = await refused(differences)
    expect(told.find((text) => text.startsWith('More rows of "Customer rate" can be seen'))).toContain('role of T0003 1 → 4')
    expect(told.join()).toContain('staff without a role 0 → 4')
    expect((await rates(sales)).data.total).toBe(1)

    const released = await release(admin, differences)
    expect(released.code, released.text).toBe(0)
    expect((await rates(sales)).data.total).toBe(4)
    // narrower again: nobody gets anything by it
    expect((await rollBack(designer, RATE, 0)).code).toBe(0)
    expect((await rates(sales)).data.total).toBe(1)
    const wider = await rollBack(designer, RATE, released.data.revisions[0]!.number)
    expect([wider.code, wider.msg]).toEqual([NO_PERMISSION, expect.stringContaining('role of T0003 1 → 4')])
    expect((await rates(sales)).data.total).toBe(1)
  })

  it('of supplier rates to whoever got none of them at all', async () => {
    const asked = () => sales.post<{ total: number }>('/v2/qm/supplierRate/queryPage', {})
    expect((await asked()).code).toBe(NO_PERMISSION)
    expect((await refused(await check(COST, { at: 'x-scope', set: 'public' }))).join()).toContain('role of T0003 0 → 1')
    expect((await asked()).code).toBe(NO_PERMISSION)
  })

  it('because records name people, also where they name nobody yet', async () => {
    const takesPart = { id: 'maker', people: ['creator'], access: 'read' } as const
    const told = await refused(await check(RATE, { at: 'x-participants', set: [takesPart] }))
    expect(told.join()).toContain('More rows of "Customer rate" can be seen')
    expect(told.join()).toContain('role of T0003 1 → 1')
  })

  it('below a parent that shows more', async () => {
    const told = await refused(
      await check(CUSTOMER, { at: 'x-participants', set: [{ id: 'quoters', permission: 'qm:rate:export', access: 'read' }] }),
    )
    expect(told.find((text) => text.startsWith('More rows of "Customer" can be seen'))).toContain('role of T0003 1 → 3')
    expect(told.find((text) => text.startsWith('More rows of "Customer rate" can be seen'))).toContain('role of T0003 1 → 4')
  })
})

describe('a release that shows more of a field', () => {
  it('the registration number of a customer', async () => {
    const told = await refused(await check(CUSTOMER, { at: 'properties/regNo/x-sensitive', remove: true }))
    expect(told).toContainEqual(
      expect.stringMatching(/^"Customer", field "Registration no\." becomes visible to .*role of T0003/),
    )
    expect(told.join()).not.toContain('role of T0002')
  })

  it('a copy of what is closed, by what it is a copy of', async () => {
    const [told = ''] = await refused(
      await check('entity:crm.levelLog', { at: 'properties/inputs/x-copyOf', set: 'crm.levelLog.reason' }),
    )
    expect(told).toContain('becomes visible to')
  })

  it('a reference and a look-up that tell a masked value of another record', async () => {
    const sameNumber: Change = {
      at: 'x-lookups',
      add: { first: 'crm.customer', where: [{ field: 'code', value: '{{ remark }}' }] },
      id: 'sameNumber',
    }
    const rule: Change = {
      at: 'x-rules',
      add: {
        id: 'tells',
        when: '{{ !!sameNumber.regNo }}',
        message: { zh: '{{ sameNumber.regNo }}', en: '{{ sameNumber.regNo }}' },
      },
    }
    const told = await refused(await check(RATE, sameNumber, rule))
    expect(told.join()).toMatch(
      /message "tells" tells "Customer: Registration no\.", which is not \(or not all\) to be seen by .*role of T0003/,
    )
    expect(told.join()).not.toContain('role of T0002')
  })

  it('a default does not repeat a field of the record: it is refused before it is saved anywhere', async () => {
    const field = { type: 'string', maxLength: 50, 'x-label': label('Shown number'), default: '{{ regNo }}' }
    const saved = await designer.post<{ version: number; problems: { at: string }[] }>('/v2/sys/schema/draft/save', {
      target: CUSTOMER,
      version: 0,
      changes: [{ at: 'properties', add: field, id: 'shownNo' }],
    })
    open = { target: CUSTOMER, role: null, version: saved.data.version }
    expect(saved.data.problems[0]?.at).toBe('/properties/shownNo/default')
    expect((await release(admin, [])).code).toBe(10010005)
  })
})

describe('a release that lets somebody do more', () => {
  it('delete what he could not', async () => {
    const told = await refused(await check('entity:crm.classApply', { at: 'x-deletable', remove: true }))
    expect(told).toEqual([expect.stringMatching(/, delete in more cases becomes possible for .*role of T0003/)])
    expect(told.join()).not.toContain('role of T0001')
  })

  it('by a key that everybody holds', async () => {
    const told = await refused(await check('entity:crm.visit', { at: 'x-permissions/export', set: 'qm:rate:export' }))
    expect(told.join()).toMatch(/"Visit[^"]*", export becomes possible for .*role of T0003/)
  })

  it('by a menu entry whose key opens data', async () => {
    const entry = { id: 'costs', title: label('Costs'), international: 'qm:cost:view', roles: ['role-T0003'] }
    const told = await refused(await check('module:crm', { at: 'menu', add: entry }))
    expect(told.join()).toContain('the permission qm:cost:view of the menu entry "Costs" becomes possible for role of T0003')
  })
})

describe('a release that gives nothing away', () => {
  it('needs no further key: a narrower scope, a closed field, a new field', async () => {
    const closed: Change = { at: 'properties/destination/x-sensitive', set: 'qm:cost:view' }
    const fresh: Change = { at: 'properties', add: { type: 'string', maxLength: 9, 'x-label': label('Mark') }, id: 'mark' }
    expect(widenings(await check('entity:crm.visit', fresh))).toEqual([])
    await designer.post('/v2/sys/schema/draft/discard', { target: 'entity:crm.visit', version: open?.version })
    const differences = await check(RATE, { at: 'x-scope', set: 'restricted' }, closed)
    expect(widenings(differences)).toEqual([])
    const answer = await release(designer, differences)
    expect(answer.code, answer.text).toBe(0)
    expect((await rates(sales)).code).toBe(NO_PERMISSION)
    // what was narrowed here is wider in the file
    expect((await rollBack(designer, RATE, 0)).code).toBe(NO_PERMISSION)
  })
})
