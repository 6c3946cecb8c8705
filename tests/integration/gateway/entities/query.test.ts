import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../gateway/platform/http'
import { client, documents } from '../../../fixtures/entities/documents'
import { as, clientRow, openWorld, PEOPLE, startEngine, type World } from './world'

let world: World
const ids = (page: { records: { id?: unknown }[] }): string[] => page.records.map(({ id }) => id as string)

beforeAll(async () => {
  world = await openWorld()
  const rows = Array.from({ length: 60 }, (_, index) =>
    clientRow({
      id: `c${String(index).padStart(3, '0')}`,
      name: `客户 ${index} 100%_\\`,
      nameEn: index % 3 === 0 ? null : `Client ${index}`,
      level: 'abcd'[index % 4],
      country: ['CN', 'US', 'DE'][index % 3],
      products: index % 2 ? ['sms', 'voice'] : index % 5 ? ['number'] : null,
      email: `u${index}@x.com`,
      phone: `+8613812340${String(index).padStart(3, '0')}`,
      limit: `${index}.5`,
      currency: 'USD',
      staff: index,
      vip: index % 7 === 0,
      foundedOn: `20${String(index % 30).padStart(2, '0')}-01-15`,
      lastSeenAt: index % 4 ? new Date(Date.UTC(2026, 0, 1, 15 + index)).toISOString() : null,
      ownerId: PEOPLE.wang,
      createdAt: new Date(Date.UTC(2025, 0, 1, 0, index)).toISOString(),
    }),
  )
  await world.engine.transaction(systemContext(), (entities) => entities.insertMany('test.client', rows))
})
afterAll(() => world.close())

const me = () => as(PEOPLE.wang)
const query = (request: Parameters<World['engine']['queryPage']>[2], context = me()) =>
  world.engine.queryPage('test.client', context, { pageSize: 1000, ...request })
const where = (field: string, operator: string, value?: unknown) => [{ field, operator: operator as 'eq', value }]
const numbersWith = (predicate: (index: number) => boolean): string[] =>
  Array.from({ length: 60 }, (_, index) => index)
    .filter(predicate)
    .map((index) => `c${String(index).padStart(3, '0')}`)

describe('filters', () => {
  it.each([
    ['level', 'eq', 'a', (i: number) => i % 4 === 0],
    ['level', 'in', ['a', 'b'], (i: number) => i % 4 < 2],
    ['level', 'notIn', ['a', 'b'], (i: number) => i % 4 >= 2],
    ['nameEn', 'ne', 'Client 1', (i: number) => i !== 1],
    ['nameEn', 'empty', undefined, (i: number) => i % 3 === 0],
    ['nameEn', 'notEmpty', undefined, (i: number) => i % 3 !== 0],
    ['nameEn', 'startsWith', 'client 1', (i: number) => i % 3 !== 0 && `${i}`.startsWith('1')],
    ['name', 'contains', '100%_\\', () => true],
    ['name', 'contains', '1000', () => false],
    ['name', 'contains', '%', () => true],
    ['staff', 'between', [10, 20], (i: number) => i >= 10 && i <= 20],
    ['staff', 'between', [null, 20], (i: number) => i <= 20],
    ['staff', 'gte', '50', (i: number) => i >= 50],
    ['limit', 'lte', '3.5', (i: number) => i <= 3],
    ['limit', 'eq', '3.50', (i: number) => i === 3],
    ['vip', 'eq', true, (i: number) => i % 7 === 0],
    ['foundedOn', 'eq', '2005-01-15', (i: number) => i % 30 === 5],
    ['products', 'overlaps', ['voice', 'number'], (i: number) => i % 2 === 1 || i % 5 !== 0],
    ['products', 'contains', ['sms', 'voice'], (i: number) => i % 2 === 1],
    ['products', 'notIn', ['sms'], (i: number) => i % 2 === 0],
    ['products', 'empty', undefined, (i: number) => i % 2 === 0 && i % 5 === 0],
    ['id', 'in', ['c001', 'c002'], (i: number) => i === 1 || i === 2],
    // 2026-01-02 in Shanghai is 2026-01-01T16:00Z to 2026-01-02T16:00Z
    ['lastSeenAt', 'eq', '2026-01-02', (i: number) => i % 4 !== 0 && i >= 1 && i < 25],
    ['lastSeenAt', 'gte', '2026-01-03', (i: number) => i % 4 !== 0 && i >= 25],
    ['lastSeenAt', 'lte', '2026-01-01T18:00:00Z', (i: number) => i % 4 !== 0 && i <= 3],
  ])('%s %s %j', async (field, operator, value, predicate) => {
    const page = await query({ where: where(field, operator, value) })
    expect(ids(page).sort()).toEqual(numbersWith(predicate))
    expect(page.total).toBe(page.records.length)
  })

  it('uses the first operator of the kind when a condition names none', async () => {
    expect((await query({ where: [{ field: 'staff', value: [1, 2] } as never] })).total).toBe(2)
  })

  it.each([
    ['naem', 'eq', 'x', 'name'],
    ['level', 'contains', 'x', 'level'],
    ['staff', 'eq', 'many', 'staff'],
    ['staff', 'between', [1, 2, 3], 'staff'],
    ['foundedOn', 'eq', '2025-02-30', 'foundedOn'],
    ['lastSeenAt', 'gte', 'yesterday', 'lastSeenAt'],
    ['vip', 'eq', 'yes', 'vip'],
    ['level', 'in', [], 'level'],
    ['level', 'in', 'a', 'level'],
    ['idleDays', 'gte', 3, 'idleDays'],
    ['noteCount', 'gte', 3, 'noteCount'],
    ['nameKey', 'eq', 'x', 'name'],
    ['deletedAt', 'notEmpty', undefined, ''],
    ['name', 'drop', 'x', 'name'],
    ['name', 'eq', { $ne: 1 }, 'name'],
  ])('refuses %s %s %j and names the field', async (field, operator, value, named) => {
    await expect(query({ where: where(field, operator, value) })).rejects.toMatchObject({
      reason: 'badRequest',
      data: { errors: [{ message: expect.stringContaining(named === 'name' && field !== 'name' ? field : '') as string }] },
    })
  })
})

