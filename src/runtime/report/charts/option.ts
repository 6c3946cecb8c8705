import type {
  BarSeriesOption,
  FunnelSeriesOption,
  HeatmapSeriesOption,
  LineSeriesOption,
  PieSeriesOption,
  ScatterSeriesOption,
} from 'echarts/charts'
import type {
  DataZoomComponentOption,
  GridComponentOption,
  LegendComponentOption,
  TooltipComponentOption,
  VisualMapComponentOption,
} from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import { colorIn, rampIn, type Look } from './look'
import type { AxesPanel, HeatPanel, Panel, PartsPanel, Point, ScatterPanel, Series } from './panels'

export type ChartOption = ComposeOption<
  | BarSeriesOption
  | FunnelSeriesOption
  | HeatmapSeriesOption
  | LineSeriesOption
  | PieSeriesOption
  | ScatterSeriesOption
  | DataZoomComponentOption
  | GridComponentOption
  | LegendComponentOption
  | TooltipComponentOption
  | VisualMapComponentOption
>

/** More points than this are lines without dots, and have a slider to look closer. */
const MANY = 45
const ZOOMED = 90
const BAR_WIDTH = 22
const ROW = 28
const CELL = 20
/** Rows of a heat map share this height when they are many. */
const HEAT = 900
const HIGH = 260
const MOVES = 300

/** px that a panel needs. Bars of names lie, so that the names can be read: each has its row. */
export function heightOf(panel: Panel): number {
  if (panel.kind === 'heat') return Math.max(160, panel.rows.length * Math.min(CELL, Math.max(4, HEAT / panel.rows.length)) + 72)
  if (panel.kind === 'funnel') return Math.max(160, panel.parts.length * 44)
  if (panel.kind !== 'bar' || panel.time) return HIGH
  const bars = panel.stacked ? 1 : Math.max(1, panel.series.length * 0.6)
  return panel.categories.length * ROW * bars + (isPlain(panel) ? 16 : 72)
}

/** One set of bars: each says its value itself, and there is neither legend nor axis. */
const isPlain = ({ series }: AxesPanel): boolean => series.length === 1

/** What ECharts draws for a panel. Every item carries its address. */
export function optionOf(panel: Panel, look: Look): ChartOption {
  switch (panel.kind) {
    case 'pie':
      return { ...base(look), ...pie(panel, look) }
    case 'funnel':
      return { ...base(look), ...funnel(panel, look) }
    case 'heat':
      return { ...base(look), ...heat(panel, look) }
    case 'scatter':
      return { ...base(look), ...scatter(panel, look) }
    default:
      return { ...base(look), ...axes(panel, look) }
  }
}

const base = ({ font, size, text, still }: Look): ChartOption => ({
  animation: !still,
  animationDuration: MOVES,
  animationDurationUpdate: MOVES,
  textStyle: { fontFamily: font, fontSize: size, color: text },
})

const tooltip = ({ elevated, text, border, size }: Look): TooltipComponentOption => ({
  confine: true,
  backgroundColor: elevated,
  borderColor: border,
  textStyle: { color: text, fontSize: size },
})

const legend = ({ secondary, size }: Look): LegendComponentOption => ({
  type: 'scroll',
  top: 0,
  left: 0,
  itemWidth: 14,
  itemHeight: 8,
  textStyle: { color: secondary, fontSize: size },
  pageTextStyle: { color: secondary },
  pageIconColor: secondary,
})

const item = ({ value, address }: Point) => ({
  value: value ?? ('-' as const),
  address,
  cursor: address === null ? 'default' : 'pointer',
})

/** "2026-11-03" within one year is "11-03". */
const withoutYear = (categories: readonly string[]): ((name: string) => string) => {
  const years = new Set(categories.map((name) => name.slice(0, 4)))
  return years.size > 1 ? (name) => name : (name) => name.replace(/^\d{4}-(?=\d\d-\d\d)/, '')
}

