import type { EntityService, SaveHook } from '../../../entities'
import { newId } from '../../../platform/database'
import { can } from '../../../platform/http'
import { recycleOnOf } from './ownership'
import { ruleFor } from './rules'

/** Whoever manages customers: new ones may begin above D, and levels may be set. */
const MANAGE = 'crm:customer:manage'

/** The level of a customer follows the rule (CRM rule 9.9): nobody types it. New customers are D, or what a manager brings in. */
export function guardLevel({
  record,
  before,
  context,
  origin,
  fail,
}: Pick<SaveHook, 'record' | 'before' | 'context' | 'origin' | 'fail'>): void {
  if (origin === 'service' || context.kind === 'system') return
  const untouched = before ? record.level === before.level : record.level === 'd' || can(context, MANAGE)
  if (untouched) return
  fail({
    field: 'level',
    rule: 'levelByRule',
    message: {
      zh: '等级每月按规则计算，主管可用“调整等级”修改。',
      en: 'The level is computed every month; a manager changes it with "Set the level".',
    },
  })
}

/** A manager sets B, C or D with a reason; it holds until the next computation, or as long as it is locked. */
export function levelServices(timeZone: string): Record<string, EntityService> {
  return {
    'crm.customer.setLevel': {
      guard({ values, before }) {
        if (values.newLevel === 'a')
          return { zh: 'A类只能通过A类申请获得。', en: 'Level A is only granted by a class A application.' }
        return values.newLevel !== undefined && values.newLevel === before.level
          ? { zh: '客户已是这个等级。', en: 'The customer has this level already.' }
          : null
      },
      async effect({ entities, tx, before, record, values, now, context }) {
        Object.assign(record, { level: values.newLevel, levelLockUntil: values.lockUntil ?? null })
        const rules = await ruleFor(tx, 'crm.sea', now, {
          staffId: String(record.ownerId ?? ''),
          level: String(record.level),
          countryCode: String(record.countryCode),
        })
        record.recycleOn = recycleOnOf(record, rules, timeZone)
        const at = now.toISOString()
        await entities.insertMany('crm.levelLog', [
          {
            id: newId(),
            customerId: before.id,
            fromLevel: before.level,
            toLevel: record.level,
            computedLevel: null,
            reason: values.levelReason,
            manual: true,
            at,
            createdAt: at,
            createdBy: context.user.staffId || null,
          },
        ])
      },
    },
  }
}
