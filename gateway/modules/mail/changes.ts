import { nanoid } from 'nanoid'
import type { Executor, Transaction } from '../../platform/database'
import { ServiceError, type RequestContext } from '../../platform/http'
import type { Queue } from '../../platform/queue'
import { countFolders, folderOf } from './accounts'
import { logMail } from './log'
import { sendUpstream, type UpstreamChange } from './imap/upstream'
import { WAKING_LINE } from './send/outgoing'

/** Milliseconds in which a change can be taken back. */
const UNDO = 30_000

/** What of a message people change. */
interface Changed {
  seen: boolean
  starred: boolean
  marks: string[]
  folderId: string
  emailType: string
  /** Out of the inbox until then. */
  snoozedUntil: string | null
}

interface Held extends Changed {
  id: string
  accountId: string
  uid: number | null
  messageId: string
  path: string
  role: string
  isServed: boolean
  direction: 'in' | 'out'
  senderEmail: string
  subject: string | null
}

/** Messages of these mailboxes, held until the transaction ends. @throws ServiceError 10010004 where one is not the caller's */
async function hold(tx: Transaction, accountIds: readonly string[], ids: readonly string[]): Promise<Held[]> {
  const { rows } = await tx.query<Held>(
    `select m.id, m.account_id as "accountId", m.uid::int as uid, coalesce(m.message_id, '') as "messageId", f.path, f.role, a.transport = 'imapSmtp' as "isServed", m.direction, coalesce(m.sender_email, '') as "senderEmail", m.subject, coalesce(m.seen, false) as seen,
       coalesce(m.starred, false) as starred, coalesce(m.marks, '[]') as marks, m.folder_id as "folderId", m.email_type as "emailType", to_json(m.snoozed_until)#>>'{}' as "snoozedUntil"
     from mail_message m join mail_folder f on f.id = m.folder_id join mail_account a on a.id = m.account_id
     where m.id = any($1::text[]) and m.account_id = any($2::text[]) and m.deleted_at is null order by m.id for update of m`,
    [[...ids], [...accountIds]],
  )
  if (rows.length < new Set(ids).size) throw new ServiceError('notFound')
  return rows
}

const momentOf = ({ snoozedUntil }: Changed): number => (snoozedUntil === null ? 0 : Date.parse(snoozedUntil))

const changedOf = ({ seen, starred, marks, folderId, emailType, snoozedUntil }: Changed): Changed => ({
  ...{ seen, starred, marks, folderId, emailType, snoozedUntil },
})

/** Keeps what the rows were, to take the change back. */
async function keepUndo(tx: Transaction, staffId: string, rows: readonly Held[], now: Date): Promise<string> {
  const token = nanoid()
  const before = rows.map(({ id, ...row }) => ({
    message_id: id,
    before: JSON.stringify(changedOf(row)),
  }))
  await tx.query('delete from mail_undo where until < $1', [now.toISOString()])
  await tx.query(
    `insert into mail_undo (token, staff_id, until, message_id, before) select $1, $2, $3, r.message_id, r.before from jsonb_to_recordset($4::jsonb) as r(message_id text, before text)`,
    [token, staffId, new Date(now.getTime() + UNDO).toISOString(), JSON.stringify(before)],
  )
  return token
}

const write = (tx: Transaction, rows: readonly ({ id: string } & Changed)[], now: Date) =>
  tx.query(
    `update mail_message m set seen = r.seen, starred = r.starred, marks = r.marks, uid = case when m.folder_id = r."folderId" then m.uid end, folder_id = r."folderId", email_type = r."emailType", snoozed_until = r."snoozedUntil", updated_at = $2
     from jsonb_to_recordset($1::jsonb) as r(id text, seen boolean, starred boolean, marks jsonb, "folderId" text, "emailType" text, "snoozedUntil" timestamptz) where m.id = r.id`,
    [JSON.stringify(rows.map(({ id, ...row }) => ({ id, ...changedOf(row) }))), now.toISOString()],
  )

