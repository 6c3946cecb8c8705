import { describe, expect, it } from 'vitest'
import {
  addressLine,
  answerRecipients,
  areMailAddresses,
  asciiAddress,
  bareSubject,
  displayAddress,
  filledIn,
  forwardSubject,
  isMailAddress,
  needsUtf8,
  openVariables,
  parseAddresses,
  QUOTE_LABELS,
  quotedHtml,
  replySubject,
  speaksOfAttachment,
  timedAt,
} from '../../../../src/headless/mail'

describe('an address', () => {
  it('is shown with its name, else by what stands before the @, its angle brackets escaped (R276, R277, R278)', () => {
    expect(displayAddress({ name: 'Li <b>', email: 'a@x.io' })).toBe('Li &lt;b&gt; &lt;a@x.io&gt;')
    expect(displayAddress({ email: 'a@x.io' })).toBe('a &lt;a@x.io&gt;')
    expect(displayAddress({ email: 'a@x.io', name: '  ' })).toBe('a &lt;a@x.io&gt;')
    expect(addressLine([{ email: 'a@x.io' }, { email: 'b@x.io', name: 'B' }])).toBe('a &lt;a@x.io&gt;; B &lt;b@x.io&gt;')
  })

  it('is pasted in many ways: quotes are respected, a comma may belong to a name (R154)', () => {
    expect(parseAddresses('Wang, Li <w@x.io>; "Chen, F" <c@x.io>，d@x.io')).toEqual([
      { email: 'w@x.io', name: 'Wang, Li' },
      { email: 'c@x.io', name: 'Chen, F' },
      { email: 'd@x.io' },
    ])
    expect(parseAddresses('a@x.io\tb@x.io\nmailto:c@x.io；')).toEqual([
      { email: 'a@x.io' },
      { email: 'b@x.io' },
      { email: 'c@x.io' },
    ])
    // what is none stays as it was typed
    expect(parseAddresses('Wang, d@x.io')).toEqual([{ email: 'Wang' }, { email: 'd@x.io' }])
    expect(parseAddresses(' , ;\n')).toEqual([])
  })

  it('has a valid format, or is refused; a list passes when all of it does (R274, R275)', () => {
    for (const email of ['müller@bücher.example', 'a.b+c@x.io', 'a@sub.x.io', '王@例子.中国'])
      expect([email, isMailAddress(email)]).toEqual([email, true])
    for (const email of [
      'a@b',
      'a..b@x.io',
      'a@x.io.',
      '.a@x.io',
      'a.@x.io',
      'a b@x.io',
      '@x.io',
      'a@',
      '',
      'a@x.io\r\nBcc: b@x.io',
    ])
      expect([email, isMailAddress(email)]).toEqual([email, false])
    expect(areMailAddresses([{ email: 'a@x.io' }, { email: 'b@x.io' }])).toBe(true)
    expect(areMailAddresses([{ email: 'a@x.io' }, { email: 'b@x' }])).toBe(false)
  })

  it('is sent with its domain in punycode; a local part in another script needs SMTPUTF8', () => {
    expect(asciiAddress('Li@Bücher.example')).toBe('li@xn--bcher-kva.example')
    expect(needsUtf8('müller@bücher.example')).toBe(true)
    expect(needsUtf8('li@bücher.example')).toBe(false)
  })
})

describe('an answer', () => {
  const people = (...emails: string[]) => emails.map((email) => ({ email }))
  const received = {
    direction: 'in' as const,
    sender: { email: 'wang@c.io' },
    replyTo: [],
    to: people('me@x.io', 'chen@x.io'),
    cc: people('ME@x.io', 'zhao@c.io', 'wang@c.io'),
  }

  it('goes to whoever wrote, or where Reply-To says', () => {
    expect(answerRecipients(received, false, ['me@x.io'])).toEqual({ to: people('wang@c.io'), cc: [] })
    expect(answerRecipients({ ...received, replyTo: people('desk@c.io') }, false, ['me@x.io']).to).toEqual(people('desk@c.io'))
  })
  it('to all leaves out one’s own addresses, aliases too, and keeps Cc, each address once', () => {
    expect(answerRecipients(received, true, ['me@x.io', 'chen@x.io'])).toEqual({
      to: people('wang@c.io'),
      cc: people('zhao@c.io'),
    })
  })
  it('to what one sent oneself goes to its recipients', () => {
    const sent = {
      ...received,
      direction: 'out' as const,
      sender: { email: 'me@x.io' },
      to: people('wang@c.io'),
      cc: people('zhao@c.io'),
    }
    expect(answerRecipients(sent, false, ['me@x.io'])).toEqual({ to: people('wang@c.io'), cc: [] })
    expect(answerRecipients(sent, true, ['me@x.io'])).toEqual({ to: people('wang@c.io'), cc: people('zhao@c.io') })
    const toMyself = { ...sent, to: people('me@x.io'), cc: [] }
    expect(answerRecipients(toMyself, true, ['me@x.io']).to).toEqual(people('me@x.io'))
  })
})

