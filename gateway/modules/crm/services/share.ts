import { can, ServiceError, type Text } from '../../../platform/http'
import type { Entities, EntityRecord, EntityService, SaveHook, TransitionHook } from '../../../entities'
import { addDays, dayOf } from '../rules/companyDay'
import type { CrmRules } from '../rules/ruleSets'
import { logOwnership } from './ownership'
import { ruleFor } from './rules'
import { textOf } from './values'

/**
 * Shares of customers (CRM section 3, rule 9.7): a person accepts within 72 hours, a department needs no acceptance; they end by
 * the owner, the receiver, the date, a change of owner or the open sea.
 */
export function shareServices(timeZone: string): Record<string, EntityService> {
  const share: EntityService = {
    inputs: ['byTransition'],
    async beforeSave(hook) {
      const { record, before, entities, context, now, tx } = hook
      if (isMoved(hook)) return
      record.toType = record.toDeptId && !record.toStaffId ? 'department' : 'staff'
      const customer = await entities.find('crm.customer', String(record.customerId))
      if (customer?.ownerId !== context.user.staffId && context.kind !== 'system')
        throw new ServiceError('noPermission', {
          message: { zh: '只有负责人可以共享客户。', en: 'Only the owner may share a customer.' },
          data: { permission: 'crm:share:add' },
        })
      if (!before && customer && customer.holding !== 'private')
        hook.fail({
          field: 'customerId',
          rule: 'customerPrivate',
          message: {
            zh: '客户已冻结或在公海，不能共享。',
            en: 'The customer is frozen or in the open sea and cannot be shared.',
          },
        })
      if (!record.toStaffId && !record.toDeptId)
        hook.fail({ field: 'toStaffId', rule: 'receiver', message: { zh: '请选择接收人。', en: 'Choose a receiver.' } })
      if (record.toStaffId && record.toDeptId)
        hook.fail({
          field: 'toDeptId',
          rule: 'oneReceiver',
          message: { zh: '接收人与接收部门只能选一个。', en: 'Choose a person or a department, not both.' },
        })
      if (record.toStaffId === customer?.ownerId)
        hook.fail({
          field: 'toStaffId',
          rule: 'notOwner',
          message: { zh: '不能共享给负责人自己。', en: 'It cannot be shared with its owner.' },
        })
      const rules = await ruleFor(tx, 'crm.wander', now, { staffId: textOf(customer?.ownerId) ?? '' })
      if (record.mode === 'edit' && before?.mode !== 'edit' && !rules.editAllowed)
        hook.fail({ field: 'mode', rule: 'editAllowed', message: EDIT_NOT_ALLOWED })
      await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [`crm.share ${String(record.customerId)}`])
      await checkReceivers(hook, rules)
      const wrong = untilProblem(record.until, rules, now, timeZone)
      if (wrong) hook.fail({ field: 'until', rule: 'until', message: wrong })
      if (before) return
      const inForce = record.toType === 'department'
      Object.assign(record, {
        status: inForce ? 'accepted' : 'pending',
        from: inForce ? now.toISOString() : null,
        acceptedAt: inForce ? now.toISOString() : null,
        expiresAt: inForce ? null : new Date(now.getTime() + rules.shareAcceptHours * 3_600_000).toISOString(),
      })
    },
    async afterSave(hook) {
      const { record, before, entities, now, context } = hook
      if (!before && !isMoved(hook) && record.status === 'accepted') await logShared(entities, record, now, context.user.staffId)
    },
  }

  const end: EntityService = {
    guard: async (hook) =>
      (await isOwner(hook)) || isReceiver(hook)
        ? null
        : { zh: '只有负责人、接收人或主管可以结束共享。', en: 'Only the owner, the receiver or a manager may end it.' },
    async effect({ entities, before, record, now, context, values }) {
      Object.assign(record, {
        endedAt: now.toISOString(),
        endedById: context.user.staffId || null,
        endReason: values.endReason ?? record.endReason ?? null,
      })
      if (before.status !== 'accepted') return
      const from = before.toStaffId ? await entities.find('sys.staff', String(before.toStaffId)) : null
      await logOwnership(entities, now, { customerId: String(before.customerId), action: 'unshare', from }, context.user.staffId)
    },
  }

  return {
    'crm.share': share,
    'crm.share.accept': {
      guard: (hook) => (isReceiver(hook) ? null : NOT_RECEIVER),
      async effect({ entities, before, record, now, tx, context }) {
        const rules = await ruleFor(tx, 'crm.wander', now, { staffId: String(before.toStaffId) })
        await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [`crm.share of ${String(before.toStaffId)}`])
        if ((await receivedBy(entities, String(before.toStaffId))) >= rules.maxReceived) throw receivedFull(rules)
        Object.assign(record, { from: now.toISOString(), acceptedAt: now.toISOString(), expiresAt: null })
        await logShared(entities, record, now, context.user.staffId)
      },
    },
    'crm.share.reject': {
      guard: (hook) => (isReceiver(hook) ? null : NOT_RECEIVER),
      effect: ({ record, now, context, values }) =>
        void Object.assign(record, {
          endedAt: now.toISOString(),
          endedById: context.user.staffId || null,
          endReason: values.rejectReason,
        }),
    },
    'crm.share.system': {
      effect: ({ record, now }) => void Object.assign(record, { endedAt: now.toISOString() }),
    },
    'crm.share.extend': {
      guard: async (hook) => ((await isOwner(hook)) ? null : NOT_OWNER),
      async effect({ record, now, tx, context, entities, before }) {
        const wrong = untilProblem(record.until, await sharersRules({ entities, tx, now }, before), now, timeZone)
        if (wrong)
          throw new ServiceError('validationFailed', {
            data: { errors: [{ field: 'until', message: wrong[context.locale], rule: 'until' }] },
          })
      },
    },
    'crm.share.owner': {
      guard: async (hook) => ((await isOwner(hook)) ? null : NOT_OWNER),
      async effect({ record, before, entities, tx, now, context }) {
        if (record.mode !== 'edit' || before.mode === 'edit') return
        if (!(await sharersRules({ entities, tx, now }, before)).editAllowed)
          throw new ServiceError('validationFailed', {
            data: { errors: [{ field: 'mode', message: EDIT_NOT_ALLOWED[context.locale], rule: 'editAllowed' }] },
          })
      },
    },
    'crm.share.end': end,
    'crm.customer.share': shareCustomer,
  }
}

