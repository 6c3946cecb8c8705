import type { EntityRecord, HookContext, Verb, RecordOf } from '../../../entities'

const APPLY = 'crm.classApply'
const FIELDS = [
  'customerId',
  'applyKind',
  'exception',
  'expectedMonthly',
  'products',
  'potential',
  'reason',
  'slaMinutes',
  'priceReviewMonths',
  'namedSupportId',
  'protectPrice',
  'competitorInfo',
  'validMonths',
  'attachments',
] as const
const LONGEST_NOTE = 500

const noteOf = ({ comment }: EntityRecord): EntityRecord =>
  typeof comment === 'string' && comment.trim() !== '' ? { decisionNote: comment.trim().slice(0, LONGEST_NOTE) } : {}

/** The application of an instance; made, submitted, and as the form says while it is undecided. */
async function applied({ entities }: HookContext, given: EntityRecord): Promise<RecordOf<'crm.classApply'>> {
  const known = await ofInstance(entities, given)
  if (known && known.status !== 'pending' && known.status !== 'draft') return known
  const values = Object.fromEntries(
    FIELDS.filter((name) => given[name] !== undefined && given[name] !== null).map((name) => [name, given[name]]),
  )
  const saved = await entities.save(APPLY, {
    ...values,
    ...(known ? { id: known.id } : { instanceId: String(given.instanceId) }),
  })
  return saved.status === 'pending' ? saved : entities.transition(APPLY, saved.id, 'submit')
}

async function ofInstance(
  entities: HookContext['entities'],
  { instanceId }: EntityRecord,
): Promise<RecordOf<'crm.classApply'> | undefined> {
  if (typeof instanceId !== 'string' || instanceId === '')
    throw new Error('An effect on applications for class A names no instanceId.')
  const [found] = await entities.list(APPLY, {
    where: [{ field: 'instanceId', operator: 'eq', value: instanceId }],
    lock: true,
    limit: 1,
  })
  return found
}

/** Class A is applied for in an approval: the application waits, as one that was submitted by hand does (money 8.12). */
export const applyClassA: Verb = async (hook, runs) => {
  const made: RecordOf<'crm.classApply'>[] = []
  for (const { with: given } of runs) made.push(await applied(hook, given))
  return made
}

/** Class A is granted, kept or ended by an approval: the application takes its own transition, whose refusals and effects hold. */
export const approveClassA: Verb = async (hook, runs) => {
  const granted: RecordOf<'crm.classApply'>[] = []
  for (const { with: given } of runs) {
    const application = await applied(hook, given)
    const { id, status } = application
    granted.push(status === 'pending' ? await hook.entities.transition(APPLY, id, 'approve', noteOf(given)) : application)
  }
  return granted
}

/** An approval of class A ended without it: `result` is rejected or withdrawn. */
export const endClassA: Verb = async (hook, runs) => {
  for (const { with: given } of runs) {
    const application = await ofInstance(hook.entities, given)
    if (application?.status !== 'pending') continue
    const rejected = given.result === 'rejected'
    const note = rejected ? { decisionNote: '—', ...noteOf(given) } : {}
    await hook.entities.transition(APPLY, application.id, rejected ? 'reject' : 'withdraw', note)
  }
}
