import type { Text } from '../../../platform/http'
import { positionOf, positionText } from '../rules/position'
import { requireOfCustomer } from './belongs'
import { NOT_REACHED } from './followUp'
import type { EntityService, TransitionHook } from '../../../entities'

/** Visits: planned, started, with the position of whoever started them, finished with one follow-up, moved, cancelled. */
export const visitServices: Record<string, EntityService> = {
  'crm.visit': {
    async beforeSave(hook) {
      const { record, before, origin } = hook
      if (origin === 'service') return
      if (before && ['done', 'cancelled'].includes(String(before.status)))
        hook.fail({
          rule: 'visitOver',
          message: { zh: '拜访已完成或取消，不能修改。', en: 'The visit is over or cancelled and cannot be changed.' },
        })
      await requireOfCustomer(hook, 'crm.contact', 'contactIds')
      await requireOfCustomer(hook, 'crm.opportunity', 'opportunityId')
      // a new time makes an overdue visit a planned one again
      if (before?.status === 'overdue' && record.plannedAt !== before.plannedAt) record.status = 'planned'
    },
    exportText: (field, value) => (field === 'geo' ? positionText(value) : null),
  },
  'crm.visit.step': {
    guard({ transition, values, now }) {
      if (transition.id === 'reschedule' && typeof values.newTime === 'string' && Date.parse(values.newTime) <= now.getTime())
        return { zh: '新的时间须在将来。', en: 'The new time has to be in the future.' }
      if (transition.id === 'locate' && (values.geo ?? null) !== null && !positionOf(values.geo)) return NO_POSITION
      if (transition.id === 'finish' && NOT_REACHED.has(String(values.visitResult))) return NOT_HELD
      return null
    },
    async effect(hook) {
      const { transition, record, values, now } = hook
      const at = now.toISOString()
      if (transition.id === 'start') record.startedAt = at
      if (transition.id === 'locate') record.geo = positionOf(values.geo)
      if (transition.id === 'reschedule') record.plannedAt = values.newTime
      if (transition.id === 'finish') await finish(hook, at)
    },
  },
}

const NO_POSITION: Text = {
  zh: '到访位置无法识别：须是浏览器给出的经纬度、精度和时间。请重新获取或移除位置。',
  en: 'The position cannot be read: latitude, longitude, accuracy and time as a browser gives them. Ask for it again, or remove it.',
}
const NOT_HELD: Text = {
  zh: '没有见到客户的拜访请取消或改期。',
  en: 'A visit without meeting the customer is cancelled or moved, not finished.',
}

/** A finished visit is one follow-up of the customer, and of the opportunity that it was about. */
async function finish({ record, values, entities }: TransitionHook, at: string): Promise<void> {
  const followUp = await entities.save('crm.followUp', {
    customerId: record.customerId,
    opportunityId: record.opportunityId ?? null,
    contactId: Array.isArray(record.contactIds) ? ((record.contactIds[0] as string | undefined) ?? null) : null,
    way: record.visitType === 'online' ? 'meeting' : 'visit',
    content: record.result,
    result: values.visitResult,
    nextAt: values.nextAt ?? null,
  })
  Object.assign(record, { startedAt: record.startedAt ?? at, endedAt: at, followUpId: followUp.id })
}
