import { sql } from 'drizzle-orm'
import { tableOf, type EntityRecord, type EntityService } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import { supplierOf } from '../channels'
import { firstMonthFee } from '../rating/numbers'
import { textOf } from '../text'
import { makeFees } from './make'

/** What a fee follows from, of fields that people change. */
const PRICED = ['mrc', 'nrc', 'currency', 'costMrc', 'costNrc', 'costCurrency', 'costFrom', 'costTo', 'feesFrom'] as const

/** A number belongs to the supplier and to the customer of its accounts; before its price or state changes, what was due until then is made a fee. */
export const numberService = (timeZone: string): EntityService => ({
  async beforeSave({ record, before, entities, tx, now, fail }) {
    record.supplierId = await supplierOf(entities, record)
    if (!before || !PRICED.some((field) => before[field] !== record[field])) return
    await makeFees(tx, [before], now)
    if (before.costFrom !== record.costFrom && (await isCosted(entities, record)))
      fail({
        field: 'costFrom',
        message: {
          zh: '该号码已有成本费用，供应商计费起始日不能再改。',
          en: 'The number has fees of its supplier already; the day from which he charges does not change any more.',
        },
      })
  },
  effect: async ({ before, tx, now }) => {
    await makeFees(tx, [before], now)
  },
  afterEffect: async ({ record, tx, now, transition }) => {
    if (transition.id === 'assign') await makeFees(tx, [record], now)
  },
  async computeFields(records, { db }) {
    const ids = [...new Set(records.map(({ accountId }) => textOf(accountId)))]
    const { rows } = await db.query<{ id: string; timezone: string | null }>(
      sql`select id, timezone from ${sql.raw(tableOf('fin.customerAccount'))} where id = any(${sql.param(ids)}::text[])`,
    )
    const zones = new Map(rows.map(({ id, timezone }) => [id, timezone]))
    for (const record of records) {
      const zone = textOf(zones.get(textOf(record.accountId))) || timeZone
      const activated = textOf(record.activatedAt)
      const mrc = textOf(record.mrc)
      record.firstMonthFee = activated !== '' && mrc !== '' ? firstMonthFee(mrc, dayOf(new Date(activated), zone)) : null
    }
  },
})

const isCosted = async (entities: Parameters<typeof supplierOf>[0], { id }: EntityRecord): Promise<boolean> =>
  (await entities.count('biz.numberFee', [
    { field: 'assetId', operator: 'eq', value: textOf(id) },
    { field: 'costDay', operator: 'notEmpty' },
  ])) > 0
