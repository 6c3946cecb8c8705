import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import { tableOf, type DeriveFunction, type Verb, type RecordOf } from '../../../entities'
import { ServiceError } from '../../../platform/http'
import { ordersOf } from './landed'

const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')
const amount = (value: unknown): string => text(value) || '0'
const among = (field: string, ids: readonly string[]) => ({ field, operator: 'in' as const, value: [...ids] })

/**
 * `srm.makeOrders`: what is left of approved plans becomes draft orders, one for each suggested supplier and currency; lines without a
 * suggestion go to `supplierId`. Plans that are ordered together share their orders (customers-suppliers 6).
 * @throws 10060058 when nothing is left, 10010007 for a line without a supplier or a supplier without a payment method
 */
export const makeOrders: Verb<'srm.purchasePlan'> = async ({ entities }, runs) => {
  const plans = new Map(runs.map(({ subject }) => [text(subject.record.id), subject.record]))
  const given = runs[0]?.with ?? {}
  const found = await entities.list('srm.planLine', {
    where: [among('planId', [...plans.keys()])],
    sort: [
      { field: 'planId', order: 'asc' },
      { field: 'position', order: 'asc' },
    ],
    limit: 5000,
    lock: true,
  })
  const left = found
    .filter(({ remainingQty }) => new Exact(amount(remainingQty)).gt(0))
    .map((line) => ({
      supplierId: text(line.suggestedSupplierId) || text(given.supplierId),
      currency: text(line.currency),
      line,
    }))
  if (left.length === 0)
    throw new ServiceError('alreadyPosted', {
      message: { zh: '计划已全部下单，没有剩余数量。', en: 'Everything of the plan is ordered: nothing is left.' },
    })
  const homeless = left.find(({ supplierId }) => supplierId === '')
  if (homeless) {
    const product = await entities.find('srm.product', text(homeless.line.productId))
    throw new ServiceError('transitionRefused', {
      message: {
        zh: `${text(product?.name)} 没有建议供应商，请选择供应商。`,
        en: `No supplier is suggested for ${text(product?.name)}: choose one.`,
      },
    })
  }
  const made: RecordOf<'srm.purchaseOrder'>[] = []
  for (const { supplierId, currency, lines } of ordersOf(left)) {
    const supplier = await entities.find('srm.equipmentSupplier', supplierId)
    if (!supplier || text(supplier.paymentMethodId) === '')
      throw new ServiceError('transitionRefused', {
        message: {
          zh: `设备供应商 ${text(supplier?.name)} 没有付款方式，请先维护。`,
          en: `The supplier ${text(supplier?.name)} has no payment method: set it first.`,
        },
      })
    const order = await entities.save('srm.purchaseOrder', {
      ...{ supplierId, currency, warehouseId: text(given.warehouseId) || null, expectedOn: text(given.expectedOn) || null },
      ...{ paymentMethodId: supplier.paymentMethodId, planIds: [...new Set(lines.map(({ line }) => line.planId))] },
    })
    // lines read their head: they come once it is stored
    await entities.save('srm.purchaseOrder', {
      id: order.id,
      lines: lines.map(({ line }) => ({
        ...{ planLineId: line.id, productId: line.productId, qty: line.remainingQty, price: line.estPrice },
        taxRate: supplier.taxRate ?? '0',
      })),
    })
    made.push(order)
  }
  return runs.map(() => made.map(({ id }) => id))
}

/**
 * `srm.holdPlan`: what an order takes of plan lines has to be left of them, counted while these are held, so that two orders never take
 * the same rest. @throws 10060058 naming the line, 10010007 for a plan that is not approved
 */
