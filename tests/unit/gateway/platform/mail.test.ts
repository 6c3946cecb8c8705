import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import {
  attachmentsOf,
  autoReplySubject,
  cleanHtml,
  freeze,
  linksOf,
  looksLike,
  mayReplyByItself,
  nextTry,
  readBounce,
  readMail,
  warningsOf,
  weighsAsSpam,
} from '../../../../gateway/platform/mail'

const raw = (headers: string, body: Buffer | string): Buffer =>
  Buffer.concat([
    Buffer.from(`From: W <w@x.io>\r\nTo: a@x.io\r\nMessage-ID: <1@x.io>\r\n${headers}\r\n`, 'latin1'),
    Buffer.isBuffer(body) ? body : Buffer.from(body),
  ])
const typed = (charset: string, body: Buffer, subject = 'x'): Buffer =>
  raw(`Subject: ${subject}\r\nContent-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: 8bit\r\n`, body)
const ZH = '您好，附件是本月报价，请查收。谢谢！'

describe('the charset of a mail', () => {
  it.each<[string, Buffer, string]>([
    ['GB18030', typed('GB18030', iconv.encode(`${ZH}㐀`, 'gb18030')), `${ZH}㐀`],
    ['GBK that is called gb2312', typed('gb2312', iconv.encode(`${ZH}鎔`, 'gbk')), `${ZH}鎔`],
    ['Big5', typed('big5', iconv.encode('您好，報價', 'big5')), '您好，報價'],
    ['ISO-2022-JP', typed('iso-2022-jp', Buffer.from('\u001b$B8+9b\u001b(B', 'latin1')), '見高'],
    ['windows-1252 that is called latin1', typed('iso-8859-1', Buffer.from('price \x80 5 \x93q\x94', 'latin1')), 'price € 5 “q”'],
    ['UTF-8 without a name', raw('Subject: x\r\n', ZH), ZH],
    [
      'base64 with junk in it',
      raw(
        'Subject: x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n',
        Buffer.from(ZH)
          .toString('base64')
          .replace(/(.{8})/gu, '$1!*\r\n'),
      ),
      ZH,
    ],
  ])('is read right: %s', async (_name, message, text) => {
    const mail = await readMail(message)
    expect([mail.text.trim(), mail.charsetGuessed]).toEqual([text, null])
  })

  it('is guessed where nobody says it, and that is said', async () => {
    const gbk = iconv.encode(ZH, 'gbk')
    for (const message of [raw('Subject: x\r\n', gbk), typed('us-ascii', gbk)]) {
      const mail = await readMail(message)
      expect([mail.text.trim(), mail.charsetGuessed]).toEqual([ZH, 'gb18030'])
    }
    const subject = (await readMail(raw(`Subject: ${gbk.toString('latin1')}\r\n`, 'hi'))).subject
    expect(subject).toBe(ZH)
  })

  it('is the one that a reader chooses', async () => {
    const message = typed('windows-1251', Buffer.from('hello \xe9', 'latin1'))
    expect((await readMail(message)).text.trim()).toBe('hello й')
    expect((await readMail(message, 'windows-1252')).text.trim()).toBe('hello é')
  })

  it('of names of files is read in all their parts (RFC 2231)', async () => {
    const headers = `Subject: x\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment;\r\n filename*0*=UTF-8''%E6%8A%A5;\r\n filename*1*=%E4%BB%B7.pdf\r\n`
    expect((await readMail(raw(headers, '%PDF'))).attachments[0]).toMatchObject({ name: '报价.pdf', inline: false, index: 0 })
  })
})

