import { newId } from '../../../../platform/database'
import { ServiceError, type Text } from '../../../../platform/http'
import type { EntityRecord, EntityService, SaveHook, TransitionHook } from '../../../../entities'
import { aliasRunning, unfinishedAliases } from '../alias/block'
import { ruleFor } from '../rules'
import { textOf, textsOf } from '../values'
import { handoverFacts, moveCustomer, refusalOf, REFUSALS, waitingItems, type MovePlace, type Refusal } from './items'
import { customersToSend, prepareSending } from './send'
import { refuseItems, resultsOf, settled } from './settle'

/** Transfers of customers: one document, accepted item by item (CRM section 3, rule 9.7). */
export function transferServices(timeZone: string): Record<string, EntityService> {
  const place = (hook: SaveHook | TransitionHook) => ({ ...hook, timeZone })
  const moving = (hook: SaveHook | TransitionHook): MovePlace => ({
    entities: hook.entities,
    tx: hook.tx,
    now: hook.now,
    timeZone,
    byId: hook.context.user.staffId || null,
  })

  const transfer: EntityService = {
    inputs: ['draft'],
    async beforeSave(hook) {
      const { record, before, inputs } = hook
      if (hook.origin === 'service') return
      if (before && before.status !== 'draft') throw notADraft()
      const customers = await customersToSend(place(hook), textsOf(record.customerIds))
      if (customers.length === 0 || !record.toStaffId) return
      Object.assign(record, { fromStaffId: customers[0]?.ownerId, ownerId: customers[0]?.ownerId })
      if (record.toStaffId === record.fromStaffId || inputs.draft === true) return
      Object.assign(record, await prepareSending(place(hook), record, customers))
    },
    async afterSave(hook) {
      const { record, before, entities, origin } = hook
      if (origin === 'service') return
      if (before) await dropItems(hook)
      const ids = textsOf(record.customerIds)
      const customers = await entities.list('crm.customer', { where: [{ field: 'id', operator: 'in', value: ids }] })
      await entities.insertMany(
        'crm.transferItem',
        customers.map((customer) => ({
          id: newId(),
          transferId: record.id,
          customerId: customer.id,
          customerCode: customer.code,
          result: 'waiting',
          createdBy: hook.context.user.staffId || null,
        })),
      )
      if (record.status === 'pending' && (await comesOverAtOnce(hook, record))) {
        const outcome = await acceptAll(moving(hook), record)
        await entities.save('crm.transfer', { id: record.id, ...outcome })
        Object.assign(record, outcome, { version: Number(record.version) + 1 })
      }
    },
    async beforeDelete({ record }) {
      if (record.status !== 'draft') throw notADraft()
      return Promise.resolve()
    },
  }

  const submit: EntityService = {
    guard: (hook) => (isSender(hook) ? null : NOT_SENDER),
    async effect(hook) {
      const customers = await customersToSend(place(hook), textsOf(hook.before.customerIds))
      Object.assign(hook.record, await prepareSending(place(hook), hook.record, customers))
    },
    async afterEffect(hook) {
      if (!(await comesOverAtOnce(hook, hook.record))) return
      const outcome = await acceptAll(moving(hook), hook.record)
      await hook.entities.save('crm.transfer', { id: hook.record.id, ...outcome })
    },
  }

  const accept: EntityService = {
    guard: (hook) => (isReceiver(hook) ? null : NOT_RECEIVER),
    async effect(hook) {
      Object.assign(hook.record, await acceptAll(moving(hook), hook.before))
    },
  }

  const close = (refusal: Refusal, otherwise: 'rejected' | 'cancelled' | 'expired'): EntityService['effect'] =>
    async function effect({ entities, before, record, now, values }) {
      const { items } = await waitingItems(entities, String(before.id), true)
      await refuseItems(entities, items, refusal, now, textOf(values.rejectReason)?.slice(0, 200) ?? null)
      const results = await resultsOf(entities, String(before.id))
      Object.assign(record, results.length === 0 ? { finishedAt: now.toISOString() } : settled(results, otherwise, now))
    }

  return {
    'crm.transfer': transfer,
    'crm.transfer.submit': submit,
    'crm.transfer.accept': accept,
    'crm.transfer.reject': { guard: accept.guard, effect: close('receiver', 'rejected') },
    'crm.transfer.cancel': { guard: submit.guard, effect: close('cancelled', 'cancelled') },
    'crm.transfer.system': {
      async effect(hook) {
        if (hook.transition.id === 'expire') await close('expired', 'expired')?.(hook)
      },
    },
    ...itemServices(timeZone, moving),
  }
}

