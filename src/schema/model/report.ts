import type { CallModel, Source } from './action'
import type { DictionaryOption, Evaluate, PageField, QueryWhere } from './field'
import type { FilterModel } from './list'
import type { PageHead } from './page'

type Bucket = 'day' | 'week' | 'month' | 'quarter' | 'year'

export interface ReportDimensionModel {
  id: string
  title: string
  format?: string
  dictionary?: readonly DictionaryOption[]
  /** Of what is asked: the field that is told by. */
  field?: PageField
  bucket?: Bucket
}

export interface ReportMeasureModel {
  id: string
  title: string
  format?: string
  currency?: string
  /** A colour of dictionaries that it has in all charts. */
  color?: string
  /** Counts and sums: nothing counted is 0, and parts make up a whole. */
  additive?: boolean
  /** Of a source: member of a row that holds the currency of the amount. */
  currencyFrom?: string
  /** Of what is asked: the field whose values are added up or compared. */
  field?: PageField
  /** Where the number leads, over the row. */
  open?: Evaluate<string>
}

/** A tab of a list page that shows all rows which a question counts. */
export interface FigureList {
  path: string
  tab?: string
}

/** One measure of a question, as the call takes it. */
export interface AskedMeasure {
  id: string
  /** What is counted or added up: `{ count: true }`, `{ sum: 'amount' }`, `{ ratio: ['won', 'all'] }`. */
  figure: Readonly<Record<string, unknown>>
  where: Evaluate<readonly QueryWhere[]>
}

/** What a block asks the aggregate call of one entity. */
export interface QuestionModel {
  entity: string
  call: CallModel
  view?: string
  /** Conditions of the block. */
  where: Evaluate<readonly QueryWhere[]>
  dimensions: readonly { id: string; field: string; bucket?: Bucket }[]
  /** Also those that the ratios of the block are made of. */
  measures: readonly AskedMeasure[]
  /** Where its figures may lead, best first. */
  lists: readonly FigureList[]
}

export interface ReportBlockModel {
  id: string
  title: string
  type: 'figure' | 'chart' | 'pivot' | 'table'
  /** One a counted entity; absent: the block shows rows of the source. */
  questions?: readonly QuestionModel[]
  /** Label of the field that keeps the block from this viewer: he may not read what it is told by. */
  closed?: string
  /** The row set of the answer of the source. */
  rows: string
  /** Said when there are no rows. */
  empty?: string
  chart?: 'line' | 'bar' | 'pie' | 'funnel' | 'heat' | 'scatter'
  stacked?: boolean
  dimensions: readonly string[]
  measures: readonly string[]
  totals?: boolean
  compare?: 'previousPeriod' | 'previousYear'
  sort?: readonly { by: string; order?: 'asc' | 'desc' }[]
  limit?: number
  open?: Evaluate<string>
  span: number
  source: Source
}

export interface ReportModel extends PageHead {
  kind: 'report'
  /** The call of blocks that show rows of a source. */
  call?: CallModel
  params: Evaluate<Record<string, unknown>>
  filters: readonly FilterModel[]
  dimensions: readonly ReportDimensionModel[]
  measures: readonly ReportMeasureModel[]
  blocks: readonly ReportBlockModel[]
}
