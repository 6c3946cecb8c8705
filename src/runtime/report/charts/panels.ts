import { Exact, exactText, toExact } from '../../../schema/formats'
import type { ReportBlockModel, ReportDimensionModel, ReportMeasureModel, ReportModel } from '../../../schema/model'
import type { TAG_COLORS } from '../../tokens'
import { isTime, type Group } from '../group'
import type { Shown } from '../shown'
import { reportTexts } from '../texts'
import { allBuckets, weekdayOf } from './time'

/** What a chart is made of. */
export interface ChartParts {
  block: ReportBlockModel
  model: ReportModel
  groups: readonly Group[]
  shown: Shown
}

export type Color = (typeof TAG_COLORS)[number] | 'rest'

/** One bar, step, point, piece or cell. */
export interface Point {
  /** Null where there is none: lines have a gap there. */
  value: number | null
  /** The value as people read it. */
  text: string
  /** Where it leads; null when nowhere. */
  address: string | null
}
export interface Part extends Point {
  name: string
  color: Color
}
export interface Series {
  name: string
  color: Color
  /** By category. */
  points: readonly Point[]
  /** Index of its axis. */
  axis: number
  /** Of the period before. */
  before?: boolean
}
interface Axis {
  /** What it counts, where that is not said elsewhere. */
  name?: string
  scale(value: number): string
}

interface Titled {
  /** Stands above it. */
  caption?: string
}
/** Lines or bars over categories; measures of a second unit have a second axis. */
export interface AxesPanel extends Titled {
  kind: 'line' | 'bar'
  categories: readonly string[]
  /** Categories follow one another; otherwise they are names. */
  time: boolean
  stacked: boolean
  /** The height shows how the values differ (a rate), not how much they are: it begins at the lowest one. */
  spread?: boolean
  series: readonly Series[]
  axes: readonly Axis[]
}
/** Parts of a whole, or steps. */
export interface PartsPanel extends Titled {
  kind: 'pie' | 'funnel'
  parts: readonly Part[]
}
export interface HeatPanel extends Titled {
  kind: 'heat'
  columns: readonly string[]
  rows: readonly string[]
  cells: readonly (Point & { column: number; row: number })[]
  color: Color
  scale(value: number): string
}
export interface ScatterPanel extends Titled {
  kind: 'scatter'
  points: readonly { name: string; x: Point; y: Point; address: string | null }[]
  axes: readonly [Axis, Axis]
  color: Color
}
export type Panel = AxesPanel | PartsPanel | HeatPanel | ScatterPanel

/** Colours one after the other; those that carry a judgement (red, orange) come last. */
const COLORS = ['blue', 'cyan', 'gold', 'purple', 'green', 'volcano', 'magenta', 'geekblue', 'lime'] as const
/** Names that a chart of bars shows; its table holds all. */
export const MOST_BARS = 20
/** Lines, layers and pieces that the eye tells apart. */
const MOST_SERIES = 8
const AXES = 2
const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

const idOf = (values: readonly unknown[]): string => JSON.stringify(values)
const magnitude = (points: readonly Point[]): number => points.reduce((sum, { value }) => sum + Math.abs(value ?? 0), 0)

/**
 * What is drawn of a block: as a rule one panel. Amounts of several currencies have no common scale and have a panel each, and so have
 * measures of a third unit.
 */
export function panelsOf(chart: ChartParts): readonly Panel[] {
  const { block, groups, shown } = chart
  if (block.dimensions.length === 0 || block.chart === 'scatter' || block.chart === 'heat')
    return [panelOf(chart, block.measures)]
  const measures =
    new Reading(chart).isSplit || block.chart === 'pie' || block.chart === 'funnel' ? block.measures.slice(0, 1) : block.measures
  const several = measures.filter((id) => shown.currencies(id, groups).length > 0)
  const currencies = [...new Set(several.flatMap((id) => shown.currencies(id, groups)))].sort()
  const units = new Map<string, string[]>()
  for (const id of measures.filter((id) => !several.includes(id))) {
    const unit = new Reading(chart).unit(id)
    units.set(unit, [...(units.get(unit) ?? []), id])
  }
  const byUnit = [...units.values()]
  const panels: Panel[] = []
  for (let at = 0; at < byUnit.length; at += AXES) panels.push(panelOf(chart, byUnit.slice(at, at + AXES).flat()))
  return [...panels, ...currencies.map((currency) => panelOf(chart, several, currency))]
}

