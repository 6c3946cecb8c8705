import { ImapFlow } from 'imapflow'
import { whileItAnswers } from './patience'
import { reachedAt, type MailServer } from './server'

/** Bytes; a message longer than this is not read. */
export const LARGEST_READ = 52_428_800
/** The numbers of a million messages stand in one line; nothing sensible is longer. */
const LONGEST_LINE = 16_777_216

/** A connection to an IMAP server (RFC 9051), signed in: to the address that was checked, by the name that its certificate bears. */
export async function connectImap(server: MailServer, signal?: AbortSignal): Promise<ImapFlow> {
  const { host, port, security, signIn, patience } = server
  const secure = security === 'tls'
  const client = new ImapFlow({
    ...{ host: await reachedAt(server), servername: host, port: port ?? (secure ? 993 : 143), secure },
    ...(secure ? {} : { doSTARTTLS: security === 'starttls' }),
    auth: signIn ?? { user: '' },
    ...{ logger: false, qresync: true, maxIdleTime: 9 * 60_000, missingIdleCommand: 'NOOP' },
    ...{ connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 5 * 60_000 },
    ...{ maxLiteralSize: LARGEST_READ, maxLineLength: LONGEST_LINE, maxResponseSize: LARGEST_READ + LONGEST_LINE },
    clientInfo: { name: 'Switchboard' },
  })
  client.on('error', () => undefined)
  const end = () => client.close()
  signal?.addEventListener('abort', end)
  try {
    await whileItAnswers(client, patience, () => client.connect())
    signal?.throwIfAborted()
    return client
  } catch (error) {
    client.close()
    throw error
  } finally {
    signal?.removeEventListener('abort', end)
  }
}
