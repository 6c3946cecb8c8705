import { systemContext, type Locale } from '../../platform/http'
import type { ExportRequest } from '../calls'
import type { EntityEngine } from '../types'
import { collectStream } from './output'

/** Rows of an entity that become a workbook. The document that asks for it names the fields: nobody's rights are asked. */
export interface TableAsked {
  /** Of the file, without its ending. */
  name: string
  /** Whose words titles and labels are in. */
  locale: Locale
  entity: string
  where: ExportRequest['where']
  columns: readonly string[]
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The workbook of a table as it stands now, with its name and MIME type. */
export async function tableFile(
  engine: EntityEngine,
  table: TableAsked,
  now: Date,
): Promise<{ name: string; type: string; content: Buffer }> {
  const { name, locale, entity, where } = table
  const { fields } = engine.model(entity)
  const columns = table.columns.map((field) => ({ field, title: fields.get(field)?.label[locale] ?? field }))
  const content = await collectStream((stream) =>
    engine.exportTo(stream, entity, systemContext({ now, locale }), { where, columns, format: 'xlsx' }),
  )
  return { name: `${name}.xlsx`, type: XLSX, content }
}
