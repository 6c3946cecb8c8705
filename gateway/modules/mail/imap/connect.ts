import type { ImapFlow } from 'imapflow'
import type { Executor } from '../../../platform/database'
import { connectImap, leave, whileItAnswers } from '../../../platform/mail'
import type { Account } from '../accounts'
import { serverOf, type ServerParts } from '../servers'

/** A connection to the server of a mailbox, signed in. */
export async function connectTo(parts: ServerParts, db: Executor, account: Account, signal?: AbortSignal): Promise<ImapFlow> {
  const server = await serverOf(parts, db, account, 'imap')
  return connectImap(server, signal).catch((error: unknown) => {
    if (account.authKind === 'oauth2') parts.tokens.forget(account.id)
    throw error
  })
}

/** Does something over a connection of its own. */
export async function overImap<Result>(
  parts: ServerParts,
  db: Executor,
  account: Account,
  work: (client: ImapFlow) => Promise<Result>,
): Promise<Result> {
  const client = await connectTo(parts, db, account)
  try {
    return await whileItAnswers(client, parts.settings.mailPatience, () => work(client))
  } finally {
    await leave(client)
  }
}