describe('keyword, order, pages, summary', () => {
  it('searches the quick search fields for the phrase as it is', async () => {
    expect((await query({ keyword: 'client 5' })).total).toBe(8)
    expect((await query({ keyword: '  u7@X ' })).total).toBe(1)
    expect((await query({ keyword: '%' })).total).toBe(60)
    expect((await query({ keyword: '_\\' })).total).toBe(60)
    expect((await query({ keyword: '__' })).total).toBe(0)
    // too short for trigrams: found by their characters, in the order of the phrase
    expect((await query({ keyword: '户' })).total).toBe(60)
    expect((await query({ keyword: '客户' })).total).toBe(60)
    expect((await query({ keyword: '户客' })).total).toBe(0)
    expect((await query({ keyword: '客户 1' })).total).toBe(11)
    expect(
      (await query({ keyword: '户', pageSize: 7, pageNo: 3, sort: [{ field: 'staff', order: 'desc' }] })).records,
    ).toMatchObject([45, 44, 43, 42, 41, 40, 39].map((staff) => ({ staff })))
  })

  it('counts other selections beside, in the scope of the caller, and none that he may not read', async () => {
    const counts = {
      ...{ all: {}, good: { where: where('level', 'eq', 'a') }, vip: { keyword: 'client', where: where('vip', 'eq', true) } },
      ...{ none: { where: where('name', 'eq', 'x') }, pool: { view: 'pool' } },
    }
    const answer = await query({ pageSize: 0, where: where('level', 'eq', 'b'), counts })
    expect(answer).toMatchObject({ records: [], total: 15, counts: { all: 60, good: 15, none: 0 } })
    expect(answer.counts?.vip).toBe((await query(counts.vip)).total)
    expect(answer.counts).not.toHaveProperty('pool')
    const withKey = await query({ pageSize: 0, counts }, as(PEOPLE.wang, { keys: ['test:pool:view'] }))
    expect(withKey.counts).toHaveProperty('pool')
    await expect(query({ counts: { wrong: { where: where('colour', 'eq', 'a') } } })).rejects.toMatchObject({ code: 10010001 })
    const other = await query({ pageSize: 0, counts }, as(PEOPLE.other))
    expect(other.counts?.all).toBe(other.total)
  })

  it('goes on behind a cursor in any order of empty values, each row once, though rows come and go meanwhile', async () => {
    const read = async (sort: NonNullable<Parameters<typeof query>[0]['sort']>, between?: () => Promise<void>) => {
      const found: string[] = []
      for (let cursor: string | null | undefined = ''; typeof cursor === 'string';) {
        const page = await query({ cursor, pageSize: 7, sort })
        found.push(...ids(page))
        cursor = page.next
        expect(page.next === null).toBe(page.records.length < 7 || found.length >= page.total)
        await between?.()
      }
      return found
    }
    for (const sort of [
      [{ field: 'createdAt', order: 'desc' }],
      [{ field: 'lastSeenAt', order: 'asc' }],
      [{ field: 'lastSeenAt', order: 'desc', nulls: 'first' }],
      [
        { field: 'nameEn', order: 'asc', nulls: 'first' },
        { field: 'staff', order: 'desc' },
      ],
      [
        { field: 'level', order: 'desc' },
        { field: 'limit', order: 'asc' },
      ],
      [
        { field: 'vip', order: 'asc' },
        { field: 'foundedOn', order: 'desc' },
      ],
    ] as const)
      expect(await read([...sort]), JSON.stringify(sort)).toEqual(ids(await query({ sort: [...sort] })))
    const before = ids(await query({ sort: [{ field: 'createdAt', order: 'desc' }] }))
    let added = 0
    const found = await read([{ field: 'createdAt', order: 'desc' }], async () => {
      added += 1
      const row = clientRow({
        id: `new${added}`,
        name: `新来的 ${added}`,
        ownerId: PEOPLE.wang,
        createdAt: new Date(Date.UTC(2026, 5, added)).toISOString(),
      })
      await world.engine.transaction(systemContext(), (entities) => entities.insertMany('test.client', [row]))
    })
    expect(found).toEqual(before)
    await world.database.query(`delete from test_client where id like 'new%'`)
    for (const cursor of ['x', Buffer.from('["1"]').toString('base64url'), Buffer.from('[{"a":1},"c001"]').toString('base64url')])
      await expect(query({ cursor, sort: [{ field: 'createdAt', order: 'desc' }] })).rejects.toMatchObject({ code: 10010001 })
  })

  it('puts empty values last in both directions unless told otherwise, and shows each row once over all pages', async () => {
    for (const order of ['asc', 'desc'] as const) {
      const page = await query({ sort: [{ field: 'lastSeenAt', order }] })
      expect(page.records.slice(0, 45).every(({ lastSeenAt }) => lastSeenAt !== null)).toBe(true)
      const first = await query({ sort: [{ field: 'lastSeenAt', order, nulls: 'first' }] })
      expect(first.records[0]!.lastSeenAt).toBeNull()
    }
    const pages = await Promise.all(
      [1, 2, 3, 4].map((pageNo) => query({ pageNo, pageSize: 17, sort: [{ field: 'level', order: 'desc' }] })),
    )
    expect(new Set(pages.flatMap(ids)).size).toBe(60)
    expect(pages.map(({ total }) => total)).toEqual([60, 60, 60, 60])
    expect(await query({ pageNo: 9, pageSize: 20 })).toMatchObject({ records: [], total: 60 })
    for (const sort of [
      { field: 'products', order: 'asc' },
      { field: 'idleDays', order: 'asc' },
      { field: 'name', order: 'up' },
      { field: 'nope', order: 'asc' },
    ]) {
      await expect(query({ sort: [sort as never] })).rejects.toMatchObject({ reason: 'badRequest' })
    }
  })

  it('stays exact on deep pages: every page of 2,500 rows is the slice of the whole order that it should be', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) =>
      clientRow({ id: `deep${String(index).padStart(4, '0')}`, name: '深页', staff: index % 7, ownerId: PEOPLE.li }),
    )
    await world.engine.transaction(systemContext(), (entities) => entities.insertMany('test.client', many))
    const li = as(PEOPLE.li)
    const sort = [{ field: 'staff', order: 'desc' as const }]
    const order = many
      .map(({ id, staff }) => ({ id: id as string, staff: staff as number }))
      .sort((a, b) => b.staff - a.staff || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id)
    for (const pageNo of [1, 10, 11, 15, 20, 24, 25, 26]) {
      const page = await query({ where: where('name', 'eq', '深页'), sort, pageNo, pageSize: 100 }, li)
      expect(ids(page)).toEqual(order.slice((pageNo - 1) * 100, pageNo * 100))
      expect(page.total).toBe(2_500)
    }
    await world.database.query(`delete from test_client where name = '深页'`)
  })

  describe('of very many rows', () => {
    const li = as(PEOPLE.li)
    const many = { where: where('staff', 'eq', 2), summary: [{ field: 'staff', function: 'sum' as const }] }
    beforeAll(async () => {
      await world.database.query(
        `insert into test_client (id, created_at, updated_at, version, name, level, holding, stage, vip, currency, staff, owner_id)
         select 'many-' || n, now(), now(), 1, case when n % 1000 = 0 then 'Buyer ' || n || ' Customer' else 'Customer ' || n || ' Ltd' end,
           'd', 'private', 'open', false, 'USD', 2, $1 from generate_series(1, 20001) n`,
        [PEOPLE.li],
      )
      await world.database.query('analyze test_client')
    })
    afterAll(() => world.database.query(`delete from test_client where id like 'many-%'`))

    it('asks an index only for what is rare in a phrase, and finds what has the whole phrase', async () => {
      const fresh = await startEngine(world.database, documents)
      const found = async (keyword: string) => {
        return (await fresh.queryPage('test.client', li, { keyword, pageSize: 1000 })).records.map(({ name }) => name)
      }
      const names = Array.from({ length: 20_001 }, (_, index) => `Customer ${index + 1} Ltd`).filter(
        (_, index) => (index + 1) % 1000,
      )
      for (const phrase of ['customer 1234', 'Customer 199', '234 LTD', 'omer 777 lt'])
        expect((await found(phrase)).sort()).toEqual(
          names.filter((name) => name.toLowerCase().includes(phrase.toLowerCase())).sort(),
        )
      expect(await found('Customer 7000')).toEqual([])
      expect(await found('r 7000 customer')).toEqual(['Buyer 7000 Customer'])
      const plan = await world.database.query<Record<'QUERY PLAN', string>>(
        sql`explain select 1 ${fresh.rows('test.client', li, { keyword: 'Customer 7777 Ltd' })}`,
      )
      expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/name ~~\* '%[r ]* ?7777 ?L?%'/)
    })

    it('does not let the rows wait for the number and the sums: those are asked for alone', async () => {
      const page = await query({ ...many, pageSize: 3 }, li)
      const counted = await query({ ...many, pageSize: 3, countUpTo: 20_000 }, li)
      const onwards = await query({ ...many, cursor: '', pageSize: 3, countUpTo: 500 }, li)
      const sums = await query({ ...many, pageSize: 0 }, li)
      const deep = await query({ ...many, pageNo: 6_000, pageSize: 3, countUpTo: 20_000 }, li)
      await world.database.query(`delete from test_client where id = 'many-1'`)
      const fewer = await query({ ...many, pageSize: 3, countUpTo: 20_000 }, li)
      expect(page).toMatchObject({ total: 20_001 })
      expect(page.records).toHaveLength(3)
      expect(page).not.toHaveProperty('summary')
      expect(page).not.toHaveProperty('totalAtLeast')
      expect(counted).toMatchObject({ total: 20_000, totalAtLeast: true, records: page.records })
      expect(counted).not.toHaveProperty('summary')
      expect(onwards).toMatchObject({ total: 500, totalAtLeast: true })
      expect(onwards).not.toHaveProperty('summary')
      expect(onwards.records).toHaveLength(3)
      expect(sums).toMatchObject({ records: [], total: 20_001, summary: { staff: 40_002 } })
      expect(deep.records).toHaveLength(3)
      expect(fewer).toMatchObject({ total: 20_000, summary: { staff: 40_000 } })
      expect(fewer).not.toHaveProperty('totalAtLeast')
    })
  })

  it('sums over all rows, not over the page, and never adds up different currencies, nor an amount whose currency is unknown', async () => {
    const { summary } = await query({
      pageSize: 1,
      summary: [
        { field: 'limit', function: 'sum' },
        { field: 'staff', function: 'max' },
        { field: 'vip', function: 'count' },
      ],
    })
    expect(summary).toEqual({ limit: '1800.0', currency: 'USD', staff: 59, vip: 60 })
    await world.database.query(`update test_client set currency = 'EUR' where id = 'c010'`)
    const mixed = await query({ summary: [{ field: 'limit', function: 'sum' }] })
    await world.database.query(`update test_client set currency = 'USD' where id = 'c010'`)
    expect(mixed.summary).toEqual({ limit: null, limitByCurrency: { EUR: '10.5', USD: '1789.5' } })
    await world.database.query(`update test_client set currency = null where id = 'c010'`)
    const unknown = await query({ summary: [{ field: 'limit', function: 'sum' }] })
    await world.database.query(`update test_client set currency = 'USD' where id = 'c010'`)
    expect(unknown.summary).toEqual({ limit: null, limitByCurrency: { USD: '1789.5', '': '10.5' } })
    await world.database.query(`update test_client set currency = null where id in ('c010', 'c011')`)
    const several = await query({ summary: [{ field: 'limit', function: 'sum' }] })
    const only = await query({ ids: ['c010', 'c011'], summary: [{ field: 'limit', function: 'max' }] })
    await world.database.query(`update test_client set currency = 'USD' where id in ('c010', 'c011')`)
    expect(several.summary).toMatchObject({ limit: null, limitByCurrency: { USD: expect.any(String) as string, '': null } })
    expect(only.summary).toEqual({ limit: null, limitByCurrency: { '': null } })
    await expect(query({ summary: [{ field: 'name', function: 'sum' }] })).rejects.toMatchObject({ reason: 'badRequest' })
  })

  it('reads fields one step away only of records in scope', async () => {
    await world.engine.transaction(systemContext(), (entities) =>
      entities.insertMany('test.client', [clientRow({ id: 'far', name: '别人的', email: 'far@x.com', ownerId: PEOPLE.li })]),
    )
    await world.database.query(
      `update test_client set agent_id = case id when 'c001' then 'c002' else 'far' end where id in ('c001', 'c003')`,
    )
    const page = await query({ ids: ['c001', 'c003'], expand: ['agentId.email', 'ownerId.jobNumber'] })
    expect(page.refs['test.client']).toEqual({
      c002: { title: '客户 2 100%_\\', fields: { email: 'u2@x.com' } },
      far: { title: '别人的' },
    })
    expect(page.refs['sys.staff']?.[PEOPLE.wang]).toEqual({ title: '王伟 (S0002)', fields: { jobNumber: 'S0002' } })
    await expect(query({ expand: ['agentId.nope'] })).rejects.toMatchObject({ reason: 'badRequest' })
  })

  it('compares what lies behind references; the rights of every step hold', async () => {
    const rows = [
      clientRow({ id: 'behind-1', name: '读得到的代理', level: 'a', holding: 'path', ownerId: PEOPLE.li, agentId: 'behind-2' }),
      clientRow({ id: 'behind-2', name: '代理甲', level: 'b', holding: 'path', ownerId: PEOPLE.li, taxNo: 'T-77' }),
      clientRow({ id: 'behind-3', name: '读不到的代理', level: 'a', holding: 'path', ownerId: PEOPLE.li, agentId: 'behind-4' }),
      clientRow({ id: 'behind-4', name: '代理乙', level: 'b', holding: 'path', ownerId: PEOPLE.zhao }),
    ]
    await world.engine.transaction(systemContext(), (entities) => entities.insertMany('test.client', rows))
    const li = as(PEOPLE.li, { scope: ['own'] })
    const found = async (field: string, operator: string, value?: unknown, context = li) =>
      ids(await query({ where: [...where(field, operator, value), ...where('holding', 'eq', 'path')] }, context)).sort()
    expect(await found('agentId.name', 'contains', '代理甲')).toEqual(['behind-1'])
    expect(await found('agentId.level', 'in', ['b'])).toEqual(['behind-1'])
    expect(await found('ownerId.mainDeptId.code', 'eq', 'SALES')).toEqual(['behind-1', 'behind-2', 'behind-3'])
    expect(await found('ownerId.mainDeptId.code', 'ne', 'SALES')).toEqual([])
    // a record out of reach has no value, as in the columns; what also holds without a value holds for it
    expect(await found('agentId.name', 'contains', '代理乙')).toEqual([])
    expect(await found('agentId.level', 'ne', 'b')).toEqual(['behind-2', 'behind-3'])
    expect(await found('agentId.level', 'empty')).toEqual(['behind-2', 'behind-3'])
    const refused = { reason: 'badRequest' }
    const plain = as(PEOPLE.li, { scope: ['own'], without: ['test:client:viewSensitive'] })
    await expect(found('agentId.taxNo', 'eq', 'T-77', plain)).rejects.toMatchObject(refused)
    const blind = (fieldRules: Record<string, 'hide' | 'mask'>) => as(PEOPLE.li, { scope: ['own'], fieldRules })
    await expect(found('agentId.level', 'eq', 'b', blind({ 'test.client.level': 'hide' }))).rejects.toMatchObject(refused)
    await expect(found('agentId.level', 'eq', 'b', blind({ 'test.client.agentId': 'mask' }))).rejects.toMatchObject(refused)
    for (const path of [
      'name.level',
      'agentId.nope',
      'agentId.',
      '.name',
      'agentId.agentId.agentId.agentId.name',
      'agentId.nameKey',
    ])
      await expect(found(path, 'eq', 'x'), path).rejects.toMatchObject(refused)
    await world.database.query(`delete from test_client where id like 'behind-%'`)
  })

  it('finds options for reference fields, those that start with the keyword first', async () => {
    expect(await world.engine.select('sys.staff', me(), { keyword: '王' })).toEqual([
      { id: PEOPLE.wang, title: '王伟 (S0002)', name: '王伟', jobNumber: 'S0002' },
    ])
    expect((await world.engine.select('sys.staff', me(), { keyword: 'S000' })).length).toBe(5)
  })
})

