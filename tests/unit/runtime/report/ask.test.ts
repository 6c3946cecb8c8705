import { describe, expect, it } from 'vitest'
import { RequestError } from '../../../../src/headless/host'
import { askBlock } from '../../../../src/headless/report/ask'
import { shownBy } from '../../../../src/headless/report/shown'
import { parseQuery, writeQuery } from '../../../../src/headless/list/query'
import { toQueryBody } from '../../../../src/headless/list/request'
import { withFurther, withoutFurther } from '../../../../src/runtime/list/where'
import { compileFresh } from '../../../../src/schema/compile'
import type { ReportModel } from '../../../../src/schema/model'
import type { PageDocument } from '../../../../src/schema/generated/page'
import { fakeHost } from '../../../support/fakeHost'
import { filter, listBody } from '../../../support/models'
import { bundleOf, contextOf } from '../../schema/compile/world'

const text = (en: string) => ({ zh: en, en })
const page = {
  formatVersion: 3,
  kind: 'report',
  path: '/demo/report',
  title: text('Report'),
  entity: 'demo.order',
  filters: [{ field: 'dueOn' }],
  dimensions: [
    { id: 'status', field: 'status' },
    { id: 'month', field: 'dueOn', bucket: 'month' },
    { id: 'supplierId', field: 'supplierId' },
  ],
  measures: [
    { id: 'orders', count: true },
    { id: 'closed', count: true, where: [{ field: 'status', operator: 'eq', value: 'closed' }] },
    { id: 'share', ratio: ['closed', 'orders'] },
    { id: 'amount', sum: 'amount' },
  ],
  blocks: [
    {
      id: 'byStatus',
      title: text('By status'),
      type: 'chart',
      chart: 'bar',
      dimensions: ['status'],
      measures: ['orders', 'share', 'amount'],
      compare: 'previousPeriod',
      totals: true,
    },
  ],
}
const lists = {
  'demo.order': [
    { path: '/demo/closed', view: 'mine' },
    { path: '/demo/orders', tab: 'all' },
  ],
}

const compiled = (change: object = {}, rules: Readonly<Record<string, string>> = {}): ReportModel => {
  const bundle = { ...bundleOf({ ...page, ...change } as unknown as PageDocument), lists, fieldRules: rules }
  const result = compileFresh(bundle, contextOf())
  if (!result.ok || result.model.kind !== 'report') throw new Error(JSON.stringify(result))
  return result.model
}

const answer = {
  dimensions: [],
  measures: [{ id: 'closed' }, { id: 'orders' }, { id: 'share' }, { id: 'amount' }],
  rows: [
    {
      key: { status: 'closed' },
      where: [{ field: 'status', operator: 'eq', value: 'closed' }],
      measures: { orders: 3, closed: 3, share: '1', amount: { USD: '10.50', CNY: '7' } },
      before: { measures: { orders: 2, closed: 2, share: '1', amount: {} } },
    },
    {
      key: { status: 'open' },
      where: [{ field: 'status', operator: 'eq', value: 'open' }],
      measures: { orders: 5, closed: 0, share: '0', amount: null },
      before: null,
    },
  ],
  more: false,
  refs: {},
  labels: {},
  totals: { measures: { orders: 8, closed: 3, share: '0.375', amount: { USD: '10.50', CNY: '7' } } },
}
const filters = { dueOn: { operator: 'between' as const, value: ['2026-01-01', '2026-01-31'] } }
const signal = new AbortController().signal

const told = async (model = compiled(), given: object = answer) => {
  const host = fakeHost({ answer: () => given })
  const asked = await askBlock({ host, model, scope: {}, filters }, model.blocks[0]!, signal)
  return { host, asked, shown: shownBy(model, host, {}, filters) }
}

