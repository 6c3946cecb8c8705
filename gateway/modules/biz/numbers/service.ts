import { sql } from 'drizzle-orm'
import { tableOf, type EntityRecord, type EntityService } from '../../../entities'
import { accountDays } from '../../fin'
import { supplierOf } from '../channels'
import { firstMonthFee } from '../rating/numbers'
import { textOf } from '../text'
import { makeFees } from './make'

/** What a fee follows from, of fields that people change. */
const PRICED = ['mrc', 'nrc', 'currency', 'costMrc', 'costNrc', 'costCurrency', 'costFrom', 'costTo', 'feesFrom'] as const

/** A number belongs to the supplier and to the customer of its accounts; before its price or state changes, what was due until then is made a fee. */
export const numberService: EntityService<'biz.numberAsset'> = {
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
    const days = await accountDays(db, 'fin.customerAccount', ids)
    for (const record of records) {
      const activated = textOf(record.activatedAt)
      const mrc = textOf(record.mrc)
      record.firstMonthFee =
        activated !== '' && mrc !== '' ? firstMonthFee(mrc, days(textOf(record.accountId), new Date(activated))) : null
    }
  },
}

const isCosted = async (entities: Parameters<typeof supplierOf>[0], { id }: EntityRecord): Promise<boolean> =>
  (await entities.count('biz.numberFee', [
    { field: 'assetId', operator: 'eq', value: textOf(id) },
    { field: 'costDay', operator: 'notEmpty' },
  ])) > 0

/** An account is not closed while its customer rents numbers on it: they would go on being charged to it. */
export const rentingAccounts: EntityService<'fin.customerAccount'> = {
  guard: async ({ transition, record, tx }) => {
    if (transition.id !== 'close') return null
    const { rows } = await tx.query<{ number: string; more: number }>(
      sql`select min(number) as number, count(*)::int - 1 as more from ${sql.raw(tableOf('biz.numberAsset'))}
        where account_id = ${textOf(record.id)} and status in ('assigned', 'suspended', 'released') and deleted_at is null having count(*) > 0`,
    )
    const [rented] = rows
    if (!rented) return null
    const { number, more } = rented
    return {
      zh: `账户仍租用号码 ${number}${more > 0 ? ` 等 ${more + 1} 个` : ''}，请先释放号码并等到次日，再销户。`,
      en: `Numbers are rented on the account: ${number}${more > 0 ? ` and ${more} more` : ''}. Release them, wait for the next day, and close it then.`,
    }
  },
}
