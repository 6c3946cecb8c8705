import type {
  AggregateAnswer,
  AggregateMeasure,
  AggregateRequest,
  AggregateRow,
  AggregateValue,
  ColumnModel,
  ListBodyModel,
  ListViewModel,
  QueryCondition,
} from '../../schema/model'
import { groupings, type Grouping } from './groupings'
import type { ListQuery } from './query'
import { layoutOf, type QueryBody } from './request'

/** Rows with the same value, as the head of their group tells them. */
export interface GroupHead {
  key: string
  /** Null: rows without a value. */
  value: string | number | boolean | null
  count: number
  /** As the list's own sums are answered. */
  sums: Readonly<Record<string, unknown>>
  /** Shows exactly these rows, added to the conditions of the list. */
  where: readonly QueryCondition[]
}

/** Name of the number of rows among the figures; no field has it. */
const COUNT = '$rows'
/** Groups that are asked for at once. */
export const GROUPS = 50
/** Rows of a group that are read at once. */
export const GROUP_ROWS = 20

/** How the rows are grouped: as the person chose, else as the tab or the page has it. A table alone has groups. */
export const groupedBy = (body: ListBodyModel, view: ListViewModel | undefined, query: ListQuery): Grouping | undefined => {
  const name = query.group ?? view?.group ?? body.group
  return layoutOf(body, view, query) === 'table' ? groupings(body).find(({ field }) => field === name) : undefined
}

const measureOf = ({ path, summary }: ColumnModel): AggregateMeasure[] => {
  const [field] = path
  if (field === undefined || summary === undefined) return []
  if (summary === 'count') return [{ id: field, count: true, where: [{ field, operator: 'notEmpty' }] }]
  return [{ id: field, [summary]: field }]
}

/** What is asked for the heads: number and sums of the columns that are shown, of the rows that the list shows. */
export const groupsBody = (
  { keyword, view, where, sort = [] }: QueryBody,
  { column, field, bucket }: Grouping,
  shown: readonly ColumnModel[],
  limit: number,
): AggregateRequest => ({
  ...(keyword ? { keyword } : {}),
  ...(view ? { view } : {}),
  ...(where ? { where } : {}),
  dimensions: [{ field, ...(bucket ? { bucket } : {}) }],
  measures: [{ id: COUNT, count: true }, ...shown.flatMap(measureOf)],
  sort:
    // a record says nothing by its id: those with most rows come first
    column.field?.kind === 'ref'
      ? [
          { by: COUNT, order: 'desc' },
          { by: field, order: 'asc' },
        ]
      : [{ by: field, order: sort.find((one) => one.field === field)?.order ?? (bucket ? 'desc' : 'asc') }],
  limit,
})

const isByCurrency = (value: AggregateValue): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null

const headOf = ({ key, measures, where }: AggregateRow, field: string): GroupHead => {
  const value = key[field] ?? null
  const sums = Object.entries(measures).flatMap(([name, figure]) =>
    name === COUNT ? [] : [[isByCurrency(figure) ? `${name}ByCurrency` : name, figure] as const],
  )
  return { key: JSON.stringify(value), value, count: Number(measures[COUNT] ?? 0), sums: Object.fromEntries(sums), where }
}

/** The heads in the order of the dictionary, or as the gateway put them; rows without a value come last. */
export const groupHeads = ({ column, field }: Grouping, { rows }: Pick<AggregateAnswer, 'rows'>): GroupHead[] => {
  const order = new Map(column.field?.dictionary?.options.map(({ code }, index) => [code, index]))
  const place = ({ value }: GroupHead): number =>
    value === null ? Infinity : order.size === 0 ? 0 : (order.get(String(value)) ?? order.size)
  const heads = rows.map((row) => headOf(row, field))
  const places = new Map(heads.map((head) => [head, place(head)]))
  return heads.sort((a, b) => {
    const [one = 0, other = 0] = [places.get(a), places.get(b)]
    return one === other ? 0 : one - other
  })
}