function panelOf(chart: ChartParts, measures: readonly string[], currency?: string): Panel {
  const read = new Reading(chart, currency)
  switch (chart.block.chart) {
    case 'pie':
    case 'funnel':
      return partsPanel(chart.block.chart, read, measures)
    case 'heat':
      return heatPanel(read, measures)
    case 'scatter':
      return scatterPanel(read, measures)
    case 'line':
      return axesPanel('line', read, measures)
    default:
      return axesPanel('bar', read, measures)
  }
}

/** What all panels of a block read. */
class Reading {
  readonly groups: readonly Group[]
  private readonly measures: ReadonlyMap<string, ReportMeasureModel>
  private readonly dimensions: readonly (ReportDimensionModel | undefined)[]

  constructor(
    readonly chart: ChartParts,
    readonly currency?: string,
  ) {
    const { model, block, groups } = chart
    this.groups = groups
    this.measures = new Map(model.measures.map((measure) => [measure.id, measure]))
    this.dimensions = block.dimensions.map((id) => model.dimensions.find((dimension) => dimension.id === id))
  }

  get texts() {
    return reportTexts[this.chart.model.locale]
  }
  get dimensionCount(): number {
    return this.dimensions.length
  }
  /** The last dimension tells the lines or bars apart. */
  get isSplit(): boolean {
    return this.dimensions.length > 1
  }
  dimension(index: number): ReportDimensionModel | undefined {
    return this.dimensions[index]
  }
  additive(id: string): boolean {
    return this.measures.get(id)?.additive === true
  }
  title(id: string): string {
    return this.chart.shown.title(id)
  }

  /** What the numbers of a measure can be compared with. */
  unit(id: string): string {
    const { format = '', currency = '', additive } = this.measures.get(id) ?? {}
    if (format === 'money') return `money ${currency}`
    if (format === 'percent' || format === 'days') return format
    return additive ? 'number' : `of ${id}`
  }

  /** The one currency of a measure, or that of the panel. */
  currencyOf(id: string): string | undefined {
    const { format, currency } = this.measures.get(id) ?? {}
    return this.currency ?? (format === 'money' ? currency : undefined)
  }

  point(id: string, group: Group | undefined): Point {
    const { shown } = this.chart
    const counted = group ? shown.amount(id, group, this.currency) : null
    if (!group || (counted === null && Object.keys(group.figures).length === 0)) {
      if (!this.additive(id)) return { value: null, text: '—', address: null }
      const currency = this.currencyOf(id)
      const figures = { [id]: [{ value: '0', ...(currency === undefined ? {} : { currency }) }] }
      return { value: 0, text: shown.measure(id, { keys: [], row: {}, figures }, this.currency), address: null }
    }
    return { value: counted, text: shown.measure(id, group, this.currency), address: shown.measureAddress(id, group) }
  }

  /** The sum of groups that have no place of their own. */
  rest(id: string, groups: readonly Group[]): Point {
    const amounts = groups.flatMap((group) =>
      (group.figures[id] ?? []).filter(({ currency }) => this.currency === undefined || currency === this.currency),
    )
    const sum = amounts.reduce((all, { value }) => all.plus(toExact(value) ?? new Exact(0)), new Exact(0))
    const figures = { [id]: [{ ...amounts[0], value: exactText(sum) }] }
    return { ...this.point(id, { keys: [], row: {}, figures }), address: null }
  }

