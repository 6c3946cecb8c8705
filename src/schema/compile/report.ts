import { pointer } from '../diagnosis'
import type { ReportPage } from '../generated/page'
import type { ReportModel } from '../model'
import { parseCall } from './action'
import { refuseRepeated } from './fieldPath'
import { defined } from './listBody'
import { compileFilters } from './listFilters'
import { ROOTS } from './roots'
import type { Workspace } from './workspace'

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
      ...work.place('/filters'),
      message: { zh: '筛选须有 entity：字段从它来。', en: 'Filters need an entity: their fields come from it.' },
    })
  }
  const dimensions = work.blocks(page.dimensions, '/dimensions', (dimension, at) => ({
    id: dimension.id,
    title: work.text(dimension.title),
    ...defined({ format: dimension.format }),
    ...(dimension.dictionary === undefined
      ? {}
      : { dictionary: dictionaryOf(work, dimension.dictionary, pointer(at, 'dictionary')) }),
  }))
  const measures = work.blocks(page.measures, '/measures', (measure, at) => ({
    id: measure.id,
    title: work.text(measure.title),
    ...defined({
      format: measure.format,
      currency: measure.currency,
      currencyFrom: measure.currencyFrom,
      open: measure.open === undefined ? undefined : work.address(measure.open, pointer(at, 'open'), ROOTS.reportRow),
    }),
  }))
  const seen = new Set<string>()
  return {
    call: parseCall(page.source),
    params: work.parameters(page.params, '/params', ROOTS.page),
    filters: entity ? compileFilters(work, entity, page.filters ?? [], '/filters', ROOTS.page) : [],
    dimensions,
    measures,
    blocks: work.blocks(page.blocks, '/blocks', (block, at) => {
      refuseRepeated(work, seen, block.id, at)
      known(work, block.dimensions, dimensions, pointer(at, 'dimensions'))
      known(work, block.measures, measures, pointer(at, 'measures'))
      return {
        id: block.id,
        title: work.text(block.title),
        type: block.type,
        rows: block.rows ?? 'rows',
        ...defined({
          empty: block.empty === undefined ? undefined : work.text(block.empty),
          chart: block.chart,
          open: block.open === undefined ? undefined : work.address(block.open, pointer(at, 'open'), ROOTS.reportRow),
        }),
        dimensions: block.dimensions ?? [],
        measures: block.measures ?? [],
        span: block.span ?? 1,
        source: work.source(at),
      }
    }),
  }
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

function known(work: Workspace, names: readonly string[] | undefined, declared: readonly { id: string }[], at: string): void {
  const ids = declared.map(({ id }) => id)
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
