import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import { tableOf, type EntityEngine, type EntityRecord, type HookContext } from '../../../entities'
import { newId } from '../../../platform/database'
import type { Text } from '../../../platform/http'
import { postCostAdjustments, postUsageAdjustments, type LateUsage } from '../../fin'
import { dayLocks, lockDays, type DayLock } from '../lock/lock'
import { amountOf, isBillable, type BillingMode } from '../rating/messages'
import { attemptsOf, costOf } from './attempts'
import { moment, recordsBy, text } from './sides'

const ENTITY = 'biz.smsRecord'
/** Receipts of one reading. */
const AT_ONCE = 500

/** What a network said became of a message. */
export interface Receipt {
  msgId: string
  /** delivered, failed or expired. */
  status: string
  /** With its zone. */
  dlrAt: string
  errorCode?: string | null
}

/** What became of a receipt; the number of its row begins at 1. */
export interface ReceiptAnswer {
  row: number
  msgId: string
  result: 'applied' | 'late' | 'unchanged' | 'refused'
  /** Why it was refused. */
  reason?: string
}

/** Changes of a message and of its last try, and what is charged for it although its day is locked. */
interface Taken {
  result: ReceiptAnswer['result']
  reason?: Text
  message?: EntityRecord
  attempt?: EntityRecord
  owed?: Omit<Owed, 'message'>
}

/** What the receipts of a batch are about. */
interface Known {
  messages: ReadonlyMap<string, EntityRecord>
  /** The tries of a message that has tries of its own, the last one last. */
  attempts: ReadonlyMap<string, readonly EntityRecord[]>
  customerRates: ReadonlyMap<string, EntityRecord>
  supplierRates: ReadonlyMap<string, EntityRecord>
  accounts: ReadonlyMap<string, EntityRecord>
  supplierAccounts: ReadonlyMap<string, EntityRecord>
  locks: ReadonlyMap<string, DayLock>
  /** What a state is called. */
  label(status: string): Text
}

type Work = Pick<HookContext, 'tx' | 'context' | 'now' | 'entities'>

/** Takes receipts of messages that the caller sees. The same receipt again changes nothing. */
export async function takeReceipts(engine: EntityEngine, work: Work, receipts: readonly Receipt[]): Promise<ReceiptAnswer[]> {
  const { context, now, entities } = work
  const answers: ReceiptAnswer[] = []
  const owed: Owed[] = []
  for (let start = 0; start < receipts.length; start += AT_ONCE) {
    const some = receipts.slice(start, start + AT_ONCE)
    const known = await read(engine, work, some)
    const [messages, attempts] = [new Map<string, EntityRecord>(), new Map<string, EntityRecord>()]
    for (const [index, receipt] of some.entries()) {
      const message = known.messages.get(receipt.msgId)
      const { result, reason, ...taken } = take(receipt, known, now)
      answers.push({
        row: start + index + 1,
        msgId: receipt.msgId,
        result,
        ...(reason ? { reason: reason[context.locale] } : {}),
      })
      if (!message) continue
      note(messages, message, taken.message)
      note(attempts, known.attempts.get(receipt.msgId)?.at(-1), taken.attempt)
      if (taken.owed) owed.push({ message, ...taken.owed })
    }
    await entities.changeMany(ENTITY, messages)
    if (attempts.size > 0) await entities.changeMany('biz.smsAttempt', attempts)
  }
  await postOwed(work, owed)
  return answers
}

/** A change of a record joins those of before; the next receipt of the same message finds it changed. */
function note(changes: Map<string, EntityRecord>, record: EntityRecord | undefined, change: EntityRecord | undefined): void {
  if (!record || !change) return
  Object.assign(record, change)
  changes.set(text(record.id), { ...changes.get(text(record.id)), ...change })
}

