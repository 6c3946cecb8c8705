import { Exact, exactText } from '../../../../src/schema/formats'
import { dayOf } from '../../../platform/calendar'
import { returnCost } from '../sale/deliver'
import { productId, warehouseId, type Key, type Place, type Stock } from './stockBook'
import { put, type SrmChapter } from './suppliers'

/** CNY for one unit, as the orders keep it. */
const RATES: Readonly<Record<string, string>> = { CNY: '1', USD: '7.1' }
const PLACE: Place = 'SZ'

interface Ordered {
  key: Key
  qty: number
  price: string
  listPrice: string
  shipped: number
  returned: number
}
interface Order {
  daysAgo: number
  currency: 'CNY' | 'USD'
  status: string
  payTerm: string
  lines: readonly Ordered[]
}

/** Orders whose deliveries are among the flows: one paid and done, one with goods that came back, one half shipped, one that asks for a price below the floor. */
const ORDERS: readonly Order[] = [
  {
    ...{ daysAgo: 80, currency: 'USD', status: 'completed', payTerm: 'advance' },
    lines: [{ key: 'G32', qty: 2, price: '122', listPrice: '880', shipped: 2, returned: 0 }],
  },
  {
    ...{ daysAgo: 45, currency: 'CNY', status: 'shipped', payTerm: 'net30' },
    lines: [{ key: 'A5', qty: 10, price: '118', listPrice: '120', shipped: 10, returned: 2 }],
  },
  {
    ...{ daysAgo: 12, currency: 'USD', status: 'partShipped', payTerm: 'net15' },
    lines: [
      { key: 'G32', qty: 1, price: '125', listPrice: '880', shipped: 0, returned: 0 },
      { key: 'A5', qty: 4, price: '17', listPrice: '120', shipped: 4, returned: 0 },
    ],
  },
  {
    ...{ daysAgo: 2, currency: 'USD', status: 'pending', payTerm: 'onDelivery' },
    lines: [{ key: 'S128', qty: 1, price: '400', listPrice: '3200', shipped: 0, returned: 0 }],
  },
]

const money = (amount: Exact): string => exactText(amount.toDecimalPlaces(2))

/** Sales of equipment to customers who have dealt with us, each by the salesman who owns the customer; with an account for what is owed. */
export function sellDevices(chapter: SrmChapter, stock: Stock): void {
  const customers = (chapter.rows['crm.customer'] ?? []).filter(
    ({ holding, firstDealAt, ownerId }) =>
      holding === 'private' && typeof firstDealAt === 'string' && typeof ownerId === 'string',
  )
  const step = Math.max(1, Math.floor(customers.length / ORDERS.length))
  for (const [index, order] of ORDERS.entries()) {
    const customer = customers[index * step]
    if (customer) sell(chapter, stock, { order, index, customer })
  }
}

