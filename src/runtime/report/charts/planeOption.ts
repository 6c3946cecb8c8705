import { colorIn, rampIn, type Look } from './look'
import type { HeatPanel, ScatterPanel } from './panel'
import { item, tooltip, type ChartOption } from './shared'

/** Points of a scatter chart that say their names, the largest ones. */
const NAMED = 6

export function heat({ columns, rows, cells, color, scale }: HeatPanel, look: Look): ChartOption {
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

export function scatter({ points, axes: [across, upward], color }: ScatterPanel, look: Look): ChartOption {
  const label = { color: look.secondary, fontSize: look.size, hideOverlap: true }
  const split = { lineStyle: { color: look.border } }
  const named = [...points].sort((one, other) => (other.x.value ?? 0) - (one.x.value ?? 0)).slice(0, NAMED)
  return {
    tooltip: {
      ...tooltip(look),
      trigger: 'item',
      formatter: (given) => {
        const point = points[(Array.isArray(given) ? given[0] : given)?.dataIndex ?? -1]
        return point ? inTip(point.name, `${across.name ?? ''} ${point.x.text} · ${upward.name ?? ''} ${point.y.text}`) : ''
      },
    },
    grid: { top: 8, left: 4, right: 48, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'all' },
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
        data: points.map((point) => ({
          name: point.name,
          label: { show: named.includes(point) },
          value: [point.x.value ?? '-', point.y.value ?? '-'],
          address: point.address,
          cursor: point.address === null ? 'default' : 'pointer',
        })),
        itemStyle: { opacity: 0.75 },
        label: { position: 'top', formatter: '{b}', color: look.secondary, fontSize: look.size },
        labelLayout: { hideOverlap: true },
      },
    ],
  }
}
