import { sql } from 'drizzle-orm'
import type { EntityEngine } from '../entities'
import { addDays, dayOf } from '../platform/calendar'
import type { Database } from '../platform/database'
import type { Text } from '../platform/http'
import { MOST_ROWS, nextDue, type JobReport } from '../platform/jobs'
import { ruleBook, type RuleCodes, type RuleKey } from '../rules'
import { staffName } from '../staff'
import { dueRecords } from './recycleOn'
import { holdingCap, NOTICE_DAYS, type CapRule, type HandoverRule, type RecyclingRule } from './rules'
import { columnOf, referenceColumn, subjectsOf, tableOf, type Subject } from './subject'
import { countsSql, exclusionsOf } from './usage'

interface Parts {
  engine: EntityEngine
  database: Database
  timeZone: string
}
interface SubjectContext extends Parts {
  subject: Subject
  now: Date
}

/** What a change of the rules of recycling, of the cap, and of transfers and shares would do, for every entity with ownership. */
export const ownershipRules = (parts: Parts): RuleCodes =>
  Object.fromEntries(
    subjectsOf(parts.engine).flatMap((subject) => {
      const { sea, cap, wander } = subject.word
      return [
        [
          sea,
          {
            effect: (rule: object, { now }: { now: Date }) => recyclingEffect(rule as RecyclingRule, { ...parts, subject, now }),
          },
        ],
        [cap, { effect: (rule: object, { now }: { now: Date }) => capEffect(rule as CapRule, { ...parts, subject, now }) }],
        [wander, { effect: (rule: object) => sharesEffect(rule as HandoverRule, { ...parts, subject }) }],
      ]
    }),
  ) as RuleCodes

/** What one is called, as the column of a report. */
const titleColumn = ({ name, model }: Subject) => ({ title: model.label, of: [`${name}.${model.document.titleField}`] })

/** Who would be recycled, when, and who no longer. */
async function recyclingEffect(
  set: RecyclingRule,
  { engine, database, timeZone, now, subject }: SubjectContext,
): Promise<JobReport> {
  const book = await ruleBook(database, subject.word.sea as RuleKey, now)
  const tonight = dayOf(nextDue({ every: 'day', at: '02:00' }, now, timeZone), timeZone)
  const asked = { engine, subject, now, timeZone, book, today: tonight }
  const proposing = { ...asked, book: { ...book, set: set as object } }
  const asItIs = await dueRecords(database, asked)
  const proposed = await dueRecords(database, proposing)
  // the notice is over on this night: what the new rule takes then
  const later = addDays(tonight, NOTICE_DAYS)
  const afterNotice = await dueRecords(database, proposing, later)
  const ids = new Set(asItIs.map(({ id }) => id))
  const fresh = afterNotice.filter(({ id }) => !ids.has(id))
  const stay = new Set(afterNotice.map(({ id }) => id))
  const spared = asItIs.filter(({ id }) => !stay.has(id)).length
  const shown = [...proposed.map((one) => ({ ...one, night: tonight })), ...fresh.map((one) => ({ ...one, night: later }))]
  return {
    figures: [
      { id: 'tonight', title: { zh: '今晚回收', en: 'Recycled tonight' }, value: Math.min(set.maxPerNight, proposed.length) },
      { id: 'fresh', title: { zh: '通知期后新增', en: 'More after the notice' }, value: fresh.length },
      { id: 'spared', title: { zh: '不再回收', en: 'No longer recycled' }, value: spared },
    ],
    columns: [
      { id: 'customer', ...titleColumn(subject) },
      { id: 'owner', title: { zh: '负责人', en: 'Owner' } },
      { id: 'night', title: { zh: '最早', en: 'Earliest' }, kind: 'day' },
      { id: 'reason', title: { zh: '原因', en: 'Reason' } },
    ],
    rows: shown.slice(0, MOST_ROWS).map(({ id, title, owner, night, reason }) => ({ id, customer: title, owner, night, reason })),
    more: Math.max(0, shown.length - MOST_ROWS),
  }
}

