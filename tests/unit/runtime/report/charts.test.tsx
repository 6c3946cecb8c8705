import { describe, expect, it } from 'vitest'
import { init } from '../../../../src/runtime/report/charts/engine'
import type { Look } from '../../../../src/runtime/report/charts/look'
import { heightOf, optionOf } from '../../../../src/runtime/report/charts/option'
import type { AxesPanel, HeatPanel, Panel, PartsPanel } from '../../../../src/runtime/report/charts/panel'
import { panelsOf } from '../../../../src/runtime/report/charts/panels'
import { groupRows } from '../../../../src/headless/report/group'
import { shownBy } from '../../../../src/headless/report/shown'
import { TAG_COLORS } from '../../../../src/runtime/tokens'
import type { ReportBlockModel, ReportMeasureModel, ReportModel } from '../../../../src/schema/model'
import type { Row } from '../../../../src/headless/row'
import { fakeHost } from '../../../support/fakeHost'

const MEASURES: readonly ReportMeasureModel[] = [
  { id: 'sent', title: 'Sent', additive: true },
  { id: 'delivered', title: 'Delivered', additive: true, color: 'green' },
  { id: 'rate', title: 'Delivery rate', format: 'percent' },
  { id: 'revenue', title: 'Revenue', format: 'money', currency: 'USD', additive: true },
  { id: 'latency', title: 'Latency' },
  { id: 'paid', title: 'Paid', format: 'money', currencyFrom: 'currency', additive: true },
]
const DIMENSIONS = [
  { id: 'day', title: 'Day', bucket: 'day' },
  { id: 'product', title: 'Product' },
  { id: 'customer', title: 'Customer' },
  { id: 'hour', title: 'Hour', format: 'hour' },
] as const

interface Asked {
  chart: ReportBlockModel['chart']
  dimensions: readonly string[]
  measures: readonly string[]
  stacked?: boolean
  before?: readonly Row[]
}

const host = fakeHost()

const panels = (rows: readonly Row[], { before, ...asked }: Asked): readonly Panel[] => {
  const block = { id: 'b', title: 'Block', type: 'chart', ...asked } as ReportBlockModel
  const model = { locale: 'en', measures: MEASURES, dimensions: DIMENSIONS, blocks: [block] } as unknown as ReportModel
  const measures = MEASURES.filter(({ id }) => asked.measures.includes(id))
  const group = (some: readonly Row[]) => groupRows(some, asked.dimensions, measures)
  const then = before && group(before)
  const groups = group(rows).map((one, index) => (then ? { ...one, before: then[index]?.figures ?? {} } : one))
  return panelsOf({ block, model, groups, shown: shownBy(model, host, {}, {}) })
}
const onAxes = (rows: readonly Row[], asked: Asked): AxesPanel => panels(rows, asked)[0] as AxesPanel

const look: Look = {
  palettes: Object.fromEntries(
    TAG_COLORS.map((color, index) => [color, Array.from({ length: 10 }, (_, step) => `#${index % 10}${step}0000`)]),
  ) as unknown as Look['palettes'],
  text: '#000',
  secondary: '#666',
  rest: '#999',
  border: '#ddd',
  ground: '#fff',
  elevated: '#fff',
  font: 'sans-serif',
  size: 12,
  still: true,
  narrow: false,
}

/** The texts of the picture that the library makes of a panel. */
const drawn = (panel: Panel, changes: Partial<Look> = {}): string[] => {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 720, height: heightOf(panel) })
  chart.setOption(optionOf(panel, { ...look, ...changes }))
  const svg = chart.renderToSVGString()
  chart.dispose()
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text)
}

const DAYS = [
  { day: '2026-11-01', sent: 1200, delivered: 1100, rate: 91.7, revenue: '12.5', latency: 4 },
  { day: '2026-11-02', sent: 900, delivered: 810, rate: 90, revenue: '9', latency: 5 },
  { day: '2026-11-04', sent: 1500, delivered: 1400, rate: 93.3, revenue: '15', latency: 3 },
]

