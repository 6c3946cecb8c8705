import { Exact } from '../../../../src/schema/formats'
import type { RecordOf } from '../../../entities'
import { addDays } from '../../../platform/calendar'
import { ServiceError } from '../../../platform/http'
import { closePeriods, cycleOf, finalBill } from '../bills/books'
import { becomesPostpaid, becomesPrepaid } from '../bills/refunds'
import { customerAccount, recordOf, todayOf, type FinContext, type Given, type CustomerAccount } from '../facts'
import { accountDay, accountDayBegins } from '../zones'
import { note, refreshLast, text } from './creditRecord'
import { applicationOf, documentOf } from './documents'
import { endGrants } from './grants'

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
