import type { MailAddress } from '../../../headless/mail'

/** Folders that every mailbox has, as the pages are named. */
export type Box = 'inbox' | 'star' | 'spam' | 'sent' | 'drafts'
export type View = 'message' | 'crm'

interface Folder {
  id: string
  accountId: string
  role: 'inbox' | 'sent' | 'drafts' | 'junk' | 'trash' | 'archive' | 'other'
  path: string
  total: number
  unread: number
}

/** A mailbox of the reader with its folders and what he may do in it. */
export interface Mailbox {
  id: string
  address: string
  displayName: string
  version: number
  kind: 'personal' | 'shared' | 'system'
  transport: 'local' | 'imapSmtp'
  state: string
  syncError: string | null
  lastSyncAt: string | null
  timeZone: string | null
  /** First and last day of the absence of its owner. */
  absentFrom: string | null
  absentUntil: string | null
  right: 'read' | 'write' | 'manage'
  folders: readonly Folder[]
}

export interface Mark {
  id: string
  name: string
  colour: string
  accountId?: string | null
}

export interface Person {
  id: string
  name: string
  jobNumber: string
}

export interface Attachment {
  name: string
  size: number
  type: string
  contentId: string | null
  inline: boolean
  index: number
  /** A mail that hangs on this one. */
  letter?: {
    subject: string
    sender: { email: string; name?: string }
    at: string | null
    text: string
    files: readonly Pick<Attachment, 'name' | 'size' | 'type' | 'index'>[]
  }
}

/** A row of a list of mail. */
export interface Row {
  id: string
  accountId: string
  folderId: string
  threadId: string | null
  direction: 'in' | 'out'
  receiveTime: string
  sentTime: string | null
  subject: string
  senderEmail: string
  senderName: string | null
  receiverEmailList: readonly MailAddress[]
  ccEmailList: readonly MailAddress[]
  bccEmailList: readonly MailAddress[]
  replyToList: readonly MailAddress[]
  previewText: string | null
  hasAttachment: boolean
  seen: boolean
  starred: boolean
  answered: boolean
  forwarded: boolean
  bounced: boolean
  marks: readonly string[]
  warnings: readonly string[]
  movedBecause: string | null
  customerId: string | null
  supplierId: string | null
  followStaffId: string | null
  followState: 'new' | 'reading' | 'answered' | 'closed'
  readingById: string | null
  readingUntil: string | null
  /** Out of the inbox until then. */
  snoozedUntil: string | null
  /** When it came back. */
  wokenAt: string | null
  size: number
}

export interface MailPage {
  list: readonly Row[]
  total: number
  /** A search found more than the total says. */
  isMore: boolean
  page: number
  size: number
  /** Bodies are still on their way: what is searched is not all of them. */
  searching: boolean
  failed: readonly { accountId: string; reason: string }[]
}

/** A message as it is opened. */
export interface Message extends Row {
  messageId: string
  role: string
  attachments: readonly Attachment[]
  content: string
  htmlCut: boolean
  charsetGuessed: string | null
  remoteImages: boolean
  imagesTrusted: boolean
  origin: string
  listPost: string | null
  /** Where a read receipt goes; of a sent mail: it asked for one. */
  receiptTo: string | null
  receiptState: 'asked' | 'sent' | 'declined' | null
  /** Who said that he read it. */
  receipts: readonly { email: string; at: string }[]
  customer: { id: string; code: string; name: string; ownerName: string | null } | null
  thread: readonly Pick<Row, 'id' | 'receiveTime' | 'subject' | 'senderEmail' | 'senderName' | 'seen'>[]
}

/** A draft, or a mail that waits for its time. */
export interface Draft {
  id: string
  accountId: string | null
  to: readonly MailAddress[]
  subject: string | null
  updatedAt: string
  timingTime: string | null
  timed: boolean
  attachments: readonly unknown[]
}

/** Where messages are moved to. */
export type Target = 'inbox' | 'junk' | 'trash' | 'archive'
