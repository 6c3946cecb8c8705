import { Exact, exactText, roundedText } from '../../../../src/schema/formats'
import { addDays, dayOf, type Day } from '../../../platform/calendar'
import { actionOf } from '../purchase/log'
import { buyersOf, iso, put, type SrmChapter } from './suppliers'

/** CNY for one US dollar in the orders of the demo. */
const USD = '7.1'
const WAREHOUSE = 'wh-SZ'
const OPEN = ['confirmed', 'partReceived', 'received']

interface Item {
  productId: string
  qty: string
  price: string
  planLineId?: string
  receivedQty?: string
}

/** An order as it stands, with the states that it went through. */
interface Ordered {
  supplierId: string
  currency: string
  states: readonly string[]
  orderedAgo: number
  expectedAgo: number
  items: readonly Item[]
  head?: Readonly<Record<string, unknown>>
}

interface Planned {
  title: string
  purpose: string
  states: readonly string[]
  plannedAgo: number
  requiredAgo: number
  items: readonly { productId: string; qty: string; estPrice: string; currency: string; supplierId: string; reason?: string }[]
  head?: Readonly<Record<string, unknown>>
}

/** Plans and orders of the demo company: what was received has its order, the others stand at every state (customers-suppliers 12). */
export function makePurchases(chapter: SrmChapter): void {
  const desk = new Desk(chapter)
  const first = desk.plan({
    ...{
      title: '深圳仓网关与天线补货',
      purpose: 'stock',
      states: ['pending', 'approved', 'ordered'],
      plannedAgo: 172,
      requiredAgo: 140,
    },
    items: [
      { productId: 'pr-G32', qty: '10', estPrice: '600', currency: 'CNY', supplierId: 'es-1' },
      { productId: 'pr-A5', qty: '20', estPrice: '75', currency: 'CNY', supplierId: 'es-3' },
    ],
  })
  desk.plan({
    ...{ title: '下季度IP话机', purpose: 'customerOrder', states: ['pending'], plannedAgo: 2, requiredAgo: -40 },
    items: [{ productId: 'pr-P2', qty: '30', estPrice: '168', currency: 'CNY', supplierId: 'es-1', reason: '客户呼叫中心扩容' }],
  })
  const toOrder = desk.plan({
    ...{
      title: '8口网关补货',
      purpose: 'stock',
      states: ['pending', 'approved', 'partOrdered'],
      plannedAgo: 24,
      requiredAgo: -20,
    },
    items: [
      { productId: 'pr-G8', qty: '14', estPrice: '312', currency: 'CNY', supplierId: 'es-1' },
      { productId: 'pr-S128', qty: '4', estPrice: '300', currency: 'USD', supplierId: 'es-2', reason: '低于最低库存' },
    ],
  })
  desk.plan({
    ...{ title: '4G模块首批', purpose: 'ownUse', states: ['pending', 'approved'], plannedAgo: 9, requiredAgo: -30 },
    items: [{ productId: 'pr-C4', qty: '20', estPrice: '92', currency: 'CNY', supplierId: 'es-1' }],
  })
  desk.plan({
    ...{ title: '备用电源', purpose: 'replacement', states: [], plannedAgo: 1, requiredAgo: -25 },
    items: [{ productId: 'pr-W12', qty: '40', estPrice: '24.5', currency: 'CNY', supplierId: 'es-1' }],
  })
  desk.plan({
    ...{ title: '展会演示话机', purpose: 'ownUse', states: ['pending', 'rejected'], plannedAgo: 33, requiredAgo: -5 },
    ...{ items: [{ productId: 'pr-P2', qty: '12', estPrice: '168', currency: 'CNY', supplierId: 'es-1' }] },
    head: { decisionNote: '展会可以借用现有样机' },
  })
  desk.received(
    new Map([
      ['pr-G32', first[0]!],
      ['pr-A5', first[1]!],
    ]),
  )
  const soon = { supplierId: 'es-1', currency: 'CNY' }
  desk.order({
    ...soon,
    states: ['pending'],
    orderedAgo: 1,
    expectedAgo: -14,
    items: [{ productId: 'pr-P2', qty: '10', price: '168' }],
  })
  desk.order({
    ...{ ...soon, states: ['pending', 'approved', 'confirmed'], orderedAgo: 18, expectedAgo: 3 },
    items: [{ productId: 'pr-G8', qty: '10', price: '311.5', planLineId: toOrder[0]! }],
  })
  desk.order({
    ...{ supplierId: 'es-2', currency: 'USD', states: ['pending', 'approved', 'confirmed'], orderedAgo: 8, expectedAgo: -12 },
    items: [{ productId: 'pr-S128', qty: '4', price: '300', planLineId: toOrder[1]! }],
    head: { freight: '40', supplierNo: 'HV-2207' },
  })
  desk.order({
    ...soon,
    states: ['pending', 'approved'],
    orderedAgo: 4,
    expectedAgo: -10,
    items: [{ productId: 'pr-G32', qty: '8', price: '612' }],
  })
  desk.order({ ...soon, states: [], orderedAgo: 0, expectedAgo: -21, items: [{ productId: 'pr-W12', qty: '60', price: '24' }] })
  desk.order({
    ...{
      ...soon,
      states: ['pending', 'rejected'],
      orderedAgo: 40,
      expectedAgo: 20,
      items: [{ productId: 'pr-A5', qty: '200', price: '79' }],
    },
    head: { decisionNote: '单价高于上次采购，请重新询价' },
  })
  desk.order({
    ...soon,
    states: ['void'],
    orderedAgo: 52,
    expectedAgo: 30,
    items: [{ productId: 'pr-G32', qty: '5', price: '655' }],
  })
  desk.requests()
  desk.finish()
}

