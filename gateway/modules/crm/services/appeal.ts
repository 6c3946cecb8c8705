import type { FastifyInstance } from 'fastify'
import {
  refusal,
  type Entities,
  type EntityEngine,
  type EntityRecord,
  type HookContext,
  type InputProblem,
  type SaveHook,
  type ToldDuplicate,
} from '../../../entities'
import { newId, type Transaction } from '../../../platform/database'
import { contextOf, ok, ServiceError, type RequestContext } from '../../../platform/http'
import { addDays, dayOf } from '../rules/companyDay'
import { refuseBarredCustomer, type HitDesk } from './blacklist/guard'
import { guardLevel } from './level'
import { makeProfile, PARTNER_INPUTS } from './partner/partnerProfile'
import { leaderOf, logOwnership, refuseAboveCap, subjectOf } from '../../../ownership'
import { ruleFor } from '../../../rules'
import { applyTemplate } from './template'

const APPEAL = 'crm.dupAppeal'
const CUSTOMER = 'crm.customer'

/** Saves the customers of appeals of blocked duplicates that a leader accepts (CRM rule 9.1); answers them. */
export function registerAppealVerb(engine: EntityEngine, timeZone: string, hitDesk: HitDesk): void {
  engine.registerVerb('crm.saveAppealed', async (hook, runs) => {
    const saved: { id: string }[] = []
    for (const { subject, with: given } of runs)
      saved.push({
        id: await saveApproved(engine, { ...hook, before: subject.record, note: String(given.note ?? '') }, timeZone, hitDesk),
      })
    return saved
  })
}

/** POST /v2/crm/customer/appeal: the form that was refused and a note, to the leader of the department. */
export function registerAppeal(app: FastifyInstance, engine: EntityEngine, path: string): void {
  app.post(
    `${path}/appeal`,
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

const isPartnerInput = (name: string): boolean => (PARTNER_INPUTS as readonly string[]).includes(name)

/** What a person may type into the form of a customer; everything else is dropped. */
function editableValues(engine: EntityEngine, values: EntityRecord): EntityRecord {
  const names = engine
    .model(CUSTOMER)
    .stored.filter((field) => field.origin === 'own' && !field.internal && field.field.readOnly !== true)
    .map((field) => field.name)
  const asked = values.partyType === 'partner' ? [...names, ...PARTNER_INPUTS] : names
  return Object.fromEntries(asked.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]))
}

/** Refuses with 10010005 and everything that a check finds wrong. */
async function refuseWrong({ locale }: RequestContext, check: (fail: SaveHook['fail']) => Promise<void>): Promise<void> {
  const problems: InputProblem[] = []
  await check((problem) => void problems.push(problem))
  if (problems.length > 0) throw refusal('validationFailed', locale, problems)
}

/** What the customer template needs to know of a new customer. */
const newCustomer = (engine: EntityEngine, record: EntityRecord, now: Date) => ({
  model: engine.model(CUSTOMER),
  record,
  before: null,
  given: new Set(Object.keys(record)),
  now,
})

interface Accepted extends HookContext {
  before: EntityRecord
  /** Why the leader says that it is another customer. */
  note: string
}

/** The customer as the appellant typed it, owned by him, with the reason of the leader and the record that it resembles. */
async function saveApproved(engine: EntityEngine, appeal: Accepted, timeZone: string, hitDesk: HitDesk): Promise<string> {
  const { entities, tx, now, before, note, context } = appeal
  const appellant = await entities.find('sys.staff', String(before.createdBy))
  if (!appellant || appellant.status === 'left')
    throw new ServiceError('limitRefused', {
      message: { zh: '申诉人已离职。', en: 'The person who asked has left the company.' },
      data: { reason: 'notActive' },
    })
  const rules = await ruleFor(tx, 'crm.sea', now, { staffId: appellant.id })
  const input = before.input as EntityRecord
  const record: EntityRecord = {
    ...Object.fromEntries(Object.entries(input).filter(([name]) => !isPartnerInput(name))),
    duplicateReason: note,
    duplicateOfId: before.duplicateOfId,
    holding: 'private',
    ownerId: appellant.id,
    ownerDeptId: appellant.mainDeptId,
    ownedAt: now.toISOString(),
    gainedBy: 'create',
    protectUntil: addDays(dayOf(now, timeZone), rules.protectDays.create),
  }
  // a leader decides on duplicates, neither on the template and the blacklist nor on the cap
  await refuseWrong(context, (fail) => applyTemplate({ ...newCustomer(engine, record, now), fail }, tx, appellant.id))
  await refuseBarredCustomer(appeal, entities.keysOf(CUSTOMER, record), hitDesk)
  const owned = subjectOf(engine, CUSTOMER)
  await refuseAboveCap(engine, owned, appeal, record)
  const saved = await entities.save(CUSTOMER, record, { reason: note })
  if (saved.partyType === 'partner') await makeProfile({ record: saved, entities, inputs: input })
  const change = { recordId: saved.id, action: 'create' as const, to: appellant, note: note.slice(0, 200) }
  await logOwnership(owned, { entities, now, byId: context.user.staffId }, [change])
  return saved.id
}
