import type { EntityService } from '../entities'

/** Follow-ups: in the pool the department stands for the author. What they move on stands with the feature. */
export const followUpService: EntityService = {
  async computeFields(records, { db, context, view }) {
    if (view?.scope !== 'pool' || records.length === 0) return
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
