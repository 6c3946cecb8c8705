import { sql } from 'drizzle-orm'
import { tableOf } from '../../../entities'
import type { Database } from '../../../platform/database'
import type { JobReport } from '../../../platform/jobs'
import { cluesOf, decideAll } from './assign'

/** Clues of the past on which the rules are tried. */
const LAST = 200

/** What the assignment rules as they stand would have made of the last clues: how many each person would have got. Nothing is written. */
export async function simulate(database: Database, now: Date): Promise<JobReport> {
  const { rows: last } = await database.query<{ id: string }>(
    sql`select id from csc_clue where deleted_at is null order by created_at desc, id limit ${LAST}`,
  )
  const clues = await cluesOf(
    database,
    last.map(({ id }) => id),
  )
  const decisions = [...(await decideAll(database, clues, { now, past: true })).values()]
  const { rows: names } = await database.query<{ id: string; name: string }>(
    sql`select id, concat(name, ' (', job_number, ')') as name from ${sql.raw(tableOf('sys.staff'))} where id = any(${sql.param(decisions.flatMap(({ staffId }) => staffId ?? []))}::text[])`,
  )
  const { rows: rules } = await database.query<{ id: string; name: string }>(sql`select id, name from csc_assign_rule`)
  const got = new Map<string, { staff: string; rule: string; count: number }>()
  for (const { staffId, ruleId } of decisions) {
    if (staffId === null) continue
    const key = `${ruleId ?? ''}|${staffId}`
    const known = got.get(key)
    const staff = names.find(({ id }) => id === staffId)?.name ?? staffId
    got.set(key, { staff, rule: rules.find(({ id }) => id === ruleId)?.name ?? '', count: (known?.count ?? 0) + 1 })
  }
  const rows = [...got.values()].sort((a, b) => b.count - a.count)
  return {
    figures: [
      { id: 'clues', title: { zh: '最近线索', en: 'Last leads' }, value: clues.length },
      {
        id: 'assigned',
        title: { zh: '会被分配', en: 'Would be handed out' },
        value: decisions.filter(({ staffId }) => staffId !== null).length,
      },
      {
        id: 'left',
        title: { zh: '留在线索池', en: 'Would stay in the pool' },
        value: decisions.filter(({ staffId }) => staffId === null).length,
      },
    ],
    columns: [
      { id: 'rule', title: { zh: '规则', en: 'Rule' } },
      { id: 'staff', title: { zh: '成员', en: 'Member' } },
      { id: 'count', title: { zh: '线索数', en: 'Leads' }, kind: 'number' },
    ],
    rows,
    more: 0,
  }
}
