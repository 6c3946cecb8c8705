import { newId, type Executor } from '../../platform/database'

type Moved = 'moved' | 'deleted' | 'restored'
type Seen = 'received' | 'opened' | 'downloaded' | 'bound' | 'unbound' | 'secretChanged'
type Sending = 'queued' | 'sent' | 'failed' | 'bounced'

/** An entry of the log of mail. */
export interface LogEntry {
  accountId: string
  action: Moved | Seen | Sending
  staffId?: string | null
  messageId?: string | null
  peer?: string | null
  subject?: string | null
  result?: string | null
}

/** Writes what was done with mail; nobody changes it afterwards. */
export async function logMail(db: Executor, entries: readonly LogEntry[], now: Date): Promise<void> {
  if (entries.length === 0) return
  const cut = (text: string | null | undefined, most: number): string | null => text?.slice(0, most) ?? null
  const rows = entries.map(({ accountId, action, staffId, messageId, peer, subject, result }) => ({
    ...{ id: newId(), account_id: accountId, action, staff_id: staffId || null, message_id: messageId ?? null },
    ...{ peer: cut(peer, 254), subject: cut(subject, 300), result: cut(result, 500) },
  }))
  await db.query(
    `insert into mail_log (id, account_id, action, staff_id, message_id, peer, subject, result, at, created_at, updated_at, version)
     select r.id, r.account_id, r.action, r.staff_id, r.message_id, r.peer, r.subject, r.result, $2, $2, $2, 1
     from jsonb_to_recordset($1::jsonb) as r(id text, account_id text, action text, staff_id text, message_id text, peer text, subject text, result text)`,
    [JSON.stringify(rows), now.toISOString()],
  )
}
