import { parseExpressionAt } from 'acorn'
import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExpressionError, evaluate, parseInner } from '../../../../src/schema/expression'
import { anyNode, bare, print, SCOPE } from './generate'

/** JavaScript's own answer: the one place in the project where text becomes code, and only in a test. */
function javascript(text: string): { value: unknown } | { thrown: true } {
  const names = [...Object.keys(SCOPE), 'missing', 'at', 'plain', 'reckon']
  try {
    const run = Reflect.construct(Function, [...names, `'use strict'; return (${text})`]) as (...given: unknown[]) => unknown
    const scope: Record<string, unknown> = { ...SCOPE, at, plain, reckon }
    return { value: run(...names.map((name) => scope[name])) }
  } catch {
    return { thrown: true }
  }
}

function ours(text: string): { value: unknown } | { error: ExpressionError } {
  try {
    return { value: evaluate(`{{ ${text} }}`, SCOPE) }
  } catch (error) {
    expect(error).toBeInstanceOf(ExpressionError)
    return { error: error as ExpressionError }
  }
}

/** What we refuse or read otherwise on purpose: objects in operators, methods, members of lists, prototypes. */
const ON_PURPOSE = new Set(['not-primitive', 'bad-argument', 'not-data', 'forbidden-name', 'too-deep'])

/** Members as the language has them: of a list, those of its items; of any value its own, for what it inherits is no data. */
function at(target: unknown, key: () => unknown, optional: boolean): unknown {
  if (optional && (target === null || target === undefined)) return undefined
  const name = String(key())
  if (Array.isArray(target) && name !== 'length' && !/^[0-9]+$/.test(name)) {
    return target.map((item: unknown) => at(item, () => name, true))
  }
  if (target === null || target === undefined) throw new TypeError(`${String(target)} has no members`)
  return Object.hasOwn(Object(target) as object, name) ? (target as Record<string, unknown>)[name] : undefined
}

const Wide = Decimal.clone({ precision: 40 })
const EXACT: Readonly<Record<string, (a: Decimal, b: Decimal) => Decimal>> = {
  '+': (a, b) => a.plus(b),
  '-': (a, b) => a.minus(b),
  '*': (a, b) => a.times(b),
  '/': (a, b) => a.dividedBy(b),
  '%': (a, b) => a.modulo(b),
  '**': (a, b) => a.pow(b),
}

/** Operators that reckon, as the language has them: numbers as they are written, where they are of a usual size. */
function reckon(operator: string, a: unknown, b: unknown): unknown {
  if (operator === '+' && [a, b].some((side) => typeof side === 'string' || (typeof side === 'object' && side !== null)))
    return `${plain(a) as string}${plain(b) as string}`
  const [first, second] = [Number(a), Number(b)]
  const near = (Reflect.construct(Function, ['a', 'b', `return a ${operator} b`]) as (a: number, b: number) => number)(
    first,
    second,
  )
  const usual = (number: number): boolean => number === 0 || (Math.abs(number) >= 1e-20 && Math.abs(number) <= 1e20)
  const whole = Number.isInteger(first) && Number.isInteger(second)
  if (near === 0 || !Number.isFinite(near) || whole || !usual(first) || !usual(second)) return near
  if (operator === '**' && (!Number.isInteger(second) || Math.abs(second) > 100)) return near
  return EXACT[operator]!(new Wide(first), new Wide(second)).toNumber()
}

