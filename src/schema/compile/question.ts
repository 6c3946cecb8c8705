import { pointer } from '../diagnosis'
import type { ReportPage } from '../generated/page'
import type { FigureList, QuestionModel } from '../model'
import { findField, readableAt } from './fieldPath'
import { compileWhere, defined } from './listBody'
import { ROOTS } from './roots'
import type { Workspace } from './workspace'

type Measure = NonNullable<ReportPage['measures']>[number]
type Block = ReportPage['blocks'][number]

const OF_FIELD = ['distinct', 'sum', 'avg', 'min', 'max', 'median'] as const

/** What a measure counts; undefined when its numbers come from a source. */
export function figureOf(measure: Measure): { kind: keyof Measure; field?: string } | undefined {
  if (measure.count === true) return { kind: 'count' }
  if (measure.ratio) return { kind: 'ratio' }
  if (measure.difference) return { kind: 'difference' }
  const kind = OF_FIELD.find((name) => measure[name] !== undefined)
  return kind === undefined ? undefined : { kind, field: measure[kind] }
}

/** The viewer may not read one of the fields, so the gateway tells him nothing by them. */
export const isClosed = (
  work: Workspace,
  page: ReportPage,
  entityName: string | undefined,
  ...fields: readonly (string | undefined)[]
): boolean => {
  const name = entityName ?? page.entity
  if (name === undefined || work.entityIfKnown(name) === undefined) return false
  const entity = work.entity(name, '')
  return fields.some((field) => field !== undefined && !readableAt(work, entity, field, viewOf(page, name)))
}

/** The row view is one of the entity of the report. */
const viewOf = (page: ReportPage, entity: string): string | undefined => (entity === page.entity ? page.view : undefined)

/** What a block asks: one question an entity, over the dimensions of the block. */
export function compileQuestions(
  work: Workspace,
  page: ReportPage,
  block: Block,
  measures: readonly Measure[],
  at: string,
): QuestionModel[] {
  const names = [...new Set(measures.map(({ entity }) => entity ?? page.entity))]
  return names.map((name) => {
    if (name === undefined) {
      return work.refuse('unknown-entity', pointer(at, 'measures'), {
        zh: '报表须有 entity：度量统计它的记录。',
        en: 'The report needs an entity: its rows are what the measures count.',
      })
    }
    const entity = work.entity(name, '/entity')
    const view = viewOf(page, name)
    for (const { field } of page.filters ?? []) findField(work, entity, field, pointer('/filters'), view)
    const own = measures.filter((measure) => (measure.entity ?? page.entity) === name)
    const dimensions = (block.dimensions ?? []).flatMap((id, index) => {
      const dimension = page.dimensions?.find((candidate) => candidate.id === id)
      const here = pointer(at, 'dimensions', index)
      if (dimension?.field === undefined) {
        return work.refuse(
          'invalid-shape',
          here,
          { zh: `维度“${id}”须有 field。`, en: `The dimension "${id}" needs a field.` },
          { value: id },
        )
      }
      findField(work, entity, dimension.field, here, view)
      return [{ id, field: dimension.field, ...defined({ bucket: dimension.bucket }) }]
    })
    return {
      entity: name,
      call: entity.call('aggregate'),
      ...defined({ view }),
      where: compileWhere(work, entity, block.where, pointer(at, 'where'), ROOTS.page),
      dimensions,
      measures: withParts(work, page, own, at).map((measure) => ({
        id: measure.id,
        figure: askedFigure(
          work,
          page,
          measure,
          dimensions.some(({ bucket }) => bucket !== undefined),
        ),
        where: compileWhere(work, entity, measure.where, pointer('/measures', indexOf(page, measure), 'where'), ROOTS.page),
      })),
      lists: listsOf(work, name, view),
    }
  })
}

const indexOf = (page: ReportPage, measure: Measure): number => page.measures?.indexOf(measure) ?? 0

/** The ids of the measures that a measure is made of. */
export const partsOf = ({ ratio, difference }: Measure): readonly string[] => ratio ?? difference ?? []

/** The measures with those that they are made of, each once, parts first. */
function withParts(work: Workspace, page: ReportPage, measures: readonly Measure[], at: string): Measure[] {
  const all = new Set<Measure>()
  for (const measure of measures) {
    for (const id of partsOf(measure)) {
      const part = page.measures?.find((candidate) => candidate.id === id)
      const nested =
        part !== undefined && (part.ratio !== undefined || (part.difference !== undefined && measure.ratio === undefined))
      if (!part || nested || (part.entity ?? page.entity) !== (measure.entity ?? page.entity)) {
        work.refuse(
          'unknown-field',
          pointer('/measures', indexOf(page, measure), measure.ratio ? 'ratio' : 'difference'),
          {
            zh: `“${measure.id}”须取自同一实体的两个度量，“${id}”不是。`,
            en: `"${measure.id}" is made of two measures of the same entity; "${id}" is none of them.`,
          },
          { value: id, known: (page.measures ?? []).filter(({ ratio }) => !ratio).map((known) => known.id) },
        )
      }
      for (const inner of withParts(work, page, [part], at)) all.add(inner)
    }
    all.add(measure)
  }
  if (all.size === 0) work.refuse('invalid-shape', at, { zh: '区块须有度量。', en: 'A block needs measures.' })
  return [...all]
}

function askedFigure(work: Workspace, page: ReportPage, measure: Measure, hasBucket: boolean): Readonly<Record<string, unknown>> {
  const figure = figureOf(measure)
  if (!figure) {
    return work.refuse('invalid-shape', pointer('/measures', indexOf(page, measure)), {
      zh: `度量“${measure.id}”须说明统计什么。`,
      en: `The measure "${measure.id}" says what it counts.`,
    })
  }
  // without a bucket the period that is filtered by says which day's rate an amount has
  const day =
    measure.currency === undefined || hasBucket ? undefined : page.filters?.find(({ operator }) => operator === 'between')?.field
  return { [figure.kind]: measure[figure.kind], ...defined({ since: measure.since, currency: measure.currency, day }) }
}

/** Tabs of lists that show the same rows as the view, as the gateway knows them. */
function listsOf(work: Workspace, entity: string, view: string | undefined): FigureList[] {
  return (work.bundle.lists?.[entity] ?? [])
    .filter((list) => list.view === view && work.allowed(list.permission))
    .map(({ path, tab }) => ({ path, ...defined({ tab }) }))
}
