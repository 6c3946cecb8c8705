import { plainText } from './words'

/** A file in a winmail.dat. */
interface PackedFile {
  name: string
  type: string
  content: Buffer
}

/** What Outlook packed into a winmail.dat (TNEF, MS-OXTNEF): files, and the text where the mail itself has none. */
interface Packed {
  files: PackedFile[]
  text: string
}

const SIGNATURE = 0x223e9f78
const ATTRIBUTES = { body: 0x800c, title: 0x8010, data: 0x800f, props: 0x9003, next: 0x9002, more: 0x9005, codePage: 0x9007 }
const PROPERTIES = { longName: 0x3707, name: 0x3704, type: 0x370e, object: 0x3701, html: 0x1013, text: 0x1000, codePage: 0x3fde }
/** Bytes of a value by its type, each padded to four; the others bear their length. */
const FIXED: Readonly<Record<number, number>> = {
  ...{ 0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0a: 4, 0x0b: 4, 0x14: 8, 0x40: 8, 0x48: 16 },
}
const [MANY, UNICODE, OBJECT, NAMED] = [0x1000, 0x1f, 0x0d, 0x8000]
/** Bytes that name the interface of an object before it. */
const INTERFACE = 16
const MOST_FILES = 500

/** Whether a file of a mail says that it is a winmail.dat. */
export const isPacked = ({ type, name }: { type: string; name: string | undefined }): boolean =>
  type === 'application/ms-tnef' || type === 'application/vnd.ms-tnef' || /^winmail\.dat$/iu.test(name ?? '')

/** Reads through bytes that may end anywhere. */
class Reader {
  at = 0
  constructor(readonly bytes: Buffer) {}
  has(count: number): boolean {
    return count >= 0 && this.at + count <= this.bytes.length
  }
  number(size: 1 | 2 | 4): number {
    if (!this.has(size)) throw new RangeError('it ends too soon')
    this.at += size
    return this.bytes.readUIntLE(this.at - size, size)
  }
  take(count: number): Buffer {
    if (!this.has(count)) throw new RangeError('it ends too soon')
    this.at += count
    return this.bytes.subarray(this.at - count, this.at)
  }
}

/** Opens a winmail.dat; what is broken is read as far as it can be. Null for bytes that are none. */
export function unpacked(bytes: Buffer): Packed | null {
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== SIGNATURE) return null
  const reader = new Reader(bytes)
  reader.at = 6
  const files: Partial<PackedFile>[] = []
  let [text, charset] = ['', 'windows-1252']
  try {
    while (reader.has(9) && files.length < MOST_FILES) {
      const level = reader.number(1)
      const attribute = reader.number(4) & 0xffff
      const value = reader.take(reader.number(4))
      reader.at += 2
      const file = files.at(-1)
      if (attribute === ATTRIBUTES.codePage) charset = charsetOf(value) ?? charset
      else if (attribute === ATTRIBUTES.next) files.push({})
      else if (attribute === ATTRIBUTES.body) text ||= stringOf(value, charset)
      else if (attribute === ATTRIBUTES.props && level === 1) text ||= bodyOf(propertiesOf(value), charset)
      else if (file && attribute === ATTRIBUTES.title) file.name ??= stringOf(value, charset)
      else if (file && attribute === ATTRIBUTES.data) file.content = value
      else if (file && attribute === ATTRIBUTES.more) describe(file, propertiesOf(value), charset)
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  const whole = files.flatMap(({ name = '', type = 'application/octet-stream', content }) =>
    content && content.length > 0 ? [{ name, type, content }] : [],
  )
  return { files: whole, text }
}

interface Property {
  type: number
  value: Buffer
}

function describe(file: Partial<PackedFile>, properties: ReadonlyMap<number, Property>, charset: string): void {
  const said = (id: number): string => textOf(properties.get(id), charset)
  file.name = said(PROPERTIES.longName) || said(PROPERTIES.name) || file.name || ''
  const type = said(PROPERTIES.type)
  if (/^[\w.+-]+\/[\w.+-]+$/u.test(type)) file.type = type.toLowerCase()
  const object = properties.get(PROPERTIES.object)
  if (!object || (file.content && file.content.length > 0)) return
  file.content = object.type === OBJECT ? object.value.subarray(INTERFACE) : object.value
  // a message in it is a winmail.dat of its own
  if (object.type === OBJECT && !/\.\w{1,5}$/u.test(file.name)) file.name = `${file.name || 'message'}.dat`
}

const bodyOf = (properties: ReadonlyMap<number, Property>, charset: string): string =>
  textOf(properties.get(PROPERTIES.text), charset) ||
  plainText(textOf(properties.get(PROPERTIES.html), charsetOf(properties.get(PROPERTIES.codePage)?.value) ?? charset))

const textOf = (property: Property | undefined, charset: string): string =>
  property ? stringOf(property.value, property.type === UNICODE ? 'utf-16le' : charset) : ''

/** The first value of each property. */
function propertiesOf(bytes: Buffer): ReadonlyMap<number, Property> {
  const reader = new Reader(bytes)
  const found = new Map<number, Property>()
  try {
    for (let left = reader.number(4); left > 0; left -= 1) {
      const type = reader.number(2)
      const id = reader.number(2)
      if (id >= NAMED) {
        reader.at += 16
        if (reader.number(4) === 0) reader.at += 4
        else skipPadded(reader, reader.number(4))
      }
      const kind = type & ~MANY
      const fixed = FIXED[kind]
      for (let values = fixed !== undefined && kind === type ? 1 : reader.number(4); values > 0; values -= 1) {
        const length = fixed ?? reader.number(4)
        const value = reader.take(length)
        skipPadded(reader, -length & 3)
        if (!found.has(id)) found.set(id, { type: kind, value })
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return found
}

function skipPadded(reader: Reader, length: number): void {
  reader.at += length + (-length & 3)
}

/** Charsets of code pages that have a name of their own; those of Windows are named by their number. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  ...{ 932: 'shift_jis', 936: 'gb18030', 949: 'euc-kr', 950: 'big5', 20_932: 'euc-jp', 54_936: 'gb18030', 65_001: 'utf-8' },
  ...{ 874: 'windows-874', 20_866: 'koi8-r', 50_220: 'iso-2022-jp' },
}

function charsetOf(value: Buffer | undefined): string | undefined {
  const page = value && value.length >= 4 ? value.readUInt32LE(0) : 0
  return page >= 1_250 && page <= 1_258 ? `windows-${page}` : CODE_PAGES[page]
}

const stringOf = (value: Buffer, charset: string): string => new TextDecoder(charset).decode(value).replace(/\u0000+$/u, '')
