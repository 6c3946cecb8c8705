import { newId } from '../../../../platform/database'
import { ServiceError, type Text } from '../../../../platform/http'
import type { EntityRecord, EntityService, SaveHook, TransitionHook } from '../../../../entities'
import { isAlias, systemsOf, yearBefore } from '../../rules/alias'
import { ruleFor } from '../rules'
import { askLeader, tellDecision, type Matter } from '../decision'
import { textOf, textsOf } from '../values'
import { refuseWhileAliasChanges } from './block'
import { aliasTaken, freeAlias, lockAliases } from './names'
import { onlyThePortal } from '../system'

export interface AliasOptions {
  /** Systems that a connector is configured for. */
  connected: ReadonlySet<string>
}

const CHANGE: Matter = {
  title: { zh: '别名变更', en: 'Alias change' },
  entity: 'crm.aliasRecord',
  link: ({ id }) => `/crm/operate/alias-record/details?id=${encodeURIComponent(String(id))}`,
}

/** Alias changes: one at a time for a subject, an alias never given twice, the switch in one transaction (CRM rule 9.8). */
export function aliasServices({ connected }: AliasOptions): Record<string, EntityService> {
  const record: EntityService = {
    inputs: ['draft'],
    async beforeSave(hook) {
      const { before, origin, inputs, entities } = hook
      if (origin === 'service') return
      if (before && before.status !== 'draft') throw notADraft()
      const customer = await entities.find('crm.customer', String(hook.record.customerId))
      if (!customer) throw new ServiceError('notFound')
      await describe(hook, customer)
      if (inputs.draft !== true) Object.assign(hook.record, await send(hook, hook.record))
    },
    async afterSave(hook) {
      if (hook.origin !== 'service' && hook.before?.status !== 'pending') await approveUnasked(hook)
      if (!hook.before && hook.record.status === 'pending') await askLeader(hook, CHANGE, hook.record)
    },
    async beforeDelete({ record: row }) {
      if (row.status !== 'draft') throw notADraft()
      return Promise.resolve()
    },
    async afterEffect(hook) {
      if (hook.transition.id !== 'submit') await tellDecision(hook, CHANGE)
      else if (hook.record.status === 'pending') await askLeader(hook, CHANGE, hook.before)
    },
  }

  const submit: EntityService = {
    async effect(hook) {
      Object.assign(hook.record, await send(hook, hook.record))
    },
    afterEffect: approveUnasked,
  }

  const approve: EntityService = {
    guard: ({ context, before }) =>
      context.kind !== 'system' && before.createdBy === context.user.staffId
        ? { zh: '不能审批自己提交的变更。', en: 'Somebody else has to decide on your own change.' }
        : null,
    async effect({ entities, before, record: row, context }) {
      const customer = await entities.find('crm.customer', String(before.customerId))
      if (!customer) throw new ServiceError('notFound')
      const systems = systemsOf({
        products: textsOf(customer.products),
        platform: String(customer.platform),
        erpCode: textOf(customer.erpCode),
        dealt: customer.firstDealAt !== null,
      })
      await entities.insertMany(
        'crm.aliasTask',
        systems.map((system, seq) => ({
          id: newId(),
          recordId: before.id,
          system,
          seq,
          status: 'waiting',
          connected: connected.has(system),
          attempts: 0,
        })),
      )
      Object.assign(row, { decidedById: context.user.staffId || null, tasksTotal: systems.length, tasksDone: 0 })
    },
  }

  const close: EntityService = {
    effect: ({ record: row, context, transition }) =>
      void Object.assign(row, {
        reservedAlias: null,
        decidedById: transition.id === 'reject' ? context.user.staffId || null : null,
      }),
  }

  const retry: EntityService = {
    async effect({ entities, before, record: row }) {
      for (const task of await tasksOf(entities, before, 'failed'))
        await entities.save('crm.aliasTask', { id: task.id, status: 'waiting', attempts: 0, nextAttemptAt: null })
      Object.assign(row, { failedSystem: null, failureNote: null })
    },
  }

  const rollBack: EntityService = {
    async effect({ entities, before, record: row }) {
      for (const task of await tasksOf(entities, before, 'waiting', 'running', 'failed'))
        await entities.save('crm.aliasTask', { id: task.id, status: 'undone', nextAttemptAt: null })
      // What is done already is undone by the worker, the last system first.
      for (const task of await tasksOf(entities, before, 'done'))
        await entities.save('crm.aliasTask', { id: task.id, attempts: 0, nextAttemptAt: null, lastError: null })
      row.reservedAlias = null
    },
  }

  return {
    'crm.aliasRecord': record,
    'crm.aliasRecord.submit': submit,
    'crm.aliasRecord.approve': approve,
    'crm.aliasRecord.close': close,
    'crm.aliasRecord.retry': retry,
    'crm.aliasRecord.rollBack': rollBack,
    'crm.aliasRecord.finish': {
      guard: onlyThePortal,
      async effect({ entities, before, record: row, now }) {
        await entities.save(
          'crm.customer',
          { id: before.customerId, alias: before.newAlias },
          { reason: `${String(before.code)} ${String(before.oldAlias)} → ${String(before.newAlias)}` },
        )
        row.effectiveAt = now.toISOString()
      },
    },
    'crm.aliasRecord.system': { guard: onlyThePortal },
    'crm.aliasTask.system': { guard: onlyThePortal },
    'crm.aliasTask.retry': {
      effect: ({ record: row }) => void Object.assign(row, { attempts: 0, nextAttemptAt: null }),
      async afterEffect({ entities, before }) {
        const parent = await entities.find('crm.aliasRecord', String(before.recordId), { lock: true })
        if (parent?.status === 'failed' && (await tasksOf(entities, parent, 'failed')).length === 0)
          await entities.transition('crm.aliasRecord', String(parent.id), 'retry')
      },
    },
  }
}

