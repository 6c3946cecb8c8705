import { pointer } from '../diagnosis'
import type { ReportPage } from '../generated/page'
import type { PageField, ReportBlockModel, ReportDimensionModel, ReportMeasureModel, ReportModel } from '../model'
import { leavesOf } from '../where'
import { parseCall } from './action'
import { findField, refuseRepeated } from './fieldPath'
import { defined } from './listBody'
import { compileFilters } from './listFilters'
import { compileQuestions, figureOf, isClosed, partsOf } from './question'
import { ROOTS } from './roots'
import type { Workspace } from './workspace'

type Dimension = NonNullable<ReportPage['dimensions']>[number]
type Measure = NonNullable<ReportPage['measures']>[number]
type Block = ReportPage['blocks'][number]

/** Everything of a report page that stands under the title. */
export const compileReport = (
  work: Workspace,
  page: ReportPage,
): Omit<ReportModel, 'kind' | 'id' | 'title' | 'locale' | 'revision' | 'source' | 'problems'> => {
  const entity = page.entity === undefined ? undefined : work.entity(page.entity, '/entity')
  if (page.filters && !entity) {
    work.report({
      code: 'unknown-entity',
      severity: 'error',
      ...work.location('/filters'),
      message: { zh: '筛选须有 entity：字段从它来。', en: 'Filters need an entity: their fields come from it.' },
    })
  }
  const dimensions = work.blocks(page.dimensions, '/dimensions', (dimension, at) => compileDimension(work, page, dimension, at))
  const measures = work.blocks(page.measures, '/measures', (measure, at) => compileMeasure(work, page, measure, at))
  const seen = new Set<string>()
  return {
    ...(page.source === undefined ? {} : { call: parseCall(page.source) }),
    params: work.parameters(page.params, '/params', ROOTS.page),
    filters: entity ? compileFilters(work, entity, page.filters ?? [], '/filters', ROOTS.page, page.view) : [],
    dimensions,
    measures,
    blocks: work.blocks(page.blocks, '/blocks', (block, at): ReportBlockModel => {
      refuseRepeated(work, seen, block.id, at)
      known(work, block.dimensions, page.dimensions, pointer(at, 'dimensions'))
      known(work, block.measures, page.measures, pointer(at, 'measures'))
      checkChart(work, block, at)
      return {
        id: block.id,
        title: work.text(block.title),
        type: block.type,
        rows: block.rows ?? 'rows',
        ...defined({
          empty: block.empty === undefined ? undefined : work.text(block.empty),
          chart: block.chart,
          stacked: block.stacked,
          open: block.open === undefined ? undefined : work.address(block.open, pointer(at, 'open'), ROOTS.reportRow),
          totals: block.totals,
          compare: block.compare,
          sort: block.sort,
          limit: block.limit,
        }),
        dimensions: block.dimensions ?? [],
        ...shownOf(work, page, block, at),
        span: block.span ?? 1,
        source: work.source(at),
      }
    }),
  }
}

/** What a block shows and asks. Figures of fields that the viewer may not read stay out, and a block that is told by one is closed. */
function shownOf(
  work: Workspace,
  page: ReportPage,
  block: Block,
  at: string,
): Pick<ReportBlockModel, 'measures' | 'questions' | 'closed'> {
  const named = (block.measures ?? []).flatMap((id) => page.measures?.find((measure) => measure.id === id) ?? [])
  const asked = named.filter((measure) => figureOf(measure) !== undefined)
  if (asked.length === 0) {
    if (page.source !== undefined) return { measures: named.map(({ id }) => id) }
    return work.refuse('invalid-shape', pointer(at, 'measures'), {
      zh: '度量须说明统计什么（count、sum 等），否则报表须有 source。',
      en: 'A measure says what it counts (count, sum and so on), or the report has a source.',
    })
  }
  if (asked.length < named.length) {
    return work.refuse('invalid-shape', pointer(at, 'measures'), {
      zh: '一个区块要么全部由度量统计，要么全部来自 source。',
      en: 'A block either counts all of its measures, or shows all of them from the source.',
    })
  }
  const closed = (block.dimensions ?? []).find((id) => {
    const field = page.dimensions?.find((dimension) => dimension.id === id)?.field
    return asked.some((measure) => isClosed(work, page, measure.entity, field))
  })
  const conditions = leavesOf(block.where).map(({ field }) => field)
  const open = asked.filter((measure) => !isClosed(work, page, measure.entity, ...conditions, ...fieldsOf(page, measure)))
  const measures = open.map(({ id }) => id)
  if (closed !== undefined || open.length === 0) {
    const title = closed ?? asked[0]?.id ?? ''
    const part = [...(page.dimensions ?? []), ...(page.measures ?? [])].find(({ id }) => id === title)
    return { measures, questions: [], closed: work.text(part?.title) ?? title }
  }
  return { measures, questions: compileQuestions(work, page, block, open, at) }
}

