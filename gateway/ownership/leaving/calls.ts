import type { FastifyInstance } from 'fastify'
import { sql } from 'drizzle-orm'
import type { Entities, EntityEngine, EntityRecord } from '../../entities'
import type { Transaction } from '../../platform/database'
import { contextOf, ok, ServiceError, type RequestContext } from '../../platform/http'
import { allOwned, isSubject, subjectsOf, type Owned } from '../subject'
import { usagesOf } from '../usage'
import { destinationsOf, handOver, leaderOf, otherOwned, ownedBy, pendingTo } from './handOver'
import type { Destination, HandOverPlan } from './plan'

const LEAVE = 'sys:staff:leave'
const id = { type: 'string', minLength: 1, maxLength: 40 } as const
const planBody = {
  type: 'object',
  required: ['mode', 'successorIds'],
  additionalProperties: false,
  properties: {
    mode: { type: 'string', enum: ['one', 'split', 'pool'] },
    successorIds: { type: 'array', items: id, maxItems: 20, uniqueItems: true },
    assignments: { type: 'object', additionalProperties: id },
    preview: { type: 'boolean' },
    reason: { type: 'string', maxLength: 200 },
  },
} as const
type PlanBody = HandOverPlan & { preview?: boolean; reason?: string }

/** Calls of the hand-over dialog: what somebody owns, the preview of a plan, and leaving with it in one transaction. */
export function registerHandOver(app: FastifyInstance, engine: EntityEngine, timeZone: string): void {
  const path = '/v2/sys/staff/user/handover/:id'
  app.get<{ Params: { id: string } }>(
    path,
    { schema: { tags: ['sys'], summary: 'What a member of staff owns' }, config: { permission: LEAVE } },
    async (request) => {
      const context = contextOf(request)
      const answer = await engine.transaction(context, async (entities, tx) => {
        const leaver = await staffOf(entities, request.params.id)
        const leader = await leaderOf({ tx }, leaver)
        const owned = []
        for (const subject of subjectsOf(engine))
          for (const { id: recordId, code, name, level, stage, holding, countryCode } of await ownedBy(
            entities,
            subject,
            leaver.id,
          ))
            owned.push({ id: recordId, entity: subject.name, code, name, level, stage, holding, countryCode })
        return {
          staff: { id: leaver.id, name: nameOf(leaver, context), status: leaver.status, leftOn: leaver.leftOn ?? null },
          leader: leader === null ? null : await personOf(entities, leader, context),
          customers: owned,
          others: await countOthers(engine, entities, tx, leaver, context),
        }
      })
      return ok(answer)
    },
  )

  app.post<{ Params: { id: string }; Body: PlanBody }>(
    path,
    {
      schema: { tags: ['sys'], summary: 'Hands over and leaves; with preview only tells what would happen', body: planBody },
      config: { permission: LEAVE },
    },
    async (request) => {
      const context = contextOf(request)
      const plan = request.body
      if (plan.mode !== 'pool' && plan.successorIds.length === 0)
        throw new ServiceError('validationFailed', {
          message: { zh: '请选择接收人。', en: 'Choose at least one successor.' },
          data: {
            errors: [
              { field: 'successorIds', message: context.locale === 'zh' ? '请选择接收人。' : 'Choose at least one successor.' },
            ],
          },
        })
      const answer = await engine.transaction(context, async (entities, tx) => {
        const leaver = await staffOf(entities, request.params.id)
        if (leaver.status === 'left')
          throw new ServiceError('transitionRefused', {
            message: { zh: '该员工已离职。', en: 'This person has left already.' },
            data: { transition: 'leave' },
          })
        if (plan.preview === true) {
          const leader = await leaderOf({ tx }, leaver)
          const destinations = []
          for (const owned of allOwned(engine))
            destinations.push(...destinationsOf(owned, await ownedBy(entities, owned, leaver.id), plan, leader))
          return summary(engine, entities, tx, context, destinations)
        }
        const destinations = await handOver({ engine, entities, tx, context, timeZone }, leaver, plan)
        await entities.transition('sys.staff', String(leaver.id), 'leave', {}, { reason: plan.reason })
        const result = await summary(engine, entities, tx, context, destinations)
        await context.idempotence?.settle(tx, ok(result))
        return result
      })
      return ok(answer)
    },
  )
}

