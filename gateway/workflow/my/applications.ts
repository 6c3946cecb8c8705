import type { EntityService } from '../../entities'

interface Standing {
  id: string
  handlers: string[]
  zh: string[]
  en: string[]
  since: string
  due: string | null
}

/** Lists of applications say who has each of them, at which step, since when and until when (money 9.1). */
export const applicationService: EntityService = {
  computeFields: async (records, { db, context: { locale } }) => {
    const open = records.filter(({ status }) => status === 'running').map(({ id }) => String(id))
    if (open.length === 0) return
    const { rows } = await db.query<Standing>(
      `select t.instance_id as id, array_agg(distinct case when $2 = 'en' then coalesce(nullif(s.name_en, ''), s.name) else s.name end) as handlers,
         array_agg(distinct t.node_name_zh) as zh, array_agg(distinct t.node_name_en) as en, min(t.arrived_at) as since, min(t.due_at) as due
       from wf_task t join sys_staff s on s.id = t.assignee_id
       where t.instance_id = any($1::text[]) and t.status = 'pending' and t.deleted_at is null group by t.instance_id`,
      [open, locale],
    )
    const standing = new Map(rows.map((row) => [row.id, row]))
    const joined = (texts: readonly string[]): string => texts.join(locale === 'en' ? ', ' : '、')
    for (const record of records) {
      const row = standing.get(String(record['id']))
      if (!row) continue
      record['currentHandlers'] = joined(row.handlers)
      record['currentNode'] = joined(row[locale])
      record['waitingSince'] = new Date(row.since).toISOString()
      record['dueAt'] = row.due === null ? null : new Date(row.due).toISOString()
    }
  },
}
