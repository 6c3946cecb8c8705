import type { ModuleVerb } from '../../module'
import { payTogether } from '../acts/billPayment'
import { Given } from '../facts'

/** `fin.payBills`: money that came in for the bills of a write, together one receipt. */
export const verb: ModuleVerb<'fin.bill'> = async (fin, runs) => {
  const [first] = runs
  if (!first) return []
  const { id, code, postingId } = await payTogether(
    fin,
    runs.map(({ subject }) => subject.record),
    new Given(fin.effect.do, first.with),
  )
  return runs.map(() => ({ id, code, postingId }))
}
