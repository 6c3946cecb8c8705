import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Unzip, UnzipInflate, type UnzipFile } from 'fflate'
import { SaxesParser } from 'saxes'
import { FileRefusedError, type ReadLimits } from './sheetRows'

const RATIO_FROM = 5 * 1_048_576
const MOST_ENTRIES = 10_000
/** Bytes of the parts that say what else there is; they are read as a whole. */
const MOST_SMALL = 8 * 1_048_576
const PIECE = 16_384
const ROW_TAG = Buffer.from('<row')

/** What a first look at a workbook found, without keeping its rows. */
export interface Survey {
  /** All parts. */
  readonly names: ReadonlySet<string>
  /** Small parts by name: relationships, the workbook itself, its styles. */
  readonly small: ReadonlyMap<string, string>
  /** Row elements of each part that has any, for the progress. */
  readonly rows: ReadonlyMap<string, number>
}

/** Unpacks everything once and stops as soon as a limit is passed. */
export async function surveyArchive(path: string, limits: ReadLimits): Promise<Survey> {
  const { size } = await stat(path)
  const small = new Map<string, string>()
  const rows = new Map<string, number>()
  let unpacked = 0
  const names = new Set<string>()
  let entries = 0
  const check = (): void => {
    if (unpacked > limits.unpacked || (unpacked > RATIO_FROM && unpacked > size * limits.ratio)) throw bomb(limits)
    if (entries > MOST_ENTRIES) throw damaged()
  }
  const pieces = unzipped(path, (name) => {
    entries += 1
    names.add(name)
    if (/^xl\/worksheets\/[^/]+\.xml$/.test(name)) {
      const count = rowCounter()
      return (bytes) => rows.set(name, count(bytes))
    }
    if (!/(?:\.rels|\/workbook\.xml|\/styles\.xml)$/.test(name) || small.has(name)) return () => undefined
    const decode = decoder()
    return (bytes, final) => {
      const text = (small.get(name) ?? '') + decode(bytes, final)
      if (text.length > MOST_SMALL) throw bomb(limits)
      small.set(name, text)
    }
  })
  for await (const bytes of pieces) {
    unpacked += bytes
    check()
  }
  check()
  return { names, small, rows }
}

/** Gives the text of one part to a reader in pieces; after each piece the generator waits until it is asked to go on. */
export async function* readPart(path: string, part: string, take: (text: string) => void): AsyncGenerator<void> {
  let found = false
  let ended = false
  const decode = decoder()
  const pieces = unzipped(path, (name) => {
    if (found || name !== part) return undefined
    found = true
    return (bytes, final) => {
      take(decode(bytes, final))
      ended = final
    }
  })
  for await (const _ of pieces) {
    yield
    if (ended) return
  }
  if (!ended) throw damaged()
}

type Take = (bytes: Uint8Array, final: boolean) => void

/** Unpacks the parts that `open` takes, piece by piece of the file. Answers the bytes that each piece of it became. */
async function* unzipped(path: string, open: (name: string) => Take | undefined): AsyncGenerator<number> {
  let bytes = 0
  let failure: unknown
  const unzip = new Unzip((file: UnzipFile) => {
    const take = open(file.name.replaceAll('\\', '/').toLowerCase())
    file.ondata = (error, chunk, final) => {
      if (failure !== undefined) return
      if (error) failure = damaged()
      else {
        bytes += chunk.length
        // what is thrown in here would be lost in the unpacking
        try {
          take?.(chunk, final)
        } catch (thrown) {
          failure = thrown
        }
      }
    }
    if (take) file.start()
  })
  unzip.register(UnzipInflate)
  const push = (piece: Uint8Array, last: boolean): number => {
    bytes = 0
    try {
      unzip.push(piece, last)
    } catch {
      failure ??= damaged()
    }
    if (failure !== undefined) throw failure
    return bytes
  }
  for await (const piece of createReadStream(path, { highWaterMark: PIECE })) yield push(new Uint8Array(piece as Buffer), false)
  yield push(new Uint8Array(0), true)
}

/** Turns bytes into text: UTF-8, or UTF-16 where a mark at the beginning says so. */
function decoder(): (bytes: Uint8Array, final: boolean) => string {
  let text: TextDecoder | undefined
  return (bytes, final) => {
    text ??= new TextDecoder(
      bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8',
    )
    return text.decode(bytes, { stream: !final })
  }
}

/** What a reader of XML wants to know; names come without their prefix. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/** Reads XML that comes in pieces. @throws FileRefusedError for what is not well formed and for a document type: it may declare entities. */
export function xmlReader(handler: XmlHandler): { write(text: string): void; end(): void } {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  parser.on('doctype', () => {
    throw damaged()
  })
  parser.on('error', () => {
    throw damaged()
  })
  parser.on('opentag', ({ name, attributes }) => handler.open(localName(name), attributes))
  parser.on('closetag', ({ name }) => handler.close?.(localName(name)))
  if (handler.text) {
    const text = handler.text.bind(handler)
    parser.on('text', text)
    parser.on('cdata', text)
  }
  return { write: (text) => void parser.write(text), end: () => void parser.close() }
}

/** Reads a small part that lies there as a whole. */
export function readXml(text: string, handler: XmlHandler): void {
  const reader = xmlReader(handler)
  reader.write(text)
  reader.end()
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Counts the row elements of a sheet that comes in pieces. */
function rowCounter(): (piece: Uint8Array) => number {
  let total = 0
  let rest = Buffer.alloc(0)
  return (piece) => {
    const bytes = Buffer.concat([rest, piece])
    for (let at = bytes.indexOf(ROW_TAG); at >= 0; at = bytes.indexOf(ROW_TAG, at + ROW_TAG.length)) total += 1
    rest = bytes.subarray(Math.max(0, bytes.length - ROW_TAG.length + 1))
    return total
  }
}

export function bomb(limits: ReadLimits): FileRefusedError {
  const size = Math.round(limits.unpacked / 1_048_576)
  return new FileRefusedError({
    zh: `文件解压后过大（上限 ${size} MB），或压缩比异常，已拒绝。请删除多余的内容后重试。`,
    en: `The file is too large when unpacked (at most ${size} MB) or packed beyond reason, so it was refused. Please remove what is not needed.`,
  })
}

export function damaged(): FileRefusedError {
  return new FileRefusedError({
    zh: '无法读取该 xlsx 文件，可能已损坏。请用表格软件打开后重新保存。',
    en: 'The xlsx file cannot be read; it may be damaged. Please open it in a spreadsheet program and save it again.',
  })
}
