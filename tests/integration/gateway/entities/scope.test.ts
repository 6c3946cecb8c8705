import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext, type RequestContext } from '../../../../gateway/platform/http'
import { as, clientRow, openWorld, PEOPLE, type World } from './world'

type Scope = RequestContext['scopes'][string][number]
interface Row {
  id: string
  owner: string | null
  dept: string | null
}
interface Share {
  client: string
  staff: string | null
  dept: string | null
  mode: string
  status: string
  until: string | null
}

const PEOPLE_IDS = Object.values(PEOPLE)
const DEPT_OF: Record<string, string> = { staff1: 'd1', staff2: 'd2', staff3: 'd2', staff4: 'd3', staff5: 'd4' }
const TREE: Record<string, string[]> = { d1: ['d1', 'd2', 'd3', 'd4'], d2: ['d2', 'd3'], d3: ['d3'], d4: ['d4'] }
const SCOPES: Scope[] = ['own', 'shared', 'department', 'departmentTree', 'all']

const rows: Row[] = Array.from({ length: 40 }, (_, index) => {
  const owner = index % 8 === 7 ? null : PEOPLE_IDS[index % 5]!
  return { id: `r${String(index).padStart(2, '0')}`, owner, dept: owner && DEPT_OF[owner]! }
})
const shares: Share[] = [
  { client: 'r00', staff: 'staff2', dept: null, mode: 'read', status: 'accepted', until: null },
  { client: 'r05', staff: 'staff2', dept: null, mode: 'edit', status: 'accepted', until: '2999-01-01' },
  { client: 'r10', staff: 'staff2', dept: null, mode: 'edit', status: 'ended', until: null },
  { client: 'r15', staff: 'staff2', dept: null, mode: 'edit', status: 'accepted', until: '2001-01-01' },
  { client: 'r20', staff: null, dept: 'd2', mode: 'read', status: 'accepted', until: null },
  { client: 'r24', staff: null, dept: 'd3', mode: 'edit', status: 'accepted', until: null },
]

/** The rule of the domain, written down once more in plain words: what a person sees and may change. */
function expected(staffId: string, scopes: readonly Scope[], manage: boolean, row: Row): { read: boolean; write: boolean } {
  const widest = SCOPES.findLast((scope) => scopes.includes(scope))
  if (!widest) return { read: false, write: false }
  const rank = SCOPES.indexOf(widest)
  const dept = DEPT_OF[staffId]!
  const own = row.owner === staffId
  const active = shares.filter(
    ({ client, staff, dept: to, status, until }) =>
      client === row.id && status === 'accepted' && (until === null || until > '2026') && (staff === staffId || to === dept),
  )
  const inDepartment = row.dept !== null && (rank >= 3 ? TREE[dept]! : [dept]).includes(row.dept) && rank >= 2
  const read = widest === 'all' || own || (rank >= 1 && active.length > 0) || inDepartment
  const write =
    own || (manage && widest === 'all') || (rank >= 1 && active.some(({ mode }) => mode === 'edit')) || (manage && inDepartment)
  return { read, write }
}

let world: World
beforeAll(async () => {
  world = await openWorld()
  await world.engine.transaction(systemContext(), async (entities) => {
    await entities.insertMany(
      'test.client',
      rows.map(({ id, owner, dept }) =>
        clientRow({ id, name: `行 ${id}`, ownerId: owner, ownerDeptId: dept, holding: owner ? 'private' : 'sea' }),
      ),
    )
    await entities.insertMany(
      'test.share',
      shares.map(({ client, staff, dept, ...rest }, index) => ({
        id: `s${index}`,
        clientId: client,
        toStaffId: staff,
        toDeptId: dept,
        ...rest,
      })),
    )
    await entities.insertMany(
      'test.note',
      rows.map(({ id }) => ({ id: `n-${id}`, clientId: id, text: `记录 ${id}` })),
    )
  })
})
afterAll(() => world.close())

async function exportedIds(context: RequestContext, entity: string): Promise<string[]> {
  const stream = new PassThrough()
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await world.engine.exportTo(stream, entity, context, { columns: [{ field: 'id', title: 'id' }], format: 'csv' })
  return Buffer.concat(chunks).toString().trim().split('\r\n').slice(1)
}

const person = fc.record({
  staffId: fc.constantFrom(...PEOPLE_IDS),
  scopes: fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1 }),
  manage: fc.boolean(),
})

