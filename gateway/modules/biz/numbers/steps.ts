import { sql } from 'drizzle-orm'
import { tableOf, thereIs } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import type { SqlStep } from '../../../platform/database'
import { namingNobody, notify } from '../../../todos'
import { staffOfRoles } from '../../fin'
import { monthOf } from '../rating/numbers'

/** Numbers that a notice names. */
const NAMED = 20

/**
 * Numbers that were rented when numbers were not charged yet are charged from this month on: what was due before may have been asked for by hand. Finance is told which they
 * are, and whoever keeps them takes the day away where it was not.
 */
export const feesBegin: SqlStep = {
  id: '2026-11-biz-fees-of-numbers-begin',
  run: async (tx) => {
    if (!(await thereIs(tx, 'biz.numberAsset'))) return
    const now = new Date()
    const from = monthOf(dayOf(now, tx.companyTimeZone))
    const { rows } = await tx.query<{ number: string }>(
      sql`update ${sql.raw(tableOf('biz.numberAsset'))} set fees_from = ${from}::date where account_id is not null and activated_at < ${from}::date at time zone ${tx.companyTimeZone}
        and status in ('assigned', 'suspended', 'released', 'quarantine') and deleted_at is null returning number`,
    )
    if (rows.length === 0) return
    const names = rows.map(({ number }) => number).sort()
    const some = names.slice(0, NAMED).join(', ')
    const more = names.length - NAMED
    await notify(
      tx,
      (await staffOfRoles(tx, ['finance'])).map((staffId) =>
        namingNobody({
          staffId,
          kind: 'notice',
          type: '3',
          key: `numberFees:${staffId}`,
          title: {
            zh: `${names.length} 个在租号码自 ${from} 起自动计费，请核对此前的费用`,
            en: `${names.length} rented numbers are charged from ${from} on: please check what was due before`,
          },
          text: {
            zh: `${some}${more > 0 ? ` 等，另 ${more} 个` : ''}。此前未收的，清空号码的“费用起算日”即可补收。`,
            en: `${some}${more > 0 ? ` and ${more} more` : ''}. Where it was not asked for, empty "Fees from" of the number.`,
          },
          link: '/businessInquiry/numbers',
        }),
      ),
      now,
    )
  },
}
