import { ImapFlow } from 'imapflow'
import type { Executor } from '../../../platform/database'
import { leave, whileItAnswers } from '../../../platform/mail'
import { publicAddressOf } from '../../../platform/outside'
import type { Account } from '../accounts'
import type { MailParts } from '../parts'

type ImapParts = Pick<MailParts, 'settings' | 'secrets' | 'tokens'>

/** A message longer than this is not read. */
export const LARGEST = 52_428_800
/** The numbers of a million messages stand in one line; nothing sensible is longer. */
const LONGEST_LINE = 16_777_216
/** A connection to the server of a mailbox, signed in: to the address that was checked, by the name that its certificate bears. */
export async function connectTo(
  { settings, secrets, tokens }: ImapParts,
  db: Executor,
  account: Account,
  signal?: AbortSignal,
): Promise<ImapFlow> {
  const host = account.imapHost ?? ''
  const secure = account.imapSecurity === 'tls'
  const address = await publicAddressOf(host, settings.mailPrivateHosts, 'MAIL_PRIVATE_HOSTS')
  const secret = (await secrets.of(db, account.id)) ?? ''
  const user = account.login ?? account.address
  const isToken = account.authKind === 'oauth2'
  const client = new ImapFlow({
    ...{ host: address, servername: host, port: account.imapPort ?? (secure ? 993 : 143), secure },
    ...(account.imapSecurity === 'starttls' ? { doSTARTTLS: true } : {}),
    ...(account.imapSecurity === 'none' ? { doSTARTTLS: false } : {}),
    auth: isToken ? { user, accessToken: await tokens.of(account.id, host, secret) } : { user, pass: secret },
    ...{ logger: false, qresync: true, maxIdleTime: 9 * 60_000, missingIdleCommand: 'NOOP' },
    ...{ connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 5 * 60_000 },
    ...{ maxLiteralSize: LARGEST, maxLineLength: LONGEST_LINE, maxResponseSize: LARGEST + LONGEST_LINE },
    clientInfo: { name: 'Switchboard' },
  })
  client.on('error', () => undefined)
  const end = () => client.close()
  signal?.addEventListener('abort', end)
  try {
    await whileItAnswers(client, settings.mailPatience, () => client.connect())
    signal?.throwIfAborted()
    return client
  } catch (error) {
    if (isToken) tokens.forget(account.id)
    client.close()
    throw error
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

/** Does something over a connection of its own. */
export async function overImap<Result>(
  parts: ImapParts,
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
