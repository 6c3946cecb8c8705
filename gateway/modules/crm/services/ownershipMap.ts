import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { QueryCondition } from '../../../../src/schema/model'
import type { EntityEngine } from '../../../entities'
import type { Database } from '../../../platform/database'
import { contextOf, ok } from '../../../platform/http'
import { addDays, dayOf, startOfDay, type Day } from '../rules/companyDay'
import { holdingCap } from '../rules/holding'
import { readableReport } from './readableReport'
import { ruleFor } from '../../../rules'

interface Held {
  ownerId: string
  countryCode: string | null
  held: number
  counted: number
  dealt: number
  silent: number
  recycling: number
  lastActivity: string | null
}
interface Person {
  id: string
  name: string
  nameEn: string | null
  jobNumber: string
  position: string
  hiredOn: Day | null
  path: string | null
  deptId: string | null
  department: string | null
  departmentEn: string | null
}

/** What the figures are made of. */
const SOURCES = {
  rows: {
    by: ['crm.customer.ownerId', 'crm.customer.countryCode'],
    of: {
      counted: ['crm.customer.holding', 'crm.customer.level', 'crm.customer.stage'],
      dealt: ['crm.customer.stage'],
      silent: ['crm.customer.stage'],
      recycling: ['crm.customer.recycleOn'],
      lastActivity: ['crm.customer.lastFollowAt'],
    },
  },
}

/**
 * POST /v2/crm/customer/ownershipMap: who owns what, as rows by person and country of the customers that the caller may see.
 * `cap` stands in the first row of a person only, so that sums over his rows are right.
 */
export function registerOwnershipMap(app: FastifyInstance, engine: EntityEngine, database: Database, timeZone: string): void {
  app.post(
    '/v2/crm/customer/ownershipMap',
    {
      schema: {
        tags: ['crm'],
        summary: 'Who owns what: held, counted, cap, dealt, silent, about to be recycled, by person and country',
        body: { type: 'object', properties: { where: { type: 'array', items: { type: 'object' } } } },
      },
      config: { permission: 'crm:customer:viewDepartment' },
    },
    async (request) => {
      const context = contextOf(request)
      const { where } = request.body as { where?: QueryCondition[] }
      const { now, locale } = context
      const today = dayOf(now, timeZone)
      const rules = await ruleFor(database, 'crm.retention', now)
      const activeSince = startOfDay(addDays(today, -rules.dealtTrafficDays), timeZone)
      const seen = engine.rows('crm.customer', context, {
        view: 'visible',
        where: [...(where ?? []), { field: 'ownerId', operator: 'notEmpty' }],
      })
      const { rows } = await database.query<Held>(
        sql`select t.owner_id as "ownerId", t.country_code as "countryCode", count(*) as "held",
              count(*) filter (where not (${rules.excludeFrozen} and t.holding = 'frozen') and not (${rules.excludeLevelA} and t.level = 'a')
                and not (${rules.excludeDealt} and t.stage = 'dealt' and coalesce(t.last_traffic_at >= ${activeSince}::timestamptz, false))) as "counted",
              count(*) filter (where t.stage = 'dealt') as "dealt", count(*) filter (where t.stage = 'silent') as "silent",
              count(*) filter (where t.recycle_on <= ${addDays(today, 7)}::date) as "recycling", max(t.last_follow_at) as "lastActivity"
            ${seen} group by t.owner_id, t.country_code order by t.owner_id, count(*) desc`,
      )
      const people = await peopleOf(database, [...new Set(rows.map((row) => row.ownerId))])
      const caps = await capsOf(database, people, now, today)
      const last = new Map<string, string>()
      for (const { ownerId, lastActivity } of rows)
        if (lastActivity && lastActivity > (last.get(ownerId) ?? '')) last.set(ownerId, lastActivity)
      const met = new Set<string>()
      const told = rows.map((row) => {
        const person = people.get(row.ownerId)
        const first = !met.has(row.ownerId)
        met.add(row.ownerId)
        const activity = last.get(row.ownerId)
        return {
          ownerId: row.ownerId,
          owner: person ? `${(locale === 'en' && person.nameEn) || person.name} (${person.jobNumber})` : row.ownerId,
          departmentId: person?.deptId ?? null,
          department: (locale === 'en' && person?.departmentEn) || (person?.department ?? null),
          countryCode: row.countryCode,
          held: Number(row.held),
          counted: Number(row.counted),
          cap: first ? (caps.get(row.ownerId) ?? 0) : 0,
          dealt: Number(row.dealt),
          silent: Number(row.silent),
          recycling: Number(row.recycling),
          lastActivity: activity ? dayOf(activity, timeZone) : null,
        }
      })
      const text = (value: string | null): string => value ?? ''
      told.sort((a, b) => text(a.department).localeCompare(text(b.department), locale) || a.owner.localeCompare(b.owner, locale))
      return ok(readableReport(engine, context, { rows: told }, SOURCES))
    },
  )
}

async function peopleOf(database: Database, ids: readonly string[]): Promise<Map<string, Person>> {
  const { rows } = await database.query<Person>(
    `select s.id, s.name, s.name_en as "nameEn", s.job_number as "jobNumber", s.position, s.hired_on::text as "hiredOn", d.path, d.id as "deptId", d.name as department, d.name_en as "departmentEn"
     from sys_staff s left join sys_department d on d.id = s.main_dept_id where s.id = any($1::text[])`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Holding caps; only people for whom an override stands are looked up one by one. */
async function capsOf(
  database: Database,
  people: ReadonlyMap<string, Person>,
  now: Date,
  today: Day,
): Promise<Map<string, number>> {
  const base = await ruleFor(database, 'crm.retention', now)
  const { rows } = await database.query<{ targetId: string }>(
    `select target_id as "targetId" from sys_rule_override where rule_key = 'crm.retention' and deleted_at is null`,
  )
  const overridden = new Set(rows.map((row) => row.targetId))
  const caps = new Map<string, number>()
  for (const person of people.values()) {
    const path = (person.path ?? '').split('/').filter(Boolean)
    const own = overridden.has(person.id) || path.some((id) => overridden.has(id))
    const rules = own ? await ruleFor(database, 'crm.retention', now, { staffId: person.id, deptIds: path }) : base
    caps.set(person.id, holdingCap(person, rules, today))
  }
  return caps
}
