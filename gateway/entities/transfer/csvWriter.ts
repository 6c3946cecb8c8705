import { stringify } from 'csv-stringify/sync'
import type { Output, SheetCell, SheetWriter } from './output'

/** What a spreadsheet would take for a formula when it opens the file. */
const FORMULA = /^[=+\-@\t\r]/

/** Text that stays text in a spreadsheet: a leading apostrophe where it would be read as a formula. */
export function neutralise(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

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
    if (lines.length > 0) await this.output.write(stringify(lines, { record_delimiter: '\r\n', quoted_match: /\r/ }))
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
