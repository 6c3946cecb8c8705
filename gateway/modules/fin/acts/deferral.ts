import { sql } from 'drizzle-orm'
import { Exact } from '../../../../src/schema/formats'
import { ServiceError } from '../../../platform/http'
import { customerAccount, recordOf, type FinContext, type Given, type CustomerAccount } from '../facts'
import { note, refreshLast, text } from './creditRecord'
import { applicationOf } from './documents'

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
