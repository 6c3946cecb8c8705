import { toExact } from '../../../src/schema/formats'
import type { EntityRecord, HookContext, Verb, RecordOf, GivenOf } from '../../entities'
import { notify, type Notice } from '../../todos'
import { applicationOf, picked, storedLines, submitted, whose, type Kind } from './applications'
import { withRoute } from './routes'

const QUOTE: Kind = {
  entity: 'qm.supplierQuoteApply',
  head: [
    'supplierId',
    'supplierAccountId',
    'product',
    'channelId',
    'gatewayId',
    'sheetId',
    'currency',
    'effectiveFrom',
    'remark',
  ],
  line: ['oldCost', 'newCost', 'changeFlag', 'accepted', 'effectiveFrom', 'remark'],
}
const LINE = 'qm.supplierQuoteLine'
const RATE = 'qm.supplierRate'
const SHEET = 'qm.rateSheet'
const ALL = 20_000
const KEY_OF_RATE = ['supplierId', 'supplierAccountId', 'channelId', 'gatewayId', 'product', 'currency', 'sheetId'] as const
const DESTINATION = [
  'rateKey',
  'country',
  'mccmnc',
  'prefix',
  'destination',
  'routeClass',
  'numberType',
  'waCategory',
  'unit',
] as const

/** What a supplier quotes is handed in: the application, and its sheet, are in approval (quotes 1.12). */
export const applySupplierQuote: Verb = async (hook, runs) => {
  const made: EntityRecord[] = []
  for (const { with: given } of runs) {
    const quote = await submitted(hook, QUOTE, await withRoute(hook.tx, given))
    const sheet = await sheetOf(hook, quote)
    if (sheet?.status === 'draft') await hook.entities.transition(SHEET, sheet.id, 'submit', { approvalId: given.instanceId })
    made.push(quote)
  }
  return made
}

/**
 * What a supplier quotes is taken: accepted lines are rates from their moment on, which end the rates before them; refused ones are
 * cancelled; whoever sells one of the destinations below its new cost is asked to quote anew (money 8.11).
 */
export const acceptSupplierRates: Verb = async (hook, runs) => {
  const taken: EntityRecord[] = []
  for (const { with: given } of runs) {
    const quote = await submitted(hook, QUOTE, await withRoute(hook.tx, given))
    if (quote.status !== 'inApproval') {
      taken.push(quote)
      continue
    }
    const lines = await storedLines(hook, LINE, 'applyId', String(quote.id))
    const [accepted, refused] = [lines.filter(isAccepted), lines.filter((line) => !isAccepted(line))]
    await takeRates(hook, quote, accepted, refused)
    const sheet = await sheetOf(hook, quote)
    if (sheet && ['draft', 'pendingApproval'].includes(sheet.status)) await hook.entities.transition(SHEET, sheet.id, 'approve')
    const approved = await hook.entities.transition(QUOTE.entity, String(quote.id), 'approve')
    await tellSellers(hook, quote, accepted)
    taken.push(refused.length > 0 ? await hook.entities.transition(QUOTE.entity, String(quote.id), 'takePart') : approved)
  }
  return taken
}

/** What a supplier quotes is not taken, or not yet; the offers stay until they run out. */
export const endSupplierQuote: Verb = async (hook, runs) => {
  const ended: EntityRecord[] = []
  for (const { with: given } of runs) {
    const quote = await applicationOf(hook, QUOTE.entity, given.instanceId)
    const transition = { returned: 'sendBack', rejected: 'reject', withdrawn: 'withdraw' }[String(given.result)]
    if (transition === undefined) throw new Error(`An application does not end as "${String(given.result)}".`)
    if (!quote || quote.status !== 'inApproval') continue
    const note = picked({ decisionNote: typeof given.comment === 'string' ? given.comment.slice(0, 500) : null }, [
      'decisionNote',
    ])
    ended.push(await hook.entities.transition(QUOTE.entity, String(quote.id), transition, note))
    const sheet = await sheetOf(hook, quote)
    if (sheet?.status === 'pendingApproval') await hook.entities.transition(SHEET, sheet.id, 'sendBack')
  }
  return ended
}

const isAccepted = ({ accepted }: EntityRecord): boolean => accepted !== false
const sheetOf = async ({ entities }: HookContext, { sheetId }: EntityRecord): Promise<RecordOf<'qm.rateSheet'> | null> =>
  typeof sheetId === 'string' ? entities.find(SHEET, sheetId, { lock: true }) : null

async function takeRates(
  hook: HookContext,
  quote: EntityRecord,
  accepted: readonly EntityRecord[],
  refused: readonly EntityRecord[],
): Promise<void> {
  const { entities, now } = hook
  const offers = await offersOf(hook, quote)
  const lineOf = new Map<string, EntityRecord>()
  const missing: EntityRecord[] = []
  for (const line of accepted) {
    const offer = offers.get(String(line.rateKey))
    if (offer) lineOf.set(String(offer.id), line)
    else missing.push(line)
  }
  const made = await entities.createMany(
    RATE,
    missing.map((line): GivenOf<typeof RATE> => ({
      ...picked<GivenOf<typeof RATE>, (typeof KEY_OF_RATE)[number]>(quote, KEY_OF_RATE),
      ...picked<GivenOf<typeof RATE>, (typeof DESTINATION)[number]>(line, DESTINATION),
      ...pricesOf(quote, line, now),
    })),
  )
  for (const [index, rate] of made.entries()) lineOf.set(rate.id, missing[index]!)
  const values = ({ id }: EntityRecord): EntityRecord => {
    const line = lineOf.get(String(id))!
    const { effectiveFrom, oldPrice, changeFlag } = pricesOf(quote, line, now)
    return { effectiveFrom, ...picked({ oldPrice, changeFlag }, ['oldPrice', 'changeFlag']), applyId: quote.id }
  }
  refuseFirst(await entities.transitions(RATE, [...lineOf.keys()], 'accept', values))
  const begun = [...lineOf].filter(([, line]) => String(pricesOf(quote, line, now).effectiveFrom) <= now.toISOString())
  refuseFirst(
    await entities.transitions(
      RATE,
      begun.map(([id]) => id),
      'begin',
    ),
  )
  const out = refused.flatMap(({ rateKey }) => offers.get(String(rateKey))?.id ?? []).map(String)
  refuseFirst(await entities.transitions(RATE, out, 'cancel'))
}