  /** The colour of a measure: its own, else the next of those that no other one of the block has. Blocks begin at another one each. */
  color(id: string): Color {
    const { block, model } = this.chart
    const own = (name: string) => this.measures.get(name)?.color as Color | undefined
    const taken = block.measures.flatMap((name) => own(name) ?? [])
    const without = block.measures.filter((name) => own(name) === undefined)
    return own(id) ?? this.free(without.indexOf(id), taken, model.blocks.filter(({ type }) => type === 'chart').indexOf(block))
  }

  free(index: number, taken: readonly Color[] = [], from = 0): Color {
    const shifted = COLORS.map((_, at) => COLORS[(Math.max(0, from) + at) % COLORS.length] ?? 'rest')
    const open = shifted.filter((color) => !taken.includes(color))
    return open[Math.max(0, index) % open.length] ?? 'rest'
  }

  /** The dictionary's own colours where each value has another one: a state looks the same everywhere. Else one after the other. */
  colorsOf(values: readonly unknown[], dimension: number): readonly Color[] {
    const { block, shown } = this.chart
    const own = values.map((value) => shown.colour(block.dimensions[dimension] ?? '', value))
    const told = own.some((color) => color !== undefined) && new Set(own).size === own.length
    return values.map((_, index) => (told ? ((own[index] as Color | undefined) ?? 'rest') : this.free(index)))
  }

  name(group: Group, from = 0, to = this.dimensions.length): string {
    const { block, shown } = this.chart
    return block.dimensions
      .slice(from, to)
      .map((id, index) => shown.dimension(id, group, from + index))
      .join(' · ')
  }

  /** The values of a dimension with a group that names each: times in their order without a gap, words in that of the dictionary. */
  values(dimension: number, groups: readonly Group[] = this.groups): readonly Group[] {
    const { bucket, dictionary } = this.dimensions[dimension] ?? {}
    const first = new Map<string, Group>()
    for (const group of groups) {
      const id = idOf([group.keys[dimension]])
      if (!first.has(id)) first.set(id, group)
    }
    const found = [...first.values()]
    const times = found.map(({ keys }) => keys[dimension]).filter(isTime)
    if (times.length > 0) {
      const blank = (day: string): Group => ({ keys: Array.from({ length: dimension + 1 }, () => day), row: {}, figures: {} })
      const days = bucket ? allBuckets(times, bucket) : times.sort()
      const undated = found.filter(({ keys }) => !isTime(keys[dimension]))
      return [...days.map((day) => found.find(({ keys }) => sameTime(keys[dimension], day, bucket)) ?? blank(day)), ...undated]
    }
    if (!dictionary) return found
    const rank = ({ keys }: Group): number => {
      const index = dictionary.findIndex(({ code }) => code === keys[dimension])
      return index < 0 ? dictionary.length : index
    }
    return [...found].sort((one, other) => rank(one) - rank(other))
  }
}

const sameTime = (value: unknown, day: string, bucket: ReportDimensionModel['bucket']): boolean =>
  isTime(value) && (bucket ? value.slice(0, 10) === day : value === day)

function axesPanel(kind: AxesPanel['kind'], read: Reading, measures: readonly string[]): AxesPanel {
  const { block, groups, shown } = read.chart
  const base = { kind, stacked: block.stacked === true }
  if (read.dimensionCount === 0) {
    const [group] = groups
    const points = measures.map((id) => read.point(id, group))
    const series = [{ name: block.title, color: read.color(measures[0] ?? ''), axis: 0, points }]
    return { ...base, categories: measures.map((id) => read.title(id)), time: false, series, axes: [axisOf(read, measures)] }
  }
  return read.isSplit ? splitPanel(base, read, measures[0] ?? '') : plainPanel(base, read, measures, shown)
}