/** Fields that a measure is made of, its conditions and what other measures it is made of among them. */
function fieldsOf(page: ReportPage, measure: Measure): (string | undefined)[] {
  const parts = partsOf(measure).flatMap((id) => page.measures?.filter((part) => part.id === id && part !== measure) ?? [])
  return [
    figureOf(measure)?.field,
    measure.since,
    ...leavesOf(measure.where).map(({ field }) => field),
    ...parts.flatMap((part) => fieldsOf(page, part.ratio ? { ...part, ratio: undefined } : part)),
  ]
}

function compileDimension(work: Workspace, page: ReportPage, dimension: Dimension, at: string): ReportDimensionModel {
  const { field, entity: name = page.entity } = dimension
  const entity = field === undefined || name === undefined ? undefined : work.entity(name, pointer(at, 'entity'))
  const found = entity && field !== undefined ? findField(work, entity, field, pointer(at, 'field'), page.view) : undefined
  const named = dimension.dictionary
  return {
    id: dimension.id,
    title: work.text(dimension.title) ?? found?.title ?? dimension.id,
    ...defined({
      format: dimension.format ?? (found?.field.kind === 'country' ? 'country' : undefined),
      field: found?.field,
      bucket: dimension.bucket,
      dictionary: named === undefined ? found?.field.dictionary?.options : dictionaryOf(work, named, pointer(at, 'dictionary')),
    }),
  }
}

function compileMeasure(work: Workspace, page: ReportPage, measure: Measure, at: string): ReportMeasureModel {
  const figure = figureOf(measure)
  const name = measure.entity ?? page.entity
  const entity = figure === undefined || name === undefined ? undefined : work.entity(name, pointer(at, 'entity'))
  const found =
    entity && figure?.field !== undefined ? findField(work, entity, figure.field, pointer(at, figure.kind), page.view) : undefined
  const ofValue = figure?.kind === 'distinct' || measure.since !== undefined ? undefined : found?.field
  return {
    id: measure.id,
    title: work.text(measure.title) ?? found?.title ?? entity?.label ?? measure.id,
    ...defined({
      format: measure.format ?? formatOf(figure?.kind, measure, ofValue),
      currency: currencyOf(page, measure),
      color: measure.color,
      additive: isAdditive(figure?.kind, measure) || undefined,
      currencyFrom: measure.currencyFrom,
      field: ofValue,
      open: measure.open === undefined ? undefined : work.address(measure.open, pointer(at, 'open'), ROOTS.reportRow),
    }),
  }
}

/** Rows of a source are added up, shares among them aside. */
const isAdditive = (kind: string | undefined, { format }: Measure): boolean =>
  kind === undefined ? format !== 'percent' : ['count', 'sum', 'difference'].includes(kind)

/** What a kind of chart cannot be drawn without. */
function checkChart(work: Workspace, { chart, stacked, dimensions = [], measures = [] }: Block, at: string): void {
  if (chart === 'heat' && (dimensions.length !== 2 || measures.length !== 1)) {
    work.refuse('invalid-shape', pointer(at, 'chart'), {
      zh: '热力图须有两个维度和一个度量。',
      en: 'A heat map has two dimensions and one measure.',
    })
  }
  if (chart === 'scatter' && (dimensions.length !== 1 || measures.length !== 2)) {
    work.refuse('invalid-shape', pointer(at, 'chart'), {
      zh: '散点图须有一个维度和两个度量。',
      en: 'A scatter chart has one dimension and two measures.',
    })
  }
  if (stacked && chart !== 'line' && chart !== 'bar') {
    work.refuse('invalid-shape', pointer(at, 'stacked'), {
      zh: '只有折线图和柱状图可以堆叠。',
      en: 'Only lines and bars are stacked.',
    })
  }
}

/** The one currency of amounts; of a difference that of what it is made of. */
const currencyOf = ({ measures = [] }: ReportPage, { currency = '', difference }: Measure): string | undefined => {
  const part = difference && measures.find(({ id }) => id === difference[0])
  const told = part?.currency ?? currency
  return (/^convert:(.+)$/.exec(told)?.[1] ?? told) || undefined
}

const formatOf = (kind: string | undefined, { since }: Measure, field: PageField | undefined): string | undefined => {
  if (kind === 'ratio') return 'percent'
  if (since !== undefined) return 'days'
  if (kind === 'difference') return 'money'
  return field?.kind === 'money' ? 'money' : undefined
}

function dictionaryOf(work: Workspace, name: string, at: string) {
  return (
    work.dictionary(name) ??
    work.refuse(
      'unknown-dictionary',
      at,
      { zh: `没有名为“${name}”的字典。`, en: `There is no dictionary "${name}".` },
      { value: name, known: Object.keys(work.bundle.dictionaries) },
    )
  )
}

function known(
  work: Workspace,
  names: readonly string[] | undefined,
  declared: readonly { id: string }[] | undefined,
  at: string,
): void {
  const ids = (declared ?? []).map(({ id }) => id)
  names?.forEach((name, index) => {
    if (ids.includes(name)) return
    work.refuse(
      'unknown-field',
      pointer(at, index),
      { zh: `报表没有名为“${name}”的维度或度量。`, en: `The report declares no dimension or measure "${name}".` },
      { value: name, known: ids },
    )
  })
}