/** A customer is shared by a transition of its own: several at once are told apart, with a reason for each that is refused. */
const shareCustomer: EntityService = {
  guard: ({ context, before }) =>
    context.kind === 'system' || before.ownerId === context.user.staffId
      ? null
      : { zh: '只有负责人可以共享客户。', en: 'Only the owner may share a customer.' },
  async effect({ entities, before, values }) {
    await entities.save('crm.share', {
      customerId: before.id,
      toStaffId: values.shareWith ?? null,
      toDeptId: values.shareDepartment ?? null,
      mode: values.shareMode,
      until: values.shareUntil ?? null,
      reason: values.shareReason,
      byTransition: true,
    })
  },
}

/** Rows that a service moves or brings along are checked by it; a share that a transition makes is checked like a typed one. */
const isMoved = ({ origin, inputs }: SaveHook): boolean => origin === 'service' && inputs.byTransition !== true

async function checkReceivers(hook: SaveHook, rules: CrmRules['crm.wander']): Promise<void> {
  const { record, before, entities } = hook
  if (before) return
  const active = await entities.list('crm.share', {
    where: [
      { field: 'customerId', operator: 'eq', value: record.customerId },
      { field: 'status', operator: 'in', value: ['pending', 'accepted'] },
    ],
  })
  const field = record.toType === 'department' ? 'toDeptId' : 'toStaffId'
  if (active.some((share) => share[field] === record[field]))
    hook.fail({
      field,
      rule: 'sharedAlready',
      message: { zh: '已经共享给该接收人。', en: 'It is shared with this receiver already.' },
    })
  const alike = active.filter((share) => Boolean(share.toStaffId) === (field === 'toStaffId')).length
  const most = field === 'toStaffId' ? rules.maxReceivers : rules.maxDepartments
  if (alike >= most)
    hook.fail({
      field,
      rule: 'shareCap',
      message:
        field === 'toStaffId'
          ? { zh: `最多共享给 ${most} 人。`, en: `A customer is shared with at most ${most} people.` }
          : { zh: `最多共享给 ${most} 个部门。`, en: `A customer is shared with at most ${most} departments.` },
    })
  if (field !== 'toStaffId') return
  const receivers = await ruleFor(hook.tx, 'crm.wander', hook.now, { staffId: String(record.toStaffId) })
  if ((await receivedBy(entities, String(record.toStaffId))) >= receivers.maxReceived)
    hook.fail({ field, rule: 'receivedCap', message: receivedFull(receivers).text })
}