describe('row scopes', () => {
  it('list, count, select, export, view and children agree with the rule for every person and role', async () => {
    await fc.assert(
      fc.asyncProperty(person, async ({ staffId, scopes, manage }) => {
        const context = as(staffId, { scope: scopes, keys: manage ? ['test:client:manage'] : [] })
        const readable = rows.filter((row) => expected(staffId, scopes, manage, row).read).map(({ id }) => id)
        const page = await world.engine.queryPage('test.client', context, { pageSize: 100 })
        expect(page.records.map(({ id }) => id).sort()).toEqual(readable)
        expect(page.total).toBe(readable.length)
        expect(await world.engine.count('test.client', context, {})).toBe(readable.length)
        expect((await world.engine.select('test.client', context, { pageSize: 100 })).map(({ id }) => id).sort()).toEqual(
          readable,
        )
        expect((await exportedIds(context, 'test.client')).sort()).toEqual(readable)
        const writable = rows.filter((row) => expected(staffId, scopes, manage, row).write).map(({ id }) => id)
        expect(
          page.records
            .filter((record) => record['$write'])
            .map(({ id }) => id)
            .sort(),
        ).toEqual(writable)
        const notes = await world.engine.queryPage('test.note', context, { pageSize: 100 })
        expect(notes.records.map(({ clientId }) => clientId as string).sort()).toEqual(readable)
        expect(
          notes.records
            .filter((record) => record['$write'])
            .map(({ clientId }) => clientId as string)
            .sort(),
        ).toEqual(writable)
        const row = rows[page.total % rows.length]!
        const seen = await world.engine.view('test.client', context, row.id).then(
          (answer) => answer.can.edit,
          (error: { reason: string }) => error.reason,
        )
        expect(seen).toBe(readable.includes(row.id) ? writable.includes(row.id) : 'notFound')
      }),
      { numRuns: 40 },
    )
  })

  it('a search, a filter, a sum or an id never widens the scope, and writing outside of it says not found', async () => {
    const wang = as(PEOPLE.wang)
    const foreign = rows.find(({ owner }) => owner === PEOPLE.li)!
    expect((await world.engine.queryPage('test.client', wang, { keyword: foreign.id })).total).toBe(0)
    expect((await world.engine.queryPage('test.client', wang, { ids: [foreign.id] })).total).toBe(0)
    expect(
      (await world.engine.queryPage('test.client', wang, { summary: [{ field: 'id', function: 'count' }] })).summary,
    ).toEqual({ id: 7 })
    await expect(world.engine.save('test.client', wang, { id: foreign.id, remark: 'x' })).rejects.toMatchObject({
      reason: 'notFound',
    })
    await expect(world.engine.remove('test.client', wang, foreign.id)).rejects.toMatchObject({ reason: 'notFound' })
    await expect(world.engine.log('test.client', wang, foreign.id)).rejects.toMatchObject({ reason: 'notFound' })
    await expect(
      world.engine.stateUpdate('test.client', wang, { ids: [foreign.id], transition: 'lose', values: { lostReason: 'x' } }),
    ).rejects.toMatchObject({ reason: 'notFound' })
    await expect(world.engine.save('test.note', wang, { clientId: foreign.id, text: '外面的' })).rejects.toMatchObject({
      reason: 'validationFailed',
    })
    const shared = as(PEOPLE.wang, { scope: ['shared'] })
    await expect(world.engine.save('test.client', shared, { id: 'r00', remark: 'x' })).rejects.toMatchObject({
      reason: 'noPermission',
    })
    await expect(world.engine.save('test.note', shared, { clientId: 'r00', text: '只读共享' })).rejects.toMatchObject({
      reason: 'validationFailed',
    })
    expect((await world.engine.save('test.client', shared, { id: 'r05', remark: 'x' })).version).toBe(2)
  })

  it('views narrow the scope', async () => {
    const boss = as(PEOPLE.wang, { scope: ['all'] })
    const total = async (view: string, context = boss) => (await world.engine.queryPage('test.client', context, { view })).total
    expect(await total('mine')).toBe(7)
    expect(await total('shared')).toBe(3)
    expect(await total('mineOrShared')).toBe(10)
    expect(await total('department')).toBe(rows.filter(({ dept }) => dept === 'd2' || dept === 'd3').length)
    expect(await total('department', as(PEOPLE.wang, { scope: ['department'] }))).toBe(
      rows.filter(({ dept }) => dept === 'd2').length,
    )
    expect(await total('recent')).toBe(40)
    const hunter = as(PEOPLE.other, { keys: ['test:pool:view'] })
    expect(await total('pool', hunter)).toBe(rows.filter(({ owner }) => owner === null).length)
  })

  it('without a scope, a read key or the operation’s key nothing is answered', async () => {
    const nobody = as(PEOPLE.wang, { scope: [] })
    await expect(world.engine.queryPage('test.client', nobody, {})).rejects.toMatchObject({ reason: 'noPermission' })
    expect((await world.engine.queryPage('test.note', nobody, {})).total).toBe(0)
    await expect(world.engine.queryPage('sys.auditLog', as(PEOPLE.wang), {})).rejects.toMatchObject({ reason: 'noPermission' })
    expect((await world.engine.queryPage('sys.auditLog', as(PEOPLE.wang, { keys: ['sys:log:read'] }), {})).total).toBeGreaterThan(
      0,
    )
    expect((await world.engine.queryPage('sys.staff', nobody, {})).total).toBe(5)
    await expect(
      world.engine.save('test.client', as(PEOPLE.wang, { without: ['test:client:add'] }), { name: '没有权限' }),
    ).rejects.toMatchObject({ reason: 'noPermission' })
    await expect(world.engine.save('sys.staff', as(PEOPLE.wang), { name: '新人' })).rejects.toMatchObject({
      reason: 'noPermission',
    })
    await expect(world.engine.save('test.share', as(PEOPLE.wang), { clientId: 'r01', mode: 'edit' })).rejects.toMatchObject({
      reason: 'noPermission',
    })
  })
})
