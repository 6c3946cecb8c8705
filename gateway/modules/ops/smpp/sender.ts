import { connect, type Socket } from 'node:net'
import type { Connector, SmsOrder, SmsOutcome, SmsReceipt } from '../connector'
import { bindBody, receiptOf, submitBody } from './messages'
import { ANSWER, BodyReader, BodyWriter, COMMANDS, decodePdus, encodePdu, type Pdu } from './pdu'

export interface SmppOptions {
  host: string
  port: number
  systemId: string
  password: string
  channelTag: number | undefined
}

const [PATIENCE, SILENCE] = [10_000, 30_000]
const TRY_AGAIN = 0x64
const UNKNOWN_COMMAND = 0x03
const MOST_SEQUENCE = 0x7fffffff

/** Sends by one bind as transceiver, which is made when it is first needed and made anew when it is gone. */
export class SmppSender implements Connector<SmsOrder, SmsOutcome> {
  private session: Promise<SmppSession> | undefined

  constructor(
    private readonly options: SmppOptions,
    private readonly onReceipt: (receipt: SmsReceipt) => Promise<void>,
  ) {}

  async ask(order: SmsOrder, signal: AbortSignal): Promise<SmsOutcome> {
    this.session ??= SmppSession.open(this.options, this.onReceipt, () => (this.session = undefined))
    const session = await this.session.catch((error: unknown) => {
      this.session = undefined
      throw error
    })
    const { status, body } = await session.ask(COMMANDS.submit, submitBody(order, this.options.channelTag), signal)
    return status === 0
      ? { accepted: true, messageId: new BodyReader(body).text(), errorCode: null }
      : { accepted: false, messageId: null, errorCode: told(status) }
  }

  async close(): Promise<void> {
    const session = await this.session?.catch(() => undefined)
    await session?.close()
  }
}

const told = (status: number): string => `0x${status.toString(16).toUpperCase().padStart(8, '0')}`

interface Waiting {
  resolve: (answer: Pdu) => void
  reject: (error: Error) => void
}

class SmppSession {
  private come: Buffer = Buffer.alloc(0)
  private sequence = 0
  private readonly waiting = new Map<number, Waiting>()
  private link: NodeJS.Timeout | undefined
  private isGone = false

  private constructor(
    private readonly socket: Socket,
    private readonly onReceipt: (receipt: SmsReceipt) => Promise<void>,
    private readonly onGone: () => void,
  ) {
    socket.on('data', (some: Buffer) => this.read(some))
    socket.on('error', (error) => this.gone(error))
    socket.on('close', () => this.gone(new Error('the connection was closed')))
  }

  static async open(
    { host, port, systemId, password }: SmppOptions,
    onReceipt: (receipt: SmsReceipt) => Promise<void>,
    onGone: () => void,
  ): Promise<SmppSession> {
    const socket = connect({ host, port })
    const session = new SmppSession(socket, onReceipt, onGone)
    const { status } = await session.ask(COMMANDS.bindTransceiver, bindBody(systemId, password), AbortSignal.timeout(PATIENCE))
    if (status !== 0) {
      socket.destroy()
      throw new Error(`AUTH: the SMS platform refused the bind (${told(status)})`)
    }
    session.link = setInterval(() => {
      session.ask(COMMANDS.enquireLink, Buffer.alloc(0), AbortSignal.timeout(PATIENCE)).catch(() => socket.destroy())
    }, SILENCE)
    session.link.unref()
    return session
  }

  /** Asks and waits for the answer with the same number. */
  ask(command: number, body: Buffer, signal: AbortSignal): Promise<Pdu> {
    this.sequence = (this.sequence % MOST_SEQUENCE) + 1
    const sequence = this.sequence
    return new Promise<Pdu>((resolve, reject) => {
      const give = (): void => {
        this.waiting.delete(sequence)
        reject(new Error('NET: no answer of the SMS platform in time'))
      }
      signal.addEventListener('abort', give, { once: true })
      const done = (): void => signal.removeEventListener('abort', give)
      this.waiting.set(sequence, {
        resolve: (answer) => {
          done()
          resolve(answer)
        },
        reject: (error) => {
          done()
          reject(error)
        },
      })
      this.socket.write(encodePdu({ command, status: 0, sequence, body }))
    })
  }

  async close(): Promise<void> {
    await this.ask(COMMANDS.unbind, Buffer.alloc(0), AbortSignal.timeout(1_000)).catch(() => undefined)
    this.socket.destroy()
  }

  private gone(error: Error): void {
    if (this.isGone) return
    this.isGone = true
    clearInterval(this.link)
    for (const { reject } of this.waiting.values()) reject(new Error(`NET: ${error.message}`))
    this.waiting.clear()
    this.onGone()
  }

  private read(some: Buffer): void {
    try {
      const { pdus, rest } = decodePdus(Buffer.concat([this.come, some]))
      this.come = rest
      for (const pdu of pdus) this.take(pdu)
    } catch (error) {
      this.socket.destroy(error instanceof Error ? error : undefined)
    }
  }

  private take(pdu: Pdu): void {
    if (pdu.command >= ANSWER) {
      this.waiting.get(pdu.sequence)?.resolve(pdu)
      this.waiting.delete(pdu.sequence)
      return
    }
    if (pdu.command === COMMANDS.deliver) {
      const receipt = receiptOf(pdu.body)
      const kept = receipt ? this.onReceipt(receipt) : Promise.resolve()
      // what we could not write down the platform delivers once more
      kept.then(
        () => this.answer(pdu, 0),
        () => this.answer(pdu, TRY_AGAIN),
      )
    } else if (pdu.command === COMMANDS.enquireLink) this.answer(pdu, 0)
    else if (pdu.command === COMMANDS.unbind) {
      this.answer(pdu, 0)
      this.socket.end()
    } else
      this.socket.write(
        encodePdu({ command: COMMANDS.genericNack, status: UNKNOWN_COMMAND, sequence: pdu.sequence, body: Buffer.alloc(0) }),
      )
  }

  private answer({ command, sequence }: Pdu, status: number): void {
    const body = command === COMMANDS.deliver ? new BodyWriter().text('').done() : Buffer.alloc(0)
    if (!this.socket.destroyed) this.socket.write(encodePdu({ command: (command | ANSWER) >>> 0, status, sequence, body }))
  }
}
