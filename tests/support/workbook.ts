import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'

/** Workbooks of tests: made by hand as spreadsheet programs make them, and looked into without the code that is tested. */

export type CellValue = string | number | boolean | Date | null | { formula: string; result?: string | number }

/** A sheet of a workbook that the gateway wrote. */
export interface Sheet {
  name: string
  xml: string
  /** By place: a cell that is not there is null. */
  rows: (string | number | boolean | Date | null)[][]
  /** Number formats of the cells, by the same places. */
  formats: string[][]
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
export const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
export const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const FIRST_DAY = Date.UTC(1899, 11, 30)
const DAY = 86_400_000

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const plain = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

export const letterOf = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : letterOf(Math.floor(column / 26) - 1) + String.fromCharCode(65 + (column % 26))

/** The parts of a workbook with one sheet; tests exchange what they are about. */
export function partsOf(sheetXml: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    '[Content_Types].xml': `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `${HEAD}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets><sheet name="客户" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${DOCUMENT}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="${DOCUMENT}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': sheetXml,
    ...more,
  }
}

export const zipped = (parts: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))))

/** A workbook with these rows, its texts in the shared table. */
export function workbook(rows: readonly (readonly CellValue[])[]): Buffer {
  const shared = new Map<string, number>()
  const cell = (value: CellValue, at: string): string => {
    if (value === null) return ''
    if (typeof value === 'string') {
      if (!shared.has(value)) shared.set(value, shared.size)
      return `<c r="${at}" t="s"><v>${shared.get(value)!}</v></c>`
    }
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`
    if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`
    if (value instanceof Date) return `<c r="${at}" s="1"><v>${(value.getTime() - FIRST_DAY) / DAY}</v></c>`
    const type = typeof value.result === 'string' ? ' t="str"' : ''
    return `<c r="${at}"${type}><f>${escaped(value.formula)}</f>${value.result === undefined ? '' : `<v>${value.result}</v>`}</c>`
  }
  const lines = rows.map((row, index) => {
    const cells = row.map((value, column) => cell(value, `${letterOf(column)}${index + 1}`))
    return `<row r="${index + 1}">${cells.join('')}</row>`
  })
  const sheet = `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`
  const texts = [...shared.keys()].map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')
  return zipped(partsOf(sheet, { 'xl/sharedStrings.xml': `${HEAD}<sst xmlns="${MAIN}">${texts}</sst>` }))
}

/** A template as somebody filled it in: these rows below its titles. */
export function filled(template: Uint8Array, rows: readonly (readonly string[])[]): Buffer {
  const parts = unzipSync(template)
  const name = 'xl/worksheets/sheet1.xml'
  const lines = rows.map((row, index) => {
    const cells = row.map((text, column) =>
      text === '' ? '' : `<c r="${letterOf(column)}${index + 2}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`,
    )
    return `<row r="${index + 2}">${cells.join('')}</row>`
  })
  const text = strFromU8(parts[name]!).replace(
    /(<row r="1">.*?<\/row>).*(<\/sheetData>)/s,
    (_, titles: string, end: string) => titles + lines.join('') + end,
  )
  return Buffer.from(zipSync({ ...parts, [name]: strToU8(text) }))
}

/** The sheets of a workbook as the gateway writes them: texts stand in their cells. */
export function sheetsOf(file: Uint8Array): Sheet[] {
  const parts = unzipSync(file)
  const text = (name: string): string => strFromU8(parts[name] ?? new Uint8Array())
  const styles = text('xl/styles.xml')
  const codes = new Map([...styles.matchAll(/numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, plain(code!)]))
  const formats = [...(/<cellXfs.*<\/cellXfs>/s.exec(styles)?.[0] ?? '').matchAll(/<xf\b([^>]*)>/g)].map(
    ([, xf]) => codes.get(/numFmtId="(\d+)"/.exec(xf!)?.[1]) ?? '',
  )
  return [...text('xl/workbook.xml').matchAll(/<sheet name="([^"]*)"/g)].map(([, name], index) => {
    const xml = text(`xl/worksheets/sheet${index + 1}.xml`)
    const sheet: Sheet = { name: plain(name!), xml, rows: [], formats: [] }
    for (const [, number, cells] of xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)) {
      const [row, shown]: [Sheet['rows'][number], string[]] = [[], []]
      for (const [, letters, attributes, inner] of cells!.matchAll(/<c r="([A-Z]+)\d+"([^>]*)>(.*?)<\/c>/gs)) {
        const column = [...letters!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
        const format = formats[Number(/s="(\d+)"/.exec(attributes!)?.[1] ?? 0)] ?? ''
        while (row.length < column) row.push(null)
        row[column] = valueOf(attributes!, inner!, format)
        shown[column] = format
      }
      sheet.rows[Number(number) - 1] = row
      sheet.formats[Number(number) - 1] = shown
    }
    return sheet
  })
}

function valueOf(attributes: string, inner: string, format: string): string | number | boolean | Date {
  const value = /<v>(.*?)<\/v>/s.exec(inner)?.[1] ?? ''
  if (attributes.includes('t="inlineStr"')) return plain(/<t[^>]*>(.*?)<\/t>/s.exec(inner)?.[1] ?? '')
  if (attributes.includes('t="b"')) return value === '1'
  return /[yhd]/.test(format) ? new Date(Math.round(FIRST_DAY + Number(value) * DAY)) : Number(value)
}

/** Cells as texts, the titles first, rows of one length. */
export function textsOf(sheet: Sheet | undefined): string[][] {
  const rows = sheet?.rows ?? []
  const width = Math.max(0, ...rows.map((row) => row.length))
  return rows.map((row) => Array.from({ length: width }, (_, column) => String(row[column] ?? '')))
}
