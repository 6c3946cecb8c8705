import type { Text } from '../../platform/http'

/** What chat groups can be told (money 12), with the words that a notice has until somebody writes others. */
export const NOTICE_TEMPLATES = {
  wfTodo: {
    zh: '【待审批】{applicant} 提交的 {process}（{code}），金额 {amount}，请于 {due} 前处理',
    en: 'To decide: {process} ({code}) from {applicant}, amount {amount}, by {due}',
  },
  wfUrge: {
    zh: '【催办】{applicant} 催办 {process}（{code}）：{text}',
    en: 'Urged: {applicant} asks for {process} ({code}): {text}',
  },
  wfOverdue: { zh: '【超时】{process}（{code}）已超时 {hours} 小时', en: 'Overdue: {process} ({code}) for {hours} hours' },
  wfAgreed: { zh: '【已通过】{process}（{code}）{by}：{comment}', en: 'Agreed: {process} ({code}), {by}: {comment}' },
  wfRejected: { zh: '【已拒绝】{process}（{code}）{by}：{comment}', en: 'Rejected: {process} ({code}), {by}: {comment}' },
  wfReturned: { zh: '【被退回】{process}（{code}）{by}：{comment}', en: 'Returned: {process} ({code}), {by}: {comment}' },
  wfWithdrawn: { zh: '【已撤回】{process}（{code}）{by}：{comment}', en: 'Withdrawn: {process} ({code}), {by}: {comment}' },
  wfCc: { zh: '【抄送】{process}（{code}）{applicant}', en: 'Copy: {process} ({code}) from {applicant}' },
  wfTransmit: { zh: '【转交】{by} 将 {process}（{code}）转交给您', en: 'Handed on: {process} ({code}) by {by}' },
  wfEffectFail: { zh: '【生效失败】{code}：{error}', en: 'Effect failed: {code}: {error}' },
  wfCommentAt: { zh: '{by} 在 {code} 中提到了您：{text}', en: '{by} mentioned you in {code}: {text}' },
  alarmFired: {
    zh: '【{severity}】{title}：{value}（基线 {base}，阈值 {threshold}）',
    en: '{severity} {title}: {value} (base {base}, threshold {threshold})',
  },
  alarmResolved: {
    zh: '【已恢复】{title}：{value}（基线 {base}，阈值 {threshold}）',
    en: 'Over: {title}: {value} (base {base}, threshold {threshold})',
  },
} as const satisfies Readonly<Record<string, Text>>

/** Code of the dictionary noticeEvent. */
export type NoticeEvent = keyof typeof NOTICE_TEMPLATES

export const isNoticeEvent = (value: unknown): value is NoticeEvent => typeof value === 'string' && value in NOTICE_TEMPLATES

/** What may stand in the braces of a template. */
export const PLACEHOLDERS = [
  'applicant',
  'process',
  'code',
  'title',
  'amount',
  'due',
  'text',
  'by',
  'comment',
  'hours',
  'error',
  'urgency',
  'severity',
  'value',
  'base',
  'threshold',
] as const

const BRACES = /\{([A-Za-z][A-Za-z0-9]*)\}/g
const MISSING = '-'

/** A template with its placeholders filled in; what is not known is told as `-` (money 12). */
export const filled = (template: string, facts: Readonly<Record<string, unknown>>): string =>
  template.replace(BRACES, (_, name: string) => {
    const value = facts[name]
    return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' ? String(value) : MISSING
  })

/** Placeholders of a template that nobody fills in. */
export const unknownPlaceholders = (template: string): string[] =>
  [...template.matchAll(BRACES)].map(([, name]) => name!).filter((name) => !PLACEHOLDERS.some((known) => known === name))