/** Items: accepted or refused one by one; the document ends with its last one. */
function itemServices(timeZone: string, moving: (hook: TransitionHook) => MovePlace): Record<string, EntityService> {
  const mine = async (hook: TransitionHook): Promise<Text | null> => {
    const document = await hook.entities.find('crm.transfer', String(hook.before.transferId))
    if (document?.status !== 'pending') return { zh: '转移单不在待接收状态。', en: 'The transfer is not pending.' }
    return hook.context.kind === 'system' || document.toStaffId === hook.context.user.staffId ? null : NOT_RECEIVER
  }
  const settle = async ({ entities, before, now }: TransitionHook): Promise<void> => {
    const id = String(before.transferId)
    await entities.save('crm.transfer', { id, ...settled(await resultsOf(entities, id), 'rejected', now) })
  }
  const item: EntityService = {
    async computeFields(records, { db, context, now }) {
      const { rows } = await db.query<{ id: string; from: string; to: string; status: string }>(
        `select id, from_staff_id as "from", to_staff_id as "to", status from crm_transfer where id = any($1::text[])`,
        [[...new Set(records.map((record) => String(record.transferId)))]],
      )
      for (const document of rows.filter((row) => row.status === 'pending')) {
        const waiting = records.filter((record) => record.transferId === document.id && record.result === 'waiting')
        const { rows: found } = await db.query<EntityRecord>(
          `select id, owner_id as "ownerId", holding, level, stage, last_traffic_at as "lastTrafficAt" from crm_customer
           where id = any($1::text[]) and deleted_at is null`,
          [waiting.map((record) => String(record.customerId))],
        )
        const facts = await handoverFacts(
          db,
          { fromStaffId: document.from, toStaffId: document.to },
          new Map(found.map((customer) => [String(customer.id), customer])),
          now,
          timeZone,
        )
        let taken = 0
        for (const record of waiting) {
          const id = String(record.customerId)
          const refusal = refusalOf(facts, id, taken)
          record.guard = refusal && REFUSALS[refusal][context.locale]
          const customer = facts.customers.get(id)
          if (!refusal && customer && facts.counts(customer)) taken += 1
        }
      }
    },
  }
  return {
    'crm.transferItem': item,
    'crm.transferItem.accept': {
      guard: mine,
      async effect(hook) {
        const { entities, before, record, now, tx } = hook
        const document = await entities.find('crm.transfer', String(before.transferId), { lock: true })
        if (!document) throw new ServiceError('notFound')
        await lockReceiver(hook, document)
        const { customers } = await waitingItems(entities, String(document.id), true)
        const facts = await handoverFacts(tx, document, customers, now, timeZone)
        const id = String(before.customerId)
        const refusal = refusalOf(facts, id, 0)
        if (refusal) throw await refusedItem(hook, refusal, id)
        const customer = customers.get(id)
        if (!customer) throw new ServiceError('notFound')
        Object.assign(record, { doneAt: now.toISOString(), opportunities: await moveCustomer(moving(hook), document, customer) })
      },
      afterEffect: settle,
    },
    'crm.transferItem.refuse': {
      guard: mine,
      effect: ({ record, now }) => void Object.assign(record, { refusedCode: 'receiver', doneAt: now.toISOString() }),
      afterEffect: settle,
    },
  }
}

/** A manager's order, or a rule that asks for no acceptance. */
async function comesOverAtOnce({ tx, now }: SaveHook | TransitionHook, transfer: EntityRecord): Promise<boolean> {
  if (transfer.ordered === true) return true
  return !(await ruleFor(tx, 'crm.wander', now, { staffId: String(transfer.fromStaffId) })).needAccept
}

/** Accepts what may come over and refuses the rest with its reason; throws when nothing may. Answers the document's new state. */
async function acceptAll(place: MovePlace, transfer: EntityRecord): Promise<ReturnType<typeof settled>> {
  const { entities, tx, now } = place
  await lockReceiver(place, transfer)
  const { items, customers } = await waitingItems(entities, String(transfer.id), true)
  const facts = await handoverFacts(tx, transfer, customers, now, place.timeZone)
  let taken = 0
  const refusals: { item: EntityRecord; refusal: Refusal }[] = []
  for (const item of items) {
    const id = String(item.customerId)
    const refusal = refusalOf(facts, id, taken)
    const customer = customers.get(id)
    if (refusal || !customer) {
      refusals.push({ item, refusal: refusal ?? 'inSea' })
      continue
    }
    if (facts.counts(customer)) taken += 1
    const opportunities = await moveCustomer(place, transfer, customer)
    await entities.save('crm.transferItem', { id: item.id, result: 'done', opportunities, doneAt: now.toISOString() })
  }
  const first = refusals[0]
  if (first && refusals.length === items.length) throw await refusedItem(place, first.refusal, String(first.item.customerId))
  for (const { item, refusal } of refusals) await refuseItems(entities, [item], refusal, now)
  return settled(await resultsOf(entities, String(transfer.id)), 'rejected', now)
}

/** What a person gains queues, so that parallel acceptances cannot pass the cap (CRM rule 9.4). */
async function lockReceiver({ tx }: { tx: MovePlace['tx'] }, transfer: EntityRecord): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [`crm.claim ${String(transfer.toStaffId)}`])
}

async function refusedItem({ tx }: { tx: MovePlace['tx'] }, refusal: Refusal, customerId: string): Promise<ServiceError> {
  const block = refusal === 'aliasRunning' ? (await unfinishedAliases(tx, [customerId])).get(customerId) : undefined
  if (block) return aliasRunning(block)
  return new ServiceError('limitRefused', {
    message: {
      zh: `不能接收：${REFUSALS[refusal].zh}。`,
      en: `It cannot be accepted: ${REFUSALS[refusal].en}.`,
    },
    data: { reason: refusal },
  })
}

async function dropItems({ entities, record }: SaveHook): Promise<void> {
  const { items } = await waitingItems(entities, String(record.id))
  for (const item of items) await entities.remove('crm.transferItem', String(item.id))
}

const notADraft = (): ServiceError =>
  new ServiceError('transitionRefused', {
    message: { zh: '只有草稿可以修改或删除。', en: 'Only a draft can be changed or deleted.' },
    data: { transition: 'edit' },
  })
const isReceiver = ({ context, before }: TransitionHook): boolean =>
  context.kind === 'system' || before.toStaffId === context.user.staffId
const isSender = ({ context, before }: TransitionHook): boolean =>
  context.kind === 'system' ||
  before.fromStaffId === context.user.staffId ||
  before.createdBy === context.user.staffId ||
  before.toStaffId !== context.user.staffId
const NOT_RECEIVER: Text = { zh: '只有接收人可以执行。', en: 'Only the receiver may do this.' }
const NOT_SENDER: Text = { zh: '只有转出人或其主管可以执行。', en: 'Only the sender or a manager may do this.' }
