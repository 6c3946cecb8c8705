import { axes, isPlain } from './axesOption'
import type { Look } from './look'
import type { Panel } from './panel'
import { funnel, pie } from './partsOption'
import { heat, scatter } from './planeOption'
import type { ChartOption } from './shared'

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