function axes(panel: AxesPanel, look: Look): ChartOption {
  const { kind, categories, time, series, spread = false } = panel
  const lying = kind === 'bar' && !time
  const plain = lying && isPlain(panel)
  const zoomed = categories.length > ZOOMED
  const label = { color: look.secondary, fontSize: look.size }
  const category = {
    type: 'category' as const,
    data: [...categories],
    boundaryGap: kind === 'bar' || categories.length === 1,
    inverse: lying,
    axisTick: { show: false },
    axisLine: { show: !plain, lineStyle: { color: look.border } },
    axisLabel: {
      ...label,
      hideOverlap: true,
      ...(lying
        ? { width: look.narrow ? 96 : 168, overflow: 'truncate' as const, interval: 0 }
        : { formatter: withoutYear(categories) }),
    },
  }
  const values = panel.axes.map(({ name, scale }, index) => ({
    type: 'value' as const,
    scale: spread,
    show: !plain,
    // names of axes say what belongs to which; beside one axis alone a currency is worth telling
    name: panel.axes.length > 1 || lying ? name : undefined,
    nameTextStyle: { ...label, align: (index === 0 ? 'left' : 'right') as 'left' | 'right' },
    ...(lying
      ? { nameLocation: 'end' as const, nameGap: 4, position: (index === 0 ? 'bottom' : 'top') as 'bottom' | 'top' }
      : {}),
    axisLabel: { ...label, hideOverlap: true, formatter: (value: number) => scale(value) },
    splitLine: { show: index === 0, lineStyle: { color: look.border } },
    splitNumber: 4,
    alignTicks: index > 0,
  }))
  const several = series.length > 1
  return {
    tooltip: { ...tooltip(look), trigger: 'axis', axisPointer: { type: kind === 'bar' ? 'shadow' : 'line' } },
    ...(several ? { legend: legend(look) } : {}),
    grid: {
      top: (several ? 32 : 8) + (!lying && panel.axes.length > 1 ? 20 : 0) + (lying && panel.axes.length > 1 ? 8 : 0),
      left: 4,
      right: plain ? (look.narrow ? 76 : 104) : 12,
      bottom: zoomed ? 36 : 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'all',
    },
    ...(zoomed ? { dataZoom: [slider(look)] } : {}),
    ...(lying ? { xAxis: values, yAxis: category } : { xAxis: category, yAxis: values }),
    series: series.map((one, index) => drawn(panel, one, index, lying, plain, look)),
  }
}

const slider = ({ border, secondary, size }: Look): DataZoomComponentOption => ({
  type: 'slider',
  height: 18,
  bottom: 4,
  showDetail: false,
  brushSelect: false,
  borderColor: border,
  textStyle: { color: secondary, fontSize: size },
})

function drawn(
  { kind, categories, stacked, axes: { length }, series }: AxesPanel,
  { name, color, points, axis, before }: Series,
  index: number,
  lying: boolean,
  plain: boolean,
  look: Look,
): BarSeriesOption | LineSeriesOption {
  const paint = colorIn(look, color)
  const common = {
    id: String(index),
    name,
    color: paint,
    data: points.map(item),
    tooltip: { valueFormatter: (_value: unknown, at: number) => points[at]?.text ?? '' },
    ...(lying ? { xAxisIndex: axis } : { yAxisIndex: axis }),
    ...(stacked && axis === 0 && !before ? { stack: 'whole' } : {}),
  }
  // beside bars another unit is a line; across names, which do not follow one another, dots alone
  const line = kind === 'line' || axis > 0 || (before === true && !lying)
  if (!line)
    return {
      ...common,
      type: 'bar',
      barMaxWidth: BAR_WIDTH,
      barMinHeight: 1,
      itemStyle: { borderRadius: stacked ? 0 : 2, opacity: before ? 0.35 : 1 },
      emphasis: { focus: series.length > 2 ? 'series' : 'none' },
      ...(plain
        ? {
            label: {
              show: true,
              position: 'right' as const,
              color: look.secondary,
              fontSize: look.size,
              formatter: ({ dataIndex }: { dataIndex: number }) => points[dataIndex]?.text ?? '',
            },
          }
        : {}),
    }
  const dots = lying && axis > 0
  return {
    ...common,
    type: 'line',
    symbol: 'circle',
    symbolSize: dots ? 9 : 6,
    showSymbol: !before && (dots || points.length <= MANY),
    connectNulls: before === true,
    lineStyle: { width: dots ? 0 : before ? 1.5 : 2, type: before ? 'dashed' : 'solid', opacity: before ? 0.75 : 1 },
    emphasis: { focus: series.length > 2 ? 'series' : 'none' },
    ...(stacked ? { areaStyle: { opacity: 0.55 } } : {}),
    // one line alone stands on its ground
    ...(!stacked && series.length === 1 && length === 1 && categories.length > 1 ? { areaStyle: { opacity: 0.08 } } : {}),
    z: before ? 2 : 3,
  }
}

