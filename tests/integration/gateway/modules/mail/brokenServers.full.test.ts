import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { letter, ScriptedImap } from '../../../../support/scriptedImap'
import { ScriptedSmtp } from '../../../../support/scriptedSmtp'
import { MailOffice, type Listed } from './office'

const WAIT = { timeout: 90_000, interval: 200 }
const servers: ScriptedImap[] = []

let office: MailOffice
let smtp: ScriptedSmtp
beforeAll(async () => {
  smtp = await new ScriptedSmtp().start()
  const settings = { MAIL_PRIVATE_HOSTS: '127.0.0.1,localhost', MAIL_SMTP_LISTEN: 'off', JOBS: 'true', MAIL_PATIENCE: '3s' }
  office = await MailOffice.open(settings, ['wang'])
})
afterAll(async () => {
  await office.close()
  await smtp.stop()
  for (const server of servers) await server.stop()
})

async function serverOf(script: (server: ScriptedImap) => void = () => undefined): Promise<ScriptedImap> {
  const server = new ScriptedImap()
  script(server)
  servers.push(server)
  return server.start()
}

const bind = (name: string, server: ScriptedImap, more: object = {}): Promise<string> =>
  office.bind('wang', {
    ...{ address: `${name}@company.example`, transport: 'imapSmtp', authKind: 'password', login: name, secret: 'horse' },
    ...{ imapHost: '127.0.0.1', imapPort: server.port, imapSecurity: 'none' },
    ...{ smtpHost: '127.0.0.1', smtpPort: smtp.port, smtpSecurity: 'none', ...more },
  })

interface Stand {
  state: string
  syncError: string | null
  failures: number
  retryAt: Date | null
}

async function standOf(id: string): Promise<Stand> {
  const { rows } = await office.gateway.gateway.database.query<Stand>(
    `select state, sync_error as "syncError", coalesce(failures, 0)::int as failures, retry_at as "retryAt" from mail_account where id = $1`,
    [id],
  )
  return rows[0]!
}

/** Answers what is asked of a body by these bytes instead, then does this. */
const instead =
  (bytes: string, then: (socket: Socket) => void = () => undefined) =>
  (server: ScriptedImap): void => {
    server.folders[0]!.messages.push(letter('never'))
    server.rule = ({ verb, socket }) => {
      if (verb !== 'UID FETCH') return false
      socket.write(bytes)
      then(socket)
      return true
    }
  }

const drip = (socket: Socket): void => {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('x')), 1_000)
}
const HALF = `* 1 FETCH (UID 1 FLAGS () RFC822.SIZE 5000 BODY[] {5000}\r\n${'x'.repeat(2_000)}`
const SLOW = 'too slow or stopped in the middle'
const PASSWORD = 'login or the password is wrong'

const FAULTS: readonly (readonly [string, string, (server: ScriptedImap) => void])[] = [
  ['stalls', SLOW, instead(HALF)],
  ['drips', SLOW, instead(HALF, drip)],
  ['silent', SLOW, (server) => (server.greeting = null)],
  ['breaks', 'broke the connection off', instead(HALF, (socket) => socket.end())],
  ['literal', 'too long', instead('* 1 FETCH (UID 1 BODY[] {60000000}\r\n')],
  ['line', 'too long', instead(`* 1 FETCH (${'x'.repeat(52_428_800)}`)],
  ['crowded', 'too many connections', (server) => (server.greeting = '* BYE Too many connections')],
  [
    'password',
    PASSWORD,
    (server) => {
      server.rule = ({ tag, verb, socket }) =>
        verb === 'LOGIN' && socket.write(`${tag} NO [AUTHENTICATIONFAILED] wrong\r\n`) !== undefined
    },
  ],
]

/** Claims what it refuses, as some servers do. */
const boasts = (server: ScriptedImap): void => {
  server.capabilities = 'IMAP4rev1 IDLE ENABLE CONDSTORE QRESYNC MOVE UIDPLUS SPECIAL-USE LIST-STATUS NAMESPACE ID'
  server.rule = ({ tag, verb, socket, rest }) => {
    const isRefused = ['IDLE', 'ENABLE', 'NAMESPACE', 'ID', 'STATUS'].includes(verb) || /CONDSTORE|QRESYNC|RETURN/u.test(rest)
    if (isRefused) socket.write(`${tag} BAD not that one\r\n`)
    return isRefused
  }
}

