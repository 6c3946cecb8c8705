import MailComposer from 'nodemailer/lib/mail-composer'
import { describe, expect, it } from 'vitest'
import { attachmentsOf, freezeReceipt, readComplaint, readMail, readReceipt, warningsOf } from '../../../../gateway/platform/mail'

const number = (value: number, size: 2 | 4): Buffer => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntLE(value, 0, size)
  return bytes
}
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
const attribute = (level: number, id: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([level]), number(id, 4), number(value.length, 4), value, number(0, 2)])
const counted = (value: Buffer): Buffer => Buffer.concat([number(1, 4), number(value.length, 4), padded(value)])
const property = (type: number, id: number, value: Buffer): Buffer => Buffer.concat([number(type, 2), number(id, 2), value])
const properties = (...all: Buffer[]): Buffer => Buffer.concat([number(all.length, 4), ...all])
const wide = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le')
const named = Buffer.concat([
  ...[number(0x1f, 2), number(0x8001, 2), Buffer.alloc(16), number(1, 4), number(4, 4), wide('a'), counted(wide('zzz'))],
])

/** A winmail.dat as Outlook writes it: two files, and a text. */
const WINMAIL = Buffer.concat([
  ...[number(0x223e9f78, 4), number(1, 2), attribute(1, 0x00069007, number(936, 4))],
  attribute(1, 0x0002800c, Buffer.from('b1a8bcdb', 'hex')),
  ...[attribute(2, 0x00069002, Buffer.alloc(14)), attribute(2, 0x00018010, Buffer.from('RATES~1.CSV\0'))],
  attribute(2, 0x0006800f, Buffer.from('CN;0.02')),
  attribute(
    2,
    0x00069005,
    properties(named, property(0x03, 0x3705, number(1, 4)), property(0x1f, 0x3707, counted(wide('../报价 三月.csv')))),
  ),
  ...[attribute(2, 0x00069002, Buffer.alloc(14)), attribute(2, 0x00018010, Buffer.from('tool.exe\0'))],
  attribute(2, 0x0006800f, Buffer.from('MZ')),
])

const mailWith = (content: Buffer, text?: string): Promise<Buffer> =>
  new MailComposer({
    ...{ from: 'k@c.io', to: 'a@x.io', subject: 'Rates', ...(text === undefined ? {} : { text }) },
    attachments: [
      { filename: 'first.txt', content: 'one' },
      { filename: 'winmail.dat', contentType: 'application/ms-tnef', content },
      { filename: 'last.txt', content: 'two' },
    ],
  })
    .compile()
    .build()

describe('a winmail.dat', () => {
  it('is opened: its files stand in its place, by their whole names, with their bytes', async () => {
    const raw = await mailWith(WINMAIL, 'See')
    const mail = await readMail(raw)
    expect(mail.text.trim()).toBe('See')
    expect(mail.attachments.map(({ name, size, index }) => [name, size, index])).toEqual([
      ...[
        ['first.txt', 3, 0],
        ['报价 三月.csv', 7, 1],
        ['tool.exe', 2, 2],
        ['last.txt', 3, 3],
      ],
    ])
    expect((await attachmentsOf(raw)).map(({ content }) => content.toString())).toEqual(['one', 'CN;0.02', 'MZ', 'two'])
    expect(warningsOf(mail, { domains: [], isKnown: true })).toEqual(['executableAttachment'])
  })

  it('has the text where the mail has none', async () => {
    expect((await readMail(await mailWith(WINMAIL))).text).toBe('报价')
  })

  it('that is broken is read as far as it goes, and stays what it is where it is none', async () => {
    const names = async (content: Buffer): Promise<string[]> =>
      (await readMail(await mailWith(content, 'See'))).attachments.map(({ name }) => name)
    expect(await names(WINMAIL.subarray(0, WINMAIL.length - 4))).toEqual(['first.txt', '报价 三月.csv', 'last.txt'])
    expect(await names(Buffer.from('no such thing at all'))).toEqual(['first.txt', 'winmail.dat', 'last.txt'])
    for (let cut = 0; cut < WINMAIL.length; cut += 23) await names(WINMAIL.subarray(0, cut))
  })
})

describe('a read receipt', () => {
  it('names the mail and who read it, for people and programs (RFC 8098)', async () => {
    const { raw, messageId } = await freezeReceipt({
      ...{ from: { email: 'li@x.io', name: '李' }, to: 'w@c.io', about: { messageId: '<m@c.io>', references: ['<r@c.io>'] } },
      ...{ subject: '已读：Rates', text: '已显示。', date: new Date('2026-03-10T02:05:00Z') },
    })
    const mail = await readMail(raw)
    expect(mail).toMatchObject({
      ...{
        messageId,
        subject: '已读：Rates',
        text: '已显示。',
        sender: { email: 'li@x.io', name: '李' },
        to: [{ email: 'w@c.io' }],
      },
      ...{ inReplyTo: '<m@c.io>', references: ['<r@c.io>', '<m@c.io>'], autoSubmitted: true, receiptTo: null },
    })
    expect(readReceipt(mail, raw)).toEqual({ messageId: '<m@c.io>', reader: 'li@x.io' })
    expect(readComplaint(raw)).toBeNull()
    const unread = Buffer.from(raw.toString().replace('sently; displayed', 'sently; deleted').replace('; displayed', '; deleted'))
    expect(readReceipt(mail, unread)).toBeNull()
  })

  it('is asked for by a header', async () => {
    const asked = (header: string): Promise<string | null> =>
      readMail(Buffer.from(`From: W <w@c.io>\r\n${header}Subject: x\r\n\r\nhi`)).then(({ receiptTo }) => receiptTo)
    expect(await asked('Disposition-Notification-To: W <w@c.io>\r\n')).toBe('w@c.io')
    expect(await asked('')).toBeNull()
  })
})

describe('a complaint', () => {
  const complaint = (kind: string): Buffer =>
    Buffer.from(
      `From: fbl@isp.example\r\nTo: abuse@x.io\r\nSubject: FW: Rates\r\nMessage-ID: <c@isp>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type="feedback-report";\r\n boundary="B"\r\n\r\n--B\r\nContent-Type: text/plain\r\n\r\nAn abuse report.\r\n--B\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: ${kind}\r\nUser-Agent: SomeGenerator/1.0\r\nVersion: 1\r\n\r\n--B\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <sent@x.io>\r\nFrom: a@x.io\r\nSubject: Rates\r\n\r\nhi\r\n--B--\r\n`,
    )
  it('names the mail that was called spam (ARF, RFC 5965); one that takes it back is none', () => {
    expect(readComplaint(complaint('abuse'))).toEqual({ messageIds: ['<sent@x.io>'] })
    expect(readComplaint(complaint('not-spam'))).toBeNull()
    expect(readComplaint(Buffer.from('From: a@x.io\r\nSubject: abuse\r\n\r\nFeedback-Type: abuse'))).toBeNull()
  })
})