describe('lines and bars', () => {
  it('draw every measure; another unit has an axis of its own, a third one a chart of its own', () => {
    const all = panels(DAYS, {
      chart: 'bar',
      dimensions: ['day'],
      measures: ['sent', 'delivered', 'rate', 'revenue'],
    }) as AxesPanel[]
    expect(all.map(({ series }) => series.map(({ name, axis }) => [name, axis]))).toEqual([
      [
        ['Sent', 0],
        ['Delivered', 0],
        ['Delivery rate', 1],
      ],
      [['Revenue', 0]],
    ])
    const { series } = optionOf(all[0]!, look) as { series: { type: string; yAxisIndex: number }[] }
    expect(series.map(({ type, yAxisIndex }) => [type, yAxisIndex])).toEqual([
      ['bar', 0],
      ['bar', 0],
      ['line', 1],
    ])
  })

  it('say nothing was counted on a day without rows: 0 of what is added up, no point of a rate', () => {
    const { categories, series } = onAxes(DAYS, { chart: 'line', dimensions: ['day'], measures: ['sent', 'rate'] })
    expect(categories).toEqual(['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'])
    expect(series.map(({ points }) => points[2])).toEqual([
      { value: 0, text: '0', address: null },
      { value: null, text: '—', address: null },
    ])
  })

  it('stand in the order of time, in whatever order the rows are told', () => {
    const { categories } = onAxes([...DAYS].reverse(), { chart: 'line', dimensions: ['day'], measures: ['sent'] })
    expect(categories[0]).toBe('2026-11-01')
  })

  it('have the period before as a dashed line of the same colour', () => {
    const before = DAYS.map((row) => ({ ...row, sent: row.sent / 2 }))
    const panel = onAxes(DAYS, { chart: 'line', dimensions: ['day'], measures: ['sent'], before })
    const [now, then] = panel.series
    expect(then).toMatchObject({ name: 'Sent (period before)', before: true, color: now?.color })
    expect(then?.points.map(({ value }) => value)).toEqual([600, 450, null, 750])
    const { series } = optionOf(panel, look) as { series: { lineStyle: { type: string } }[] }
    expect(series.map(({ lineStyle }) => lineStyle.type)).toEqual(['solid', 'dashed'])
  })

  it('of two dimensions tell the second one apart; what is left of many is one layer, so that the whole is right', () => {
    const rows = Array.from({ length: 12 }, (_, index) => ({ day: '2026-11-01', product: `p${index}`, sent: index + 1 }))
    const { series, stacked } = onAxes(rows, { chart: 'bar', dimensions: ['day', 'product'], measures: ['sent'], stacked: true })
    expect(stacked).toBe(true)
    expect(series.map(({ name }) => name)).toEqual(['p4', 'p5', 'p6', 'p7', 'p8', 'p9', 'p10', 'p11', '4 others'])
    expect(series.at(-1)?.points).toEqual([{ value: 10, text: '10', address: null }])
    const total = series.reduce((sum, { points }) => sum + (points[0]?.value ?? 0), 0)
    expect(total).toBe(78)
  })

  it('of amounts in several currencies are one chart each', () => {
    const rows = [
      { customer: 'A', paid: '5', currency: 'EUR' },
      { customer: 'B', paid: '7', currency: 'USD' },
    ]
    const all = panels(rows, { chart: 'bar', dimensions: ['customer'], measures: ['paid'] }) as AxesPanel[]
    expect(all.map(({ caption }) => caption)).toEqual(['Paid · EUR', 'Paid · USD'])
    expect(all.map(({ series }) => series[0]?.points.map(({ text }) => text))).toEqual([
      ['5.00 EUR', '—'],
      ['—', '7.00 USD'],
    ])
  })

  it('have the colour that a measure says, and others that nobody has', () => {
    const { series } = onAxes(DAYS, { chart: 'bar', dimensions: ['day'], measures: ['sent', 'delivered', 'latency'] })
    expect(series.map(({ color }) => color)).toEqual(['blue', 'green', 'cyan'])
  })

  it('of names lie in rows, say their values, and are as many as can be read', () => {
    const rows = Array.from({ length: 25 }, (_, index) => ({ customer: `Customer ${index}`, sent: 1000 + index }))
    const panel = onAxes(rows, { chart: 'bar', dimensions: ['customer'], measures: ['sent'] })
    expect(panel.caption).toBe('Sent · top 20')
    const texts = drawn(panel)
    expect(texts).toContain('Customer 0')
    expect(texts).toContain('1,019')
    expect(texts).not.toContain('Customer 20')
  })
})

