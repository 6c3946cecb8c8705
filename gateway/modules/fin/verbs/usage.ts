import type { EntityRecord } from '../../../entities'
import { customerAccount, recordOf, type FinContext, type Given } from '../facts'
import { post } from '../ledger/post'
import { usage } from '../ledger/rules'

/** `fin.postUsage`: posts a line of usage that was typed or imported, once (money 1.5): D account · C REV:{product}. */
export async function postUsageLine(fin: FinContext, given: Given): Promise<EntityRecord> {
  const line = await recordOf(fin, 'fin.usage', given.needed('usageId'), { zh: '用量', en: 'usage' })
  const account = await customerAccount(fin, String(line.accountId))
  const { postingId } = await post(fin, {
    type: 'usage',
    bizDate: String(line.day),
    companyEntityId: account.companyEntityId,
    sourceType: 'usageBatch',
    sourceId: String(line.id),
    sourceCode: String(line.reference),
    idemKey: `usageLine:${String(line.id)}`,
    legs: usage(account, String(line.product), String(line.amount)),
  })
  await fin.entities.changeMany('fin.usage', new Map([[String(line.id), { postingId }]]))
  return line
}
