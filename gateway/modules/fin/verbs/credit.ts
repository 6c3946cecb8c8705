import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import type { RecordOf } from '../../../entities'
import { addDays } from '../../../platform/calendar'
import { ServiceError } from '../../../platform/http'
import { positionOf } from '../bills/agree'
import { closePeriods, cycleOf, finalBill } from '../bills/books'
import { becomesPostpaid, becomesPrepaid } from '../bills/refunds'
import { comingStarts, transitionPeriod } from '../bills/rules'
import { newId } from '../../../platform/database'
import { customerAccount, recordOf, todayOf, type FinContext, type Given, type CustomerAccount } from '../facts'
import { settleLedger } from '../ledger/settle'
import { accountDay, accountDayBegins } from '../zones'
import { applicationOf, documentOf } from './documents'

/** Works out where an account stands, at the end of the transaction. */
export const refreshLast = (fin: FinContext, accountId: string): void => {
  fin.tx.beforeCommit(settleLedger, { refresh: accountId, now: fin.now })
}

/** `fin.recompute`: the credit of an account anew; with `action`, what happened goes to the credit record. */
export async function recompute(fin: FinContext, given: Given): Promise<null> {
  const accountId = given.needed('accountId')
  refreshLast(fin, accountId)
  const action = given.text('action')
  if (action === '' || action === 'none') return null
  const account = await recordOf(fin, 'fin.customerAccount', accountId, { zh: '客户账户', en: 'customer account' })
  await note(fin, account, {
    action,
    before: 'before' in given.values ? given.text('before') : text(account.creditLimit),
    after: given.text('amount'),
    instanceId: given.text('instanceId'),
  })
  return null
}

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value as string | number))

/** Adds to the credit record (money 2.3), which nobody changes afterwards. */
const note = (
  fin: FinContext,
  account: RecordOf<'fin.customerAccount'>,
  said: { action: string; before: string; after: string; instanceId?: string; reason?: string },
): Promise<void> =>
  fin.entities.insertMany('fin.creditRecord', [
    {
      id: newId(fin.now.getTime()),
      at: fin.now.toISOString(),
      createdBy: fin.context.user.staffId,
      ...{ accountId: account.id, customerId: account.customerId, currency: account.currency },
      ...said,
      instanceId: said.instanceId || null,
      staffId: fin.context.user.staffId,
      reason: said.reason || null,
    },
  ])

/**
 * `fin.grant`: a credit (money 2.3, 8.1, 8.2). A temporary one begins and ends at its moments; a permanent one replaces the one before,
 * and 0 ends the credit line. Nothing is posted.
 */
export async function grant(fin: FinContext, given: Given): Promise<RecordOf<'fin.creditGrant'> | null> {
  const application = applicationOf(given)
  const account = await customerAccount(fin, given.needed('accountId'))
  const kind = given.needed('kind')
  if (kind !== 'temporary' && kind !== 'permanent')
    throw given.wrong('kind', { zh: '须为临时或长期', en: 'neither temporary nor permanent' })
  const known = await documentOf(fin, 'fin.creditGrant', application)
  if (known) return known
  const amount = kind === 'temporary' ? given.positive('amount') : given.amount('amount')
  const startsAt = moment(fin, given.text('from'), account) ?? fin.now.toISOString()
  if (kind === 'permanent') await giveWay(fin, account, startsAt)
  await keepTerms(fin, given, account)
  refreshLast(fin, account.id)
  const before = text(account.record.limitPermanent) || '0'
  if (kind === 'permanent' && new Exact(amount).isZero()) {
    await note(fin, account.record, {
      action: 'lower',
      before,
      after: '0',
      instanceId: application.instanceId,
      reason: given.text('reason'),
    })
    return null
  }
  const endsAt = moment(fin, given.text('to'), account, true)
  if (kind === 'temporary' && (endsAt === null || endsAt <= fin.now.toISOString()))
    throw given.wrong('to', { zh: '已过，临时授信不能生效', en: 'over already; the credit cannot begin' })
  const record = await fin.entities.save('fin.creditGrant', {
    ...{ accountId: account.id, customerId: account.customerId, kind, amount, currency: account.currency, startsAt, endsAt },
    reason: given.text('reason') || null,
    instanceId: application.instanceId,
  })
  if (kind === 'permanent') {
    const change = new Exact(amount).minus(before)
    const action = new Exact(before).isZero() || change.isZero() ? 'grant' : change.gt(0) ? 'raise' : 'lower'
    await note(fin, account.record, {
      action,
      before,
      after: amount,
      instanceId: application.instanceId,
      reason: given.text('reason'),
    })
  }
  return startsAt <= fin.now.toISOString() ? fin.entities.transition('fin.creditGrant', record.id, 'activate') : record
}

