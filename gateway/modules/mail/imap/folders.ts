import type { ImapFlow } from 'imapflow'
import type { Executor } from '../../../platform/database'
import { addFolders } from '../accounts'

/** A folder of a mailbox with how far it is known. */
export interface Folder {
  id: string
  path: string
  role: string
  uidValidity: string | null
  uidNext: number
  highestModSeq: string | null
  syncedAt: string | null
}

const ROLES: Readonly<Record<string, string>> = {
  '\\Inbox': 'inbox',
  '\\Sent': 'sent',
  '\\Drafts': 'drafts',
  '\\Junk': 'junk',
  '\\Trash': 'trash',
  '\\Archive': 'archive',
}

/** Takes over the folders of a server: new ones come, those that are gone go with their messages. The inbox comes first. */
export async function followFolders(db: Executor, client: ImapFlow, accountId: string, now: Date): Promise<Folder[]> {
  const listed = (await client.list()).filter(({ flags, specialUse }) => !flags.has('\\Noselect') && specialUse !== '\\All')
  const rows = listed.map(({ path, specialUse }) => ({
    path: path.slice(0, 300),
    role: path.toUpperCase() === 'INBOX' ? 'inbox' : (ROLES[specialUse ?? ''] ?? 'other'),
  }))
  const at = now.toISOString()
  return db.transaction(async (tx) => {
    await addFolders(tx, accountId, rows, now)
    const paths = rows.map(({ path }) => path)
    const { rows: gone } = await tx.query<{ id: string }>(
      `update mail_folder set deleted_at = $3, updated_at = $3 where account_id = $1 and path <> all($2::text[]) and uid_validity is not null and deleted_at is null returning id`,
      [accountId, paths, at],
    )
    const left = gone.map(({ id }) => id)
    await tx.query(`update mail_message set deleted_at = $2 where folder_id = any($1::text[]) and deleted_at is null`, [left, at])
    return storedFolders(tx, accountId, paths)
  })
}

/** What is known of folders of a mailbox; the inbox comes first. */
export async function storedFolders(db: Executor, accountId: string, paths: readonly string[]): Promise<Folder[]> {
  const { rows } = await db.query<Folder>(
    `select id, path, role, uid_validity as "uidValidity", coalesce(uid_next, 1)::int as "uidNext", highest_mod_seq as "highestModSeq", synced_at as "syncedAt"
     from mail_folder where account_id = $1 and path = any($2::text[]) and deleted_at is null order by role = 'inbox' desc, role = 'other', path`,
    [accountId, [...paths]],
  )
  return rows
}
