import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, dayOf } from '../../../../../gateway/platform/calendar'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway } from '../../../../support/gateway'
import type { Caller, TestGateway } from '../../../../support/gateway'

type Row = Record<string, unknown> & { id: string }

let test: TestGateway
let buyer: Caller
let boss: Caller
let seller: Caller
let paying: string
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const enter = (jobNumber: string): Promise<Caller> => test.signIn(jobNumber, DEMO_PASSWORD)
  ;[buyer, boss, seller] = await Promise.all([enter('S0045'), enter('S0001'), enter('S0006')])
  // people decide here in one step: the processes have their own tests
  await test.gateway.database.query(`update wf_process set state = 'disabled' where code in ('srmPlan', 'srmOrder')`)
  const { rows } = await test.gateway.database.query<{ id: string }>(
    `select id from srm_payment_method where deleted_at is null limit 1`,
  )
  paying = rows[0]!.id
})
afterAll(() => test.close())

let count = 0
const save = async (entity: string, values: object): Promise<string> => {
  const saved = await buyer.post<{ id: string }>(`/v2/srm/${entity}/save`, values)
  expect(saved.msg, `${entity} ${JSON.stringify(saved)}`).toBe('OK')
  return saved.data.id
}
const view = async (entity: string, id: string): Promise<Row> =>
  (await buyer.get<{ record: Row }>(`/v2/srm/${entity}/view/${id}`)).data.record
const act = (caller: Caller, entity: string, id: string, transition: string, values: object = {}) =>
  caller.post('/v2/srm/' + entity + '/stateUpdate', { ids: [id], transition, values })
const move = async (entity: string, id: string, transition: string, values: object = {}, caller = buyer): Promise<void> => {
  const answer = await act(caller, entity, id, transition, values)
  expect(answer.msg, `${entity} ${transition} ${JSON.stringify(answer)}`).toBe('OK')
}
const rows = async (entity: string, field: string, value: string): Promise<Row[]> =>
  (
    await buyer.post<{ records: Row[] }>(`/v2/srm/${entity}/queryPage`, {
      pageNo: 1,
      pageSize: 100,
      where: [{ field, operator: field === 'planIds' ? 'contains' : 'eq', value }],
    })
  ).data.records
/** A day of the company so many days from now. */
const day = (offset: number): string => addDays(dayOf(test.clock.now(), 'Asia/Shanghai'), offset)
const warehouse = (): Promise<string> =>
  save('warehouse', { code: `P${(count += 1)}`, name: `采购测试仓${count}`, kind: 'main', countryCode: 'CN' })
const supplier = (currency = 'USD'): Promise<string> =>
  save('equipmentSupplier', {
    name: `深圳采购测试${(count += 1)}有限公司`,
    countryCode: 'CN',
    currency,
    paymentMethodId: paying,
    taxRate: '0',
  })
const product = (more: object = {}): Promise<string> =>
  save('product', {
    ...{ name: `采购网关${(count += 1)}`, nameEn: `Bought ${count}`, category: 'goip', model: `B-${count}` },
    ...{ unit: 'pcs', salePrice: '900.00', minStock: '5', maxStock: '40', ...more },
  })
const stockOf = async (productId: string, warehouseId: string): Promise<Row> =>
  (await rows('stock', 'productId', productId)).find((row) => row.warehouseId === warehouseId)!
const numbers = (row: Row, ...fields: string[]): number[] => fields.map((field) => Number(row[field]))
/** The rate of US dollars; the next receipts take it. */
const rate = (value: string): Promise<unknown> =>
  test.gateway.database.query(
    `update sys_exchange_rate set rate = $1, version = version + 1, updated_at = now() where base = 'USD' and quote = 'CNY' and kind = 'xe'`,
    [value],
  )
const linesOf = (record: Row): Row[] => record.lines as Row[]

