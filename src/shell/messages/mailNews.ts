import type { StreamEvent } from '../stream/channel'

/** R230 compares this word; it is the same in both languages. */
const NEW = '新邮件'
const BOX = '{emailboxType}'

interface Filled {
  key: string
  showFieldName: string
}

/** A push of new mail (R157, R158), as the toast says it and go-and-view follows it. */
export interface MailNews {
  template: string
  fill: readonly Filled[]
  isSpam: boolean
}

const isFilled = (value: unknown): value is Filled =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'showFieldName' in value &&
  typeof value.showFieldName === 'string'

/** The new mail that a push tells of; null for any other push. It is no message of the message centre: the bell does not count it. */
export function mailNewsOf(told: StreamEvent): MailNews | null {
  const { event, msgType, msgContentTemplate, msgFillAfterVar } = told
  if (event !== 'message' || Number(msgType) !== 2 || !Array.isArray(msgFillAfterVar)) return null
  const fill = msgFillAfterVar.filter(isFilled)
  const box = fill.find(({ key }) => key === BOX)
  if (!box) return null
  const template = typeof msgContentTemplate === 'string' ? msgContentTemplate : BOX
  return { template, fill, isSpam: box.showFieldName !== NEW }
}

/** Where go-and-view leads: the inbox, or the spam folder (R230, R231, R232). */
export const mailAddress = ({ isSpam }: MailNews): string => (isSpam ? '/message/email/spam' : '/message/email/inbox')

/** The words of the toast; what kind of mail it is comes in the reader's language. */
export function newsText({ template, fill, isSpam }: MailNews, words: { mail: string; spam: string; colon: string }): string {
  const valueOf = new Map(fill.map(({ key, showFieldName }) => [key, showFieldName]))
  valueOf.set(BOX, isSpam ? words.spam : words.mail)
  const text = template.replace('：', words.colon)
  return text.replace(/\{\w+\}/gu, (key) => valueOf.get(key) ?? '')
}