class Desk {
  private readonly buyer: string
  private readonly deptId: string | null
  private readonly boss: string
  private readonly today: Day
  private plans = 0
  private orders = 0
  private logs = 0

  constructor(private readonly chapter: SrmChapter) {
    const buyers = buyersOf(chapter)
    const buyer = buyers.find(({ jobNumber }) => jobNumber === 'S0045') ?? buyers[0]
    this.buyer = buyer?.id ?? ''
    this.deptId = buyer?.mainDeptId ?? null
    this.boss = chapter.staff.find(({ jobNumber }) => jobNumber === 'S0001')?.id ?? this.buyer
    this.today = dayOf(chapter.now, chapter.timeZone)
  }

  private day(ago: number): Day {
    return addDays(this.today, -ago)
  }

  private at(ago: number): string {
    return iso(new Date(this.chapter.now.getTime() - ago * 86_400_000 - 3_600_000))
  }

  /** @returns the ids of its lines */
  plan({ title, purpose, states, plannedAgo, requiredAgo, items, head }: Planned): string[] {
    this.plans += 1
    const number = String(this.plans).padStart(2, '0')
    const [id, code] = [`pp-${number}`, `PP${this.today.slice(2, 4)}${String(this.plans).padStart(5, '0')}`]
    const stamp = { createdAt: this.at(plannedAgo), createdBy: this.buyer }
    const status = states.at(-1) ?? 'draft'
    put(this.chapter, 'srm.purchasePlan', {
      ...{ id, code, title, purpose, status, plannedOn: this.day(plannedAgo), requiredOn: this.day(requiredAgo) },
      ...{ applicantId: this.buyer, applyDeptId: this.deptId, submittedAt: states.length > 0 ? this.at(plannedAgo) : null },
      ...{ finishedAt: states.length > 1 ? this.at(plannedAgo - 1) : null, ...head, ...stamp },
    })
    const ids = items.map(({ productId, qty, estPrice, currency, supplierId, reason }, index) => {
      const lineId = `${id}-${index + 1}`
      const pricedOn = this.day(plannedAgo)
      const rate = currency === 'CNY' ? '1' : this.rateBefore(currency, pricedOn)
      put(this.chapter, 'srm.planLine', {
        ...{ id: lineId, planId: id, position: index + 1, productId, qty, estPrice, currency, suggestedSupplierId: supplierId },
        ...{ reason: reason ?? null, pricedOn, rate, closedQty: '0', name: `${code} · ${this.productName(productId)}`, ...stamp },
        estCny: roundedText(new Exact(qty).times(estPrice).times(rate ?? '0'), 2),
      })
      return lineId
    })
    this.log('plan', { id, code }, states, plannedAgo, null)
    return ids
  }