describe('a report that names an entity', () => {
  it('needs no call of its own: titles, words and formats follow from the fields', () => {
    const model = compiled()
    expect(model.problems).toEqual([])
    expect(model.call).toBeUndefined()
    expect(model.dimensions[0]).toMatchObject({
      title: 'Status',
      dictionary: [{ code: 'open' }, { code: 'closed' }, { code: 'old' }],
    })
    expect(model.measures.map(({ id, title, format }) => [id, title, format])).toEqual([
      ['orders', 'Order', undefined],
      ['closed', 'Order', undefined],
      ['share', 'Order', 'percent'],
      ['amount', 'Amount', 'money'],
    ])
  })

  it('asks the aggregate call for what each block shows, with the filters and the parts of its ratios', async () => {
    const { host } = await told()
    expect(host.requests).toMatchObject([
      {
        method: 'POST',
        path: '/v2/demo/order/aggregate',
        body: {
          where: [{ field: 'dueOn', operator: 'between', value: ['2026-01-01', '2026-01-31'] }],
          dimensions: [{ id: 'status', field: 'status' }],
          measures: [
            { id: 'orders', count: true },
            { id: 'closed', count: true, where: [{ field: 'status', operator: 'eq', value: 'closed' }] },
            { id: 'share', ratio: ['closed', 'orders'] },
            { id: 'amount', sum: 'amount' },
          ],
          totals: true,
          compare: 'previousPeriod',
          compareBy: 'dueOn',
        },
      },
    ])
  })

  it('tells words in the order of their dictionary, amounts by currency, shares as percent, and the change in words', async () => {
    const { asked, shown } = await told()
    const [open, closed] = asked.groups
    expect([open!, closed!].map((group) => shown.dimension('status', group, 0))).toEqual(['Open', 'Closed'])
    expect(shown.measure('amount', closed!)).toBe('10.50 USD · 7.00 CNY')
    expect(shown.currencies('amount', asked.groups)).toEqual(['CNY', 'USD'])
    expect(shown.measure('amount', open!)).toBe('—')
    expect(shown.measure('share', asked.totals!)).toBe('37.50%')
    expect(shown.change('orders', closed!)).toEqual({
      direction: 'up',
      text: '50.0%',
      words: '50.0% more than in the period before: 2',
    })
    expect(shown.change('orders', open!)).toMatchObject({ direction: 'up', text: '0' })
    expect(shown.change('amount', closed!), 'two currencies have no one change').toBeNull()
  })

  it('leads from each figure to the list of the entity with exactly what was counted', async () => {
    const { asked, shown } = await told()
    const address = shown.measureAddress('orders', asked.groups[1]!)!
    expect(address.split('?')[0]).toBe('/demo/orders')
    const conditions = [
      { field: 'dueOn', operator: 'between', value: ['2026-01-01', '2026-01-31'] },
      { field: 'status', operator: 'eq', value: 'closed' },
    ]
    expect(Object.fromEntries(new URLSearchParams(address.split('?')[1]))).toEqual({
      view: 'all',
      where: JSON.stringify(conditions),
    })
    // a share leads to what it is a share of; the part of a ratio keeps its own condition
    expect(shown.measureAddress('share', asked.groups[1]!)).toBe(address)
  })

  it('leaves figures out that are made of a field which the viewer may not read, and closes blocks that are told by one', () => {
    expect(compiled({}, { 'demo.order.amount': 'mask' }).blocks[0]?.measures).toEqual(['orders', 'share'])
    expect(compiled({}, { 'demo.order.status': 'hide' }).blocks[0]).toMatchObject({ closed: 'status', questions: [] })
  })

  it('refuses measures that count nothing, ratios of nothing and dimensions without a field', () => {
    const refused = (change: object) => compiled(change).problems.map(({ code, at }) => [code, at])
    expect(refused({ measures: [{ id: 'orders', title: text('Orders') }, ...page.measures.slice(1)] })).toEqual([
      ['invalid-shape', '/blocks/0/measures'],
    ])
    expect(
      refused({ measures: [...page.measures.slice(0, 2), { id: 'share', ratio: ['closed', 'all'] }, page.measures[3]] }),
    ).toEqual([['unknown-field', '/measures/2/ratio']])
    expect(refused({ dimensions: [{ id: 'status', title: text('Status') }] })).toEqual([
      ['invalid-shape', '/blocks/0/dimensions/0'],
    ])
  })
})

