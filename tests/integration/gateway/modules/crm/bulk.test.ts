import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../../gateway/platform/database'
import { systemContext } from '../../../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway, type Caller, type TestGateway } from '../../../../support/gateway'
import { privateCustomer } from '../../../../support/privateCustomer'

type Row = Record<string, unknown> & { id: string }
interface Bulk {
  done: string[]
  refused: { id: string; title: string; reason: string }[]
}
const CUSTOMER = '/v2/crm/customer'
const OPPORTUNITY = '/v2/crm/opportunity'

let test: TestGateway
let sales: Caller
let colleague: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  ;[sales, colleague] = await Promise.all([test.signIn('S0006', DEMO_PASSWORD), test.signIn('S0014', DEMO_PASSWORD)])
  const now = test.clock.now()
  const { rows } = await test.gateway.database.query<{ dept: string }>(
    `select main_dept_id as dept from sys_staff where id = 'st-s0006'`,
  )
  const customers = Array.from({ length: 10 }, (_, place) =>
    privateCustomer({
      id: newId(),
      code: `BULK${place}`,
      name: `Bulk ${place} Ltd`,
      ownerId: 'st-s0006',
      ownerDeptId: rows[0]?.dept,
      ownedAt: now.toISOString(),
    }),
  )
  await test.gateway.engine.transaction(systemContext({ now }), (entities) => entities.insertMany('crm.customer', customers))
})
afterAll(() => test.close())

const list = async (caller: Caller, base: string, body: object): Promise<Row[]> =>
  (await caller.post<{ records: Row[] }>(`${base}/queryPage`, { pageSize: 200, ...body })).data.records
const move = (caller: Caller, base: string, ids: readonly string[], transition: string, values: object) =>
  caller.post<Bulk>(`${base}/stateUpdate`, { ids, transition, values })
const unshared = async (count: number): Promise<Row[]> => {
  const mine = await list(sales, CUSTOMER, { view: 'mine', where: [{ field: 'holding', operator: 'eq', value: 'private' }] })
  const { rows } = await test.gateway.database.query<{ id: string }>(
    `select customer_id as id from crm_share where status in ('pending', 'accepted')`,
  )
  const shared = new Set(rows.map((row) => row.id))
  const own = mine.filter((row) => row.ownerId === 'st-s0006' && !shared.has(row.id))
  // those of the demo world first
  return own
    .toSorted((a, b) => Number(String(a.code).startsWith('BULK')) - Number(String(b.code).startsWith('BULK')))
    .slice(0, count)
}
/** Customers whose alias is being changed: what else they may not do is refused for that first. */
const occupied = async (): Promise<string[]> => {
  const { rows } = await test.gateway.database.query<{ id: string }>(
    `select customer_id as id from crm_alias_record where status in ('pending', 'syncing', 'failed') and deleted_at is null`,
  )
  return rows.map(({ id }) => id)
}
const opportunityOf = async (customerId: string | undefined): Promise<Row> =>
  (
    await sales.post<{ record: Row }>(`${OPPORTUNITY}/save`, {
      name: '短信 ID 直连',
      customerId,
      product: 'sms',
      countries: ['ID'],
      monthlyVolume: 100_000,
      currency: 'USD',
      expectedPrice: '0.0125',
      expectedOn: '2030-01-31',
    })
  ).data.record

