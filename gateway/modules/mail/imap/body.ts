import { columnName } from '../../../../src/schema/entity'
import type { Executor } from '../../../platform/database'
import { findAccount } from '../accounts'
import { readMail } from '../../../platform/mail'
import type { MailParts } from '../parts'
import { messageRow } from '../receive/receive'
import { overImap } from './connect'

/** Columns of a message that are what its bytes say, and follow when they are read again. */
const READ = [
  ...['subject', 'previewText', 'textBody', 'htmlBody', 'htmlVersion', 'htmlCut', 'searchText', 'charsetGuessed', 'attachments'],
  ...['hasAttachment', 'rawHash', 'bodyState', 'replyToList', 'senderName'],
] as const

/** Writes into a row what the bytes of its message say. */
export async function readAgain(
  db: Executor,
  row: { id: string; at: Date },
  raw: Buffer,
  rawHash: string,
  charset?: string,
): Promise<void> {
  const mail = await readMail(raw, charset)
  const values = messageRow(mail, { rawHash, size: raw.length, at: row.at, authResults: null, place: null })
  const given = READ.map((name) => {
    const value: unknown = values[name]
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  })
  const set = READ.map((name, index) => `"${columnName(name)}" = $${index + 2}`).join(', ')
  await db.query(`update mail_message set ${set} where id = $1`, [row.id, ...given])
}

/** The body of a message of which only the headers came so far; false where the server has it no more. */
export async function fetchBody(
  parts: Pick<MailParts, 'settings' | 'secrets' | 'tokens' | 'database' | 'raw'>,
  row: { id: string; accountId: string; path: string; uid: number; at: Date },
): Promise<boolean> {
  const { database } = parts
  const account = await findAccount(database, row.accountId)
  if (account?.transport !== 'imapSmtp') return false
  const raw = await overImap(parts, database, account, async (client) => {
    const lock = await client.getMailboxLock(row.path)
    try {
      const found = await client.fetchOne(String(row.uid), { source: true }, { uid: true })
      return found === false ? undefined : found.source
    } finally {
      lock.release()
    }
  })
  if (raw === undefined) return false
  await readAgain(database, row, raw, await parts.raw.keep(raw))
  return true
}
