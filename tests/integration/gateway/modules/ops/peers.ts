import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { headerOf, parseSip, writeSip } from '../../../../../gateway/modules/ops/sip/message'
import {
  ANSWER,
  BodyReader,
  BodyWriter,
  COMMANDS,
  decodePdus,
  encodePdu,
  TAGS,
} from '../../../../../gateway/modules/ops/smpp/pdu'

export interface Submitted {
  sender: string
  to: string
  text: string
  coding: number
  optionals: ReadonlyMap<number, Buffer>
}

const empty = Buffer.alloc(0)

/** An SMS platform on loopback: takes binds with the right password and messages, refuses those to `refused`, and sends receipts. */
export class SmppPeer {
  readonly submitted: Submitted[] = []
  refused = ''
  /** What the receipt of a message says; none is sent for an empty one. */
  stat: (to: string) => string = () => 'DELIVRD'
  private readonly server: Server
  private readonly sockets = new Set<Socket>()

  constructor() {
    this.server = createServer((socket) => {
      this.sockets.add(socket)
      socket.on('error', () => undefined)
      let come: Buffer = empty
      socket.on('data', (some: Buffer) => {
        const { pdus, rest } = decodePdus(Buffer.concat([come, some]))
        come = rest
        for (const pdu of pdus) {
          const answer = (status: number, body: Buffer = empty): unknown =>
            socket.write(encodePdu({ command: (pdu.command | ANSWER) >>> 0, status, sequence: pdu.sequence, body }))
          if (pdu.command === COMMANDS.bindTransceiver) this.bind(pdu.body, answer)
          else if (pdu.command === COMMANDS.submit) this.take(socket, pdu.body, answer)
          else if (pdu.command < ANSWER) answer(0)
        }
      })
    })
  }

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }
  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
    await once(this.server, 'close')
  }

  private bind(body: Buffer, answer: (status: number, body?: Buffer) => unknown): void {
    const reader = new BodyReader(body)
    const [systemId, password] = [reader.text(), reader.text()]
    answer(systemId === 'tester' && password === 'secret' ? 0 : 0x0e, new BodyWriter().text('PEER').done())
  }

  private take(socket: Socket, body: Buffer, answer: (status: number, body?: Buffer) => unknown): void {
    const reader = new BodyReader(body)
    reader.text()
    reader.bytes(2)
    const sender = reader.text()
    reader.bytes(2)
    const to = reader.text()
    reader.bytes(3)
    reader.text()
    reader.text()
    reader.bytes(2)
    const coding = reader.byte()
    reader.byte()
    const text = reader.bytes(reader.byte())
    const optionals = reader.optionals()
    const whole = optionals.get(TAGS.messagePayload) ?? text
    this.submitted.push({
      sender,
      to,
      text: coding === 8 ? Buffer.from(whole).swap16().toString('utf16le') : whole.toString('latin1'),
      coding,
      optionals,
    })
    if (to === this.refused) return void answer(0x0b)
    const id = `peer-${this.submitted.length}`
    // the receipt overtakes the answer to its message
    const stat = this.stat(to)
    if (stat) socket.write(this.receipt(id, stat))
    answer(0, new BodyWriter().text(id).done())
  }

  private receipt(id: string, stat: string): Buffer {
    const said = Buffer.from(`id:${id} sub:001 dlvrd:001 submit date:2611200900 done date:2611200900 stat:${stat} err:000 text:`)
    const body = new BodyWriter().text('').bytes(Buffer.of(1, 1)).text('919812345100').bytes(Buffer.of(5, 0)).text('NOTICE')
    body
      .bytes(Buffer.of(4, 0, 0))
      .text('')
      .text('')
      .bytes(Buffer.of(0, 0, 0, 0))
      .byte(said.length)
      .bytes(said)
    return encodePdu({ command: COMMANDS.deliver, status: 0, sequence: this.submitted.length, body: body.done() })
  }
}

/** A SIP gateway on loopback that asks for a user, then rings and answers, or is busy where the number ends with 00. */
export class SipPeer {
  readonly seen: string[] = []
  private readonly socket: UdpSocket = createSocket('udp4')

  async open(): Promise<string> {
    this.socket.on('message', (datagram, from) => this.take(datagram, from))
    this.socket.bind(0, '127.0.0.1')
    await once(this.socket, 'listening')
    return `127.0.0.1:${this.socket.address().port}`
  }
  close(): void {
    this.socket.close()
  }

  private take(datagram: Buffer, { port, address }: RemoteInfo): void {
    const message = parseSip(datagram)
    if (!message?.method) return
    this.seen.push(message.method)
    const answer = (start: string, more: readonly (readonly [string, string])[] = []): void => {
      const to = headerOf(message, 'to')
      const headers = [
        ...['Via', 'From', 'Call-ID', 'CSeq'].map((name) => [name, headerOf(message, name.toLowerCase())] as const),
        ['To', to.includes('tag=') ? to : `${to};tag=peer`] as const,
        ...more,
      ]
      this.socket.send(writeSip(`SIP/2.0 ${start}`, headers), port, address)
    }
    if (message.method === 'BYE') answer('200 OK')
    if (message.method !== 'INVITE') return
    if (!message.headers.has('proxy-authorization'))
      return answer('407 Proxy Authentication Required', [['Proxy-Authenticate', 'Digest realm="peer", nonce="n1", qop="auth"']])
    answer('100 Trying')
    if (/sip:\+?\d*00@/.test(headerOf(message, 'to'))) return answer('486 Busy Here')
    answer('180 Ringing')
    answer('200 OK', [['Contact', `<sip:peer@127.0.0.1:${this.socket.address().port}>`]])
  }
}