async function read(engine: EntityEngine, { tx, context, now, entities }: Work, receipts: readonly Receipt[]): Promise<Known> {
  const msgIds = [...new Set(receipts.map(({ msgId }) => msgId))]
  const { rows: found } = await tx.query<{ id: string }>(
    sql`select id from ${sql.raw(tableOf(ENTITY))} where msg_id = any(${sql.param(msgIds)}::text[]) and deleted_at is null`,
  )
  const { rows: seen } = await tx.query<{ id: string }>(
    sql`select t.id ${engine.rows(ENTITY, context, { ids: found.map(({ id }) => id) })}`,
  )
  const messages =
    seen.length === 0
      ? []
      : await entities.list(ENTITY, {
          where: [{ field: 'id', operator: 'in', value: seen.map(({ id }) => id) }],
          sort: [{ field: 'id', order: 'asc' }],
          limit: seen.length,
          lock: true,
        })
  const values = (records: readonly EntityRecord[], field: string): string[] => [
    ...new Set(records.map((record) => text(record[field])).filter((value) => value !== '')),
  ]
  const of = (entity: string, records: readonly EntityRecord[], field: string) =>
    recordsBy({ entities }, entity, 'id', values(records, field))
  const accountIds = values(messages, 'accountId')
  await lockDays(tx, now, accountIds)
  const attempts = await attemptsOf({ entities }, values(messages, 'msgId'))
  const carried = [...messages, ...[...attempts.values()].flat()]
  return {
    messages: new Map(messages.map((message) => [text(message.msgId), message])),
    attempts,
    customerRates: await of('qm.customerRate', messages, 'rateId'),
    supplierRates: await of('qm.supplierRate', carried, 'costRateId'),
    accounts: await of('fin.customerAccount', messages, 'accountId'),
    supplierAccounts: await of('srm.supplierAccount', carried, 'supplierAccountId'),
    locks: await dayLocks(tx, accountIds),
    label: (status) => engine.dictionaryLabel('smsStatus', status),
  }
}

const FINAL = ['delivered', 'failed', 'expired']
/** A moment with its zone. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:?\d{2})$/

function take(receipt: Receipt, known: Known, now: Date): Taken {
  const message = known.messages.get(receipt.msgId)
  const reason = refusal(receipt, message, known, now)
  if (reason || !message) return { result: 'refused', ...(reason ? { reason } : {}) }
  if (message.late === true || message.status === receipt.status) return { result: 'unchanged' }
  const { status, errorCode } = receipt
  const [sent, received] = [moment(message.sentAt), moment(receipt.dlrAt)]
  const came = {
    dlrAt: new Date(received).toISOString(),
    latency: received >= sent ? Math.round((received - sent) / 1000) : null,
    ...(errorCode ? { errorCode } : {}),
  }
  const price = charged(message, 'revenue', status, known.customerRates)
  const tries = known.attempts.get(receipt.msgId) ?? []
  const attempt = tries.at(-1)
  // who carried it is paid: the last try, where the message has tries
  const carrier = attempt ?? message
  const cost = charged({ ...carrier, otpVerified: message.otpVerified }, 'costAmount', status, known.supplierRates)
  if (isLocked(message, known)) {
    const owed = { usage: positive(price.more), cost: positive(cost.more), supplierAccountId: text(carrier.supplierAccountId) }
    const closed =
      (owed.usage !== '0' && isClosed(known.accounts.get(text(message.accountId)))) ||
      (owed.cost !== '0' && isClosed(known.supplierAccounts.get(owed.supplierAccountId)))
    return closed ? { result: 'refused', reason: CLOSED } : { result: 'late', message: { late: true, ...came }, owed }
  }
  if (message.status === 'unknown' && status === 'expired') return { result: 'refused', reason: final(known.label('unknown')) }
  return {
    result: 'applied',
    message: {
      ...{ ...came, status, failReason: failReason(status) },
      ...{ billable: price.billable, revenue: price.amount, costBillable: cost.billable },
      costAmount: attempt ? costOf([...tries.slice(0, -1), { ...attempt, costAmount: cost.amount }]) : cost.amount,
    },
    ...(attempt
      ? { attempt: { status, costBillable: cost.billable, costAmount: cost.amount, ...(errorCode ? { errorCode } : {}) } }
      : {}),
  }
}

function refusal({ status, dlrAt }: Receipt, message: EntityRecord | undefined, { label }: Known, now: Date): Text | null {
  if (!FINAL.includes(status))
    return {
      zh: `状态须为 ${FINAL.join('、')} 之一。`,
      en: `The status has to be one of ${FINAL.join(', ')}.`,
    }
  const at = MOMENT.test(dlrAt) ? Date.parse(dlrAt) : NaN
  if (Number.isNaN(at))
    return { zh: '回执时间须为带时区的 ISO 8601 时间。', en: 'The moment of the receipt has to be ISO 8601 with its zone.' }
  if (at > now.getTime()) return { zh: '回执时间不能晚于现在。', en: 'A receipt cannot be later than now.' }
  if (!message) return { zh: '没有您可见的此消息的发送记录。', en: 'There is no record of this message that you see.' }
  const kept = text(message.status)
  if (FINAL.includes(kept)) return kept === status ? null : final(label(kept))
  if (!['sent', 'unknown'].includes(kept) || !message.sentAt)
    return { zh: '消息没有下发，不会有回执。', en: 'The message was not sent, so it has no receipt.' }
  return null
}

/** A state that ends a message changes from `unknown` to delivered or failed alone (quotes-traffic 2.4). */
const final = ({ zh, en }: Text): Text => ({
  zh: `消息已是“${zh}”，不能改为此状态。`,
  en: `The message is "${en}" already and does not take this status.`,
})

