import { sql } from 'drizzle-orm'
import { tableOf, thereIs } from '../../../../entities'
import { addDays, dayOf, type Day } from '../../../../platform/calendar'
import { systemContext } from '../../../../platform/http'
import type { ModuleJob } from '../../../module'
import { SUPPLIER_ACCOUNT } from '../../checks/vos'

/** Opens a proofreading of last month for every supplier's account that cost something in it, once (money 14, `proofread-open`). */
export const job: ModuleJob = ({ engine, database, configuration }) => ({
  name: 'fin.proofreads',
  title: { zh: '供应商对账', en: 'Statements of suppliers' },
  description: {
    zh: '每月 2 日为上月有成本的供应商账户各建一张核对单，等待导入对方账单；已有同期核对单的账户跳过。',
    en: 'On day 2: a proofreading for every account at a supplier that cost something last month, waiting for the statement. Accounts that have one of the period are left out.',
  },
  schedule: { every: 'month', monthDay: 2, at: '01:30' },
  run: async ({ now, dry }) => {
    const last = addDays(`${dayOf(now, configuration.companyTimeZone).slice(0, 7)}-01`, -1)
    const first: Day = `${last.slice(0, 7)}-01`
    const accounts = tableOf(SUPPLIER_ACCOUNT)
    const { rows } = (await thereIs(database, SUPPLIER_ACCOUNT))
      ? await database.query<{ id: string; name: string; kind: string }>(
          sql`select a.id, a.name, a.kind from ${sql.raw(accounts)} a where a.deleted_at is null
              and exists (select 1 from fin_ledger_entry e where e.account_kind = 'supplier' and e.account_id = a.id and e.type = 'cost' and e.biz_date between ${first}::date and ${last}::date)
              and not exists (select 1 from fin_proofread p where p.supplier_account_id = a.id and p.period_from = ${first}::date and p.period_to = ${last}::date and p.deleted_at is null)
            order by a.code`,
        )
      : { rows: [] }
    if (!dry && rows.length > 0)
      await engine.transaction(systemContext({ now }), (entities) =>
        entities.createMany(
          'fin.proofread',
          rows.map(({ id, kind }) => ({
            ...{ kind: kind === 'vos' ? 'vos' : 'supplierBill', supplierAccountId: id },
            ...{ periodFrom: first, periodTo: last },
          })),
        ),
      )
    return {
      figures: [{ id: 'opened', title: { zh: '核对单', en: 'Proofreadings' }, value: rows.length }],
      columns: [{ id: 'name', title: { zh: '供应商账户', en: 'Account' } }],
      rows: rows.slice(0, 100).map(({ id, name }) => ({ id, name })),
      more: Math.max(0, rows.length - 100),
    }
  },
})
