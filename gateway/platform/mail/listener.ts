import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { asciiAddress, domainOf } from '../../../src/headless/mail'
import { isPrivateAddress } from '../outside'
import { verifiedOrigin } from './origin'

/** Bytes of a mail. */
const LARGEST = 31_457_280
/** A mail that went through so many servers goes in circles. */
const MOST_HOPS = 49
const MOST_RECIPIENTS = 100

/** A mail that came in by SMTP, with what can be said of its origin. */
export interface TakenMail {
  raw: Buffer
  envelope: string[]
  authResults: Record<string, unknown> | null
}

/** Who takes what comes in. */
export interface MailTaker {
  /** Domains in whose name nobody writes from outside. */
  ownDomains(): Promise<readonly string[]>
  hasMailbox(address: string): Promise<boolean>
  /** Delivers, or throws: then the sender tries again later. */
  take(mail: TakenMail): Promise<void>
  onError(error: unknown, message: string): void
}

const refused = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode })

/**
 * Takes mail by SMTP (RFC 5321) for mailboxes of the portal, and for nobody else: it relays nothing, and whoever is not signed in writes in the name of none of them.
 * What it took with 250 is delivered.
 */
export class MailListener {
  private readonly server: SMTPServer

  constructor(private readonly taker: MailTaker) {
    this.server = new SMTPServer({
      ...{ name: 'switchboard', banner: 'Switchboard', size: LARGEST, authOptional: true, logger: false },
      // without a certificate of its own it offers neither
      disabledCommands: ['AUTH', 'STARTTLS'],
      ...{ maxClients: 100, socketTimeout: 60_000, closeTimeout: 2_000, disableReverseLookup: true },
      onMailFrom: ({ address }, _session, done) => this.answer(this.sender(address), done),
      onRcptTo: ({ address }, session, done) => this.answer(this.recipient(address, session), done),
      onData: (stream, session, done) => {
        this.take(stream, session).then(
          () => done(null, 'delivered'),
          (error: unknown) => {
            stream.resume()
            done(this.told(error))
          },
        )
      },
    })
    this.server.on('error', (error) => taker.onError(error, 'the SMTP listener has a fault'))
  }

  /** Listens; answers the port that was taken. @throws when it is taken by somebody else */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject)
      const server = this.server.listen(port, host, () => {
        this.server.off('error', reject)
        const address = server.address()
        resolve(typeof address === 'object' && address !== null ? address.port : port)
      })
    })
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  private answer(work: Promise<void>, done: (error?: Error | null) => void): void {
    work.then(
      () => done(),
      (error: unknown) => done(this.told(error)),
    )
  }

  /** Refusals are told; a fault of ours is for later. */
  private told(error: unknown): Error {
    if (error instanceof Error && 'responseCode' in error) return error
    this.taker.onError(error, 'a mail could not be taken')
    return refused(451, '4.3.0 try again later')
  }

  private async sender(address: string): Promise<void> {
    if (address === '') return
    if ((await this.taker.ownDomains()).includes(domainOf(address)))
      throw refused(550, '5.7.1 sign in to send from an address of this portal')
  }

  private async recipient(address: string, { envelope }: SMTPServerSession): Promise<void> {
    if (envelope.rcptTo.length >= MOST_RECIPIENTS) throw refused(452, '4.5.3 too many recipients')
    if (!(await this.taker.hasMailbox(address))) throw refused(550, '5.7.1 no such mailbox here, and nothing is relayed')
  }

  private async take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const raw = await bytesOf(stream)
    // without an empty line all of it is header
    const end = /\r?\n\r?\n/u.exec(raw.toString('latin1'))?.index ?? raw.length
    const head = raw.subarray(0, end).toString('latin1')
    if ((head.match(/^received:/gimu) ?? []).length > MOST_HOPS) throw refused(554, '5.4.6 the mail goes in circles')
    await this.refuseForged(head)
    const envelope = session.envelope.rcptTo.map(({ address }) => asciiAddress(address))
    await this.taker.take({ raw, envelope, authResults: await this.origin(raw, session) })
  }

  /** Nobody who is not signed in writes in the name of somebody here, in the header either. */
  private async refuseForged(head: string): Promise<void> {
    const from = [...head.matchAll(/^from[ \t]*:((?:[^\r\n]|\r?\n[ \t])*)/gimu)].map(([, value = '']) => value).join(',')
    const domains = [...from.matchAll(/@([^\s<>"',;)]+)/gu)].map(([, domain = '']) => domainOf(`x@${domain}`))
    const own = await this.taker.ownDomains()
    if (domains.some((domain) => own.includes(domain))) throw refused(550, '5.7.1 sign in to send from an address of this portal')
  }

  /** Of one from within nothing can be said. */
  private async origin(
    raw: Buffer,
    { remoteAddress: ip, envelope, hostNameAppearsAs: helo }: SMTPServerSession,
  ): Promise<Record<string, unknown> | null> {
    const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address
    return isPrivateAddress(ip) ? null : verifiedOrigin(raw, { ip, helo, sender })
  }
}

/** What is handed over; of more than is taken nothing is kept. @throws the refusal of a mail that is too large */
async function bytesOf(stream: SMTPServerDataStream): Promise<Buffer> {
  let parts: Buffer[] = []
  for await (const part of stream as AsyncIterable<Buffer>) {
    parts.push(part)
    if (stream.sizeExceeded) parts = []
  }
  if (stream.sizeExceeded) throw refused(552, '5.3.4 the mail is larger than 30 MB')
  return Buffer.concat(parts)
}
