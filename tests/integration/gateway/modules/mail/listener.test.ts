import { createConnection, type Socket } from 'node:net'
import { zipSync } from 'fflate'
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

  it.each([
    ['whose lines end in one character', (text: string) => text.replaceAll('\r\n', '\n').replace(/\n\.$/u, '\r\n.')],
    ['that is all header', (text: string) => text.replace('\r\n\r\nHallo', '')],
    ['with a second sender', (text: string) => `From: kunde@c.io\r\n${text}`],
    ['whose sender is written in an old way', (text: string) => text.replace('From:', 'From :')],
  ])('is no way to write in the name of somebody here: a mail %s', async (_what, changed) => {
    const forged = changed(message('Message-ID: <3@c.io>\r\n').replace('kunde@c.io', 'ceo@switchboard.example'))
    const answers = await speak(['EHLO c.io', 'MAIL FROM:<kunde@c.io>', 'RCPT TO:<wang@switchboard.example>', 'DATA', forged])
    expect(said(answers).at(-1)).toBe('550')
  })

  it.each([
    '<@c.io:x@elsewhere.io>',
    '<x%elsewhere.io@switchboard.example>',
    '<elsewhere.io!x>',
    '<"x@elsewhere.io"@switchboard.example>',
    '<x@[192.0.2.1]>',
  ])('is not relayed by a route in its address: %s', async (address) => {
    const answers = await speak(['EHLO c.io', 'MAIL FROM:<kunde@c.io>', `RCPT TO:${address}`])
    expect(said(answers).at(-1)).toMatch(/^5/u)
    expect(said(await speak(['EHLO c.io', 'AUTH PLAIN AHdhbmcAd2FuZw=='])).at(-1)).toMatch(/^5/u)
  })

  it('that goes in circles is refused after 50 servers (RFC 5321 6.3)', async () => {
    const hops = (count: number): string =>
      message(`Message-ID: <hops-${count}@c.io>\r\n${'Received: from a by b; now\r\n'.repeat(count)}`)
    const hand = async (text: string): Promise<string | undefined> =>
      said(await speak(['EHLO c.io', 'MAIL FROM:<kunde@c.io>', 'RCPT TO:<wang@switchboard.example>', 'DATA', text])).at(-1)
    expect([await hand(hops(50)), await hand(hops(49))]).toEqual(['554', '250'])
  })

  it('that a machine wrote is taken and answered by nobody, nor is a bounce bounced (RFC 3834)', async () => {
    const automatic = [
      'Auto-Submitted: auto-replied',
      'Precedence: bulk',
      'Subject: Undeliverable: x\r\nX-Failed-Recipients: nobody@c.io',
    ]
    for (const [index, header] of automatic.entries()) {
      const text = message(`Message-ID: <auto-${index}@c.io>\r\n${header}\r\n`)
      const answers = await speak(['EHLO c.io', 'MAIL FROM:<>', 'RCPT TO:<wang@switchboard.example>', 'DATA', text])
      expect(said(answers).at(-1)).toBe('250')
      expect(said(await speak(['EHLO c.io', 'MAIL FROM:<>', 'RCPT TO:<nobody@switchboard.example>'])).at(-1)).toBe('550')
    }
    const { rows } = await office.gateway.gateway.database.query<{ count: number }>(
      'select count(*)::int as count from mail_outgoing',
    )
    expect(rows[0]!.count).toBe(0)
  })

  it('that is too large is refused without being kept in memory', async () => {
    const before = process.memoryUsage().rss
    const socket = createConnection(port, '127.0.0.1')
    let heard = ''
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    await expect.poll(() => heard, { timeout: 30_000 }).toContain('220')
    socket.write('EHLO c.io\r\nMAIL FROM:<kunde@c.io>\r\nRCPT TO:<wang@switchboard.example>\r\nDATA\r\n')
    await expect.poll(() => heard, { timeout: 30_000 }).toContain('354')
    const block = Buffer.from(`${'x'.repeat(998)}\r\n`.repeat(1_000))
    for (let sent = 0; sent < 300; sent += 1) if (!socket.write(block)) await new Promise((wake) => socket.once('drain', wake))
    socket.write('\r\n.\r\n')
    await expect.poll(() => heard, { timeout: 30_000 }).toContain('552')
    socket.destroy()
    expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000)
  })
})

describe('names in a mail', () => {
  it('lead to no folder, and say what a file is', async () => {
    const names = [
      '../../etc/passwd',
      'C:\\\\Windows\\\\evil.txt',
      '/etc/shadow',
      '..\\\\..\\\\x.txt',
      'a\u202Etxt.exe',
      'nul\u0000.pdf.exe',
      '....',
      'x"; filename="y.html',
      '.htaccess',
    ]
    const parts = names.map(
      (name) =>
        `--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name)}\r\n\r\n${name}\r\n`,
    )
    const text = message(
      `Message-ID: <names@c.io>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n`,
    ).replace('Hallo\r\n.', `${parts.join('')}--b--\r\n.`)
    await speak(['EHLO c.io', 'MAIL FROM:<kunde@c.io>', 'RCPT TO:<wang@switchboard.example>', 'DATA', text])
    const mail = await office.newest('wang', 'receive')
    const files = mail.attachments as { name: string; index: number }[]
    expect(files).toHaveLength(names.length)
    const taken = await office
      .who('wang')
      .post<{ files: { name: string }[]; refused: { name: string }[] }>('/v2/mail/message/takeFiles', { messageId: mail.id })
    const shown = [...files.map(({ name }) => name), ...taken.data.files.map(({ name }) => name)]
    for (const { index } of files) {
      const { headers } = await office.who('wang').raw('GET', `/v2/mail/attachment/${mail.id}/${index}`)
      const disposition = headers.get('content-disposition') ?? ''
      expect(disposition.startsWith('attachment;')).toBe(true)
      shown.push(decodeURIComponent(/filename\*=UTF-8''([^;]+)/iu.exec(disposition)?.[1] ?? ''))
    }
    for (const name of shown) expect([name, /[/\\\p{Cc}\u202a-\u202e]|^\.\./u.test(name)]).toEqual([name, false])
  })

  it('pack nothing out: a bomb in an archive is a file like any other', async () => {
    const bomb = Buffer.from(zipSync({ 'zeros.txt': new Uint8Array(20_000_000) }))
    const text = message(`Message-ID: <bomb@c.io>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n`).replace(
      'Hallo\r\n.',
      `--b\r\nContent-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=bomb.zip\r\n\r\n${bomb.toString('base64').replace(/.{76}/gu, '$&\r\n')}\r\n--b--\r\n.`,
    )
    const before = process.memoryUsage().rss
    await speak(['EHLO c.io', 'MAIL FROM:<kunde@c.io>', 'RCPT TO:<wang@switchboard.example>', 'DATA', text])
    const mail = await office.newest('wang', 'receive')
    expect(mail.attachments).toMatchObject([{ name: 'bomb.zip', size: bomb.length }])
    const file = await office.who('wang').raw('GET', `/v2/mail/attachment/${mail.id}/0`)
    expect((await file.arrayBuffer()).byteLength).toBe(bomb.length)
    expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000)
  })
})