describe('Purchase (10)', () => {
  it('goes from a plan over an order and two receipts at two rates into stock, and back to the supplier', async () => {
    await rate('7.10')
    const [place, by, goip, antenna] = await Promise.all([warehouse(), supplier(), product(), product()])
    const plan = await save('purchasePlan', {
      ...{ title: '网关补货', purpose: 'stock', requiredOn: day(30) },
      lines: [
        { productId: goip, qty: '10', currency: 'USD', estPrice: '80', suggestedSupplierId: by },
        { productId: antenna, qty: '20', currency: 'USD', estPrice: '10', suggestedSupplierId: by },
      ],
    })
    expect(Number((await view('purchasePlan', plan)).totalEst)).toBe(7100)
    expect((await act(buyer, 'purchasePlan', plan, 'makeOrders', { warehouseId: place, expectedOn: day(20) })).msg).not.toBe('OK')
    await move('purchasePlan', plan, 'submit')
    expect((await buyer.post('/v2/srm/purchasePlan/save', { id: plan, title: '改个名称' })).code).toBe(10010007)
    await move('purchasePlan', plan, 'approve', {}, boss)

    await move('purchasePlan', plan, 'makeOrders', { warehouseId: place, expectedOn: day(20) })
    const [made] = await rows('purchaseOrder', 'planIds', plan)
    expect(made).toMatchObject({ status: 'draft', currency: 'USD', supplierId: by })
    expect((await view('purchasePlan', plan)).status).toBe('ordered')
    expect((await act(buyer, 'purchasePlan', plan, 'makeOrders', { warehouseId: place, expectedOn: day(20) })).msg).not.toBe('OK')
    const order = made!.id
    const saved = await buyer.post('/v2/srm/purchaseOrder/save', { id: order, freight: '50' })
    expect(saved.msg).toBe('OK')
    expect(numbers(await view('purchaseOrder', order), 'goodsTotal', 'total', 'totalCny')).toEqual([1000, 1050, 7455])
    await move('purchaseOrder', order, 'submit')
    await move('purchaseOrder', order, 'approve', {}, boss)
    await move('purchaseOrder', order, 'confirm', { expectedOn: day(20), supplierNo: 'X-1' })
    expect(numbers(await stockOf(goip, place), 'qty', 'inTransitQty')).toEqual([0, 10])

    const [first, second] = linesOf(await view('purchaseOrder', order))
    const receive = async (qty: string, more: object[] = []): Promise<string> =>
      save('stockIn', {
        ...{ kind: 'purchase', warehouseId: place, orderId: order },
        lines: [{ productId: goip, orderLineId: first!.id, qty }, ...more],
      })
    const one = await receive('6', [{ productId: antenna, orderLineId: second!.id, qty: '20' }])
    expect((await act(buyer, 'purchaseOrder', order, 'void', { note: '不要了' })).code).toBe(10060054)
    await move('stockIn', one, 'post')
    expect(await view('stockIn', one)).toMatchObject({ supplierId: by, currency: 'USD' })
    expect(linesOf(await view('stockIn', one)).map((line) => Number(line.unitCost))).toEqual([596.4, 74.55])
    expect(numbers(await view('stockIn', one), 'amount', 'totalCost')).toEqual([714, 5069.4])
    expect(await view('purchaseOrder', order)).toMatchObject({ status: 'partReceived' })
    expect(numbers(await stockOf(goip, place), 'qty', 'inTransitQty')).toEqual([6, 4])

    const tooMuch = await receive('5')
    const refused = await act(buyer, 'stockIn', tooMuch, 'post')
    expect([refused.code, refused.msg]).toEqual([10060058, expect.stringContaining('还应收 4，本单收 5')])
    await move('stockIn', tooMuch, 'cancel')
    await rate('7.50')
    const two = await receive('4')
    await move('stockIn', two, 'post')
    expect(await view('purchaseOrder', order)).toMatchObject({ status: 'received' })
    expect(Number(linesOf(await view('stockIn', two))[0]!.unitCost)).toBe(630)
    expect(numbers(await stockOf(goip, place), 'qty', 'value', 'inTransitQty')).toEqual([10, 6098.4, 0])

    const back = await save('stockOut', {
      ...{ kind: 'purchaseReturn', warehouseId: place, inId: two, remark: '外壳破损' },
      lines: [{ productId: goip, inLineId: linesOf(await view('stockIn', two))[0]!.id, qty: '2' }],
    })
    await move('stockOut', back, 'post')
    expect(await view('stockOut', back)).toMatchObject({ supplierId: by, orderId: order })
    expect(numbers(await view('stockOut', back), 'amount', 'totalCost')).toEqual([168, 1260])
    expect(numbers(await stockOf(goip, place), 'qty', 'value')).toEqual([8, 4838.4])
    expect(numbers(linesOf(await view('purchaseOrder', order))[0]!, 'receivedQty', 'returnedQty')).toEqual([10, 2])
    expect((await act(buyer, 'stockIn', two, 'reverse', { note: '录错' })).code).toBe(10060054)
    const more = await save('stockOut', {
      ...{ kind: 'purchaseReturn', warehouseId: place, inId: two, remark: '再退' },
      lines: [{ productId: goip, inLineId: linesOf(await view('stockIn', two))[0]!.id, qty: '3' }],
    })
    expect((await act(buyer, 'stockOut', more, 'post')).code).toBe(10060058)

    await move('stockIn', one, 'reverse', { note: '录错' })
    expect(await view('purchaseOrder', order)).toMatchObject({ status: 'partReceived' })
    const actions = (await rows('purchaseLog', 'docId', order)).map(({ action }) => action)
    for (const action of ['create', 'edit', 'submit', 'approve', 'confirm', 'receive']) expect(actions).toContain(action)
    const [edited] = (await rows('purchaseLog', 'docId', order)).filter(({ action }) => action === 'edit')
    expect(String(edited?.changes)).toMatch(/运费: 0(\.00)? → 50/)
  })

  it('gives what has not come back to the plan, and never orders more than is planned', async () => {
    const [place, by, what] = await Promise.all([warehouse(), supplier('CNY'), product()])
    const plan = await save('purchasePlan', {
      ...{ title: '备件', purpose: 'ownUse', requiredOn: day(10) },
      lines: [{ productId: what, qty: '10', currency: 'CNY', estPrice: '100', suggestedSupplierId: by }],
    })
    await move('purchasePlan', plan, 'submit')
    expect((await act(boss, 'purchasePlan', plan, 'reject')).msg).not.toBe('OK')
    await move('purchasePlan', plan, 'reject', { decisionNote: '数量太多' }, boss)
    await move('purchasePlan', plan, 'submit')
    await move('purchasePlan', plan, 'approve', {}, boss)
    const [planLine] = linesOf(await view('purchasePlan', plan))
    const order = (qty: string): Promise<string> =>
      save('purchaseOrder', {
        ...{ supplierId: by, warehouseId: place, currency: 'CNY', paymentMethodId: paying, expectedOn: day(5) },
        lines: [{ productId: what, planLineId: planLine!.id, qty, price: '100' }],
      })
    const [some, rest] = [await order('6'), await order('6')]
    await move('purchaseOrder', some, 'submit')
    const refused = await act(buyer, 'purchaseOrder', rest, 'submit')
    expect([refused.code, refused.msg]).toEqual([10060058, expect.stringContaining('超过计划 10')])
    await move('purchaseOrder', rest, 'void', { note: '超计划' })
    expect((await view('purchasePlan', plan)).status).toBe('partOrdered')
    await move('purchaseOrder', some, 'approve', {}, boss)
    await move('purchaseOrder', some, 'revise', { note: '改数量' })
    await move('purchaseOrder', some, 'submit')
    await move('purchaseOrder', some, 'approve', {}, boss)
    expect((await view('purchaseOrder', some)).revision).toBe(2)
    await move('purchaseOrder', some, 'confirm', { expectedOn: day(5) })
    const locked = await buyer.post('/v2/srm/purchaseOrder/save', { id: some, discount: '1' })
    expect(locked.code).toBe(10010007)
    expect((await buyer.post('/v2/srm/purchaseOrder/save', { id: some, expectedOn: day(8), freight: '12' })).msg).toBe('OK')
    expect((await act(buyer, 'equipmentSupplier', by, 'disable')).code).toBe(10060054)
    await move('purchaseOrder', some, 'close', { note: '停产' })
    expect(numbers(await stockOf(what, place), 'inTransitQty')).toEqual([0])
    expect(numbers(await view('purchasePlan', plan), 'orderedQty', 'remainingQty')).toEqual([0, 10])
    expect((await view('purchasePlan', plan)).status).toBe('approved')
    await move('purchasePlan', plan, 'close', { note: '不再采购' })
    expect(numbers(await view('purchasePlan', plan), 'remainingQty')).toEqual([0])
  })

  it('a plan above CNY 50,000 is decided by its process, finance included', async () => {
    const { database } = test.gateway
    await database.query(`update wf_process set state = 'enabled' where code in ('srmPlan', 'srmOrder')`)
    const what = await product()
    const plan = await save('purchasePlan', {
      ...{ title: '大额计划', purpose: 'stock', requiredOn: day(30) },
      lines: [{ productId: what, qty: '100', currency: 'CNY', estPrice: '600' }],
    })
    await move('purchasePlan', plan, 'submit')
    const refused = await act(boss, 'purchasePlan', plan, 'approve')
    expect(refused.msg).toContain('CGJ')
    const passed: string[] = []
    for (let step = 0; step < 5; step += 1) {
      const { rows: tasks } = await database.query<{ id: string; jobNumber: string; node: string }>(
        `select t.id, s.job_number as "jobNumber", t.node_id as node from wf_task t join wf_instance i on i.id = t.instance_id join sys_staff s on s.id = t.assignee_id
           where i.form_data->>'planId' = $1 and t.status = 'pending' order by t.created_at limit 1`,
        [plan],
      )
      const [task] = tasks
      if (!task) break
      const who = await test.signIn(task.jobNumber, DEMO_PASSWORD)
      expect((await who.post('/v2/workflow/operate/agree', { taskId: task.id, comment: '同意' })).msg).toBe('OK')
      passed.push(task.node)
    }
    expect(passed).toContain('manager')
    expect(await view('purchasePlan', plan)).toMatchObject({ status: 'approved' })
  })

  it('a salesman sees neither plans nor orders', async () => {
    for (const entity of ['purchasePlan', 'purchaseOrder', 'purchaseLog'])
      expect((await seller.post(`/v2/srm/${entity}/queryPage`, { pageNo: 1, pageSize: 10 })).code).toBe(10010003)
  })
})
