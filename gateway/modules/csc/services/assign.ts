import { sql } from 'drizzle-orm'
import { tableOf, type LookupFunction } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { dayOf, startOfDay } from '../../../platform/calendar'
import { ruleFor } from '../../../rules'
import { decide, type AssignCandidate, type AssignMember, type AssignPerson, type AssignRule } from '../rules/assign'
import { untilOpen } from '../rules/clue'
import { refusing, valuesOf, type BlackEntry } from '../rules/registerBlack'

const STAFF = sql.raw(tableOf('sys.staff'))
const CUSTOMER = sql.raw(tableOf('crm.customer'))

/** A clue as the assignment reads it. */
export interface WaitingClue {
  id: string
  company: string | null
  nameKey: string | null
  email: string | null
  phone: string | null
  ip: string | null
  device: string | null
  countryCode: string | null
  products: readonly string[]
  source: string | null
  quality: string | null
  promoterNo: string | null
  returnedById: string | null
}

/** What the engine says of a clue (CSC rule 9.14, steps 1 to 6). */
export interface ClueDecision {
  /** black: on the registration blacklist; merged: an open clue of the same people. */
  outcome: 'black' | 'merged' | 'owner' | 'promoter' | 'rule' | 'fallback' | 'none'
  staffId: string | null
  ruleId: string | null
  /** The row of the blacklist. */
  blackId: string | null
  /** Code of the clue that it is merged with. */
  mergedCode: string | null
  /** The customer of the same company, in whatever hands. */
  customerId: string | null
  candidates: readonly AssignCandidate[]
  /** Counters of the rules after this clue, to be kept. */
  rule: AssignRule | null
}

const NOTHING = { staffId: null, ruleId: null, blackId: null, mergedCode: null, customerId: null, candidates: [], rule: null }

/** Clues by id in the order in which they came. */
export async function cluesOf(db: Executor, ids: readonly string[]): Promise<readonly WaitingClue[]> {
  const { rows } = await db.query<WaitingClue>(
    sql`select id, company, name_key as "nameKey", email, phone, ip, device, country_code as "countryCode", coalesce(products, '{}') as products,
      source, quality, promoter_no as "promoterNo", returned_by_id as "returnedById"
      from csc_clue where id = any(${sql.param([...ids])}::text[]) and deleted_at is null order by created_at, id`,
  )
  return rows
}

interface Known {
  blacklist: readonly BlackEntry[]
  rules: readonly AssignRule[]
  people: Map<string, AssignPerson>
  promoters: ReadonlyMap<string, string>
  same: ReadonlyMap<string, { id: string; ownerId: string | null }>
  open: ReadonlyMap<string, { code: string; ownerId: string | null }>
}

/**
 * Decides on clues one after the other, as if each were handed out before the next: what they take of caps and turns counts. Reads only.
 * `past` decides as if nobody had them yet, for the simulation.
 */
export async function decideAll(
  db: Executor,
  clues: readonly WaitingClue[],
  { now, past = false }: { now: Date; past?: boolean },
): Promise<ReadonlyMap<string, ClueDecision>> {
  const globals = await ruleFor(db, 'csc.assign', now)
  const known = await readKnown(db, clues, now)
  const { people } = known
  // the simulation asks whose turn it would be, not who is at his desk at this moment
  if (past) for (const [id, person] of people) people.set(id, { ...person, today: 0, open: 0, startsIn: 0 })
  let { rules } = known
  const decisions = new Map<string, ClueDecision>()
  for (const clue of clues) {
    const checked = past ? null : firstChecks(clue, known, globals.firstChecks)
    if (checked) {
      decisions.set(clue.id, checked)
      continue
    }
    const decision = decide({ ...clue, skip: clue.returnedById }, rules, people, globals)
    const fallback = decision.staffId === null ? leastBusy(globals.fallbackStaff, clue, people) : null
    const staffId = decision.staffId ?? fallback
    const customerId = known.same.get(keyOf(clue))?.id ?? null
    const outcome = decision.staffId ? 'rule' : fallback ? 'fallback' : 'none'
    decisions.set(clue.id, { ...NOTHING, outcome, ...decision, staffId, customerId })
    if (decision.rule) rules = rules.map((rule) => (rule.id === decision.ruleId ? decision.rule! : rule))
    const person = staffId === null ? undefined : people.get(staffId)
    if (staffId !== null && person)
      people.set(staffId, { ...person, today: person.today + (past ? 0 : 1), open: person.open + 1 })
  }
  return decisions
}

const keyOf = ({ nameKey, countryCode }: Pick<WaitingClue, 'nameKey' | 'countryCode'>): string =>
  `${nameKey ?? ''}|${countryCode ?? ''}`

/** Blacklist, a customer or an open clue of the same people, the promotion link: before any rule. */
function firstChecks(clue: WaitingClue, known: Known, checks: readonly string[]): ClueDecision | null {
  if (checks.includes('blacklist')) {
    const [entry] = refusing(clue, known.blacklist)
    if (entry) return { ...NOTHING, outcome: 'black', blackId: entry.id }
  }
  const same = clue.nameKey ? known.same.get(keyOf(clue)) : undefined
  if (checks.includes('duplicate')) {
    if (same?.ownerId) return { ...NOTHING, outcome: 'owner', staffId: same.ownerId, customerId: same.id }
    const open = known.open.get(clue.id)
    if (open) return { ...NOTHING, outcome: 'merged', mergedCode: open.code }
  }
  const promoter = clue.promoterNo ? known.promoters.get(clue.promoterNo) : undefined
  return checks.includes('promoter') && promoter
    ? { ...NOTHING, outcome: 'promoter', staffId: promoter, customerId: same?.id ?? null }
    : null
}

