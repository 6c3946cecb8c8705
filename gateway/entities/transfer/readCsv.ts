import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import jschardet from 'jschardet'
import { withoutApostrophe } from './csvWriter'
import { FileRefusedError, isBlankRow, tooManyRows, type FileRow, type OnRead, type ReaderRequest } from './sheetRows'

const LONGEST_LINE = 1_000_000
/** Encodings that are told by name when a header reads right in them. */
const FOREIGN = ['big5', 'shift_jis', 'euc-kr', 'windows-1252', 'windows-1251']

/** Rows of a text file with separators. */
export async function* readCsv(request: ReaderRequest, onRead?: OnRead): AsyncGenerator<FileRow> {
  const text = decode(await readFile(request.path), request.headers)
  const parser = Readable.from(pieces(text, onRead)).pipe(
    parse({
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: LONGEST_LINE,
      skip_empty_lines: false,
    }),
  )
  let row = 0
  let filled = 0
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      row += 1
      if (isBlankRow(record)) continue
      if (row > 1) filled += 1
      if (filled > request.limits.rows) throw tooManyRows(request.limits.rows)
      yield { row, cells: record.map(withoutApostrophe) }
    }
  } catch (error) {
    if (error instanceof FileRefusedError) throw error
    const line = row + 1
    throw new FileRefusedError({
      zh: `第 ${line} 行无法读取：引号没有配对，或一行过长。请检查后重新保存文件。`,
      en: `Row ${line} cannot be read: a quote is not closed, or the line is too long. Please check it and save the file again.`,
    })
  }
}

function* pieces(text: string, onRead?: OnRead): Generator<string> {
  for (let start = 0; start < text.length; start += 65_536) {
    yield text.slice(start, start + 65_536)
    onRead?.(Math.min(1, (start + 65_536) / text.length))
  }
}

/** The separator that occurs most in the first line. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split(/\r\n|\r|\n/, 1)
  const counted = [',', '\t', ';'].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }))
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).delimiter
}

/** UTF-8 (with or without mark), UTF-16, GB18030 and GBK; everything else is told clearly instead of being read wrongly. */
export function decode(bytes: Buffer, headers: readonly string[]): string {
  const marked = decodeMarked(bytes)
  if (marked !== undefined) return withoutNul(marked)
  const utf8 = tryDecode('utf-8', bytes)
  if (utf8 !== undefined) return withoutNul(utf8)
  for (const encoding of ['utf-16le', 'utf-16be']) {
    const text = tryDecode(encoding, bytes)
    if (text !== undefined && headerKnown(text, headers, false)) return withoutNul(text)
  }
  const chinese = tryDecode('gb18030', bytes)
  if (chinese !== undefined && headerKnown(chinese, headers, true)) return withoutNul(chinese)
  for (const encoding of FOREIGN) {
    const text = tryDecode(encoding, bytes)
    if (text !== undefined && headerKnown(text, headers, true)) throw wrongEncoding(encoding)
  }
  const guess = jschardet.detect(bytes.subarray(0, 65_536)) as { encoding: string | null }
  if (chinese !== undefined && guess.encoding !== null && /^gb/i.test(guess.encoding)) return withoutNul(chinese)
  throw wrongEncoding(guess.encoding)
}

function decodeMarked(bytes: Buffer): string | undefined {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return tryDecode('utf-8', bytes) ?? fail('UTF-8')
  if (first === 0xff && second === 0xfe) return tryDecode('utf-16le', bytes) ?? fail('UTF-16')
  if (first === 0xfe && second === 0xff) return tryDecode('utf-16be', bytes) ?? fail('UTF-16')
  const sample = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1
  const half = sample.length / 2
  if (zeros[1]! > half * 0.3 && zeros[0]! < half * 0.05) return tryDecode('utf-16le', bytes)
  if (zeros[0]! > half * 0.3 && zeros[1]! < half * 0.05) return tryDecode('utf-16be', bytes)
  return undefined
}

function tryDecode(encoding: string, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Does the first line hold a known header (with letters that encodings disagree about)? */
function headerKnown(text: string, headers: readonly string[], beyondAscii: boolean): boolean {
  const [line = ''] = text.split(/\r\n|\r|\n/, 1)
  const cells = new Set(line.split(/[,;\t]/).map((cell) => cell.replace(/["*\s]/g, '')))
  return headers.some((header) => (!beyondAscii || /[^\x20-\x7e]/.test(header)) && cells.has(header.replace(/\s/g, '')))
}

function withoutNul(text: string): string {
  if (!text.slice(0, 100_000).includes('\u0000')) return text
  throw new FileRefusedError({
    zh: '这不是文本表格文件，请上传 xlsx 或 csv。',
    en: 'This is not a text table. Please upload xlsx or csv.',
  })
}

function fail(encoding: string): never {
  throw wrongEncoding(`${encoding} (damaged)`)
}

function wrongEncoding(encoding: string | null): FileRefusedError {
  const guess = encoding === null ? { zh: '', en: '' } : { zh: `（看起来是 ${encoding}）`, en: ` (it looks like ${encoding})` }
  return new FileRefusedError({
    zh: `无法识别文件编码${guess.zh}。请另存为 xlsx，或编码为 UTF-8 的 csv。`,
    en: `The encoding of the file is not supported${guess.en}. Please save it as xlsx, or as csv in UTF-8.`,
  })
}