describe('a subject', () => {
  it('has one prefix, in the language of the interface', () => {
    expect(replySubject('Re: RE: 回复：Fwd: X', 'en')).toBe('Re: X')
    expect(replySubject('Re: RE: 回复：Fwd: X', 'zh')).toBe('回复：X')
    expect(forwardSubject('AW: Rates', 'en')).toBe('Fwd: Rates')
  })
  it('is not cut where it only looks like a prefix', () => {
    expect(bareSubject('Re[2]: Rates: new')).toBe('Rates: new')
    expect(bareSubject('Report: hot')).toBe('Report: hot')
  })
})

describe('a quote', () => {
  const mail = {
    receiveTime: '2026-03-01T02:00:00.000Z',
    subject: 'X <y>',
    senderStr: 'W &lt;w@x.io&gt;',
    ccEmailStr: '',
    receiverEmailStr: 'a &lt;a@x.io&gt;',
    content: '<p>Hi</p>',
  }
  it('has Chinese labels, English ones only where the interface is English (R279)', () => {
    const labels = Object.values(QUOTE_LABELS).map(({ zh }) => zh)
    expect(labels).toEqual(['发件人', '发送时间', '收件人', '抄送', '主题'])
    // nobody has to read a moment as programs write it
    expect(quotedHtml(mail, 'zh')).toContain('2026-03-01 02:00 UTC')
    const zh = quotedHtml({ ...mail, ccEmailStr: 'c &lt;c@x.io&gt;' }, 'zh')
    for (const label of labels) expect(zh).toContain(`<b>${label}：</b>`)
    expect(quotedHtml(mail, 'en')).toContain('<b>From: </b>W &lt;w@x.io&gt;')
    expect(quotedHtml(mail, 'en')).not.toContain('Cc')
    expect(quotedHtml(mail, 'en')).toContain('X &lt;y&gt;')
  })
  it('is not what speaks of an attachment that was forgotten', () => {
    expect(speaksOfAttachment('<p>请见附件</p>')).toBe(true)
    expect(speaksOfAttachment('<p>The rates are attached.</p>')).toBe(true)
    expect(speaksOfAttachment('<p>enclosed</p>')).toBe(true)
    expect(speaksOfAttachment('<p>Thanks</p><blockquote class="sb-quote"><p>见附件 attached</p></blockquote>')).toBe(false)
    expect(speaksOfAttachment('<p title="attached">Thanks</p>')).toBe(false)
  })
})

describe('a template', () => {
  it('says what has to be filled in still, and never sends braces', () => {
    const text = 'Dear {{contact.name}}, {{ today }} {{unknown}}'
    expect(openVariables(text)).toEqual(['contact.name', 'today', 'unknown'])
    const filled = filledIn(text, { 'contact.name': 'Li', today: '2026-03-01' })
    expect(filled).toBe('Dear Li, 2026-03-01 {{unknown}}')
    expect(openVariables(filled)).toEqual(['unknown'])
    expect(filledIn('{{me.name}}', { 'me.name': '' })).toBe('{{me.name}}')
  })
})

describe('a timed mail', () => {
  it('goes at the clock of the recipient’s zone, on the nights when it changes too', () => {
    expect(timedAt('2026-03-02', '08:30', 'Asia/Shanghai')).toBe('2026-03-02T00:30:00.000Z')
    expect(timedAt('2026-03-28', '08:30', 'Europe/Berlin')).toBe('2026-03-28T07:30:00.000Z')
    expect(timedAt('2026-03-29', '08:30', 'Europe/Berlin')).toBe('2026-03-29T06:30:00.000Z')
    expect(timedAt('2026-10-25', '08:30', 'Europe/Berlin')).toBe('2026-10-25T07:30:00.000Z')
  })
})