describe('several customers at once', () => {
  it('are shared row by row: each waits for its receiver, a known share is refused with its reason and undoes nothing', async () => {
    const [first, second, third] = await unshared(3)
    if (!first || !second || !third) throw new Error('The demo world gives this person too few customers.')
    const values = { shareWith: 'st-s0014', shareMode: 'read', shareReason: '一起参展' }
    expect((await move(sales, CUSTOMER, [first.id], 'share', values)).code).toBe(0)
    const { data } = await move(sales, CUSTOMER, [first.id, second.id, third.id], 'share', values)
    expect(data.done.sort()).toEqual([second.id, third.id].sort())
    expect(data.refused).toEqual([{ id: first.id, title: first.name, reason: '已经共享给该接收人。' }])
    const shares = await list(colleague, '/v2/crm/share', {
      view: 'toAccept',
      where: [{ field: 'reason', operator: 'eq', value: '一起参展' }],
    })
    expect(shares.map((row) => row.customerId).sort()).toEqual([first.id, second.id, third.id].sort())
    for (const share of shares) {
      expect([share.status, share.createdBy]).toEqual(['pending', 'st-s0006'])
      expect(Date.parse(String(share.expiresAt)) - Date.parse(String(share.createdAt))).toBe(72 * 3_600_000)
    }
    expect((await colleague.get(`${CUSTOMER}/view/${first.id}`)).code).toBe(10010004)
    const accepted = await move(
      colleague,
      '/v2/crm/share',
      shares.map((row) => row.id),
      'accept',
      {},
    )
    expect(accepted.data.done).toHaveLength(3)
    expect((await colleague.get(`${CUSTOMER}/view/${first.id}`)).code).toBe(0)
  })

  it('are shared with a department at once, never with nobody, both or beyond a year, and by their owner only', async () => {
    const [customer] = await unshared(1)
    const id = customer?.id ?? ''
    const base = { shareMode: 'edit', shareReason: '项目组' }
    expect((await move(sales, CUSTOMER, [id], 'share', base)).msg).toBe('请选择接收人。')
    const both = { ...base, shareWith: 'st-s0014', shareDepartment: 'dp-s-cn2' }
    expect((await move(sales, CUSTOMER, [id], 'share', both)).code).toBe(10010005)
    const late = { ...base, shareWith: 'st-s0014', shareUntil: '2099-01-01' }
    expect((await move(sales, CUSTOMER, [id], 'share', late)).msg).toBe('共享最长 365 天。')
    expect((await move(sales, CUSTOMER, [id], 'share', { ...base, shareDepartment: 'dp-s-cn2' })).code).toBe(0)
    const [row] = await list(sales, '/v2/crm/share', { where: [{ field: 'customerId', operator: 'eq', value: id }] })
    expect([row?.status, row?.toType]).toEqual(['accepted', 'department'])
    const director = await test.signIn('S0003', DEMO_PASSWORD)
    const foreign = await move(director, CUSTOMER, [id], 'share', { ...base, shareWith: 'st-s0008' })
    expect([foreign.code, foreign.msg]).toEqual([10010007, '只有负责人可以执行“共享”。'])
  })
})

describe('tags for several customers', () => {
  it('are added to those that they have, and nobody keeps more customers than the rule lets', async () => {
    const ids = (await unshared(50))
      .filter(({ tags }) => !Array.isArray(tags) || tags.length === 0)
      .map(({ id }) => id)
      .slice(0, 2)
    for (const addedTags of [['seasonal'], ['seasonal', 'keyTarget']])
      expect((await move(sales, CUSTOMER, ids, 'addTags', { addedTags })).data.done.sort()).toEqual(ids.sort())
    const { rows: kept } = await test.gateway.database.query<{ kept: number }>(
      `select count(*) as kept from crm_customer where owner_id = 'st-s0006' and deleted_at is null and tags @> '["keep"]'::jsonb`,
    )
    const keepTagMax = Number(kept[0]?.kept) + 1
    await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
      entities.insertMany('sys.ruleOverride', [
        { id: newId(), ruleKey: 'crm.sea', targetType: 'staff', targetId: 'st-s0006', reason: 'a test', params: { keepTagMax } },
      ]),
    )
    const both = await move(sales, CUSTOMER, ids, 'addTags', { addedTags: ['keep'] })
    expect([both.data.done.length, both.data.refused.length]).toEqual([1, 1])
    expect(both.data.refused[0]?.reason).toContain(`每人最多保留 ${keepTagMax} 位客户`)
    const { data: after } = await sales.get<{ record: Row }>(`${CUSTOMER}/view/${both.data.done[0] ?? ''}`)
    expect(after.record.tags).toEqual(['seasonal', 'keyTarget', 'keep'])
  })
})

