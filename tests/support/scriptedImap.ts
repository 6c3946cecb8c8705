import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

/** One command of a client as a script sees it. */
export interface ImapCommand {
  tag: string
  /** Verb in capitals, e.g. `UID FETCH`. */
  verb: string
  rest: string
  socket: Socket
}

/** What a folder of the server holds; a message's number is its place. */
export interface ScriptedFolder {
  path: string
  flags?: string
  messages: Buffer[]
}

/**
 * An IMAP server that does what it is told: IMAP4rev1 as far as a mailbox is read, unless `rule` takes a command over (by answering true), to stall, to lie, to break off.
 */
export class ScriptedImap {
  port = 0
  logins = 0
  /** Bytes of messages that went out whole. */
  bodies = 0
  greeting: string | null = '* OK ready'
  capabilities = 'IMAP4rev1'
  folders: ScriptedFolder[] = [{ path: 'INBOX', messages: [] }]
  rule: (command: ImapCommand) => boolean = () => false
  readonly commands: string[] = []
  readonly sockets = new Set<Socket>()
  private server: Server | null = null

  async start(tls?: TlsOptions): Promise<this> {
    const greet = (socket: Socket): void => this.greet(socket)
    this.server = tls ? createTlsServer(tls, greet) : createServer(greet)
    this.server.on('tlsClientError', () => undefined)
    this.server.listen(this.port, '127.0.0.1')
    await once(this.server, 'listening')
    this.port = (this.server.address() as AddressInfo).port
    return this
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => (this.server ? this.server.close(resolve) : resolve(undefined)))
    this.drop()
    await ended
  }

  /** Breaks every connection off. */
  drop(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  private greet(socket: Socket): void {
    this.sockets.add(socket)
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined)
    let open: ScriptedFolder | null = null
    let text = ''
    let idle: string | null = null
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const lines = text.split('\r\n')
      text = lines.pop()!
      for (const line of lines) {
        if (idle !== null) {
          if (line.toUpperCase() === 'DONE') socket.write(`${idle} OK done\r\n`)
          idle = null
          continue
        }
        const command = commandOf(line, socket)
        this.commands.push(`${command.verb} ${command.rest}`)
        if (this.rule(command)) continue
        if (command.verb === 'IDLE') {
          idle = command.tag
          socket.write('+ idling\r\n')
        } else open = this.answer(command, open)
      }
    })
    if (this.greeting !== null) socket.write(`${this.greeting}\r\n`)
  }

  private answer({ tag, verb, rest, socket }: ImapCommand, open: ScriptedFolder | null): ScriptedFolder | null {
    const say = (...lines: string[]): void => void socket.write([...lines, `${tag} OK done`].join('\r\n') + '\r\n')
    switch (verb) {
      case 'CAPABILITY':
        say(`* CAPABILITY ${this.capabilities}`)
        return open
      case 'LOGIN':
        this.logins += 1
        say()
        return open
      case 'LIST':
        if (rest === '"" ""') say('* LIST (\\Noselect) "/" ""')
        else say(...this.folders.map(({ path, flags = '\\HasNoChildren' }) => `* LIST (${flags}) "/" "${path}"`))
        return open
      case 'SELECT':
      case 'EXAMINE': {
        const found = this.folders.find(({ path }) => path === rest.replace(/"/gu, ''))
        if (!found) {
          socket.write(`${tag} NO no such folder\r\n`)
          return null
        }
        const count = found.messages.length
        const numbers = ['* OK [UIDVALIDITY 1] ok', `* OK [UIDNEXT ${count + 1}] ok`]
        say(`* ${count} EXISTS`, '* 0 RECENT', '* FLAGS (\\Seen \\Flagged)', ...numbers)
        return found
      }
      case 'UID SEARCH':
        say(`* SEARCH ${(/HEADER/iu.test(rest) ? [] : (open?.messages ?? []).map((_, index) => index + 1)).join(' ')}`)
        return open
      case 'UID FETCH':
        this.fetch(tag, rest, socket, open)
        return open
      case 'LOGOUT':
        socket.end(`* BYE\r\n${tag} OK\r\n`)
        return null
      default:
        if (['NOOP', 'CLOSE', 'ID', 'ENABLE', 'NAMESPACE', 'CHECK'].includes(verb)) say()
        else socket.write(`${tag} BAD what\r\n`)
        return verb === 'CLOSE' ? null : open
    }
  }

  private fetch(tag: string, rest: string, socket: Socket, open: ScriptedFolder | null): void {
    for (const uid of numbersIn(rest.split(' ', 1)[0]!, open?.messages.length ?? 0)) {
      const raw = open!.messages[uid - 1]!
      const facts = `UID ${uid} FLAGS () RFC822.SIZE ${raw.length} INTERNALDATE "01-Jan-2026 00:00:00 +0000"`
      if (/BODY\.PEEK\[\]/iu.test(rest)) {
        socket.write(`* ${uid} FETCH (${facts} BODY[] {${raw.length}}\r\n`)
        socket.write(raw)
        socket.write(')\r\n')
        this.bodies += raw.length
      } else if (/HEADER/iu.test(rest)) {
        const head = raw.subarray(0, raw.indexOf('\r\n\r\n') + 4)
        socket.write(`* ${uid} FETCH (${facts} BODY[HEADER] {${head.length}}\r\n${head.toString('latin1')})\r\n`)
      } else socket.write(`* ${uid} FETCH (${facts})\r\n`)
    }
    socket.write(`${tag} OK done\r\n`)
  }
}

function commandOf(line: string, socket: Socket): ImapCommand {
  const [tag = '', first = '', second = '', ...others] = line.split(' ')
  const isUid = first.toUpperCase() === 'UID'
  return {
    ...{ tag, socket, verb: (isUid ? `UID ${second}` : first).toUpperCase() },
    rest: isUid ? others.join(' ') : [second, ...others].join(' ').trim(),
  }
}

/** The numbers of a sequence set such as `3:*` or `1,4:6` that are there. */
const numbersIn = (set: string, most: number): number[] => [
  ...new Set(
    set.split(',').flatMap((range) => {
      const [from = 0, to = from] = range.split(':').map((each) => (each === '*' ? most : Number(each)))
      const [low, high] = [Math.min(from, to), Math.min(Math.max(from, to), most)]
      return Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => low + index)
    }),
  ),
]

/** A mail as such a server has it. */
export const letter = (subject: string, text = 'Hello'): Buffer =>
  Buffer.from(
    `From: Kunde <kunde@c.io>\r\nTo: wang@company.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@c.io>\r\nDate: Thu, 01 Jan 2026 00:00:00 +0000\r\n\r\n${text}\r\n`,
  )
