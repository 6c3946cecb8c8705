import type { Socket } from 'node:dgram'
import type { CallOrder, CallOutcome } from '../connector'
import { digest, headerOf, offer, parseSip, resultOf, token, writeSip, type SipMessage } from './message'

export interface SipOptions {
  host: string
  port: number
  user: string | undefined
  password: string
}

/** Milliseconds: first repetition of a request (T1), until nobody answers (64 T1), the longest ringing, of a goodbye. */
const [REPEAT, SILENCE, RINGING, GOODBYE] = [500, 32_000, 45_000, 4_000]

/** One call from the invitation to its end: INVITE, ACK, CANCEL and BYE of RFC 3261 as far as a caller needs them. */
export class SipCall {
  private readonly id = `${token()}@switchboard`
  private readonly tag = token()
  private readonly local: string
  private sequence = 1
  private branch = token()
  private invitation: Buffer = Buffer.alloc(0)
  private authorization: readonly [string, string] | undefined
  private repeat: NodeJS.Timeout | undefined
  private readonly timers = new Set<NodeJS.Timeout>()
  private readonly began = Date.now()
  private isHeard = false
  private ringAt: Date | null = null
  private answeredAt: Date | null = null
  /** Of the answer: To with its tag, where the other end is, the way there. */
  private dialog: { to: string; target: string; route: readonly string[] } | undefined
  private final: { code: number; reason: string } | undefined
  private cancelled = false
  private finish: (outcome: CallOutcome) => void = () => undefined
  private fail: (error: Error) => void = () => undefined

  constructor(
    private readonly socket: Socket,
    private readonly options: SipOptions,
    private readonly order: CallOrder,
    private readonly mediaPort: number,
  ) {
    const { address, port } = socket.address()
    this.local = `${address.includes(':') ? `[${address}]` : address}:${port}`
  }

  /** Rejects when nobody answers at all, or the call is given up. */
  run(signal: AbortSignal): Promise<CallOutcome> {
    const ended = new Promise<CallOutcome>((resolve, reject) => {
      this.finish = resolve
      this.fail = reject
    })
    const give = (): void => this.abandon()
    signal.addEventListener('abort', give, { once: true })
    this.socket.on('message', (datagram) => this.take(parseSip(datagram)))
    this.invite()
    this.after(SILENCE, () => {
      if (!this.isHeard) this.fail(new Error('NET: no answer of the SIP gateway'))
    })
    this.after(RINGING, () => this.cancel())
    return ended.finally(() => {
      signal.removeEventListener('abort', give)
      clearTimeout(this.repeat)
      for (const timer of this.timers) clearTimeout(timer)
    })
  }

  /** The gateway stops: hangs up as well as it can. */
  abandon(): void {
    if (this.answeredAt) this.send('BYE')
    else this.cancel()
    this.fail(new Error('NET: the call was given up'))
  }

  private get uri(): string {
    const { host, port } = this.options
    return `sip:${this.order.callee.replace(/[^0-9*#+]/g, '').replaceAll('#', '%23')}@${host.includes(':') ? `[${host}]` : host}:${port}`
  }

