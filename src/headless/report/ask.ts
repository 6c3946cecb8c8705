import { Exact, exactText, toExact } from '../../schema/formats'
import type { FilterModel, QueryWhere, QuestionModel, ReportBlockModel, ReportModel, Scope } from '../../schema/model'
import { sendCall } from '../call'
import { toFailure } from '../failure'
import type { Host } from '../host'
import type { FilterValue } from '../list/query'
import { toConditions } from '../list/request'
import type { Row } from '../row'
import type { Amount, Figures, Group, Lead } from './group'

/** What this page reads of an aggregate call's answer. */
interface AggregateFigures {
  measures: Readonly<Record<string, string | number | null | Readonly<Record<string, string>>>>
  unconverted?: Readonly<Record<string, number>>
}
interface AggregateAnswer {
  measures: readonly { id: string; currency?: string }[]
  rows: readonly (AggregateFigures & {
    key: Readonly<Record<string, unknown>>
    where: readonly QueryWhere[]
    before?: AggregateFigures | null
  })[]
  more: boolean
  refs: Readonly<Record<string, Readonly<Record<string, { title: string }>>>>
  labels: Readonly<Record<string, Readonly<Record<string, string>>>>
  totals?: AggregateFigures
  compare?: { from: string; to: string; totals?: AggregateFigures }
}

/** What a block tells. */
export interface Told {
  groups: readonly Group[]
  /** Of all rows, where the block asks for it. */
  totals?: Group
  /** The answer holds not all groups. */
  more: boolean
  /** The days that are compared with. */
  before?: { from: string; to: string }
  /** Amounts that no figure holds, because they have no rate or no currency. */
  unconverted: number
}

/** What one question told, and which of its measures are counts. */
interface Answered extends Told {
  counts: readonly string[]
}

export interface Asking {
  host: Pick<Host, 'request' | 'locale' | 'canOpen'>
  model: ReportModel
  scope: Scope
  filters: Readonly<Record<string, FilterValue>>
}

/** The filters of a report as conditions. */
export const filterConditions = (models: readonly FilterModel[], filters: Readonly<Record<string, FilterValue>>): QueryWhere[] =>
  models.flatMap((filter) => {
    const value = filters[filter.id]
    return value ? toConditions(filter, value) : []
  })

/** Asks the aggregate call of every entity that a block counts; groups of the same dimensions stand together. */
export const askBlock = async (asking: Asking, block: ReportBlockModel, signal: AbortSignal): Promise<Told> => {
  const questions = block.questions ?? []
  const answers = await answered(
    questions.map((question) => askQuestion(asking, block, question, signal)),
    asking.host,
  )
  const groups = new Map<string, Group>()
  for (const told of answers)
    for (const group of told.groups) {
      const id = JSON.stringify(group.keys)
      groups.set(id, joined(groups.get(id), group))
    }
  const all = inOrder(asking.model, block, withZeros([...groups.values()], answers))
  const limit = block.limit ?? all.length
  const totals = answers.reduce<Group | undefined>((all, { totals: own }) => (own ? joined(all, own) : all), undefined)
  const before = answers.find((answer) => answer.before)?.before
  return {
    groups: all.slice(0, limit),
    ...(totals ? { totals } : {}),
    more: all.length > limit || answers.some(({ more }) => more),
    ...(before ? { before } : {}),
    unconverted: answers.reduce((sum, answer) => sum + answer.unconverted, 0),
  }
}

/** Of several entities those that the viewer may not read stay out; the figures of the others are worth telling. */
const answered = async (asked: readonly Promise<Answered>[], { locale }: Pick<Host, 'locale'>): Promise<readonly Answered[]> => {
  const settled = await Promise.allSettled(asked)
  const told = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  const worst = failed.find((error) => toFailure(error, locale).kind !== 'denied') ?? (told.length === 0 ? failed[0] : undefined)
  if (worst !== undefined) throw worst
  return told
}