async function staffOf(entities: Entities, staffId: string): Promise<EntityRecord> {
  const staff = await entities.find('sys.staff', staffId, { lock: true })
  if (!staff) throw new ServiceError('notFound')
  return staff
}

const nameOf = (staff: EntityRecord, { locale }: RequestContext): string =>
  `${String((locale === 'en' && staff.nameEn) || staff.name)} (${String(staff.jobNumber)})`

async function personOf(entities: Entities, staffId: string, context: RequestContext) {
  const staff = await entities.find('sys.staff', staffId)
  return { id: staffId, name: staff ? nameOf(staff, context) : staffId }
}

/** Transfers to the leaver are counted beside those that he sent. */
const TO_ACCEPT = { zh: '待接收的转移', en: 'Transfers to accept' }

/** Rows by entity that go along with customers or to the leader. */
async function countOthers(
  engine: EntityEngine,
  entities: Entities,
  tx: Transaction,
  leaver: EntityRecord,
  { locale }: RequestContext,
): Promise<{ entity: string; label: string; count: number }[]> {
  const counts = []
  for (const model of otherOwned(engine)) {
    const { rows } = await tx.query<{ count: number }>(
      sql`select count(*) as count from ${sql.identifier(model.table)} where owner_id = ${leaver.id} and deleted_at is null`,
    )
    counts.push({ entity: model.name, label: model.label[locale], count: Number(rows[0]?.count ?? 0) })
  }
  let received = 0
  for (const { word } of subjectsOf(engine)) {
    received += await entities.count(word.transfer, pendingTo(leaver.id))
    const shares = await entities.count(word.share, [
      { field: 'toStaffId', operator: 'eq', value: leaver.id },
      { field: 'status', operator: 'in', value: ['pending', 'accepted'] },
    ])
    counts.push({ entity: word.share, label: engine.model(word.share).label[locale], count: shares })
  }
  counts.push({ entity: 'toAccept', label: TO_ACCEPT[locale], count: received })
  const todos = await entities.count('sys.todo', [
    { field: 'staffId', operator: 'eq', value: leaver.id },
    { field: 'status', operator: 'eq', value: 'open' },
  ])
  counts.push({ entity: 'sys.todo', label: engine.model('sys.todo').label[locale], count: todos })
  return counts.filter(({ count }) => count > 0)
}

/** How many of an entity go to each person, and how many to the pool. */
function shared(destinations: readonly Destination[], { name }: Owned): { taken: Map<string, number>; pooled: number } {
  const own = destinations.filter(({ entity }) => entity === name)
  const taken = new Map<string, number>()
  for (const { toStaffId } of own) if (toStaffId !== null) taken.set(toStaffId, (taken.get(toStaffId) ?? 0) + 1)
  return { taken, pooled: own.filter(({ toStaffId }) => toStaffId === null).length }
}

/** Who gets how many, and how that stands to his holding cap; leads have none. */
async function summary(
  engine: EntityEngine,
  entities: Entities,
  tx: Transaction,
  context: RequestContext,
  destinations: readonly Destination[],
) {
  const receivers: object[] = []
  const leads: object[] = []
  const capped = new Set(subjectsOf(engine).map(({ name }) => name))
  for (const subject of allOwned(engine)) {
    const { taken, pooled } = shared(destinations, subject)
    if (!isSubject(subject)) {
      const label = subject.model.label[context.locale]
      for (const [id, count] of taken) leads.push({ ...(await personOf(entities, id, context)), label, count })
      if (pooled > 0) leads.push({ id: null, name: null, label, count: pooled })
      continue
    }
    const usages = await usagesOf(engine, subject, tx, [...taken.keys()], context.now)
    for (const [index, [staffId, customers]] of [...taken].entries()) {
      const { counted, cap } = usages[index]!
      receivers.push({ ...(await personOf(entities, staffId, context)), customers, counted, cap })
    }
  }
  const told = destinations.flatMap(({ recordId, ...one }) => (capped.has(one.entity) ? [{ ...one, customerId: recordId }] : []))
  return { receivers, leads, toSea: told.filter(({ toStaffId }) => toStaffId === null).length, destinations: told }
}
