import type { SqlStep } from '../../../platform/database'
import { namingNobody, notify } from '../../../todos'
import { staffOfRoles } from '../people'

/**
 * Weekly cycles of before could begin on days up to 28: they begin on the same day of the week, counted from Monday (money 2.5). Finance
 * is told which ones.
 */
export const weekdaysOfCycles: SqlStep = {
  id: '2026-11-weekly-cycles-begin-on-a-weekday',
  run: async (tx) => {
    const { rows } = await tx.query<{ code: string; before: number; after: number }>(
      `with old as (select id, start_day from fin_bill_cycle where kind = 'weekly' and start_day > 7)
       update fin_bill_cycle c set start_day = (old.start_day - 1) % 7 + 1 from old where c.id = old.id
       returning c.code, old.start_day as before, c.start_day as after`,
    )
    if (rows.length === 0) return
    const list = rows
      .map(({ code, before, after }) => `${code} ${before} → ${after}`)
      .sort()
      .join(', ')
    await notify(
      tx,
      (await staffOfRoles(tx, ['finance'])).map((staffId) =>
        namingNobody({
          staffId,
          kind: 'notice',
          type: '3',
          key: `weeklyCycles:${staffId}`,
          title: {
            zh: '按周账期的起始日已改为星期几，请核对',
            en: 'The first days of weekly billing cycles were made weekdays: please check them',
          },
          text: { zh: `${list}（1=周一）`, en: `${list} (1 = Monday)` },
          link: '/setModule/financial/bill-cycle',
        }),
      ),
      new Date(),
    )
  },
}