/** Where one entity has no rows of a group that another one has, it counts none. */
const withZeros = (groups: readonly Group[], answers: readonly Answered[]): Group[] => {
  const zeros = answers.flatMap(({ counts }) => counts).map((id) => [id, [{ value: '0' }]] as const)
  return answers.length < 2
    ? [...groups]
    : groups.map((group) => ({ ...group, figures: { ...Object.fromEntries(zeros), ...group.figures } }))
}

const joined = (one: Group | undefined, other: Group): Group =>
  one
    ? {
        ...one,
        names: one.names?.map((name, index) => name ?? other.names?.[index]),
        figures: { ...one.figures, ...other.figures },
        leads: { ...one.leads, ...other.leads },
        ...(one.before || other.before ? { before: { ...one.before, ...other.before } } : {}),
      }
    : other

const askQuestion = async (
  { host, model, scope, filters }: Asking,
  block: ReportBlockModel,
  question: QuestionModel,
  signal: AbortSignal,
): Promise<Answered> => {
  const where = [...filterConditions(model.filters, filters), ...question.where(scope)]
  const period = model.filters.find(
    ({ id, field }) => ['date', 'dateTime'].includes(field.kind) && filters[id]?.operator === 'between',
  )
  const whole = block.dimensions.length === 0
  const conditions = new Map(question.measures.map((measure) => [measure.id, measure.where(scope)]))
  const answer = await sendCall<AggregateAnswer>(
    host,
    question.call,
    {
      ...(question.view === undefined ? {} : { view: question.view }),
      ...(where.length > 0 ? { where } : {}),
      ...(whole ? {} : { dimensions: question.dimensions }),
      measures: question.measures.map(({ id, figure }) => {
        const own = conditions.get(id) ?? []
        return { id, ...figure, ...(own.length > 0 ? { where: own } : {}) }
      }),
      ...(block.totals && !whole ? { totals: true } : {}),
      ...sortOf(block, question),
      // of several entities the first groups of one are not those of the other
      ...limitOf(block),
      ...(block.compare && period ? { compare: block.compare, compareBy: period.path.join('.') } : {}),
    },
    { signal },
  )
  const list = question.lists.find(({ path }) => host.canOpen(path))
  const address =
    list === undefined ? null : `${list.path}${list.tab === undefined ? '' : `?view=${encodeURIComponent(list.tab)}`}`
  const leads = (further: readonly QueryWhere[]): Readonly<Record<string, Lead>> =>
    Object.fromEntries(
      question.measures.map(({ id, figure }) => {
        // a share leads to what it is a share of
        const counted = Array.isArray(figure.ratio) ? String(figure.ratio[1]) : id
        return [id, { list: address, where: [...where, ...further, ...(conditions.get(counted) ?? [])] }]
      }),
    )
  const shares = model.measures.flatMap(({ id, format }) =>
    format === 'percent' && question.measures.some((measure) => measure.id === id && measure.figure.ratio) ? [id] : [],
  )
  const read = (told: AggregateFigures) => figuresOf(answer, told, shares)
  const groups = answer.rows.map((row): Group => {
    const keys = question.dimensions.map(({ id }) => row.key[id] ?? null)
    return {
      keys,
      names: question.dimensions.map(({ id }) => nameOf(model, answer, id, row.key[id])),
      figures: read(row),
      ...(row.before === undefined ? {} : { before: row.before === null ? {} : read(row.before) }),
      row: row.key as Row,
      leads: leads(row.where),
    }
  })
  const figures = [...answer.rows, ...(answer.totals ? [answer.totals] : [])]
  return {
    groups,
    ...(answer.totals
      ? {
          totals: {
            keys: [],
            figures: read(answer.totals),
            ...(answer.compare?.totals ? { before: read(answer.compare.totals) } : {}),
            row: {},
            leads: leads([]),
          },
        }
      : {}),
    more: answer.more,
    counts: question.measures.flatMap(({ id, figure }) => (figure.count || figure.distinct ? [id] : [])),
    ...(answer.compare ? { before: { from: answer.compare.from, to: answer.compare.to } } : {}),
    unconverted: Math.max(0, ...figures.flatMap(({ unconverted = {} }) => Object.values(unconverted))),
  }
}

