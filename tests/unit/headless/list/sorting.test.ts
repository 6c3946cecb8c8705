import { expect, it } from 'vitest'
import { parseQuery, writeQuery } from '../../../../src/headless/list/query'
import { toQueryBody } from '../../../../src/headless/list/request'
import { MOST_SORTS, sortedAlso, sortedBy } from '../../../../src/headless/list/sorting'
import type { QuerySort } from '../../../../src/schema/model'
import { column, listBody } from '../../../support/models'

const up = (field: string): QuerySort => ({ field, order: 'asc' })
const down = (field: string): QuerySort => ({ field, order: 'desc' })

it('a click orders by one column: up, down, not at all', () => {
  expect(sortedBy([], 'amount')).toEqual([up('amount')])
  expect(sortedBy([up('amount')], 'amount')).toEqual([down('amount')])
  expect(sortedBy([down('amount')], 'amount')).toEqual([])
  expect(sortedBy([up('name'), down('amount')], 'amount')).toEqual([up('amount')])
})

it('a click with Shift adds a column behind the others, turns it, and takes it away again', () => {
  expect(sortedAlso([down('name')], 'amount')).toEqual([down('name'), up('amount')])
  expect(sortedAlso([up('name'), up('amount')], 'name')).toEqual([down('name'), up('amount')])
  expect(sortedAlso([down('name'), up('amount')], 'name')).toEqual([up('amount')])
  const full = Array.from({ length: MOST_SORTS }, (_, index) => up(`field${index}`))
  expect(sortedAlso(full, 'amount')).toBeUndefined()
  expect(sortedAlso(full, 'field1')).toHaveLength(MOST_SORTS)
})

it('several columns travel in the address and to the gateway, in their order', () => {
  const body = listBody({ columns: ['name', 'amount'].map((name) => column(name)) })
  const query = parseQuery(body, 'sort=amount.desc,name.asc,gone.asc', {})
  expect(query.sort).toEqual([down('amount'), up('name')])
  expect(new URLSearchParams(writeQuery(body, query, '', {})).get('sort')).toBe('amount.desc,name.asc')
  expect(toQueryBody(body, query, 20, { scope: {} }).sort).toEqual([down('amount'), up('name')])
})
