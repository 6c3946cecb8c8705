import { describe, expect, it } from 'vitest'
import { roomOf } from '../../../../../gateway/modules/ops/jobs/calls/pace'
import { digest, offer, parseSip, resultOf } from '../../../../../gateway/modules/ops/sip/message'
import { receiptOf, submitBody } from '../../../../../gateway/modules/ops/smpp/messages'
import { BodyWriter, decodePdus, encodePdu, encodeText, TAGS } from '../../../../../gateway/modules/ops/smpp/pdu'

describe('SMPP', () => {
  it('takes whole PDUs off a stream and keeps the rest', () => {
    const first = encodePdu({ command: 0x80000004, status: 0, sequence: 7, body: Buffer.from('abc\0') })
    const { pdus, rest } = decodePdus(Buffer.concat([first, first.subarray(0, 9)]))
    expect(pdus).toMatchObject([{ command: 0x80000004, status: 0, sequence: 7 }])
    expect(rest.length).toBe(9)
    expect(() => decodePdus(Buffer.alloc(16))).toThrow('0 bytes')
  })

  it.each([
    ['A@€', 'gsm7', 0, [0x41, 0x00, 0x1b, 0x65]],
    ['码', 'ucs2', 8, [0x78, 0x01]],
  ] as const)('writes %s in %s', (text, encoding, coding, bytes) => {
    expect(encodeText(text, encoding)).toEqual({ coding, bytes: Buffer.from(bytes) })
  })

  it('sends a long text whole, and the channel where the platform is told', () => {
    const order = { to: '+6591234567', sender: 'NOTICE', content: 'a'.repeat(161), channel: 'CH0001' }
    const tag = Buffer.from([0x14, 0x01, 0, 6])
    expect(submitBody(order, 0x1401).includes(Buffer.concat([tag, Buffer.from('CH0001')]))).toBe(true)
    expect(submitBody(order, undefined).includes(Buffer.from('CH0001'))).toBe(false)
    expect(submitBody(order, undefined).includes(Buffer.from([0x04, 0x24, 0, 161]))).toBe(true)
  })

  const deliver = (kind: number, text: string): BodyWriter =>
    new BodyWriter()
      .text('')
      .bytes(Buffer.of(1, 1))
      .text('65')
      .bytes(Buffer.of(5, 0))
      .text('N')
      .bytes(Buffer.of(kind, 0, 0))
      .text('')
      .text('')
      .bytes(Buffer.of(0, 0, 0, 0))
      .byte(text.length)
      .bytes(Buffer.from(text))

  it.each([
    ['id:42 sub:001 stat:DELIVRD err:000 text:', { messageId: '42', state: 'delivered', errorCode: null }],
    ['id:42 stat:UNDELIV err:034', { messageId: '42', state: 'failed', errorCode: '034' }],
    ['id:42 stat:EXPIRED err:001', { messageId: '42', state: 'expired', errorCode: '001' }],
    ['id:42 stat:ENROUTE err:000', null],
  ])('reads the receipt %s', (text, expected) => {
    expect(receiptOf(deliver(4, text).done())).toEqual(expected)
    expect(receiptOf(deliver(0, text).done())).toBeNull()
  })

  it('believes the optional parameters of a receipt before its text', () => {
    const body = deliver(4, 'id:1 stat:DELIVRD')
      .optional(TAGS.receiptedMessageId, Buffer.from('77\0'))
      .optional(TAGS.messageState, Buffer.of(8))
    expect(receiptOf(body.done())).toEqual({ messageId: '77', state: 'rejected', errorCode: null })
  })
})

describe('SIP', () => {
  it('reads an answer with compact headers', () => {
    const answer = parseSip(Buffer.from('SIP/2.0 180 Ringing\r\nv: SIP/2.0/UDP 1.1.1.1\r\ni: abc\r\n\r\n'))
    expect(answer).toMatchObject({ method: null, code: 180, reason: 'Ringing' })
    expect(answer?.headers.get('call-id')).toEqual(['abc'])
    expect(parseSip(Buffer.from('hello'))).toBeNull()
  })

  it('answers the challenge of RFC 2069 as RFC 2617 says', () => {
    const said = digest('Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc"', {
      user: 'Mufasa',
      password: 'CircleOfLife',
      method: 'GET',
      uri: '/dir/index.html',
    })
    expect(said).toContain('response="1949323746fe6a43ef61f9606e7febea"')
    expect(said).toContain('opaque="5ccc"')
  })

  it.each([
    [200, 'answered'],
    [486, 'busy'],
    [600, 'busy'],
    [480, 'noAnswer'],
    [487, 'noAnswer'],
    [603, 'refused'],
    [503, 'failed'],
  ])('takes %i for %s', (code, result) => expect(resultOf(code)).toBe(result))

  it('offers the codec that was asked for', () => {
    expect(offer('g729', '192.0.2.1', 4000)).toContain('m=audio 4000 RTP/AVP 18\r\na=rtpmap:18 G729/8000')
  })
})

describe('the pace of a group call task', () => {
  const pace = { concurrency: 5, cps: 1, callFrom: 9, callUntil: 20, timeZone: 'Asia/Shanghai' }
  it.each([
    ['2026-11-20T01:00:00Z', 0, 5],
    ['2026-11-20T01:00:00Z', 3, 2],
    ['2026-11-20T01:00:00Z', 9, 0],
    ['2026-11-20T00:59:00Z', 0, 0],
    ['2026-11-20T12:00:00Z', 0, 0],
  ])('at %s with %i under way: %i', (now, dialing, room) => expect(roomOf(pace, new Date(now), dialing, 5)).toBe(room))
})
