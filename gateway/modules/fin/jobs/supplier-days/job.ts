import { dayOf } from '../../../../platform/calendar'
import { namingNobody, notify } from '../../../../todos'
import type { ModuleJob } from '../../../module'
import { countDays } from '../../ledger/supplierDays'

/** Where accounts of a kind stand; the others stand with the SMS accounts. */
const PAGES: Readonly<Record<string, string>> = { vos: 'vos', email: 'email', social: 'social' }

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
    const rows = await database.transaction(async (tx) => {
      const accounts = await countDays(tx, today, { dry })
      if (!dry)
        await notify(
          tx,
          accounts.flatMap(({ id, title, accountKind, buyerId, daysLeft, crossed }) =>
            !buyerId || !crossed
              ? []
              : [
                  namingNobody({
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
                  }),
                ],
          ),
          now,
        )
      return accounts
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
