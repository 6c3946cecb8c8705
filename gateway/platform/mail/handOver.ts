import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { createTransport } from 'nodemailer'
import { asciiAddress, needsUtf8 } from '../../../src/headless/mail'
import { SlowServerError } from './faults'
import { reachedAt, type MailServer } from './server'

/** A recipient whom a server did not take, with its words. */
export interface RefusedRecipient {
  email: string
  reason: string
}

/** How the handing over of a mail went. */
export type HandedOver =
  | { kind: 'sent'; refused: RefusedRecipient[] }
  /** Again later: nothing of it was taken. */
  | { kind: 'later'; reason: string }
  | { kind: 'failed'; reason: string; refused: RefusedRecipient[] }
  /** All of it was handed over and the answer did not come: nobody knows. */
  | { kind: 'unknown'; reason: string }

/** Milliseconds. */
const CONNECT = 20_000
const SILENCE = 60_000
/** Times the patience with a server that one mail takes at most, beside what its bytes take. */
const TALK = 5
/** Bytes a millisecond of a line that a mail still goes out by. */
const SLOWEST = 5

/** A connection to an SMTP server (RFC 5321): to the address that was checked, by the name that its certificate bears. */
async function transportTo(server: MailServer, socket: Socket) {
  const { host, port, security, signIn } = server
  const secure = security === 'tls'
  const auth = signIn && ('pass' in signIn ? signIn : { type: 'OAuth2' as const, ...signIn })
  return createTransport({
    ...{ host: await reachedAt(server), port: port ?? (secure ? 465 : 587), secure, name: 'switchboard' },
    socket,
    ...{ requireTLS: security === 'starttls', ignoreTLS: security === 'none' },
    tls: { servername: host },
    ...(auth && { auth }),
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

/** Hands the frozen bytes of a mail to a server, once; faults are answers. */
export async function handOver(
  server: MailServer,
  mail: { sender: string; envelope: readonly string[]; raw: Buffer },
): Promise<HandedOver> {
  const socket = new Socket()
  /** Bytes that were written when the mail began to be read, which may be before the server has taken the envelope. */
  let before = Infinity
  const patience = TALK * server.patience + mail.raw.length / SLOWEST
  const deadline = setTimeout(() => socket.destroy(new SlowServerError()), patience)
  const read = function* () {
    before = socket.bytesWritten
    yield mail.raw
  }
  try {
    const transport = await transportTo(server, socket)
    try {
      const info = await transport.sendMail({
        envelope: { from: mail.sender, to: mail.envelope.map(asciiAddress) },
        raw: Readable.from(read()),
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

function judged(fault: SmtpFault, envelope: readonly string[], isHandedOver: boolean): HandedOver {
  const reason = (fault.response ?? fault.message).slice(0, 400)
  const { responseCode, code } = fault
  if (code === 'EENVELOPE' && envelope.some(needsUtf8))
    return { kind: 'failed', reason: `SMTPUTF8: ${reason}`, refused: refusals(fault) }
  if (responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH')
    return { kind: 'failed', reason, refused: refusals(fault) }
  if (responseCode === undefined && isHandedOver) return { kind: 'unknown', reason }
  return { kind: 'later', reason }
}
