import type { FastifyInstance } from 'fastify'
import type { AggregateMeasure, QueryWhere } from '../../../../src/schema/model'
import { leavesOf } from '../../../../src/schema/where'
import type { EntityEngine } from '../../../entities'
import type { Database } from '../../../platform/database'
import { contextOf, ok } from '../../../platform/http'
import { addDays, dayOf, type Day } from '../rules/companyDay'
import { ruleFor, type RuleTypes } from '../../../rules'
import { usagesOf } from './usage'

const CUSTOMER = 'crm.customer'
const MOST_ROWS = 10_000

/**
 * POST /v2/crm/customer/ownershipMap: who owns what, as rows by person of the customers that the caller may see,
 * counted by the aggregate call; only the cap beside them is none of their figures.
 */
export function registerOwnershipMap(app: FastifyInstance, engine: EntityEngine, database: Database, timeZone: string): void {
  app.post(
    '/v2/crm/customer/ownershipMap',
    {
      schema: {
        tags: ['crm'],
        summary: 'Who owns what: held, counted, cap, dealt, silent, about to be recycled, by person',
        body: { type: 'object', properties: { where: { type: 'array', items: { type: 'object' } } } },
      },
      config: { permission: 'crm:customer:viewDepartment' },
    },
    async (request) => {
      const context = contextOf(request)
      const { where = [] } = request.body as { where?: QueryWhere[] }
      const { now, locale } = context
      const today = dayOf(now, timeZone)
      const readable = (field: string): boolean => engine.readable(context, `${CUSTOMER}.${field}`)
      if (!readable('ownerId')) return ok({ rows: [] })
      const measures = figures(await ruleFor(database, 'crm.retention', now), today)
      const { rows, refs } = await engine.aggregate(CUSTOMER, context, {
        view: 'visible',
        where: [...where, { field: 'ownerId', operator: 'notEmpty' }],
        dimensions: ['ownerId', 'ownerDeptId'].filter(readable).map((field) => ({ field })),
        measures: measures.filter((figure) => fieldsOf(figure).every(readable)),
        limit: MOST_ROWS,
      })
      const people = rows.map(({ key }) => String(key.ownerId))
      const usages = await usagesOf(database, people, now)
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

/** What is counted of a person's customers; `counted` are those that count against the cap (CRM rule 9.4). */
function figures(rules: RuleTypes['crm.retention'], today: Day): AggregateMeasure[] {
  const counting: QueryWhere[] = [
    ...(rules.excludeFrozen ? [{ field: 'holding', operator: 'ne', value: 'frozen' } as const] : []),
    ...(rules.excludeLevelA ? [{ field: 'level', operator: 'ne', value: 'a' } as const] : []),
    ...(rules.excludeDealt ? [notActive(addDays(today, -rules.dealtTrafficDays - 1))] : []),
  ]
  return [
    { id: 'held', count: true },
    { id: 'counted', count: true, where: counting },
    { id: 'dealt', count: true, where: [{ field: 'stage', operator: 'eq', value: 'dealt' }] },
    { id: 'silent', count: true, where: [{ field: 'stage', operator: 'eq', value: 'silent' }] },
    { id: 'recycling', count: true, where: [{ field: 'recycleOn', operator: 'lte', value: addDays(today, 7) }] },
    { id: 'lastActivity', max: 'lastFollowAt' },
  ]
}

/** Customers that have not dealt, or whose last traffic was until that day. */
const notActive = (until: Day): QueryWhere => ({
  or: [
    { field: 'stage', operator: 'ne', value: 'dealt' },
    { field: 'lastTrafficAt', operator: 'lte', value: until },
    { field: 'lastTrafficAt', operator: 'empty' },
  ],
})
