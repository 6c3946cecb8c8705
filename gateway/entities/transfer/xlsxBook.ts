import { bomb, damaged, readPart, readXml, xmlReader, type Survey } from './xlsxArchive'
import type { SheetNumber } from '../../../src/schema/formats'
import { NumberFormat } from './numberFormat'
import type { ReadLimits } from './sheetRows'

/** Texts of the shared table; more than a file within the limits of rows can use. */
const MOST_SHARED = 5_000_000

/** Where the parts of a workbook are, and what its cells need to be understood. */
export interface Book {
  /** The first sheet that is not hidden. */
  readonly sheet: string
  readonly sharedStrings: string | undefined
  /** A number as the cells of a style show it. */
  read(value: number, style: number): SheetNumber | number | Date | string
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
  const formats = numberFormats(small.get(target('styles') ?? ''))
  const shared = target('sharedStrings')
  const sharedStrings = shared !== undefined && names.has(shared) ? shared : undefined
  const plain = (value: number): SheetNumber | number => (from1904 ? { value, from1904 } : value)
  return { sheet: sheet.target, sharedStrings, read: (value, style) => formats[style]?.read(value, from1904) ?? plain(value) }
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

/** What the cell styles show of numbers, by their index; General is none. */
function numberFormats(styles: string | undefined): (NumberFormat | undefined)[] {
  const codes = new Map<number, string>()
  const known = new Map<number, NumberFormat>()
  const formats: (NumberFormat | undefined)[] = []
  let inCells = false
  const formatOf = (id: number): NumberFormat | undefined => {
    if (id === 0 && !codes.has(id)) return undefined
    const format = known.get(id) ?? new NumberFormat(id, codes.get(id))
    known.set(id, format)
    return format
  }
  if (styles === undefined) return formats
  readXml(styles, {
    open: (name, attributes) => {
      const id = Number(attributes['numFmtId'] ?? 0)
      if (name === 'numFmt') codes.set(id, attributes['formatCode'] ?? '')
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) formats.push(formatOf(id))
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false
    },
  })
  return formats
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
