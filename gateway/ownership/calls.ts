import type { FastifyInstance } from 'fastify'
import { entityPath } from '../../src/schema/entity'
import type { AggregateMeasure, QueryWhere } from '../../src/schema/model'
import { leavesOf } from '../../src/schema/where'
import type { EntityEngine } from '../entities'
import { addDays, dayOf, type Day } from '../platform/calendar'
import type { Database } from '../platform/database'
import { contextOf, ok } from '../platform/http'
import { registerHandOver } from './leaving/calls'
import type { CapRule } from './rules'
import { ruleOf, subjectsOf, type Subject } from './subject'
import { countingWhere, usageOf, usagesOf } from './usage'

const MOST_ROWS = 10_000

interface Parts {
  engine: EntityEngine
  database: Database
  timeZone: string
}

/** Calls beside those of the entities: what somebody has used of the limits, who owns what, the hand-over of who leaves. */
export function registerOwnershipCalls(app: FastifyInstance, parts: Parts): void {
  for (const subject of subjectsOf(parts.engine)) {
    registerQuota(app, parts, subject)
    registerMap(app, parts, subject)
  }
  registerHandOver(app, parts.engine, parts.timeZone)
}

const tagOf = ({ name }: Subject): string[] => [name.split('.', 1)[0]!]

function registerQuota(app: FastifyInstance, { engine }: Parts, subject: Subject): void {
  app.get(
    `${entityPath(subject.model.document)}/claimQuota`,
    { schema: { tags: tagOf(subject), summary: 'What the caller has used of claims and holding cap' } },
    async (request) => {
      const context = contextOf(request)
      return engine.transaction(context, async (_, tx) => {
        const { staffId } = context.user
        const usage = await usageOf(engine, subject, tx, staffId, context.now)
        const { warnAt } = await ruleOf(subject, 'cap', tx, context.now, { staffId })
        return ok({
          daily: { used: usage.claimsToday, limit: usage.daily },
          weekly: { used: usage.claimsThisWeek, limit: usage.weekly },
          holding: { used: usage.counted, limit: usage.cap, warnAt },
        })
      })
    },
  )
}

/** Who owns what, as rows by person of the records that the caller may see, counted by the aggregate call; only the cap beside them is none of their figures. */
function registerMap(app: FastifyInstance, { engine, database, timeZone }: Parts, subject: Subject): void {
  app.post(
    `${entityPath(subject.model.document)}/ownershipMap`,
    {
      schema: {
        tags: tagOf(subject),
        summary: 'Who owns what: held, counted, cap, dealt, silent, about to be recycled, by person',
        body: { type: 'object', properties: { where: { type: 'array', items: { type: 'object' } } } },
      },
      config: { permission: subject.word.view },
    },
    async (request) => {
      const context = contextOf(request)
      const { where = [] } = request.body as { where?: QueryWhere[] }
      const { now, locale } = context
      const today = dayOf(now, timeZone)
      const readable = (field: string): boolean => engine.readable(context, `${subject.name}.${field}`)
      if (!readable('ownerId')) return ok({ rows: [] })
      const measures = figures(subject, await ruleOf(subject, 'cap', database, now), today)
      const { rows, refs } = await engine.aggregate(subject.name, context, {
        view: 'visible',
        where: [...where, { field: 'ownerId', operator: 'notEmpty' }],
        dimensions: ['ownerId', 'ownerDeptId'].filter(readable).map((field) => ({ field })),
        measures: measures.filter((figure) => fieldsOf(figure).every(readable)),
        limit: MOST_ROWS,
      })
      const usages = await usagesOf(
        engine,
        subject,
        database,
        rows.map(({ key }) => String(key.ownerId)),
        now,
      )
      const title = (entity: string, id: string): string => refs[entity]?.[id]?.title ?? id
      const told = rows.map(({ key, measures: counted }, index) => {
        const [ownerId, departmentId] = [String(key.ownerId), key.ownerDeptId ?? null]
        const { lastActivity } = counted
        return {
          ...counted,
          ownerId,
          owner: title('sys.staff', ownerId),
          departmentId,
          department: departmentId === null ? null : title('sys.department', String(departmentId)),
          cap: usages[index]?.cap ?? 0,
          lastActivity: typeof lastActivity === 'string' ? dayOf(lastActivity, timeZone) : null,
        }
      })
      const byName = (a: string | null, b: string | null): number => (a ?? '').localeCompare(b ?? '', locale)
      told.sort((a, b) => byName(a.department, b.department) || byName(a.owner, b.owner))
      return ok({ rows: told })
    },
  )
}

/** The fields that a figure is made of. */
const fieldsOf = ({ max, where }: AggregateMeasure): string[] => [
  ...leavesOf(where).map(({ field }) => field),
  ...(max === undefined ? [] : [max]),
]

/** What is counted of a person's records; `counted` are those that count against the cap (rule 9.4). */
function figures(subject: Subject, rules: CapRule, today: Day): AggregateMeasure[] {
  const { stage, dealt = 'dealt', silent } = subject.recycling
  const inStage = (id: string, value: string | undefined): AggregateMeasure[] =>
    stage && value ? [{ id, count: true, where: [{ field: stage, operator: 'eq', value }] }] : []
  return [
    { id: 'held', count: true },
    { id: 'counted', count: true, where: countingWhere(subject, rules, today) },
    ...inStage('dealt', dealt),
    ...inStage('silent', silent),
    { id: 'recycling', count: true, where: [{ field: 'recycleOn', operator: 'lte', value: addDays(today, 7) }] },
    { id: 'lastActivity', max: 'lastFollowAt' },
  ]
}