describe('parts of a whole', () => {
  const rows = [
    { product: 'sms', sent: 75 },
    { product: 'voice', sent: 25 },
    { product: 'mail', sent: -5 },
  ]
  it('say the value and the share of each, negative ones none', () => {
    const [panel] = panels(rows, { chart: 'pie', dimensions: ['product'], measures: ['sent'] })
    expect(panel?.caption).toBe('Sent')
    expect(drawn(panel!)).toEqual(expect.arrayContaining(['75 · 75.0%', '25 · 25.0%', '-5 · 0.0%']))
  })
  it('are eight at most: what is left stands together', () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ product: `p${index}`, sent: 11 - index }))
    const [panel] = panels(many, { chart: 'pie', dimensions: ['product'], measures: ['sent'] }) as [PartsPanel]
    expect(panel.parts).toHaveLength(9)
    expect(panel.parts.at(-1)).toMatchObject({ name: '3 others', text: '6', address: null, color: 'rest' })
  })
  it('as steps say their share of the first', () => {
    const [panel] = panels([{ sent: 200, delivered: 150 }], { chart: 'funnel', dimensions: [], measures: ['sent', 'delivered'] })
    expect(drawn(panel!)).toEqual(expect.arrayContaining(['Sent', '200 · 100.0%', 'Delivered', '150 · 75.0%']))
  })
})

describe('two dimensions as depths of a colour', () => {
  const rows = [
    { day: '2026-11-02', hour: '2026-11-02T09:00:00Z', sent: 30 },
    { day: '2026-11-04', hour: '2026-11-04T23:00:00Z', sent: 60 },
  ]
  it('lay all hours of a day side by side, and every day below the one before', () => {
    const [panel] = panels(rows, { chart: 'heat', dimensions: ['day', 'hour'], measures: ['sent'] }) as [HeatPanel]
    expect(panel.columns).toHaveLength(24)
    expect(panel.rows).toEqual(['11-02 Mon', '11-03 Tue', '11-04 Wed'])
    expect(panel.cells.map(({ row, text }) => [row, text])).toEqual([
      [0, '30'],
      [2, '60'],
    ])
    expect(new Set(panel.cells.map(({ column }) => column)).size).toBe(2)
    expect(drawn(panel)).toEqual(expect.arrayContaining(['11-02 Mon', '60']))
  })
})

describe('a chart', () => {
  it('of two measures against each other names its points', () => {
    const rows = [
      { customer: 'A', sent: 100, rate: 90 },
      { customer: 'B', sent: 300, rate: 70 },
    ]
    const [panel] = panels(rows, { chart: 'scatter', dimensions: ['customer'], measures: ['sent', 'rate'] })
    expect(drawn(panel!)).toEqual(expect.arrayContaining(['A', 'B', 'Sent', 'Delivery rate', '90%']))
  })
  it('of numbers tells them short beside its axis', () => {
    const rows = DAYS.map((row) => ({ ...row, sent: row.sent * 1000 }))
    const texts = drawn(onAxes(rows, { chart: 'line', dimensions: ['day'], measures: ['sent'] }))
    expect(texts).toEqual(expect.arrayContaining(['1.5M', '11-01']))
  })
  it('moves unless the viewer wants nothing to move', () => {
    const panel = onAxes(DAYS, { chart: 'line', dimensions: ['day'], measures: ['sent'] })
    expect(optionOf(panel, look).animation).toBe(false)
    expect(optionOf(panel, { ...look, still: false }).animation).toBe(true)
  })
})