/** A line or set of bars for each measure, with that of the period before where it is compared. */
function plainPanel(
  base: Pick<AxesPanel, 'kind' | 'stacked'>,
  read: Reading,
  measures: readonly string[],
  shown: Shown,
): AxesPanel {
  const { groups } = read
  const time = groups.some(({ keys }) => isTime(keys[0]))
  const all = time ? read.values(0) : groups
  const drawn = time ? all : all.slice(0, MOST_BARS)
  const units = [...new Set(measures.map((id) => read.unit(id)))]
  const series = measures.map((id): Series => ({
    name: read.title(id),
    color: read.color(id),
    axis: units.indexOf(read.unit(id)),
    points: drawn.map((group) => read.point(id, group)),
  }))
  const compared = groups.some(({ before }) => before !== undefined)
  const before = measures.map((id): Series => ({
    name: read.texts.before(read.title(id)),
    color: read.color(id),
    axis: units.indexOf(read.unit(id)),
    before: true,
    points: drawn.map((group) => {
      const then = { ...group, figures: group.before ?? {} }
      return { value: shown.amount(id, then, read.currency), text: shown.measure(id, then, read.currency), address: null }
    }),
  }))
  return {
    ...base,
    ...captionOf(read, measures, compared || measures.length > 1, all.length - drawn.length),
    categories: drawn.map((group) => read.name(group)),
    time,
    series: compared ? [...series, ...before] : series,
    axes: units.map((unit) => axisOf(read, measures.filter((id) => read.unit(id) === unit))), // prettier-ignore
  }
}

/** A line or set of bars for each value of the last dimension; the smallest ones stand together where they can be added up. */
function splitPanel(base: Pick<AxesPanel, 'kind' | 'stacked'>, read: Reading, id: string): AxesPanel {
  const last = read.dimensionCount - 1
  const byPlace = new Map(read.groups.map((group) => [idOf(group.keys), group]))
  const time = read.groups.some(({ keys }) => isTime(keys[0]))
  const places = last === 1 ? read.values(0) : [...new Map(read.groups.map((group) => [idOf(group.keys.slice(0, last)), group])).values()] // prettier-ignore
  const at = (place: Group, value: unknown): Group | undefined => byPlace.get(idOf([...place.keys.slice(0, last), value]))
  const sizes = places.map((place) => read.values(last).reduce((sum, { keys }) => sum + (read.point(id, at(place, keys[last])).value ?? 0), 0)) // prettier-ignore
  const named = time || read.dimension(0)?.dictionary
  const sorted = named ? places : [...places.keys()].sort((one, other) => (sizes[other] ?? 0) - (sizes[one] ?? 0)).flatMap((index) => places[index] ?? []) // prettier-ignore
  const drawn = time ? sorted : sorted.slice(0, MOST_BARS)
  const values = read.values(last).map((group) => ({
    group,
    points: drawn.map((place) => read.point(id, at(place, group.keys[last]))),
  }))
  const largest = [...values].sort((one, other) => magnitude(other.points) - magnitude(one.points)).slice(0, MOST_SERIES)
  const kept = values.filter((value) => largest.includes(value))
  const colors = read.colorsOf(kept.map(({ group }) => group.keys[last]), last) // prettier-ignore
  const series = kept.map(({ group, points }, index): Series => ({
    name: read.name(group, last),
    color: colors[index] ?? 'rest',
    axis: 0,
    points,
  }))
  const left = values.filter((value) => !largest.includes(value)).map(({ group }) => group.keys[last])
  const rest: Series[] =
    left.length === 0 || !read.additive(id)
      ? []
      : [
          {
            name: read.texts.others(left.length),
            color: 'rest',
            axis: 0,
            points: drawn.map((place) => read.rest(id, left.flatMap((value) => at(place, value) ?? []))), // prettier-ignore
          },
        ]
  return {
    ...base,
    ...captionOf(read, [id], false, sorted.length - drawn.length),
    categories: drawn.map((place) => read.name(place, 0, last)),
    time,
    series: [...series, ...rest],
    axes: [axisOf(read, [id])],
  }
}

function axisOf(read: Reading, measures: readonly string[]): Axis {
  const [id = ''] = measures
  const currency = read.currencyOf(id)
  const name = currency ?? (measures.length === 1 ? read.title(id) : undefined)
  return { ...(name === undefined ? {} : { name }), scale: (value) => read.chart.shown.scale(id, value) }
}

