import { ServiceError, type RequestContext } from '../../../platform/http'
import type { EntityRecord, EntityService, TransitionHook } from '../../../entities'
import { claimRefusalText, coolDownUntil, type ClaimCheck } from '../rules/claiming'
import { addDays, dayOf } from '../rules/companyDay'
import { refuseWhileAliasChanges } from './alias/block'
import type { HitDesk } from './blacklist/guard'
import { holdingsOf, refuseWhileHeld } from './holdings'
import { opportunitiesGoAlong } from './opportunity/goAlong'
import { enterSea, leaveSea, logOwnership, recycleOnOf } from './ownership'
import { receiverOf } from './receiver'
import { ruleFor } from './rules'
import { claimCheckOf, staysOf } from './stays'
import { usageOf } from './usage'
import { textOf } from './values'
import { voidServices } from './void'

/** Milliseconds after which a claimed customer is gone without a word for those who come too late. */
const LATE_CLAIM = 86_400_000

export type NoteAttempt = (context: RequestContext, customerId: string, refusedBecause: string) => void

/** What happens to a customer that is released, claimed, assigned, brought back, frozen and unfrozen (CRM rules 9.3 to 9.5). */
export function customerTransitions({
  timeZone,
  noteAttempt,
  hitDesk,
  has,
}: {
  timeZone: string
  noteAttempt: NoteAttempt
  hitDesk: HitDesk
  has: (entity: string) => boolean
}): Record<string, EntityService> {
  const release: EntityService = {
    async effect(hook) {
      const { entities, before, record, values, now, context } = hook
      await refuseWhileAliasChanges(hook.tx, String(before.id))
      await refuseWhileHeld(hook.tx, holdingsOf(has), String(before.id))
      const owner = await entities.find('sys.staff', String(before.ownerId))
      const byId = context.user.staffId || null
      await enterSea(
        entities,
        { before, record },
        { reason: 'release', note: textOf(values.releaseNote), owner, now, timeZone, rules: await seaRules(hook), byId },
      )
      await logOwnership(
        entities,
        now,
        {
          customerId: String(before.id),
          action: 'release',
          from: owner,
          reason: textOf(values.releaseReason),
          note: textOf(values.releaseNote),
        },
        context.user.staffId,
      )
    },
  }

  const claim: EntityService = {
    async outOfReach({ entities, context, id, now }) {
      const [stay] = await entities.list('crm.seaRecord', {
        where: [{ field: 'customerId', operator: 'eq', value: id }],
        sort: [{ field: 'enteredAt', order: 'desc' }],
        limit: 1,
      })
      const leftAt = textOf(stay?.leftAt)
      const taken = stay?.leftBy === 'claim' || stay?.leftBy === 'assign'
      // Who had it on his screen knows of it anyway; to everybody else the customer does not exist.
      if (!taken || leftAt === null || Date.parse(leftAt) < now.getTime() - LATE_CLAIM) return null
      noteAttempt(context, id, 'notInSea')
      return new ServiceError('limitRefused', {
        message: bothLanguages({ refusal: 'notInSea' }, timeZone),
        data: { reason: 'notInSea' },
      })
    },
    async effect(hook) {
      const { tx, context, entities, record } = hook
      // Parallel clicks of one person queue here, so that no limit can be passed; then everything is checked once more.
      await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [`crm.claim ${context.user.staffId}`])
      const check = await claimCheckOf(tx, hook.before, context.user.staffId, hook.now, timeZone)
      if (check) {
        noteAttempt(context, String(record.id), check.refusal)
        throw new ServiceError('limitRefused', { message: bothLanguages(check, timeZone), data: { reason: check.refusal } })
      }
      const staff = await entities.find('sys.staff', context.user.staffId)
      await takeOver(hook, record, staff, 'claim', timeZone)
    },
  }

  /** A customer that came to the sea by mistake goes back to its former owner; nobody has to cool down for it. */
  const correct: EntityService = {
    async effect(hook) {
      const { entities, before, record, now, tx, values, context } = hook
      const former = before.lastOwnerId ? await entities.find('sys.staff', String(before.lastOwnerId)) : null
      if (!former || former.status === 'left')
        throw new ServiceError('limitRefused', {
          message: {
            zh: '原负责人已不在职，请改用“分配”。',
            en: 'The former owner is not with the company any more; assign it instead.',
          },
          data: { reason: 'notActive' },
        })
      await leaveSea(entities, record, { by: 'corrected', staffId: String(former.id), now })
      const rules = await ruleFor(tx, 'crm.sea', now, subjectOf({ ...record, ownerId: former.id }))
      Object.assign(record, {
        ownerId: former.id,
        ownerDeptId: former.mainDeptId,
        ownedAt: now.toISOString(),
        gainedBy: 'assign',
        protectUntil: addDays(dayOf(now, timeZone), rules.protectDays.assign),
        seaStays: Math.max(0, Number(before.seaStays ?? 1) - 1),
      })
      record.recycleOn = recycleOnOf(record, rules, timeZone)
      await logOwnership(
        entities,
        now,
        {
          customerId: String(record.id),
          action: 'assign',
          to: former,
          reason: 'corrected',
          note: textOf(values.correctReason),
        },
        context.user.staffId,
      )
    },
  }

  const assign: EntityService = {
    async effect(hook) {
      const { entities, values, record, now, tx } = hook
      const staff = await receiverOf(entities, tx, values.assignTo, now)
      // the cool-down of a department does not bind a manager, that of the former owner does without a reason
      const stay = (await staysOf(tx, [String(record.id)], now)).get(String(record.id))
      const coolDown = await ruleFor(tx, 'crm.coolDown', now)
      const cool = stay ? coolDownUntil(stay, { staffId: String(staff.id), deptIds: [] }, coolDown, timeZone) : null
      if (cool !== null && dayOf(now, timeZone) <= cool && !textOf(values.assignReason))
        throw new ServiceError('limitRefused', {
          message: {
            zh: `接收人是原负责人，冷却期至 ${cool}，须写明原因。`,
            en: `The receiver had it before and cools down until ${cool}; give a reason.`,
          },
          data: { reason: 'coolDown' },
        })
      // what a person gains at the same time queues here, like his own claims
      await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [`crm.claim ${String(staff.id)}`])
      const usage = await usageOf(tx, String(staff.id), now, timeZone)
      if (usage.counted + 1 > usage.cap && !textOf(values.assignReason))
        throw new ServiceError('limitRefused', {
          message: {
            zh: `接收人的客户保有量已达上限（${usage.counted}/${usage.cap}），超出须写明原因。`,
            en: `The receiver's holding cap is full (${usage.counted}/${usage.cap}); give a reason to exceed it.`,
          },
          data: { reason: 'capFull' },
        })
      await takeOver(hook, record, staff, 'assign', timeZone)
    },
  }

  const freeze: EntityService = {
    async effect({ entities, before, record, now }) {
      if (before.holding === 'sea') await leaveSea(entities, record, { by: 'frozen', staffId: null, now })
      record.recycleOn = null
    },
  }

  const unfreeze: EntityService = {
    async effect(hook) {
      const { entities, before, record, now, context, tx } = hook
      const former = before.ownerId ? await entities.find('sys.staff', String(before.ownerId)) : null
      const usage = former ? await usageOf(tx, String(former.id), now, timeZone) : null
      if (former && usage && former.status !== 'left' && usage.counted + 1 <= usage.cap) {
        record.holding = 'private'
        record.recycleOn = recycleOnOf(record, await ruleFor(tx, 'crm.sea', now), timeZone)
        await logOwnership(entities, now, { customerId: String(before.id), action: 'unfreeze', to: former }, context.user.staffId)
        return
      }
      await enterSea(
        entities,
        { before, record },
        { reason: 'lifted', note: null, owner: former, now, timeZone, rules: await seaRules(hook) },
      )
    },
  }

  return {
    'crm.customer.release': release,
    'crm.customer.claim': claim,
    'crm.customer.assign': assign,
    'crm.customer.correct': correct,
    'crm.customer.freeze': freeze,
    'crm.customer.unfreeze': unfreeze,
    ...voidServices({ has, hitDesk }, unfreeze),
  }
}