export const holdPlan: Verb<'srm.purchaseOrder'> = async ({ entities }, runs) => {
  const ids = runs.map(({ subject }) => text(subject.record.id))
  const ordered = await entities.list('srm.orderLine', {
    where: [among('orderId', ids), { field: 'planLineId', operator: 'notEmpty' }],
    limit: 5000,
  })
  const lineIds = [...new Set(ordered.map(({ planLineId }) => text(planLineId)))].sort()
  if (lineIds.length === 0) return
  for (const id of lineIds) {
    const line = await entities.find('srm.planLine', id, { lock: true })
    const plan = line && (await entities.find('srm.purchasePlan', text(line.planId)))
    if (!plan || !['approved', 'partOrdered', 'ordered'].includes(text(plan.status)))
      throw new ServiceError('transitionRefused', {
        message: {
          zh: `采购计划 ${text(plan?.code)} 未批准或已关闭，不能据此下单。`,
          en: `The plan ${text(plan?.code)} is not approved, or closed: nothing is ordered from it.`,
        },
      })
    const others = await entities.list('srm.orderLine', {
      where: [{ field: 'planLineId', operator: 'eq', value: id }],
      limit: 5000,
    })
    // drafts take nothing from one another: whoever submits first has it
    const drafts = await entities.list('srm.purchaseOrder', {
      where: [
        { field: 'id', operator: 'in', value: [...new Set(others.map(({ orderId }) => text(orderId)))] },
        { field: 'status', operator: 'eq', value: 'draft' },
      ],
      limit: 5000,
    })
    const waiting = new Set(drafts.map((order) => text(order.id)).filter((order) => !ids.includes(order)))
    const taken = others
      .filter(({ orderId }) => !waiting.has(text(orderId)))
      .reduce((sum, one) => sum.plus(ids.includes(text(one.orderId)) ? amount(one.qty) : amount(one.planQty)), new Exact(0))
    const left = new Exact(amount(line!.qty)).minus(amount(line!.closedQty)).minus(taken)
    if (left.isNegative())
      throw new ServiceError('alreadyPosted', {
        message: {
          zh: `${text(line!.name)}：所有订单合计 ${exactText(taken)}，超过计划 ${amount(line!.qty)}。请减少数量。`,
          en: `${text(line!.name)}: all orders take ${exactText(taken)} of the planned ${amount(line!.qty)}. Order less.`,
        },
      })
  }
}

/** `srm.expectGoods`: the lines of confirmed orders name the stock that they come to, where they count as in transit. */
export const expectGoods: Verb<'srm.purchaseOrder'> = async ({ entities, tx }, runs) => {
  for (const { subject } of runs) {
    const { id, warehouseId } = subject.record
    const lines = await entities.list('srm.orderLine', {
      where: [{ field: 'orderId', operator: 'eq', value: text(id) }],
      limit: 1000,
    })
    const stockOf = new Map<string, string>()
    for (const productId of [...new Set(lines.map((line) => text(line.productId)))].sort()) {
      // the same key as postings take, so that a place comes to be once
      await tx.query(sql`select pg_advisory_xact_lock(hashtext('srm.stock'), hashtext(${`${productId}@${text(warehouseId)}`}))`)
      const place = { warehouseId: text(warehouseId), productId }
      const [known] = await entities.list('srm.stock', {
        where: Object.entries(place).map(([field, value]) => ({ field, operator: 'eq' as const, value })),
        limit: 1,
      })
      stockOf.set(productId, (known ?? (await entities.save('srm.stock', place))).id)
    }
    await entities.changeMany(
      'srm.orderLine',
      new Map(lines.map((line) => [text(line.id), { stockId: stockOf.get(text(line.productId)) }])),
    )
  }
}

/**
 * `srm.planRate`: CNY for one unit of a plan line's currency, by the last daily rate before the day on which it was priced; rates of
 * that day itself may yet come. Empty where no rate says so.
 */
export const planRate: DeriveFunction = async ({ db }, rows) => {
  const asked = rows.map(({ record }) => ({ currency: text(record.currency), day: text(record.pricedOn).slice(0, 10) }))
  const foreign = asked.filter(({ currency, day }) => currency !== '' && currency !== 'CNY' && day !== '')
  const { rows: found } = await db.query<{ base: string; day: string; rate: string }>(
    sql`select a.base, a.day, x.rate::text as rate from unnest(${sql.param(foreign.map(({ currency }) => currency))}::text[], ${sql.param(foreign.map(({ day }) => day))}::text[]) as a(base, day)
      cross join lateral (select x.rate from ${sql.raw(tableOf('sys.exchangeRate'))} x where x.kind = 'xe' and x.quote = 'CNY' and x.base = a.base
        and x.date < a.day::date and x.deleted_at is null and x.rate > 0 order by x.date desc limit 1) x`,
  )
  const rates = new Map(found.map(({ base, day, rate }) => [`${base} ${day}`, rate]))
  return asked.map(({ currency, day }) => ({ rate: currency === 'CNY' ? '1' : (rates.get(`${currency} ${day}`) ?? null) }))
}