const countAll = async (tx: Transaction, rows: readonly Held[]): Promise<void> => {
  for (const id of new Set(rows.map(({ accountId }) => accountId))) await countFolders(tx, id)
}

/** What servers have to know of a change, folder by folder. */
function upstream(
  rows: readonly Held[],
  after: ReadonlyMap<string, Changed>,
  paths: ReadonlyMap<string, string>,
): UpstreamChange[] {
  const changes = new Map<string, UpstreamChange>()
  const add = (row: Held, what: Pick<UpstreamChange, 'add' | 'remove' | 'moveTo'>): void => {
    if (!row.isServed) return
    const key = JSON.stringify([row.accountId, row.path, what])
    const there = changes.get(key) ?? { accountId: row.accountId, path: row.path, messages: [], ...what }
    there.messages.push({ id: row.id, uid: row.uid, messageId: row.messageId })
    changes.set(key, there)
  }
  for (const row of rows) {
    const next = after.get(row.id)!
    if (next.seen !== row.seen) add(row, next.seen ? { add: ['\\Seen'] } : { remove: ['\\Seen'] })
    if (next.starred !== row.starred) add(row, next.starred ? { add: ['\\Flagged'] } : { remove: ['\\Flagged'] })
    const keywords = (marks: readonly string[]): string[] => marks.map((id) => `$sb_${id}`)
    const added = keywords(next.marks.filter((id) => !row.marks.includes(id)))
    const removed = keywords(row.marks.filter((id) => !next.marks.includes(id)))
    if (added.length > 0) add(row, { add: added })
    if (removed.length > 0) add(row, { remove: removed })
    const moveTo = paths.get(next.folderId)
    if (next.folderId !== row.folderId && moveTo !== undefined) add(row, { moveTo })
  }
  // flags go first: a message that was moved has another number
  return [...changes.values()].sort((a, b) => Number(a.moveTo !== undefined) - Number(b.moveTo !== undefined))
}

async function apply(
  tx: Transaction,
  queue: Queue,
  rows: readonly Held[],
  after: ReadonlyMap<string, Changed>,
  now: Date,
): Promise<void> {
  await write(
    tx,
    rows.map(({ id }) => ({ id, ...after.get(id)! })),
    now,
  )
  await countAll(tx, rows)
  await sendUpstream(tx, queue, upstream(rows, after, await pathsOf(tx, [...after.values()])))
  const waking = rows.flatMap((row) => {
    const { snoozedUntil: until } = after.get(row.id)!
    return until === null || momentOf(row) === Date.parse(until) ? [] : [{ key: `${row.id}/${until}`, at: new Date(until) }]
  })
  await queue.send(tx, WAKING_LINE, waking)
}

async function pathsOf(db: Executor, changed: readonly Changed[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ id: string; path: string }>('select id, path from mail_folder where id = any($1::text[])', [
    [...new Set(changed.map(({ folderId }) => folderId))],
  ])
  return new Map(rows.map(({ id, path }) => [id, path]))
}

/** Marks messages: read, starred, with marks, out of the inbox until a moment. Answers how many differ, and what takes it back. */
export async function markMessages(
  tx: Transaction,
  queue: Queue,
  { user, now }: RequestContext,
  accountIds: readonly string[],
  ids: readonly string[],
  {
    seen,
    starred,
    markIds,
    snoozedUntil,
  }: { seen?: boolean; starred?: boolean; markIds?: string[]; snoozedUntil?: string | null },
): Promise<{ changed: number; undoToken: string }> {
  const rows = await hold(tx, accountIds, ids)
  const after = new Map(
    rows.map(({ id, ...row }) => [
      id,
      {
        ...row,
        ...{ seen: seen ?? row.seen, starred: starred ?? row.starred, marks: markIds ?? row.marks },
        // only what lies in the inbox comes back into it
        snoozedUntil: snoozedUntil === undefined || row.role !== 'inbox' ? row.snoozedUntil : snoozedUntil,
      },
    ]),
  )
  const undoToken = await keepUndo(tx, user.staffId, rows, now)
  await apply(tx, queue, rows, after, now)
  const changed = rows.filter((row) => {
    const next = after.get(row.id)!
    return (
      next.seen !== row.seen ||
      next.starred !== row.starred ||
      next.marks.join() !== row.marks.join() ||
      momentOf(next) !== momentOf(row)
    )
  })
  return { changed: changed.length, undoToken }
}

