/** The words and operators of the grammar. */

export const RESERVED = new Set(
  (
    'new this function class delete void in instanceof await async yield import super var let const return if else for while do ' +
    'switch case default break continue throw try catch finally with debugger enum export extends static implements interface ' +
    'package private protected public eval arguments'
  ).split(' '),
)
export const LITERALS = new Map<string, boolean | null | undefined | number>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
])
export const PRECEDENCE: Record<string, number> = {
  ...{ '??': 1, '||': 2, '&&': 3, '==': 4, '!=': 4, '===': 4, '!==': 4, '<': 5, '>': 5, '<=': 5, '>=': 5 },
  ...{ '+': 6, '-': 6, '*': 7, '/': 7, '%': 7, '**': 8 },
}
export const LOGICAL = new Set(['??', '||', '&&'])
export const UNARY = new Set(['!', '-', '+'])
