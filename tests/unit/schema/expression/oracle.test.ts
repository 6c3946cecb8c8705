import { parseExpressionAt } from 'acorn'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExpressionError, evaluate, parseInner } from '../../../../src/schema/expression'
import { anyNode, bare, print, SCOPE } from './generate'

/** JavaScript's own answer: the one place in the project where text becomes code, and only in a test. */
function javascript(text: string): { value: unknown } | { thrown: true } {
  const names = [...Object.keys(SCOPE), 'missing', 'at']
  try {
    const run = Reflect.construct(Function, [...names, `'use strict'; return (${text})`]) as (...given: unknown[]) => unknown
    const scope: Record<string, unknown> = { ...SCOPE, at }
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
    "null + 1 + undefined + ''",
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
