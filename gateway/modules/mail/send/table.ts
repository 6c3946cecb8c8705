import { collectStream, type EntityEngine, type ExportRequest } from '../../../entities'
import { systemContext, type Locale } from '../../../platform/http'
import type { ComposedFile } from '../../../platform/mail'

/** Rows of an entity that go along with a mail as a workbook. The document that asks for it names the fields: nobody's rights are asked. */
export interface AttachedTable {
  /** Of the file, without its ending. */
  name: string
  /** Whose words titles and labels are in. */
  locale: Locale
  entity: string
  where: ExportRequest['where']
  columns: readonly string[]
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The workbook of a table, as it stands now. */
export async function attachTable(engine: EntityEngine, table: AttachedTable, now: Date): Promise<ComposedFile> {
  const { name, locale, entity, where } = table
  const { fields } = engine.model(entity)
  const columns = table.columns.map((field) => ({ field, title: fields.get(field)?.label[locale] ?? field }))
  const content = await collectStream((stream) =>
    engine.exportTo(stream, entity, systemContext({ now, locale }), { where, columns, format: 'xlsx' }),
  )
  return { name: `${name}.xlsx`, type: XLSX, content }
}
