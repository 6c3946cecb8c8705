import type { EntityModel } from '../../../src/schema/entity'
import type { RequestContext } from '../../platform/http'
import type { Core } from '../core'
import { formatContext } from '../formatContext'
import { columnFormat } from './columnFormat'
import { collectStream, Output, type SheetCell } from './output'
import { sheetName } from './export'
import { errorColumns, headerOf } from './importColumns'
import type { StoredColumn, StoredRow } from './importStore'
import { XlsxWriter } from './xlsxWriter'

const text = (value: string): SheetCell => (value === '' ? { type: 'empty' } : { type: 'text', value })

/** The faulty rows as they were written, with their number and what is wrong with them behind; mended, it can be imported again. */
export function writeErrorFile(
  core: Core,
  context: RequestContext,
  model: EntityModel,
  columns: readonly StoredColumn[],
  rows: readonly StoredRow[],
): Promise<Buffer> {
  const zh = context.locale === 'zh'
  const fields = columns.map(({ field }) => model.fields.get(field))
  const titles = columns.map(({ title }, index) => {
    const field = fields[index]
    return field ? headerOf({ field, title: field.label[context.locale] }) : title
  })
  const formats = fields.map((field) => field && columnFormat(field, formatContext(core, context)))
  return collectStream(async (stream) => {
    const output = new Output(stream)
    const widths = [...columns.map(() => 18), 8, 80]
    const writer = new XlsxWriter(output, { name: sheetName(zh ? '错误行' : 'Faulty rows'), widths, formats })
    await writer.start([...titles, ...errorColumns(context.locale)])
    for (let start = 0; start < rows.length; start += 500) {
      await writer.rows(
        rows
          .slice(start, start + 500)
          .map(({ raw, row, messages }) => [
            ...columns.map((_, index) => text(raw[index] ?? '')),
            text(String(row)),
            text(messages.join('\n')),
          ]),
      )
    }
    await writer.finish()
    await output.end()
  })
}
