import type { ImapFlow } from 'imapflow'

/** Providers that file what goes through their SMTP server by themselves. */
const FILES_ITSELF = /(?:^|\.)(?:gmail\.com|googlemail\.com|office365\.com|outlook\.com)$/iu

/** Whether what goes through an SMTP server is filed as sent without anybody's doing. */
export const filesItself = (smtpHost: string | null): boolean => FILES_ITSELF.test(smtpHost ?? '')

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

/** Whether a mail lies in the Sent folder of a server; null where there is no such folder. */
export async function isInSent(client: ImapFlow, messageId: string): Promise<boolean | null> {
  const path = await sentPath(client)
  return path === null ? null : has(client, path, messageId)
}

/** Files mails in the Sent folder of a server, which is made where there is none: each unless it is there. */
export async function fileAsSent<Mail extends { messageId: string }>(
  client: ImapFlow,
  mails: readonly Mail[],
  { bytes, filed }: { bytes(mail: Mail): Promise<Buffer>; filed(mail: Mail): Promise<unknown> },
): Promise<void> {
  const path = (await sentPath(client)) ?? (await client.mailboxCreate('Sent')).path
  for (const mail of mails) {
    if (!(await has(client, path, mail.messageId))) await client.append(path, await bytes(mail), ['\\Seen'])
    await filed(mail)
  }
}
