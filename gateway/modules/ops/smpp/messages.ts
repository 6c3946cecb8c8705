import { segmentsOf } from '../../../../src/schema/sms/segments'
import type { SmsOrder, SmsReceipt } from '../connector'
import { BodyReader, BodyWriter, encodeText, TAGS } from './pdu'

const VERSION = 0x34
const [INTERNATIONAL, ALPHANUMERIC, ISDN] = [1, 5, 1]
const MOST_SHORT = 254
const RECEIPT_WANTED = 1

/** Body of `bind_transceiver`. */
export const bindBody = (systemId: string, password: string): Buffer =>
  new BodyWriter().text(systemId).text(password).text('').byte(VERSION).byte(0).byte(0).text('').done()

/** Body of `submit_sm`; a long text goes whole, and the platform cuts it. */
export function submitBody({ to, sender, content, channel }: SmsOrder, channelTag: number | undefined): Buffer {
  const { encoding, segments } = segmentsOf(content)
  const { coding, bytes } = encodeText(content, encoding)
  const isNumber = /^\+?\d+$/.test(sender)
  const isShort = segments === 1 && bytes.length <= MOST_SHORT
  const body = new BodyWriter()
    .text('')
    .byte(isNumber ? INTERNATIONAL : ALPHANUMERIC)
    .byte(isNumber ? ISDN : 0)
    .text(sender.replace(/^\+/, ''))
    .byte(INTERNATIONAL)
    .byte(ISDN)
    .text(to.replace(/^\+/, ''))
    .bytes(Buffer.of(0, 0, 0))
    .text('')
    .text('')
    .bytes(Buffer.of(RECEIPT_WANTED, 0, coding, 0))
    .byte(isShort ? bytes.length : 0)
  if (isShort) body.bytes(bytes)
  else body.optional(TAGS.messagePayload, bytes)
  if (channelTag !== undefined && channel !== null) body.optional(channelTag, Buffer.from(channel, 'latin1'))
  return body.done()
}

/** `message_state` of SMPP, and its words in the text of a receipt. */
const STATES: Readonly<Record<number, SmsReceipt['state']>> = {
  2: 'delivered',
  3: 'expired',
  4: 'failed',
  5: 'failed',
  7: 'unknown',
  8: 'rejected',
}
const WORDS: Readonly<Record<string, number>> = { DELIVRD: 2, EXPIRED: 3, DELETED: 4, UNDELIV: 5, UNKNOWN: 7, REJECTD: 8 }
const IS_RECEIPT = 0x04

/** The receipt in a `deliver_sm`; none where it is a message, or one of a state that is not the last (en route, accepted). */
export function receiptOf(body: Buffer): SmsReceipt | null {
  const reader = new BodyReader(body)
  reader.text()
  for (let address = 0; address < 2; address += 1) {
    reader.bytes(2)
    reader.text()
  }
  const kind = reader.byte()
  if ((kind & 0x3c) !== IS_RECEIPT) return null
  reader.bytes(2)
  reader.text()
  reader.text()
  reader.bytes(4)
  const short = reader.bytes(reader.byte())
  const optionals = reader.optionals()
  const said = (optionals.get(TAGS.messagePayload) ?? short).toString('latin1')
  const named = optionals.get(TAGS.receiptedMessageId)?.toString('latin1').replace(/\0.*$/s, '')
  const messageId = named ?? /\bid:(\S+)/i.exec(said)?.[1]
  const state = STATES[optionals.get(TAGS.messageState)?.[0] ?? WORDS[/\bstat:(\w+)/i.exec(said)?.[1]?.toUpperCase() ?? ''] ?? 0]
  if (!messageId || !state) return null
  const error = /\berr:(\w+)/i.exec(said)?.[1] ?? optionals.get(TAGS.networkErrorCode)?.toString('hex') ?? null
  return { messageId, state, errorCode: error !== null && /^0+$/.test(error) ? null : error }
}
