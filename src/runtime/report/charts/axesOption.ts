import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts'
import type { DataZoomComponentOption } from 'echarts/components'
import { colorIn, type Look } from './look'
import type { AxesPanel, Series } from './panel'
import { item, legend, tooltip, type ChartOption } from './shared'

/** More points than this are lines without dots, and have a slider to look closer. */
const MANY = 45
const ZOOMED = 90
const BAR_WIDTH = 22

/** One set of lying bars: each says its value itself, and there is neither legend nor axis. */
export const isPlain = ({ series }: AxesPanel): boolean => series.length === 1

/** "2026-11-03" within one year is "11-03". */
const withoutYear = (categories: readonly string[]): ((name: string) => string) => {
  const years = new Set(categories.map((name) => name.slice(0, 4)))
  return years.size > 1 ? (name) => name : (name) => name.replace(/^\d{4}-(?=\d\d-\d\d)/, '')
}

export function axes(panel: AxesPanel, look: Look): ChartOption {
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
      margin: 10,
      ...(lying
        ? { width: look.narrow ? 96 : 168, overflow: 'truncate' as const, interval: 0 }
        : { formatter: withoutYear(categories) }),
    },
  }
  const values = panel.axes.map(({ name, scale }, index) => ({
    type: 'value' as const,
    scale: spread,
    show: !plain,
    // says what belongs to which, or the currency; across lying ones there is no room beside the numbers
    name: lying || (panel.axes.length === 1 && !panel.axes[0]?.money) ? undefined : name,
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
      top: several ? 32 : 8,
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
