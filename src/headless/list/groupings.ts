import { groupedAs } from '../../schema/grouped'
import type { Bucket, ColumnModel, ListBodyModel } from '../../schema/model'

/** What the rows of a list can be grouped by: a choice, a reference, a day by its month. */
export interface Grouping {
  column: ColumnModel
  /** Name of the field. */
  field: string
  bucket?: Bucket
}

/** What a list can be grouped by, in the order of its columns. */
export const groupings = ({
  calls,
  columns,
}: Pick<ListBodyModel, 'columns'> & Partial<Pick<ListBodyModel, 'calls'>>): readonly Grouping[] =>
  calls?.aggregate === undefined
    ? []
    : columns.flatMap((column): Grouping[] => {
        const { field, path, value } = column
        const as = field && groupedAs(field.kind)
        const [name] = path
        if (!as || name === undefined || path.length > 1 || value || field.masked || !field.operators.includes('empty')) return []
        return [{ column, field: name, ...(as === 'month' ? { bucket: as } : {}) }]
      })
