import { ServiceError, type Text } from '../../../../platform/http'
import type { Executor } from '../../../../platform/database'
import { settle } from '../../../../todos'
import type { EntityRecord, EntityService, TransitionHook } from '../../../../entities'
import { classAFigures, computedLevel, type ClassAFigures } from '../../rules/classA'
import { addDays, dayOf, type Day } from '../../rules/companyDay'
import { recycleOnOf } from '../ownership'
import { ruleFor } from '../rules'
import { classABars, type ClassABars } from './bars'
import { monthsOf } from './months'
import { askLeader, tellDecision, type Matter } from '../decision'
import { textOf } from '../values'

const APPLICATION: Matter = {
  title: { zh: 'A类申请', en: 'Class A application' },
  entity: 'crm.classApply',
  link: ({ id }) => `/crm/classADetails?id=${encodeURIComponent(String(id))}`,
}

/** Applications for class A: snapshot, guards, grant and end (CRM section 3; fields of the approvals guide 8.12). */
export function classAServices(timeZone: string): Record<string, EntityService> {
  const apply: EntityService = {
    async beforeSave({ record, before, entities, tx, now, origin, fail }) {
      if (origin === 'service') return
      if (before && before.status !== 'draft')
        throw refuse('edit', { zh: '只有草稿可以修改。', en: 'Only a draft can be changed.' })
      const customer = await entities.find('crm.customer', String(record.customerId))
      if (!customer) return
      if (!before) {
        const { pending, retry, quota } = await barsOf(tx, customer, now)
        const bar = pending ?? (record.applyKind === 'enter' ? (retry ?? quota) : null)
        if (bar) fail({ field: 'customerId', message: bar, rule: 'barred' })
      }
      Object.assign(record, await figuresOf({ db: tx, now, timeZone }, customer))
    },
    async beforeDelete({ record }) {
      if (record.status !== 'draft') throw refuse('delete', { zh: '只有草稿可以删除。', en: 'Only a draft can be deleted.' })
      return Promise.resolve()
    },
    async afterEffect(hook) {
      const { transition, before } = hook
      if (transition.id === 'submit') await askLeader(hook, APPLICATION, before)
      else await tellDecision(hook, APPLICATION)
    },
    async computeFields(records, { db, now }) {
      const [record] = records
      if (records.length !== 1 || !record) return
      const figures = await figuresOf({ db, now, timeZone }, { id: record.customerId })
      Object.assign(record, {
        todayRevenue90: figures.revenue90,
        todayPoints: figures.points,
        todayThresholds: figures.thresholds,
      })
    },
  }

  const grant = async (hook: TransitionHook): Promise<void> => {
    const { before, record, entities, now, context } = hook
    const customer = await entities.find('crm.customer', String(before.customerId), { lock: true })
    if (!customer) throw new ServiceError('notFound')
    if (before.applyKind !== 'leave' && customer.holding !== 'private')
      throw refuse('approve', {
        zh: '客户已在公海或冻结，不能授予A类，请驳回。',
        en: 'The customer is in the open sea or frozen: class A cannot be granted. Reject the application.',
      })
    record.decidedById = context.user.staffId || null
    await endEarlier(hook, before)
    if (before.applyKind === 'leave') {
      await leaveClassA(hook, customer, timeZone)
      return
    }
    const today = dayOf(now, timeZone)
    const running = textOf(customer.classAValidTo)
    const from = before.applyKind === 'keep' && running !== null && running >= today ? addDays(running, 1) : today
    const to = addDays(addMonths(from, Number(before.validMonths ?? 12)), -1)
    Object.assign(record, { grantedFrom: from, grantedTo: to })
    await entities.save(
      'crm.customer',
      { id: customer.id, level: 'a', classA: true, classAValidTo: to, recycleOn: null },
      { reason: String(before.code) },
    )
  }

  return {
    'crm.classApply': apply,
    'crm.classApply.submit': {
      guard: submitGuard(timeZone),
      async effect(hook) {
        const { record, before, entities, tx, now } = hook
        // two applications that are submitted at once queue here; the second one finds the first
        const customer = await entities.find('crm.customer', String(before.customerId), { lock: true })
        if (!customer) throw new ServiceError('notFound')
        const refused = await submitGuard(timeZone)(hook)
        if (refused) throw refuse('submit', refused)
        Object.assign(record, await figuresOf({ db: tx, now, timeZone }, customer), { submittedAt: now.toISOString() })
      },
    },
    'crm.classApply.approve': { guard: notOwn, effect: grant },
    'crm.classApply.decide': {
      guard: notOwn,
      effect: ({ record, context }) => void Object.assign(record, { decidedById: context.user.staffId || null }),
    },
    'crm.classApply.withdraw': {
      guard: ({ context, before }) =>
        context.kind === 'system' || before.createdBy === context.user.staffId
          ? null
          : { zh: '只有申请人可以撤回。', en: 'Only the applicant may withdraw it.' },
    },
    'crm.classApply.end': {
      async effect(hook) {
        const { entities, before, record, now } = hook
        record.endedAt = now.toISOString()
        const customer = await entities.find('crm.customer', String(before.customerId), { lock: true })
        if (customer?.classA === true && customer.classAValidTo === before.grantedTo) await leaveClassA(hook, customer, timeZone)
      },
    },
  }
}

