import type { Entities, EntityRecord } from '../../../../entities'
import type { Transaction } from '../../../../platform/database'
import { can, ServiceError, type RequestContext, type Text } from '../../../../platform/http'
import { addDays, dayOf } from '../../rules/companyDay'
import { aliasRunning, unfinishedAliases } from '../alias/block'
import { receiverOf } from '../receiver'
import { ruleFor } from '../rules'

export interface SendPlace {
  entities: Entities
  tx: Transaction
  context: RequestContext
  now: Date
  timeZone: string
}

const refused = (reason: string, message: Text): ServiceError => new ServiceError('limitRefused', { message, data: { reason } })

/** The customers of a transfer: all of one owner, who is the caller or somebody whom the caller may order. */
export async function customersToSend({ entities, context }: SendPlace, ids: readonly string[]): Promise<EntityRecord[]> {
  const wanted = [...new Set(ids)]
  const customers =
    wanted.length === 0 ? [] : await entities.list('crm.customer', { where: [{ field: 'id', operator: 'in', value: wanted }] })
  if (customers.length < wanted.length) throw new ServiceError('notFound')
  const owners = new Set(customers.map((customer) => customer.ownerId ?? null))
  if (owners.size > 1 || owners.has(null))
    throw refused('severalOwners', {
      zh: '一张转移单只能包含同一位负责人的客户，请分开转移。',
      en: 'A transfer takes customers of one owner only. Please make one transfer for each.',
    })
  const [owner] = owners
  if (context.kind !== 'system' && owner !== context.user.staffId && !can(context, 'crm:transfer:order'))
    throw new ServiceError('noPermission', {
      message: { zh: '只有负责人或其主管可以转移客户。', en: 'Only the owner or a manager may transfer a customer.' },
      data: { permission: 'crm:transfer:order' },
    })
  return customers
}

/** Refuses what cannot be sent now; what may, is described as pending (CRM section 3 and rule 9.7). */
export async function prepareSending(
  place: SendPlace,
  transfer: EntityRecord,
  customers: readonly EntityRecord[],
): Promise<EntityRecord> {
  const { entities, tx, context, now, timeZone } = place
  const rules = await ruleFor(tx, 'crm.wander', now, { staffId: String(transfer.fromStaffId) })
  const mayOrder = can(context, 'crm:transfer:order')
  if (customers.length > rules.maxItems)
    throw refused('maxItems', {
      zh: `一次最多转移 ${rules.maxItems} 位客户。`,
      en: `At most ${rules.maxItems} customers go in one transfer.`,
    })
  if (customers.length > rules.approvalAbove && !mayOrder)
    throw refused('approvalAbove', {
      zh: `超过 ${rules.approvalAbove} 位客户须由有“下发”权限的主管提交。`,
      en: `More than ${rules.approvalAbove} customers are sent by a manager who may order transfers.`,
    })
  await receiverOf(entities, tx, transfer.toStaffId, now)
  const blocked = await unfinishedAliases(
    tx,
    customers.map((customer) => String(customer.id)),
  )
  const pending = await pendingElsewhere(place, transfer, customers)
  for (const customer of customers) {
    const block = blocked.get(String(customer.id))
    if (block) throw aliasRunning(block)
    const named = `${String(customer.name)} (${String(customer.code)})`
    if (customer.holding !== 'private')
      throw refused('notPrivate', {
        zh: `${named} 已冻结或在公海，不能转移。`,
        en: `${named} is frozen or in the open sea and cannot be transferred.`,
      })
    const document = pending.get(String(customer.id))
    if (document)
      throw refused('pendingTransfer', {
        zh: `${named} 已在待接收的转移单 ${document} 中。`,
        en: `${named} stands in the pending transfer ${document} already.`,
      })
    if (rules.minHeldDays > 0 && customer.ownedAt && !mayOrder) {
      const from = addDays(dayOf(String(customer.ownedAt), timeZone), rules.minHeldDays)
      if (from > dayOf(now, timeZone))
        throw refused('minHeldDays', {
          zh: `${named} 持有未满 ${rules.minHeldDays} 天，${from} 起可转移。`,
          en: `${named} was held for less than ${rules.minHeldDays} days; it can be transferred from ${from}.`,
        })
    }
  }
  return {
    status: 'pending',
    submittedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + rules.acceptHours * 3_600_000).toISOString(),
    ordered: context.kind !== 'system' && context.user.staffId !== transfer.fromStaffId,
  }
}

/** Customers that wait in another pending transfer, with its code. A lock on each keeps two senders apart. */
async function pendingElsewhere(
  { tx }: SendPlace,
  transfer: EntityRecord,
  customers: readonly EntityRecord[],
): Promise<Map<string, string>> {
  const ids = customers.map((customer) => String(customer.id)).sort()
  await tx.query(`select id from crm_customer where id = any($1::text[]) order by id for update`, [ids])
  const { rows } = await tx.query<{ customerId: string; code: string }>(
    `select i.customer_id as "customerId", t.code from crm_transfer_item i join crm_transfer t on t.id = i.transfer_id
     where i.customer_id = any($1::text[]) and i.result = 'waiting' and t.status = 'pending' and t.id <> $2
       and i.deleted_at is null and t.deleted_at is null`,
    [ids, String(transfer.id)],
  )
  return new Map(rows.map((row) => [row.customerId, row.code]))
}
