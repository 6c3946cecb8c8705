import { MOST_ROWS, type JobReport } from '../../../platform/jobs'
import type { Executor } from '../../../platform/database'
import type { Text } from '../../../platform/http'
import { yearBefore } from '../rules/alias'
import { similarity } from '../../../duplicates'
import type { RuleTypes } from '../../../rules'
import { staffName } from '../../../staff'
import { tableOf } from '../../../entities'

/** Customers whose name would be told to risk, with the entry that it is like. */
export async function blacklistEffect({ similarWarn }: RuleTypes['crm.blacklistRule'], db: Executor): Promise<JobReport> {
  const { rows } = await db.query<{ id: string; title: string; key: string; entryKey: string; entry: string }>(
    `select c.id, c.name || ' (' || c.code || ')' as title, c.name_key as key, b.name_key as "entryKey", b.name || ' (' || b.code || ')' as entry
     from crm_blacklist b join crm_customer c on c.deleted_at is null and c.name_key <> '' and c.name_key <> b.name_key
       and (left(c.name_key, 2) = left(b.name_key, 2) or right(c.name_key, 2) = right(b.name_key, 2))
     where b.status = 'active' and b.deleted_at is null and b.name_key <> '' limit 50000`,
  )
  const met = rows
    .map((row) => ({ ...row, alike: similarity(row.key, row.entryKey) }))
    .filter(({ alike }) => alike >= similarWarn)
    .sort((a, b) => b.alike - a.alike || a.title.localeCompare(b.title))
  return {
    figures: [
      {
        id: 'similar',
        title: { zh: '与名单相似的客户', en: 'Customers with a name like an entry' },
        value: new Set(met.map(({ id }) => id)).size,
      },
    ],
    columns: [
      { id: 'customer', title: { zh: '客户', en: 'Customer' }, kind: 'customer' },
      { id: 'entry', title: { zh: '名单', en: 'Entry' }, of: ['crm.blacklist.name'] },
      { id: 'alike', title: { zh: '相似度', en: 'Similarity' }, kind: 'number' },
    ],
    rows: met.slice(0, MOST_ROWS).map(({ id, title, entry, alike }) => ({
      id,
      customer: title,
      entry,
      alike: Math.round(alike * 10_000) / 10_000,
    })),
    more: Math.max(0, met.length - MOST_ROWS),
  }
}

/** Subjects that have changed their alias so often that the proposed rule refuses another change. */
export async function aliasEffect({ maxPerYear }: RuleTypes['crm.alias'], db: Executor, now: Date): Promise<JobReport> {
  const { rows } = await db.query<{ id: string; title: string; count: number; pending: boolean }>(
    `select c.id, c.name || ' (' || c.code || ')' as title, count(*) filter (where r.status = 'done' and r.effective_at >= $1) as count,
       bool_or(r.status = 'pending') as pending
     from crm_alias_record r join crm_customer c on c.id = r.customer_id where r.deleted_at is null
     group by c.id having count(*) filter (where r.status = 'done' and r.effective_at >= $1) > 0 or bool_or(r.status = 'pending')
     order by count desc, title`,
    [yearBefore(now, db.companyTimeZone)],
  )
  const full = rows.filter(({ count }) => Number(count) >= maxPerYear)
  return {
    figures: [
      { id: 'full', title: { zh: '一年内不能再变更', en: 'No further change this year' }, value: full.length },
      {
        id: 'pending',
        title: { zh: '待审批（仍须审批）', en: 'Waiting for a decision (still decided)' },
        value: rows.filter(({ pending }) => pending).length,
      },
    ],
    columns: [
      { id: 'customer', title: { zh: '客户', en: 'Customer' }, kind: 'customer' },
      { id: 'count', title: { zh: '一年内变更', en: 'Changes within a year' }, kind: 'number' },
    ],
    rows: full.slice(0, MOST_ROWS).map(({ id, title, count }) => ({ id, customer: title, count: Number(count) })),
    more: Math.max(0, full.length - MOST_ROWS),
  }
}

/** Whose quota of class A customers is full or passed by the proposed rule; nobody loses a class A by it. */
export async function classAEffect({ maxPerStaff }: RuleTypes['crm.classA'], db: Executor): Promise<JobReport> {
  const { rows } = await db.query<{ id: string; staff: Text; held: number }>(
    `select s.id, ${staffName('s')} as staff, count(*) as held from crm_customer c join ${tableOf('sys.staff')} s on s.id = c.owner_id
     where c.class_a and c.deleted_at is null group by s.id order by held desc, staff`,
  )
  const held = rows.map((row) => ({ ...row, held: Number(row.held) }))
  return {
    figures: [
      { id: 'full', title: { zh: '名额已满', en: 'Quota full' }, value: held.filter((row) => row.held === maxPerStaff).length },
      {
        id: 'over',
        title: { zh: '超过名额', en: 'Above the quota' },
        value: held.filter((row) => row.held > maxPerStaff).length,
      },
    ],
    columns: [
      { id: 'staff', title: { zh: '员工', en: 'Staff' } },
      { id: 'held', title: { zh: 'A类客户', en: 'Class A customers' }, kind: 'number' },
      { id: 'left', title: { zh: '剩余名额', en: 'Left' }, kind: 'number' },
    ],
    rows: held.slice(0, MOST_ROWS).map((row) => ({ ...row, left: Math.max(0, maxPerStaff - row.held) })),
    more: Math.max(0, held.length - MOST_ROWS),
  }
}
