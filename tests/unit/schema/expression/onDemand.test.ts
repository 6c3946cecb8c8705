import { expect, it } from 'vitest'
import { compileExpression, lacksSeldom, provideSeldom } from '../../../../src/schema/expression'
import { SELDOM } from '../../../../src/schema/expression/functions/seldom'

it('knows when a page needs what is loaded late, and says so until it is there', () => {
  compileExpression('{{ sum([1]) }}')
  expect(lacksSeldom()).toBe(false)
  const text = compileExpression('{{ capitals(20) }}')
  expect(lacksSeldom()).toBe(true)
  expect(() => text({})).toThrow(/not loaded yet/)
  provideSeldom(SELDOM)
  expect(lacksSeldom()).toBe(false)
  expect(text({})).toBe('贰拾元整')
})
