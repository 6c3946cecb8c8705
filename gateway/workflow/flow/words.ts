import type { Text } from '../../platform/http'

/** What people are told of approvals (money 12); what is not there is a dash. */
interface Facts {
  code: string
  process: Text
  applicant: Text
  amount?: string | null
  by?: Text
  comment?: Text | string | null
  text?: string
  error?: Text
  times?: number
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
  | 'wfReturnedOften'
  | 'wfCommentAt'

const or = (value: string | null | undefined): string => (value === undefined || value === null || value === '' ? '-' : value)
const zh = (value: Text | string | null | undefined): string => or(typeof value === 'object' ? value?.zh : value)
const en = (value: Text | string | null | undefined): string => or(typeof value === 'object' ? value?.en : value)

export const WORDS: Readonly<Record<FlowEvent, (facts: Facts) => Text>> = {
  wfTodo: ({ applicant, process, code, amount }) => ({
    zh: `【待审批】${applicant.zh} 提交的 ${process.zh}（${code}），金额 ${or(amount)}`,
    en: `To approve: ${process.en} (${code}) of ${applicant.en}, amount ${or(amount)}`,
  }),
  wfUrge: ({ applicant, process, code, text }) => ({
    zh: `【催办】${applicant.zh} 催办 ${process.zh}（${code}）：${or(text)}`,
    en: `Urged: ${applicant.en} asks you to see to ${process.en} (${code}): ${or(text)}`,
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
    zh: `【已通过】${process.zh}（${code}）${zh(by)}：${zh(comment)}`,
    en: `Agreed: ${process.en} (${code}), ${en(by)}: ${en(comment)}`,
  }),
  wfRejected: ({ process, code, by, comment }) => ({
    zh: `【已拒绝】${process.zh}（${code}）${zh(by)}：${zh(comment)}`,
    en: `Rejected: ${process.en} (${code}), ${en(by)}: ${en(comment)}`,
  }),
  wfReturned: ({ process, code, by, comment }) => ({
    zh: `【被退回】${process.zh}（${code}）${zh(by)}：${zh(comment)}`,
    en: `Returned: ${process.en} (${code}), ${en(by)}: ${en(comment)}`,
  }),
  wfWithdrawn: ({ process, code, by, comment }) => ({
    zh: `【已撤回】${process.zh}（${code}）${zh(by)}：${zh(comment)}`,
    en: `Withdrawn: ${process.en} (${code}), ${en(by)}: ${en(comment)}`,
  }),
  wfTerminated: ({ process, code, by, comment }) => ({
    zh: `【已终止】${process.zh}（${code}）${zh(by)}：${zh(comment)}`,
    en: `Terminated: ${process.en} (${code}), ${en(by)}: ${en(comment)}`,
  }),
  wfCc: ({ process, code, applicant }) => ({
    zh: `【抄送】${process.zh}（${code}）${applicant.zh}`,
    en: `Copy: ${process.en} (${code}) of ${applicant.en}`,
  }),
  wfTransmit: ({ process, code, by }) => ({
    zh: `【转交】${zh(by)} 将 ${process.zh}（${code}）转交给您`,
    en: `Handed on: ${en(by)} has given you ${process.en} (${code})`,
  }),
  wfEffectFail: ({ code, error }) => ({
    zh: `【生效失败】${code}：${zh(error)}`,
    en: `Could not take effect: ${code}: ${en(error)}`,
  }),
  wfStuck: ({ process, code, node, error }) => ({
    zh: `【流程受阻】${process.zh}（${code}）停在“${or(node?.zh)}”：${zh(error)}`,
    en: `Stuck: ${process.en} (${code}) at "${or(node?.en)}": ${en(error)}`,
  }),
  wfReturnedOften: ({ process, code, node, times }) => ({
    zh: `【反复退回】${process.zh}（${code}）在“${or(node?.zh)}”已退回 ${times ?? 0} 次，不能再退回，请处理`,
    en: `Returned too often: ${process.en} (${code}) at "${or(node?.en)}", ${times ?? 0} times; it cannot be returned again: please see to it`,
  }),
  wfCommentAt: ({ by, code, text }) => ({
    zh: `${zh(by)} 在 ${code} 中提到了您：${or(text)}`,
    en: `${en(by)} mentioned you in ${code}: ${or(text)}`,
  }),
}