describe('a block that counts two entities', () => {
  it('lays their groups side by side, none is a zero, and keeps the figures of the one that may be read', async () => {
    const model = compiled({
      filters: [],
      dimensions: [{ id: 'name', field: 'name' }],
      measures: [
        { id: 'orders', count: true },
        { id: 'suppliers', count: true, entity: 'demo.supplier' },
      ],
      blocks: [
        {
          id: 'both',
          title: text('Both'),
          type: 'table',
          dimensions: ['name'],
          measures: ['orders', 'suppliers'],
          sort: [{ by: 'suppliers', order: 'desc' }],
          limit: 2,
        },
      ],
    })
    const row = (name: string, measures: object) => ({
      key: { name },
      where: [{ field: 'name', operator: 'eq', value: name }],
      measures,
    })
    const answers: Record<string, object> = {
      '/v2/demo/order/aggregate': {
        measures: [{ id: 'orders' }],
        rows: [row('a', { orders: 1 }), row('b', { orders: 2 })],
        more: false,
        refs: {},
        labels: {},
      },
      '/v2/demo/vendors/aggregate': {
        measures: [{ id: 'suppliers' }],
        rows: [row('b', { suppliers: 3 }), row('c', { suppliers: 5 })],
        more: false,
        refs: {},
        labels: {},
      },
    }
    const host = fakeHost({ answer: ({ path }) => answers[path] })
    const asked = await askBlock({ host, model, scope: {}, filters: {} }, model.blocks[0]!, signal)
    const shown = shownBy(model, host, {}, {})
    expect(
      asked.groups.map((group) => [group.keys[0], shown.measure('orders', group), shown.measure('suppliers', group)]),
    ).toEqual([
      ['c', '0', '5'],
      ['b', '2', '3'],
    ])
    expect(asked.more).toBe(true)
    expect(shown.measureAddress('orders', asked.groups[0]!), 'nothing was counted').toBeNull()
    const refused = fakeHost({
      answer: ({ path }) => {
        if (path.includes('vendors')) throw new RequestError('business', 'No', 10010003)
        return answers[path]
      },
    })
    const left = await askBlock({ host: refused, model, scope: {}, filters: {} }, model.blocks[0]!, signal)
    expect(left.groups.map((group) => shownBy(model, refused, {}, {}).measure('suppliers', group))).toEqual(['—', '—'])
  })
})

describe('a list that a figure leads to', () => {
  const body = listBody({
    filters: [filter('status'), filter('dueOn', 'date')],
    further: (name) => (name === 'amount' ? filter('amount', 'decimal') : undefined),
  })
  const open = (where: unknown) => parseQuery(body, `where=${encodeURIComponent(JSON.stringify(where))}`, {})

  it('takes what its filters can ask for as filters, and holds the rest besides', () => {
    const query = open([
      { field: 'status', operator: 'eq', value: 'closed' },
      { field: 'amount', operator: 'notEmpty' },
      { field: 'unknown', operator: 'eq', value: 1 },
    ])
    expect(query.filters).toEqual({ status: { operator: 'eq', value: 'closed' } })
    expect(query.where).toEqual([{ field: 'amount', operator: 'notEmpty' }])
    expect(toQueryBody(body, query, 20, { scope: {} }).where).toEqual([
      { field: 'status', operator: 'eq', value: 'closed' },
      { field: 'amount', operator: 'notEmpty' },
    ])
    expect(parseQuery(body, writeQuery(body, query, '', {}), {})).toEqual(query)
  })

  it('tells what it holds besides like filters, each to be taken away', () => {
    const query = open([
      { field: 'amount', operator: 'notEmpty' },
      { field: 'amount', operator: 'gte', value: '5' },
    ])
    const { filters, values } = withFurther(body, query)
    expect(filters.slice(2).map(({ id }) => [id, values[id]?.operator])).toEqual([
      ['where.0', 'notEmpty'],
      ['where.1', 'gte'],
    ])
    expect(withoutFurther(query, 'where.0')).toEqual({ where: [{ field: 'amount', operator: 'gte', value: '5' }] })
    expect(withoutFurther(query, 'status')).toBeUndefined()
  })

  it('keeps a group of conditions whole, told by its fields', () => {
    const either = {
      or: [
        { field: 'status', operator: 'eq', value: 'open' },
        { field: 'amount', operator: 'empty' },
      ],
    }
    const query = open([either, { or: [{ field: 'unknown', operator: 'empty' }] }])
    expect(query).toMatchObject({ filters: {}, where: [either] })
    const { filters, values } = withFurther(body, query)
    expect(filters.at(-1)?.title.split(' / ')).toHaveLength(2)
    expect(values['where.0']).toEqual({ operator: 'notEmpty', grouped: true })
  })

  it('shows its rows whatever stands in the address', () => {
    for (const where of ['', '{', 'null', '[1,{"field":"status"},{"field":"status","operator":"is"}]'])
      expect(parseQuery(body, `where=${encodeURIComponent(where)}`, {}).filters).toEqual({})
  })
})
