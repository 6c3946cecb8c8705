import { expect, it } from 'vitest'
import { recordScope, type FormSession } from '../../../../src/runtime/form/view/session'
import { engineOf, object } from './support'

it('What a reference may choose is asked for the record as it stands: loaded, then entered, then the row of a table', () => {
  const schema = object({
    currency: { type: 'string' },
    rows: { type: 'array', items: object({ supplierId: { type: 'string' }, currency: { type: 'string' } }) },
  })
  const values = { currency: 'EUR', rows: [{ supplierId: 's1' }, { supplierId: 's2', currency: 'USD' }] }
  const engine = engineOf(schema, values)
  const session = { engine, scope: { record: { code: 'C1', currency: 'CNY' }, today: '2026-03-10' } } as unknown as FormSession
  expect(recordScope(session, 'currency')).toMatchObject({
    code: 'C1',
    currency: 'EUR',
    today: '2026-03-10',
    record: { code: 'C1', currency: 'EUR' },
    values: { currency: 'EUR' },
  })
  expect(recordScope(session, 'currency')).not.toHaveProperty('head')
  expect(recordScope(session, 'rows.1.supplierId')).toMatchObject({
    ...{ currency: 'USD', supplierId: 's2', record: { code: 'C1' } },
    head: { code: 'C1', currency: 'EUR' },
  })
})