describe('masked and hidden fields', () => {
  const blind = () =>
    as(PEOPLE.wang, {
      without: ['test:client:viewSensitive'],
      fieldRules: { 'test.client.limit': 'hide', 'test.client.email': 'mask', 'test.client.staff': 'read' },
    })

  it('masks values, and what is computed from them, in lists and details', async () => {
    const page = await query({ ids: ['c005'] }, blind())
    expect(page.records[0]).toMatchObject({ phone: '138****0005', email: 'u***@x.com', taxLength: '***', staff: 5 })
    expect(page.records[0]).not.toHaveProperty('limit')
    await world.database.query(`update test_client set tax_no = 'ABCDEFG' where id = 'c005'`)
    expect((await world.engine.view('test.client', blind(), 'c005')).record).toMatchObject({ taxNo: 'A***', taxLength: '***' })
  })

  it('cannot be filtered, sorted, summed or searched by', async () => {
    await expect(query({ where: where('phone', 'startsWith', '+86138') }, blind())).rejects.toMatchObject({
      reason: 'badRequest',
    })
    await expect(query({ sort: [{ field: 'phone', order: 'asc' }] }, blind())).rejects.toMatchObject({ reason: 'badRequest' })
    const page = await query({ summary: [{ field: 'limit', function: 'sum' }] }, blind())
    expect(page.records).not.toHaveLength(0)
    expect(page.summary).toEqual({})
    expect((await query({ keyword: '13812340005' })).total).toBe(1)
    expect((await query({ keyword: '13812340005' }, blind())).total).toBe(0)
    expect((await query({ keyword: 'u5@x' }, blind())).total).toBe(0)
  })

  it('cannot be overwritten or guessed, and stay masked in history and stale answers', async () => {
    const save = (body: Record<string, unknown>, context = blind()) =>
      world.engine.save('test.client', context, { id: 'c005', ...body })
    await expect(save({ phone: '+8613812340005' })).rejects.toMatchObject({ reason: 'noPermission' })
    await expect(save({ phone: '+8613899999999' })).rejects.toMatchObject({ reason: 'noPermission' })
    await expect(save({ limit: '5.5' })).rejects.toMatchObject({ reason: 'noPermission' })
    await expect(save({ staff: 9 })).rejects.toMatchObject({ reason: 'noPermission' })
    expect((await save({ phone: '138****0005', email: 'u***@x.com', staff: 5, remark: 'ok' })).version).toBe(2)
    await save({ phone: '+8613800000001' }, me())
    const log = await world.engine.log('test.client', blind(), 'c005')
    expect(log.records[0]!.changes).toEqual([{ field: 'phone', before: '138****0005', after: '138****0001' }])
    await expect(save({ version: 2, remark: 'late' })).rejects.toMatchObject({
      reason: 'stale',
      data: { changes: [{ field: 'phone', before: '138****0005', after: '138****0001' }] },
    })
  })
})

