import { sql } from 'drizzle-orm'
import type { DeriveFunction, EntityEngine, EntityRecord, RuleSubject } from '../entities'
import { dayOf, type Day } from '../platform/calendar'
import type { Database, Executor } from '../platform/database'
import { systemContext, type Text } from '../platform/http'
import { departmentsOf, paramsOf, ruleBook, type RuleBook, type RuleKey } from '../rules'
import { staffName } from '../staff'
import { decideRecycling, withNotice, type Leave, type RecyclingDecision, type RecyclingRule } from './rules'
import { askedFor, columnOf, subjectOf, tableOf, textOf, valueOf, type Subject } from './subject'
import { isSpared } from './usage'

/** The rule with its exceptions, as it stands or as somebody proposes it. */
export type RecyclingBook = Pick<RuleBook<RuleKey>, 'set' | 'overrides'>
export interface RecyclingContext {
  engine: EntityEngine
  subject: Subject
  now: Date
  timeZone: string
  book: RecyclingBook
}

/** When owned records go to the pool if nobody does anything, and why (rule 9.2). A new owner needs no notice, any other day that comes nearer does. */
export const recycleOn =
  (engine: EntityEngine): DeriveFunction =>
  async ({ db, now, timeZone, entity }, rows) => {
    const subject = subjectOf(engine, entity)
    const book = await ruleBook(db, subject.word.sea as RuleKey, now)
    const records = rows.map(({ record }) => record)
    const decisions = await decideSome(db, { engine, subject, now, timeZone, book }, records)
    const today = dayOf(now, timeZone)
    return rows.map(({ record, before }, index) => {
      const { recycleOn: day, reason } = decisions[index]!
      const anew = before === null || ('ownedAt' in before && before.ownedAt !== record.ownedAt)
      return { recycleOn: anew ? day : withNotice(day, textOf(record.recycleOn), today), recycleReason: reason }
    })
  }

/** What a module's function says of a record: something keeps it, the no-deal rule has its extension. */
interface Kept {
  held?: boolean
  extended?: boolean
}

/** What the rule says of some records, with everything besides their own fields that it looks at. */
async function decideSome(
  db: Executor,
  { engine, subject, now, timeZone, book }: RecyclingContext,
  records: readonly EntityRecord[],
): Promise<RecyclingDecision[]> {
  const { word, recycling } = subject
  const owners = [...new Set(records.flatMap(({ ownerId }) => textOf(ownerId) ?? []))]
  const call = { db, context: systemContext({ now }), now }
  const kept = recycling.facts
    ? await engine.ask(
        recycling.facts,
        call,
        records.map(({ id }) => ({ id })),
      )
    : []
  const leaves = await leavesOf(db, owners)
  const byDepartment = book.overrides.some(({ targetType }) => targetType === 'department')
  const departments = byDepartment ? await departmentsOf(db, owners) : new Map<string, readonly string[]>()
  const key = word.sea as RuleKey
  const rule = (asked: RuleSubject): RecyclingRule => paramsOf(key, book, asked) as unknown as RecyclingRule
  const usual = rule({})
  return records.map((record, index) => {
    const { held = false, extended = false } = (kept[index] ?? {}) as Kept
    const staffId = textOf(record.ownerId) ?? ''
    const text = (field: string | undefined): string | null => textOf(valueOf(record, field))
    const tags = valueOf(record, recycling.tags)
    const facts = {
      holding: text('holding') ?? '',
      spared: isSpared(recycling.spared, record),
      kept: Array.isArray(tags) && tags.includes('keep'),
      stage: text(recycling.stage) ?? '',
      ownedAt: text('ownedAt'),
      lastFollowAt: text('lastFollowAt'),
      firstDealAt: text(recycling.dealtAt),
      lastTrafficAt: text(recycling.trafficAt),
      protectUntil: text('protectUntil'),
      balance: text(recycling.balance),
      held,
      extended,
      leaves: leaves.get(staffId) ?? [],
    }
    const holds =
      book.overrides.length === 0 ? usual : rule({ ...askedFor(subject, record), deptIds: departments.get(staffId) ?? [] })
    return decideRecycling(facts, holds, timeZone)
  })
}

/** Leaves of members of staff, earliest first. */
async function leavesOf(db: Executor, staffIds: readonly string[]): Promise<ReadonlyMap<string, readonly Leave[]>> {
  const { rows } = await db.query<{ staffId: string; from: Day; until: Day | null }>(
    `select staff_id as "staffId", "from"::text as from, until::text as until from sys_staff_leave
     where deleted_at is null and staff_id = any($1::text[]) order by "from"`,
    [staffIds],
  )
  const byStaff = new Map<string, Leave[]>()
  for (const { staffId, from, until } of rows) byStaff.set(staffId, [...(byStaff.get(staffId) ?? []), { from, until }])
  return byStaff
}

interface DueRecord {
  id: string
  title: string
  owner: Text | null
  ownedAt: string
  recycleOn: Day
  reason: string | null
}

/** What a rule says now about a night: records whose day has come by then, the earliest first. */
export async function dueRecords(
  db: Database,
  recycling: RecyclingContext & { today: Day },
  by: Day = recycling.today,
): Promise<DueRecord[]> {
  const { engine, subject, today } = recycling
  const { stage, dealtAt, trafficAt, balance, tags, spared } = subject.recycling
  const fields = [
    ...['id', 'ownerId', 'holding', 'ownedAt', 'lastFollowAt', 'protectUntil', 'recycleOn'],
    ...[stage, dealtAt, trafficAt, balance, tags, spared?.field, ...Object.values(subject.word.subjects ?? {})],
  ]
  const names = [...new Set(fields.flatMap((name) => name ?? []))]
  const columns = names.map((name) => {
    const column = columnOf(subject, 'c', name)
    const { kind } = subject.model.fields.get(name)!
    return sql`${kind === 'date' || kind === 'money' ? sql`${column}::text` : column} as ${sql.identifier(name)}`
  })
  const due: DueRecord[] = []
  const rows = db.stream<EntityRecord & { title: string; owner: Text | null }>(
    sql`select ${sql.join(columns, sql`, `)}, ${columnOf(subject, 'c', subject.model.document.titleField)} || ' (' || c.code || ')' as title, ${sql.raw(staffName('s'))} as owner
     from ${tableOf(engine, subject.name)} c left join sys_staff s on s.id = c.owner_id where c.holding = 'private' and c.deleted_at is null`,
    [],
    { batchSize: 2_000 },
  )
  for await (const some of rows) {
    const decisions = await decideSome(db, recycling, some)
    for (const [index, { id, title, owner, ownedAt, recycleOn: old }] of some.entries()) {
      const { recycleOn: decided, reason } = decisions[index]!
      const day = withNotice(decided, textOf(old), today)
      if (day !== null && day <= by) due.push({ id: String(id), title, owner, ownedAt: String(ownedAt), recycleOn: day, reason })
    }
  }
  const order = (one: DueRecord): string => `${one.recycleOn} ${one.ownedAt} ${one.id}`
  return due.sort((one, other) => (order(one) < order(other) ? -1 : 1))
}
