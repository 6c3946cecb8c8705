import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib'
import { strToU8, Zip, ZipPassThrough, type ZipInputFile } from 'fflate'
import type { Output, SheetCell, SheetWriter } from './output'

interface XlsxSheet {
  name: string
  /** Widths of the columns in characters. */
  widths?: readonly number[]
  /** Number formats of the columns, for what somebody writes into them; texts below the titles have them, too. */
  formats?: readonly (string | undefined)[]
  /** Raw XML after the rows, e.g. data validations. */
  after?: string
}

const LONGEST_CELL = 32_767
/** XML collected before it is handed to the compressor. */
const PIECE = 65_536
const DAY = 86_400_000
const FIRST_DAY = Date.UTC(1899, 11, 30)

/**
 * A streaming writer of workbooks: rows leave as they come, compressed by zlib on its own threads, so that 100,000 rows
 * need no more memory than a hundred. Texts stand in their cells (no shared table), never as formulas.
 */
export class XlsxWriter implements SheetWriter {
  private readonly zip: Zip
  private pending: Uint8Array[] = []
  private failure: Error | undefined
  private sheetCount = 0
  private file: CompressedFile | undefined
  private text = ''
  private row = 0
  /** Number format -> index of its cell style; 0 is plain, 1 the header. */
  private readonly styles = new Map<string, number>()
  private readonly names: string[] = []
  private current: XlsxSheet | undefined
  private columnStyles: readonly number[] = []

  constructor(
    private readonly output: Output,
    private readonly firstSheet: XlsxSheet,
  ) {
    this.zip = new Zip((error, chunk) => {
      if (error) this.failure = error
      else this.pending.push(chunk)
    })
  }

  start(titles: readonly string[]): Promise<void> {
    return this.sheet(this.firstSheet, titles)
  }

  /** Begins another sheet. */
  async sheet(sheet: XlsxSheet, titles: readonly string[]): Promise<void> {
    await this.endSheet()
    this.current = sheet
    this.sheetCount += 1
    this.names.push(sheet.name)
    this.row = 0
    this.file = new CompressedFile(`xl/worksheets/sheet${this.sheetCount}.xml`)
    this.zip.add(this.file)
    this.columnStyles = (sheet.formats ?? []).map((format) => (format === undefined ? 0 : this.style(format)))
    const widths = (sheet.widths ?? [])
      .map((width, index) => {
        const style = this.columnStyles[index] ?? 0
        return `<col min="${index + 1}" max="${index + 1}" width="${width}"${style === 0 ? '' : ` style="${style}"`} customWidth="1"/>`
      })
      .join('')
    this.text =
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
      '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
      (widths === '' ? '' : `<cols>${widths}</cols>`) +
      '<sheetData>'
    if (titles.length > 0)
      this.addRow(
        titles.map((value) => ({ type: 'text', value })),
        1,
      )
    await this.flush()
  }

  async rows(rows: readonly (readonly SheetCell[])[]): Promise<void> {
    for (const cells of rows) {
      this.addRow(cells)
      if (this.text.length >= PIECE) await this.flush()
    }
  }

  async finish(): Promise<void> {
    await this.endSheet()
    for (const [name, text] of this.parts()) {
      const part = new ZipPassThrough(name)
      this.zip.add(part)
      part.push(strToU8(text), true)
    }
    this.zip.end()
    await this.drain()
  }

  private addRow(cells: readonly SheetCell[], style?: number): void {
    this.row += 1
    let xml = `<row r="${this.row}">`
    for (const [index, cell] of cells.entries())
      xml += this.cell(cell, `${columnLetter(index)}${this.row}`, style ?? this.columnStyles[index] ?? 0)
    this.text += `${xml}</row>`
  }

  private cell(cell: SheetCell, at: string, style: number): string {
    const styled = style === 0 ? '' : ` s="${style}"`
    switch (cell.type) {
      case 'empty':
        return ''
      case 'boolean':
        return `<c r="${at}"${styled} t="b"><v>${cell.value ? 1 : 0}</v></c>`
      case 'number': {
        // a spreadsheet holds 15 digits; longer numbers stay exact as text
        if (cell.value.replace(/\D/g, '').replace(/^0+/, '').length > 15) return textCell(cell.value, at, styled)
        return `<c r="${at}" s="${this.style(cell.pattern)}"><v>${cell.value}</v></c>`
      }
      case 'date': {
        const serial = serialOf(cell.value)
        return serial === undefined
          ? textCell(cell.value, at, styled)
          : `<c r="${at}" s="${this.style(cell.pattern)}"><v>${serial}</v></c>`
      }
      case 'text':
        return textCell(cell.value, at, styled)
    }
  }

  private style(pattern: string): number {
    let index = this.styles.get(pattern)
    if (index === undefined) this.styles.set(pattern, (index = this.styles.size + 2))
    return index
  }

