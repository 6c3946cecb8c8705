import { ServiceError, contextOf, ok, type RequestContext } from '../../../platform/http'
import type { EntityRecord, EntityService, SaveHook, TransitionHook } from '../../../entities'
import { checkClaim, claimRefusalText, claimsLeft, dailyLimit, type ClaimCheck, type SeaStay } from '../rules/claiming'
import { addDays, dayOf } from '../rules/companyDay'
import type { Executor } from '../../../platform/database'
import { refuseWhileAliasChanges, unfinishedAliases } from './alias/block'
import { guardCustomer, type WriteHit } from './blacklist/guard'
import { contactDomains, deriveKeys, guardAgainstDuplicates, mailDomains, type WriteDown } from './duplicateGuard'
import { registerAppeal } from './appeal'
import { registerBulkTags } from './bulkTags'
import { refuseWhileTransferred } from './merge'
import { registerMergeCalls } from './mergeCalls'
import { limitPinned } from './pinned'
import { applyTemplate } from './template'
import { enterSea, leaveSea, logOwnership, recycleOnOf } from './ownership'
import { describePartners, makeProfile, PARTNER_INPUTS, type InviteLink } from './partner/partnerProfile'
import { ruleFor } from './rules'
import { usageOf } from './usage'
import { textOf } from './values'

export interface CrmOptions {
  /** The company's time zone: days of all rules are counted in it. */
  timeZone: string
  writeDown: WriteDown
  /** Notes a refused claim at the stay of the customer, outside the transaction that the refusal undoes. */
  noteAttempt: NoteAttempt
  writeHit: WriteHit
  inviteLink: InviteLink
}
/** Milliseconds after which a claimed customer is gone without a word for those who come too late. */
const LATE_CLAIM = 86_400_000

export type NoteAttempt = (context: RequestContext, customerId: string, refusedBecause: string) => void

