import type { ReportModel } from '../../schema/model'
import { countryName, showNumber } from '../../schema/formats'
import type { Host } from '../host'
import { encodeFilter, isVoid, type FilterValue } from '../list/query'
import { partsBy, sumOf, type Group } from './group'

type MeasureModel = ReportModel['measures'][number]

/** What a report shows for its numbers and dimensions, and where they lead. */
export interface Shown {
  title(id: string): string
  dimension(id: string, value: unknown): string
  /** The colour that the dictionary gives to the value, by its name. */
  colour(id: string, value: unknown): string | undefined
  /** A number as its format says: percent, money with its currency, days or a plain number. */
  measure(id: string, group: Group): string
  /** The number of a chart; 0 when there is none. */
  amount(id: string, group: Group): number
  /** Where a number leads, with the filters of the report; null when nowhere or not for this viewer. */
  address(open: MeasureModel['open'], group: Group): string | null
  measureAddress(id: string, group: Group): string | null
}

const DIGITS: Readonly<Record<string, number>> = { percent: 2, money: 2, days: 1 }

export const shownBy = (
  model: ReportModel,
  host: Host,
  scope: Readonly<Record<string, unknown>>,
  filters: Readonly<Record<string, FilterValue>>,
): Shown => {
  const measures = new Map(model.measures.map((measure) => [measure.id, measure]))
  const dimensions = new Map(model.dimensions.map((dimension) => [dimension.id, dimension]))
  const text = (measure: MeasureModel | undefined, value: string | undefined, currency: string): string => {
    if (value === undefined) return '—'
    const format = measure?.format ?? ''
    const number = showNumber(value, host.locale, DIGITS[format])
    if (format === 'percent') return `${number}%`
    return format === 'money' && currency !== '' ? `${number} ${currency}` : number
  }
  const address = (open: MeasureModel['open'], group: Group): string | null => {
    if (!open) return null
    const target = withFilters(open({ ...scope, row: group.row }), filters)
    return host.canOpen(target) ? target : null
  }
  return {
    title: (id) => measures.get(id)?.title ?? dimensions.get(id)?.title ?? id,
    dimension: (id, value) => {
      const dimension = dimensions.get(id)
      if (value === null || value === undefined || value === '') return '—'
      if (dimension?.format === 'country') return countryName(String(value), host.locale) || String(value)
      return dimension?.dictionary?.find((option) => option.code === value)?.label ?? String(value)
    },
    colour: (id, value) => dimensions.get(id)?.dictionary?.find((option) => option.code === value)?.color,
    measure: (id, group) => {
      const measure = measures.get(id)
      if (measure?.currencyFrom === undefined) return text(measure, group.sums[id], measure?.currency ?? '')
      // money of several currencies is told one by one
      return partsBy(group.rows, measure.currencyFrom)
        .map(([currency, rows]) => text(measure, sumOf(rows, id), currency))
        .join(' · ')
    },
    amount: (id, group) => Number(group.sums[id] ?? 0),
    address,
    measureAddress: (id, group) => (group.sums[id] === undefined ? null : address(measures.get(id)?.open, group)),
  }
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
