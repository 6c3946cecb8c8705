import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import Chart from '../../../../src/runtime/report/charts/Charts'
import { groupRows } from '../../../../src/runtime/report/group'
import type { Shown } from '../../../../src/runtime/report/shown'
import type { ReportModel } from '../../../../src/schema/model'

const shown: Shown = {
  title: (id) => (id === 'opened' ? 'Accounts opened' : id),
  dimension: (_, group, index) => String(group.keys[index]),
  colour: () => undefined,
  measure: (id, group) => `${group.figures[id]?.[0]?.value} pcs`,
  amount: (id, group) => Number(group.figures[id]?.[0]?.value),
  currencies: () => [],
  change: () => null,
  address: () => null,
  measureAddress: () => null,
}
const rows = [
  { month: '2026-01', opened: 3 },
  { month: '2026-02', opened: 9 },
  { month: '2026-03', opened: 4 },
]
const drawn = (chart: string): string => {
  const block = {
    id: 'b',
    type: 'chart',
    chart,
    dimensions: ['month'],
    measures: ['opened'],
  } as unknown as ReportModel['blocks'][number]
  const groups = groupRows(rows, ['month'], [{ id: 'opened', title: 'Accounts opened' }])
  return renderToStaticMarkup(<Chart block={block} groups={groups} shown={shown} label="Chart" />)
}
const textOf = (html: string): string =>
  html
    .replace(/<title>.*?<\/title>/g, '')
    .replace(/<[^>]+>/g, '|')
    .replace(/\|+/g, '|')

describe('a chart says', () => {
  it.each(['bar', 'funnel', 'line', 'pie'])('what it measures: %s', (chart) => {
    expect(textOf(drawn(chart))).toMatch(/^\|Accounts opened\|/)
  })
  it('as a line: its highest value, where it begins and where it ends', () => {
    expect(textOf(drawn('line'))).toBe('|Accounts opened|9 pcs|2026-01|2026-03|')
  })
  it('as a ring: the value and the share of each part', () => {
    expect(textOf(drawn('pie'))).toContain('|2026-02|9 pcs · 56.3%|')
  })
})
