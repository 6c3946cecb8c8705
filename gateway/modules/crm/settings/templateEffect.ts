import { sql } from 'drizzle-orm'
import type { EntityEngine } from '../../../entities'
import type { Database } from '../../../platform/database'
import type { Text } from '../../../platform/http'
import { MOST_ROWS, type JobReport } from '../../../platform/jobs'
import type { RuleTypes } from '../../../rules'

const HIDDEN: Text = { zh: '不显示', en: 'Not shown' }
const MISSING: Text = { zh: '缺少', en: 'Missing' }

/** Customers that lack what the proposed template asks for, and those whose value it no longer shows; nothing of them changes. */
export async function templateEffect(
  { fields }: RuleTypes['crm.template'],
  { engine, database }: { engine: EntityEngine; database: Database },
): Promise<JobReport> {
  const model = engine.model('crm.customer')
  const counted = await Promise.all(
    fields.map(async (row, index) => {
      const field = model.fields.get(row.field)
      if (!field || (!row.required && row.shown !== false)) return []
      const column = sql.identifier(field.column)
      const stages = row.stages ?? []
      const filled = field.many ? sql`jsonb_array_length(coalesce(${column}, '[]'::jsonb)) > 0` : sql`${column} is not null`
      const { rows } = await database.query<{ count: number }>(
        sql`select count(*) as count from crm_customer where deleted_at is null
          and (${row.partyType ?? null}::text is null or party_type = ${row.partyType ?? null}) and (${row.tradeType ?? null}::text is null or trade_type = ${row.tradeType ?? null})
          and (${stages.length === 0} or stage = any(${`{${stages.join(',')}}`}::text[])) and ${row.shown === false ? filled : sql`not (${filled})`}`,
      )
      return [{ id: String(index), field: field.label, hidden: row.shown === false, count: Number(rows[0]?.count ?? 0) }]
    }),
  )
  const table = counted.flat()
  const sum = (hidden: boolean): number =>
    table.filter((row) => row.hidden === hidden).reduce((total, { count }) => total + count, 0)
  return {
    figures: [
      { id: 'missing', title: { zh: '缺少必填值', en: 'Lack a required value' }, value: sum(false) },
      { id: 'hidden', title: { zh: '有值但不再显示', en: 'Have a value that is not shown' }, value: sum(true) },
    ],
    columns: [
      { id: 'field', title: { zh: '字段', en: 'Field' } },
      { id: 'what', title: { zh: '情况', en: 'What' } },
      { id: 'count', title: { zh: '客户', en: 'Customers' }, kind: 'number' },
    ],
    rows: table.slice(0, MOST_ROWS).map(({ id, field, hidden, count }) => ({
      id,
      field,
      what: hidden ? HIDDEN : MISSING,
      count,
    })),
    more: Math.max(0, table.length - MOST_ROWS),
  }
}
