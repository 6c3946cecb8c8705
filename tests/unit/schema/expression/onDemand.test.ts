import { expect, it, vi } from 'vitest'
import { SELDOM } from '../../../../src/schema/expression/functions/seldom'

it('knows when a page needs what is loaded late, and says so until it is there', async () => {
  // modules of a worker are shared: another test may have provided it already
  vi.resetModules()
  const { compileExpression, lacksSeldom, provideSeldom } = await import('../../../../src/schema/expression')
  compileExpression('{{ sum([1]) }}')
  expect(lacksSeldom()).toBe(false)
  const text = compileExpression('{{ capitals(20) }}')
  expect(lacksSeldom()).toBe(true)
  expect(() => text({})).toThrow(/not loaded yet/)
  provideSeldom(SELDOM)
  expect(lacksSeldom()).toBe(false)
  expect(text({})).toBe('贰拾元整')
})
