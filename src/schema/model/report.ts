import type { CallModel, Source } from './action'
import type { DictionaryOption, Evaluate } from './field'
import type { FilterModel } from './list'
import type { PageHead } from './page'

export interface ReportModel extends PageHead {
  kind: 'report'
  call: CallModel
  params: Evaluate<Record<string, unknown>>
  filters: readonly FilterModel[]
  dimensions: readonly { id: string; title: string; format?: string; dictionary?: readonly DictionaryOption[] }[]
  measures: readonly {
    id: string
    title: string
    format?: string
    currency?: string
    /** Member of a row that holds the currency of the amount. */
    currencyFrom?: string
    /** Where the number leads, over the row. */
    open?: Evaluate<string>
  }[]
  blocks: readonly {
    id: string
    title: string
    type: 'figure' | 'chart' | 'pivot' | 'table'
    /** The row set of the answer. */
    rows: string
    /** Said when the row set is empty. */
    empty?: string
    chart?: 'line' | 'bar' | 'pie' | 'funnel'
    dimensions: readonly string[]
    measures: readonly string[]
    open?: Evaluate<string>
    span: number
    source: Source
  }[]
}