const submitGuard =
  (timeZone: string) =>
  async ({ entities, before, tx, now, context }: TransitionHook): Promise<Text | null> => {
    const customer = await entities.find('crm.customer', String(before.customerId))
    if (!customer) return { zh: '客户不存在。', en: 'The customer does not exist.' }
    if (customer.holding !== 'private' || (context.kind !== 'system' && customer.ownerId !== context.user.staffId))
      return { zh: '只能为自己名下的客户申请。', en: 'You can apply for a customer of your own only.' }
    if (before.applyKind === 'enter' && customer.classA === true)
      return { zh: '客户已是A类，请改为续期。', en: 'The customer is class A already; apply to keep it.' }
    if (before.applyKind !== 'enter' && customer.classA !== true)
      return { zh: '客户不是A类。', en: 'The customer is not class A.' }
    const bars = await barsOf(tx, customer, now)
    if (bars.pending) return bars.pending
    if (bars.retry && before.applyKind === 'enter') return bars.retry
    if (before.applyKind === 'leave') return null
    const figures = await figuresOf({ db: tx, now, timeZone }, customer)
    if (!figures.candidate && before.exception !== true)
      return {
        zh: '未达A类门槛，须打开战略特批并说明理由。',
        en: 'The threshold is not met: turn on the strategic exception and say why.',
      }
    return before.applyKind === 'enter' ? bars.quota : null
  }

const barsOf = async (db: Executor, customer: EntityRecord, now: Date): Promise<ClassABars> => {
  const id = String(customer.id)
  const bars = await classABars(db, { ids: [id], ownerId: String(customer.ownerId), now })
  return bars.get(id) ?? { pending: null, retry: null, quota: null }
}

/** The figures of a customer now. */
async function figuresOf(
  { db, now, timeZone }: { db: Executor; now: Date; timeZone: string },
  customer: EntityRecord,
): Promise<ClassAFigures> {
  const today = dayOf(now, timeZone)
  const rules = { classA: await ruleFor(db, 'crm.classA', now), level: await ruleFor(db, 'crm.level', now) }
  return classAFigures(await monthsOf(db, String(customer.id), today), today, rules)
}

/** Level by points, no longer exempt from the sea. */
async function leaveClassA(
  { entities, tx, now, before }: TransitionHook,
  customer: EntityRecord,
  timeZone: string,
): Promise<void> {
  const today = dayOf(now, timeZone)
  const level = computedLevel(await monthsOf(tx, String(customer.id), today), today, await ruleFor(tx, 'crm.level', now))
  const recycleOn = recycleOnOf({ ...customer, level }, await ruleFor(tx, 'crm.sea', now), timeZone)
  await entities.save(
    'crm.customer',
    { id: customer.id, level, classA: false, classAValidTo: null, recycleOn },
    { reason: String(before.code) },
  )
}

/** A new grant takes the place of the one that runs. */
async function endEarlier({ entities, tx, now }: TransitionHook, application: EntityRecord): Promise<void> {
  const running = await entities.list('crm.classApply', {
    where: [
      { field: 'customerId', operator: 'eq', value: application.customerId },
      { field: 'status', operator: 'eq', value: 'approved' },
    ],
  })
  for (const row of running)
    if (row.id !== application.id) {
      await entities.save('crm.classApply', { id: row.id, status: 'ended', endedAt: now.toISOString() })
      await settle(tx, { entity: 'crm.classApply', ids: [String(row.id)] }, { as: 'done', now })
    }
}

/** The same day so many months later, or the last of that month. */
export function addMonths(day: Day, months: number): Day {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

const refuse = (transition: string, message: Text): ServiceError =>
  new ServiceError('transitionRefused', { message, data: { transition } })
const notOwn = ({ context, before }: TransitionHook): Text | null =>
  context.kind !== 'system' && before.createdBy === context.user.staffId
    ? { zh: '不能审批自己的申请。', en: 'Somebody else has to decide on your own application.' }
    : null