/** Rules of customers around save, list and the open sea (sections 9.1 to 9.5 of the CRM domain). */
export function customerServices({
  timeZone,
  writeDown,
  writeHit,
  inviteLink,
  noteAttempt,
}: CrmOptions): Record<string, EntityService> {
  const claimed = (hook: TransitionHook): Promise<ClaimCheck | null> =>
    claimCheckOf(hook.tx, hook.before, hook.context.user.staffId, hook.now, timeZone)

  const customer: EntityService = {
    inputs: [...PARTNER_INPUTS, 'convertedFrom'],
    async beforeSave(hook) {
      const { record, before } = hook
      // a customer made of a clue is checked like a typed one
      const converted = isConverted(hook)
      if (hook.origin === 'service' && !converted) return
      const clue = converted
        ? ((await hook.entities.find('csc.clue', String(hook.inputs.convertedFrom))) ?? undefined)
        : undefined
      deriveKeys(record, before ? await contactDomains(hook.entities, String(before.id)) : mailDomains([clue?.email]))
      await guardCustomer(hook, writeHit, clue)
      await guardAgainstDuplicates(hook, writeDown)
      if (!before) await admit(hook, timeZone)
      if (converted) record.gainedBy = 'convert'
      await limitPinned(hook)
      await applyTemplate(hook)
      record.recycleOn = recycleOnOf(record, await ruleFor(hook.tx, 'crm.sea', hook.now, subjectOf(record)), timeZone)
    },
    async afterSave(hook) {
      const { before, record, entities, now, context, origin } = hook
      if (before || (origin === 'service' && !isConverted(hook))) return
      const owner = await entities.find('sys.staff', String(record.ownerId))
      await logOwnership(entities, now, { customerId: String(record.id), action: 'create', to: owner }, context.user.staffId)
      if (record.partyType === 'partner') await makeProfile(hook)
    },
    async computeFields(records, { db, context, now, view }) {
      await describePartners(records, db, inviteLink)
      const running = await unfinishedAliases(
        db,
        records.map((record) => String(record.id)),
      )
      for (const record of records) {
        const change = running.get(String(record.id))
        record.aliasChange = change ? `${change.recordCode} ${change.tasksDone}/${change.tasksTotal}` : null
      }
      const inSea = records.filter((record) => record.holding === 'sea')
      if (view?.id !== 'sea' || inSea.length === 0) return
      const stays = await staysOf(
        db,
        inSea.map((record) => String(record.id)),
        now,
      )
      const usage = await usageOf(db, context.user.staffId, now, timeZone)
      const rules = {
        claim: await ruleFor(db, 'crm.claim', now, { staffId: context.user.staffId }),
        coolDown: await ruleFor(db, 'crm.coolDown', now),
      }
      for (const record of inSea) {
        const check = checkClaim('sea', stays.get(String(record.id)) ?? null, usage, rules, now, timeZone)
        record.claimRefusedBecause = check ? claimRefusalText(check, context.locale, timeZone) : null
        record.claimsLeft = claimsLeft(usage, rules.claim, dayOf(now, timeZone))
      }
    },
    shares: {
      entity: 'crm.share',
      record: 'customerId',
      staff: 'toStaffId',
      department: 'toDeptId',
      until: 'until',
      where: [{ field: 'status', value: 'accepted' }],
      edit: { field: 'mode', value: 'edit' },
    },
    async beforeDelete({ record, entities, tx, context }) {
      await refuseWhileAliasChanges(tx, String(record.id))
      // a merged customer goes after everything of it was moved
      if (context.kind === 'system') return
      const followUps = await entities.count('crm.followUp', [{ field: 'customerId', operator: 'eq', value: record.id }])
      if (record.firstDealAt || followUps > 0)
        throw new ServiceError('transitionRefused', {
          message: {
            zh: '客户已有跟进或成交记录，不能删除；可以冻结。',
            en: 'The customer has follow-ups or deals and cannot be deleted; freeze it instead.',
          },
          data: { transition: 'delete' },
        })
    },
    async beforeRestore({ record, entities }) {
      const merged = await entities.count('crm.ownerLog', [
        { field: 'customerId', operator: 'eq', value: record.duplicateOfId },
        { field: 'action', operator: 'eq', value: 'merge' },
        { field: 'sourceDoc', operator: 'eq', value: record.code },
      ])
      if (record.duplicateOfId && merged > 0)
        throw new ServiceError('transitionRefused', {
          message: {
            zh: '客户已并入另一客户，合并不能撤销。',
            en: 'The customer was merged into another one; a merge cannot be undone.',
          },
          data: { transition: 'restore' },
        })
    },
    extraRoutes(app, engine, path) {
      registerMergeCalls(app, engine, path, {
        timeZone,
        guards: [(record, { tx }) => refuseWhileAliasChanges(tx, String(record.id)), refuseWhileTransferred],
      })
      registerAppeal(app, engine, path)
      registerBulkTags(app, engine, path)
      app.get(
        `${path}/claimQuota`,
        { schema: { tags: ['crm'], summary: 'What the caller has used of claims and holding cap' } },
        async (request) => {
          const context = contextOf(request)
          return engine.transaction(context, async (_, tx) => {
            const usage = await usageOf(tx, context.user.staffId, context.now, timeZone)
            const rules = await ruleFor(tx, 'crm.claim', context.now, { staffId: context.user.staffId })
            const retention = await ruleFor(tx, 'crm.retention', context.now)
            return ok({
              daily: { used: usage.claimsToday, limit: dailyLimit(usage, rules, dayOf(context.now, timeZone)) },
              weekly: { used: usage.claimsThisWeek, limit: rules.weeklyClaims },
              holding: { used: usage.counted, limit: usage.cap, warnAt: retention.warnAt },
            })
          })
        },
      )
    },
  }

  const release: EntityService = {
    async effect(hook) {
      const { entities, before, record, values, now, context } = hook
      await refuseWhileAliasChanges(hook.tx, String(before.id))
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
      const check = await claimed(hook)
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
      const staff = await entities.find('sys.staff', String(values.assignTo))
      if (!staff || !['active', 'probation'].includes(String(staff.status)))
        throw new ServiceError('limitRefused', {
          message: { zh: '接收人不在职。', en: 'The receiver is not an active member of staff.' },
          data: { reason: 'notActive' },
        })
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
    'crm.customer': customer,
    'crm.customer.release': release,
    'crm.customer.claim': claim,
    'crm.customer.assign': assign,
    'crm.customer.correct': correct,
    'crm.customer.freeze': freeze,
    'crm.customer.unfreeze': unfreeze,
  }
}

/** The gateway makes the customer of a clue; nobody can say so from outside. */
const isConverted = (hook: SaveHook): boolean =>
  hook.origin === 'service' && !hook.before && hook.inputs.convertedFrom !== undefined

/** A new customer: within the holding cap of its owner, protected for the first days. */
async function admit(hook: SaveHook, timeZone: string): Promise<void> {
  const { record, tx, now } = hook
  const usage = await usageOf(tx, String(record.ownerId), now, timeZone)
  if (usage.counted + 1 > usage.cap)
    throw new ServiceError('limitRefused', {
      message: {
        zh: `客户保有量已达上限（${usage.counted}/${usage.cap}），请先退回一些客户。`,
        en: `The holding cap is full (${usage.counted}/${usage.cap}); release some customers first.`,
      },
      data: { reason: 'capFull' },
    })
  const rules = await ruleFor(tx, 'crm.sea', now, subjectOf(record))
  Object.assign(record, { gainedBy: 'create', protectUntil: addDays(dayOf(now, timeZone), rules.protectDays.create) })
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
}

async function claimCheckOf(
  db: Executor,
  customer: EntityRecord,
  staffId: string,
  now: Date,
  timeZone: string,
): Promise<ClaimCheck | null> {
  const stays = await staysOf(db, [String(customer.id)], now)
  const usage = await usageOf(db, staffId, now, timeZone)
  const rules = { claim: await ruleFor(db, 'crm.claim', now, { staffId }), coolDown: await ruleFor(db, 'crm.coolDown', now) }
  return checkClaim(String(customer.holding), stays.get(String(customer.id)) ?? null, usage, rules, now, timeZone)
}

/** Open stays by customer, with the number of stays within the ping-pong window. */
async function staysOf(db: Executor, ids: readonly string[], now: Date): Promise<Map<string, SeaStay>> {
  const rules = await ruleFor(db, 'crm.claim', now)
  const since = new Date(now.getTime() - rules.managerOnlyWithinDays * 86_400_000).toISOString()
  const { rows } = await db.query<SeaStay & { customerId: string }>(
    `select s.customer_id as "customerId", s.entered_at as "enteredAt", s.reason, s.last_owner_id as "lastOwnerId", s.last_owner_dept_id as "lastOwnerDeptId", s.claimable_from as "claimableFrom",
       (select count(*) from crm_sea_record r where r.customer_id = s.customer_id and r.entered_at >= $2) as "recentStays"
     from crm_sea_record s where s.customer_id = any($1::text[]) and s.left_at is null`,
    [ids, since],
  )
  return new Map(rows.map(({ customerId, ...stay }) => [customerId, { ...stay, recentStays: Number(stay.recentStays) }]))
}

async function seaRules({ tx, now }: TransitionHook) {
  return { claim: await ruleFor(tx, 'crm.claim', now), coolDown: await ruleFor(tx, 'crm.coolDown', now) }
}

const subjectOf = (record: EntityRecord) => ({
  staffId: textOf(record.ownerId) ?? undefined,
  level: textOf(record.level) ?? undefined,
  countryCode: textOf(record.countryCode) ?? undefined,
})
const bothLanguages = (check: ClaimCheck, timeZone: string) => ({
  zh: claimRefusalText(check, 'zh', timeZone),
  en: claimRefusalText(check, 'en', timeZone),
})