/** A day or a moment of a form as an instant; a last day counts whole. */
function moment(fin: FinContext, given: string, account: CustomerAccount, last = false): string | null {
  if (given === '') return null
  if (given.length > 10) return new Date(given).toISOString()
  return accountDayBegins(account.record, last ? addDays(given, 1) : given, fin.tx.companyTimeZone)
}

/** The credit line of before ends where the new one begins. */
async function giveWay(fin: FinContext, account: CustomerAccount, startsAt: string): Promise<void> {
  if (startsAt <= fin.now.toISOString()) return endGrants(fin, account, ['permanent'], 'replace')
  const running = await fin.entities.list('fin.creditGrant', {
    where: [
      { field: 'accountId', operator: 'eq', value: account.id },
      { field: 'kind', operator: 'eq', value: 'permanent' },
      { field: 'status', operator: 'eq', value: 'active' },
    ],
  })
  await fin.entities.changeMany('fin.creditGrant', new Map(running.map(({ id }) => [id, { endsAt: startsAt }])))
}

async function endGrants(
  fin: FinContext,
  account: CustomerAccount,
  kinds: readonly string[],
  transition: 'replace' | 'revoke',
): Promise<void> {
  const grants = await fin.entities.list('fin.creditGrant', {
    where: [
      { field: 'accountId', operator: 'eq', value: account.id },
      { field: 'kind', operator: 'in', value: [...kinds] },
      { field: 'status', operator: 'in', value: ['pending', 'active'] },
    ],
  })
  await fin.entities.transitions(
    'fin.creditGrant',
    grants.map(({ id }) => id),
    transition,
  )
}

/** Cycle, term and risk that came with a credit line; of an account with another cycle they wait for its next period. */
async function keepTerms(fin: FinContext, given: Given, account: CustomerAccount): Promise<void> {
  const riskLevel = given.text('riskLevel')
  if (riskLevel !== '')
    await fin.tx.query(
      sql`update fin_credit_control set risk_level = ${riskLevel} where account_id = ${account.id} and deleted_at is null`,
    )
  const cycleId = given.text('billCycleId')
  const termDays = given.number('termDays')
  if (cycleId === '' && termDays === null) return
  const current = text(account.record.billCycleId)
  if (current === '' || cycleId === '' || cycleId === current) {
    await fin.entities.save('fin.customerAccount', {
      id: account.id,
      ...(cycleId === '' ? {} : { billCycleId: cycleId }),
      ...(current === '' ? { cycleFrom: todayOf(fin, account.record) } : {}),
      ...(termDays === null ? {} : { termDays }),
    })
    return
  }
  const [next] = comingStarts(await cycleOf(fin, cycleId), todayOf(fin, account.record), 1)
  await waitForCycle(fin, account, { cycleId, termDays, effectiveFrom: next!, instanceId: given.text('instanceId') })
}

/**
 * `fin.defer`: bills are due later (money 8.3). A stop that only they caused ends, unless nothing is to be sent meanwhile; the plan's
 * days become reminders, and a missed one takes the deferral back. Nothing is posted.
 */
