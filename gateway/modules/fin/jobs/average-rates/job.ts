import { sql } from 'drizzle-orm'
import { tableOf } from '../../../../entities'
import { addDays, dayOf, type Day } from '../../../../platform/calendar'
import { systemContext } from '../../../../platform/http'
import { ruleFor } from '../../../../rules'
import { namingNobody, notify } from '../../../../todos'
import type { ModuleJob } from '../../../module'
import { staffOfRoles } from '../../people'
import { averageOf } from '../../settings/rateRules'

/** Averages of the month before, one a currency, however often it runs (money 14, `avg-rate`). */
export const job: ModuleJob = ({ engine, database, configuration }) => ({
  name: 'fin.averageRates',
  title: { zh: '月均汇率', en: 'Average rates' },
  description: {
    zh: '每月设定之日 10:00 起计算上月每个币种的日均汇率并通知；没有汇率的日子取之前最近的汇率。',
    en: 'From the day that is set at 10:00: the mean of the daily rates of the month before, which is told; a day without one takes the last before it.',
  },
  schedule: { every: 'day', at: '10:00' },
  run: async ({ now, dry }) => {
    const today = dayOf(now, configuration.companyTimeZone)
    const rule = await ruleFor(database, 'fin.averageRate', now)
    const last = addDays(`${today.slice(0, 7)}-01`, -1)
    const first: Day = `${last.slice(0, 7)}-01`
    const days = Array.from({ length: Number(last.slice(8)) }, (_, index) => addDays(first, index))
    const rates = sql.raw(tableOf('sys.exchangeRate'))
    const { rows } = await database.query<{ base: string; date: string; rate: string }>(
      sql`select x.base, x.date::text as date, x.rate::text as rate from ${rates} x
        where x.kind = 'xe' and x.quote = 'CNY' and x.rate > 0 and x.date <= ${last}::date and x.date >= ${first}::date - 10 and x.deleted_at is null
          and not exists (select 1 from ${rates} a where a.kind = 'average' and a.base = x.base and a.quote = 'CNY' and a.date = ${first}::date and a.deleted_at is null)`,
    )
    const due = Number(today.slice(8)) >= rule.day
    const made = (due ? [...new Set(rows.map(({ base }) => base))] : []).flatMap((base) => {
      const own = rows.filter((row) => row.base === base)
      const rate = averageOf(days, own)
      return rate === undefined ? [] : [{ base, rate }]
    })
    if (!dry && made.length > 0)
      await engine.transaction(systemContext({ now }), async (entities, tx) => {
        for (const { base, rate } of made) {
          await entities.save('sys.exchangeRate', { kind: 'average', base, quote: 'CNY', date: first, rate, source: 'XE' })
          const of = { base, quote: 'CNY', date: first, kind: 'performance' }
          const where = Object.entries(of).map(([field, value]) => ({ field, operator: 'eq' as const, value }))
          if (rule.publishToSetRate && (await entities.count('sys.exchangeRate', where)) === 0)
            await entities.save('sys.exchangeRate', { ...of, rate, source: 'XE' })
        }
        const roles = [...(rule.tellFinance ? ['finance'] : []), ...(rule.tellSales ? ['salesManager'] : [])]
        const people = await staffOfRoles(tx, roles)
        const month = first.slice(0, 7)
        const told = made.map(({ base, rate }) => `${base} ${rate}`).join(', ')
        await notify(
          tx,
          people.map((id) =>
            namingNobody({
              staffId: id,
              kind: 'notice',
              type: '3',
              key: `averageRates:${month}:${id}`,
              title: { zh: `${month} 月均汇率：${told}`, en: `Average rates of ${month}: ${told}` },
              link: '/setModule/financial/xe-rate?view=average',
              todo: false,
            }),
          ),
          now,
        )
      })
    return {
      figures: [{ id: 'rates', title: { zh: '月均汇率', en: 'Average rates' }, value: made.length }],
      columns: [
        { id: 'base', title: { zh: '币种', en: 'Currency' } },
        { id: 'rate', title: { zh: '汇率', en: 'Rate' }, kind: 'number' },
      ],
      rows: made,
      more: 0,
    }
  },
})
