import { timedAt } from '../../../headless/mail'
import type { Box, View } from './types'

/** Messages of a page of a list. */
export const PAGE_SIZE = 50

const TEXTS = ['account', 'folder', 'id', 'q', 'from', 'to', 'mark', 'since', 'until', 'customer'] as const
const FLAGS = ['file', 'unread', 'star', 'mine', 'later'] as const

/** Where somebody stands: what the address says, so that a reload or a link shows the same. */
export interface Place extends Partial<Record<(typeof TEXTS)[number], string>>, Partial<Record<(typeof FLAGS)[number], true>> {
  box: Box
  page: number
}

const BOXES: readonly Box[] = ['inbox', 'star', 'spam', 'sent', 'drafts']
export const isBox = (value: unknown): value is Box => BOXES.some((box) => box === value)

type Query = Readonly<Record<string, string | undefined>>

/** What an address says; the folder of the page unless it names another one. */
export function readPlace(query: Query, page: Box): Place {
  const texts = TEXTS.flatMap((name) => (query[name] ? [[name, query[name]] as const] : []))
  const flags = FLAGS.flatMap((name) => (query[name] === '1' ? [[name, true] as const] : []))
  const number = Number(query['page'])
  return {
    box: isBox(query['box']) ? query['box'] : page,
    page: Number.isInteger(number) && number > 0 ? number : 1,
    ...Object.fromEntries([...texts, ...flags]),
  }
}

/** The address of a place: a page of its own for each folder, in CRM one for all. One tab shows it, whatever is searched there (R190). */
export function addressOf(view: View, place: Place): string {
  const query = new URLSearchParams()
  if (view === 'crm' && place.box !== 'inbox') query.set('box', place.box)
  for (const name of TEXTS) if (place[name]) query.set(name, place[name])
  for (const name of FLAGS) if (place[name]) query.set(name, '1')
  if (place.page > 1) query.set('page', String(place.page))
  const path = view === 'crm' ? '/crm/email' : `/message/email/${place.box}`
  if (query.size === 0) return path
  query.set('tagPath', 'path')
  return `${path}?${query.toString()}`
}

/** Whether the list is narrowed by a search or a filter. */
export const isNarrowed = ({ q, from, to, mark, since, until, customer, file, unread, star, mine }: Place): boolean =>
  [q, from, to, mark, since, until, customer, file, unread, star, mine].some(Boolean)

/** The place without its filters and without the message. */
export const bare = ({ box, account, folder, later }: Place): Place => ({
  ...{ box, page: 1 },
  ...(account ? { account } : {}),
  ...(folder ? { folder } : {}),
  ...(later ? { later } : {}),
})

const CALLS = { inbox: 'receive', star: 'receive', spam: 'junk', sent: 'send' } as const

/** The filters of a place as the calls take them. */
export function filterOf(place: Place, staffId: string, timeZone: string) {
  const { account, folder, q, from, to, file, unread, star, mark, since, until, customer, mine, later } = place
  const first = since ?? (until ? '2000-01-01' : undefined)
  const period = first && [timedAt(first, '00:00', timeZone), timedAt(until ?? '2099-12-31', '23:59', timeZone)]
  return {
    ...(account ? { accountIds: [account] } : {}),
    ...(folder ? { folder } : {}),
    ...(q ? { keyword: q } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(file ? { hasAttachment: true } : {}),
    ...(unread ? { seen: false } : {}),
    ...(star || place.box === 'star' ? { starred: true } : {}),
    ...(later ? { snoozed: true } : {}),
    ...(mark ? { markIds: [mark] } : {}),
    ...(period ? { period } : {}),
    ...(customer ? { customerId: customer } : {}),
    ...(mine ? { followStaffId: staffId } : {}),
  }
}

/** The call that answers the list of a place. */
export const listPath = (box: Exclude<Box, 'drafts'>): string => `/v2/emailbox/${CALLS[box]}/query`

/** Where one writes: an answer, what is passed on, a draft, a new mail. */
export function writeAddress(view: View, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const path = view === 'crm' ? (query['draftId'] ? '/crm/editDraftBox' : '/crm/sendOutBox') : '/message/email/write'
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

/** Where one message stands alone. */
export function messageAddress(view: View, message: { id: string; accountId: string; box: Box }): string {
  const query = new URLSearchParams({ accountId: message.accountId, messageId: message.id }).toString()
  if (view === 'message') return `/message/email/details?${query}`
  const page = message.box === 'sent' ? 'outBoxDetails' : message.box === 'spam' ? 'dustbinDetails' : 'inBoxDetails'
  return `/crm/${page}?${query}`
}