  /** The last daily rate before a day, as plans are estimated with. */
  private rateBefore(currency: string, day: Day): string | null {
    const rows = (this.chapter.rows['sys.exchangeRate'] ?? []).filter(
      ({ base, kind, date }) => base === currency && kind === 'xe' && String(date) < day,
    )
    const [last] = rows.sort((a, b) => String(b.date).localeCompare(String(a.date)))
    return last ? String(last.rate) : null
  }

  private productName(productId: string): string {
    return String(this.chapter.rows['srm.product']?.find(({ id }) => id === productId)?.name ?? '')
  }

  /** Each purchase that was posted has its order; what came in several parts from one supplier abroad is one order. */
  received(planLines: Map<string, string>): void {
    const { rows } = this.chapter
    const receipts = (rows['srm.stockIn'] ?? [])
      .filter(({ kind, status }) => kind === 'purchase' && status === 'posted')
      .sort((a, b) => String(a.postedAt).localeCompare(String(b.postedAt)))
    const together = new Map<string, typeof receipts>()
    for (const receipt of receipts) {
      const key = receipt.supplierId === 'es-2' ? 'es-2' : receipt.id
      together.set(key, [...(together.get(key) ?? []), receipt])
    }
    for (const parts of together.values()) {
      const [receipt] = parts
      const foreign = receipt!.supplierId === 'es-2'
      const ids = new Set(parts.map(({ id }) => id))
      const lines = (rows['srm.stockInLine'] ?? []).filter(({ stockInId }) => ids.has(String(stockInId)))
      const items = new Map<string, Item>()
      for (const line of lines) {
        const productId = String(line.productId)
        const known = items.get(productId)
        const qty = exactText(new Exact(known?.qty ?? '0').plus(String(line.qty)))
        const price =
          known?.price ?? (foreign ? roundedText(new Exact(String(line.unitCost)).dividedBy(USD), 2) : String(line.unitCost))
        const planLineId = planLines.get(productId)
        planLines.delete(productId)
        items.set(productId, {
          ...{ productId, qty, price, receivedQty: qty },
          ...(known ?? {}),
          qty,
          receivedQty: qty,
          ...(planLineId === undefined ? {} : { planLineId }),
        })
      }
      const ago = Math.max(1, Math.round((this.chapter.now.getTime() - Date.parse(String(receipt!.postedAt))) / 86_400_000))
      const { orderId, of } = this.order({
        ...{ supplierId: String(receipt!.supplierId), currency: foreign ? 'USD' : 'CNY', orderedAgo: ago + 15, expectedAgo: ago },
        ...{ states: ['pending', 'approved', 'confirmed', 'received'], items: [...items.values()] },
      })
      for (const [index, row] of (rows['srm.stockIn'] ?? []).entries())
        if (ids.has(row.id))
          rows['srm.stockIn']![index] = {
            ...row,
            orderId,
            currency: foreign ? 'USD' : 'CNY',
            exchangeRate: foreign ? this.rateOf(row, lines) : '1',
          }
      for (const [index, row] of (rows['srm.stockInLine'] ?? []).entries())
        if (ids.has(String(row.stockInId)))
          rows['srm.stockInLine']![index] = { ...row, orderLineId: of.get(String(row.productId)) ?? null }
    }
  }

  /** The rate that a receipt in dollars was taken at: its unit cost over the price of the order. */
  private rateOf(receipt: { id: string }, lines: readonly Record<string, unknown>[]): string {
    const line = lines.find(({ stockInId }) => stockInId === receipt.id)
    return exactText(new Exact(String(line?.unitCost ?? '0')).dividedBy(300).toDecimalPlaces(8))
  }