/** The rule as it holds for the owner of the customer. */
async function sharersRules(
  { entities, tx, now }: Pick<SaveHook, 'entities' | 'tx' | 'now'>,
  share: EntityRecord,
): Promise<CrmRules['crm.wander']> {
  const customer = await entities.find('crm.customer', String(share.customerId))
  return ruleFor(tx, 'crm.wander', now, { staffId: textOf(customer?.ownerId) ?? '' })
}
const EDIT_NOT_ALLOWED: Text = {
  zh: '共享规则不允许可编辑的共享，请选择只读。',
  en: 'The rule for sharing allows reading only. Choose "Read".',
}

const receivedBy = (entities: Entities, staffId: string): Promise<number> =>
  entities.count('crm.share', [
    { field: 'toStaffId', operator: 'eq', value: staffId },
    { field: 'status', operator: 'eq', value: 'accepted' },
  ])
const receivedFull = (rules: CrmRules['crm.wander']): ServiceError =>
  new ServiceError('limitRefused', {
    message: {
      zh: `接收人已有 ${rules.maxReceived} 个共享客户，达到上限。`,
      en: `The receiver has ${rules.maxReceived} shared customers already, which is the most.`,
    },
    data: { reason: 'receivedCap' },
  })

/** What is wrong with the last day of a share, or null. Pure. */
export function untilProblem(until: unknown, rules: CrmRules['crm.wander'], now: Date, timeZone: string): Text | null {
  if (typeof until !== 'string' || until === '') return null
  const today = dayOf(now, timeZone)
  if (until < today) return { zh: '截止日期不能早于今天。', en: 'The last day cannot be in the past.' }
  return until > addDays(today, rules.maxDays)
    ? { zh: `共享最长 ${rules.maxDays} 天。`, en: `A share lasts at most ${rules.maxDays} days.` }
    : null
}

async function logShared(entities: Entities, share: EntityRecord, now: Date, byId: string): Promise<void> {
  const customer = await entities.find('crm.customer', String(share.customerId))
  const [from, to] = [
    customer?.ownerId ? await entities.find('sys.staff', String(customer.ownerId)) : null,
    share.toStaffId ? await entities.find('sys.staff', String(share.toStaffId)) : null,
  ]
  await logOwnership(
    entities,
    now,
    { customerId: String(share.customerId), action: 'share', from, to, note: String(share.reason ?? '') },
    byId || null,
  )
}

const isReceiver = ({ context, before }: TransitionHook): boolean =>
  context.kind === 'system' || (context.user.staffId !== '' && before.toStaffId === context.user.staffId)
/** The owner of the customer, or a manager: who is neither sharer nor receiver reaches the row only with the right to manage it. */
async function isOwner({ context, before, entities }: TransitionHook): Promise<boolean> {
  if (context.kind === 'system') return true
  const customer = await entities.find('crm.customer', String(before.customerId))
  return customer?.ownerId === context.user.staffId || can(context, 'crm:customer:manage')
}
const NOT_RECEIVER: Text = { zh: '只有接收人可以执行。', en: 'Only the receiver may do this.' }
const NOT_OWNER: Text = { zh: '只有负责人可以执行。', en: 'Only the owner may do this.' }
