import type { SaveHook } from '../../../entities'
import { can } from '../../../platform/http'

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
