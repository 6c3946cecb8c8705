import type { EntityEngine, EntityService, Verb } from '../../../entities'
import { ServiceError, type RequestContext } from '../../../platform/http'
import { ruleFor } from '../../../rules'
import { claimableFrom } from '../rules/claiming'
import { refuseWhileAliasChanges } from './alias/block'
import type { HitDesk } from './blacklist/guard'
import { sameCompany } from './comeBack'
import { heldOf, holdingsOf } from './holdings'
import { receiversOf } from './receiver'
import { usagesOf } from './usage'
import { textOf } from './values'

/** Milliseconds after which a claimed customer is gone without a word for those who come too late. */
const LATE_CLAIM = 86_400_000
const NOT_IN_SEA = { zh: '已被其他同事领取', en: 'Already claimed by somebody else' }

export type NoteAttempt = (context: RequestContext, customerId: string, refusedBecause: string) => void

/** What the transitions of customers ask and do that is no data: who may receive, what is used of the limits, what holds a customer. */
export function registerOwnership(engine: EntityEngine, hitDesk: HitDesk): void {
  const holdings = holdingsOf((entity) => engine.names().includes(entity))
  const ids = (asked: readonly Record<string, unknown>[], name: string): string[] => asked.map((one) => textOf(one[name]) ?? '')
  engine.registerFunction('crm.usage', ({ db, now }, asked) => usagesOf(db, ids(asked, 'staffId'), now))
  engine.registerFunction('crm.receiver', ({ db, now }, asked) => receiversOf(db, ids(asked, 'staffId'), now))
  engine.registerFunction('crm.opening', async ({ db, now }, asked) => {
    const at = claimableFrom(now, await ruleFor(db, 'crm.claim', now), db.companyTimeZone).toISOString()
    return asked.map(() => ({ at }))
  })
  engine.registerFunction('crm.held', ({ db }, asked) => heldOf(db, holdings, ids(asked, 'customerId')))
  engine.registerVerb('crm.refuseWhileAliasChanges', ({ tx }, runs) =>
    refuseWhileAliasChanges(tx, ...runs.map(({ subject }) => String(subject.record.id))),
  )
  engine.registerVerb('crm.sameCompany', standBeside(hitDesk))
}

/** The same company was entered anew while the customer was void: both have a history, somebody decides whether they are merged. */
const standBeside =
  (hitDesk: HitDesk): Verb =>
  async (place, runs) => {
    for (const { subject } of runs) {
      const same = await sameCompany(place, subject.before!, hitDesk)
      if (same) subject.record.duplicateOfId = same.id
    }
  }

/** Claims from the open sea: who comes too late is told so for a day, and every refused claim is noted at the stay. */
export const claimService = (noteAttempt: NoteAttempt): EntityService => ({
  async outOfReach({ entities, id, now }) {
    const [stay] = await entities.list('crm.seaRecord', {
      where: [{ field: 'customerId', operator: 'eq', value: id }],
      sort: [{ field: 'enteredAt', order: 'desc' }],
      limit: 1,
    })
    const leftAt = textOf(stay?.leftAt)
    const taken = stay?.leftBy === 'claim' || stay?.leftBy === 'assign'
    // Who had it on his screen knows of it anyway; to everybody else the customer does not exist.
    if (!taken || leftAt === null || Date.parse(leftAt) < now.getTime() - LATE_CLAIM) return null
    return new ServiceError('limitRefused', { message: NOT_IN_SEA, data: { reason: 'notInSea' } })
  },
  refused(context, refusals) {
    for (const [id, error] of refusals) {
      const { reason } = (error.data ?? {}) as { reason?: unknown }
      if (error.reason === 'limitRefused' && typeof reason === 'string') noteAttempt(context, id, reason)
    }
  },
})

/** Whom a rule's exceptions are asked for: the owner, level and country of a customer. */
export const subjectOf = (record: Readonly<Record<string, unknown>>) => ({
  staffId: textOf(record.ownerId) ?? undefined,
  level: textOf(record.level) ?? undefined,
  countryCode: textOf(record.countryCode) ?? undefined,
})
