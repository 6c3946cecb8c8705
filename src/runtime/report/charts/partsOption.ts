import { colorIn, type Look } from './look'
import type { PartsPanel } from './panel'
import { item, legend, tooltip, type ChartOption } from './shared'

/** px that a line of a label takes. */
const LINE = 16

const shareOf = (part: number | null, whole: number): string =>
  whole > 0 ? `${((Math.max(0, part ?? 0) / whole) * 100).toFixed(1)}%` : '—'

export function pie({ parts }: PartsPanel, look: Look): ChartOption {
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

/** Steps as centred bars, each as wide as it is large: the library's own funnel tapers its last step to nothing. */
export function funnel({ parts }: PartsPanel, look: Look): ChartOption {
  const first = parts[0]?.value ?? 0
  const widths = parts.map(({ value }) => Math.max(0, value ?? 0))
  const most = Math.max(...widths)
  const told = (at: number): string => {
    const part = parts[at]
    return part ? `${part.text} · ${shareOf(part.value, first)}` : ''
  }
  const bar = { type: 'bar' as const, stack: 'step', barWidth: '72%' }
  return {
    tooltip: { ...tooltip(look), trigger: 'item' },
    grid: { top: 4, left: 4, right: 8, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'all' },
    xAxis: { type: 'value', show: false, min: 0, max: most || 1 },
    yAxis: {
      type: 'category',
      data: parts.map(({ name }) => name),
      inverse: true,
      axisTick: { show: false },
      axisLine: { show: false },
      axisLabel: {
        interval: 0,
        fontSize: look.size,
        formatter: (name: string, at: number) => `{name|${name}}\n{told|${told(at)}}`,
        rich: {
          name: { color: look.text, fontSize: look.size, lineHeight: LINE, align: 'right' },
          told: { color: look.secondary, fontSize: look.size, lineHeight: LINE, align: 'right' },
        },
      },
    },
    series: [
      { ...bar, silent: true, itemStyle: { color: 'transparent' }, data: widths.map((width) => (most - width) / 2) },
      {
        ...bar,
        name: '',
        barMinHeight: 2,
        tooltip: { valueFormatter: (_value, at) => told(at) },
        data: parts.map((part, at) => ({
          ...item(part),
          value: widths[at] ?? 0,
          itemStyle: { color: colorIn(look, part.color), borderRadius: 2 },
        })),
      },
    ],
  }
}