  private after(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      act()
    }, milliseconds)
    this.timers.add(timer)
  }

  private headers(method: string, sequence: number, branch: string, to: string): (readonly [string, string])[] {
    const caller = this.options.user ?? this.order.caller
    return [
      ['Via', `SIP/2.0/UDP ${this.local};branch=z9hG4bK${branch};rport`],
      ['Max-Forwards', '70'],
      ['From', `<sip:${this.order.caller}@${this.local}>;tag=${this.tag}`],
      ['To', to],
      ['Call-ID', this.id],
      ['CSeq', `${sequence} ${method}`],
      ['Contact', `<sip:${caller}@${this.local}>`],
      ['User-Agent', 'Switchboard'],
    ]
  }

  private invite(): void {
    this.branch = token()
    const body = offer(this.order.codec, this.socket.address().address, this.mediaPort)
    const headers = [
      ...this.headers('INVITE', this.sequence, this.branch, `<${this.uri}>`),
      ['Allow', 'INVITE, ACK, CANCEL, BYE'] as const,
      ['Content-Type', 'application/sdp'] as const,
    ]
    if (this.authorization) headers.push(this.authorization)
    this.invitation = writeSip(`INVITE ${this.uri} SIP/2.0`, headers, body)
    this.repeated(this.invitation, REPEAT)
  }

  private repeated(message: Buffer, wait: number): void {
    this.socket.send(message)
    clearTimeout(this.repeat)
    this.repeat = setTimeout(() => this.repeated(message, wait * 2), wait)
  }

  /** ACK of a refusal goes the way of the invitation; that of an answer, and BYE, are requests of the dialog. */
  private acknowledge(answer: SipMessage): void {
    if (answer.code < 300) return this.send('ACK')
    const headers = this.headers('ACK', this.sequence, this.branch, headerOf(answer, 'to'))
    this.socket.send(writeSip(`ACK ${this.uri} SIP/2.0`, headers))
  }

  private send(method: 'ACK' | 'BYE'): void {
    const { to, target, route } = this.dialog ?? { to: `<${this.uri}>`, target: this.uri, route: [] }
    const sequence = method === 'ACK' ? this.sequence : this.sequence + 1
    const headers = [...this.headers(method, sequence, token(), to), ...route.map((one) => ['Route', one] as const)]
    const message = writeSip(`${method} ${target} SIP/2.0`, headers)
    if (method === 'BYE') this.repeated(message, REPEAT)
    else this.socket.send(message)
  }

  private cancel(): void {
    if (this.final || this.answeredAt || this.cancelled) return
    this.cancelled = true
    this.socket.send(writeSip(`CANCEL ${this.uri} SIP/2.0`, this.headers('CANCEL', this.sequence, this.branch, `<${this.uri}>`)))
    this.after(GOODBYE, () => this.end(408, 'No answer'))
  }

  private take(message: SipMessage | null): void {
    if (!message || headerOf(message, 'call-id') !== this.id) return
    if (message.method !== null) return this.asked(message)
    const [number, method] = headerOf(message, 'cseq').split(/\s+/)
    if (method === 'BYE') return this.end(this.final?.code ?? 200, this.final?.reason ?? 'OK')
    if (method !== 'INVITE' || Number(number) !== this.sequence) return
    clearTimeout(this.repeat)
    this.isHeard = true
    if (message.code < 200) {
      if (message.code > 100) this.ringAt ??= new Date()
      return
    }
    if (message.code < 300) return this.answered(message)
    this.acknowledge(message)
    if ((message.code === 401 || message.code === 407) && this.options.user && !this.authorization) return this.authorize(message)
    this.end(message.code, message.reason)
  }

  private answered(message: SipMessage): void {
    this.dialog ??= {
      to: headerOf(message, 'to'),
      target: /<([^>]+)>/.exec(headerOf(message, 'contact'))?.[1] ?? (headerOf(message, 'contact') || this.uri),
      route: [...(message.headers.get('record-route') ?? [])].reverse(),
    }
    this.acknowledge(message)
    if (this.answeredAt) return
    this.answeredAt = new Date()
    this.final = { code: message.code, reason: message.reason }
    this.after(this.cancelled ? 0 : this.order.holdSec * 1000, () => {
      this.send('BYE')
      this.after(GOODBYE, () => this.end(message.code, message.reason))
    })
  }

  private authorize(message: SipMessage): void {
    const isProxy = message.code === 407
    const challenge = headerOf(message, isProxy ? 'proxy-authenticate' : 'www-authenticate')
    const { user = '', password } = this.options
    this.authorization = [
      isProxy ? 'Proxy-Authorization' : 'Authorization',
      digest(challenge, { user, password, method: 'INVITE', uri: this.uri }),
    ]
    this.sequence += 1
    this.invite()
  }

  /** The other end hangs up first, or asks something that we do not do. */
  private asked(message: SipMessage): void {
    if (message.method === 'ACK') return
    const known = message.method === 'BYE'
    const copied = ['via', 'from', 'to', 'call-id', 'cseq'].flatMap((name) =>
      (message.headers.get(name) ?? []).map(
        (value) =>
          [name === 'call-id' ? 'Call-ID' : name === 'cseq' ? 'CSeq' : name[0]!.toUpperCase() + name.slice(1), value] as const,
      ),
    )
    this.socket.send(writeSip(known ? 'SIP/2.0 200 OK' : 'SIP/2.0 405 Method Not Allowed', copied))
    if (known) this.end(this.final?.code ?? 200, this.final?.reason ?? 'OK')
  }

  private end(sipCode: number, sipText: string): void {
    const endedAt = new Date()
    const { ringAt, answeredAt } = this
    const first = ringAt ?? answeredAt
    this.final = { code: sipCode, reason: sipText }
    this.finish({
      ...{ ringAt, answeredAt, endedAt, sipCode, sipText },
      pddMs: first ? first.getTime() - this.began : null,
      durationSec: answeredAt ? Math.round((endedAt.getTime() - answeredAt.getTime()) / 1000) : null,
      result: resultOf(sipCode),
    })
  }
}
