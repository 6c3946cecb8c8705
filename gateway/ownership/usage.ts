import { sql, type SQL } from 'drizzle-orm'
import type { QueryWhere } from '../../src/schema/model'
import type { EntityEngine, EntityRecord } from '../entities'
import { addDays, dayOf, mondayOf, startOfDay, type Day } from '../platform/calendar'
import type { Executor } from '../platform/database'
import { countsAgainstCap, holdingCap, type CapRule, type HeldFacts } from './rules'
import { columnOf, rulesOf, tableOf, textOf, valueOf, type Subject } from './subject'

/** What one member of staff has used of the claim limits and of the holding cap, and what they are (rules 9.3 and 9.4). */
export interface Usage {
  deptIds: readonly string[]
  claimsToday: number
  daily: number
  claimsThisWeek: number
  weekly: number
  /** Records that count against the cap, and the cap. */
  counted: number
  cap: number
}

interface StaffRow {
  id: string
  position: string
  hiredOn: string | null
  deptIds: string[] | null
  mainDeptId: string | null
  today: number
  week: number
}

/** Usages of members of staff, in their order. */
export async function usagesOf(
  engine: EntityEngine,
  subject: Subject,
  db: Executor,
  staffIds: readonly string[],
  now: Date,
): Promise<Usage[]> {
  const zone = db.companyTimeZone
  const today = dayOf(now, zone)
  const people = [...new Set(staffIds)]
  const claims = await rulesOf(subject, 'claims', db, now, people)
  const caps = await rulesOf(subject, 'cap', db, now, people)
  const claimed = (since: string): SQL =>
    sql`(select count(*) from ${tableOf(engine, subject.word.log)} l where l.to_staff_id = s.id and l.action = 'claim' and l.at >= ${since} and l.deleted_at is null)`
  const { rows: staff } = await db.query<StaffRow>(
    sql`select s.id, s.position, s.hired_on::text as "hiredOn", s.dept_ids as "deptIds", s.main_dept_id as "mainDeptId",
       ${claimed(startOfDay(today, zone))} as today, ${claimed(startOfDay(mondayOf(today), zone))} as week
     from sys_staff s where s.id = any(${sql.param(people)}::text[])`,
  )
  const asked = people.map((id, index) => ({ id, ...exclusionsOf(caps[index]!, today, zone) }))
  const { rows: held } = await db.query<{ id: string; counted: number }>(
    sql`select p.id, (select count(*) from ${tableOf(engine, subject.name)} c where c.owner_id = p.id and c.deleted_at is null
       and ${countsSql(subject, 'c')}) as counted
     from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as p(id text, frozen boolean, spared boolean, dealt boolean, since timestamptz)`,
  )
  const known = new Map(staff.map((row) => [row.id, row]))
  const counted = new Map(held.map((row) => [row.id, Number(row.counted)]))
  const usages = new Map(
    people.map((id, index): [string, Usage] => {
      const { position = '', hiredOn = null, deptIds, mainDeptId, today: used = 0, week = 0 } = known.get(id) ?? {}
      const claim = claims[index]!
      const newcomer = hiredOn !== null && addDays(hiredOn, claim.newcomerDays) > today
      return [
        id,
        {
          deptIds: [...new Set([...(deptIds ?? []), ...(mainDeptId ? [mainDeptId] : [])])],
          claimsToday: Number(used),
          daily: newcomer ? claim.newcomerDaily : claim.dailyClaims,
          claimsThisWeek: Number(week),
          weekly: claim.weeklyClaims,
          counted: counted.get(id) ?? 0,
          cap: holdingCap({ position, hiredOn }, caps[index]!, today),
        },
      ]
    }),
  )
  return staffIds.map((id) => usages.get(id)!)
}

/** The usage of one member of staff. */
export const usageOf = async (engine: EntityEngine, subject: Subject, db: Executor, staffId: string, now: Date): Promise<Usage> =>
  (await usagesOf(engine, subject, db, [staffId], now))[0]!

/** How many records a person can still claim now: what is left of the day, the week and the holding cap. */
export const claimsLeft = ({ daily, claimsToday, weekly, claimsThisWeek, cap, counted }: Omit<Usage, 'deptIds'>): number =>
  Math.max(0, Math.min(daily - claimsToday, weekly - claimsThisWeek, cap - counted))

/** What a rule leaves out of the count. */
export const exclusionsOf = (rules: CapRule, today: Day, zone: string) => ({
  frozen: rules.excludeFrozen,
  spared: rules.excludeLevelA,
  dealt: rules.excludeDealt,
  since: startOfDay(addDays(today, -rules.dealtTrafficDays), zone),
})

/** A row counts against the cap, as a row `p` of exclusions says. */
export function countsSql(subject: Subject, alias: string): SQL {
  const { spared, stage, dealt = 'dealt', trafficAt } = subject.recycling
  const column = (field: string | undefined): SQL => columnOf(subject, alias, field)
  return sql`not (p.frozen and ${column('holding')} = 'frozen')
    and not (p.spared and coalesce(${column(spared?.field)}::text = ${spared?.value ?? ''}, false))
    and not (p.dealt and coalesce(${column(stage)}::text = ${dealt} and ${column(trafficAt)}::timestamptz >= p.since, false))`
}

/** The same as conditions of a query. */
export function countingWhere({ recycling }: Subject, rules: CapRule, today: Day): QueryWhere[] {
  const { spared, stage, dealt = 'dealt', trafficAt } = recycling
  return [
    ...(rules.excludeFrozen ? [{ field: 'holding', operator: 'ne', value: 'frozen' } as const] : []),
    ...(rules.excludeLevelA && spared ? [{ field: spared.field, operator: 'ne', value: spared.value } as const] : []),
    ...(rules.excludeDealt && stage && trafficAt
      ? [
          {
            or: [
              { field: stage, operator: 'ne', value: dealt } as const,
              { field: trafficAt, operator: 'lte', value: addDays(today, -rules.dealtTrafficDays - 1) } as const,
              { field: trafficAt, operator: 'empty' } as const,
            ],
          },
        ]
      : []),
  ]
}

/** What the cap looks at in a record. */
export const heldFacts = ({ recycling }: Subject, record: EntityRecord): HeldFacts => ({
  holding: String(record.holding),
  spared: isSpared(recycling.spared, record),
  dealt: valueOf(record, recycling.stage) === (recycling.dealt ?? 'dealt'),
  lastTrafficAt: textOf(valueOf(record, recycling.trafficAt)),
})

/** The record has the value that is never recycled. */
export const isSpared = (spared: { field: string; value: string } | undefined, record: EntityRecord): boolean =>
  spared !== undefined && record[spared.field] === spared.value

/** A record of the subject counts against the cap of its owner. */
export const counts = (subject: Subject, record: EntityRecord, rules: CapRule, now: Date, zone: string): boolean =>
  countsAgainstCap(heldFacts(subject, record), rules, now, zone)