  private async endSheet(): Promise<void> {
    if (!this.file || !this.current) return
    this.text += `</sheetData>${this.current.after ?? ''}</worksheet>`
    await this.flush()
    await this.file.finish()
    this.file = undefined
    await this.drain()
  }

  private async flush(): Promise<void> {
    if (this.text !== '') {
      const piece = Buffer.from(this.text, 'utf8')
      this.text = ''
      await this.file!.write(piece)
    }
    await this.drain()
  }

  private async drain(): Promise<void> {
    if (this.failure) throw this.failure
    const chunks = this.pending
    this.pending = []
    for (const chunk of chunks) if (chunk.length > 0) await this.output.write(chunk)
  }

  private parts(): [string, string][] {
    const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
    const documentRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
    const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
    const numbers = this.names.map((_, index) => index + 1)
    const sheets = this.names
      .map((name, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join('')
    const patterns = [...this.styles.keys()]
    const formats = patterns
      .map((pattern, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escapeXml(pattern)}"/>`)
      .join('')
    const cellStyles = patterns
      .map((_, index) => `<xf numFmtId="${164 + index}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
      .join('')
    return [
      [
        '[Content_Types].xml',
        `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>${numbers.map((each) => `<Override PartName="/xl/worksheets/sheet${each}.xml" ContentType="${types}.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
      ],
      [
        '_rels/.rels',
        `${head}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${documentRelations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      ],
      [
        'xl/workbook.xml',
        `${head}<workbook xmlns="${main}" xmlns:r="${documentRelations}"><sheets>${sheets}</sheets></workbook>`,
      ],
      [
        'xl/_rels/workbook.xml.rels',
        `${head}<Relationships xmlns="${packageRelations}">${numbers.map((each) => `<Relationship Id="rId${each}" Type="${documentRelations}/worksheet" Target="worksheets/sheet${each}.xml"/>`).join('')}<Relationship Id="rId${numbers.length + 1}" Type="${documentRelations}/styles" Target="styles.xml"/></Relationships>`,
      ],
      [
        'xl/styles.xml',
        `${head}<styleSheet xmlns="${main}">${patterns.length > 0 ? `<numFmts count="${patterns.length}">${formats}</numFmts>` : ''}<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${patterns.length + 2}"><xf/><xf fontId="1" applyFont="1"/>${cellStyles}</cellXfs></styleSheet>`,
      ],
    ]
  }
}

/** A file inside the archive whose bytes zlib compresses off the main thread. */
class CompressedFile implements ZipInputFile {
  readonly compression = 8
  size = 0
  crc = 0
  ondata?: ZipInputFile['ondata']
  private readonly deflate: DeflateRaw = createDeflateRaw({ level: 6 })
  private readonly ended: Promise<void>

  constructor(readonly filename: string) {
    this.ended = new Promise((resolve, reject) => {
      this.deflate.on('data', (chunk: Buffer) => this.ondata?.(null, new Uint8Array(chunk), false))
      this.deflate.once('end', resolve)
      this.deflate.once('error', reject)
    })
  }

  write(piece: Buffer): Promise<void> {
    this.size += piece.length
    this.crc = crc32(piece, this.crc)
    return new Promise((resolve, reject) => this.deflate.write(piece, (error) => (error ? reject(error) : resolve())))
  }

  async finish(): Promise<void> {
    this.deflate.end()
    await this.ended
    this.ondata?.(null, new Uint8Array(0), true)
  }
}

/** `A` for 0, `AA` for 26. */
export function columnLetter(index: number): string {
  return index < 26
    ? String.fromCharCode(65 + index)
    : columnLetter(Math.floor(index / 26) - 1) + String.fromCharCode(65 + (index % 26))
}

function textCell(value: string, at: string, styled: string): string {
  if (value === '') return ''
  const text = value.length > LONGEST_CELL ? `${value.slice(0, LONGEST_CELL - 1)}…` : value
  return `<c r="${at}"${styled} t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
}

/** Days since the spreadsheet's first day; undefined for moments that it cannot hold. */
function serialOf(wall: string): string | undefined {
  const time = Date.parse(wall.length === 10 ? `${wall}T00:00:00Z` : `${wall}Z`)
  if (Number.isNaN(time) || time < Date.UTC(1900, 2, 1)) return undefined
  const serial = (time - FIRST_DAY) / DAY
  return String(Math.round(serial * 1e10) / 1e10)
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
  return (
    text
      .replace(/[&<>"]/g, (character) => ESCAPES[character]!)
      // these cannot stand in XML, or not as they are; the spreadsheet's own escape keeps them, and what looks like it
      .replace(
        /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Surrogate}|_(?=x[0-9A-Fa-f]{4}_)/gu,
        (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
      )
  )
}
