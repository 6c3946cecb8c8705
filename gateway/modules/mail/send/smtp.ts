import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { createTransport } from 'nodemailer'
import type { Executor } from '../../../platform/database'
import { SlowServerError } from '../../../platform/mail'
import { publicAddressOf } from '../../../platform/outside'
import { asciiAddress, needsUtf8 } from '../../../../src/headless/mail'
import type { Account } from '../accounts'
import type { MailParts } from '../parts'
import type { RefusedRecipient } from './sent'

/** How one attempt went. */
export type Attempt =
  | { kind: 'sent'; refused: RefusedRecipient[] }
  /** Again later: nothing of it was taken. */
  | { kind: 'later'; reason: string }
  | { kind: 'failed'; reason: string; refused: RefusedRecipient[] }
  /** All of it was handed over and the answer did not come: nobody knows. */
  | { kind: 'unknown'; reason: string }

type SmtpParts = Pick<MailParts, 'settings' | 'secrets' | 'tokens'>

/** Milliseconds. */
const CONNECT = 20_000
const SILENCE = 60_000
/** Times the patience with a server that one mail takes at most, beside what its bytes take. */
const TALK = 5
/** Bytes a millisecond of a line that a mail still goes out by. */
const SLOWEST = 5

/** A connection to the server that a mailbox sends by: to the address that was checked, by the name that its certificate bears. */
async function smtpOf({ settings, secrets, tokens }: SmtpParts, db: Executor, account: Account, socket: Socket) {
  const host = account.smtpHost ?? ''
  const secure = account.smtpSecurity === 'tls'
  const address = await publicAddressOf(host, settings.mailPrivateHosts, 'MAIL_PRIVATE_HOSTS')
  const secret = await secrets.of(db, account.id)
  const user = account.login ?? account.address
  return createTransport({
    ...{ host: address, port: account.smtpPort ?? (secure ? 465 : 587), secure, name: 'switchboard' },
    socket,
    ...{ requireTLS: account.smtpSecurity === 'starttls', ignoreTLS: account.smtpSecurity === 'none' },
    tls: { servername: host },
    ...(secret === null
      ? {}
      : account.authKind === 'oauth2'
        ? { auth: { type: 'OAuth2' as const, user, accessToken: await tokens.of(account.id, account.imapHost ?? '', secret) } }
        : { auth: { user, pass: secret } }),
    ...{ connectionTimeout: CONNECT, greetingTimeout: CONNECT, socketTimeout: SILENCE, dnsTimeout: CONNECT },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
}

interface SmtpFault {
  message: string
  code?: string
  responseCode?: number
  response?: string
  rejectedErrors?: { recipient?: string; response?: string; message: string; responseCode?: number }[]
}

/** Hands the frozen bytes of a mail to the server of its mailbox, once. */
export async function attempt(
  parts: SmtpParts,
  db: Executor,
  account: Account,
  mail: { envelope: readonly string[]; raw: Buffer; returnPath: string | null },
): Promise<Attempt> {
  const socket = new Socket()
  /** Bytes that were written when the mail began to be read, which may be before the server has taken the envelope. */
  let before = Infinity
  const patience = TALK * parts.settings.mailPatience + mail.raw.length / SLOWEST
  const deadline = setTimeout(() => socket.destroy(new SlowServerError()), patience)
  const handOver = function* () {
    before = socket.bytesWritten
    yield mail.raw
  }
  try {
    const transport = await smtpOf(parts, db, account, socket)
    try {
      const info = await transport.sendMail({
        envelope: { from: mail.returnPath ?? account.address, to: mail.envelope.map(asciiAddress) },
        raw: Readable.from(handOver()),
      })
      return { kind: 'sent', refused: refusals(info as unknown as SmtpFault) }
    } finally {
      transport.close()
    }
  } catch (error) {
    // what was not written to its end the server cannot have taken
    return judged(error as SmtpFault, mail.envelope, socket.bytesWritten - before >= mail.raw.length)
  } finally {
    clearTimeout(deadline)
    socket.destroy()
  }
}

const refusals = ({ rejectedErrors = [] }: SmtpFault): RefusedRecipient[] =>
  rejectedErrors.map(({ recipient = '', response, message }) => ({ email: recipient, reason: response ?? message }))

function judged(fault: SmtpFault, envelope: readonly string[], isHandedOver: boolean): Attempt {
  const reason = (fault.response ?? fault.message).slice(0, 400)
  const { responseCode, code } = fault
  if (code === 'EENVELOPE' && envelope.some(needsUtf8))
    return { kind: 'failed', reason: `SMTPUTF8: ${reason}`, refused: refusals(fault) }
  if (responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH')
    return { kind: 'failed', reason, refused: refusals(fault) }
  if (responseCode === undefined && isHandedOver) return { kind: 'unknown', reason }
  return { kind: 'later', reason }
}
