import { expect, it } from 'vitest'
import { groupings } from '../../../../src/headless/list/groupings'
import { groupedBy, groupHeads, groupsBody } from '../../../../src/headless/list/groups'
import { partBody } from '../../../../src/headless/list/part'
import { parseQuery, writeQuery } from '../../../../src/headless/list/query'
import type { QueryBody } from '../../../../src/headless/list/request'
import type { AggregateRow } from '../../../../src/schema/model'
import { column, listBody } from '../../../support/models'

const stages = {
  dictionary: { name: 'stages', options: ['found', 'quoted', 'won'].map((code) => ({ code, label: code })) },
} as unknown as Parameters<typeof column>[3]
const body = listBody({
  columns: [
    column('name'),
    column('stage', 'dictionary', {}, stages),
    column('ownerId', 'ref'),
    column('dueOn', 'date'),
    column('level', 'dictionary', {}, { masked: true }),
    column('amount', 'money', { summary: 'sum' }),
    column('paid', 'money', { summary: 'count', hidden: true }),
  ],
  group: 'stage',
})
const by = (field: string) => groupings(body).find((one) => one.field === field)!
const query = (search: string) => parseQuery(body, search, {})

it('rows are grouped by choices, references and months of days that the viewer reads whole', () => {
  expect(groupings(body).map(({ field, bucket }) => [field, bucket])).toEqual([
    ['stage', undefined],
    ['ownerId', undefined],
    ['dueOn', 'month'],
  ])
  const { aggregate: _none, ...calls } = body.calls
  expect(groupings({ ...body, calls })).toEqual([])
})

it('the groups stand in the address, and are those of the page until somebody chooses others or none', () => {
  expect(groupedBy(body, undefined, query(''))?.field).toBe('stage')
  expect(groupedBy(body, undefined, query('group=ownerId'))?.field).toBe('ownerId')
  expect(groupedBy(body, undefined, query('group='))).toBeUndefined()
  expect(groupedBy(body, undefined, query('group=name'))?.field).toBe('stage')
  for (const search of ['group=ownerId', 'group=']) expect(writeQuery(body, query(search), '', {})).toBe(search)
})

it('heads ask for number and sums of the columns that are shown, under the conditions of the list', () => {
  const whole: QueryBody = { pageNo: 1, pageSize: 20, view: 'mine', where: [{ field: 'country', operator: 'eq', value: 'CN' }] }
  const shown = body.columns.filter(({ hidden }) => !hidden)
  expect(groupsBody(whole, by('dueOn'), shown, 50)).toEqual({
    view: 'mine',
    where: whole.where,
    dimensions: [{ field: 'dueOn', bucket: 'month' }],
    measures: [
      { id: '$rows', count: true },
      { id: 'amount', sum: 'amount' },
    ],
    sort: [{ by: 'dueOn', order: 'desc' }],
    limit: 50,
  })
  expect(groupsBody({ ...whole, sort: [{ field: 'dueOn', order: 'asc' }] }, by('dueOn'), [], 50).sort).toEqual([
    { by: 'dueOn', order: 'asc' },
  ])
  expect(groupsBody(whole, by('ownerId'), [], 50).sort?.[0]).toEqual({ by: '$rows', order: 'desc' })
})

it('heads stand in the order of the dictionary, those without a value last; their rows are the rows of the list that meet them', () => {
  const row = (stage: string | null, rows: number, amount: Record<string, string>): AggregateRow => ({
    key: { stage },
    measures: { $rows: rows, amount },
    where: [stage === null ? { field: 'stage', operator: 'empty' } : { field: 'stage', operator: 'eq', value: stage }],
  })
  const heads = groupHeads(by('stage'), {
    rows: [row(null, 1, {}), row('won', 2, { USD: '5.00' }), row('found', 3, { USD: '1.00', EUR: '2.00' })],
  })
  expect(heads.map(({ value, count, sums }) => [value, count, sums])).toEqual([
    ['found', 3, { amountByCurrency: { USD: '1.00', EUR: '2.00' } }],
    ['won', 2, { amountByCurrency: { USD: '5.00' } }],
    [null, 1, { amountByCurrency: {} }],
  ])
  const whole: QueryBody = {
    pageNo: 3,
    pageSize: 20,
    where: [{ field: 'country', operator: 'eq', value: 'CN' }],
    summary: [{ field: 'amount', function: 'sum' }],
  }
  expect(partBody(whole, heads[1]!.where, '')).toEqual({
    pageSize: 20,
    cursor: '',
    where: [
      { field: 'country', operator: 'eq', value: 'CN' },
      { field: 'stage', operator: 'eq', value: 'won' },
    ],
  })
})
