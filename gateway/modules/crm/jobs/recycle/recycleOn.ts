import type { DeriveFunction, EntityRecord, LookupFunction } from '../../../../entities'
import type { Executor } from '../../../../platform/database'
import { dayOf, type Day } from '../../rules/companyDay'
import { decideRecycling, withNotice, type Leave, type RecyclingDecision } from '../../rules/recycling'
import { departmentsOf, paramsOf, ruleBook, type RuleOverride, type RuleTypes } from '../../../../rules'
import type { Holdings } from '../../services/holdings'

type Sea = RuleTypes['crm.sea']
/** The rule with its exceptions, as it stands or as somebody proposes it. */
export interface SeaBook {
  set: Partial<Sea> | null
  overrides: readonly RuleOverride<Sea>[]
}
export interface RecyclingPlace {
  timeZone: string
  holdings: Holdings
  book: SeaBook
}

/** When private customers go to the sea if nobody does anything, and why (CRM rule 9.2). A new owner needs no notice, any other day that comes nearer does. */
export function recycleOn(holdings: () => Holdings): DeriveFunction {
  return async ({ db, now, timeZone }, rows) => {
    const book = await ruleBook(db, 'crm.sea', now)
    const place = { timeZone, holdings: holdings(), book }
    const decisions = await decideSome(
      db,
      place,
      rows.map(({ record }) => record),
    )
    const today = dayOf(now, timeZone)
    return rows.map(({ record, before }, index) => {
      const { recycleOn: day, reason } = decisions[index]!
      const anew = before === null || ('ownedAt' in before && before.ownedAt !== record.ownedAt)
      return { recycleOn: anew ? day : withNotice(day, text(record, 'recycleOn'), today), recycleReason: reason }
    })
  }
}

/** What the rule says of some customers, with everything besides their own fields that it looks at. */
export async function decideSome(
  db: Executor,
  { timeZone, holdings, book }: RecyclingPlace,
  customers: readonly EntityRecord[],
): Promise<RecyclingDecision[]> {
  const ids = customers.map(({ id }) => String(id))
  const owners = [...new Set(customers.flatMap(({ ownerId }) => (typeof ownerId === 'string' ? [ownerId] : [])))]
  const [held, late] = [await among(db, holdings.heldSql, ids), await among(db, holdings.lateSql, ids)]
  const leaves = await leavesOf(db, owners)
  const byDepartment = book.overrides.some(({ targetType }) => targetType === 'department')
  const departments = byDepartment ? await departmentsOf(db, owners) : new Map<string, readonly string[]>()
  const usual = paramsOf('crm.sea', book)
  return customers.map((customer) => {
    const staffId = text(customer, 'ownerId') ?? ''
    const subject = { staffId, deptIds: departments.get(staffId) ?? [] }
    const rule =
      book.overrides.length === 0
        ? usual
        : paramsOf('crm.sea', book, {
            ...subject,
            level: text(customer, 'level') ?? '',
            countryCode: text(customer, 'countryCode') ?? '',
          })
    const facts = {
      holding: text(customer, 'holding') ?? '',
      level: text(customer, 'level') ?? '',
      stage: text(customer, 'stage') ?? '',
      tags: Array.isArray(customer.tags) ? customer.tags.map(String) : [],
      ownedAt: text(customer, 'ownedAt'),
      lastFollowAt: text(customer, 'lastFollowAt'),
      firstDealAt: text(customer, 'firstDealAt'),
      lastTrafficAt: text(customer, 'lastTrafficAt'),
      protectUntil: text(customer, 'protectUntil'),
      balance: text(customer, 'balance'),
      held: held.has(String(customer.id)),
      lateOpportunity: late.has(String(customer.id)),
      leaves: leaves.get(staffId) ?? [],
    }
    return decideRecycling(facts, rule, timeZone)
  })
}

const text = (record: EntityRecord, name: string): string | null => (typeof record[name] === 'string' ? record[name] : null)

async function among(db: Executor, rowsSql: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>(
    `select distinct customer_id as id from (${rowsSql}) as found where customer_id = any($1::text[])`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
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

/** The version of the rule that takes customers to the sea now; 0 = the defaults. */
export const seaVersion: LookupFunction = async ({ db, now }, asked) => {
  const { versionNo } = await ruleBook(db, 'crm.sea', now)
  return asked.map(() => ({ no: versionNo }))
}
