import { describe, expect, it } from 'vitest'
import {
  escapedText,
  filledWith,
  joinLetter,
  LARGEST_MAIL,
  openVariables,
  quotedHtml,
  sizeInMail,
  splitLetter,
  zoneOfAddress,
  zoneOfCountry,
} from '../../../../src/headless/mail'
import { providerOf, PROVIDERS, serversOf } from '../../../../src/headless/mail/providers'

const quoted = {
  receiveTime: '2026-11-29T08:00:00.000Z',
  subject: 'Rates',
  senderStr: 'Li &lt;li@x.io&gt;',
  ccEmailStr: '',
  receiverEmailStr: 'me &lt;me@y.io&gt;',
  content: '<p>Old <section>theirs</section></p>',
}

describe('a letter', () => {
  it('is kept as one text and comes back in its parts, whatever stands in the quote', () => {
    const parts = { body: '<p>Hello</p>', signature: '<p>Wang<br>Sales</p>', quote: quotedHtml(quoted, 'en') }
    expect(splitLetter(joinLetter(parts))).toEqual(parts)
    expect(splitLetter(joinLetter({ ...parts, signature: '' }))).toEqual({ ...parts, signature: '' })
    expect(splitLetter('<p>Hello</p>')).toEqual({ body: '<p>Hello</p>', signature: '', quote: '' })
    expect(splitLetter(joinLetter({ body: '', signature: '', quote: parts.quote }))).toEqual({
      body: '',
      signature: '',
      quote: parts.quote,
    })
  })

  it('has its variables filled in where a value is known, and says which are open', () => {
    const text = 'Dear {{contact.name}}, {{ today }}: {{customer.name}}'
    const filled = filledWith(text, { 'contact.name': 'Li', today: '2026-11-29', 'customer.name': '' })
    expect(filled).toBe('Dear Li, 2026-11-29: {{customer.name}}')
    expect(openVariables(filled)).toEqual(['customer.name'])
    expect(escapedText('A & "B" <c>')).toBe('A &amp; &quot;B&quot; &lt;c&gt;')
  })

  it('reckons what a file takes in a mail: 21 MB fit into 30 MB, 22 MB do not', () => {
    expect(sizeInMail(57)).toBe(78)
    expect(sizeInMail(21 * 1024 * 1024)).toBeLessThan(LARGEST_MAIL)
    expect(sizeInMail(22 * 1024 * 1024)).toBeGreaterThan(LARGEST_MAIL)
  })
})

describe('a recipient', () => {
  it('has the clock of his country, where it has one', () => {
    expect(zoneOfCountry('DE')).toBe('Europe/Berlin')
    expect(zoneOfAddress('a@b.co.uk')).toBe('Europe/London')
    expect(zoneOfAddress('a@b.com')).toBeNull()
    for (const code of ['cn', 'de', 'gb', 'in', 'pk', 'ma', 'cl'])
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zoneOfCountry(code)! })).not.toThrow()
  })
})

describe('the servers of an address', () => {
  const of = (email: string, exchangers: string[] = []) => serversOf(email, providerOf(email, exchangers))
  it('are those that its provider publishes, else the names that most have', () => {
    expect(of('me@GMAIL.com')).toEqual({
      ...{ imapHost: 'imap.gmail.com', imapPort: 993, imapSecurity: 'tls', smtpHost: 'smtp.gmail.com', smtpPort: 465 },
      ...{ smtpSecurity: 'tls', authKind: 'password', login: 'me@GMAIL.com' },
    })
    expect(of('me@outlook.com')).toMatchObject({ smtpPort: 587, smtpSecurity: 'starttls', authKind: 'oauth2' })
    expect(of('me@icloud.com')).toMatchObject({ imapHost: 'imap.mail.me.com', login: 'me' })
    expect(of('me@firm.example')).toMatchObject({ imapHost: 'imap.firm.example', smtpHost: 'smtp.firm.example' })
  })

  it('of a company are those where its mail exchangers lead', () => {
    const providerIn = (...exchangers: string[]) => providerOf('me@firm.example', exchangers)?.id ?? null
    expect(providerIn('ASPMX.L.GOOGLE.com.')).toBe('gmail')
    expect(providerIn('firm-example.mail.protection.outlook.com')).toBe('exchange')
    expect(providerIn('mxbiz1.qq.com')).toBe('exmail')
    expect(providerIn('mx1.feishu.cn')).toBe('feishu')
    expect(providerIn('mx.notgoogle.com', 'mail.firm.example')).toBeNull()
  })

  it('say for every provider what has to be done first, in both languages, each domain once', () => {
    expect(PROVIDERS.length).toBeGreaterThanOrEqual(20)
    for (const { hint, name } of PROVIDERS)
      for (const words of [hint, name]) expect(Math.min(words.zh.length, words.en.length)).toBeGreaterThan(1)
    const domains = PROVIDERS.flatMap((one) => one.domains)
    expect(new Set(domains).size).toBe(domains.length)
  })
})
