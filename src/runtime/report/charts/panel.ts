import type { ReportBlockModel, ReportModel } from '../../../schema/model'
import type { TAG_COLORS } from '../../tokens'
import type { Group } from '../../../headless/report/group'
import type { Shown } from '../../../headless/report/shown'

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
export interface Axis {
  /** What it counts, where that is not said elsewhere. */
  name?: string
  /** The name is a currency. */
  money?: boolean
  scale(value: number): string
}

export interface Titled {
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
