import { colorIn, type Look } from './look'
import type { PartsPanel } from './panel'
import { item, legend, tooltip, type ChartOption } from './shared'

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

export function funnel({ parts }: PartsPanel, look: Look): ChartOption {
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