function sell(
  chapter: SrmChapter,
  stock: Stock,
  { order, index, customer }: { order: Order; index: number; customer: Readonly<Record<string, unknown>> & { id: string } },
): void {
  const { daysAgo, currency, status, payTerm, lines } = order
  const code = `DS${dayOf(chapter.now, chapter.timeZone).slice(2, 4)}${String(index + 1).padStart(5, '0')}`
  const id = `ds-${code}`
  const rate = RATES[currency]!
  const at = stock.at(daysAgo)
  const stamp = { createdAt: at, createdBy: String(customer.ownerId) }
  const lineId = (position: number): string => `${id}-${position + 1}`
  const head = { saleId: id, customerId: customer.id, currency }
  const sum = (values: readonly (string | number)[]): string =>
    exactText(values.reduce<Exact>((total, value) => total.plus(String(value)), new Exact(0)))
  const worth = (of: (line: Ordered) => number): string =>
    money(lines.reduce((total, line) => total.plus(new Exact(line.price).times(of(line))), new Exact(0)))
  const items = (of: (line: Ordered) => number) =>
    lines.flatMap((line, position) => (of(line) > 0 ? [{ key: line.key, qty: of(line), saleLineId: lineId(position) }] : []))
  const approved = status !== 'pending'
  const sent = items(({ shipped }) => shipped)
  const out =
    sent.length === 0
      ? null
      : stock.send({
          kind: 'sale',
          place: PLACE,
          daysAgo: daysAgo - 1,
          items: sent,
          head: { ...head, amount: worth(({ shipped }) => shipped), carrier: '顺丰' },
        })
  const costOf = (position: number): string => out?.lines.find(({ item }) => item.saleLineId === lineId(position))?.cost ?? '0'
  const back = lines.flatMap(({ key, returned, shipped }, position) => {
    if (returned === 0) return []
    const cost = returnCost({ cost: costOf(position), out: String(shipped), qty: String(returned) })
    const unitCost = exactText(new Exact(cost).dividedBy(returned).toDecimalPlaces(6))
    return [{ key, qty: returned, saleLineId: lineId(position), cost, unitCost }]
  })
  if (back.length > 0)
    stock.receive({
      kind: 'saleReturn',
      place: PLACE,
      daysAgo: daysAgo - 5,
      items: back,
      head: { ...head, amount: worth(({ returned }) => returned) },
    })
  const rest = items(({ qty, shipped }) => (approved ? qty - shipped : 0))
  if (rest.length > 0) stock.wait({ kind: 'sale', place: PLACE, daysAgo: daysAgo - 1, items: rest, head })
  const rows = lines.map(({ key, qty, price, listPrice, shipped, returned }, position) => {
    const floorPrice = money(new Exact(listPrice).times('0.95').dividedBy(rate))
    const netAmount = money(new Exact(price).times(shipped - returned))
    const revenue = money(new Exact(netAmount).times(rate))
    const shippedCost = costOf(position)
    const returnedCost = back.find(({ saleLineId }) => saleLineId === lineId(position))?.cost ?? '0'
    const cost = exactText(new Exact(shippedCost).minus(returnedCost))
    const product = chapter.rows['srm.product']!.find((one) => one.id === productId(key))
    const lockedQty = approved && status !== 'completed' ? qty - shipped : 0
    return {
      ...{
        id: lineId(position),
        saleId: id,
        position: position + 1,
        name: `${code} · ${String(product?.name)}`,
        productId: productId(key),
        currency,
      },
      ...{
        qty: String(qty),
        price,
        floorPrice,
        amount: money(new Exact(price).times(qty)),
        belowFloor: new Exact(price).lt(floorPrice),
      },
      discountPct: exactText(
        new Exact(100).minus(new Exact(price).times(rate).dividedBy(listPrice).times(100)).toDecimalPlaces(2),
      ),
      ...{ shippedQty: String(shipped), returnedQty: String(returned), lockedQty: String(lockedQty) },
      stockId: approved ? stock.lock(PLACE, key, lockedQty) : null,
      ...{ netAmount, revenue, shippedCost, returnedCost, cost, profit: money(new Exact(revenue).minus(cost)), ...stamp },
    }
  })
  for (const row of rows) put(chapter, 'srm.deviceSaleLine', row)
  const [revenue, cost] = [sum(rows.map((row) => row.revenue)), sum(rows.map((row) => row.cost))]
  const profit = money(new Exact(revenue).minus(cost))
  put(chapter, 'srm.deviceSale', {
    ...{
      id,
      code,
      customerId: customer.id,
      saleKind: 'sale',
      currency,
      exchangeRate: rate,
      warehouseId: warehouseId(PLACE),
      payTerm,
    },
    ...{
      shipTo: `${String(customer.name)}，前台代收`,
      status,
      payStatus: 'unpaid',
      paidAmount: '0',
      invoiceNo: status === 'completed' ? 'FP20260001' : null,
    },
    ...{ total: sum(rows.map((row) => row.amount)), totalQty: sum(rows.map((row) => row.qty)) },
    ...{ shippedQty: sum(rows.map((row) => row.shippedQty)), returnedQty: sum(rows.map((row) => row.returnedQty)) },
    ...{
      belowFloor: rows.filter((row) => row.belowFloor).length,
      shippedAmount: sum(rows.map((row) => row.netAmount)),
      revenue,
      cost,
      profit,
    },
    marginPct: new Exact(revenue).gt(0) ? exactText(new Exact(profit).dividedBy(revenue).times(100).toDecimalPlaces(2)) : null,
    shippedAt: out ? stock.at(daysAgo - 1) : null,
    ...{ ownerId: customer.ownerId, ownerDeptId: customer.ownerDeptId ?? null, ownedAt: at, submittedAt: approved ? null : at },
    ...{ finishedAt: approved ? at : null, ...stamp },
  })
  const log = (action: string, fromState: string | null, toState: string, day: number): void => {
    put(chapter, 'srm.deviceSaleLog', {
      ...{ id: `${id}-${action}`, saleId: id, docCode: code, action, fromState, toState, diff: [], reason: null },
      ...{ byId: customer.ownerId, at: stock.at(day), createdAt: stock.at(day), createdBy: String(customer.ownerId) },
    })
  }
  log('create', null, 'draft', daysAgo)
  if (!approved) return log('submit', 'draft', 'pending', daysAgo)
  log('confirm', 'draft', 'approved', daysAgo)
  log('post', 'approved', status === 'partShipped' ? 'partShipped' : 'shipped', daysAgo - 1)
  if (status === 'completed') log('close', 'shipped', 'completed', daysAgo - 8)
  account(chapter, { customer, currency, at })
}

/** Where the customer owes what was delivered, if accounts are kept. */
function account(
  { rows }: SrmChapter,
  { customer, currency, at }: { customer: Readonly<Record<string, unknown>> & { id: string }; currency: string; at: string },
): void {
  const accounts = rows['fin.customerAccount']
  if (!accounts) return
  const number = String(accounts.length + 1).padStart(6, '0')
  accounts.push({
    ...{ id: `ac-${number}`, code: `A${number}`, name: `${String(customer.shortName ?? customer.code).slice(0, 40)} DEVICE` },
    ...{ customerId: customer.id, product: 'device', payMode: 'prepaid', currency, status: 'active', openedAt: at },
    ...{ createdAt: at, createdBy: String(customer.ownerId) },
  })
}