/** As many groups as the call answers: a day that is cut off would be a gap in a chart of days by something. */
const MOST_GROUPS = 10_000

const limitOf = ({ limit, questions, type, dimensions }: ReportBlockModel): { limit?: number } => {
  if (limit !== undefined) return questions?.length === 1 ? { limit } : {}
  return type === 'chart' && dimensions.length > 1 ? { limit: MOST_GROUPS } : {}
}

/** An order by a measure of another question has no meaning for this one. */
const sortOf = ({ sort }: ReportBlockModel, question: QuestionModel) => {
  const known = [...question.dimensions, ...question.measures].map(({ id }) => id)
  const own = (sort ?? []).filter(({ by }) => known.includes(by))
  return own.length > 0 ? { sort: own } : {}
}

const HUNDRED = new Exact(100)

/** Money by currency, shares as percent, everything else as it is. */
const figuresOf = (answer: AggregateAnswer, { measures }: AggregateFigures, shares: readonly string[]): Figures =>
  Object.fromEntries(
    answer.measures.map(({ id, currency }) => {
      const value = measures[id] ?? null
      if (value === null) return [id, []]
      if (typeof value === 'object')
        return [id, Object.entries(value).map(([of, amount]): Amount => ({ value: amount, currency: of }))]
      const share = shares.includes(id) ? toExact(value)?.times(HUNDRED) : undefined
      return [id, [{ value: share ? exactText(share) : String(value), ...(currency === undefined ? {} : { currency }) }]]
    }),
  )

const nameOf = (model: ReportModel, answer: AggregateAnswer, id: string, value: unknown): string | undefined => {
  const entity = model.dimensions.find((dimension) => dimension.id === id)?.field?.ref?.entity
  if (entity !== undefined) return answer.refs[entity]?.[String(value)]?.title
  return answer.labels[id]?.[String(value)]
}

/** Words in the order of their dictionaries, unless the block has an order of its own. */
const inOrder = (model: ReportModel, block: ReportBlockModel, groups: readonly Group[]): readonly Group[] => {
  const indexesByDimension = block.dimensions.map((id) => {
    const options = model.dimensions.find((dimension) => dimension.id === id)?.dictionary
    return options && new Map<unknown, number>(options.map(({ code }, index) => [code, index]))
  })
  if (block.sort) return (block.questions ?? []).length > 1 ? sorted(block, block.sort, groups) : groups
  const compare = (one: Group, other: Group): number => {
    for (const [at, indexes] of indexesByDimension.entries()) {
      // names and days stand as the gateway has put them, and what is behind them in its order
      if (!indexes && one.keys[at] !== other.keys[at]) return 0
      const of = ({ keys }: Group): number => indexes?.get(keys[at]) ?? indexesByDimension.length + (indexes?.size ?? 0)
      if (of(one) !== of(other)) return of(one) - of(other)
    }
    return 0
  }
  return [...groups].sort(compare)
}

/** Groups of several entities in the order that the block asks for. */
const sorted = ({ dimensions }: ReportBlockModel, sort: NonNullable<ReportBlockModel['sort']>, groups: readonly Group[]) => {
  const valueOf = (group: Group, by: string): string | number => {
    const at = dimensions.indexOf(by)
    return at < 0 ? Number(group.figures[by]?.[0]?.value ?? 0) : String(group.keys[at] ?? '')
  }
  return [...groups].sort((one, other) => {
    for (const { by, order } of sort) {
      const [a, b] = [valueOf(one, by), valueOf(other, by)]
      if (a !== b) return (a < b ? -1 : 1) * (order === 'desc' ? -1 : 1)
    }
    return 0
  })
}