export async function defer(fin: FinContext, given: Given): Promise<null> {
  const { instanceId } = applicationOf(given)
  const account = await customerAccount(fin, given.needed('accountId'))
  const deferTo = given.needed('deferTo').slice(0, 10)
  const billIds = given.ids('billIds')
  const planned = await fin.entities.count('fin.collectionPlan', [{ field: 'instanceId', operator: 'eq', value: instanceId }])
  const bills = await fin.entities.list('fin.bill', { where: [{ field: 'id', operator: 'in', value: billIds }], lock: true })
  const done = planned > 0 || (await recorded(fin, account, instanceId))
  if (done) return null
  const paid = billIds.find(
    (id) => !bills.some((bill) => bill.id === id && bill.accountId === account.id && new Exact(bill.openAmount).gt(0)),
  )
  if (paid !== undefined) {
    const code = text(bills.find(({ id }) => id === paid)?.code) || paid
    throw new ServiceError('factsChanged', {
      message: {
        zh: `账单 ${code} 已无未收金额，请重新选择账单后提交。`,
        en: `The bill ${code} has nothing open any more. Please choose the bills again and submit.`,
      },
      data: { field: 'billIds', id: paid },
    })
  }
  await fin.entities.changeMany(
    'fin.bill',
    new Map(bills.map((bill) => [bill.id, { deferredTo: deferTo, deferCount: Number(bill.deferCount ?? 0) + 1 }])),
  )
  const keepSending = given.flag('keepSending', true)
  await fin.tx.query(
    sql`update fin_credit_control set no_sending_until = ${keepSending ? null : deferTo}::date where account_id = ${account.id} and deleted_at is null and (${keepSending} or stage = 'stop')`,
  )
  const plan = given.rows('payPlan')
  await fin.entities.createMany(
    'fin.collectionPlan',
    plan.map((row) => ({
      ...{ accountId: account.id, customerId: account.customerId, currency: account.currency, billIds, instanceId },
      date: row.needed('date').slice(0, 10),
      amount: row.positive('amount'),
    })),
  )
  const due = bills.map((bill) => text(bill.deferredTo ?? bill.dueDate)).sort()[0] ?? ''
  await note(fin, account.record, { action: 'defer', before: due, after: deferTo, instanceId, reason: given.text('reason') })
  refreshLast(fin, account.id)
  return null
}

const recorded = async (fin: FinContext, account: CustomerAccount, instanceId: string): Promise<boolean> =>
  (await fin.entities.count('fin.creditRecord', [
    { field: 'accountId', operator: 'eq', value: account.id },
    { field: 'instanceId', operator: 'eq', value: instanceId },
    { field: 'action', operator: 'eq', value: 'defer' },
  ])) > 0

/** `fin.checkPlan`: a planned collection was missed: what was deferred is due again (money 8.3). */
export async function checkPlan(fin: FinContext, given: Given): Promise<null> {
  const plan = await recordOf(fin, 'fin.collectionPlan', given.needed('planId'), { zh: '回款计划', en: 'collection plan' })
  const ids = Array.isArray(plan.billIds) ? plan.billIds.map(String) : []
  const bills = await fin.entities.list('fin.bill', { where: [{ field: 'id', operator: 'in', value: ids }], lock: true })
  const open = bills.filter(({ openAmount }) => new Exact(openAmount).gt(0))
  if (open.length === 0) return null
  await fin.entities.changeMany('fin.bill', new Map(open.map(({ id }) => [id, { deferredTo: null }])))
  const account = await recordOf(fin, 'fin.customerAccount', plan.accountId, { zh: '客户账户', en: 'customer account' })
  await note(fin, account, {
    action: 'revoke',
    before: text(plan.date),
    after: '',
    instanceId: text(plan.instanceId),
    reason: '回款计划未兑现 / plan missed',
  })
  refreshLast(fin, plan.accountId)
  return null
}

/** `fin.startCycle`: a post-paid account that is opened with a billing cycle is billed from that day of its own zone on. */
export async function startCycle(fin: FinContext, given: Given): Promise<null> {
  const account = await customerAccount(fin, given.needed('accountId'))
  const { payMode, billCycleId, cycleFrom } = account.record
  if (payMode === 'postpaid' && billCycleId && !cycleFrom)
    await fin.entities.changeMany('fin.customerAccount', new Map([[account.id, { cycleFrom: todayOf(fin, account.record) }]]))
  return null
}

/** `fin.changePayMode`: prepaid ⇄ post-paid (money 8.4), on its day: at once when that is there, else it waits. */
export async function changePayMode(fin: FinContext, given: Given): Promise<RecordOf<'fin.accountChange'>> {
  const { instanceId } = applicationOf(given)
  const account = await customerAccount(fin, given.needed('accountId'))
  const toMode = given.needed('toMode')
  if (toMode !== 'prepaid' && toMode !== 'postpaid')
    throw given.wrong('toMode', { zh: '须为预付费或后付费', en: 'neither prepaid nor postpaid' })
  const known = await documentOf(fin, 'fin.accountChange', { instanceId, instanceCode: '' })
  if (known) return known
  if (account.record.payMode === toMode)
    throw new ServiceError('factsChanged', {
      message: {
        zh: `账户 ${account.title} 的付款方式已是目标方式，请确认后重新提交。`,
        en: `The account ${account.title} has this payment method already. Please check it and submit again.`,
      },
      data: { field: 'payMode', old: toMode, new: toMode },
    })
  const today = todayOf(fin, account.record)
  const asked = given.text('effectiveDate').slice(0, 10)
  const effective = asked > today ? asked : today
  const record = await fin.entities.save('fin.accountChange', {
    ...{
      accountId: account.id,
      customerId: account.customerId,
      kind: 'modeChange',
      toMode,
      instanceId,
      currency: account.currency,
    },
    effectiveFrom: accountDayBegins(account.record, effective, fin.tx.companyTimeZone),
    limit: given.text('limit') === '' ? null : given.amount('limit'),
    cycleId: given.text('billCycleId') || null,
    termDays: given.number('termDays'),
  })
  return effective > today ? record : fin.entities.transition('fin.accountChange', record.id, 'take')
}

