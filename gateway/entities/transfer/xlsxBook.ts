import { bomb, damaged, readPart, readXml, xmlReader, type Survey } from './xlsxArchive'
import type { ReadLimits } from './sheetRows'

/** Texts of the shared table; more than a file within the limits of rows can use. */
const MOST_SHARED = 5_000_000
/** Formats of dates that have a number instead of a code, those of East Asian languages among them. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
const LAST_SERIAL = 2_958_466
const DAY = 86_400_000

/** Where the parts of a workbook are, and what its cells need to be understood. */
export interface Book {
  /** The first sheet that is not hidden. */
  readonly sheet: string
  readonly sharedStrings: string | undefined
  /** Days count from 1904 instead of 1900. */
  readonly from1904: boolean
  /** Whether the cells of a style are dates. */
  isDate(style: number): boolean
}

/** Follows the relationships of a package to the workbook, its first visible sheet, its texts and its styles. */
export function readBook({ names, small }: Survey): Book {
  const start = relations(small, '').find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  const workbook = small.get(start)
  if (workbook === undefined) throw damaged()
  const parts = relations(small, start)
  const sheets: { id: string; hidden: boolean }[] = []
  let from1904 = false
  readXml(workbook, {
    open: (name, attributes) => {
      if (name === 'workbookPr') from1904 = ['1', 'true', 'on'].includes(attributes['date1904'] ?? '')
      if (name === 'sheet') sheets.push({ id: idOf(attributes), hidden: (attributes['state'] ?? 'visible') !== 'visible' })
    },
  })
  const target = (type: string): string | undefined => parts.find((part) => part.type === type)?.target
  const worksheets = sheets.flatMap(({ id, hidden }) => {
    const part = parts.find((each) => each.id === id && each.type === 'worksheet')
    return part ? [{ hidden, target: part.target }] : []
  })
  const sheet = worksheets.find(({ hidden }) => !hidden) ?? worksheets[0]
  if (!sheet) throw damaged()
  const dates = dateStyles(small.get(target('styles') ?? ''))
  const shared = target('sharedStrings')
  const sharedStrings = shared !== undefined && names.has(shared) ? shared : undefined
  return { sheet: sheet.target, sharedStrings, from1904, isDate: (style) => dates[style] === true }
}

/** The attribute that names a relationship; its prefix is free. */
const idOf = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''

/** What a part refers to; types without their namespace, targets as names of parts. */
function relations(small: Survey['small'], part: string): { id: string; type: string; target: string }[] {
  const slash = part.lastIndexOf('/') + 1
  const text = small.get(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`)
  const found: { id: string; type: string; target: string }[] = []
  if (text === undefined) return found
  readXml(text, {
    open: (name, { Id: id = '', Type: type = '', Target: given = '', TargetMode: mode }) => {
      if (name !== 'Relationship' || mode === 'External') return
      const target = new URL(given, `zip:///${part}`).pathname.slice(1).toLowerCase()
      found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target })
    },
  })
  return found
}

/** Which of the cell styles show a date or a time, by their index. */
function dateStyles(styles: string | undefined): boolean[] {
  const codes = new Map<number, string>()
  const dates: boolean[] = []
  let inCells = false
  if (styles === undefined) return dates
  readXml(styles, {
    open: (name, attributes) => {
      const id = Number(attributes['numFmtId'] ?? 0)
      if (name === 'numFmt') codes.set(id, attributes['formatCode'] ?? '')
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) dates.push(codes.has(id) ? isDateCode(codes.get(id)!) : isBuiltInDate(id))
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false
    },
  })
  return dates
}

/** Whether a number format shows dates: its letters outside of quotes, escapes, colours and currencies. */
export function isDateCode(code: string): boolean {
  const [first = ''] = code.replace(/"[^"]*"|\\.|[_*]./g, '').split(';')
  return /\[(?:h+|m+|s+)\]|[ymdhs]/i.test(first.replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '').replace(/general/gi, ''))
}

/** The moment that a number of days stands for, as UTC; undefined for what no spreadsheet shows as a date. */
export function momentOf(serial: number, from1904: boolean): Date | undefined {
  if (!(serial >= 0 && serial < LAST_SERIAL)) return undefined
  // 1900 counts as a leap year: before its 29th of February the days are one ahead
  const days = from1904 ? serial + 1_462 : serial >= 1 && serial < 60 ? serial + 1 : serial
  return new Date(Math.round((days - 25_569) * DAY))
}

/** The texts that cells refer to by their number: of rich text the words, without the readings above them. */
export async function readSharedStrings(path: string, part: string, limits: ReadLimits): Promise<string[]> {
  const texts: string[] = []
  const words = new Words()
  const reader = xmlReader({
    open: (name) => {
      if (name === 'si') words.clear()
      words.open(name)
    },
    text: (text) => words.text(text),
    close: (name) => {
      words.close(name)
      if (name !== 'si') return
      if (texts.length >= MOST_SHARED) throw bomb(limits)
      texts.push(words.taken)
    },
  })
  for await (const _ of readPart(path, part, (text) => reader.write(text)));
  reader.end()
  return texts
}

/** Collects the words of a text: `t` elements outside of phonetic runs. */
export class Words {
  taken = ''
  private inText = false
  private inReading = false

  clear(): void {
    this.taken = ''
  }

  open(name: string): void {
    if (name === 't') this.inText = true
    else if (name === 'rPh') this.inReading = true
  }

  text(text: string): void {
    if (this.inText && !this.inReading) this.taken += text
  }

  close(name: string): void {
    if (name === 't') this.inText = false
    else if (name === 'rPh') this.inReading = false
    else if (name === 'si' || name === 'is') this.taken = unescaped(this.taken)
  }
}

/** `_x000D_` stands for a character that XML cannot hold. */
export const unescaped = (text: string): string =>
  text.includes('_x') ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))) : text
