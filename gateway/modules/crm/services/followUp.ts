import type { EntityService, Verb } from '../../../entities'
import { recycleOnOf } from './ownership'
import { ruleFor } from '../../../rules'

/** Follow-ups: in the open sea the department stands for the author. What they move on stands with the entity. */
export const followUpService: EntityService = {
  async computeFields(records, { db, context, view }) {
    if (view?.id !== 'sea' || records.length === 0) return
    const { rows } = await db.query<{ id: string; zh: string; en: string | null }>(
      `select s.id, d.name as zh, d.name_en as en from sys_staff s join sys_department d on d.id = s.main_dept_id where s.id = any($1::text[])`,
      [[...new Set(records.map((record) => String(record.createdBy)))]],
    )
    const departments = new Map(rows.map((row) => [row.id, row]))
    for (const record of records) {
      const department = departments.get(String(record.createdBy))
      record.authorDept = (context.locale === 'en' && department?.en) || (department?.zh ?? null)
    }
  },
}

/** Effect on customers: the day on which the nightly job would take them, as they stand now. */
export const renewRecycling =
  (timeZone: string): Verb =>
  async ({ entities, tx, now }, runs) => {
    const ids = [...new Set(runs.map(({ target }) => String(target?.id)))]
    const customers = await entities.list('crm.customer', {
      where: [{ field: 'id', operator: 'in', value: ids }],
      limit: ids.length,
    })
    const changes = new Map<string, { recycleOn: string | null }>()
    for (const customer of customers) {
      const subject = { staffId: String(customer.ownerId ?? ''), countryCode: String(customer.countryCode) }
      changes.set(String(customer.id), { recycleOn: recycleOnOf(customer, await ruleFor(tx, 'crm.sea', now, subject), timeZone) })
    }
    await entities.changeMany('crm.customer', changes)
  }