/** What is measured, unless a legend says it, with its currency and how much is left to the table. */
function captionOf(read: Reading, measures: readonly string[], legend: boolean, hidden = 0): Titled {
  const [id = ''] = measures
  const words = [
    ...(legend ? [] : [read.title(id)]),
    ...(read.currency ? [read.currency] : []),
    ...(hidden > 0 ? [read.texts.top(MOST_BARS)] : []),
  ]
  return words.length === 0 ? {} : { caption: words.join(' · ') }
}

function partsPanel(kind: PartsPanel['kind'], read: Reading, measures: readonly string[]): PartsPanel {
  const { block, groups } = read.chart
  const [id = ''] = measures
  if (read.dimensionCount === 0) {
    const [group] = groups
    const drawn = block.measures
    return {
      kind,
      parts: drawn.map((name, index) => ({ name: read.title(name), color: read.free(index), ...read.point(name, group) })),
    }
  }
  const most = kind === 'pie' && read.additive(id) ? MOST_SERIES : groups.length
  const bySize = [...groups].sort((one, other) => (read.point(id, other).value ?? 0) - (read.point(id, one).value ?? 0))
  const whole = groups.length <= most + 1
  const kept = whole ? groups : groups.filter((group) => bySize.indexOf(group) < most)
  const left = groups.filter((group) => !kept.includes(group))
  const colors = read.colorsOf(kept.map(({ keys }) => keys[0]), 0) // prettier-ignore
  const parts = kept.map((group, index): Part => ({
    name: read.name(group),
    color: colors[index] ?? 'rest',
    ...read.point(id, group),
  }))
  const rest: Part[] = left.length === 0 ? [] : [{ name: read.texts.others(left.length), color: 'rest', ...read.rest(id, left) }]
  return { kind, ...captionOf(read, [id], false), parts: [...parts, ...rest] }
}

function heatPanel(read: Reading, measures: readonly string[]): HeatPanel {
  const [id = ''] = measures
  const { locale } = read.chart.model
  const byHour = read.dimension(1)?.format === 'hour'
  const columnOf = (group: Group): string => (byHour ? read.name(group, 1) : idOf([group.keys[1]]))
  const values = read.values(1)
  const columns = byHour ? HOURS : values.map(columnOf)
  const rows = read.values(0)
  const rowOf = ({ keys }: Group): string => (isTime(keys[0]) ? keys[0].slice(0, 10) : idOf([keys[0]]))
  const places = rows.map(rowOf)
  const daily = read.dimension(0)?.bucket === 'day'
  const named = (group: Group): string =>
    daily && isTime(group.keys[0])
      ? `${read.name(group, 0, 1).slice(5)} ${weekdayOf(group.keys[0], locale)}`
      : read.name(group, 0, 1)
  return {
    kind: 'heat',
    ...captionOf(read, [id], false),
    columns: byHour ? HOURS : values.map((group) => read.name(group, 1)),
    rows: rows.map(named),
    cells: read.groups.map((group) => ({
      ...read.point(id, group),
      column: columns.indexOf(columnOf(group)),
      row: places.indexOf(rowOf(group)),
    })),
    color: read.color(id),
    scale: (value) => read.chart.shown.scale(id, value),
  }
}

function scatterPanel(read: Reading, measures: readonly string[]): ScatterPanel {
  const [across = '', upward = ''] = measures
  const axis = (id: string): Axis => ({ ...axisOf(read, [id]), name: read.title(id) })
  return {
    kind: 'scatter',
    points: read.groups.map((group) => ({
      name: read.name(group),
      x: read.point(across, group),
      y: read.point(upward, group),
      address: read.chart.shown.address(read.chart.block.open, group) ?? read.chart.shown.measureAddress(across, group),
    })),
    axes: [axis(across), axis(upward)],
    color: read.color(across),
  }
}
