import { stringify } from 'csv-stringify/sync'
import type { Output, SheetCell, SheetWriter } from './output'

/** What a spreadsheet would take for a formula when it opens the file (in full width, too), behind any apostrophes. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/

/**
 * Text that stays text in a spreadsheet: a leading apostrophe where it would be read as a formula. One that has an apostrophe there already gets
 * another, so that exactly one is taken off when the file is read.
 */
export const neutralise = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The text that was neutralised. */
export const withoutApostrophe = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell)

/** RFC 4180 with a UTF-8 byte order mark, so that spreadsheets find the encoding. */
export class CsvWriter implements SheetWriter {
  constructor(
    private readonly output: Output,
    private readonly yesNo: (value: boolean) => string,
  ) {}

  async start(titles: readonly string[]): Promise<void> {
    await this.output.write('\ufeff')
    await this.lines([titles.map(neutralise)])
  }

  rows(rows: readonly (readonly SheetCell[])[]): Promise<void> {
    return this.lines(rows.map((cells) => cells.map((cell) => this.text(cell))))
  }

  finish(): Promise<void> {
    return Promise.resolve()
  }

  private async lines(lines: string[][]): Promise<void> {
    if (lines.length > 0) await this.output.write(stringify(lines, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ }))
  }

  private text(cell: SheetCell): string {
    switch (cell.type) {
      case 'empty':
        return ''
      case 'text':
        return neutralise(cell.value)
      case 'boolean':
        return this.yesNo(cell.value)
      case 'number':
        return cell.value
      case 'date':
        return cell.value.replace('T', ' ')
    }
  }
}
