import type { Host } from '../../../headless/host'
import type { MailAddress } from '../../../headless/mail'

/** Where the calls of mail stand. */
export const MAILBOX = '/v2/emailbox'

/** How a letter was begun. */
export type Kind = 'new' | 'reply' | 'replyAll' | 'forward' | 'forwardAsAttachment' | 'editAgain'
const KINDS: readonly string[] = ['new', 'reply', 'replyAll', 'forward', 'forwardAsAttachment', 'editAgain']
export const isKind = (text: string | undefined): text is Kind => text !== undefined && KINDS.includes(text)

export interface Sender {
  accountId: string
  address: string
  displayName: string
  isDefault: boolean
  state: 'unverified' | 'active' | 'failing' | 'stopped'
  sentToday: number
  dailyLimit: number
}

export interface Suggestion {
  email: string
  name: string
  company: string | null
  source: string
}

export interface MailFile {
  id: string
  name: string
  size: number
}

/** A draft, or a mail that waits for its time, as the gateway answers it. */
export interface StoredDraft {
  id: string
  revision: number
  accountId: string | null
  to: MailAddress[]
  cc: MailAddress[]
  bcc: MailAddress[]
  subject: string | null
  content: string | null
  attachments: MailFile[]
  signatureId: string | null
  kind: Kind
  sourceMessageId: string | null
  wantsReceipt: boolean
  updatedAt: string
  timed: boolean
  timingTime: string | null
}

/** A message that is answered or passed on, as far as it matters here. */
export interface Source {
  id: string
  accountId: string
  subject: string
  content: string
  receiverEmailList: MailAddress[]
  ccEmailList: MailAddress[]
  bccEmailList: MailAddress[]
  attachments: unknown[]
  followState: string | null
  readingById: string | null
  readingUntil: string | null
  answers: {
    reply: { to: MailAddress[]; cc: MailAddress[] }
    replyAll: { to: MailAddress[]; cc: MailAddress[] }
    replySubject: string
    forwardSubject: string
    quoteHtml: string
  }
}

/** What is written, whatever it was begun as. */
export interface Letter {
  accountId: string
  to: readonly MailAddress[]
  cc: readonly MailAddress[]
  bcc: readonly MailAddress[]
  subject: string
  body: string
  signature: string
  signatureId: string | null
  quote: string
  attachments: readonly MailFile[]
  kind: Kind
  sourceMessageId: string | null
  /** Whoever reads it is asked to say so. */
  wantsReceipt?: boolean
}

export const ask = <T>(host: Host, path: string, body: unknown = {}): Promise<T> =>
  host.request<T>({ method: 'POST', path: path.startsWith('/') ? path : `${MAILBOX}/${path}`, body })