function leastBusy(
  staff: readonly string[],
  { returnedById }: WaitingClue,
  people: ReadonlyMap<string, AssignPerson>,
): string | null {
  const there = staff.filter((id) => id !== returnedById && people.get(id)?.onDuty)
  const open = (id: string): number => people.get(id)!.open
  return there.length === 0 ? null : there.reduce((least, one) => (open(one) < open(least) ? one : least))
}

async function readKnown(db: Executor, clues: readonly WaitingClue[], now: Date): Promise<Known> {
  const values = clues.flatMap(valuesOf)
  const { rows: blacklist } = await db.query<BlackEntry>(
    sql`select id, kind, value from csc_register_black where status = 'on' and deleted_at is null and (expires_at is null or expires_at > ${now.toISOString()}::timestamptz)
      and (kind = 'cidr' or value = any(${sql.param(values.map(({ value }) => value))}::text[])) order by created_at, id`,
  )
  const { rows: rules } = await db.query<Omit<AssignRule, 'members'>>(
    sql`select id, coalesce(countries, '{}') as countries, coalesce(products, '{}') as products, coalesce(sources, '{}') as sources,
      coalesce(quality, '{}') as quality, mode, pointer from csc_assign_rule where enabled and deleted_at is null order by sort_no, created_at, id`,
  )
  const { rows: members } = await db.query<AssignMember & { ruleId: string }>(
    sql`select id, rule_id as "ruleId", staff_id as "staffId", weight, current, daily_cap as "dailyCap", open_cap as "openCap"
      from csc_assign_member where rule_id = any(${sql.param(rules.map(({ id }) => id))}::text[]) and deleted_at is null order by position, id`,
  )
  const { rows: same } = await db.query<{ id: string; nameKey: string; countryCode: string; ownerId: string | null }>(
    sql`select c.id, c.name_key as "nameKey", c.country_code as "countryCode", case when c.holding = 'private' and s.status <> 'left' then c.owner_id end as "ownerId"
      from ${CUSTOMER} c left join ${STAFF} s on s.id = c.owner_id
      where c.name_key = any(${sql.param(clues.flatMap(({ nameKey }) => nameKey ?? []))}::text[]) and c.deleted_at is null and not coalesce(c.voided, false)`,
  )
  const { rows: open } = await db.query<{ id: string; code: string; ownerId: string | null }>(
    sql`select distinct on (c.id) c.id, o.code, o.owner_id as "ownerId" from csc_clue c join csc_clue o on o.id <> c.id and o.deleted_at is null
        and o.status in ('assigned', 'following') and (o.email = c.email or o.phone = c.phone)
      where c.id = any(${sql.param(clues.map(({ id }) => id))}::text[]) and c.status = 'pool' order by c.id, o.created_at`,
  )
  const { rows: promoters } = await db.query<{ id: string; jobNumber: string }>(
    sql`select id, job_number as "jobNumber" from ${STAFF} where job_number = any(${sql.param(clues.flatMap(({ promoterNo }) => promoterNo ?? []))}::text[])
      and status in ('active', 'probation') and deleted_at is null`,
  )
  return {
    blacklist,
    rules: rules.map((rule) => ({ ...rule, members: members.filter(({ ruleId }) => ruleId === rule.id) })),
    people: await peopleOf(db, now),
    promoters: new Map(promoters.map(({ jobNumber, id }) => [jobNumber, id])),
    same: new Map(same.map((one) => [keyOf(one), one])),
    open: new Map(open.map((one) => [one.id, one])),
  }
}

interface StaffRow {
  id: string
  onDuty: boolean
  countries: readonly string[] | null
  timeZone: string | null
  today: string
  open: string
}

/** Who takes clues at this moment, with what each has. */
async function peopleOf(db: Executor, now: Date): Promise<Map<string, AssignPerson>> {
  const zone = db.companyTimeZone
  const today = startOfDay(dayOf(now, zone), zone)
  const { rows } = await db.query<StaffRow>(
    sql`select s.id, coalesce(s.on_duty, true) as "onDuty", s.countries, s.time_zone as "timeZone", coalesce(c.today, 0) as today, coalesce(c.open, 0) as open from ${STAFF} s
      left join (select owner_id, count(*) filter (where assigned_at >= ${today}::timestamptz) as today, count(*) filter (where status in ('assigned', 'following')) as open
        from csc_clue where deleted_at is null and owner_id is not null group by owner_id) c on c.owner_id = s.id
      where s.status in ('active', 'probation') and s.deleted_at is null`,
  )
  return new Map(
    rows.map(({ id, onDuty, countries, timeZone, today: got, open }) => [
      id,
      { onDuty, countries: countries ?? [], today: Number(got), open: Number(open), startsIn: untilOpen(now, timeZone ?? zone) },
    ]),
  )
}

/** The look-up of clues that wait: nobody else decides until this transaction is over, so that turns and caps hold. */
export const decideLookup: LookupFunction = async ({ db, now }, asked) => {
  await db.query(sql`select pg_advisory_xact_lock(hashtext('csc.assign'))`)
  const ids = asked.map(({ id }) => (typeof id === 'string' ? id : ''))
  const decisions = await decideAll(db, await cluesOf(db, ids), { now })
  return ids.map((id) => decisions.get(id) ?? { ...NOTHING, outcome: 'none' })
}
