import { expect, it } from 'vitest'
import { rowTitle } from '../../../../src/runtime/list/rowTitle'
import { fakeHost } from '../../../support/fakeHost'
import { column } from '../../../support/models'

it('A row is called by the column that opens it, else by the first that says something, and by its id only when nothing does', () => {
  const host = fakeHost({})
  const columns = [column('contact'), column('customerId', 'string', { open: () => '/customer' })]
  expect(rowTitle(columns, { id: 'cl-1', contact: 'Marcus Lim', customerId: 'Acme' }, host, {})).toBe('Acme')
  expect(rowTitle(columns, { id: 'cl-1', contact: 'Marcus Lim', customerId: null }, host, {})).toBe('Marcus Lim')
  expect(rowTitle(columns, { id: 'cl-1', contact: '', customerId: null }, host, {})).toBe('cl-1')
})
