import type { RecordOf } from '../../../entities'
import { newId } from '../../../platform/database'
import { recordOf, type FinContext, type Given } from '../facts'
import { settleLedger } from '../ledger/settle'

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

/** A value as text; empty for none. */
export const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value as string | number))

/** Adds to the credit record (money 2.3), which nobody changes afterwards. */
export const note = (
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
