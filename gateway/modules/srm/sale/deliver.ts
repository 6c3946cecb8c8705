import { Exact, exactText, roundedText, currencyDigits } from '../../../../src/schema/formats'
import type { EntityRecord, VerbContext, RecordOf } from '../../../entities'
import { dayOf, type Day } from '../../../platform/calendar'
import { ServiceError } from '../../../platform/http'
import { linesOf } from './orders'

const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')
const exact = (value: unknown): Exact => new Exact(text(value) || '0')

/** A line of a stock document with its record, as it is being posted. */
interface Moved {
  record: EntityRecord
  product: RecordOf<'srm.product'>
  qty: string
}

/** A sale that goods move for. */
export interface Sale {
  record: RecordOf<'srm.deviceSale'>
  /** Pieces are rented out, not sold. */
  rented: boolean
  /** The stock-outs by which pieces went to the customer. */
  outDocIds: ReadonlySet<string>
}

/** The cost in CNY of what comes back: its share of what the line's goods went out with; the last piece takes the rest (customers-suppliers 10). */
export function returnCost({ cost, out, qty }: { cost: string; out: string; qty: string }): string {
  if (new Exact(out).eq(qty)) return cost
  return exactText(new Exact(cost).times(qty).dividedBy(out).toDecimalPlaces(6))
}

/** What is owed for pieces at a price, rounded to the currency. */
const worth = (qty: Exact, price: unknown, currency: string): Exact =>
  new Exact(roundedText(qty.times(exact(price)), currencyDigits(currency)))

/**
 * Reads the sale of a document, held until it is posted, and works out what its lines are worth to the customer; of a return also what
 * they cost. @throws 10060058 for more than is left of a line, 10060059 for an order that is not shipped from now
 */
export async function saleOf(
  hook: VerbContext,
  side: 'in' | 'out',
  document: EntityRecord,
  lines: readonly Moved[],
): Promise<Sale> {
  const { entities } = hook
  const record = await entities.find('srm.deviceSale', text(document.saleId), { lock: true })
  const states = side === 'out' ? ['approved', 'partShipped'] : ['partShipped', 'shipped', 'completed']
  if (!record || !states.includes(text(record.status)))
    throw new ServiceError('factsChanged', {
      message: {
        zh: `销售订单 ${text(record?.code)} 已变化，请核对后再过账。`,
        en: `The sale ${text(record?.code)} has changed: check it before you post.`,
      },
    })
  const known = new Map((await linesOf(hook, record.id)).map((line) => [line.id, line]))
  const taken = new Map<unknown, Exact>()
  let amount = new Exact(0)
  for (const { record: line, product, qty } of lines) {
    const sold = known.get(text(line.saleLineId))!
    const before = taken.get(sold.id) ?? new Exact(0)
    const out = exact(sold.shippedQty).minus(exact(sold.returnedQty))
    const left = (side === 'out' ? exact(sold.qty).minus(exact(sold.shippedQty)) : out).minus(before)
    if (left.lt(qty)) throw tooMuch(side, text(product.name), qty, left)
    const currency = text(record.currency)
    const now = side === 'out' ? out.plus(before) : out.minus(before)
    const then = side === 'out' ? now.plus(qty) : now.minus(qty)
    amount = amount.plus(
      worth(then, sold.price, currency)
        .minus(worth(now, sold.price, currency))
        .abs(),
    )
    taken.set(sold.id, before.plus(qty))
    if (side === 'out') continue
    line.cost = returnCost({ cost: text(sold.cost) || '0', out: exactText(out), qty })
    line.unitCost = exactText(exact(line.cost).dividedBy(qty).toDecimalPlaces(6))
  }
  Object.assign(document, { customerId: record.customerId, currency: record.currency, amount: exactText(amount) })
  return { record, rented: record.saleKind === 'rent', outDocIds: await deliveries(hook, record) }
}

/** The sale of a document that is taken back. @throws 10060054 when goods of the delivery came back */
export async function saleTakenBack(
  hook: VerbContext,
  side: 'in' | 'out',
  document: EntityRecord,
  lines: readonly Moved[],
): Promise<Sale> {
  const record = await hook.entities.find('srm.deviceSale', text(document.saleId), { lock: true })
  if (!record) throw new ServiceError('notFound')
  const known = new Map((await linesOf(hook, record.id)).map((line) => [line.id, line]))
  for (const { record: line, product, qty } of side === 'out' ? lines : []) {
    const sold = known.get(text(line.saleLineId))
    if (sold && exact(sold.shippedQty).minus(qty).gte(exact(sold.returnedQty))) continue
    throw new ServiceError('heldByDocument', {
      message: {
        zh: `${text(product.name)} 已有退货，不能冲销出库；请先冲销退货单。`,
        en: `${text(product.name)} came back already: reverse the return before the delivery.`,
      },
    })
  }
  return { record, rented: record.saleKind === 'rent', outDocIds: await deliveries(hook, record) }
}

async function deliveries({ entities }: VerbContext, sale: RecordOf<'srm.deviceSale'>): Promise<ReadonlySet<string>> {
  const documents = await entities.list('srm.stockOut', {
    where: [{ field: 'saleId', operator: 'eq', value: text(sale.id) }],
    limit: 1000,
  })
  return new Set(documents.map(({ id }) => text(id)))
}

function tooMuch(side: 'in' | 'out', name: string, qty: string, left: Exact): ServiceError {
  const rest = exactText(left)
  return new ServiceError('alreadyPosted', {
    message:
      side === 'out'
        ? {
            zh: `${name}：出库 ${qty}，订单只剩 ${rest}。`,
            en: `${name}: ${qty} are shipped, but ${rest} are left of the order.`,
          }
        : { zh: `${name}：退货 ${qty}，客户处只有 ${rest}。`, en: `${name}: ${qty} come back, but the customer has ${rest}.` },
  })
}

/** What a piece says while the customer has it: since when, and until when it is under warranty. */
export function atCustomer(hook: VerbContext, { record }: Sale, product: RecordOf<'srm.product'>): EntityRecord {
  const soldAt = dayOf(hook.now, hook.tx.companyTimeZone)
  const months = Number(product.warrantyMonths ?? 0)
  return { customerId: record.customerId, soldAt, warrantyUntil: months > 0 ? monthsLater(soldAt, months) : null }
}

/** The same day so many months later, or the last one of that month. */
export function monthsLater(day: Day, months: number): Day {
  const count = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  const [year, month] = [Math.floor(count / 12), count % 12]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const date = Math.min(Number(day.slice(8)), last)
  return `${year}-${String(month + 1).padStart(2, '0')}-${String(date).padStart(2, '0')}`
}