const shareOf = (part: number | null, whole: number): string =>
  whole > 0 ? `${((Math.max(0, part ?? 0) / whole) * 100).toFixed(1)}%` : '—'

function pie({ parts }: PartsPanel, look: Look): ChartOption {
  const whole = parts.reduce((sum, { value }) => sum + Math.max(0, value ?? 0), 0)
  const told = (name: string): string => {
    const part = parts.find((one) => one.name === name)
    return part ? `${part.text} · ${shareOf(part.value, whole)}` : ''
  }
  return {
    tooltip: { ...tooltip(look), trigger: 'item' },
    legend: {
      ...legend(look),
      orient: 'vertical',
      ...(look.narrow ? { left: 'center', top: 168, bottom: 0 } : { left: '46%', top: 'middle' }),
      icon: 'roundRect',
      itemWidth: 10,
      itemHeight: 10,
      formatter: (name) => `{name|${name}}  {told|${told(name)}}`,
      textStyle: {
        fontSize: look.size,
        rich: { name: { color: look.text, fontSize: look.size }, told: { color: look.secondary, fontSize: look.size } },
      },
    },
    series: [
      {
        type: 'pie',
        radius: look.narrow ? [44, 72] : ['46%', '76%'],
        center: look.narrow ? ['50%', 80] : ['22%', '50%'],
        label: { show: false },
        itemStyle: { borderColor: look.ground, borderWidth: 2 },
        tooltip: { valueFormatter: (_value, at) => told(parts[at]?.name ?? '') },
        // negative parts have no place in a whole
        data: parts.map((part) => ({
          ...item(part),
          value: Math.max(0, part.value ?? 0),
          name: part.name,
          itemStyle: { color: colorIn(look, part.color) },
        })),
      },
    ],
  }
}

function funnel({ parts }: PartsPanel, look: Look): ChartOption {
  const first = parts[0]?.value ?? 0
  const told = (at: number): string => {
    const part = parts[at]
    return part ? `${part.text} · ${shareOf(part.value, first)}` : ''
  }
  return {
    tooltip: { ...tooltip(look), trigger: 'item' },
    series: [
      {
        type: 'funnel',
        sort: 'none',
        top: 4,
        bottom: 4,
        left: 0,
        width: look.narrow ? '52%' : '60%',
        minSize: '2%',
        min: 0,
        gap: 2,
        label: {
          position: 'right',
          color: look.secondary,
          fontSize: look.size,
          lineHeight: look.size * 1.5,
          formatter: ({ name, dataIndex = 0 }) => `{name|${name}}\n${told(dataIndex)}`,
          rich: { name: { color: look.text, fontSize: look.size, lineHeight: look.size * 1.5 } },
        },
        labelLine: { length: 12, lineStyle: { color: look.border } },
        itemStyle: { borderColor: look.ground },
        tooltip: { valueFormatter: (_value, at) => told(at) },
        data: parts.map((part) => ({
          ...item(part),
          value: part.value ?? 0,
          name: part.name,
          itemStyle: { color: colorIn(look, part.color) },
        })),
      },
    ],
  }
}

