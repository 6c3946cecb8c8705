import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import type { Verb, VerbContext, RecordOf, EntityRecord } from '../../../entities'
import { ServiceError } from '../../../platform/http'

const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')
const exact = (value: unknown): Exact => new Exact(text(value) || '0')

/** The lines of a sale, by product. */
export async function linesOf(
  { entities }: Pick<VerbContext, 'entities'>,
  saleId: string,
): Promise<RecordOf<'srm.deviceSaleLine'>[]> {
  const lines = await entities.list('srm.deviceSaleLine', {
    where: [{ field: 'saleId', operator: 'eq', value: text(saleId) }],
    limit: 1000,
  })
  return lines.sort((a, b) => (text(a.productId) < text(b.productId) ? -1 : 1))
}

/**
 * `srm.reserveStock`: what a sale asks for is kept for it, and the warehouse gets a stock-out that waits (customers-suppliers 10).
 * @throws 10060059 naming product and warehouse when less is available than was sold
 */
export const reserveStock: Verb<'srm.deviceSale'> = async (hook, runs) => {
  const { entities, tx } = hook
  for (const { subject } of runs) {
    const { warehouseId } = subject.record
    const warehouse = await entities.find('srm.warehouse', text(warehouseId))
    const asked = new Map<string, Exact>()
    for (const line of await linesOf(hook, subject.record.id)) {
      const productId = text(line.productId)
      await tx.query(sql`select pg_advisory_xact_lock(hashtext('srm.stock'), hashtext(${`${productId}@${text(warehouseId)}`}))`)
      const [stock] = await entities.list('srm.stock', {
        where: [
          { field: 'warehouseId', operator: 'eq', value: text(warehouseId) },
          { field: 'productId', operator: 'eq', value: productId },
        ],
        limit: 1,
        lock: true,
      })
      const available = exact(stock?.availableQty)
      const wanted = (asked.get(productId) ?? new Exact(0)).plus(exact(line.qty))
      asked.set(productId, wanted)
      if (!stock || wanted.gt(available)) {
        const product = await entities.find('srm.product', productId)
        throw new ServiceError('factsChanged', {
          message: {
            zh: `${text(product?.name)}，仓库 ${text(warehouse?.name)}：需要 ${exactText(wanted)}，可用 ${exactText(available)}。`,
            en: `${text(product?.nameEn)}, warehouse ${text(warehouse?.code)}: wanted ${exactText(wanted)}, available ${exactText(available)}.`,
          },
        })
      }
      await entities.changeMany('srm.deviceSaleLine', new Map([[text(line.id), { stockId: stock.id }]]))
    }
    await planned(hook, subject.record)
  }
}

/** `srm.planDelivery`: the warehouse gets a stock-out of what is left to ship, unless one waits already. */
export const planDelivery: Verb<'srm.deviceSale'> = async (hook, runs) => {
  for (const { subject } of runs) await planned(hook, subject.record)
}

async function planned(hook: VerbContext, sale: RecordOf<'srm.deviceSale'>): Promise<void> {
  const { entities } = hook
  const waiting = await entities.count('srm.stockOut', [
    { field: 'saleId', operator: 'eq', value: text(sale.id) },
    { field: 'status', operator: 'eq', value: 'draft' },
  ])
  if (waiting > 0) return
  const left = (await linesOf(hook, sale.id))
    .map((line) => ({ line, qty: exact(line.qty).minus(exact(line.shippedQty)) }))
    .filter(({ qty }) => qty.gt(0))
  if (left.length === 0) return
  await entities.save('srm.stockOut', {
    ...{ kind: 'sale', saleId: sale.id, warehouseId: sale.warehouseId },
    lines: left.map(({ line, qty }) => ({ productId: line.productId, saleLineId: line.id, qty: exactText(qty) })),
  })
}

/** `srm.planReturn`: a stock-in of what the customer still has, to be cut down to what came back. */
export const planReturn: Verb<'srm.deviceSale'> = async (hook, runs) => {
  for (const { subject } of runs) {
    const out = (await linesOf(hook, subject.record.id))
      .map((line) => ({ line, qty: exact(line.shippedQty).minus(exact(line.returnedQty)) }))
      .filter(({ qty }) => qty.gt(0))
    await hook.entities.save('srm.stockIn', {
      ...{ kind: 'saleReturn', saleId: subject.record.id, warehouseId: subject.record.warehouseId },
      lines: out.map(({ line, qty }) => ({ productId: line.productId, saleLineId: line.id, qty: exactText(qty) })),
    })
  }
}

/** What was done, by the state that an order came to (dictionary docAction). */
const ACTION_OF: Readonly<Record<string, string>> = {
  pending: 'submit',
  rejected: 'reject',
  partShipped: 'post',
  shipped: 'post',
  returned: 'receive',
  completed: 'close',
  cancelled: 'void',
}

/** The code of a step of a sale from one state to another. */
export function saleAction(from: string | null, to: string): string {
  if (from === null) return 'create'
  if (from === to) return 'edit'
  if (to === 'approved') return from === 'pending' ? 'approve' : ['draft', 'rejected'].includes(from) ? 'confirm' : 'reverse'
  if (to === 'draft') return 'withdraw'
  return ACTION_OF[to] ?? 'edit'
}

/** `srm.logSale`: one entry of the log of sales for each order that is made, changed or moved. */
export const logSale: Verb<'srm.deviceSale'> = async ({ entities, context, now, model }, runs) => {
  for (const { subject } of runs) {
    const { before, record, input } = subject
    const [was, is]: [EntityRecord | null, EntityRecord] = [before, record]
    const diff = [...model.fields.values()]
      .filter(
        ({ name, field, storage, origin }) =>
          storage === 'stored' && origin === 'own' && field.readOnly !== true && name in record,
      )
      .filter(({ name }) => was !== null && JSON.stringify(was[name] ?? null) !== JSON.stringify(is[name] ?? null))
      .map(({ name }) => ({ field: name, before: was![name] ?? null, after: is[name] ?? null }))
    await entities.save('srm.deviceSaleLog', {
      ...{ saleId: record.id, docCode: record.code, byId: context.user.staffId, at: now.toISOString() },
      ...{ action: saleAction(before ? text(before.status) : null, text(record.status)), diff },
      ...{ fromState: before?.status ?? null, toState: record.status },
      reason: text(input.note) || text(input.decisionNote) || text(input.invoiceNo) || null,
    })
  }
}
