import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord, EntityService, TransitionHook } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import { deviceAccount, firstEntity, recordOf, type FinContext } from '../facts'
import { openingStock, received, sentBack, sold, spent, takenBack } from './goods'
import { post, reverse } from './post'
import { ratesOn } from './rates'
import { inCurrency } from './rules'
import type { LedgerAccount, Leg } from './types'

type Side = 'in' | 'out'

const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')

/** What a document of stock brings to the ledger when it is posted, and takes back when it is reversed (money 1.3, customers-suppliers 10). */
export const stockBooks = (side: Side): EntityService<'srm.stockIn' | 'srm.stockOut'> => ({
  afterEffect: async (hook) => {
    if (hook.record.status === hook.before.status) return
    if (hook.record.status === 'posted') await book(hook, side)
    if (hook.record.status === 'reversed') await takeBack(hook, side)
  },
})

/** One posting of a document: of the stock, or of what the customer owes, which stands in the books of his account's entity. */
interface Part {
  type: string
  /** Tells the postings of one document apart. */
  key: string
  entity: string
  legs: readonly Leg[]
}

async function book(hook: TransitionHook<'srm.stockIn' | 'srm.stockOut'>, side: Side): Promise<void> {
  const { record, now, tx } = hook
  for (const { type, key, entity, legs } of await partsOf(hook, side))
    if (legs.length > 0)
      await post(hook, {
        ...{ type, legs, companyEntityId: entity, bizDate: dayOf(now, tx.companyTimeZone) },
        ...{ sourceType: 'stockDoc', sourceId: text(record.id), sourceCode: text(record.code) },
        idemKey: `stockDoc:${text(record.id)}:${type}${key}`,
        memo: text(record.remark) || null,
      })
}

async function partsOf(fin: TransitionHook<'srm.stockIn' | 'srm.stockOut'>, side: Side): Promise<Part[]> {
  const { record } = fin
  const cost = text(record.totalCost) || '0'
  const entity = await firstEntity(fin)
  const part = (type: string, legs: readonly Leg[]): Part => ({ type, key: '', entity, legs })
  switch (`${side}.${text(record.kind)}`) {
    case 'in.purchase':
      return [part('purchaseReceipt', received(await owedTo(fin, cost)))]
    case 'out.purchaseReturn':
      return [part('purchaseReturn', sentBack(await owedTo(fin, cost)))]
    case 'in.opening':
      return [part('opening', openingStock(cost))]
    case 'out.sale':
      return [...(await owedBy(fin, 'deviceSale', sold)), { ...part('deviceSale', spent(cost)), key: ':cost' }]
    case 'in.saleReturn':
      return [...(await owedBy(fin, 'deviceReturn', takenBack)), { ...part('deviceReturn', spent(`-${cost}`)), key: ':cost' }]
    case 'in.countGain':
      return [part('stockVariance', spent(`-${cost}`))]
    case 'out.ownUse':
    case 'out.countLoss':
    case 'out.scrap':
      return [part('stockVariance', spent(cost))]
    // a move stays in the same books
    default:
      return []
  }
}

/** The supplier's account in his currency, and what is owed: as the order says, else the cost at the rate of the day. */
async function owedTo(
  fin: FinContext & { record: EntityRecord },
  cost: string,
): Promise<{ cost: string; owed: string; supplier: LedgerAccount }> {
  const { record, tx, now } = fin
  const supplier = await recordOf(fin, 'srm.equipmentSupplier', text(record.supplierId), {
    zh: '设备供应商',
    en: 'equipment supplier',
  })
  const currency = text(supplier.currency)
  const account: LedgerAccount = { kind: 'supplier', id: text(supplier.id), currency }
  const [from, amount] = text(record.amount) === '' ? ['CNY', cost] : [text(record.currency) || 'CNY', text(record.amount)]
  if (from === currency) return { cost, owed: amount, supplier: account }
  const rates = await ratesOn(tx, [from, currency], dayOf(now, tx.companyTimeZone))
  const owed = new Exact(amount).times(rates.get(from)!).dividedBy(rates.get(currency)!)
  return { cost, owed: inCurrency(owed, currency), supplier: account }
}

/** What a delivery or a return changes on the customer's account for equipment: what the lines are worth at the prices of the order. */
async function owedBy(
  fin: TransitionHook<'srm.stockIn' | 'srm.stockOut'>,
  type: string,
  legs: (account: LedgerAccount, amount: string) => Leg[],
): Promise<Part[]> {
  const { record } = fin
  const amount = text(record.amount) || '0'
  if (!new Exact(amount).gt(0)) return []
  const sale = await recordOf(fin, 'srm.deviceSale', text(record.saleId), { zh: '设备销售订单', en: 'device sale order' })
  const account = await deviceAccount(fin, { customerId: text(sale.customerId), currency: text(sale.currency) })
  return [{ type, key: '', entity: account.companyEntityId, legs: legs(account, amount) }]
}

/** Every posting of the document is mirrored; what the stock could not bear of the cost is a variance (`stockVariance`). */
async function takeBack(hook: TransitionHook<'srm.stockIn' | 'srm.stockOut'>, side: Side): Promise<void> {
  const { record, tx, now } = hook
  const id = text(record.id)
  const { rows } = await tx.query<{ id: string }>(
    sql`select p.id from fin_posting p where p.source_type = 'stockDoc' and p.source_id = ${id} and p.reverses_id is null and p.deleted_at is null
      and not exists (select 1 from fin_posting r where r.reverses_id = p.id and r.deleted_at is null) order by p.id`,
  )
  for (const posting of rows) await reverse(hook, posting.id, text(hook.values.note) || text(record.code))
  if (side === 'out') return
  const flows = await hook.entities.list('srm.stockFlow', {
    where: [
      { field: 'docId', operator: 'eq', value: id },
      { field: 'kind', operator: 'eq', value: 'reverse' },
    ],
    limit: 5000,
  })
  const variance = flows.reduce((sum, flow) => sum.plus(text(flow.variance) || '0'), new Exact(0))
  const legs = spent(exactText(new Exact(0).minus(variance)))
  if (legs.length === 0) return
  await post(hook, {
    ...{ type: 'stockVariance', legs, companyEntityId: await firstEntity(hook), bizDate: dayOf(now, tx.companyTimeZone) },
    ...{ sourceType: 'stockDoc', sourceId: id, sourceCode: text(record.code), idemKey: `stockDoc:${id}:stockVariance:rest` },
  })
}
