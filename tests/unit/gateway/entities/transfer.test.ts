import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { collectStream, Output, type SheetCell } from '../../../../gateway/entities/transfer/output'
import { CsvWriter, neutralise, withoutApostrophe } from '../../../../gateway/entities/transfer/csvWriter'
import { decode, readCsv } from '../../../../gateway/entities/transfer/readCsv'
import { readXlsx } from '../../../../gateway/entities/transfer/readXlsx'
import { columnLetter, XlsxWriter } from '../../../../gateway/entities/transfer/xlsxWriter'
import { sheetsOf, type Sheet } from '../../../support/workbook'

const textCell = (value: string): SheetCell => ({ type: 'text', value })

async function csv(rows: readonly (readonly SheetCell[])[]): Promise<string> {
  const bytes = await collectStream(async (stream) => {
    const writer = new CsvWriter(new Output(stream), String)
    await writer.start(['a', 'b'])
    await writer.rows(rows)
    await writer.finish()
  })
  return bytes.toString('utf8')
}

async function xlsx(rows: readonly (readonly SheetCell[])[]): Promise<Sheet> {
  const bytes = await collectStream(async (stream) => {
    const writer = new XlsxWriter(new Output(stream), { name: 'Sheet & "1"' })
    await writer.start(['a', 'b'])
    await writer.rows(rows)
    await writer.finish()
  })
  return sheetsOf(bytes)[0]!
}

describe('csv', () => {
  it('gives every text back, and none that a spreadsheet takes for a formula (any texts)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.string({ unit: 'grapheme' }),
            fc.constantFrom('=1', '+1', '-1', '@x', '＝1', '＋1', '－1', '＠x', "'=1", '\tx', '\rx', 'a,b', 'a"b', 'a\r\nb', ''),
          ),
        ),
        async (rows) => {
          const text = await csv(rows.map((row) => row.map(textCell)))
          expect(text.startsWith('\ufeff')).toBe(true)
          const cells = parse(text, {
            bom: true,
            record_delimiter: '\r\n',
            relax_column_count: true,
            skip_empty_lines: false,
          }).slice(1) as string[][]
          expect(cells).toEqual(rows.map((row) => row.map(neutralise)))
          for (const cell of cells.flat()) expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t\r\n]/)
        },
      ),
    )
  })

  it.each([
    ["'=HX-09 house rule", "''=HX-09 house rule"],
    ['=1+1', "'=1+1"],
    ['＝1+1', "'＝1+1"],
    ["''＠x", "'''＠x"],
    ["'quoted'", "'quoted'"],
  ])('writes %s as %s and reads it back (the case csv-apostrophe)', async (text, written) => {
    expect(neutralise(text)).toBe(written)
    expect(withoutApostrophe(written)).toBe(text)
  })

  it('leaves numbers as numbers: a negative amount is no formula', async () => {
    expect(
      await csv([
        [
          { type: 'number', value: '-12.5', pattern: '0.0' },
          { type: 'date', value: '2026-11-21T08:00:00', pattern: '' },
        ],
      ]),
    ).toBe('\ufeffa,b\r\n-12.5,2026-11-21 08:00:00\r\n')
  })
})

describe('xlsx', () => {
  it('opens, keeps texts as they are and types the rest', async () => {
    const sheet = await xlsx([
      [textCell('=1+2'), textCell('<&>"\u0001 中文 🧨')],
      [
        { type: 'number', value: '-1234.5', pattern: '#,##0.00' },
        { type: 'number', value: '12345678901234567.89', pattern: '0' },
      ],
      [
        { type: 'date', value: '2026-11-21T08:30:00', pattern: 'yyyy-mm-dd' },
        { type: 'boolean', value: true },
      ],
      [{ type: 'empty' }, { type: 'date', value: '1850-01-01', pattern: 'yyyy-mm-dd' }],
    ])
    expect(sheet.name).toBe('Sheet & "1"')
    expect(sheet.xml).not.toContain('<f>')
    expect(sheet.rows.slice(1)).toEqual([
      ['=1+2', '<&>"_x0001_ 中文 🧨'],
      [-1234.5, '12345678901234567.89'],
      [new Date('2026-11-21T08:30:00Z'), true],
      [null, '1850-01-01'],
    ])
    expect(sheet.formats[2]![0]).toBe('#,##0.00')
  })

  it('letters its columns as spreadsheets do', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(columnLetter)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA'])
  })
})

describe('a file that is read again', () => {
  const texts = fc.string({
    unit: fc.constantFrom(...`'=+-@＝＋－＠\t\r\n\u0001\v",;aé中😀 _x0D4`),
    maxLength: 12,
  })
  const LIMITS = { rows: 1_000, unpacked: 10_000_000, ratio: 1_000 }
  it.each(['csv', 'xlsx'] as const)('gives every text as it was, as %s (any texts)', async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'again-'))
    const path = join(folder, 'file')
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 20 }), async (column) => {
          const bytes = await collectStream(async (stream) => {
            const output = new Output(stream)
            const writer = kind === 'csv' ? new CsvWriter(output, String) : new XlsxWriter(output, { name: 'a' })
            await writer.start(['Number', 'Text'])
            await writer.rows(column.map((text, index) => [textCell(`n${index}`), textCell(text)]))
            await writer.finish()
          })
          writeFileSync(path, bytes)
          const request = { path, headers: ['Number', 'Text'], limits: LIMITS }
          const found: unknown[] = []
          for await (const { cells } of kind === 'csv' ? readCsv(request) : readXlsx(request)) found.push(cells[1] ?? '')
          expect(found.slice(1)).toEqual(column)
        }),
        { numRuns: 60 },
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('encodings', () => {
  const headers = ['名称', 'Name']
  it('are told apart by what the header says (any Chinese text)', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.integer({ min: 0x4e00, max: 0x9fa5 }).map((code) => String.fromCharCode(code)),
          minLength: 1,
          maxLength: 40,
        }),
        fc.constantFrom('utf-8', 'gbk', 'gb18030', 'utf-16le', 'utf-16be'),
        (name, encoding) => {
          const text = `名称\n${name}\n`
          expect(decode(iconv.encode(text, encoding), headers)).toBe(text)
        },
      ),
    )
  })

  it('never throw anything but a refusal (any bytes)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          expect(typeof decode(Buffer.from(bytes), headers)).toBe('string')
        } catch (error) {
          expect((error as Error).name).toBe('FileRefusedError')
        }
      }),
    )
  })
})
