import { isTime, type Group } from '../../../headless/report/group'
import type { Shown } from '../../../headless/report/shown'
import type {
  AxesPanel,
  Axis,
  ChartParts,
  HeatPanel,
  Panel,
  Part,
  PartsPanel,
  Point,
  ScatterPanel,
  Series,
  Titled,
} from './panel'
import { idOf, Reading } from './reading'
import { weekdayOf } from './time'

/** Names that a chart of bars shows; its table holds all. */
const MOST_BARS = 20
/** Lines, layers and pieces that the eye tells apart. */
const MOST_SERIES = 8
const AXES = 2
const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

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
    axes: units.map((unit) =>
      axisOf(
        read,
        measures.filter((id) => read.unit(id) === unit),
      ),
    ),
  }
}

/** A line or set of bars for each value of the last dimension; the smallest ones stand together where they can be added up. */
function splitPanel(base: Pick<AxesPanel, 'kind' | 'stacked'>, read: Reading, id: string): AxesPanel {
  const last = read.dimensionCount - 1
  const byPlace = new Map(read.groups.map((group) => [idOf(group.keys), group]))
  const time = read.groups.some(({ keys }) => isTime(keys[0]))
  const places =
    last === 1 ? read.values(0) : [...new Map(read.groups.map((group) => [idOf(group.keys.slice(0, last)), group])).values()]
  const at = (place: Group, value: unknown): Group | undefined => byPlace.get(idOf([...place.keys.slice(0, last), value]))
  const sizes = places.map((place) =>
    read.values(last).reduce((sum, { keys }) => sum + (read.point(id, at(place, keys[last])).value ?? 0), 0),
  )
  const named = time || read.dimension(0)?.dictionary
  const sorted = named
    ? places
    : [...places.keys()].sort((one, other) => (sizes[other] ?? 0) - (sizes[one] ?? 0)).flatMap((index) => places[index] ?? [])
  const drawn = time ? sorted : sorted.slice(0, MOST_BARS)
  const values = read.values(last).map((group) => ({
    group,
    points: drawn.map((place) => read.point(id, at(place, group.keys[last]))),
  }))
  const largest = [...values].sort((one, other) => magnitude(other.points) - magnitude(one.points)).slice(0, MOST_SERIES)
  const kept = values.filter((value) => largest.includes(value))
  const colors = read.colorsOf(
    kept.map(({ group }) => group.keys[last]),
    last,
  )
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
            points: drawn.map((place) =>
              read.rest(
                id,
                left.flatMap((value) => at(place, value) ?? []),
              ),
            ),
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
  return {
    ...(name === undefined ? {} : { name, money: name === currency }),
    scale: (value) => read.chart.shown.scale(id, value),
  }
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
  const colors = read.colorsOf(
    kept.map(({ keys }) => keys[0]),
    0,
  )
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
