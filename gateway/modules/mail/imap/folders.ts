import type { ImapFlow } from 'imapflow'
import { newId, type Executor } from '../../../platform/database'

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
    ...{ id: newId(), path: path.slice(0, 300) },
    role: path.toUpperCase() === 'INBOX' ? 'inbox' : (ROLES[specialUse ?? ''] ?? 'other'),
  }))
  const at = now.toISOString()
  return db.transaction(async (tx) => {
    await tx.query(
      `insert into mail_folder (id, account_id, role, path, total, unread, uid_next, created_at, updated_at, version)
       select r.id, $2, r.role, r.path, 0, 0, 1, $3, $3, 1 from jsonb_to_recordset($1::jsonb) as r(id text, role text, path text)
       where not exists (select from mail_folder f where f.account_id = $2 and f.path = r.path and f.deleted_at is null) on conflict do nothing`,
      [JSON.stringify(rows), accountId, at],
    )
    const paths = rows.map(({ path }) => path)
    const { rows: gone } = await tx.query<{ id: string }>(
      `update mail_folder set deleted_at = $3, updated_at = $3 where account_id = $1 and path <> all($2::text[]) and uid_validity is not null and deleted_at is null returning id`,
      [accountId, paths, at],
    )
    await tx.query(`update mail_message set deleted_at = $2 where folder_id = any($1::text[]) and deleted_at is null`, [
      gone.map(({ id }) => id),
      at,
    ])
    const { rows: there } = await tx.query<Folder>(
      `select id, path, role, uid_validity as "uidValidity", coalesce(uid_next, 1)::int as "uidNext", highest_mod_seq as "highestModSeq", synced_at as "syncedAt"
       from mail_folder where account_id = $1 and path = any($2::text[]) and deleted_at is null order by role = 'inbox' desc, role = 'other', path`,
      [accountId, paths],
    )
    return there
  })
}