describe('the headers of a mail', () => {
  it('name groups, encoded words and lists', async () => {
    const mail = await readMail(
      raw(
        'Subject: x\r\nCc: Team: a@b.io, "C, D" <c@d.io>;, =?gb2312?B?xOO6ww==?= <e@f.io>\r\nReferences: <a@b> <c@d>\r\nIn-Reply-To: <c@d>\r\nList-Post: <mailto:l@x.io>\r\nAuto-Submitted: auto-replied\r\n',
        'hi',
      ),
    )
    expect(mail.cc).toEqual([{ email: 'a@b.io' }, { email: 'c@d.io', name: 'C, D' }, { email: 'e@f.io', name: '你好' }])
    expect(mail).toMatchObject({ references: ['<a@b>', '<c@d>'], inReplyTo: '<c@d>', listPost: 'l@x.io', autoSubmitted: true })
    expect((await readMail(raw('Subject: x\r\n', 'hi'))).date).toBeNull()
  })

  it('say whether a program may answer (RFC 3834)', async () => {
    const may = async (more: string, from = 'Anna <anna@carrier.example>', to = 'Me@our.example'): Promise<boolean> => {
      const head = `From: ${from}\r\nTo: ${to}\r\nMessage-ID: <1@carrier.example>\r\n${more}`
      return mayReplyByItself(await readMail(Buffer.from(`${head}\r\nhi`)), 'me@our.example')
    }
    expect(await may('')).toBe(true)
    expect(await may('Auto-Submitted: no\r\nReturn-Path: <anna@carrier.example>\r\n')).toBe(true)
    for (const header of [
      ...['Auto-Submitted: auto-generated', 'Auto-Submitted: auto-replied; owner-email="x@y.example"', 'Precedence: bulk'],
      ...['List-Unsubscribe: <mailto:off@carrier.example>', 'List-Id: News <news.carrier.example>', 'Return-Path: <>'],
      'X-Auto-Response-Suppress: OOF, DR',
    ])
      expect([header, await may(`${header}\r\n`)]).toEqual([header, false])
    for (const from of [
      ...[
        'no-reply@carrier.example',
        'NoReply+7@carrier.example',
        'do_not_reply@carrier.example',
        'MAILER-DAEMON@carrier.example',
      ],
      ...['news-request@carrier.example', 'owner-news@carrier.example', 'me@our.example'],
    ])
      expect([from, await may('', from)]).toEqual([from, false])
    expect(await may('', 'anna@carrier.example', 'team@our.example')).toBe(false)
    expect(autoReplySubject('Rates', 'Back on Monday')).toBe('Automatic reply: Rates')
    expect(autoReplySubject('Rates', '周一返回')).toBe('自动回复：Rates')
    expect(autoReplySubject('自动回复：Rates', 'Back')).toBe('自动回复：Rates')
  })

  it('give files names without paths and directions', async () => {
    const headers =
      'Subject: x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="../../etc/\u202epasswd"\r\n'
    expect((await readMail(raw(headers, 'x'))).attachments[0]?.name).not.toMatch(/[/\\\u202e]/u)
  })
})