/** What stands in the sheet of a quotation and waits to be taken, by destination. */
async function offersOf({ entities }: HookContext, { sheetId }: EntityRecord): Promise<ReadonlyMap<string, EntityRecord>> {
  if (typeof sheetId !== 'string') return new Map()
  const where = [
    { field: 'sheetId', operator: 'eq' as const, value: sheetId },
    { field: 'status', operator: 'eq' as const, value: 'offered' },
  ]
  return new Map((await entities.list(RATE, { where, limit: ALL, lock: true })).map((rate) => [rate.rateKey ?? '', rate]))
}

/** A rate never begins in the past: what was charged stays. */
function pricesOf(quote: EntityRecord, line: EntityRecord, now: Date): EntityRecord {
  const wanted = String(line.effectiveFrom ?? quote.effectiveFrom)
  const effectiveFrom = new Date(Math.max(Date.parse(wanted), now.getTime())).toISOString()
  const changeFlag = line.changeFlag ?? changeOf(line)
  return { price: line.newCost ?? null, oldPrice: line.oldCost ?? null, changeFlag, effectiveFrom, source: 'sheet' }
}

function changeOf({ oldCost, newCost }: EntityRecord): string {
  const [before, after] = [toExact(oldCost), toExact(newCost)]
  if (after === undefined) return 'blocked'
  if (before === undefined) return 'new'
  return after.gt(before) ? 'increase' : after.lt(before) ? 'decrease' : 'unchanged'
}

function refuseFirst(refusals: ReadonlyMap<string, Error>): void {
  for (const refusal of refusals.values()) throw refusal
}

/** Asks the owners of customers who pay less than a destination costs from now on, or in another currency, to quote anew. */
async function tellSellers(hook: HookContext, quote: EntityRecord, lines: readonly EntityRecord[]): Promise<void> {
  const { entities, tx, now, context } = hook
  const risen = new Map(
    lines.filter((line) => (line.changeFlag ?? changeOf(line)) === 'increase').map((line) => [String(line.rateKey), line]),
  )
  if (risen.size === 0) return
  const live = { field: 'status', operator: 'in' as const, value: ['active', 'pending'] }
  const sold = await whose(hook, 'qm.customerRate', 'rateKey', risen.keys(), { where: [live] })
  const below = sold.filter(({ rateKey, price, currency }) => {
    const [paid, cost] = [toExact(price), toExact(risen.get(String(rateKey))?.newCost)]
    return paid !== undefined && cost !== undefined && (currency !== quote.currency || paid.lt(cost))
  })
  const customersOf = (rateKey: unknown): Set<string> =>
    new Set(below.filter((rate) => rate.rateKey === rateKey).map(({ customerId }) => String(customerId)))
  await entities.changeMany(
    LINE,
    new Map([...risen].map(([rateKey, { id }]) => [String(id), { affectedCustomers: customersOf(rateKey).size }])),
  )
  const customers = await whose(
    hook,
    'crm.customer',
    'id',
    below.map(({ customerId }) => String(customerId)),
  )
  const byOwner = new Map<string, EntityRecord[]>()
  for (const customer of customers)
    if (typeof customer.ownerId === 'string') byOwner.set(customer.ownerId, [...(byOwner.get(customer.ownerId) ?? []), customer])
  const notices = [...byOwner].map(([staffId, own]): Notice => {
    const names = own.slice(0, 3).map(({ name }) => String(name))
    const [zh, en] = [names.join('、') + (own.length > 3 ? '等' : ''), names.join(', ') + (own.length > 3 ? ' and others' : '')]
    return {
      staffId,
      kind: 'notice',
      title: {
        zh: `${risen.size} 个目的地成本上涨，请为 ${own.length} 家客户准备涨价：${zh}`,
        en: `Costs rise for ${risen.size} destinations: prepare increase quotes for ${own.length} customers (${en})`,
      },
      plain: {
        title: {
          zh: `${risen.size} 个目的地成本上涨，请为 ${own.length} 家客户准备涨价：${own
            .slice(0, 3)
            .map(({ code }) => String(code))
            .join('、')}`,
          en: `Costs rise for ${risen.size} destinations: prepare increase quotes for ${own.length} customers (${own
            .slice(0, 3)
            .map(({ code }) => String(code))
            .join(', ')})`,
        },
      },
      senderId: context.user.staffId,
      subject: { entity: QUOTE.entity, id: String(quote.id) },
      key: `${QUOTE.entity}/${String(quote.id)}/increase/${staffId}`,
    }
  })
  await notify(tx, notices, now)
}