/** `fin.changeCycle`: another billing cycle from the first day of one of its periods on (money 8.5). */
export async function changeCycle(fin: FinContext, given: Given): Promise<RecordOf<'fin.accountChange'>> {
  const { instanceId } = applicationOf(given)
  const account = await customerAccount(fin, given.needed('accountId'))
  const known = await documentOf(fin, 'fin.accountChange', { instanceId, instanceCode: '' })
  if (known) return known
  return waitForCycle(fin, account, {
    cycleId: given.needed('newCycleId'),
    termDays: given.number('newTermDays'),
    effectiveFrom: given.needed('effectiveFrom').slice(0, 10),
    instanceId,
  })
}

async function waitForCycle(
  fin: FinContext,
  account: CustomerAccount,
  {
    cycleId,
    termDays,
    effectiveFrom,
    instanceId,
  }: { cycleId: string; termDays: number | null; effectiveFrom: string; instanceId: string },
): Promise<RecordOf<'fin.accountChange'>> {
  const today = todayOf(fin, account.record)
  const currentId = text(account.record.billCycleId)
  if (effectiveFrom <= today)
    throw new ServiceError('factsChanged', {
      message: {
        zh: `生效日 ${effectiveFrom} 已过，请选择之后的账期起始日后重新提交。`,
        en: `The day ${effectiveFrom} has passed. Please choose a later first day of a period and submit again.`,
      },
      data: { field: 'effectiveFrom', old: effectiveFrom, new: today },
    })
  if (currentId !== '') {
    const current = await cycleOf(fin, currentId, account.record.cycleFrom)
    const next = await cycleOf(fin, cycleId, effectiveFrom)
    try {
      transitionPeriod(current, next, effectiveFrom)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new ServiceError('factsChanged', {
        message: { zh: `${effectiveFrom} 不能作为新账期的起始日，请重新选择。`, en: `${why} Please choose another day.` },
        data: { field: 'effectiveFrom', value: effectiveFrom },
      })
    }
  }
  await fin.entities.save('fin.customerAccount', { id: account.id, nextCycleId: cycleId, nextCycleFrom: effectiveFrom })
  return fin.entities.save('fin.accountChange', {
    ...{
      accountId: account.id,
      customerId: account.customerId,
      kind: 'cycleChange',
      cycleId,
      termDays,
      instanceId,
      currency: account.currency,
    },
    effectiveFrom: accountDayBegins(account.record, effectiveFrom, fin.tx.companyTimeZone),
  })
}

/** `fin.applyChange`: a change of an account takes effect on its day. */
export async function applyChange(fin: FinContext, given: Given): Promise<null> {
  const change = await recordOf(fin, 'fin.accountChange', given.needed('changeId'), { zh: '账户变更', en: 'account change' })
  const account = await customerAccount(fin, change.accountId)
  const today = todayOf(fin, account.record)
  if (change.kind === 'cycleChange') await switchCycle(fin, account, change, today)
  else await switchMode(fin, account, change, today)
  refreshLast(fin, account.id)
  return null
}

