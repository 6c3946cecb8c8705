import { displayAddress, type MailAddress } from './addresses'

type Locale = 'zh' | 'en'

/** What stands above a quoted mail (R279); English only where the writer's interface is. */
export const QUOTE_LABELS = {
  sender: { zh: '发件人', en: 'From' },
  receiveTime: { zh: '发送时间', en: 'Sent' },
  receiver: { zh: '收件人', en: 'To' },
  cc: { zh: '抄送', en: 'Cc' },
  subject: { zh: '主题', en: 'Subject' },
} as const

/** A mail as it is quoted or passed on (R151). */
export interface QuotedMail {
  receiveTime: string
  subject: string
  senderStr: string
  ccEmailStr: string
  receiverEmailStr: string
  content: string
}

/** A list of addresses in one line, escaped. */
export const addressLine = (list: readonly MailAddress[]): string => list.map(displayAddress).join('; ')

const escaped = (text: string): string => text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;')

/** A moment as people anywhere read it the same: `2026-11-29 11:40 UTC`. What is no moment stays as it is. */
const momentOf = (text: string): string =>
  /^\d{4}-\d\d-\d\dT/u.test(text) && !Number.isNaN(Date.parse(text))
    ? `${new Date(text).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    : text

/** A quoted mail below what one writes: its heading and its text in a block that readers fold. `content` has to be clean. */
export function quotedHtml(mail: QuotedMail, locale: Locale): string {
  const lines: readonly (readonly [keyof typeof QUOTE_LABELS, string])[] = [
    ['sender', mail.senderStr],
    ['receiveTime', escaped(momentOf(mail.receiveTime))],
    ['receiver', mail.receiverEmailStr],
    ...(mail.ccEmailStr === '' ? [] : [['cc', mail.ccEmailStr] as const]),
    ['subject', escaped(mail.subject)],
  ]
  const colon = locale === 'zh' ? '：' : ': '
  const head = lines.map(([label, text]) => `<b>${QUOTE_LABELS[label][locale]}${colon}</b>${text}`).join('<br>')
  return `<blockquote class="sb-quote"><p>${head}</p>${mail.content}</blockquote>`
}

const QUOTES = /<blockquote[\s\S]*<\/blockquote>/giu
const SAYS_ATTACHED = /附件|附上|见附|随信|\battach(?:ed|ment|ments)?\b|\benclosed\b/iu

/** Whether what one wrote oneself, not what it quotes, speaks of an attachment. */
export function speaksOfAttachment(html: string): boolean {
  return SAYS_ATTACHED.test(html.replace(QUOTES, ' ').replace(/<[^>]*>/gu, ' '))
}
