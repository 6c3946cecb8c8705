import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '../../../../../gateway/platform/calendar'
import { writeDaily } from '../../../../../gateway/modules/srm/stock/daily'
import { verifyModules } from '../../../../../gateway/modules'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway } from '../../../../support/gateway'
import type { Caller, TestGateway } from '../../../../support/gateway'

type Row = Record<string, unknown> & { id: string }

let test: TestGateway
let lead: Caller
let seller: Caller
let manager: Caller
let finance: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const enter = (jobNumber: string): Promise<Caller> => test.signIn(jobNumber, DEMO_PASSWORD)
  ;[lead, seller, manager, finance] = await Promise.all([enter('S0045'), enter('S0006'), enter('S0004'), enter('S0052')])
})
afterAll(() => test.close())

let count = 0
const save = async (entity: string, values: object): Promise<string> => {
  const saved = await lead.post<{ id: string }>(`/v2/srm/${entity}/save`, values)
  expect(saved.msg).toBe('OK')
  return saved.data.id
}
const view = async (entity: string, id: string): Promise<Row> =>
  (await lead.get<{ record: Row }>(`/v2/srm/${entity}/view/${id}`)).data.record
const move = (entity: string, id: string, transition: string, values: object = {}) =>
  lead.post('/v2/srm/' + entity + '/stateUpdate', { ids: [id], transition, values })
const rows = async (entity: string, field: string, value: string): Promise<Row[]> =>
  (
    await lead.post<{ records: Row[] }>(`/v2/srm/${entity}/queryPage`, {
      pageNo: 1,
      pageSize: 100,
      where: [{ field, operator: 'eq', value }],
    })
  ).data.records
const warehouse = (): Promise<string> =>
  save('warehouse', { code: `T${(count += 1)}`, name: `测试仓${count}`, kind: 'main', countryCode: 'CN' })
const supplier = (): Promise<string> =>
  save('equipmentSupplier', { name: `深圳鼎信设备${(count += 1)}有限公司`, countryCode: 'CN', currency: 'CNY' })
const product = (more: object = {}): Promise<string> =>
  save('product', {
    ...{ name: `语音网关${(count += 1)}`, nameEn: `GoIP-${count}`, category: 'goip', model: `GoIP-${count}` },
    ...{ unit: 'pcs', salePrice: '900.00', ...more },
  })
const stockOf = async (productId: string, warehouseId: string): Promise<Row | undefined> =>
  (await rows('stock', 'productId', productId)).find((row) => row.warehouseId === warehouseId)
const figures = async (productId: string, warehouseId: string): Promise<number[]> => {
  const stock = await stockOf(productId, warehouseId)
  return [stock?.qty, stock?.value, stock?.avgCost].map(Number)
}