/** Subject, old alias and the new one: generated when none is typed, refused with another one when it is taken (10050016). */
async function describe(hook: SaveHook, customer: EntityRecord): Promise<void> {
  const { record, tx } = hook
  if (!textOf(customer.alias)) {
    hook.fail({
      field: 'customerId',
      rule: 'noAlias',
      message: {
        zh: '客户还没有别名：首次成交或开户时生成。',
        en: 'The customer has no alias yet: it gets one at its first deal or account.',
      },
    })
    return
  }
  Object.assign(record, {
    subjectType: 'customer',
    subjectId: customer.id,
    subjectCode: customer.code,
    subjectName: customer.name,
    oldAlias: customer.alias,
  })
  await lockAliases(tx)
  const { alphabet } = await ruleFor(tx, 'crm.alias', hook.now, { staffId: textOf(customer.ownerId) ?? '' })
  const wanted = textOf(record.newAlias)?.toUpperCase() ?? null
  if (wanted && !isAlias(wanted, alphabet)) {
    hook.fail({
      field: 'newAlias',
      rule: 'aliasForm',
      message: {
        zh: `别名为两位国家码加四位字符，可用字符：${alphabet}（不含易混的字符）。`,
        en: `An alias is the country code and four of ${alphabet}: characters that nobody mixes up.`,
      },
    })
    return
  }
  if (wanted && (await aliasTaken(tx, wanted, textOf(record.id)))) {
    const newAlias = await freeAlias(tx, String(customer.countryCode), alphabet)
    throw new ServiceError('aliasTaken', {
      message: {
        zh: `别名 ${wanted} 已被占用，已生成新的别名 ${newAlias}，请再次点击确认。`,
        en: `The alias ${wanted} is taken; ${newAlias} was generated instead. Please click confirm again.`,
      },
      data: { newAlias },
    })
  }
  record.newAlias = wanted ?? (await freeAlias(tx, String(customer.countryCode), alphabet))
}

/** The change goes to its decision; from here on it blocks and its alias is reserved. */
async function send({ tx, now, entities }: SaveHook | TransitionHook, record: EntityRecord): Promise<EntityRecord> {
  const customerId = String(record.customerId)
  await tx.query(`select id from crm_customer where id = $1 for update`, [customerId])
  await refuseWhileAliasChanges(tx, customerId)
  const customer = await entities.find('crm.customer', customerId)
  const rules = await ruleFor(tx, 'crm.alias', now, { staffId: textOf(customer?.ownerId) ?? '' })
  const { rows } = await tx.query<{ done: number }>(
    `select count(*) as done from crm_alias_record where subject_id = $1 and status = 'done' and effective_at >= $2 and deleted_at is null`,
    [record.subjectId, yearBefore(now, tx.companyTimeZone)],
  )
  if (Number(rows[0]?.done ?? 0) >= rules.maxPerYear)
    throw new ServiceError('limitRefused', {
      message: {
        zh: `一年内最多变更 ${rules.maxPerYear} 次别名。`,
        en: `An alias changes at most ${rules.maxPerYear} times within a year.`,
      },
      data: { reason: 'maxPerYear' },
    })
  return { status: 'pending', submittedAt: now.toISOString(), reservedAlias: record.newAlias }
}

/** Where the rule asks for no decision, a change is carried out when it is sent. */
async function approveUnasked({ tx, now, record, entities }: SaveHook | TransitionHook): Promise<void> {
  if (record.status !== 'pending') return
  const customer = await entities.find('crm.customer', String(record.customerId))
  const { needApproval } = await ruleFor(tx, 'crm.alias', now, { staffId: textOf(customer?.ownerId) ?? '' })
  if (!needApproval) Object.assign(record, await entities.transition('crm.aliasRecord', String(record.id), 'approve'))
}

const tasksOf = (entities: TransitionHook['entities'], record: EntityRecord, ...status: string[]): Promise<EntityRecord[]> =>
  entities.list('crm.aliasTask', {
    where: [
      { field: 'recordId', operator: 'eq', value: record.id },
      { field: 'status', operator: 'in', value: status },
    ],
    sort: [{ field: 'seq', order: 'asc' }],
  })

const NOT_A_DRAFT: Text = { zh: '只有草稿可以修改或删除。', en: 'Only a draft can be changed or deleted.' }
const notADraft = (): ServiceError =>
  new ServiceError('transitionRefused', { message: NOT_A_DRAFT, data: { transition: 'edit' } })