async function switchMode(
  fin: FinContext,
  account: CustomerAccount,
  change: RecordOf<'fin.accountChange'>,
  today: string,
): Promise<void> {
  const toMode = change.toMode ?? ''
  if (toMode === 'postpaid') {
    await endGrants(fin, account, ['temporary'], 'revoke')
    await endGrants(fin, account, ['permanent'], 'replace')
    const limit = text(change.limit) || '0'
    const day = accountDay(account.record, new Date(text(change.effectiveFrom)), fin.tx.companyTimeZone)
    await fin.entities.save('fin.customerAccount', {
      id: account.id,
      payMode: toMode,
      ...(text(change.cycleId) ? { billCycleId: change.cycleId, cycleFrom: day < today ? day : today } : {}),
      ...(change.termDays === null || change.termDays === undefined ? {} : { termDays: change.termDays }),
    })
    await becomesPostpaid(fin, await customerAccount(fin, account.id))
    if (new Exact(limit).gt(0)) {
      const made = await fin.entities.save('fin.creditGrant', {
        ...{
          accountId: account.id,
          customerId: account.customerId,
          kind: 'permanent',
          amount: limit,
          currency: account.currency,
        },
        ...{ startsAt: fin.now.toISOString(), instanceId: change.instanceId },
      })
      await fin.entities.transition('fin.creditGrant', made.id, 'activate')
    }
  } else {
    await closeRunning(fin, account, today)
    await becomesPrepaid(fin, account)
    await endGrants(fin, account, ['permanent'], 'replace')
    await fin.entities.save('fin.customerAccount', {
      id: account.id,
      ...{ payMode: toMode, billCycleId: null, cycleFrom: null, nextCycleId: null, nextCycleFrom: null },
    })
  }
  await note(fin, account.record, {
    action: 'modeChange',
    before: text(account.record.payMode),
    after: toMode,
    instanceId: text(change.instanceId),
  })
}

/** What is not billed is, and the period that runs ends on the eve (I17); what is left over has a bill of its own. */
async function closeRunning(fin: FinContext, account: CustomerAccount, today: string): Promise<void> {
  const through = addDays(today, -1)
  const cycleId = text(account.record.billCycleId)
  if (cycleId !== '') {
    const cycle = await cycleOf(fin, cycleId, account.record.cycleFrom)
    await closePeriods(fin, account, cycle, { through, cut: true, issue: true })
  }
  await finalBill(fin, account, through)
}

async function switchCycle(
  fin: FinContext,
  account: CustomerAccount,
  change: RecordOf<'fin.accountChange'>,
  today: string,
): Promise<void> {
  await closeRunning(fin, account, today)
  await fin.entities.save('fin.customerAccount', {
    id: account.id,
    ...{ billCycleId: change.cycleId, cycleFrom: today, nextCycleId: null, nextCycleFrom: null },
    ...(change.termDays === null || change.termDays === undefined ? {} : { termDays: change.termDays }),
  })
  await note(fin, account.record, {
    action: 'cycleChange',
    before: text(account.record.billCycleId),
    after: text(change.cycleId),
    instanceId: text(change.instanceId),
  })
}

/** `fin.closeAccount`: an account with nothing on it ends (money 4.1); its transition `close` checks that. */
export async function closeAccount(fin: FinContext, given: Given): Promise<RecordOf<'fin.customerAccount'>> {
  const id = given.needed('accountId')
  const record = await recordOf(fin, 'fin.customerAccount', id, { zh: '客户账户', en: 'customer account' })
  if (record.status === 'closed') return record
  return fin.entities.transition('fin.customerAccount', id, 'close', {})
}

/**
 * `fin.checkClosing`: an account that is closed has its last bill first, through today. @throws ServiceError 10060059 for one with money, with open bills, or with
 * consumption on none
 */
export async function checkClosing(fin: FinContext, given: Given): Promise<null> {
  const id = given.needed('accountId')
  const account = await customerAccount(fin, id)
  const before = await positionOf(fin.tx, id)
  await finalBill(fin, account, todayOf(fin, account.record))
  const { mode, free, owed } = await positionOf(fin.tx, id)
  const open = await fin.entities.count('fin.bill', [
    { field: 'accountId', operator: 'eq', value: id },
    { field: 'openAmount', operator: 'ne', value: '0' },
    { field: 'status', operator: 'in', value: ['draft', 'checking', 'issued', 'partPaid', 'disputed'] },
  ])
  // what the last bill posts is not on the balance yet; what is free and owed says the same of a post-paid account
  const settled = [mode === 'postpaid' ? free : before.balance, owed].every((one) => new Exact(one).isZero())
  if (settled && open === 0) return null
  const [shown, unbilled] = [exactText(new Exact(before.balance)), exactText(new Exact(before.owed))]
  const currency = text(account.record.currency)
  throw new ServiceError('factsChanged', {
    message: {
      zh: `账户 ${account.title} 余额 ${shown} ${currency}、未结清账单 ${open} 张、未出账消费 ${unbilled} ${currency}，结清后才能销户。`,
      en: `The account ${account.title} has a balance of ${shown} ${currency}, ${open} open bills and ${unbilled} ${currency} on no bill that was issued. Settle them before it is closed.`,
    },
    data: { field: 'balance', value: shown, unbilled },
  })
}
