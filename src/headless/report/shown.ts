import type { Evaluate, PageField, QueryWhere, ReportModel } from '../../schema/model'
import { countryName, Exact, exactText, shortNumber, showNumber, toExact } from '../../schema/formats'
import { showPlain } from '../plain'
import type { Host } from '../host'
import { encodeFilter, isVoid, WHERE, type FilterValue } from '../list/query'
import { companyZone } from '../scope'
import type { Amount, Group } from './group'
import { reportTexts } from './texts'

type MeasureModel = ReportModel['measures'][number]

/** What a report shows for its numbers and dimensions, and where they lead. */
export interface Shown {
  title(id: string): string
  dimension(id: string, group: Group, index: number): string
  /** The colour that the dictionary gives to the value, by its name. */
  colour(id: string, value: unknown): string | undefined
  /** A number as its format says: percent, money with its currency, days or a plain number. With a currency only the amount in it. */
  measure(id: string, group: Group, currency?: string): string
  /** The number of a chart; null when there is none. With a currency the amount in it. */
  amount(id: string, group: Group, currency?: string): number | null
  /** A number beside an axis, as short as it can be told: 12K, 1.2万, 40%. */
  scale(id: string, value: number): string
  /** Currencies of a measure in these groups, when there is more than one. */
  currencies(id: string, groups: readonly Group[]): readonly string[]
  /** The change against the period before, in words; null when nothing is compared or there is nothing to compare. */
  change(id: string, group: Group): Change | null
  /** Where a row leads, with the filters of the report; null when nowhere or not for this viewer. */
  address(open: Evaluate<string> | undefined, group: Group): string | null
  measureAddress(id: string, group: Group): string | null
}

/** What it has to know of the viewer. */
type ShownHost = Pick<Host, 'locale' | 'timeZone' | 'companyTimeZone' | 'canOpen'>

export interface Change {
  direction: 'up' | 'down' | 'same'
  /** How much, e.g. 12.5%; the number before where it was nothing. */
  text: string
  /** The same as a sentence. */
  words: string
}

const DIGITS: Readonly<Record<string, number>> = { percent: 2, money: 2, days: 1 }
const CHANGE_DIGITS = 1

export const shownBy = (
  model: ReportModel,
  host: ShownHost,
  scope: Readonly<Record<string, unknown>>,
  filters: Readonly<Record<string, FilterValue>>,
): Shown => {
  const texts = reportTexts[host.locale]
  const measures = new Map(model.measures.map((measure) => [measure.id, measure]))
  const dimensions = new Map(model.dimensions.map((dimension) => [dimension.id, dimension]))
  const text = (measure: MeasureModel | undefined, { value, currency }: Amount): string => {
    const format = measure?.format ?? ''
    if (measure?.field && DAYS.has(measure.field.kind)) return showPlain(measure.field, value, host)
    const number = showNumber(value, host.locale, DIGITS[format] ?? digitsOf(value))
    if (format === 'percent') return `${number}%`
    if (format !== 'money') return number
    return currency === undefined ? number : `${number} ${currency === '' ? texts.noCurrency : currency}`
  }
  const amounts = (id: string, group: Group): readonly Amount[] => group.figures[id] ?? []
  const open = (target: string): string | null => (host.canOpen(target) ? target : null)
  const address = (opens: Evaluate<string> | undefined, group: Group): string | null =>
    opens ? open(withFilters(opens({ ...scope, row: group.row }), filters)) : null
  return {
    title: (id) => measures.get(id)?.title ?? dimensions.get(id)?.title ?? id,
    dimension: (id, group, index) => {
      const dimension = dimensions.get(id)
      const value = group.keys[index]
      if (value === null || value === undefined || value === '') return '—'
      const name = dimension?.dictionary?.find((option) => option.code === value)?.label ?? group.names?.[index]
      if (name !== undefined) return name
      if (dimension?.bucket) return bucketName(String(value), dimension.bucket)
      if (dimension?.format === 'hour') return hourOf(String(value), companyZone(host))
      if (dimension?.format === 'country') return countryName(String(value), host.locale) || String(value)
      return dimension?.field ? shownField(dimension.field, value, host) : String(value)
    },
    colour: (id, value) => dimensions.get(id)?.dictionary?.find((option) => option.code === value)?.color,
    measure: (id, group, only) => {
      const own = amounts(id, group).filter(({ currency }) => only === undefined || currency === only)
      // money of several currencies is told one by one
      return own.length === 0 ? '—' : own.map((amount) => text(measures.get(id), amount)).join(' · ')
    },
    amount: (id, group, currency) => {
      const own = amounts(id, group)
      const found = currency === undefined ? own[0] : own.find((amount) => amount.currency === currency)
      return found === undefined ? null : Number(found.value)
    },
    scale: (id, value) => `${shortNumber(value, host.locale)}${measures.get(id)?.format === 'percent' ? '%' : ''}`,
    currencies: (id, groups) => {
      const found = new Set(groups.flatMap((group) => amounts(id, group).flatMap(({ currency }) => currency ?? [])))
      return found.size > 1 ? [...found].sort() : []
    },
    change: (id, group) => {
      const [now, ...others] = amounts(id, group)
      const then = group.before?.[id] ?? []
      const before = then.find(({ currency }) => currency === now?.currency)
      if (!group.before || !now || others.length > 0 || then.length > 1) return null
      const [value, past] = [toExact(now.value), toExact(before?.value ?? 0)]
      if (!value || !past || DAYS.has(measures.get(id)?.field?.kind ?? '')) return null
      const told = text(measures.get(id), before ?? { ...now, value: '0' })
      const direction = value.eq(past) ? 'same' : value.gt(past) ? 'up' : 'down'
      if (direction === 'same') return { direction, text: '0%', words: texts.same(told) }
      if (measures.get(id)?.format === 'percent') {
        const points = showNumber(exactText(value.minus(past).abs()), host.locale, DIGITS.percent)
        return { direction, text: texts.points(points), words: texts.by[direction](texts.points(points), told) }
      }
      if (past.eq(0)) return { direction, text: told, words: texts.from[direction](told) }
      const percent = value.minus(past).abs().times(100).dividedBy(past.abs())
      const size = `${showNumber(exactText(new Exact(percent.toFixed(CHANGE_DIGITS))), host.locale, CHANGE_DIGITS)}%`
      return { direction, text: size, words: texts.by[direction](size, told) }
    },
    address,
    measureAddress: (id, group) => {
      if (amounts(id, group).length === 0) return null
      const opens = measures.get(id)?.open
      const lead = group.leads?.[id]
      // nothing was counted that a list could show
      if (!lead) return group.leads ? null : address(opens, group)
      const list = opens ? opens({ ...scope, row: group.row }) : lead.list
      return list === null ? null : open(withConditions(list, lead.where))
    },
  }
}

