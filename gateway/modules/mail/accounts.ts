import { asciiAddress, domainOf } from '../../../src/headless/mail'
import { newId, type Executor } from '../../platform/database'
import { ServiceError, type RequestContext } from '../../platform/http'

type Host = 'imapHost' | 'imapSecurity' | 'smtpHost' | 'smtpSecurity' | 'authKind' | 'login'

/** A mailbox as the module works with it. */
export interface Account
  extends
    Record<'id' | 'address' | 'displayName', string>,
    Record<
      | Host
      | 'ownerId'
      | 'timeZone'
      | 'sentOn'
      | 'signatureId'
      | 'replySignatureId'
      | 'lastSyncAt'
      | 'syncError'
      | 'absentFrom'
      | 'absentUntil'
      | 'absentText',
      string | null
    >,
    Record<'imapPort' | 'smtpPort', number | null>,
    Record<'dailyLimit' | 'sentToday', number> {
  kind: 'personal' | 'shared' | 'system'
  transport: 'local' | 'imapSmtp'
  state: 'unverified' | 'active' | 'failing' | 'stopped' | 'unbound'
  pushEnabled: boolean
}

/** A mailbox with what somebody may do in it. */
export interface OwnAccount extends Account {
  right: Right
  isDefault: boolean
}

type Right = 'read' | 'write' | 'manage'

const COLUMNS = `a.id, a.address, a.display_name as "displayName", a.kind, a.owner_id as "ownerId", a.transport, a.state, a.imap_host as "imapHost", a.imap_port::int as "imapPort",
  a.imap_security as "imapSecurity", a.smtp_host as "smtpHost", a.smtp_port::int as "smtpPort", a.smtp_security as "smtpSecurity", a.auth_kind as "authKind", a.login, a.time_zone as "timeZone",
  coalesce(a.daily_limit, 500)::int as "dailyLimit", coalesce(a.sent_today, 0)::int as "sentToday", a.sent_on::text as "sentOn", a.signature_id as "signatureId",
  a.reply_signature_id as "replySignatureId", coalesce(a.push_enabled, true) as "pushEnabled", a.last_sync_at as "lastSyncAt", a.sync_error as "syncError",
  a.absent_from::text as "absentFrom", a.absent_until::text as "absentUntil", a.absent_text as "absentText"`

/** The mailboxes that somebody has a right in, with that right; those that are unbound are none. */
export async function accountsOf(db: Executor, staffId: string): Promise<OwnAccount[]> {
  const { rows } = await db.query<OwnAccount>(
    `select ${COLUMNS}, m."right", coalesce(m.is_default, false) as "isDefault" from mail_account_staff m join mail_account a on a.id = m.account_id
     where m.staff_id = $1 and m.deleted_at is null and a.deleted_at is null and a.state <> 'unbound' order by m.is_default desc nulls last, a.address`,
    [staffId],
  )
  return rows
}

/**
 * The mailboxes that a call is about: those that are named, all of the caller without names.
 * @throws ServiceError 10010004 for one that is not his
 */
export async function askedAccounts(
  db: Executor,
  { user }: RequestContext,
  ids: readonly string[] | undefined,
): Promise<OwnAccount[]> {
  const own = await accountsOf(db, user.staffId)
  if (ids === undefined || ids.length === 0) return own
  return ids.map((id) => {
    const found = own.find((account) => account.id === id)
    if (!found) throw new ServiceError('notFound')
    return found
  })
}

/** What may be done with a mailbox. */
export const mayWrite = ({ right }: Pick<OwnAccount, 'right'>): boolean => right !== 'read'

/** A mailbox by its id. */
export async function findAccount(db: Executor, id: string): Promise<Account | null> {
  const { rows } = await db.query<Account>(`select ${COLUMNS} from mail_account a where a.id = $1 and a.deleted_at is null`, [id])
  return rows[0] ?? null
}