function heat({ columns, rows, cells, color, scale }: HeatPanel, look: Look): ChartOption {
  const values = cells.flatMap(({ value }) => value ?? [])
  const [least, most] = [Math.min(0, ...values), Math.max(...values, 0)]
  const label = { color: look.secondary, fontSize: look.size, hideOverlap: true }
  const line = { axisTick: { show: false }, axisLine: { show: false }, splitArea: { show: false } }
  const drawn = cells.filter(({ column, row, value }) => column >= 0 && row >= 0 && value !== null)
  return {
    tooltip: {
      ...tooltip(look),
      trigger: 'item',
      formatter: (given) => {
        const cell = drawn[(Array.isArray(given) ? given[0] : given)?.dataIndex ?? -1]
        return cell ? inTip(`${rows[cell.row] ?? ''} · ${columns[cell.column] ?? ''}`, cell.text) : ''
      },
    },
    grid: { top: 4, left: 4, right: 4, bottom: 40, outerBoundsMode: 'same', outerBoundsContain: 'all' },
    xAxis: { type: 'category', data: [...columns], axisLabel: label, ...line },
    yAxis: {
      type: 'category',
      data: [...rows],
      inverse: true,
      axisLabel: { ...label, width: look.narrow ? 72 : 160, overflow: 'truncate' },
      ...line,
    },
    visualMap: {
      type: 'continuous',
      min: least,
      max: most > least ? most : least + 1,
      orient: 'horizontal',
      left: 'center',
      bottom: 0,
      itemWidth: 12,
      itemHeight: 140,
      text: [scale(most), scale(least)],
      textStyle: { color: look.secondary, fontSize: look.size },
      inRange: { color: [...rampIn(look, color)] },
    },
    series: [
      {
        type: 'heatmap',
        data: drawn.map(({ column, row, ...point }) => ({ ...item(point), value: [column, row, point.value ?? 0] })),
        itemStyle: { borderColor: look.ground, borderWidth: 1, borderRadius: 2 },
        emphasis: { itemStyle: { borderColor: look.text, borderWidth: 1 } },
      },
    ],
  }
}

/** A tip of a title with lines, of nothing but text. */
function inTip(title: string, ...lines: readonly string[]): HTMLElement {
  const tip = document.createElement('div')
  for (const [index, text] of [title, ...lines].entries()) {
    const line = document.createElement(index === 0 ? 'div' : 'strong')
    line.textContent = text
    tip.append(line)
  }
  return tip
}

function scatter({ points, axes: [across, upward], color }: ScatterPanel, look: Look): ChartOption {
  const label = { color: look.secondary, fontSize: look.size, hideOverlap: true }
  const split = { lineStyle: { color: look.border } }
  return {
    tooltip: {
      ...tooltip(look),
      trigger: 'item',
      formatter: (given) => {
        const point = points[(Array.isArray(given) ? given[0] : given)?.dataIndex ?? -1]
        return point ? inTip(point.name, `${across.name ?? ''} ${point.x.text} · ${upward.name ?? ''} ${point.y.text}`) : ''
      },
    },
    grid: { top: 24, left: 4, right: 16, bottom: 24, outerBoundsMode: 'same', outerBoundsContain: 'all' },
    xAxis: {
      type: 'value',
      scale: true,
      name: across.name,
      nameLocation: 'middle',
      nameGap: 28,
      nameTextStyle: label,
      axisLabel: { ...label, formatter: (value: number) => across.scale(value) },
      splitLine: split,
    },
    yAxis: {
      type: 'value',
      scale: true,
      name: upward.name,
      nameTextStyle: { ...label, align: 'left' },
      axisLabel: { ...label, formatter: (value: number) => upward.scale(value) },
      splitLine: split,
    },
    series: [
      {
        type: 'scatter',
        color: colorIn(look, color),
        symbolSize: 10,
        data: points.map(({ name, x, y, address }) => ({
          name,
          value: [x.value ?? '-', y.value ?? '-'],
          address,
          cursor: address === null ? 'default' : 'pointer',
        })),
        itemStyle: { opacity: 0.75 },
        label: { show: true, position: 'right', formatter: '{b}', color: look.secondary, fontSize: look.size },
        labelLayout: { hideOverlap: true },
      },
    ],
  }
}