describe('hostile input', () => {
  const CORPUS = [
    "'; drop table test_client; --",
    "' or '1'='1",
    '") or true --',
    '$1',
    '${1}',
    '{{ 1 }}',
    '%00',
    'a\\',
    "\\' or 1=1 --",
    '__proto__',
    'constructor',
    'id"; select pg_sleep(9) --',
    '🧨',
    '‮',
  ]

  it('is only ever a value: nothing is found, nothing breaks, nothing is dropped', async () => {
    for (const text of CORPUS) {
      expect((await query({ keyword: text })).total).toBe(0)
      for (const operator of ['eq', 'contains', 'startsWith'])
        expect((await query({ where: where('name', operator, text) })).total).toBe(0)
      expect((await query({ where: where('name', 'in', [text]) })).total).toBe(0)
      expect((await query({ where: where('products', 'overlaps', [text]) })).total).toBe(0)
      expect((await query({ ids: [text] })).total).toBe(0)
      await expect(world.engine.view('test.client', me(), text)).rejects.toMatchObject({ reason: 'notFound' })
      await expect(query({ where: where(text, 'eq', 'x') })).rejects.toMatchObject({ reason: 'badRequest' })
      await expect(query({ where: where('name', text, 'x') })).rejects.toMatchObject({ reason: 'badRequest' })
      await expect(query({ sort: [{ field: text, order: 'asc' }] })).rejects.toMatchObject({ reason: 'badRequest' })
      await expect(query({ sort: [{ field: 'name', order: text as 'asc' }] })).rejects.toMatchObject({ reason: 'badRequest' })
      await expect(query({ view: text })).rejects.toMatchObject({ reason: 'badRequest' })
      await expect(query({ expand: [text] })).rejects.toMatchObject({ reason: 'badRequest' })
      await expect(query({ summary: [{ field: 'staff', function: text as 'sum' }] })).rejects.toMatchObject({
        reason: 'badRequest',
      })
      expect((await world.engine.select('test.client', me(), { keyword: text })).length).toBe(0)
    }
    await expect(query({ keyword: 'a\u0000' })).rejects.toMatchObject({ reason: 'badRequest' })
    expect((await query({})).total).toBe(60)
  })

  it('never reaches the database as anything but a parameter (any text)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 30 }), async (text) => {
        const attempt = query({ where: where('name', 'contains', text), pageSize: 1 })
        const answer = await attempt.catch((error: { reason?: string }) => error.reason)
        expect(answer === 'badRequest' || typeof answer === 'object').toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})

describe('the audit log as a list', () => {
  it('masks the changes of an entity as the entity is masked for its reader', async () => {
    const { id } = await world.engine.save('test.client', as(PEOPLE.li), {
      name: '日志公司',
      phone: '+8613812349999',
      limit: '7',
    })
    const reader = as(PEOPLE.other, {
      keys: ['sys:log:read'],
      without: ['test:client:viewSensitive'],
      fieldRules: { 'test.client.limit': 'hide' },
    })
    const page = await world.engine.queryPage('sys.auditLog', reader, { where: where('recordId', 'eq', id) })
    const changes = page.records[0]!.changes as { field: string; after: unknown }[]
    expect(changes.find(({ field }) => field === 'phone')).toMatchObject({ after: '138****9999' })
    expect(changes.map(({ field }) => field)).not.toContain('limit')
    expect(changes.map(({ field }) => field)).not.toContain('nameKey')
  })
})

describe('a field that is searched as a whole', () => {
  it('is found by its whole value and not by a part of it, and stands in no index of parts', async () => {
    const { id } = await world.engine.save('test.client', as(PEOPLE.li), { name: '整值公司' })
    const reader = as(PEOPLE.other, { keys: ['sys:log:read'] })
    const found = async (keyword: string): Promise<unknown[]> =>
      (await world.engine.queryPage('sys.auditLog', reader, { keyword })).records.map(({ recordId }) => recordId)
    expect(await found(` ${id} `)).toEqual([id])
    expect(await found(id.slice(0, -1))).toEqual([])
    expect(await found('整值公')).toEqual([id])
    const { rows } = await world.database.query<{ definition: string }>(
      `select indexdef as definition from pg_indexes where tablename = 'sys_audit_log' and indexdef like '%record_id%' order by 1`,
    )
    expect(rows.map(({ definition }) => /USING (.*?\))/.exec(definition)?.[1])).toEqual([
      'btree (entity, record_id, id DESC)',
      'btree (record_id)',
    ])
  })
})

