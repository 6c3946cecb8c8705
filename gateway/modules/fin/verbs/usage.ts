import type { EntityRecord } from '../../../entities'
import { customerAccounts, type FinContext, type Given } from '../facts'
import { firstOpenDay, postMany } from '../ledger/post'
import { usage } from '../ledger/rules'

/**
 * `fin.postUsage`: posts lines of usage that were typed or imported, each once, all in one go (money 1.5): D account · C REV:{product}. A line of a closed month is dated
 * with the first open day and keeps its own.
 */
export async function postUsageLines(fin: FinContext, given: readonly Given[]): Promise<EntityRecord[]> {
  const ids = given.map((one) => one.needed('usageId'))
  const where = [{ field: 'id', operator: 'in', value: [...new Set(ids)] }] as const
  const found = await fin.entities.list('fin.usage', { where, limit: ids.length })
  const byId = new Map(found.map((line) => [String(line.id), line]))
  const lines = ids.flatMap((id): EntityRecord[] => {
    const line = byId.get(id)
    return line ? [line] : []
  })
  const accounts = await customerAccounts(
    fin,
    lines.map(({ accountId }) => String(accountId)),
  )
  const open = new Map<string, string>()
  for (const { accountId, day } of lines) {
    const { companyEntityId } = accounts.get(String(accountId))!
    const key = `${companyEntityId} ${String(day)}`
    if (!open.has(key)) open.set(key, await firstOpenDay(fin.tx, companyEntityId, String(day)))
  }
  const postings = await postMany(
    fin,
    lines.map((line) => {
      const account = accounts.get(String(line.accountId))!
      const bizDate = open.get(`${account.companyEntityId} ${String(line.day)}`)!
      return {
        ...{ type: 'usage', bizDate, ...(bizDate === line.day ? {} : { serviceDay: String(line.day) }) },
        companyEntityId: account.companyEntityId,
        ...{ sourceType: 'usageBatch', sourceId: String(line.id), sourceCode: String(line.reference) },
        idemKey: `usageLine:${String(line.id)}`,
        legs: usage(account, String(line.product), String(line.amount)),
      }
    }),
  )
  await fin.entities.changeMany(
    'fin.usage',
    new Map(lines.map(({ id }, index) => [String(id), { postingId: postings[index]!.postingId }])),
  )
  return lines
}