describe('several opportunities at once', () => {
  it('go to somebody who has the customer; the others stay, each with its reason', async () => {
    const [shown, hidden] = (await unshared(2)).map((row) => row.id)
    const [goes, stays] = await Promise.all([shown, hidden].map(opportunityOf))
    const share = { shareWith: 'st-s0014', shareMode: 'edit', shareReason: '联合推进商机' }
    expect((await move(sales, CUSTOMER, [shown ?? ''], 'share', share)).code).toBe(0)
    const [waiting] = await list(colleague, '/v2/crm/share', {
      view: 'toAccept',
      where: [{ field: 'customerId', operator: 'eq', value: shown }],
    })
    expect((await move(colleague, '/v2/crm/share', [waiting?.id ?? ''], 'accept', {})).code).toBe(0)
    const values = { handOverTo: 'st-s0014', handOverReason: '产品线调整' }
    const { data } = await move(sales, OPPORTUNITY, [goes?.id ?? '', stays?.id ?? ''], 'handOver', values)
    expect(data.done).toEqual([goes?.id])
    expect(data.refused).toMatchObject([{ id: stays?.id, reason: '对方看不到该客户，请先共享或转移客户。' }])
    const { data: after } = await colleague.get<{ record: Row }>(`${OPPORTUNITY}/view/${goes?.id}`)
    expect(after.record).toMatchObject({
      stage: goes?.stage,
      winRate: goes?.winRate,
      ownerId: 'st-s0014',
      ownerDeptId: 'dp-s-cn2',
      $write: true,
    })
    const { rows } = await test.gateway.database.query(
      `select 1 from sys_message where kind = 'opportunityReceived' and subject_id = $1 and receiver_id = 'st-s0014'`,
      [goes?.id],
    )
    expect(rows).toHaveLength(1)
    expect(
      (await move(colleague, OPPORTUNITY, [goes?.id ?? ''], 'handOver', { handOverTo: 'st-s0006', handOverReason: '还给负责人' }))
        .code,
    ).toBe(0)
    expect((await move(sales, OPPORTUNITY, [goes?.id ?? ''], 'handOver', { ...values, handOverTo: 'st-s0006' })).code).toBe(
      10030002,
    )
  })
})

describe('a customer that is voided', () => {
  it('leaves shares, transfers and duplicate checks, is found under its own view, and comes back to its owner', async () => {
    const director = await test.signIn('S0003', DEMO_PASSWORD)
    const [made] = [
      await sales.post<{ record: Row }>(`${CUSTOMER}/save`, {
        name: '杭州作废试验信息技术有限公司',
        countryCode: 'CN',
        customerType: 'enterprise',
        source: 'website',
      }),
    ]
    const { id } = made.data.record
    expect(
      (await move(sales, CUSTOMER, [id], 'share', { shareWith: 'st-s0014', shareMode: 'read', shareReason: '协同' })).code,
    ).toBe(0)
    expect((await move(sales, CUSTOMER, [id], 'void', { voidReason: '误建' })).code).toBe(10010003)
    expect((await move(director, CUSTOMER, [id], 'void', {})).code).toBe(10010005)
    expect((await move(director, CUSTOMER, [id], 'void', { voidReason: '误建' })).code).toBe(0)
    const where = [{ field: 'voided', operator: 'eq', value: true }]
    expect((await list(director, CUSTOMER, { where })).map((row) => row.id)).toContain(id)
    const [share] = await list(sales, '/v2/crm/share', { where: [{ field: 'customerId', operator: 'eq', value: id }] })
    expect([share?.status, share?.endReason]).toEqual(['ended', '误建'])
    expect((await move(director, CUSTOMER, [id], 'unfreeze', {})).code).toBe(10010007)
    const again = await colleague.post<Row>(`${CUSTOMER}/save`, {
      name: '杭州作废试验信息技术有限公司',
      countryCode: 'CN',
      customerType: 'enterprise',
      source: 'website',
    })
    expect([again.code, again.msg]).toEqual([0, expect.any(String)])
    expect((await move(director, CUSTOMER, [id], 'unvoid', {})).code).toBe(0)
    const { data } = await sales.get<{ record: Row }>(`${CUSTOMER}/view/${id}`)
    expect(data.record).toMatchObject({ duplicateOfId: again.data.id, holding: 'private', ownerId: 'st-s0006', voided: false })
  })

  it('is refused while an account lives, and for class A', async () => {
    const director = await test.signIn('S0003', DEMO_PASSWORD)
    const { rows } = await test.gateway.database.query<{ id: string; level: string }>(
      `select distinct on (c.level = 'a') c.id, c.level from crm_customer c join fin_customer_account a on a.customer_id = c.id
       where a.status = 'active' and c.holding = 'private' and c.blacklisted is not true and c.deleted_at is null
         and c.id <> all($1) order by c.level = 'a', c.id`,
      [await occupied()],
    )
    expect(rows.length).toBe(2)
    for (const { id, level } of rows) {
      const { code, msg } = await move(director, CUSTOMER, [id], 'void', { voidReason: '停止合作' })
      expect([code, msg]).toEqual([10010007, expect.stringContaining(level === 'a' ? 'A类' : '关闭账户')])
    }
  })
})
