import type { MailAddress } from '../../../src/headless/mail'
import { ServiceError } from '../../platform/http'
import type { Executor } from '../../platform/database'
import type { OwnAccount } from './accounts'
import type { MailAttachment } from '../../platform/mail'
import { shortPhrase } from '../../entities'
import { likely, type ListRequest } from './api'

/** A row of a list of mail: everything but the bodies; what code reads of it is named here. */
export interface MessageRow
  extends
    Record<'id' | 'accountId' | 'receiveTime' | 'subject' | 'senderEmail', string>,
    Record<'threadId' | 'senderName' | 'customerId', string | null>,
    Record<'replyToList' | 'receiverEmailList' | 'ccEmailList', MailAddress[]> {
  direction: 'in' | 'out'
  attachments: MailAttachment[]
  seen: boolean
}

/** A message as it is opened. */
export interface WholeMessage
  extends
    MessageRow,
    Record<'messageId' | 'bodyState' | 'path', string>,
    Record<'textBody' | 'htmlBody' | 'listPost' | 'rawHash' | 'receiptTo' | 'receiptState', string | null> {
  references: string[]
  htmlVersion: number
  authResults: Record<string, unknown> | null
  uid: number | null
}

const ROW = `m.id, m.account_id as "accountId", m.folder_id as "folderId", m.thread_id as "threadId", m.direction, m.email_type as "emailType", m.receive_time as "receiveTime",
  m.sent_time as "sentTime", coalesce(m.subject, '') as subject, coalesce(m.sender_email, '') as "senderEmail", m.sender_name as "senderName", coalesce(m.reply_to_list, '[]') as "replyToList",
  coalesce(m.receiver_email_list, '[]') as "receiverEmailList", coalesce(m.cc_email_list, '[]') as "ccEmailList", coalesce(m.bcc_email_list, '[]') as "bccEmailList",
  m.preview_text as "previewText", coalesce(m.attachments, '[]') as attachments, coalesce(m.has_attachment, false) as "hasAttachment", coalesce(m.seen, false) as seen,
  coalesce(m.starred, false) as starred, coalesce(m.answered, false) as answered, coalesce(m.forwarded, false) as forwarded, coalesce(m.marks, '[]') as marks,
  coalesce(m.warnings, '[]') as warnings, m.moved_because as "movedBecause", m.customer_id as "customerId", m.supplier_id as "supplierId", m.contact_id as "contactId",
  m.follow_staff_id as "followStaffId", m.follow_state as "followState", m.reading_by_id as "readingById", m.reading_until as "readingUntil", m.snoozed_until as "snoozedUntil", m.woken_at as "wokenAt", coalesce(m.bounced, false) as bounced,
  coalesce(m.size, 0)::int as size`

/** What lists of mail are narrowed by. */
export interface MessageFilter
  extends
    Partial<Record<'keyword' | 'from' | 'to' | 'customerId' | 'followStaffId' | 'threadId', string>>,
    Partial<Record<'hasAttachment' | 'seen' | 'starred', boolean>> {
  accountIds?: string[]
  /** Id of a folder. */
  folder?: string
  /** What was put off, which the inbox does not show otherwise. */
  snoozed?: boolean
  markIds?: string[]
  period?: [string, string]
}

/** Which folders a list shows where none is named. */
export type Box = 'receive' | 'send' | 'junk'

const ROLES: Readonly<Record<Box, readonly string[]>> = { receive: ['inbox'], send: ['sent'], junk: ['junk'] }
/** A starred mail or a conversation is found wherever it lies, except there. */
const APART = ['junk', 'trash', 'drafts']

/** A search counts no further: whoever finds so many narrows it. */
const MOST_COUNTED = 1_000
/** What so many of the newest messages have is found soonest by going through them; what fewer have, by the index of the texts. */
const [NEWEST, COMMON] = [500, 50]

interface Narrowed {
  params: unknown[]
  /** Accounts and folders as parameters 1 and 2, pair by pair. */
  where: string
  /** Few messages meet the filters: an index knows which. */
  isFew: boolean
  isSearch: boolean
}

const WITHIN = 'm.account_id = any($1::text[]) and m.folder_id = any($2::text[]) and m.deleted_at is null'
/** The folders of parameters 1 and 2 with what is in each, in its own order. */
const eachFolder = (inside: string): string =>
  `from unnest($1::text[], $2::text[]) as f(account_id, folder_id) cross join lateral (${inside}) m`
const OF_FOLDER = 'from mail_message m where m.account_id = f.account_id and m.folder_id = f.folder_id and m.deleted_at is null'