/** The customer leaves the sea for a member of staff. */
async function takeOver(
  hook: TransitionHook,
  record: EntityRecord,
  staff: EntityRecord | null,
  by: 'claim' | 'assign',
  timeZone: string,
): Promise<void> {
  const { entities, now, tx, context, values } = hook
  await leaveSea(entities, record, { by, staffId: textOf(staff?.id), now })
  const rules = await ruleFor(tx, 'crm.sea', now, subjectOf(record))
  Object.assign(record, {
    ownerId: staff?.id ?? null,
    ownerDeptId: staff?.mainDeptId ?? null,
    ownedAt: now.toISOString(),
    gainedBy: by,
    protectUntil: addDays(dayOf(now, timeZone), rules.protectDays[by]),
  })
  record.recycleOn = recycleOnOf(record, rules, timeZone)
  await logOwnership(
    entities,
    now,
    {
      customerId: String(record.id),
      action: by,
      to: staff,
      reason: by === 'assign' ? 'manager' : null,
      note: textOf(values.assignReason),
    },
    context.user.staffId,
  )
  if (staff) await opportunitiesGoAlong(entities, String(record.id), String(staff.id), textOf(values.assignReason))
}

async function seaRules({ tx, now }: TransitionHook) {
  return { claim: await ruleFor(tx, 'crm.claim', now), coolDown: await ruleFor(tx, 'crm.coolDown', now) }
}

/** Whom a rule's exceptions are asked for: the owner, level and country of a customer. */
export const subjectOf = (record: EntityRecord) => ({
  staffId: textOf(record.ownerId) ?? undefined,
  level: textOf(record.level) ?? undefined,
  countryCode: textOf(record.countryCode) ?? undefined,
})
const bothLanguages = (check: ClaimCheck, timeZone: string) => ({
  zh: claimRefusalText(check, 'zh', timeZone),
  en: claimRefusalText(check, 'en', timeZone),
})