const CLOSED: Text = {
  zh: '记账日已锁账，且账户已销户，不能补记调整。',
  en: 'The day is locked and the account is closed: what the receipt would charge cannot be adjusted.',
}

const isClosed = (account: EntityRecord | undefined): boolean => account?.status === 'closed'
const isLocked = ({ accountId, billDay }: EntityRecord, { locks }: Known): boolean =>
  text(billDay) !== '' && text(billDay) <= (locks.get(text(accountId))?.through ?? '')

const failReason = (status: string): string | null =>
  status === 'delivered' ? null : status === 'expired' ? 'timeout' : 'undeliverable'

/** What one side of a message, or of a try, comes to at the rate that it was rated by; nothing of what has no price. */
function charged(
  record: EntityRecord,
  side: 'revenue' | 'costAmount',
  status: string,
  rates: ReadonlyMap<string, EntityRecord>,
): { billable: unknown; amount: unknown; more: Exact } {
  const [unit, rateId, flag] =
    side === 'revenue' ? [record.price, record.rateId, record.billable] : [record.cost, record.costRateId, record.costBillable]
  const rate = rates.get(text(rateId))
  if (!rate || unit === null || unit === undefined) return { billable: flag, amount: record[side], more: new Exact(0) }
  const mode = (text(rate.billingMode) || 'sent') as BillingMode
  const billable = isBillable(mode, { status, sent: true, verified: record.otpVerified === true })
  const amount = amountOf(String(unit), Number(record.segments), billable)
  return { billable, amount, more: new Exact(amount).minus(text(record[side]) || '0') }
}

const positive = (amount: Exact): string => (amount.gt(0) ? exactText(amount) : '0')

/** What a late receipt charges: the customer of the message, and the supplier who carried it. */
interface Owed {
  message: EntityRecord
  usage: string
  cost: string
  supplierAccountId: string
}

/**
 * Posts what late receipts would have charged, today, in one adjustment for each account and product. The messages that are late now were
 * not before and are held until the end of the transaction, so that none is adjusted twice.
 */
async function postOwed({ tx, context, now, entities }: Work, owed: readonly Owed[]): Promise<void> {
  const batchId = newId(now.getTime())
  const summed = (side: 'usage' | 'cost', accountOf: (one: Owed) => string): LateUsage[] => {
    const some = owed.filter((one) => one[side] !== '0' && accountOf(one) !== '')
    const sums = new Map<string, LateUsage>()
    for (const one of some) {
      const { message, [side]: amount } = one
      const late = { accountId: accountOf(one), product: text(message.product) || 'sms', batchId }
      const key = `${late.accountId} ${late.product}`
      sums.set(key, { ...late, amount: exactText(new Exact(sums.get(key)?.amount ?? '0').plus(amount)) })
    }
    return [...sums.values()]
  }
  const fin = { tx, context, now, entities }
  await postUsageAdjustments(
    fin,
    summed('usage', ({ message }) => text(message.accountId)),
  )
  await postCostAdjustments(
    fin,
    summed('cost', ({ supplierAccountId }) => supplierAccountId),
  )
  const posted = owed.filter(({ usage, cost }) => usage !== '0' || cost !== '0')
  await entities.changeMany(ENTITY, new Map(posted.map(({ message }) => [text(message.id), { usageBatchId: batchId }])))
}