/** The mailboxes that the portal itself delivers to, of these addresses. */
export async function localAccounts(db: Executor, emails: readonly string[]): Promise<Account[]> {
  const { rows } = await db.query<Account>(
    `select ${COLUMNS} from mail_account a where a.address = any($1::text[]) and a.transport = 'local' and a.state in ('active', 'failing') and a.deleted_at is null`,
    [emails.flatMap((email) => [asciiAddress(email), withoutKey(asciiAddress(email))])],
  )
  return rows
}

/** An address without the key that returned mail is known by: it comes to the mailbox itself. */
export const withoutKey = (address: string): string => address.replace(/\+b-[0-9a-v]{20}(?=@)/u, '')

/** Domains of mailboxes of the portal. */
export async function ownDomains(db: Executor): Promise<string[]> {
  const { rows } = await db.query<{ address: string }>(`select address from mail_account where deleted_at is null`)
  return [...new Set(rows.map(({ address }) => domainOf(address)))]
}

type FolderRole = 'inbox' | 'sent' | 'drafts' | 'junk' | 'trash' | 'archive' | 'other'

/** Folders that a mailbox has from its beginning: those of a server take their places when it answers. */
const FOLDERS = { inbox: 'INBOX', sent: 'Sent', drafts: 'Drafts', junk: 'Junk', trash: 'Trash', archive: 'Archive' } as const

/** Makes the folders that a mailbox has to have; those that are there stay. */
export async function ensureFolders(db: Executor, accountId: string, now: Date): Promise<void> {
  const { rows } = await db.query<{ role: string }>('select role from mail_folder where account_id = $1 and deleted_at is null', [
    accountId,
  ])
  const missing = Object.entries(FOLDERS).filter(([role]) => !rows.some((folder) => folder.role === role))
  await addFolders(
    db,
    accountId,
    missing.map(([role, path]) => ({ role, path })),
    now,
  )
}

/** Adds folders to a mailbox, each unless its path is there. */
export async function addFolders(
  db: Executor,
  accountId: string,
  folders: readonly { role: string; path: string }[],
  now: Date,
): Promise<void> {
  const rows = folders.map((folder) => ({ id: newId(), ...folder }))
  await db.query(
    `insert into mail_folder (id, account_id, role, path, total, unread, uid_next, created_at, updated_at, version)
     select r.id, $2, r.role, r.path, 0, 0, 1, $3, $3, 1 from jsonb_to_recordset($1::jsonb) as r(id text, role text, path text)
     where not exists (select from mail_folder f where f.account_id = $2 and f.path = r.path and f.deleted_at is null) on conflict do nothing`,
    [JSON.stringify(rows), accountId, now.toISOString()],
  )
}

/** The folder of a mailbox with a role. @throws Error where it has none */
export async function folderOf(db: Executor, accountId: string, role: FolderRole): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `select id from mail_folder where account_id = $1 and role = $2 and deleted_at is null order by created_at, id limit 1`,
    [accountId, role],
  )
  if (!rows[0]) throw new Error(`The mailbox ${accountId} has no folder "${role}".`)
  return rows[0].id
}

/** One message more in a folder. */
export const countOne = (db: Executor, folderId: string, isSeen: boolean) =>
  db.query('update mail_folder set total = coalesce(total, 0) + 1, unread = coalesce(unread, 0) + $2 where id = $1', [
    folderId,
    isSeen ? 0 : 1,
  ])

/** Counts the folders of a mailbox anew. */
export async function countFolders(db: Executor, accountId: string): Promise<void> {
  await db.query(
    `update mail_folder f set total = c.total, unread = c.unread from (
       select g.id, count(m.id) as total, count(m.id) filter (where m.seen is not true and m.snoozed_until is null) as unread from mail_folder g
       left join mail_message m on m.folder_id = g.id and m.account_id = g.account_id and m.deleted_at is null where g.account_id = $1 and g.deleted_at is null group by g.id) c
     where f.id = c.id and (f.total is distinct from c.total or f.unread is distinct from c.unread)`,
    [accountId],
  )
}