/** Who holds more than the cap. */
async function capEffect(rule: CapRule, { engine, database, timeZone, now, subject }: SubjectContext): Promise<JobReport> {
  const today = dayOf(now, timeZone)
  const exclusions = exclusionsOf(rule, today, timeZone)
  const { rows } = await database.query<{ id: string; name: Text; position: string; hiredOn: string | null; counted: number }>(
    sql`select s.id, ${sql.raw(staffName('s'))} as name, s.position, s.hired_on::text as "hiredOn", count(c.id) filter (where ${countsSql(subject, 'c')}) as counted
     from jsonb_to_record(${JSON.stringify(exclusions)}::jsonb) as p(frozen boolean, spared boolean, dealt boolean, since timestamptz),
       sys_staff s join ${tableOf(engine, subject.name)} c on c.owner_id = s.id and c.deleted_at is null
     where s.status <> 'left' and s.deleted_at is null group by s.id order by counted desc`,
  )
  const table = rows.map((row) => {
    const counted = Number(row.counted)
    const cap = holdingCap(row, rule, today)
    return { id: row.id, staff: row.name, counted, cap, over: Math.max(0, counted - cap) }
  })
  return {
    figures: [
      { id: 'over', title: { zh: '超过上限', en: 'Above the cap' }, value: table.filter(({ over }) => over > 0).length },
      {
        id: 'near',
        title: { zh: '接近上限', en: 'Near the cap' },
        value: table.filter(({ counted, cap, over }) => over === 0 && counted * 100 >= cap * rule.warnAt).length,
      },
    ],
    columns: [
      { id: 'staff', title: { zh: '员工', en: 'Staff' } },
      { id: 'counted', title: { zh: '计入', en: 'Counted' }, kind: 'number' },
      { id: 'cap', title: { zh: '上限', en: 'Cap' }, kind: 'number' },
      { id: 'over', title: { zh: '超出', en: 'Over' }, kind: 'number' },
    ],
    rows: table.slice(0, MOST_ROWS),
    more: Math.max(0, table.length - MOST_ROWS),
  }
}

/** Shares that stand above the proposed caps; nothing of them ends by the rule. */
async function sharesEffect(rule: HandoverRule, { engine, database, subject }: Omit<SubjectContext, 'now'>): Promise<JobReport> {
  const { share } = subject.word
  const { zh, en } = subject.model.label
  const of = sql`a.${referenceColumn(engine, subject, share)}`
  const title = sql`to_jsonb(${columnOf(subject, 'c', subject.model.document.titleField)} || ' (' || c.code || ')')`
  const shared = sql`active a join ${tableOf(engine, subject.name)} c on c.id = ${of}`
  const { rows } = await database.query<{
    kind: 'receiver' | 'record' | 'editing'
    id: string
    title: Text | string
    count: number
  }>(
    sql`with active as (select * from ${tableOf(engine, share)} where status = 'accepted' and deleted_at is null)
     select 'receiver' as kind, s.id, ${sql.raw(staffName('s'))} as title, count(*) as count
       from active a join sys_staff s on s.id = a.to_staff_id group by s.id having count(*) >= ${rule.maxReceived}::int
     union all
     select 'record', c.id, ${title}, count(*) from ${shared} where a.to_staff_id is not null group by c.id having count(*) >= ${rule.maxReceivers}::int
     union all
     select 'editing', c.id, ${title}, count(*) from ${shared} where a.mode = 'edit' and not ${rule.editAllowed}::boolean group by c.id
     order by count desc, title`,
  )
  const count = (kind: string): number => rows.filter((row) => row.kind === kind).length
  const words = {
    receiver: { zh: '接收人已满', en: 'Receiver full' },
    record: { zh: `${zh}共享已满`, en: `${en} shared with the most` },
    editing: { zh: '可编辑的共享（保留）', en: 'Shared for editing (stays)' },
  }
  return {
    figures: [
      { id: 'receivers', title: { zh: '已满的接收人', en: 'Receivers that are full' }, value: count('receiver') },
      { id: 'customers', title: { zh: `共享已满的${zh}`, en: `${en}s shared with the most` }, value: count('record') },
      { id: 'editing', title: { zh: '保留的可编辑共享', en: 'Editing shares that stay' }, value: count('editing') },
    ],
    columns: [
      { id: 'title', ...titleColumn(subject), title: { zh: `人员或${zh}`, en: `Person or ${en.toLowerCase()}` } },
      { id: 'kind', title: { zh: '情况', en: 'What' } },
      { id: 'count', title: { zh: '共享', en: 'Shares' }, kind: 'number' },
    ],
    rows: rows.slice(0, MOST_ROWS).map(({ id, kind, title: told, count: shares }) => ({
      id: `${kind} ${id}`,
      title: typeof told === 'string' ? { zh: told, en: told } : told,
      kind: words[kind],
      count: Number(shares),
    })),
    more: Math.max(0, rows.length - MOST_ROWS),
  }
}