/** The conditions of the messages that a list shows, of mailboxes that the caller may read. */
async function narrowed(db: Executor, accounts: readonly OwnAccount[], box: Box, filter: MessageFilter): Promise<Narrowed> {
  const ids = accounts.map(({ id }) => id)
  const isWide = filter.starred === true || filter.threadId !== undefined
  const { rows: folders } = await db.query<{ id: string; accountId: string }>(
    `select id, account_id as "accountId" from mail_folder where account_id = any($1::text[]) and deleted_at is null and ${
      filter.folder !== undefined ? 'id = $2' : box === 'receive' && isWide ? 'role <> all($2::text[])' : 'role = any($2::text[])'
    }`,
    [ids, filter.folder ?? (box === 'receive' && isWide ? APART : ROLES[box])],
  )
  const params: unknown[] = [folders.map(({ accountId }) => accountId), folders.map(({ id }) => id)]
  const conditions: string[] = ['true']
  const add = (condition: (place: string) => string, value: unknown): void => {
    params.push(value)
    conditions.push(condition(`$${params.length}`))
  }
  const words = (filter.keyword ?? '').toLowerCase().trim().split(/\s+/u).filter(Boolean).slice(0, 8)
  const isCommon = words.length > 0 && (await areCommon(db, params, words))
  for (const word of words) {
    // an expression that no index knows
    add((place) => (isCommon ? `(m.search_text || '') like ${place}` : `m.search_text like ${place}`), likely(word))
    const characters = isCommon ? null : shortPhrase(word)
    if (characters)
      add((place) => `string_to_array(regexp_replace(m.search_text, '[ -~]+', '', 'g'), null) @> ${place}::text[]`, characters)
  }
  if (filter.from) add((place) => `(m.sender_email ilike ${place} or m.sender_name ilike ${place})`, likely(filter.from))
  if (filter.to)
    add((place) => `(m.receiver_email_list::text ilike ${place} or m.cc_email_list::text ilike ${place})`, likely(filter.to))
  if (filter.hasAttachment !== undefined) add((place) => `coalesce(m.has_attachment, false) = ${place}`, filter.hasAttachment)
  if (filter.seen !== undefined) add((place) => `coalesce(m.seen, false) = ${place}`, filter.seen)
  if (filter.starred !== undefined) add((place) => `coalesce(m.starred, false) = ${place}`, filter.starred)
  if (filter.markIds && filter.markIds.length > 0) add((place) => `m.marks ?| ${place}::text[]`, filter.markIds)
  if (filter.period) {
    add((place) => `m.receive_time >= ${place}::timestamptz`, filter.period[0])
    add((place) => `m.receive_time <= ${place}::timestamptz`, filter.period[1])
  }
  if (filter.snoozed) conditions.push('m.snoozed_until is not null')
  else if (box === 'receive' && !isWide && words.length === 0 && !filter.from && !filter.to)
    conditions.push('m.snoozed_until is null')
  if (filter.customerId) add((place) => `m.customer_id = ${place}`, filter.customerId)
  if (filter.followStaffId) add((place) => `m.follow_staff_id = ${place}`, filter.followStaffId)
  if (filter.threadId) add((place) => `m.thread_id = ${place}`, filter.threadId)
  const named =
    filter.starred ?? filter.snoozed ?? filter.threadId ?? filter.customerId ?? filter.followStaffId ?? filter.markIds?.[0]
  const isSearch = words.length > 0
  return { params, where: conditions.join(' and '), isSearch, isFew: Boolean(named) || (isSearch && !isCommon) }
}

