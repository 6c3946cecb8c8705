import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageNumbers, pageSizes } from '../../../../src/runtime/list/Footer'
import { rowWindow } from '../../../../src/runtime/list/window'

describe('the window of drawn rows', () => {
  it('always covers what is seen and stays within the rows', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: 50, max: 2000 }),
        fc.constantFrom(33, 41),
        fc.integer({ min: 1, max: 5000 }),
        (wanted, height, rowHeight, count) => {
          const top = Math.min(wanted, Math.max(0, count * rowHeight - height))
          const { start, end } = rowWindow(top, height, rowHeight, count)
          expect(start).toBeGreaterThanOrEqual(0)
          expect(end).toBeLessThanOrEqual(count)
          expect(start * rowHeight).toBeLessThanOrEqual(top)
          expect(end * rowHeight).toBeGreaterThanOrEqual(Math.min(count * rowHeight, top + height))
          expect(end - start).toBeLessThan(Math.ceil(height / rowHeight) + 40)
        },
      ),
    )
  })
})

describe('the pages', () => {
  it('name the first, the last and those around the current one', () => {
    expect(pageNumbers(1, 5)).toEqual([1, 2, 3, 4, 5])
    expect(pageNumbers(1, 20)).toEqual([1, 2, 3, 4, null, 20])
    expect(pageNumbers(10, 20)).toEqual([1, null, 9, 10, 11, null, 20])
    expect(pageNumbers(20, 20)).toEqual([1, null, 17, 18, 19, 20])
    expect(pageNumbers(5, 20)).toEqual([1, null, 4, 5, 6, null, 20])
    expect(pageNumbers(4, 20)).toEqual([1, 2, 3, 4, 5, null, 20])
  })

  it('never repeat a number and always hold the current one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), (a, b) => {
        const [page, pages] = [Math.min(a, b), Math.max(a, b)]
        const numbers = pageNumbers(page, pages).filter((entry) => entry !== null)
        expect(numbers).toContain(page)
        expect([...numbers].sort((x, y) => x - y)).toEqual([...new Set(numbers)])
      }),
    )
  })

  it('offer the size of the page document among the others', () => {
    expect(pageSizes(30, 50)).toEqual([10, 20, 30, 50, 100, 200, 500])
  })
})
