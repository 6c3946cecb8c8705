import { expect, it } from 'vitest'
import { dialled } from '../../../../src/runtime/cell'
import { cardParts } from '../../../../src/runtime/list/cardParts'
import { drawColumns } from '../../../../src/runtime/list/columns'
import type { ColumnModel } from '../../../../src/schema/model'
import { column, field } from '../../../support/models'

const ref = (name: string, entity: string): ColumnModel =>
  column(name, 'ref', {}, { ref: { entity, label: entity, path: '/', where: () => [] } })
const named = (...columns: ColumnModel[]) => {
  const { rest, ...parts } = cardParts(drawColumns(columns, 0, 0))
  return { ...Object.fromEntries(Object.entries(parts).map(([part, { id }]) => [part, id])), rest: rest.map(({ id }) => id) }
}

it('A card says what it is and its state, whom it is about and how much, when and whose it is', () => {
  expect(
    named(
      column('name'),
      ref('customerId', 'crm.customer'),
      column('amount', 'money'),
      column('stage', 'dictionary'),
      column('expectedOn', 'date'),
      column('nextAt', 'dateTime'),
      column('winRate', 'percent'),
      ref('ownerId', 'sys.staff'),
    ),
  ).toEqual({
    title: 'name',
    who: 'customerId',
    amount: 'amount',
    state: 'stage',
    when: 'expectedOn',
    owner: 'ownerId',
    rest: ['nextAt', 'winRate'],
  })
})

it('Where nobody is named and nothing is paid, a word and a number stand there; what there is not leaves no gap', () => {
  expect(named(column('name'), column('email', 'email'), column('count', 'integer'), column('active', 'boolean'))).toEqual({
    title: 'name',
    who: 'email',
    amount: 'count',
    rest: ['active'],
  })
  expect(named()).toEqual({ rest: [] })
})

it('A telephone dials what is a number and is not masked', () => {
  const phone = field('mobile', 'phone')
  expect(dialled(phone, '+86 138-0013-8000')).toBe('+8613800138000')
  expect(dialled(phone, '+86 138****8000')).toBeUndefined()
  expect(dialled({ ...phone, masked: true }, '+8613800138000')).toBeUndefined()
  expect(dialled(phone, null)).toBeUndefined()
  expect(dialled(field('code'), '123')).toBeUndefined()
})