describe('a mailbox whose server is broken', () => {
  it('says what is wrong and what follows, and delays no other; the gateway stays small', async () => {
    const before = process.memoryUsage().rss
    const broken: [string, string][] = []
    for (const [name, words, script] of FAULTS) broken.push([await bind(name, await serverOf(script)), words])
    const expired = new ScriptedImap()
    servers.push(expired)
    const pem = await readFile('tests/fixtures/mail/expired.pem')
    await expired.start({ key: pem, cert: pem })
    broken.push([await bind('expired', expired, { imapHost: 'localhost', imapSecurity: 'tls' }), 'certificate'])
    const wide = await serverOf((server) => {
      for (let n = 0; n < 10_000; n += 1) server.folders.push({ path: `Folder ${n}`, messages: [] })
    })
    const good = [await bind('boasts', await serverOf(boasts)), await bind('wide', wide), await bind('good', await serverOf())]
    for (const id of good) await expect.poll(async () => (await standOf(id)).state, WAIT).toBe('active')
    for (const server of servers.slice(-3)) server.folders[0]!.messages.push(letter(`fresh ${server.port}`))
    await office.done('wang', 'receive/sync', { accountIds: good })
    const total = async (): Promise<number> =>
      (await office.done<Listed>('wang', 'receive/query', { page: 1, size: 20, accountIds: good })).total
    await expect.poll(total, WAIT).toBe(3)
    for (const [id, words] of broken) {
      await expect.poll(async () => (await standOf(id)).syncError, WAIT).toContain(words)
      expect((await standOf(id)).state).toBe('failing')
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(700_000_000)
  })

  it('holds no mail up that others send, and keeps its own for later', async () => {
    const [slow, good] = [await bind('slowly', await serverOf()), await bind('quickly', await serverOf())]
    for (const id of [slow, good]) await expect.poll(async () => (await standOf(id)).state, WAIT).toBe('active')
    smtp.rule = (line, socket) => {
      if (!/^MAIL FROM:<slowly@/iu.test(line)) return undefined
      drip(socket)
      return null
    }
    for (const [id, subject] of [
      [slow, 'slow'],
      [good, 'quick'],
    ] as const)
      await office.send('wang', id, ['kunde@c.io'], { subject })
    office.gateway.clock.forward(11)
    const states = async (): Promise<Record<string, string>> => {
      const { rows } = await office.gateway.gateway.database.query<{ subject: string; said: string }>(
        `select subject, state || ' ' || coalesce(last_error, '') as said from mail_outgoing`,
      )
      return Object.fromEntries(rows.map(({ subject, said }) => [subject, said]))
    }
    await expect.poll(async () => (await states()).quick, WAIT).toBe('sent ')
    expect((await states()).slow).not.toContain('sent')
    await expect.poll(async () => (await states()).slow, WAIT).toContain('queued the server is too slow')
    expect(smtp.handed.map(({ subject }) => subject)).toEqual(['quick'])
  })

  it('is tried again after 1, 2, 5, 15 and 60 minutes, and works as soon as the server does', async () => {
    let isWrong = true
    const server = await serverOf((made) => {
      made.rule = ({ tag, verb, socket }) => isWrong && verb === 'LOGIN' && socket.write(`${tag} NO wrong\r\n`) !== undefined
    })
    const id = await bind('patient', server)
    for (const [index, minutes] of [1, 2, 5, 15, 60, 60].entries()) {
      await expect.poll(async () => (await standOf(id)).failures, WAIT).toBe(index + 1)
      const left = new Date((await standOf(id)).retryAt!).getTime() - office.gateway.clock.now().getTime()
      expect(Math.ceil(left / 60_000)).toBe(minutes)
      office.gateway.clock.forward(minutes * 60)
      if (index === 5) isWrong = false
      await office.gateway.gateway.database.notify('mail_sync', id)
    }
    await expect.poll(async () => await standOf(id), WAIT).toMatchObject({ state: 'active', failures: 0, syncError: null })
  })
})
