import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBlock, parseBlock } from '../../../../src/runtime/form/table/clipboard'

test('a block from Excel has rows, cells, and quoted cells with line breaks, tabs and quotes', () => {
  expect(parseBlock('a\tb\r\n"c\nd"\t"say ""hi"""\r\n')).toEqual([
    ['a', 'b'],
    ['c\nd', 'say "hi"'],
  ])
  expect(parseBlock('')).toEqual([])
  expect(parseBlock('5"\t\t')).toEqual([['5"', '', '']])
})

test('one cell is no block', () => {
  expect(isBlock('hello')).toBe(false)
  expect(isBlock('hello\n')).toBe(false)
  expect(isBlock('a\tb')).toBe(true)
  expect(isBlock('a\nb')).toBe(true)
})

test('what a spreadsheet writes is what is read', () => {
  const cell = fc.string({ maxLength: 8, unit: fc.constantFrom('a', '1', '"', '\t', '\n', ' ', '中') })
  const quote = (text: string): string => (/["\t\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text)
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 4 })
        .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 })),
      (rows) => {
        const written = rows.map((row) => row.map(quote).join('\t') + '\r\n').join('')
        expect(parseBlock(written)).toEqual(rows)
      },
    ),
  )
})