  order({ supplierId, currency, states, orderedAgo, expectedAgo, items, head = {} }: Ordered): {
    orderId: string
    of: Map<string, string>
  } {
    this.orders += 1
    const number = String(this.orders).padStart(2, '0')
    const [id, code] = [`po-${number}`, `PO${this.today.slice(2, 4)}${String(this.orders).padStart(5, '0')}`]
    const status = states.at(-1) ?? 'draft'
    const stamp = { createdAt: this.at(orderedAgo), createdBy: this.buyer }
    const exchangeRate = currency === 'CNY' ? '1' : USD
    const of = new Map<string, string>()
    const planIds = [
      ...new Set(items.flatMap(({ planLineId }) => (planLineId === undefined ? [] : [planLineId.replace(/-\d+$/, '')]))),
    ]
    const goods = items.reduce((sum, { qty, price }) => sum.plus(roundedText(new Exact(qty).times(price), 2)), new Exact(0))
    const total = roundedText(goods.plus(String(head.freight ?? '0')), 2)
    const closed = new Set(['rejected', 'withdrawn', 'void'])
    const open = OPEN.includes(status)
    const [qty, receivedQty] = [items.map((item) => item.qty), items.map((item) => item.receivedQty ?? '0')].map((all) =>
      exactText(all.reduce((sum, one) => sum.plus(one), new Exact(0))),
    )
    put(this.chapter, 'srm.purchaseOrder', {
      ...{ id, code, supplierId, currency, status, exchangeRate, planIds, warehouseId: WAREHOUSE, paymentMethodId: 'pm-4' },
      ...{
        orderDate: this.day(orderedAgo),
        expectedOn: this.day(expectedAgo),
        taxIncluded: false,
        freight: '0',
        otherFee: '0',
        discount: '0',
      },
      ...{
        goodsTotal: roundedText(goods, 2),
        taxTotal: '0',
        total,
        totalCny: roundedText(new Exact(total).times(exchangeRate), 2),
      },
      ...{
        paidAmount: '0',
        payStatus: 'unpaid',
        revision: 1,
        qty,
        receivedQty,
        openQty: open ? exactText(new Exact(qty!).minus(receivedQty!)) : '0',
      },
      ...{ confirmedOn: open ? this.day(orderedAgo - 2) : null, applicantId: this.buyer, applyDeptId: this.deptId },
      ...{
        submittedAt: states.length > 0 ? this.at(orderedAgo) : null,
        finishedAt: states.length > 1 ? this.at(orderedAgo - 1) : null,
      },
      ...{ ...head, ...stamp },
    })
    for (const [index, item] of items.entries()) {
      const lineId = `${id}-${index + 1}`
      of.set(item.productId, lineId)
      const received = item.receivedQty ?? '0'
      put(this.chapter, 'srm.orderLine', {
        ...{
          id: lineId,
          orderId: id,
          position: index + 1,
          productId: item.productId,
          planLineId: item.planLineId ?? null,
          currency,
        },
        ...{
          qty: item.qty,
          price: item.price,
          taxRate: '0',
          amount: roundedText(new Exact(item.qty).times(item.price), 2),
          tax: '0',
        },
        ...{ name: `${code} · ${this.productName(item.productId)}`, receivedQty: received, returnedQty: '0', closedQty: '0' },
        openQty: open ? exactText(new Exact(item.qty).minus(received)) : '0',
        planQty: item.planLineId !== undefined && !closed.has(status) ? item.qty : '0',
        stockId: open ? `st-${WAREHOUSE}-${item.productId}` : null,
        ...stamp,
      })
    }
    this.log('order', { id, code }, states, orderedAgo, supplierId)
    return { orderId: id, of }
  }

  /** What the old process asked for: kept to be read, some became plans. */
  requests(): void {
    const asked = [
      ['桌面IP话机 T-210', 12, '新办公室工位', 210],
      ['GoIP-8', 6, '菲律宾线路扩容', 196],
      ['SB-128 卡池', 2, '测试环境', 188],
      ['5dBi天线', 30, '更换老化天线', 181],
    ] as const
    for (const [index, [productText, qty, reason, ago]] of asked.entries())
      put(this.chapter, 'srm.purchaseRequest', {
        ...{
          id: `prq-${index + 1}`,
          code: `EP${this.today.slice(2, 4)}${String(index + 1).padStart(5, '0')}`,
          applicant: this.buyer,
        },
        ...{ productText, qty, reason, expectedOn: this.day(ago - 30), status: 'open', plans: 0 },
        ...{ createdAt: this.at(ago), createdBy: this.buyer },
      })
  }

