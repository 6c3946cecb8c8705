import type { Text } from '../../platform/http'

/** What people are told of approvals (money 12); what is not there is a dash. */
interface Facts {
  code: string
  process: Text
  applicant: string
  amount?: string | null
  by?: string
  comment?: string | null
  text?: string
  error?: string
  hours?: number
  node?: Text
}

export type FlowEvent =
  | 'wfTodo'
  | 'wfUrge'
  | 'wfOverdue'
  | 'wfDue'
  | 'wfAgreed'
  | 'wfRejected'
  | 'wfReturned'
  | 'wfWithdrawn'
  | 'wfTerminated'
  | 'wfCc'
  | 'wfTransmit'
  | 'wfEffectFail'
  | 'wfStuck'
  | 'wfCommentAt'

const or = (value: string | null | undefined): string => (value === undefined || value === null || value === '' ? '-' : value)

export const WORDS: Readonly<Record<FlowEvent, (facts: Facts) => Text>> = {
  wfTodo: ({ applicant, process, code, amount }) => ({
    zh: `【待审批】${applicant} 提交的 ${process.zh}（${code}），金额 ${or(amount)}`,
    en: `To approve: ${process.en} (${code}) of ${applicant}, amount ${or(amount)}`,
  }),
  wfUrge: ({ applicant, process, code, text }) => ({
    zh: `【催办】${applicant} 催办 ${process.zh}（${code}）：${or(text)}`,
    en: `Urged: ${applicant} asks you to see to ${process.en} (${code}): ${or(text)}`,
  }),
  wfDue: ({ process, code }) => ({
    zh: `【提醒】${process.zh}（${code}）等待您处理`,
    en: `Reminder: ${process.en} (${code}) waits for you`,
  }),
  wfOverdue: ({ process, code, hours }) => ({
    zh: `【超时】${process.zh}（${code}）已超时 ${hours ?? 0} 小时`,
    en: `Overdue: ${process.en} (${code}) by ${hours ?? 0} hours`,
  }),
  wfAgreed: ({ process, code, by, comment }) => ({
    zh: `【已通过】${process.zh}（${code}）${or(by)}：${or(comment)}`,
    en: `Agreed: ${process.en} (${code}), ${or(by)}: ${or(comment)}`,
  }),
  wfRejected: ({ process, code, by, comment }) => ({
    zh: `【已拒绝】${process.zh}（${code}）${or(by)}：${or(comment)}`,
    en: `Rejected: ${process.en} (${code}), ${or(by)}: ${or(comment)}`,
  }),
  wfReturned: ({ process, code, by, comment }) => ({
    zh: `【被退回】${process.zh}（${code}）${or(by)}：${or(comment)}`,
    en: `Returned: ${process.en} (${code}), ${or(by)}: ${or(comment)}`,
  }),
  wfWithdrawn: ({ process, code, by, comment }) => ({
    zh: `【已撤回】${process.zh}（${code}）${or(by)}：${or(comment)}`,
    en: `Withdrawn: ${process.en} (${code}), ${or(by)}: ${or(comment)}`,
  }),
  wfTerminated: ({ process, code, by, comment }) => ({
    zh: `【已终止】${process.zh}（${code}）${or(by)}：${or(comment)}`,
    en: `Terminated: ${process.en} (${code}), ${or(by)}: ${or(comment)}`,
  }),
  wfCc: ({ process, code, applicant }) => ({
    zh: `【抄送】${process.zh}（${code}）${applicant}`,
    en: `Copy: ${process.en} (${code}) of ${applicant}`,
  }),
  wfTransmit: ({ process, code, by }) => ({
    zh: `【转交】${or(by)} 将 ${process.zh}（${code}）转交给您`,
    en: `Handed on: ${or(by)} has given you ${process.en} (${code})`,
  }),
  wfEffectFail: ({ code, error }) => ({
    zh: `【生效失败】${code}：${or(error)}`,
    en: `Could not take effect: ${code}: ${or(error)}`,
  }),
  wfStuck: ({ process, code, node, error }) => ({
    zh: `【流程受阻】${process.zh}（${code}）停在“${or(node?.zh)}”：${or(error)}`,
    en: `Stuck: ${process.en} (${code}) at "${or(node?.en)}": ${or(error)}`,
  }),
  wfCommentAt: ({ by, code, text }) => ({
    zh: `${or(by)} 在 ${code} 中提到了您：${or(text)}`,
    en: `${or(by)} mentioned you in ${code}: ${or(text)}`,
  }),
}