/** Whether many of the newest messages have all the words. */
async function areCommon(db: Executor, folders: readonly unknown[], words: readonly string[]): Promise<boolean> {
  const newest = `select m.search_text ${OF_FOLDER} order by m.receive_time desc, m.id limit ${NEWEST}`
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count ${eachFolder(newest)} where ${words.map((_, at) => `m.search_text like $${at + 3}`).join(' and ')}`,
    [...folders, ...words.map(likely)],
  )
  return (rows[0]?.count ?? 0) >= COMMON
}

/** In the inbox a mail that came back stands where it came back. */
const RISEN = 'coalesce(m.woken_at, m.receive_time)'
const SORTS: Readonly<Record<string, string>> = {
  subject: 'm.thread_subject',
  size: 'm.size',
  senderEmail: 'm.sender_email',
}

/**
 * A page of a list of mail, the newest first unless asked otherwise. `isMore`: a search found more than the total says.
 */
export async function listMessages(
  db: Executor,
  accounts: readonly OwnAccount[],
  box: Box,
  filter: MessageFilter,
  { page, size, sort }: ListRequest,
): Promise<{ list: MessageRow[]; total: number; isMore: boolean }> {
  const { where, params, isFew, isSearch } = await narrowed(db, accounts, box, filter)
  const { snoozed = false, folder } = filter
  const isInbox = box === 'receive' && folder === undefined && filter.starred !== true && filter.threadId === undefined
  const natural = snoozed ? 'm.snoozed_until' : isInbox ? RISEN : 'm.receive_time'
  const by = sort?.field === undefined || sort.field === 'receiveTime' ? natural : (SORTS[sort.field] ?? natural)
  const orderBy = (what: string): string => `order by ${what} ${sort?.order ?? (snoozed ? 'asc' : 'desc')}, m.id`
  const order = orderBy(by)
  const some = (more: string, what: string): string =>
    `(select m.id, m.receive_time, m.woken_at ${OF_FOLDER} and ${where} and ${more} ${orderBy(what)} limit ${page * size})`
  // each half has its index
  const ordered =
    by === RISEN
      ? `${some('m.woken_at is null', 'm.receive_time')} union all ${some('m.woken_at is not null', 'm.woken_at')}`
      : `select m.id, ${by} ${OF_FOLDER} and ${where} ${order} limit ${page * size}`
  const chosen = isFew ? `from mail_message m where ${WITHIN} and ${where}` : eachFolder(ordered)
  const counted = `select 1 from mail_message m where ${WITHIN} and ${where} ${isSearch ? `limit ${MOST_COUNTED + 1}` : ''}`
  const [{ rows }, { rows: counts }] = await Promise.all([
    db.query<MessageRow>(
      `select ${ROW} from (select m.id ${chosen} ${order} limit ${size} offset ${(page - 1) * size}) p join mail_message m on m.id = p.id ${order}`,
      params,
    ),
    db.query<{ total: number }>(`select count(*)::int as total from (${counted}) c`, params),
  ])
  const total = counts[0]?.total ?? 0
  const isMore = isSearch && total > MOST_COUNTED
  return { list: rows, total: isMore ? MOST_COUNTED : total, isMore }
}

/** The ids of all messages of a list. */
export async function idsOfList(
  db: Executor,
  accounts: readonly OwnAccount[],
  box: Box,
  filter: MessageFilter,
  most: number,
): Promise<string[]> {
  const { where, params } = await narrowed(db, accounts, box, filter)
  const { rows } = await db.query<{ id: string }>(
    `select m.id from mail_message m where ${WITHIN} and ${where} limit ${most}`,
    params,
  )
  return rows.map(({ id }) => id)
}

/** Messages of which only the headers came so far: what is searched there is not all of them. */
export async function isIncomplete(db: Executor, accounts: readonly OwnAccount[]): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from mail_message where account_id = any($1::text[]) and body_state = 'headers' and deleted_at is null limit 1`,
    [accounts.map(({ id }) => id)],
  )
  return rowCount > 0
}

/**
 * Messages of mailboxes that the caller may read, whole, in the order of the ids.
 * @throws ServiceError 10010004 where one is not there, or not his to read
 */
export async function wholeMessages(
  db: Executor,
  accounts: readonly OwnAccount[],
  ids: readonly string[],
): Promise<WholeMessage[]> {
  const { rows } = await db.query<WholeMessage>(
    `select ${ROW}, m.message_id as "messageId", m.in_reply_to as "inReplyTo", coalesce(m."references", '[]') as "references", m.text_body as "textBody", m.html_body as "htmlBody",
       coalesce(m.html_version, 0)::int as "htmlVersion", coalesce(m.html_cut, false) as "htmlCut", m.charset_guessed as "charsetGuessed", m.auth_results as "authResults", m.list_post as "listPost", m.receipt_to as "receiptTo", m.receipt_state as "receiptState", coalesce(m.receipts, '[]') as receipts,
       m.raw_hash as "rawHash", m.body_state as "bodyState", m.uid::int as uid, f.path, f.role
     from mail_message m join mail_folder f on f.id = m.folder_id where m.id = any($1::text[]) and m.account_id = any($2::text[]) and m.deleted_at is null`,
    [[...ids], accounts.map(({ id }) => id)],
  )
  return ids.map((id) => {
    const found = rows.find((row) => row.id === id)
    if (!found) throw new ServiceError('notFound')
    return found
  })
}