describe('the title of a record in the audit log', () => {
  it('is the title of what it refers to where the record has no name of its own', async () => {
    const { id } = await world.engine.save('test.client', as(PEOPLE.li), { name: '标题公司' })
    const share = await world.engine.transaction({ ...as(PEOPLE.li), kind: 'system' }, (entities) =>
      entities.save('test.share', { clientId: id, mode: 'read' }),
    )
    const reader = as(PEOPLE.other, { keys: ['sys:log:read'] })
    const page = await world.engine.queryPage('sys.auditLog', reader, { where: where('recordId', 'eq', share.id) })
    expect(page.records.map(({ recordTitle }) => recordTitle)).toEqual(['标题公司'])
  })
})

describe('a name that the reader of the audit log sees masked', () => {
  it('finds no row: by keyword, by any condition, in any order, also where it is the title of another record', async () => {
    const { id } = await world.engine.save('test.client', as(PEOPLE.li), { name: '隐名琥珀公司' })
    const share = await world.engine.transaction({ ...as(PEOPLE.li), kind: 'system' }, (entities) =>
      entities.save('test.share', { clientId: id, mode: 'read' }),
    )
    const keys = ['sys:log:read']
    const reader = as(PEOPLE.other, { keys, fieldRules: { 'test.client.name': 'mask' } })
    const open = as(PEOPLE.other, { keys })
    const asked = (request: Parameters<World['engine']['queryPage']>[2], context = reader) =>
      world.engine.queryPage('sys.auditLog', context, { pageSize: 1000, ...request })
    const of = async (request: Parameters<World['engine']['queryPage']>[2], context = reader) =>
      (await asked(request, context)).records
        .map(({ recordId }) => recordId)
        .filter((one) => [id, share.id].includes(one as string))

    const rows = (await asked({ where: where('recordId', 'in', [id, share.id]) })).records
    expect(rows.map(({ recordTitle }) => recordTitle)).toEqual(rows.map(({ recordId }) => recordId))
    expect(await of({ keyword: '隐名琥珀' }, open)).toHaveLength(2)
    expect(await of({ keyword: '隐名琥珀' })).toEqual([])
    for (const [operator, value] of [
      ['eq', '隐名琥珀公司'],
      ['contains', '琥珀'],
      ['startsWith', '隐'],
      ['in', ['隐名琥珀公司']],
      ['notIn', ['别的']],
      ['ne', '别的'],
      ['notEmpty', undefined],
    ] as const) {
      expect(await of({ where: where('recordTitle', operator, value) }), operator).toEqual([])
      expect(await of({ where: where('recordTitle', operator, value) }, open), operator).toHaveLength(2)
    }
    // rows whose title is not masked are found by it as before
    await world.engine.transaction({ ...as(PEOPLE.li), kind: 'system' }, (entities) =>
      entities.save('sys.department', { name: '琥珀事业部' }),
    )
    expect((await asked({ keyword: '琥珀事业部' })).records.map(({ recordTitle }) => recordTitle)).toEqual(['琥珀事业部'])
    const inOrder = { sort: [{ field: 'recordTitle', order: 'asc' as const }] }
    await expect(asked(inOrder)).rejects.toMatchObject({ reason: 'badRequest' })
    expect((await asked(inOrder, open)).total).toBeGreaterThan(2)
  })
})

