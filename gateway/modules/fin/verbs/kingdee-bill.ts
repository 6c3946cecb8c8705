import { dayOf } from '../../../platform/calendar'
import type { ModuleVerb } from '../../module'
import { deliverBill, withdrawBill } from '../kingdee/make'

/** `fin.kingdeeBill`: a bill is issued (its listener), or made void again (`void`). */
export const verb: ModuleVerb = async (hook, runs) => {
  const day = dayOf(hook.now, hook.tx.companyTimeZone)
  for (const { subject, with: given } of runs)
    if (given.void === true) await withdrawBill(hook, subject.record, day)
    else await deliverBill(hook, subject.record, String(subject.record.periodTo ?? day).slice(0, 10))
}
