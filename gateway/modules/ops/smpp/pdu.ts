/** SMPP 3.4: the few commands of a transceiver, as bytes. */

export const COMMANDS = {
  bindTransceiver: 0x09,
  submit: 0x04,
  deliver: 0x05,
  unbind: 0x06,
  enquireLink: 0x15,
  genericNack: 0x80000000,
} as const
/** Set in the command of an answer. */
export const ANSWER = 0x80000000
const HEAD = 16
const LONGEST = 64 * 1024

export interface Pdu {
  command: number
  status: number
  sequence: number
  body: Buffer
}

/** Optional parameters by tag. */
export const TAGS = {
  receiptedMessageId: 0x001e,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const

export function encodePdu({ command, status, sequence, body }: Pdu): Buffer {
  const head = Buffer.alloc(HEAD)
  head.writeUInt32BE(HEAD + body.length, 0)
  head.writeUInt32BE(command >>> 0, 4)
  head.writeUInt32BE(status, 8)
  head.writeUInt32BE(sequence, 12)
  return Buffer.concat([head, body])
}

/** Takes whole PDUs off what has come; answers them and the rest. @throws when the length cannot be one */
export function decodePdus(come: Buffer): { pdus: Pdu[]; rest: Buffer } {
  const pdus: Pdu[] = []
  let at = 0
  while (come.length - at >= HEAD) {
    const length = come.readUInt32BE(at)
    if (length < HEAD || length > LONGEST) throw new Error(`SMPP: a PDU of ${length} bytes`)
    if (come.length - at < length) break
    pdus.push({
      command: come.readUInt32BE(at + 4),
      status: come.readUInt32BE(at + 8),
      sequence: come.readUInt32BE(at + 12),
      body: come.subarray(at + HEAD, at + length),
    })
    at += length
  }
  return { pdus, rest: come.subarray(at) }
}

/** Writes the fields of a body one after the other. */
export class BodyWriter {
  private readonly parts: Buffer[] = []
  byte(value: number): this {
    this.parts.push(Buffer.of(value))
    return this
  }
  text(value: string): this {
    this.parts.push(Buffer.from(value, 'latin1'), Buffer.of(0))
    return this
  }
  bytes(value: Buffer): this {
    this.parts.push(value)
    return this
  }
  optional(tag: number, value: Buffer): this {
    const head = Buffer.alloc(4)
    head.writeUInt16BE(tag, 0)
    head.writeUInt16BE(value.length, 2)
    this.parts.push(head, value)
    return this
  }
  done(): Buffer {
    return Buffer.concat(this.parts)
  }
}

/** Reads the fields of a body one after the other; behind its end there is nothing. */
export class BodyReader {
  private at = 0
  constructor(private readonly body: Buffer) {}
  byte(): number {
    return this.at < this.body.length ? this.body[this.at++]! : 0
  }
  text(): string {
    const end = this.body.indexOf(0, this.at)
    const text = this.body.toString('latin1', this.at, end < 0 ? this.body.length : end)
    this.at = end < 0 ? this.body.length : end + 1
    return text
  }
  bytes(length: number): Buffer {
    const some = this.body.subarray(this.at, this.at + length)
    this.at += some.length
    return some
  }
  optionals(): Map<number, Buffer> {
    const found = new Map<number, Buffer>()
    while (this.body.length - this.at >= 4) {
      const [tag, length] = [this.body.readUInt16BE(this.at), this.body.readUInt16BE(this.at + 2)]
      this.at += 4
      found.set(tag, this.bytes(length))
    }
    return found
  }
}

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENSION: Readonly<Record<string, number>> = {
  '\f': 0x0a,
  '^': 0x14,
  '{': 0x28,
  '}': 0x29,
  '\\': 0x2f,
  '[': 0x3c,
  '~': 0x3d,
  ']': 0x3e,
  '|': 0x40,
  '€': 0x65,
}
const ESCAPE = 0x1b

/** A text in the alphabet of GSM-7, a septet a byte, or in UCS-2. */
export function encodeText(content: string, encoding: 'gsm7' | 'ucs2'): { coding: number; bytes: Buffer } {
  if (encoding === 'ucs2') return { coding: 8, bytes: Buffer.from(content, 'utf16le').swap16() }
  const bytes = [...content].flatMap((one) => (EXTENSION[one] === undefined ? [BASIC.indexOf(one)] : [ESCAPE, EXTENSION[one]]))
  return { coding: 0, bytes: Buffer.from(bytes) }
}
