import { createConnection, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../../support/freePort'
import { MailOffice } from './office'

let office: MailOffice
let port: number
beforeAll(async () => {
  port = await freePort()
  office = await MailOffice.open({ MAIL_SMTP_LISTEN: `127.0.0.1:${port}`, JOBS: 'true' }, ['wang'])
  await office.bind('wang', { address: 'wang@switchboard.example' })
})
afterAll(() => office.close())

/** Speaks SMTP line by line; answers what the server said to each. */
async function speak(lines: readonly string[]): Promise<string[]> {
  const socket: Socket = createConnection(port, '127.0.0.1')
  const heard: string[] = []
  let waiting: (() => void) | null = null
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    const lines = text.split('\r\n')
    text = lines.pop()!
    for (const line of lines)
      if (/^\d{3} /u.test(line)) {
        heard.push(line)
        waiting?.()
      }
  })
  const next = async (count: number): Promise<void> => {
    while (heard.length < count) await new Promise<void>((resolve) => (waiting = resolve))
  }
  await next(1)
  for (const [index, line] of lines.entries()) {
    socket.write(`${line}\r\n`)
    await next(index + 2)
  }
  socket.destroy()
  return heard.slice(1)
}

const said = (answers: readonly string[]): string[] => answers.map((line) => line.slice(0, 3))
const message = (headers: string): string =>
  `From: Kunde <kunde@c.io>\r\nTo: wang@switchboard.example\r\nSubject: Anfrage\r\n${headers}\r\nHallo\r\n.`

describe('mail by SMTP', () => {
  it('is taken for mailboxes of the portal and arrives', async () => {
    const answers = await speak([
      'EHLO c.io',
      'MAIL FROM:<kunde@c.io>',
      'RCPT TO:<Wang@Switchboard.example>',
      'DATA',
      message('Message-ID: <1@c.io>\r\n'),
    ])
    expect(said(answers)).toEqual(['250', '250', '250', '354', '250'])
    expect(await office.newest('wang', 'receive')).toMatchObject({
      subject: 'Anfrage',
      senderEmail: 'kunde@c.io',
      senderName: 'Kunde',
      warnings: ['firstTimeSender'],
    })
    // the same bytes once more are no second mail
    await speak([
      'EHLO c.io',
      'MAIL FROM:<kunde@c.io>',
      'RCPT TO:<wang@switchboard.example>',
      'DATA',
      message('Message-ID: <1@c.io>\r\n'),
    ])
    expect((await office.done<{ total: number }>('wang', 'receive/query', { page: 1, size: 20 })).total).toBe(1)
  })

  it('is relayed for nobody, and nobody writes in the name of somebody here', async () => {
    expect(said(await speak(['EHLO c.io', 'MAIL FROM:<kunde@c.io>', 'RCPT TO:<x@elsewhere.io>']))).toEqual(['250', '250', '550'])
    expect(said(await speak(['EHLO c.io', 'MAIL FROM:<kunde@c.io>', 'RCPT TO:<nobody@switchboard.example>']))).toEqual([
      '250',
      '250',
      '550',
    ])
    expect(said(await speak(['EHLO c.io', 'MAIL FROM:<ceo@switchboard.example>']))).toEqual(['250', '550'])
    const forged = message('Message-ID: <2@c.io>\r\n').replace('kunde@c.io', 'ceo@switchboard.example')
    const answers = await speak(['EHLO c.io', 'MAIL FROM:<kunde@c.io>', 'RCPT TO:<wang@switchboard.example>', 'DATA', forged])
    expect(said(answers)).toEqual(['250', '250', '250', '354', '550'])
  })

  it('that goes in circles is refused', async () => {
    const circles = message('Received: from a by b; now\r\n'.repeat(31))
    const answers = await speak(['EHLO c.io', 'MAIL FROM:<kunde@c.io>', 'RCPT TO:<wang@switchboard.example>', 'DATA', circles])
    expect(said(answers).at(-1)).toBe('554')
    expect((await office.done<{ total: number }>('wang', 'receive/query', { page: 1, size: 20 })).total).toBe(1)
  })
})