describe('the HTML of a mail', () => {
  it('has nothing in it that runs, loads, leaves or covers', () => {
    const hostile = [
      '<script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)><script>1</script></svg>',
      '<a href="javascript:alert(1)">a</a><a href="data:text/html,x">b</a><a href="vbscript:x">c</a>',
      '<base href="https://evil.io/"><meta http-equiv="refresh" content="0;url=https://evil.io"><link rel=stylesheet href=//evil.io>',
      '<form action="https://evil.io"><input name=p><button>x</button></form><iframe src="https://evil.io"></iframe>',
      '<style>@import url(https://evil.io); body{display:none}</style><div style="position:fixed;top:0;left:0;width:100%;z-index:9;background:url(https://evil.io/x)">x</div>',
      '<img srcset="https://evil.io/a 1x" src="//evil.io/b"><video poster="https://evil.io"></video><object data="https://evil.io"></object>',
      '<div style="background:u\\72l(https://evil.io)">y</div><div style="width:expression(alert(1))">z</div>',
    ]
    for (const html of hostile) {
      const clean = cleanHtml(html).html
      expect(clean).not.toMatch(/<(?:script|svg|style|base|meta|link|form|input|button|iframe|video|object)\b/iu)
      expect(clean).not.toMatch(
        /\son\w+=|javascript:|vbscript:|data:text|position|z-index|url\(|u\\72l|expression|srcset|evil\.io/iu,
      )
    }
  })

  it('keeps pictures from elsewhere for the reader’s trust, and its own', () => {
    const { html, remoteImages } = cleanHtml('<img src="https://t.io/p.gif" alt="p"><img src="cid:logo@x">')
    expect(html).toBe('<img alt="p" data-src="https://t.io/p.gif" /><img src="cid:logo@x" />')
    expect(remoteImages).toBe(1)
  })

  it('is cut where it is too long, however deep it is', () => {
    expect(cleanHtml('x'.repeat(2_000_010))).toMatchObject({ cut: true })
    expect(cleanHtml('<table><tr><td>'.repeat(20_000)).html.length).toBeLessThan(10_000)
  })

  it('tells its links with what is written on them', () => {
    expect(linksOf(cleanHtml('<a href="http://a.io/?x=1&amp;y=2"><b>b</b>.io</a>').html)).toEqual([
      { href: 'http://a.io/?x=1&y=2', text: 'b.io' },
    ])
  })
})

describe('warnings', () => {
  const known = { domains: ['switchboard.example', 'modern-telecom.com'], isKnown: true }
  const warned = async (headers: string, body = 'hi') => warningsOf(await readMail(raw(headers, body)), known)

  it('name what is wrong with a mail', async () => {
    const phishing = Buffer.from(
      'From: "ceo@switchboard.example" <a@switchb0ard.example>\r\nReply-To: x@evil.io\r\nSubject: x\r\nContent-Type: text/html\r\n\r\n<a href="http://evil.io/x">https://bank.com/login</a>',
    )
    const warnings = warningsOf(await readMail(phishing), { ...known, isKnown: false })
    expect(warnings).toEqual([
      'replyToDiffers',
      'displayNameIsOtherAddress',
      'linkTextDiffers',
      'lookalikeDomain',
      'firstTimeSender',
    ])
    expect(weighsAsSpam(warnings)).toBe(true)
    expect(weighsAsSpam(['firstTimeSender', 'linkTextDiffers'])).toBe(false)
  })
  it('are none for ordinary mail', async () => {
    expect(
      await warned(
        'Subject: x\r\nReply-To: desk@mail.x.io\r\nContent-Type: text/html\r\n',
        '<a href="https://www.x.io/a">x.io</a>',
      ),
    ).toEqual([])
  })
  it('know programs and locked archives by name and content', async () => {
    const file = (name: string): string =>
      `Subject: x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"\r\n`
    expect(await warned(file('rates.pdf.exe'))).toEqual(['executableAttachment'])
    const locked = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 1, 0]), Buffer.alloc(40)])
    expect(warningsOf(await readMail(raw(file('rates.zip'), locked)), known)).toEqual(['passwordProtectedArchive'])
  })
  it('know domains that look alike, not the same one', () => {
    expect(looksLike('rnodern-telecom.com', known.domains)).toBe(true)
    expect(looksLike('switchboard1.example', known.domains)).toBe(true)
    expect(looksLike('mail.switchboard.example', known.domains)).toBe(false)
    expect(looksLike('x.io', known.domains)).toBe(false)
  })
})

describe('a bounce', () => {
  const report = (action: string, status: string): Buffer =>
    Buffer.from(
      `From: MAILER-DAEMON@mx.io\r\nTo: a@x.io\r\nSubject: Delivery\r\nMessage-ID: <b@mx>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status;\r\n boundary="B"\r\n\r\n--B\r\nContent-Type: text/plain\r\n\r\nsorry\r\n--B\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.io\r\n\r\nFinal-Recipient: rfc822; no@x.io\r\nAction: ${action}\r\nStatus: ${status}\r\nDiagnostic-Code: smtp; 550 no such user\r\n\r\n--B\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <orig@x>\r\nFrom: a@x.io\r\nSubject: hi\r\n\r\nbody\r\n--B--\r\n`,
    )
  const read = async (message: Buffer) => readBounce(await readMail(message), message)

  it('says which mail did not reach whom, for good or for now (RFC 3464)', async () => {
    expect(await read(report('failed', '5.1.1'))).toEqual({
      messageIds: ['<orig@x>'],
      recipients: ['no@x.io'],
      isFinal: true,
      reason: '550 no such user',
      returnedTo: ['a@x.io'],
    })
    expect((await read(report('delayed', '4.4.1')))?.isFinal).toBe(false)
    expect(await read(report('delivered', '2.0.0'))).toBeNull()
  })
  it('is told in words, too; an ordinary mail is none', async () => {
    const worded = Buffer.from(
      'From: postmaster@mx.cn\r\nSubject: =?utf-8?B?57O757uf6YCA5L+h?=\r\n\r\nno@x.io 550 5.1.1\r\nMessage-ID: <orig@x>\r\n',
    )
    expect(await read(worded)).toMatchObject({ messageIds: ['<orig@x>'], recipients: ['no@x.io'], isFinal: true })
    expect(await read(raw('Subject: Undeliverable\r\n', 'hi'))).toBeNull()
  })
})