const DAYS: ReadonlySet<string> = new Set(['date', 'dateTime'])

/** Of a number without a format: as exact as anybody reads it, and whole ones whole. Prices of a message need six decimals. */
const digitsOf = (value: string): number | undefined => {
  const [whole = '', decimals = ''] = value.replace('-', '').split('.')
  const most = whole.length > 2 ? 2 : whole !== '0' ? 4 : 6
  return decimals.length > most ? most : undefined
}

/** One value of a field that may hold lists. */
const shownField = (field: PageField, value: unknown, host: ShownHost): string =>
  field.kind === 'boolean' ? reportTexts[host.locale].truth(value === true) : showPlain(field, value, host) || String(value)

/** The hour of a moment in the zone in which days are counted, as 09:00. */
const hourOf = (moment: string, timeZone: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(new Date(moment))}:00`

/** A day as the first of its bucket: months, quarters and years say no day. */
const bucketName = (day: string, bucket: NonNullable<ReportModel['dimensions'][number]['bucket']>): string => {
  const [year = '', month = ''] = day.split('-')
  if (bucket === 'year') return year
  if (bucket === 'month') return `${year}-${month}`
  return bucket === 'quarter' ? `${year} Q${Math.ceil(Number(month) / 3)}` : day.slice(0, 10)
}

/** The address of a list with the conditions of a figure. */
const withConditions = (address: string, where: readonly QueryWhere[]): string => {
  const [path = '', search = ''] = address.split('?', 2)
  const params = new URLSearchParams(search)
  if (where.length > 0) params.set(WHERE, JSON.stringify(where))
  const query = params.toString()
  return query === '' ? path : `${path}?${query}`
}

/** In an address: this filter of the report stays behind. */
const KEPT_OUT = '-'

/** The address with the filters of the report, except those that it names itself; `f.<id>=-` keeps one out, an empty one says nothing. */
export const withFilters = (address: string, filters: Readonly<Record<string, FilterValue>>): string => {
  const [path = '', search = ''] = address.split('?', 2)
  const params = new URLSearchParams(search)
  for (const [name, value] of [...params]) if (value === '') params.delete(name)
  for (const [id, filter] of Object.entries(filters))
    if (!params.has(`f.${id}`) && !isVoid(filter)) params.set(`f.${id}`, encodeFilter(filter))
  for (const [name, value] of [...params]) if (value === KEPT_OUT) params.delete(name)
  const query = params.toString()
  return query === '' ? path : `${path}?${query}`
}
