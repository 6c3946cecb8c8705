import type { FastifyInstance } from 'fastify'
import { sql } from 'drizzle-orm'
import type { Entities, EntityEngine, EntityRecord } from '../../../../entities'
import type { Transaction } from '../../../../platform/database'
import { contextOf, ok, ServiceError, type RequestContext } from '../../../../platform/http'
import { decideHandOver, type Destination, type HandOverPlan, type LeavingCustomer } from '../../rules/handOver'
import { usageOf } from '../usage'
import { handOver, leaderOf, otherOwned, ownedBy } from './handOver'

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
    { schema: { tags: ['crm'], summary: 'What a member of staff owns' }, config: { permission: LEAVE } },
    async (request) => {
      const context = contextOf(request)
      const answer = await engine.transaction(context, async (entities, tx) => {
        const leaver = await staffOf(entities, request.params.id)
        const customers = await ownedBy(entities, leaver.id)
        const leader = await leaderOf({ tx }, leaver)
        return {
          staff: { id: leaver.id, name: nameOf(leaver, context), status: leaver.status, leftOn: leaver.leftOn ?? null },
          leader: leader === null ? null : await personOf(entities, leader, context),
          customers: customers.map(({ id: customerId, code, name, level, stage, holding, countryCode }) => {
            return { id: customerId, code, name, level, stage, holding, countryCode }
          }),
          others: await countOthers(engine, entities, tx, leaver, context),
        }
      })
      return ok(answer)
    },
  )

  app.post<{ Params: { id: string }; Body: PlanBody }>(
    path,
    {
      schema: { tags: ['crm'], summary: 'Hands over and leaves; with preview only tells what would happen', body: planBody },
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
          const customers = await ownedBy(entities, leaver.id)
          const destinations = decideHandOver(customers as unknown as LeavingCustomer[], plan, await leaderOf({ tx }, leaver))
          return summary(entities, tx, context, destinations)
        }
        const destinations = await handOver({ engine, entities, tx, context, timeZone }, leaver, plan)
        await entities.transition('sys.staff', String(leaver.id), 'leave', {}, { reason: plan.reason })
        const result = await summary(entities, tx, context, destinations)
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
const TO_ACCEPT = { zh: '待接收的客户转移', en: 'Transfers to accept' }

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
  const pending = { field: 'status', operator: 'eq', value: 'pending' } as const
  const received = await entities.count('crm.transfer', [{ field: 'toStaffId', operator: 'eq', value: leaver.id }, pending])
  counts.push({ entity: 'toAccept', label: TO_ACCEPT[locale], count: received })
  const shares = await entities.count('crm.share', [
    { field: 'toStaffId', operator: 'eq', value: leaver.id },
    { field: 'status', operator: 'in', value: ['pending', 'accepted'] },
  ])
  const todos = await entities.count('sys.todo', [
    { field: 'staffId', operator: 'eq', value: leaver.id },
    { field: 'status', operator: 'eq', value: 'open' },
  ])
  counts.push({ entity: 'sys.todo', label: engine.model('sys.todo').label[locale], count: todos })
  counts.push({ entity: 'crm.share', label: engine.model('crm.share').label[locale], count: shares })
  return counts.filter(({ count }) => count > 0)
}

/** Who gets how many, and how that stands to his holding cap. */
async function summary(entities: Entities, tx: Transaction, context: RequestContext, destinations: readonly Destination[]) {
  const counts = new Map<string, number>()
  for (const { toStaffId } of destinations) if (toStaffId !== null) counts.set(toStaffId, (counts.get(toStaffId) ?? 0) + 1)
  const receivers = []
  for (const [staffId, customers] of counts) {
    const { counted, cap } = await usageOf(tx, staffId, context.now)
    receivers.push({ ...(await personOf(entities, staffId, context)), customers, counted, cap })
  }
  return { receivers, toSea: destinations.filter(({ toStaffId }) => toStaffId === null).length, destinations }
}
