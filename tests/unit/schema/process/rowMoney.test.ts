import { expect, it } from 'vitest'
import { compileEntity, entityScope } from '../../../../src/schema/entity'
import { evaluate, type Amount } from '../../../../src/schema/expression'
import type { ProcessDocument } from '../../../../src/schema/generated/process'
import { formEntity, rowEntities } from '../../../../src/schema/process'
import { problemsOf, readFixture } from '../validate/world'

const purchase = (): ProcessDocument => readFixture<ProcessDocument>('cases/assetPurchase.json')
const told = (process: ProcessDocument): string[] =>
  problemsOf([{ where: 'schemas/demo/processes/assetPurchase.json', type: 'process', name: 'assetPurchase', value: process }])
    .filter(({ severity }) => severity === 'error')
    .map(({ at, message }) => `${at} ${message.en}`)

it('a row names the currency of its form, and no field that the form lacks', () => {
  expect(told(purchase())).toEqual([])
  const wrong = purchase()
  wrong.form.fields.items!.rows!.fields.price!['x-money'] = 'head.curency'
  expect(told(wrong).join('\n')).toMatch(/x-money .*"head\.curency" is neither a field/)
})

it('amounts of rows are reckoned in the currency of the form', () => {
  const rows = new Map(rowEntities(purchase()).map((entity) => [entity.name, compileEntity(entity)]))
  const form = compileEntity(formEntity(purchase()), (name) => rows.get(name))
  const scope = entityScope(form, { currency: 'JPY', items: [{ quantity: 2, price: '300' }] })
  expect(String(evaluate('{{ sum(items, r => r.quantity * r.price) }}', scope))).toContain('600')
  expect((scope.items as { price: Amount }[])[0]?.price.currency).toBe('JPY')
})
