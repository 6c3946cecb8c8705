import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../../src/headless/list/query'
import { inView, isWhole, toConditions, toQueryBody, toViewBody } from '../../../../src/headless/list/request'
import { column, filter, listBody } from '../../../support/models'

const context = { scope: {} }

describe('the request of a list', () => {
  it('sends a day as it is: the gateway knows whose day of a moment is meant', () => {
    const at = filter('createdAt', 'dateTime')
    for (const [operator, value] of [
      ['between', ['2026-03-01', '2026-03-02']],
      ['eq', '2026-03-29'],
      ['gte', '2026-03-29'],
    ] as const)
      expect(toConditions(at, { operator, value })).toEqual([{ field: 'createdAt', operator, value }])
  })

  it('compares what lies behind a reference under its whole path, not a field of the same name', () => {
    const name = filter('name', 'string', { id: 'customerId.name', path: ['customerId', 'name'] })
    expect(toConditions(name, { operator: 'contains', value: 'acme' })).toEqual([
      { field: 'customerId.name', operator: 'contains', value: 'acme' },
    ])
  })

  it('turns a range with an open side into one comparison', () => {
    const amount = filter('amount', 'decimal')
    expect(toConditions(amount, { operator: 'between', value: [null, '5'] })).toEqual([
      { field: 'amount', operator: 'lte', value: '5' },
    ])
    expect(toConditions(amount, { operator: 'between', value: ['5', null] })).toEqual([
      { field: 'amount', operator: 'gte', value: '5' },
    ])
    expect(toConditions(amount, { operator: 'between', value: [null, null] })).toEqual([])
  })

  it('shows and hides columns as the active tab says, and leaves the list as it is where a tab says nothing', () => {
    const view = { id: 'won', title: 'Won', where: () => [], count: false }
    const body = listBody({ columns: [column('name'), column('wonAt', 'dateTime', { hidden: true }), column('next')] })
    const hidden = (shown: typeof body) => shown.columns.filter((one) => one.hidden).map(({ id }) => id)
    expect(hidden(inView(body, { ...view, show: ['wonAt'], hide: ['next'] }))).toEqual(['next'])
    expect(inView(body, view)).toBe(body)
    expect(inView(body, undefined)).toBe(body)
  })

  it('knows the tab that narrows nothing: where it is empty, the list is', () => {
    const view = { id: 'all', title: 'All', where: () => [], count: false }
    expect(isWhole(view, {})).toBe(true)
    expect(isWhole({ ...view, view: 'mine' }, {})).toBe(false)
    expect(isWhole({ ...view, where: () => [{ field: 'status', operator: 'eq', value: 'draft' }] }, {})).toBe(false)
  })

  it('joins the conditions of the place, the page, the tab and the filters', () => {
    const body = listBody({
      view: 'own',
      where: () => [{ field: 'kind', operator: 'eq', value: 'x' }],
      views: [
        {
          id: 'late',
          title: 'Late',
          view: 'department',
          where: () => [{ field: 'late', operator: 'eq', value: true }],
          sort: [{ field: 'due', order: 'asc' }],
          count: true,
        },
      ],
      filters: [filter('level')],
      columns: [
        column('name'),
        column('code', 'string', { path: ['customerId', 'code'] }),
        column('amount', 'decimal', { summary: 'sum' }),
      ],
      summary: true,
      sort: [{ field: 'name', order: 'asc' }],
    })
    const query = parseQuery(body, 'q= acme &f.level=in:A,B&page=3', {})
    expect(toQueryBody(body, query, 20, { ...context, where: [{ field: 'customerId', operator: 'eq', value: '7' }] })).toEqual({
      pageNo: 3,
      pageSize: 20,
      keyword: 'acme',
      view: 'department',
      where: [
        { field: 'customerId', operator: 'eq', value: '7' },
        { field: 'kind', operator: 'eq', value: 'x' },
        { field: 'late', operator: 'eq', value: true },
        { field: 'level', operator: 'in', value: ['A', 'B'] },
      ],
      sort: [{ field: 'due', order: 'asc' }],
      expand: ['customerId.code'],
      summary: [{ field: 'amount', function: 'sum' }],
    })
    expect(toViewBody(body, body.views[0], context).view).toBe('department')
  })
})
