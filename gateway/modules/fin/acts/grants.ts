import { sql } from 'drizzle-orm'
import { Exact } from '../../../../src/schema/formats'
import type { RecordOf } from '../../../entities'
import { addDays } from '../../../platform/calendar'
import { cycleOf } from '../bills/books'
import { comingStarts } from '../bills/rules'
import { customerAccount, todayOf, type FinContext, type Given, type CustomerAccount } from '../facts'
import { accountDayBegins } from '../zones'
import { note, refreshLast, text } from './creditRecord'
import { waitForCycle } from './cycles'
import { applicationOf, documentOf } from './documents'

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

/** Ends the credits of some kinds that an account has or is going to have. */
export async function endGrants(
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
