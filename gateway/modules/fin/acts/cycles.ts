import type { RecordOf } from '../../../entities'
import { ServiceError } from '../../../platform/http'
import { cycleOf } from '../bills/books'
import { transitionPeriod } from '../bills/rules'
import { customerAccount, todayOf, type FinContext, type Given, type CustomerAccount } from '../facts'
import { accountDayBegins } from '../zones'
import { text } from './creditRecord'
import { applicationOf, documentOf } from './documents'

/** `fin.startCycle`: a post-paid account that is opened with a billing cycle is billed from that day of its own zone on. */
export async function startCycle(fin: FinContext, given: Given): Promise<null> {
  const account = await customerAccount(fin, given.needed('accountId'))
  const { payMode, billCycleId, cycleFrom } = account.record
  if (payMode === 'postpaid' && billCycleId && !cycleFrom)
    await fin.entities.changeMany('fin.customerAccount', new Map([[account.id, { cycleFrom: todayOf(fin, account.record) }]]))
  return null
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

/** Another cycle waits for a first day of one of its periods. @throws ServiceError 10060059 for a day that has passed, or is none */
export async function waitForCycle(
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
