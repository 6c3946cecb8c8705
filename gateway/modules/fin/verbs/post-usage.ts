import type { RecordOf } from '../../../entities'
import { customerAccounts, type FinContext, type Given } from '../facts'
import { firstOpenDay, postMany } from '../ledger/post'
import { usage } from '../ledger/rules'
import { together } from '../acts/documents'
import type { ModuleVerb } from '../../module'

/**
 * `fin.postUsage`: posts lines of usage that were typed or imported, each once, all in one go (money 1.5): D account · C REV:{product}. A line of a closed month is dated
 * with the first open day and keeps its own.
 */
export const verb: ModuleVerb = together(posted)

async function posted(fin: FinContext, given: readonly Given[]): Promise<RecordOf<'fin.usage'>[]> {
  const ids = given.map((one) => one.needed('usageId'))
  const where = [{ field: 'id', operator: 'in', value: [...new Set(ids)] }] as const
  const found = await fin.entities.list('fin.usage', { where, limit: ids.length })
  const byId = new Map(found.map((line) => [line.id, line]))
  const lines = ids.flatMap((id): RecordOf<'fin.usage'>[] => {
    const line = byId.get(id)
    return line ? [line] : []
  })
  const accounts = await customerAccounts(
    fin,
    lines.map(({ accountId }) => accountId),
  )
  const open = new Map<string, string>()
  for (const { accountId, day } of lines) {
    const { companyEntityId } = accounts.get(accountId)!
    const key = `${companyEntityId} ${day}`
    if (!open.has(key)) open.set(key, await firstOpenDay(fin.tx, companyEntityId, day))
  }
  const postings = await postMany(
    fin,
    lines.map((line) => {
      const account = accounts.get(line.accountId)!
      const bizDate = open.get(`${account.companyEntityId} ${line.day}`)!
      return {
        ...{ type: 'usage', bizDate, ...(bizDate === line.day ? {} : { serviceDay: line.day }) },
        companyEntityId: account.companyEntityId,
        ...{ sourceType: 'usageBatch', sourceId: line.id, sourceCode: line.reference },
        idemKey: `usageLine:${line.id}`,
        legs: usage(account, line.product, line.amount ?? '0'),
      }
    }),
  )
  await fin.entities.changeMany(
    'fin.usage',
    new Map(lines.map(({ id }, index) => [id, { postingId: postings[index]!.postingId }])),
  )
  return lines
}
