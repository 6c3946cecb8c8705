import type { ImapFlow } from 'imapflow'
import type { Account } from '../accounts'
import type { MailParts } from '../parts'
import { overImap } from './connect'

type Parts = Pick<MailParts, 'settings' | 'secrets' | 'tokens' | 'database'>

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

/** Files mails that were sent, over one connection: each unless it is there, and none where the provider does it. */
export async function fileInSent<Mail extends { messageId: string }>(
  parts: Parts,
  account: Account,
  mails: readonly Mail[],
  { bytes, filed }: { bytes(mail: Mail): Promise<Buffer>; filed(mail: Mail): Promise<unknown> },
): Promise<void> {
  if (mails.length === 0) return
  if (FILES_ITSELF.test(account.smtpHost ?? '')) return void (await Promise.all(mails.map(filed)))
  await overImap(parts, parts.database, account, async (client) => {
    const path = (await sentPath(client)) ?? (await client.mailboxCreate('Sent')).path
    for (const mail of mails) {
      if (!(await has(client, path, mail.messageId))) await client.append(path, await bytes(mail), ['\\Seen'])
      await filed(mail)
    }
  })
}
