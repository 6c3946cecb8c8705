import type { Entities, EntityEngine, EntityRecord, ToldDuplicate } from '../../../entities'
import { leaderOf } from '../../../ownership'
import { newId, type Transaction } from '../../../platform/database'
import { contextOf, ok, ServiceError, type RequestContext } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { newCustomer, refuseWrong } from '../services/customerChecks'
import { guardLevel } from '../services/level'
import { PARTNER_INPUTS } from '../services/partner/partnerProfile'
import { applyTemplate } from '../services/template'

const APPEAL = 'crm.dupAppeal'
const CUSTOMER = 'crm.customer'

/** POST /v2/crm/customer/appeal: the form that was refused and a note, to the leader of the department. */
export const call: ModuleCall = ({ app, engine }) => {
  app.post(
    '/v2/crm/customer/appeal',
    {
      schema: {
        tags: ['crm'],
        summary: 'Asks the leader to save a customer that the duplicate check blocked',
        body: {
          type: 'object',
          required: ['values', 'note'],
          additionalProperties: false,
          properties: { values: { type: 'object' }, note: { type: 'string', minLength: 5, maxLength: 500 } },
        },
      },
      config: { permission: 'crm:customer:add' },
    },
    async (request) => {
      const context = contextOf(request)
      const { values, note } = request.body as { values: EntityRecord; note: string }
      const answer = await engine.transaction(context, async (entities, tx) => {
        const appeal = await openAppeal(engine, entities, tx, context, values, note.trim())
        await context.idempotence?.settle(tx, ok(appeal))
        return appeal
      })
      return ok(answer)
    },
  )
}

async function openAppeal(
  engine: EntityEngine,
  entities: Entities,
  tx: Transaction,
  context: RequestContext,
  values: EntityRecord,
  note: string,
): Promise<{ id: string; leader: string }> {
  const { now, user } = context
  const input = editableValues(engine, values)
  await refuseWrong(context, (fail) => {
    guardLevel({ record: { level: 'd', ...input }, before: null, context, origin: 'save', fail })
    return applyTemplate({ ...newCustomer(engine, input, now), fail }, tx, user.staffId)
  })
  const hits = await entities.duplicates(CUSTOMER, input)
  if (!hits.some((hit) => hit.decision === 'block'))
    throw new ServiceError('badRequest', {
      message: { zh: '这位客户没有被拦截，可以直接保存。', en: 'This customer is not blocked; simply save it.' },
    })
  const own = await entities.find('sys.staff', user.staffId)
  const leader = own ? await leaderOf({ tx }, own) : null
  const person = leader ? await entities.find('sys.staff', leader) : null
  if (!person)
    throw new ServiceError('limitRefused', {
      message: { zh: '您的部门没有负责人，无法申诉。', en: 'Your department has no leader who could decide.' },
      data: { reason: 'noLeader' },
    })
  const appeal = await entities.save(APPEAL, {
    name: (input.name ?? null) as string | null,
    countryCode: (input.countryCode ?? null) as string | null,
    note,
    input,
    hits,
    duplicateOfId: hits[0]?.id ?? null,
    ownerId: person.id,
    ownerDeptId: person.mainDeptId,
    ownedAt: now.toISOString(),
  })
  await entities.insertMany('crm.dupCheck', [dupCheck(newId(), context, input, hits, note)])
  return { id: appeal.id, leader: person.name }
}

const dupCheck = (
  id: string,
  { user, now }: RequestContext,
  input: EntityRecord,
  hits: readonly ToldDuplicate[],
  note: string,
): EntityRecord => ({
  id,
  checkedById: user.staffId || null,
  input: { name: input.name, countryCode: input.countryCode },
  hits,
  decision: 'appealed',
  appealNote: note,
  at: now.toISOString(),
})

/** What a person may type into the form of a customer; everything else is dropped. */
function editableValues(engine: EntityEngine, values: EntityRecord): EntityRecord {
  const names = engine
    .model(CUSTOMER)
    .stored.filter((field) => field.origin === 'own' && !field.internal && field.field.readOnly !== true)
    .map((field) => field.name)
  const asked = values.partyType === 'partner' ? [...names, ...PARTNER_INPUTS] : names
  return Object.fromEntries(asked.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]))
}
