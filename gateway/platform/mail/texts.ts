import type { MailAddress } from '../../../src/headless/mail'
import type { ReadMail } from './read'

/** Text of a message that is searched, at most so much. */
const SEARCHED = 60_000
const LONGEST = 2_000_000
const PREVIEW = 200

/** A text without characters that the database does not hold. */
const plain = (text: string): string => text.replace(/\u0000/gu, '')

const line = (list: readonly MailAddress[]): string => list.map(({ email, name = '' }) => `${name} ${email}`).join(' ')

/** What a message says in plain text: whole, its beginning, and what is searched (with subject, people and names of files, in small letters). */
export function textsOf({ subject, sender, to, cc, attachments, text }: ReadMail) {
  const said = plain(text)
  const about = [subject, line([sender]), line(to), line(cc), attachments.map(({ name }) => name).join(' ')]
  return {
    previewText: said.replace(/\s+/gu, ' ').trim().slice(0, PREVIEW),
    textBody: said.slice(0, LONGEST),
    searchText: `${plain(about.join('\n'))}\n${said}`.slice(0, SEARCHED).toLowerCase(),
  }
}

/** The bodies of a message; what is not there is null. */
interface Bodies {
  htmlBody: string | null
  textBody: string | null
}

const escaped = (text: string): string => text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;')

/** What a message shows: its HTML, else its text. */
export const contentOf = ({ htmlBody, textBody }: Bodies): string =>
  htmlBody ?? `<div style="white-space:pre-wrap">${escaped(textBody ?? '')}</div>`

/** Whether a message holds pictures that wait for trust. */
export const hasRemoteImages = ({ htmlBody }: Pick<Bodies, 'htmlBody'>): boolean => htmlBody?.includes(' data-src=') ?? false
