import type { EntityEngine } from '../../entities'
import type { NoticePayload } from './post'

/** The kind of a service whose address is one or more e-mail addresses. */
export const MAIL = 'mail'

/** Whether notices can go by mail: only where there is a module of mail. */
export const sendsMail = (engine: EntityEngine): boolean => engine.names().includes('mail.outgoing')

const escaped = (text: string): string =>
  text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;').replace(/"/gu, '&quot;')

/** What a notice says as the text of a mail. */
export function noticeHtml({ title, text, facts, link }: NoticePayload): string {
  const rows = facts.map(({ name, value }) => `<tr><td>${escaped(name)}</td><td>${escaped(value)}</td></tr>`).join('')
  return [
    `<p><b>${escaped(title)}</b></p>`,
    text === '' ? '' : `<p>${escaped(text)}</p>`,
    rows === '' ? '' : `<table>${rows}</table>`,
    `<p><a href="${escaped(link)}">${escaped(link)}</a></p>`,
  ].join('')
}