describe('a changed entity file', () => {
  it('is refused with a report when stored values would be lost, and the database stays as it was', async () => {
    const narrowed = {
      ...client,
      properties: {
        ...client.properties,
        nameEn: { type: 'integer' as const, 'x-label': { zh: '英文名称', en: 'English name' } },
      },
    }
    const attempt = startEngine(
      world.database,
      documents.map((document) => (document.name === 'test.client' ? narrowed : document)),
    )
    await expect(attempt).rejects.toThrow(/test_client\.name_en/)
    expect((await query({ where: where('nameEn', 'eq', 'Client 1') })).total).toBe(1)
  })
})

describe('a new field', () => {
  it('appears in table, save, list, filter, sort, import, export and history after a restart with the entity file alone changed', async () => {
    const grown = {
      ...client,
      properties: {
        ...client.properties,
        fleet: { type: 'integer' as const, minimum: 0, default: 3 as never, 'x-label': { zh: '车辆数', en: 'Fleet' } },
      },
    }
    const engine = await startEngine(
      world.database,
      documents.map((document) => (document.name === 'test.client' ? grown : document)),
    )
    const { id, record } = await engine.save('test.client', me(), { name: '新字段', fleet: 12 })
    expect(record.fleet).toBe(12)
    const page = await engine.queryPage('test.client', me(), {
      where: where('fleet', 'gte', 10),
      sort: [{ field: 'fleet', order: 'desc' }],
    })
    expect(ids(page)).toEqual([id])
    expect((await engine.queryPage('test.client', me(), { where: where('fleet', 'eq', 3) })).total).toBe(60)
    expect((await engine.log('test.client', me(), id)).records[0]!.changes).toContainEqual({
      field: 'fleet',
      before: null,
      after: 12,
    })
    expect((await engine.importTemplate('test.client', me())).length).toBeGreaterThan(1000)
    const stream = new (await import('node:stream')).PassThrough()
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    await engine.exportTo(stream, 'test.client', me(), {
      ids: [id],
      columns: [{ field: 'fleet', title: 'Fleet' }],
      format: 'csv',
    })
    expect(Buffer.concat(chunks).toString()).toBe('\ufeffFleet\r\n12\r\n')
  })
})
