import { ServiceError, type Text } from '../../../../platform/http'
import type { Entities, EntityRecord, EntityService, TransitionHook } from '../../../../entities'
import { matchKeys } from '../../../../duplicates'
import { refuseWhileAliasChanges } from '../alias/block'
import { dropFromTransfers } from '../handover/settle'
import { endShares, leaveSea } from '../ownership'
import { textOf, textsOf } from '../values'
import { matchedCustomers, plainPhone } from './match'
import { identifiersOf, tellMatched } from './tellMatched'
import { askLeader, tellDecision, type Matter } from '../decision'

const ENTRY: Matter = {
  title: { zh: '黑名单', en: 'Blacklist entry' },
  entity: 'crm.blacklist',
  link: ({ id }) => `/crm/client-partner/blacklist/details?id=${encodeURIComponent(String(id))}`,
}

/** Entries of the blacklist: decided by somebody with the right until approvals decide (CRM section 3, rule 9.6). */
export function blacklistServices(): Record<string, EntityService> {
  const blacklist: EntityService = {
    async beforeSave({ record, before, entities, origin, fail }) {
      if (origin === 'service') return
      if (before && before.status !== 'pending')
        throw new ServiceError('transitionRefused', {
          message: {
            zh: '生效后不能修改，请解除后重新提交。',
            en: 'It cannot be changed once decided; lift it and submit a new one.',
          },
          data: { transition: 'edit' },
        })
      const customer = record.customerId ? await entities.find('crm.customer', String(record.customerId)) : null
      if (customer && !before) {
        record.domains = [...new Set([...textsOf(record.domains), ...textsOf(customer.domains)])]
        record.regNos = [...new Set([...textsOf(record.regNos), ...textsOf([customer.regNo, customer.taxNo])])]
      }
      Object.assign(record, {
        nameKey: matchKeys(String(record.name ?? '')).nameKey,
        domains: textsOf(record.domains).map((domain) => domain.toLowerCase().replace(/^@|^https?:\/\/|^www\./g, '')),
        emails: textsOf(record.emails).map((email) => email.toLowerCase()),
        phones: textsOf(record.phones).map(plainPhone),
        regNos: textsOf(record.regNos).map((number) => number.replace(/[\s-]/g, '').toUpperCase()),
      })
      if (record.nameKey === '')
        fail({
          field: 'name',
          rule: 'nameKey',
          message: { zh: '名称太笼统，无法匹配。', en: 'This name is too general to be matched.' },
        })
    },
    async afterSave(hook) {
      if (!hook.before && hook.record.status === 'pending' && hook.context.kind !== 'system')
        await askLeader(hook, ENTRY, hook.record)
    },
    async computeFields(records, { db }) {
      const { rows } = await db.query<{ id: string; hits: number }>(
        `select blacklist_id as id, count(*) as hits from crm_blacklist_hit where blacklist_id = any($1::text[]) group by blacklist_id`,
        [records.map((record) => String(record.id))],
      )
      const hits = new Map(rows.map((row) => [row.id, Number(row.hits)]))
      for (const record of records) record.hitCount = hits.get(String(record.id)) ?? 0
      const [only] = records
      // Looking for customers is for the one entry that somebody opens.
      if (records.length === 1 && only) only.matchedIds = await matchedCustomers(db, identifiersOf(only))
    },
  }

  const decide: EntityService = {
    guard: notOwn,
    effect: ({ record, context }) => void Object.assign(record, { decidedById: context.user.staffId || null }),
    afterEffect: (hook) => tellDecision(hook, ENTRY),
  }

  const lift: EntityService = {
    effect: ({ record, now }) => void Object.assign(record, { liftedAt: now.toISOString() }),
    afterEffect: ({ entities, before, now }) => release(entities, before, now),
  }

  return {
    'crm.blacklist': blacklist,
    'crm.blacklist.decide': decide,
    'crm.blacklist.approve': {
      guard: notOwn,
      async effect(hook) {
        const { record, before, now, tx, context } = hook
        if (before.customerId && before.scope === 'all') {
          await refuseWhileAliasChanges(tx, String(before.customerId))
          await freezeCustomer(hook, String(before.customerId))
        }
        Object.assign(record, { effectiveAt: now.toISOString(), decidedById: context.user.staffId || null })
      },
      async afterEffect(hook) {
        await tellDecision(hook, ENTRY)
        await tellMatched(hook.tx, hook.before, hook.now)
      },
    },
    'crm.blacklist.lift': lift,
    'crm.blacklist.extend': {
      effect({ record, now, context }) {
        const until = textOf(record.expiresAt)
        if (until !== null && until <= now.toISOString())
          throw new ServiceError('validationFailed', {
            data: { errors: [{ field: 'expiresAt', message: PAST[context.locale], rule: 'future' }] },
          })
      },
    },
  }
}

const PAST: Text = { zh: '到期时间须在以后。', en: 'The end has to be in the future.' }

const notOwn = ({ context, before }: TransitionHook): Text | null =>
  context.kind !== 'system' && before.createdBy === context.user.staffId
    ? { zh: '不能审批自己提交的黑名单。', en: 'Somebody else has to decide on your own entry.' }
    : null

/** The customer is held: nobody claims or transfers it, its shares and waiting transfers end. Its owner stays its owner. */
async function freezeCustomer({ entities, now, context, before }: TransitionHook, id: string): Promise<void> {
  const customer = await entities.find('crm.customer', id, { lock: true })
  if (!customer) return
  const record: EntityRecord = { ...customer }
  if (customer.holding === 'sea') await leaveSea(entities, record, { by: 'frozen', staffId: null, now })
  await entities.save(
    'crm.customer',
    { id, holding: 'frozen', blacklisted: true, recycleOn: null, seaEnteredAt: record.seaEnteredAt, seaReason: record.seaReason },
    { reason: String(before.code) },
  )
  const byId = context.user.staffId || null
  await endShares(entities, id, { now, byId, reason: String(before.code) })
  await dropFromTransfers(entities, id, 'blacklisted', now)
}

/** The last entry of a customer is gone: back to its owner when he is active and has room, else to the sea. */
async function release(entities: Entities, entry: EntityRecord, now: Date): Promise<void> {
  if (!entry.customerId || entry.scope !== 'all') return
  const others = await entities.list('crm.blacklist', {
    where: [
      { field: 'customerId', operator: 'eq', value: entry.customerId },
      { field: 'status', operator: 'eq', value: 'active' },
      { field: 'scope', operator: 'eq', value: 'all' },
    ],
  })
  const stillBarred = others.some((other) => other.id !== entry.id && (textOf(other.expiresAt) ?? '9999') > now.toISOString())
  const customer = await entities.find('crm.customer', String(entry.customerId), { lock: true })
  if (stillBarred || !customer) return
  await entities.save('crm.customer', { id: customer.id, blacklisted: false }, { reason: String(entry.code) })
  if (customer.holding === 'frozen' && customer.voided !== true)
    await entities.transition('crm.customer', String(customer.id), 'unfreeze', {}, { reason: String(entry.code) })
}