  /** The sums over lines that plans, stock and suppliers show. */
  finish(): void {
    const { rows } = this.chapter
    const sum = (values: readonly unknown[]): Exact =>
      values.reduce<Exact>((total, value) => total.plus(String(value ?? '0')), new Exact(0))
    const each = (entity: string, change: (row: Record<string, unknown> & { id: string }) => object): void => {
      rows[entity] = (rows[entity] ?? []).map((row) => ({ ...row, ...change(row) }))
    }
    const ordered = rows['srm.orderLine'] ?? []
    each('srm.planLine', ({ id, qty }) => {
      const taken = sum(ordered.filter(({ planLineId }) => planLineId === id).map(({ planQty }) => planQty))
      return { orderedQty: exactText(taken), remainingQty: exactText(new Exact(String(qty)).minus(taken)) }
    })
    each('srm.purchasePlan', ({ id }) => {
      const lines = (rows['srm.planLine'] ?? []).filter(({ planId }) => planId === id)
      const of = (field: string): Exact => sum(lines.map((line) => line[field]))
      const [qty, taken] = [of('qty'), of('orderedQty')]
      return {
        ...{ qty: exactText(qty), orderedQty: exactText(taken), remainingQty: exactText(of('remainingQty')) },
        ...{ totalEst: roundedText(of('estCny'), 2), orderedRate: exactText(taken.times(100).dividedBy(qty).toDecimalPlaces(2)) },
      }
    })
    each('srm.stockInLine', ({ stockInId, qty }) => ({
      postedQty: rows['srm.stockIn']?.find(({ id }) => id === stockInId)?.status === 'posted' ? qty : '0',
      returnedQty: '0',
    }))
    each('srm.stockOutLine', ({ stockOutId, qty }) => ({
      postedQty: rows['srm.stockOut']?.find(({ id }) => id === stockOutId)?.status === 'posted' ? qty : '0',
    }))
    each('srm.stock', ({ id, qty, productId }) => {
      const transit = sum(ordered.filter(({ stockId }) => stockId === id).map(({ openQty }) => openQty))
      const { minStock, maxStock } = rows['srm.product']!.find((product) => product.id === productId)!
      const there = transit.plus(String(qty))
      const short = there.lt(String(minStock))
      return { inTransitQty: exactText(transit), toPlan: short ? exactText(new Exact(String(maxStock)).minus(there)) : null }
    })
    each('srm.equipmentSupplier', ({ id }) => {
      const own = (rows['srm.purchaseOrder'] ?? []).filter(({ supplierId }) => supplierId === id)
      const days = own.map(({ orderDate }) => String(orderDate)).sort()
      const open = own.filter(({ status }) => ['pending', 'approved', 'confirmed', 'partReceived'].includes(String(status)))
      return { openOrders: open.length, lastOrderOn: days.at(-1) ?? null }
    })
  }

  private log(
    docType: string,
    { id: docId, code: docCode }: { id: string; code: string },
    states: readonly string[],
    ago: number,
    supplierId: string | null,
  ): void {
    let from: string | null = null
    for (const [index, state] of ['draft', ...states].entries()) {
      this.logs += 1
      const at = this.at(ago - index)
      const decided = state === 'approved' || state === 'rejected'
      put(this.chapter, 'srm.purchaseLog', {
        ...{ id: `pl-${String(this.logs).padStart(4, '0')}`, docType, docId, docCode, supplierId, action: actionOf(from, state) },
        ...{ fromState: from, toState: state, changesZh: '', changesEn: '', byId: decided ? this.boss : this.buyer, at },
        ...{ createdAt: at, createdBy: decided ? this.boss : this.buyer },
      })
      from = state
    }
  }
}