/** What is empty or could not be reckoned is empty in a text. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain).join(',')
  return value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value)) ? '' : value
}

describe('expressions mean what JavaScript means', () => {
  it('gives the value that JavaScript gives, or refuses on purpose', () => {
    let compared = 0
    fc.assert(
      fc.property(anyNode, (node) => {
        const text = print(node)
        const mine = ours(text)
        const theirs = javascript(print(node, 'at'))
        if ('error' in mine) {
          if (ON_PURPOSE.has(mine.error.code)) return
          expect(mine.error.code).toBe('empty-object')
          expect(theirs).toEqual({ thrown: true })
          return
        }
        if ('thrown' in theirs) throw new Error(`JavaScript throws for ${text}, we give ${String(mine.value)}`)
        compared += 1
        expect(mine.value).toEqual(theirs.value)
      }),
      { numRuns: 3000 },
    )
    expect(compared).toBeGreaterThan(1000)
  })

  it.each([
    '1 + 2 * 3 - 4 / 2 % 3',
    '2 ** 3 ** 2',
    '(-2) ** 2',
    '1 < 2 === true',
    "'a' + 1 + 2",
    "1 + 2 + 'a'",
    'a?.5:1',
    'd?.e?.[2]?.f',
    'c?.x.y.z',
    'c?.[a.b.c]',
    '(c ?? d).e[1]',
    "'\\u0041\\x42\\u{43}\\0\\n'",
    '`x${a}y${`n${b}`}`',
    '[...list, ...list].length',
    "{ ...d, e: 1, [b]: 2, 'q': 3, 4: 5 }.e",
    "typeof missing === 'undefined'",
    '!a ? b : !b ? c : d.e.length',
    'null + 1',
    "c == undefined && c !== undefined && '1' == 1 && true == 1",
    '.5 + 5. + 1e3 + 1E-2',
    'a\n+\t1',
    '名称.length',
    'NaN === NaN',
    '-0',
    '+b - -a',
    '((a))',
    '{ a, b }.b',
  ])('agrees with JavaScript on %s', (text) => {
    expect(ours(text)).toEqual(javascript(text))
  })

  it.each([
    ['0.1 + 0.2', 0.3],
    ['0.3 - 0.1', 0.2],
    ['1.1 * 3', 3.3],
    ["'0.1' * 3", 0.3],
    ['0.3 / 0.1', 3],
    ['0.3 % 0.1', 0],
    ['1.1 ** 2', 1.21],
    ['0.1 + 0.2 === 0.3', true],
    ['1 / 3', 1 / 3],
    ['1.5 / 0', Infinity],
    ['1e300 * 1.5', 1.5e300],
    ["'Total: ' + missing", 'Total: '],
    ["'Total: ' + c", 'Total: '],
    ["missing * 2 + ' pieces'", ' pieces'],
    ['`Total: ${missing} of ${c}, ${a / 0}`', 'Total:  of , '],
    ["null + 1 + undefined + ''", ''],
  ])('has numbers as they are written, and what is empty as empty: %s', (text, value) => {
    expect(ours(text)).toEqual({ value })
  })

  it('reads what it wrote', () => {
    fc.assert(
      fc.property(anyNode, (node) => {
        const parsed = parseInner(print(node))
        if (!parsed.ok) {
          expect(parsed.problem.code).toBe('too-deep')
          return
        }
        expect(bare(parsed.expression.node)).toEqual(bare(node))
      }),
      { numRuns: 1000 },
    )
  })
})

/** Pieces of code put together at random: most are nonsense, some are not. */
const pieces = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'b',
        'x',
        '1',
        '.5',
        '1.',
        '0',
        "'s'",
        '"t"',
        '`u`',
        '`v${a}`',
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        ',',
        ':',
        '?',
        '.',
        '?.',
        '...',
      ],
      ...[
        '=>',
        '+',
        '-',
        '*',
        '/',
        '%',
        '**',
        '!',
        '==',
        '===',
        '<',
        '>',
        '&&',
        '||',
        '??',
        '=',
        ';',
        'typeof',
        'new',
        'this',
        'in',
        ' ',
        '\n',
      ],
      ...[
        '\\u0061',
        '/*c*/',
        '//c\n',
        '0x1',
        '1_0',
        '1n',
        '010',
        'async',
        'await',
        'len(',
        'map(',
        'true',
        'undefined',
        '#a',
        '@',
        '++',
        '<!--',
      ],
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''))

describe('the parser', () => {
  it('accepts nothing that JavaScript refuses', () => {
    let accepted = 0
    fc.assert(
      fc.property(pieces, (text) => {
        const parsed = parseInner(text)
        if (!parsed.ok) return
        accepted += 1
        // a bracket in front, because `{` would begin a block
        const tree = parseExpressionAt(`(${text}\n)`, 0, { ecmaVersion: 2024, preserveParens: true })
        expect(tree.end).toBe(text.length + 3)
      }),
      { numRuns: 20_000 },
    )
    expect(accepted).toBeGreaterThan(300)
  })
})