/** Moves messages to the inbox or to spam. Answers how many were moved, whose they are, and what takes it back. */
export async function moveMessages(
  tx: Transaction,
  queue: Queue,
  { user, now }: RequestContext,
  accountIds: readonly string[],
  ids: readonly string[],
  to: 'inbox' | 'junk' | 'trash' | 'archive',
): Promise<{ moved: number; undoToken: string; senders: string[] }> {
  const rows = await hold(tx, accountIds, ids)
  const targets = new Map<string, string>()
  for (const id of new Set(rows.map(({ accountId }) => accountId))) targets.set(id, await folderOf(tx, id, to))
  const type = (row: Held): string => (row.direction === 'out' ? '1' : to === 'junk' ? '3' : '2')
  const after = new Map(
    rows.map((row) => [row.id, { ...row, folderId: targets.get(row.accountId)!, emailType: type(row), snoozedUntil: null }]),
  )
  const undoToken = await keepUndo(tx, user.staffId, rows, now)
  await apply(tx, queue, rows, after, now)
  const moved = rows.filter((row) => row.folderId !== targets.get(row.accountId))
  await logMail(
    tx,
    moved.map(({ id, accountId, senderEmail, subject }) => ({
      ...{ accountId, action: 'moved' as const, staffId: user.staffId, messageId: id, peer: senderEmail, subject, result: to },
    })),
    now,
  )
  return { moved: moved.length, undoToken, senders: [...new Set(moved.map(({ senderEmail }) => senderEmail).filter(Boolean))] }
}

/** Takes a change back, within half a minute. @throws ServiceError 10010004 when that is over, or it was somebody else's */
export async function undoChange(
  tx: Transaction,
  queue: Queue,
  { user, now }: RequestContext,
  accountIds: readonly string[],
  token: string,
): Promise<number> {
  const { rows: kept } = await tx.query<{ messageId: string; before: string }>(
    'delete from mail_undo where token = $1 and staff_id = $2 and until >= $3 returning message_id as "messageId", before',
    [token, user.staffId, now.toISOString()],
  )
  if (kept.length === 0)
    throw new ServiceError('notFound', { message: { zh: '已不能撤销。', en: 'It cannot be taken back any more.' } })
  const rows = await hold(
    tx,
    accountIds,
    kept.map(({ messageId }) => messageId),
  )
  const after = new Map(kept.map(({ messageId, before }) => [messageId, JSON.parse(before) as Changed]))
  await apply(tx, queue, rows, after, now)
  return rows.length
}

/**
 * Brings a message back into the inbox whose moment has come: unread, before what came meanwhile. Answers what is told of it; null where nothing is to be brought
 * back any more.
 */
export async function wakeMessage(
  tx: Transaction,
  queue: Queue,
  id: string,
  now: Date,
): Promise<{ accountId: string; sender: string; subject: string } | null> {
  const { rows: due } = await tx.query<{ accountId: string; sender: string; subject: string }>(
    `update mail_message set woken_at = snoozed_until where id = $1 and snoozed_until <= $2 and deleted_at is null
     returning account_id as "accountId", coalesce(nullif(sender_name, ''), sender_email, '') as sender, coalesce(subject, '') as subject`,
    [id, now.toISOString()],
  )
  if (!due[0]) return null
  const rows = await hold(tx, [due[0].accountId], [id])
  await apply(tx, queue, rows, new Map(rows.map((row) => [row.id, { ...row, seen: false, snoozedUntil: null }])), now)
  return due[0]
}
