import type { ColumnModel, PageField } from '../../schema/model'
import type { QueryBody } from '../../headless/list/request'

export type ExportFormat = 'xlsx' | 'csv'
/** Up to this many rows the file is the answer of the call; more are made in the background. */
export const DIRECT_ROWS = 5000

/** The gateway takes this many chosen records. */
export const MOST_CHOSEN = 500

/**
 * Body of the export calls: the query as it stands, and the columns that are fields (expressions live in the browser only);
 * `ids` leaves only these records of it, `lines` makes a row of each of their lines.
 */
export const exportBody = (
  query: QueryBody,
  columns: readonly ColumnModel[],
  format: ExportFormat,
  { ids, lines }: { ids?: readonly string[] | undefined; lines?: PageField | undefined } = {},
) => {
  const { pageNo: _pageNo, pageSize: _pageSize, summary: _summary, expand: _expand, ...rest } = query
  return {
    ...rest,
    ...(ids ? { ids } : {}),
    columns: [
      ...exportable(columns).map((column) => ({ field: column.path.join('.'), title: column.title })),
      ...(lines?.lines?.columns ?? []).map(({ name, label }) => ({
        field: `${lines!.name}.${name}`,
        title: `${lines!.label}: ${label}`,
      })),
    ],
    format,
  }
}

/** Columns that the gateway can write. */
export const exportable = (columns: readonly ColumnModel[]): ColumnModel[] =>
  columns.filter((column) => column.path.length > 0 && !column.value && !column.field?.lines)

/** "我的客户 2026-03-01.xlsx": no character that a file system refuses. */
export const exportName = (label: string, day: string, format: ExportFormat): string =>
  `${label.replace(/[\\/:*?"<>|]/g, ' ').trim()} ${day}.${format}`
