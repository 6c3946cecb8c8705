import { sql } from 'drizzle-orm'
import { dayOf } from '../../../../platform/calendar'
import { tableOf } from '../../../../entities'
import { notify } from '../../../../todos'
import type { ModuleJob } from '../../../module'

/** Days of money that make the buyer look (money 4.2). */
const FEW = 3
const AVERAGE = 7
/** Where accounts of a kind stand; the others stand with the SMS accounts. */
const PAGES: Readonly<Record<string, string>> = { vos: 'vos', email: 'email', social: 'social' }

interface Account {
  id: string
  title: string
  accountKind: string
  buyerId: string | null
  daysLeft: string | null
  crossed: boolean
}

/** What accounts at suppliers cost a day, and how long their money lasts; the buyer of a prepaid one is told once when it gets short. */
export const job: ModuleJob = ({ database, configuration }) => ({
  name: 'fin.supplierDays',
  title: { zh: '供应商账户可用天数', en: 'Days left at suppliers' },
  description: {
    zh: '每天按近 7 天成本计算供应商账户的日均成本和可用天数；预付账户少于 3 天时通知采购。',
    en: 'Every night: the average cost of the last 7 days and how long the money lasts. The buyer of a prepaid account with less than 3 days is told.',
  },
  schedule: { every: 'day', at: '01:50' },
  run: async ({ now, dry }) => {
    const today = dayOf(now, configuration.companyTimeZone)
    const accounts = sql.raw(tableOf('srm.supplierAccount'))
    const { rows } = await database.transaction(async (tx) => {
      const figures = await tx.query<Account>(
        sql`with cost as (
            select account_id, -sum(signed_amount) / ${AVERAGE} as per_day from fin_ledger_entry
            where account_kind = 'supplier' and type = 'cost' and biz_date >= ${today}::date - ${AVERAGE}::int and biz_date < ${today}::date group by account_id),
          fresh as (
            select a.id, round(c.per_day, 6) as per_day, case when c.per_day > 0 then greatest(0, least(9999, round(a.balance / c.per_day, 1))) end as days_left
            from ${accounts} a left join cost c on c.account_id = a.id where a.deleted_at is null),
          written as (
            update ${accounts} a set cost_per_day = f.per_day, days_left = f.days_left from fresh f
            where f.id = a.id and not ${dry} and (a.days_left is distinct from f.days_left or a.cost_per_day is distinct from f.per_day) returning a.id)
          select a.id, concat_ws(' ', a.code, a.name) as title, a.kind as "accountKind", a.buyer_id as "buyerId", f.days_left::text as "daysLeft", coalesce(a.days_left >= ${FEW}, true) as crossed
          from fresh f join ${accounts} a on a.id = f.id where a.pay_mode = 'prepaid' and a.status = 'active' and f.days_left < ${FEW} order by f.days_left`,
      )
      if (!dry)
        await notify(
          tx,
          figures.rows.flatMap(({ id, title, accountKind, buyerId, daysLeft, crossed }) =>
            !buyerId || !crossed
              ? []
              : [
                  {
                    staffId: buyerId,
                    kind: 'notice',
                    type: '3',
                    title: {
                      zh: `供应商账户 ${title} 余额仅够 ${daysLeft} 天`,
                      en: `The money of the supplier account ${title} lasts ${daysLeft} days`,
                    },
                    subject: { entity: 'srm.supplierAccount', id },
                    link: `/financial/account/supplier/${PAGES[accountKind] ?? 'sms'}?view=low`,
                    key: `supplierDays/${id}/${today}`,
                  },
                ],
          ),
          now,
        )
      return figures
    })
    return {
      figures: [{ id: 'short', title: { zh: '少于 3 天', en: 'Less than 3 days' }, value: rows.length }],
      columns: [
        { id: 'title', title: { zh: '账户', en: 'Account' } },
        { id: 'daysLeft', title: { zh: '可用天数', en: 'Days left' }, kind: 'number' },
      ],
      rows: rows.slice(0, 200).map(({ title, daysLeft }) => ({ title, daysLeft })),
      more: Math.max(0, rows.length - 200),
    }
  },
})
