import type { BarSeriesOption, HeatmapSeriesOption, LineSeriesOption, PieSeriesOption, ScatterSeriesOption } from 'echarts/charts'
import type {
  DataZoomComponentOption,
  GridComponentOption,
  LegendComponentOption,
  TooltipComponentOption,
  VisualMapComponentOption,
} from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import type { Look } from './look'
import type { Point } from './panel'

export type ChartOption = ComposeOption<
  | BarSeriesOption
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

export const tooltip = ({ elevated, text, border, size }: Look): TooltipComponentOption => ({
  confine: true,
  backgroundColor: elevated,
  borderColor: border,
  textStyle: { color: text, fontSize: size },
})

export const legend = ({ secondary, size }: Look): LegendComponentOption => ({
  type: 'scroll',
  top: 0,
  left: 0,
  itemWidth: 14,
  itemHeight: 8,
  textStyle: { color: secondary, fontSize: size },
  pageTextStyle: { color: secondary },
  pageIconColor: secondary,
})

export const item = ({ value, address }: Point) => ({
  value: value ?? ('-' as const),
  address,
  cursor: address === null ? 'default' : 'pointer',
})