describe('stock (10)', () => {
  it('receives in two parts, moves to another warehouse and takes a document back, to the cent', async () => {
    const [from, to, by, what] = await Promise.all([warehouse(), warehouse(), supplier(), product()])
    const receive = async (qty: string, unitCost: string): Promise<string> => {
      const lines = [{ productId: what, qty, unitCost }]
      const id = await save('stockIn', { kind: 'purchase', warehouseId: from, supplierId: by, lines })
      expect((await move('stockIn', id, 'post')).msg).toBe('OK')
      return id
    }
    const first = await receive('10', '596.40')
    await receive('5', '630')
    expect(await figures(what, from)).toEqual([15, 9114, 607.6])
    expect(await view('stockIn', first)).toMatchObject({ status: 'posted', totalCost: '5964' })

    const sent = await save('stockOut', {
      kind: 'move',
      warehouseId: from,
      toWarehouseId: to,
      lines: [{ productId: what, qty: '4' }],
    })
    expect((await move('stockOut', sent, 'post')).msg).toBe('OK')
    expect(await figures(what, from)).toEqual([11, 6683.6, 607.6])
    const [arrival] = await rows('stockIn', 'warehouseId', to)
    expect((await move('stockIn', arrival!.id, 'post')).msg).toBe('OK')
    expect(await figures(what, to)).toEqual([4, 2430.4, 607.6])
    expect((await move('stockOut', sent, 'reverse', { note: '写错了' })).code).toBe(10060054)

    const used = await save('stockOut', {
      kind: 'ownUse',
      warehouseId: from,
      gatewayName: 'gw-1',
      remark: '机房',
      lines: [{ productId: what, qty: '12' }],
    })
    const refused = await move('stockOut', used, 'post')
    expect([refused.code, refused.msg]).toEqual([10060059, expect.stringContaining('需要 12，可用 11')])
    expect((await move('stockIn', first, 'reverse', { note: '重复录入' })).msg).toBe('OK')
    expect((await figures(what, from)).slice(0, 2)).toEqual([1, 719.6])
    expect((await view('stockIn', first)).status).toBe('reversed')

    const flows = (await rows('stockFlow', 'productId', what)).filter(({ warehouseId }) => warehouseId === from)
    const sum = (field: string): number => flows.reduce((total, flow) => total + Number(flow[field]), 0)
    expect([flows.length, sum('qty'), Number(sum('amount').toFixed(6))]).toEqual([4, 1, 719.6])
  })

  it('registers pieces by serial number and MAC, and takes out only those that are here', async () => {
    const [place, what] = await Promise.all([warehouse(), product({ serialised: true, hasMac: true })])
    const by = await supplier()
    const incoming = async (units: string, qty: string, kind = 'opening') => {
      const id = await save('stockIn', {
        ...(kind === 'purchase' ? { kind, supplierId: by } : { kind }),
        warehouseId: place,
        lines: [{ productId: what, qty, unitCost: '500', units }],
      })
      return { id, ...(await move('stockIn', id, 'post')) }
    }
    const serial = `S${String(count)}`
    const mac = 'aa-bb-cc-00-11'
    expect((await incoming(`${serial}A ${mac}-22`, '2')).msg).toContain('两者须一致')
    expect((await incoming(`${serial}A ${mac}-22\n${serial}B 01-00-5e-00-00-01`, '2')).msg).toContain('第 2 行')
    expect((await incoming(`${serial}A ${mac}-22\n${serial}B AABB.CC00.1123`, '2')).msg).toBe('OK')
    expect((await incoming(`${serial}A ${mac}-29`, '1', 'purchase')).code).toBe(10060059)
    expect((await incoming(`${serial}C ${mac}-30`, '1')).code).toBe(10060058)
    const wrong = await incoming(`${serial}D ${mac}-31`, '1', 'purchase')
    expect((await move('stockIn', wrong.id, 'reverse', { note: '录错' })).msg).toBe('OK')
    expect(await rows('deviceUnit', 'serialNo', `${serial}D`)).toEqual([])
    const again = await incoming(`${serial}D ${mac}-31`, '1', 'purchase')
    expect((await move('stockIn', again.id, 'reverse', { note: '录错' })).msg).toBe('OK')
    expect((await stockOf(what, place))?.qty).toBe('2')

    const out = async (units: string) => {
      const id = await save('stockOut', {
        kind: 'ownUse',
        warehouseId: place,
        gatewayName: 'gw-7',
        remark: '上线',
        lines: [{ productId: what, qty: '1', units }],
      })
      return { id, ...(await move('stockOut', id, 'post')) }
    }
    expect((await out(`${serial}X`)).code).toBe(10060059)
    const used = await out('AABBCC001123')
    expect(used.msg).toBe('OK')
    const unit = async (): Promise<Row> => (await rows('deviceUnit', 'serialNo', `${serial}B`))[0]!
    expect(await unit()).toMatchObject({ status: 'inUse', gatewayName: 'gw-7', macAddress: 'AA:BB:CC:00:11:23' })
    const { id } = await unit()
    expect((await move('deviceUnit', id, 'changeMac', { newMac: `${mac}-22`, note: '换板' })).code).toBe(10060059)
    expect((await move('deviceUnit', id, 'changeMac', { newMac: `${mac}-77`, note: '换板' })).msg).toBe('OK')
    expect((await unit()).macAddress).toBe('AA:BB:CC:00:11:77')
    expect((await rows('macLog', 'unitId', id)).map(({ action }) => action).sort()).toEqual(['bind', 'change', 'register'])
    expect((await move('stockOut', used.id, 'reverse', { note: '退回' })).msg).toBe('OK')
    expect(await unit()).toMatchObject({ status: 'inStock', warehouseId: place })
  })

  it('32 people post at once: none is lost, and nothing goes below zero', async () => {
    const [place, what] = await Promise.all([warehouse(), product()])
    const opening = await save('stockIn', {
      kind: 'opening',
      warehouseId: place,
      lines: [{ productId: what, qty: '20', unitCost: '3.333333' }],
    })
    expect((await move('stockIn', opening, 'post')).msg).toBe('OK')
    const documents = await Promise.all(
      Array.from({ length: 32 }, () =>
        save('stockOut', {
          kind: 'ownUse',
          warehouseId: place,
          gatewayName: 'gw',
          remark: '并发',
          lines: [{ productId: what, qty: '1' }],
        }),
      ),
    )
    const answers = await Promise.all(documents.map((id) => move('stockOut', id, 'post')))
    expect(answers.filter(({ msg }) => msg === 'OK')).toHaveLength(20)
    expect(answers.filter(({ code }) => code === 10060059)).toHaveLength(12)
    expect((await figures(what, place)).slice(0, 2)).toEqual([0, 0])
    const flows = await rows('stockFlow', 'productId', what)
    expect([flows.length, flows.reduce((sum, { qty }) => sum + Number(qty), 0)]).toEqual([21, 0])
  })

  it('sells, ships in parts, takes one back: stock, cost, margin and receivable to the cent', async () => {
    const [place, by, what] = await Promise.all([warehouse(), supplier(), product({ serialised: true, salePrice: '1000.00' })])
    const serials = (from: number, qty: number): string =>
      Array.from({ length: qty }, (_, index) => `W${count}-${from + index}`).join(';')
    for (const [qty, unitCost, from] of [
      ['10', '596.40', 1],
      ['5', '630', 11],
    ] as const) {
      const lines = [{ productId: what, qty, unitCost, units: serials(from, Number(qty)) }]
      const id = await save('stockIn', { kind: 'purchase', warehouseId: place, supplierId: by, lines })
      expect((await move('stockIn', id, 'post')).msg).toBe('OK')
    }
    const mine = await seller.post<{ records: Row[] }>('/v2/crm/customer/queryPage', { pageNo: 1, pageSize: 1, view: 'mine' })
    const customerId = mine.data.records[0]!.id
    const sell = async (qty: string, price: string, more: object = {}) => {
      const sale = {
        customerId,
        saleKind: 'sale',
        currency: 'CNY',
        warehouseId: place,
        shipTo: '深圳南山科技园 1 号',
        payTerm: 'net30',
      }
      const saved = await seller.post<{ id: string }>('/v2/srm/deviceSale/save', {
        ...sale,
        ...more,
        lines: [{ productId: what, qty, price }],
      })
      expect(saved.msg).toBe('OK')
      return saved.data.id
    }
    const act = (by: Caller, id: string, transition: string, values: object = {}) =>
      by.post('/v2/srm/deviceSale/stateUpdate', { ids: [id], transition, values })
    const sale = async (id: string): Promise<Row> =>
      (await manager.get<{ record: Row }>(`/v2/srm/deviceSale/view/${id}`)).data.record
    const stock = async (): Promise<number[]> => {
      const row = await stockOf(what, place)
      return [row?.qty, row?.lockedQty, row?.availableQty, row?.value].map(Number)
    }

    const id = await sell('4', '990')
    expect((await act(seller, id, 'submit')).msg).toContain('直接确认')
    expect((await act(seller, id, 'confirm')).msg).toBe('OK')
    expect(await stock()).toEqual([15, 4, 11, 9114])
    const tooMany = await sell('12', '990')
    const refused = await act(seller, tooMany, 'confirm')
    expect([refused.code, refused.msg]).toEqual([10060059, expect.stringContaining('需要 12，可用 11')])

    const draft = async (entity: 'stockOut' | 'stockIn'): Promise<Row> =>
      (await rows(entity, 'saleId', id)).find(({ status }) => status === 'draft')!
    const post = async (entity: 'stockOut' | 'stockIn', qty: string, units: string) => {
      const document = await draft(entity)
      const [line] = (await view(entity, document.id)).lines as Row[]
      const saved = await lead.post(`/v2/srm/${entity}/save`, { id: document.id, lines: [{ id: line!.id, qty, units }] })
      expect(saved.msg).toBe('OK')
      return { id: document.id, answer: await move(entity, document.id, 'post') }
    }
    expect((await post('stockOut', '1', serials(1, 1))).answer.msg).toBe('OK')
    expect(await sale(id)).toMatchObject({ status: 'partShipped', shippedQty: '1', payStatus: 'unpaid' })
    expect((await post('stockOut', '4', serials(2, 4))).answer.code).toBe(10060058)
    const last = await post('stockOut', '3', serials(2, 3))
    expect(last.answer.msg).toBe('OK')
    expect(await stock()).toEqual([11, 0, 11, 6683.6])
    expect(await sale(id)).toMatchObject({
      status: 'shipped',
      shippedAmount: '3960',
      revenue: '3960',
      cost: '2430.4',
      profit: '1529.6',
    })
    expect((await rows('deviceUnit', 'serialNo', serials(1, 1)))[0]).toMatchObject({ status: 'sold', customerId })

    expect((await act(lead, id, 'takeBack')).msg).toBe('OK')
    expect((await post('stockIn', '1', serials(9, 1))).answer.code).toBe(10060059)
    const back = await post('stockIn', '1', serials(1, 1))
    expect(back.answer.msg).toBe('OK')
    expect(await stock()).toEqual([12, 0, 12, 7291.2])
    expect(await sale(id)).toMatchObject({
      status: 'shipped',
      returnedQty: '1',
      revenue: '2970',
      cost: '1822.8',
      profit: '1147.2',
    })
    expect((await act(seller, id, 'complete')).msg).toContain('尚未收清')
    const accounts = await finance.post<{ records: Row[] }>('/v2/fin/customerAccount/queryPage', {
      ...{ pageNo: 1, pageSize: 10 },
      where: [
        { field: 'customerId', operator: 'eq', value: customerId },
        { field: 'product', operator: 'eq', value: 'device' },
      ],
    })
    expect(accounts.data.records).toMatchObject([{ balance: '-2970', currency: 'CNY', stage: 'normal' }])

    expect((await move('stockOut', last.id, 'reverse', { note: '发错' })).msg).toBe('OK')
    expect(await sale(id)).toMatchObject({ status: 'partShipped', shippedQty: '1', returnedQty: '1' })
    expect((await move('stockIn', back.id, 'reverse', { note: '写错' })).msg).toBe('OK')
    expect((await sale(id)).shippedAmount).toBe('990')

    const cheap = await sell('1', '949.99')
    expect((await act(seller, cheap, 'confirm')).msg).toContain('须先审批')
    expect((await act(seller, cheap, 'submit')).msg).toBe('OK')
    expect((await act(manager, cheap, 'approve')).msg).toBe('OK')
    expect((await act(seller, cheap, 'cancel', { note: '客户不要了' })).msg).toBe('OK')
    expect((await rows('stockOut', 'saleId', cheap)).map(({ status }) => status)).toEqual(['cancelled'])
    expect((await stock()).slice(1, 2)).toEqual([3])
    const log = await manager.post<{ records: Row[] }>('/v2/srm/deviceSaleLog/queryPage', {
      ...{ pageNo: 1, pageSize: 20, where: [{ field: 'saleId', operator: 'eq', value: cheap }] },
    })
    expect(log.data.records.map(({ action }) => action).sort()).toEqual(['approve', 'create', 'submit', 'void'])
  })

  it('the daily report follows from the flows, and a second run changes nothing', async () => {
    const { database } = test.gateway
    const today = dayOf(new Date(), database.companyTimeZone)
    const write = () => database.transaction((tx) => writeDaily(tx, { from: '2000-01-01', to: today, now: new Date() }))
    await database.query(
      'update srm_inventory_daily set close_qty = close_qty + 1 where id = (select min(id) from srm_inventory_daily)',
    )
    expect(await write()).toMatchObject({ mended: 1 })
    expect(await write()).toEqual({ written: 0, mended: 0 })
    const { rows: broken } = await database.query(
      `select d.id from srm_inventory_daily d join srm_inventory_daily n on n.warehouse_id = d.warehouse_id and n.product_id = d.product_id and n.day = d.day + 1
       where n.open_qty <> d.close_qty or n.open_value <> d.close_value or d.close_value <> d.open_value + d.in_value - d.out_value + d.adjust_value`,
    )
    expect(broken).toEqual([])
  })

  it('the ledger holds what stock is worth: receipts, use, reversals and their differences', async () => {
    const { database } = test.gateway
    const drifted = (await verifyModules(database, { fix: false })).filter((drift) => drift.drifted > 0)
    expect(drifted).toEqual([])
    const { rows: types } = await database.query<{ type: string }>(
      `select distinct p.type from fin_posting p where p.source_type = 'stockDoc' order by 1`,
    )
    expect(types.map(({ type }) => type)).toEqual(['deviceReturn', 'deviceSale', 'opening', 'purchaseReceipt', 'stockVariance'])
  })

  it('a salesman neither sees nor posts stock documents', async () => {
    expect((await seller.post('/v2/srm/stockIn/save', { kind: 'opening', warehouseId: 'x' })).code).toBe(10010003)
  })
})
