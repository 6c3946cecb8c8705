import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A mail as it was handed over; `answer` says the server's last word on it, e.g. `250 taken`. */
export interface HandedMail {
  subject: string
  text: string
  answer: (line: string) => void
}

/** An SMTP server without sign-in that does what it is told: each step waits for its script. */
export class ScriptedSmtp {
  port = 0
  greeting = '220 ready'
  /** What it says to a command, null: nothing, ever. */
  rule: (line: string, socket: Socket) => string | null | undefined = () => undefined
  /** Mails that were handed over whole, whatever was answered. */
  readonly handed: HandedMail[] = []
  /** The last word on a mail; null: the test says it. */
  verdict: (mail: HandedMail) => string | null = () => '250 taken'
  readonly sockets = new Set<Socket>()
  private server: Server | null = null

  async start(): Promise<this> {
    this.server = createServer((socket) => this.greet(socket))
    this.server.listen(this.port, '127.0.0.1')
    await once(this.server, 'listening')
    this.port = (this.server.address() as AddressInfo).port
    return this
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => (this.server ? this.server.close(resolve) : resolve(undefined)))
    for (const socket of this.sockets) socket.destroy()
    await ended
  }

  private greet(socket: Socket): void {
    this.sockets.add(socket)
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined)
    let text = ''
    let isData = false
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      for (;;) {
        const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const line = text.slice(0, end)
        text = text.slice(end + (isData ? 5 : 2))
        if (isData) {
          isData = false
          this.take(line, socket)
          continue
        }
        const said = this.rule(line, socket)
        if (said === null) continue
        isData = said === undefined && /^DATA$/iu.test(line)
        socket.write(`${said ?? usual(line)}\r\n`)
      }
    })
    socket.write(`${this.greeting}\r\n`)
  }

  private take(text: string, socket: Socket): void {
    const subject = /^Subject: (.*)$/imu.exec(text)?.[1]?.trim() ?? ''
    const mail = { subject, text, answer: (line: string): void => void socket.write(`${line}\r\n`) }
    this.handed.push(mail)
    const verdict = this.verdict(mail)
    if (verdict !== null) mail.answer(verdict)
  }
}

function usual(line: string): string {
  if (/^DATA$/iu.test(line)) return '354 go on'
  if (/^AUTH/iu.test(line)) return '235 come in'
  if (/^EHLO/iu.test(line)) return '250-here\r\n250 AUTH PLAIN LOGIN'
  return /^QUIT/iu.test(line) ? '221 bye' : '250 fine'
}
