import { ServiceError } from '../../../platform/http'
import type { EntityService } from '../../../entities'
import { addDays, dayOf } from '../rules/companyDay'
import { logOwnership } from './ownership'
import { ruleFor } from './rules'

/** Shares: only the owner shares, with a limited number of receivers for a limited time. */
export function shareService(timeZone: string): EntityService {
  return {
    async beforeSave(hook) {
      const { record, before, entities, context, now, tx, origin } = hook
      if (origin === 'service') return
      const customer = await entities.find('crm.customer', String(record.customerId))
      if (customer?.ownerId !== context.user.staffId && context.kind !== 'system')
        throw new ServiceError('noPermission', {
          message: { zh: '只有负责人可以共享客户。', en: 'Only the owner may share a customer.' },
          data: { permission: 'crm:share:add' },
        })
      if (record.toStaffId === customer?.ownerId)
        hook.fail({
          field: 'toStaffId',
          rule: 'notOwner',
          message: { zh: '不能共享给负责人自己。', en: 'It cannot be shared with its owner.' },
        })
      if (!record.toStaffId && !record.toDeptId)
        hook.fail({ field: 'toStaffId', rule: 'receiver', message: { zh: '请选择接收人。', en: 'Choose a receiver.' } })
      const rules = await ruleFor(tx, 'crm.wander', now)
      const active = await entities.list('crm.share', {
        where: [
          { field: 'customerId', operator: 'eq', value: record.customerId },
          { field: 'status', operator: 'in', value: ['pending', 'accepted'] },
        ],
      })
      const others = active.filter((share) => share.id !== record.id)
      if (others.some((share) => share.toStaffId === record.toStaffId))
        hook.fail({
          field: 'toStaffId',
          rule: 'sharedAlready',
          message: { zh: '已经共享给该员工。', en: 'It is shared with this person already.' },
        })
      if (!before && others.length >= rules.maxReceivers)
        hook.fail({
          field: 'toStaffId',
          rule: 'shareCap',
          message: {
            zh: `最多共享给 ${rules.maxReceivers} 人。`,
            en: `A customer is shared with at most ${rules.maxReceivers} people.`,
          },
        })
      if (typeof record.until === 'string' && record.until > addDays(dayOf(now, timeZone), rules.maxDays))
        hook.fail({
          field: 'until',
          rule: 'maxDays',
          message: { zh: `共享最长 ${rules.maxDays} 天。`, en: `A share lasts at most ${rules.maxDays} days.` },
        })
      if (!before) Object.assign(record, { status: 'accepted', from: now.toISOString(), acceptedAt: now.toISOString() })
    },
    async afterSave({ record, before, entities, now, context, origin }) {
      if (before || origin === 'service') return
      const [from, to] = [
        await entities.find('sys.staff', context.user.staffId),
        await entities.find('sys.staff', String(record.toStaffId ?? '')),
      ]
      await logOwnership(
        entities,
        now,
        { customerId: String(record.customerId), action: 'share', from, to, note: String(record.reason ?? '') },
        context.user.staffId,
      )
    },
    async afterDelete({ record, entities, now, context }) {
      const to = record.toStaffId ? await entities.find('sys.staff', String(record.toStaffId)) : null
      await logOwnership(
        entities,
        now,
        { customerId: String(record.customerId), action: 'unshare', from: to },
        context.user.staffId,
      )
    },
  }
}
