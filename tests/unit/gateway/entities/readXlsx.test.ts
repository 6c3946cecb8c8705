import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readXlsx } from '../../../../gateway/entities/transfer/readXlsx'
import type { FileCell, FileRow, ReadLimits } from '../../../../gateway/entities/transfer/sheetRows'
import { momentOf, NumberFormat } from '../../../../gateway/entities/transfer/numberFormat'
import { DOCUMENT, letterOf, MAIN, partsOf, RELATIONS, workbook, zipped, type CellValue } from '../../../support/workbook'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-xlsx-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const LIMITS: ReadLimits = { rows: 100, unpacked: 20 * 1_048_576, ratio: 100 }
let files = 0
async function rowsOf(file: Uint8Array, limits: Partial<ReadLimits> = {}): Promise<FileRow[]> {
  const path = join(folder, `${(files += 1)}.xlsx`)
  writeFileSync(path, file)
  const rows: FileRow[] = []
  for await (const row of readXlsx({ path, headers: [], limits: { ...LIMITS, ...limits } })) rows.push(row)
  return rows
}
const cellsOf = async (file: Uint8Array): Promise<FileCell[][]> => (await rowsOf(file)).map(({ cells }) => cells)
const sheet = (rows: string): string => `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`
const strings = (items: string): Record<string, string> => ({ 'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${items}</sst>` })
const DAMAGED = { text: { en: expect.stringContaining('cannot be read') as string } }
const BOMB = { text: { en: expect.stringContaining('packed') as string } }

describe('readXlsx', () => {
  it('gives back what a workbook holds (any texts, numbers, truths and days)', async () => {
    const value: fc.Arbitrary<CellValue> = fc.oneof(
      fc
        .string({ unit: fc.constantFrom('a', 'Z', '中', '😀', '&', '<', '>', '"', "'", '\n', '\t', '_', 'x', ']') })
        .filter((text) => text !== ''),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      fc.boolean(),
      fc.date({ min: new Date('1901-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
      fc.constant(null),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(value, { minLength: 1, maxLength: 30 }), { maxLength: 8 }), async (rows) => {
        const found = await rowsOf(workbook(rows))
        for (const { row, cells } of found)
          for (const [column, given] of rows[row - 1]!.entries()) {
            const cell = cells[column] ?? null
            if (given instanceof Date) expect(Math.abs((cell as Date).getTime() - given.getTime())).toBeLessThan(2)
            else expect(cell).toEqual(given)
          }
      }),
      { numRuns: 60 },
    )
  })

  it('keeps the places of cells and rows that are left out', async () => {
    const file = zipped(
      partsOf(
        sheet(
          '<row r="1"><c r="B1"><v>1</v></c></row><row><c><v>2</v></c><c><v>3</v></c></row><row r="7"/><row r="9"><c r="AB9"><v>4</v></c></row>',
        ),
      ),
    )
    const rows = await rowsOf(file)
    expect(rows.map(({ row }) => row)).toEqual([1, 2, 9])
    expect(rows[0]!.cells).toEqual([null, 1])
    expect(rows[1]!.cells).toEqual([2, 3])
    expect([rows[2]!.cells.length, rows[2]!.cells[27]]).toEqual([28, 4])
  })

  it('reads shared, rich and inline texts without their phonetic readings', async () => {
    const file = zipped(
      partsOf(
        sheet(
          '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="inlineStr"><is><r><t>in</t></r><r><t xml:space="preserve"> line</t></r></is></c><c t="s"><v>9</v></c></row>',
        ),
        strings(
          '<si><t>plain &amp; simple</t></si><si><r><rPr><b/></rPr><t>bold</t></r><r><t xml:space="preserve"> face</t></r></si>' +
            '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>',
        ),
      ),
    )
    const [cells] = await cellsOf(file)
    expect(cells).toEqual(['plain & simple', 'bold face', '東京', 'in line', { problem: expect.anything() as unknown }])
  })

  it('takes saved values of formulas, says where there is none, and names errors', async () => {
    const file = zipped(
      partsOf(
        sheet(
          '<row><c><f>1+2</f><v>3</v></c><c t="str"><f>A1&amp;"x"</f><v>3x</v></c><c><f>NOW()</f></c><c><f t="shared" si="0"/><v>4</v></c>' +
            '<c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="d"><v>2026-11-21T08:30:00</v></c><c t="str"><f>""</f><v></v></c><c><v>x1</v></c></row>',
        ),
      ),
    )
    const [cells] = await cellsOf(file)
    expect(cells).toEqual([
      3,
      '3x',
      { problem: { zh: expect.stringContaining('公式') as string, en: expect.anything() as unknown } },
      4,
      true,
      { problem: { zh: expect.stringContaining('#N/A') as string, en: expect.anything() as unknown } },
      new Date('2026-11-21T08:30:00Z'),
      '',
      { problem: expect.anything() as unknown },
    ])
  })

  it('tells days from numbers by the style of the cell, from 1900 or 1904', async () => {
    const styles = `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/><numFmt numFmtId="165" formatCode="[Red]0.00 &quot;days&quot;"/><numFmt numFmtId="166" formatCode="[$-F400]h:mm:ss\\ AM/PM"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="31"/></cellXfs></styleSheet>`
    const cells = [0, 1, 2, 3, 4, 5].map((style) => `<c s="${style}"><v>46347.5</v></c>`).join('')
    const parts = partsOf(sheet(`<row>${cells}<c s="1"><v>1</v></c><c s="1"><v>-3</v></c></row>`), { 'xl/styles.xml': styles })
    const noon = new Date('2026-11-21T12:00:00Z')
    expect(await cellsOf(zipped(parts))).toEqual([[46347.5, noon, noon, 46347.5, noon, noon, new Date('1900-01-01'), -3]])
    parts['xl/workbook.xml'] = parts['xl/workbook.xml']!.replace('<sheets>', '<workbookPr date1904="1"/><sheets>')
    expect((await cellsOf(zipped(parts)))[0]![1]).toEqual(new Date('2030-11-22T12:00:00Z'))
  })

  it('hands a number on with what the sheet shows of it: a percentage, a code with its zeros, a time; thousands and decimals are none of it', async () => {
    const codes = ['0.0%', '00000', '"SN"000', '#,##0.00', '0.00E+00', '0', '[h]:mm', 'h:mm AM/PM', '0;0', '\\+0']
    const formats = codes.map(
      (code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
    )
    const xfs = codes.map((_, index) => `<xf numFmtId="${164 + index}"/>`).join('')
    const styles = `<styleSheet xmlns="${MAIN}"><numFmts>${formats.join('')}</numFmts><cellXfs>${xfs}<xf numFmtId="10"/></cellXfs></styleSheet>`
    const given = [
      [0, '0.125', { value: 0.125, percent: true }],
      [10, '7.0000000000000007E-2', { value: 0.07, percent: true }],
      [1, '123', { value: 123, shown: '00123' }],
      [2, '7', { value: 7, shown: 'SN007' }],
      [3, '1234', 1234],
      [4, '447911123456', 447911123456],
      [5, '12', 12],
      [5, '12.5', 12.5],
      [6, '1.25', '30:00'],
      [7, '0.39600694444444445', '9:30:15'],
      [8, '-5', -5],
      [9, '447911123456', { value: 447911123456, shown: '+447911123456' }],
    ] as const
    const cells = given.map(([style, value]) => `<c s="${style}"><v>${value}</v></c>`).join('')
    const parts = partsOf(sheet(`<row>${cells}</row>`), { 'xl/styles.xml': styles })
    expect(await cellsOf(zipped(parts))).toEqual([given.map(([, , cell]) => cell)])
    parts['xl/workbook.xml'] = parts['xl/workbook.xml']!.replace('<sheets>', '<workbookPr date1904="1"/><sheets>')
    expect((await cellsOf(zipped(parts)))[0]![4]).toEqual({ value: 1234, from1904: true })
  })

  it.each([
    ['yyyy-mm-dd', true],
    ['[h]:mm', true],
    ['m/d/yy;@', true],
    ['"d"0', false],
    ['#,##0.00;[Red]-#,##0.00', false],
    ['General', false],
    ['0.00E+00', false],
    ['_-[$¥-804]* #,##0.00_-', false],
    ['[$-804]上午/下午h"时"mm"分"', true],
    ['@', false],
  ])('knows whether %s shows days: %s', (code, is) => expect(new NumberFormat(200, code).isDate).toBe(is))

  it('counts days as spreadsheets do, with the leap day of 1900 that never was', () => {
    expect([1, 59, 61, 45_000].map((serial) => momentOf(serial, false)?.toISOString().slice(0, 10))).toEqual([
      '1900-01-01',
      '1900-02-28',
      '1900-03-01',
      '2023-03-15',
    ])
    expect([-1, 0, NaN, 3_000_000].map((serial) => momentOf(serial, false))).toEqual([undefined, undefined, undefined, undefined])
  })

  it('takes the first sheet that is not hidden, wherever the package keeps it', async () => {
    const one = (value: number): string => sheet(`<row><c><v>${value}</v></c></row>`)
    const file = zipped({
      '_rels/.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/Office/Book/workbook.xml"/></Relationships>`,
      'Office/Book/workbook.xml': `<x:workbook xmlns:x="${MAIN}" xmlns:q="${DOCUMENT}"><x:sheets><x:sheet name="a" sheetId="4" state="veryHidden" q:id="h"/><x:sheet name="b" sheetId="2" q:id="v"/><x:sheet name="c" sheetId="3" q:id="w"/></x:sheets></x:workbook>`,
      'Office/Book/_rels/workbook.xml.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="w" Type="${DOCUMENT}/worksheet" Target="../three.xml"/><Relationship Id="h" Type="${DOCUMENT}/worksheet" Target="one.xml"/><Relationship Id="v" Type="${DOCUMENT}/worksheet" Target="sheets/Two.xml"/></Relationships>`,
      'Office/Book/one.xml': one(1),
      'Office/three.xml': one(3),
      'Office/Book/sheets/Two.xml': `<x:worksheet xmlns:x="${MAIN}"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
    })
    expect(await cellsOf(file)).toEqual([[2]])
  })

  it('reads a sheet in UTF-16, and one with a mark at its beginning', async () => {
    const text = sheet('<row><c t="inlineStr"><is><t>客户</t></is></c></row>')
    const parts = Object.fromEntries(Object.entries(partsOf('')).map(([name, part]) => [name, strToU8(part)]))
    for (const bytes of [new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le')), strToU8(`\ufeff${text}`)])
      expect(await cellsOf(Buffer.from(zipSync({ ...parts, 'xl/worksheets/sheet1.xml': bytes })))).toEqual([['客户']])
  })

  it('writes back the characters that XML cannot hold', async () => {
    const file = zipped(
      partsOf(
        sheet('<row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>_x005F_x0041_</t></is></c></row>'),
        strings('<si><t>a_x000D_b</t></si>'),
      ),
    )
    expect(await cellsOf(file)).toEqual([['a\rb', '_x0041_']])
  })

  it('refuses more rows than the limit, rows beyond any sheet, and leaves out cells beyond the columns it reads', async () => {
    const rows = (count: number): string => Array.from({ length: count }, () => '<row><c><v>1</v></c></row>').join('')
    expect(await rowsOf(zipped(partsOf(sheet(rows(101)))))).toHaveLength(101)
    await expect(rowsOf(zipped(partsOf(sheet(rows(102)))))).rejects.toThrow(/more than 100 rows/)
    await expect(rowsOf(zipped(partsOf(sheet('<row r="99999999"><c><v>1</v></c></row>'))))).rejects.toMatchObject(DAMAGED)
    const [cells] = await cellsOf(
      zipped(partsOf(sheet(`<row><c r="A1"><v>1</v></c><c r="${letterOf(600)}1"><v>2</v></c><c r="ZZZZZZ1"><v>3</v></c></row>`))),
    )
    expect(cells).toEqual([1])
  })

  it('refuses bombs: one large part, many small ones, and texts that nobody needs', async () => {
    const large = zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(30 * 1_048_576) }, { level: 6 })
    await expect(rowsOf(large)).rejects.toMatchObject(BOMB)
    const flat = 'x'.repeat(6 * 1_048_576)
    await expect(rowsOf(zipped({ ...partsOf(sheet('')), 'xl/media/a.bin': flat }))).rejects.toMatchObject(BOMB)
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`a${index}`, new Uint8Array()]))
    await expect(rowsOf(zipSync(many))).rejects.toMatchObject(DAMAGED)
    const styles = `<styleSheet>${' '.repeat(9 * 1_048_576)}</styleSheet>`
    await expect(rowsOf(zipped(partsOf(sheet(''), { 'xl/styles.xml': styles })), { ratio: 10_000 })).rejects.toMatchObject(BOMB)
  })

  it('refuses a document type: entities are never made nor followed', async () => {
    const type = '<!DOCTYPE sst [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    const shared = `${type}<sst xmlns="${MAIN}"><si><t>&b;</t></si></sst>`
    await expect(rowsOf(zipped(partsOf(sheet(''), { 'xl/sharedStrings.xml': shared })))).rejects.toMatchObject(DAMAGED)
    await expect(rowsOf(zipped(partsOf(type + sheet(''))))).rejects.toMatchObject(DAMAGED)
    await expect(rowsOf(zipped(partsOf(sheet('<row><c t="inlineStr"><is><t>&b;</t></is></c></row>'))))).rejects.toMatchObject(
      DAMAGED,
    )
  })

  it('refuses what is no workbook, and one that ends too early', async () => {
    await expect(rowsOf(zipped({ 'word/document.xml': '<document/>' }))).rejects.toMatchObject(DAMAGED)
    await expect(rowsOf(zipped({ ...partsOf('<worksheet><sheetData><row>') }))).rejects.toMatchObject(DAMAGED)
    const { 'xl/worksheets/sheet1.xml': _, ...without } = partsOf('')
    await expect(rowsOf(zipped(without))).rejects.toMatchObject(DAMAGED)
    const whole = workbook([['a'], ['b']])
    await expect(rowsOf(whole.subarray(0, 700))).rejects.toMatchObject(DAMAGED)
  })

  it('never throws anything but a refusal (any damage to a file)', async () => {
    const whole = workbook([
      ['名称', '等级'],
      ['甲', 1],
      ['乙', true],
    ])
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 5 }),
        async (changes) => {
          const bytes = Buffer.from(whole)
          for (const [at, value] of changes) bytes[at] = value
          await rowsOf(bytes).catch((error: Error) => expect(error.name).toBe('FileRefusedError'))
        },
      ),
      { numRuns: 150 },
    )
  })
})