describe('a mail that is made to be slow', () => {
  it('is read in time that grows with its length only', async () => {
    const long = 'a'.repeat(500_000)
    const bounce = raw('From: mailer-daemon@x.io\r\nSubject: Undeliverable\r\n'.repeat(2), long)
    const reports = raw(`Subject: x\r\n${'Content-Type: multipart/report\r\n'.repeat(10_000)}`, 'x')
    const files = raw(
      'Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n',
      `${'--b\r\nContent-Disposition: attachment; filename=x\r\n\r\nx\r\n'.repeat(2_000)}--b--`,
    )
    for (const message of [bounce, reports, files, raw(`Subject: x\r\nReply-To: ${long}\r\n`, 'x')]) {
      const begun = performance.now()
      const mail = await readMail(message)
      readBounce(mail, message)
      warningsOf(mail, { domains: [], isKnown: false })
      expect([message.subarray(60, 120).toString(), performance.now() - begun < 5_000]).toEqual([
        message.subarray(60, 120).toString(),
        true,
      ])
    }
    expect((await readMail(files)).attachments.length).toBe(500)
  })
})

describe('a message that is sent', () => {
  it('says nothing of who is copied blindly, and no header can be slipped in', async () => {
    const { raw: bytes, messageId } = await freeze({
      from: { email: 'li@bücher.example', name: 'Li\r\nBcc: spy@evil.io' },
      to: [{ email: 'a@x.io', name: '王, 伟' }],
      cc: [],
      subject: '报价\r\nBcc: spy@evil.io',
      html: '<p>您好</p><script>1</script>',
      attachments: [{ name: '报价 单.xlsx', type: 'application/vnd.ms-excel', content: Buffer.from('abc') }],
      date: new Date('2026-03-01T00:00:00Z'),
      inReplyTo: '<a@b>',
      references: ['<a@b>'],
    })
    expect(bytes.toString().toLowerCase()).not.toMatch(/^bcc:/mu)
    const mail = await readMail(bytes)
    expect(mail).toMatchObject({
      to: [{ email: 'a@x.io', name: '王, 伟' }],
      inReplyTo: '<a@b>',
      references: ['<a@b>'],
      messageId,
    })
    expect(mail.html).not.toContain('script')
    expect(mail.text.trim()).toBe('您好')
    expect(mail.attachments).toMatchObject([{ name: '报价 单.xlsx', size: 3 }])
    expect((await attachmentsOf(bytes)).map(({ content }) => content.toString())).toEqual(['abc'])
  })

  it('bears no header that stands in what it answers, in addresses, or in names and types of files', async () => {
    const slip = 'x\r\nBcc: spy@evil.io\r\n\r\n<script>'
    const letter = {
      ...{ from: { email: 'li@x.io', name: slip }, to: [{ email: 'a@x.io', name: slip }], cc: [{ email: 'c@x.io', name: slip }] },
      ...{ subject: slip, html: '<p>Hi</p>', date: new Date('2026-03-01T00:00:00Z') },
      attachments: [{ name: slip, type: `text/plain\r\nBcc: spy@evil.io`, content: Buffer.from('abc'), contentId: `${slip}@x` }],
      ...{ inReplyTo: `<a@b>${slip}`, references: [`<a@b>${slip}`, slip], headers: { 'X-Campaign': slip } },
    }
    const { raw: bytes } = await freeze(letter)
    expect(bytes.toString()).not.toMatch(/^\s*bcc\s*:/imu)
    expect((await readMail(bytes)).bcc).toEqual([])
  })

  it('is tried again after 1, 5 and 30 minutes, 2, 6 and 24 hours, and no more', () => {
    const now = new Date('2026-03-01T00:00:00Z')
    const minutes = [1, 2, 3, 4, 5, 6, 7].map((attempts) => {
      const again = nextTry(attempts, now)
      return again && (again.getTime() - now.getTime()) / 60_000
    })
    expect(minutes).toEqual([1, 5, 30, 120, 360, 1_440, null])
  })
})
