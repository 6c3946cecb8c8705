import { sql } from 'drizzle-orm'
import { dueSql } from '../../../entities'
import { ServiceError } from '../../../platform/http'
import { chargedSides, openRecords, productSql } from '../../fin'
import type { ModuleVerb } from '../../module'

/** Records that are written in one statement. */
const AT_ONCE = 500

/**
 * `biz.settleFree`: what the account of a `biz.freeTraffic` used on its day of its product without a price comes to 0 and names the document, so that no later rate
 * prices it and its day locks (quotes-traffic 5.8, 7.1). What has a price keeps it. Answers how many records there were; refuses where there is none.
 */
export const verb: ModuleVerb = async ({ tx, entities }, runs) => {
  const freed: { records: number }[] = []
  for (const { subject } of runs) {
    const { id, accountId, day, product } = subject.record
    const asked = { accountIds: [String(accountId)], from: String(day), through: String(day) }
    let records = 0
    for (const one of await chargedSides(tx, 'revenue')) {
      if (one.side.posting !== null) continue
      const { rows } = await tx.query<{ id: string }>(
        sql`select r.id from ${openRecords(one, asked)} and ${productSql(one.charged)} = ${String(product)} and ${dueSql(one.charged, 'revenue', 'r')} is null order by r.id`,
      )
      for (let from = 0; from < rows.length; from += AT_ONCE) {
        const part = rows.slice(from, from + AT_ONCE)
        await entities.changeMany(
          one.charged.entity,
          new Map(part.map((row) => [row.id, { [one.side.amount]: '0', billable: false, freeTrafficId: id }])),
        )
      }
      records += rows.length
    }
    if (records === 0)
      throw new ServiceError('factsChanged', {
        message: {
          zh: `该账户 ${String(day)} 没有此产品的未计价记录，无需免收。`,
          en: `The account has no records of this product without a price on ${String(day)}: nothing is to be settled.`,
        },
      })
    freed.push({ records })
  }
  return freed
}
