import type { ImapFlow } from 'imapflow'
import type { Account } from '../accounts'
import type { MailParts } from '../parts'
import { overImap } from './connect'

type Parts = Pick<MailParts, 'settings' | 'secrets' | 'database'>

/** Providers that file what goes through their SMTP server by themselves. */
const FILES_ITSELF = /(?:^|\.)(?:gmail\.com|googlemail\.com|office365\.com|outlook\.com)$/iu

async function sentPath(client: ImapFlow): Promise<string | null> {
  return (await client.list()).find(({ specialUse }) => specialUse === '\\Sent')?.path ?? null
}

async function has(client: ImapFlow, path: string, messageId: string): Promise<boolean> {
  const lock = await client.getMailboxLock(path)
  try {
    const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
    if (!Array.isArray(found)) throw new Error('The server does not search.')
    return found.length > 0
  } finally {
    lock.release()
  }
}

/** Whether a mail lies in the Sent folder of its server; null where there is no such folder. */
export function findInSent(parts: Parts, account: Account, messageId: string): Promise<boolean | null> {
  return overImap(parts, parts.database, account, async (client) => {
    const path = await sentPath(client)
    return path === null ? null : has(client, path, messageId)
  })
}

/** Files a mail that was sent, unless it is there. */
export async function appendToSent(parts: Parts, account: Account, messageId: string, raw: Buffer): Promise<void> {
  if (FILES_ITSELF.test(account.smtpHost ?? '')) return
  await overImap(parts, parts.database, account, async (client) => {
    const path = (await sentPath(client)) ?? (await client.mailboxCreate('Sent')).path
    if (!(await has(client, path, messageId))) await client.append(path, raw, ['\\Seen'])
  })
}
