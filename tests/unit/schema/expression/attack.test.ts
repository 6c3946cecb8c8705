import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import {
  compileExpression,
  evaluate,
  ExpressionError,
  FUNCTIONS,
  interpolateUrl,
  parseExpression,
  type ExpressionProblemCode,
} from '../../../../src/schema/expression'
import { timeTaken } from '../../../support/timeTaken'

const canary = Symbol('canary')
const watched = globalThis as typeof globalThis & { [canary]?: boolean }

class Person {
  name = 'Li'
  #secret = 'secret'
  method(): string {
    return this.#secret
  }
  get title(): string {
    watched[canary] = true
    return this.#secret
  }
}

function hostileScope(): Record<string, unknown> {
  const withGetter = Object.defineProperty({}, 'trap', {
    enumerable: true,
    get: () => {
      watched[canary] = true
      return 'trapped'
    },
  })
  const withToString = {
    toString: () => {
      watched[canary] = true
      return 'constructor'
    },
    valueOf: () => {
      watched[canary] = true
      return 1
    },
  }
  return {
    a: { b: 1 },
    s: 'text',
    n: 1,
    list: [1, 2, 3],
    f: () => 'called',
    o: { run: () => 'called' },
    person: new Person(),
    people: [new Person()],
    element: { type: 'div', props: {}, _owner: new Person() },
    map0: new Map([['a', 1]]),
    date0: new Date(0),
    withGetter,
    withToString,
    parsed: JSON.parse('{"__proto__": {"polluted": true}, "constructor": "own", "x": 1}') as unknown,
    symbol: Symbol.iterator,
    big: 10n,
  }
}

function codeOf(text: string): ExpressionProblemCode | { value: unknown } {
  try {
    return { value: evaluate(`{{ ${text} }}`, hostileScope(), { locale: 'zh', timeZone: 'UTC' }) }
  } catch (error) {
    if (error instanceof ExpressionError) return error.code
    throw error
  }
}

afterEach(() => {
  expect(watched[canary]).toBeUndefined()
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

describe('an expression cannot leave its data', () => {
  it.each([
    ['constructor', 'forbidden-name'],
    ['__proto__', 'forbidden-name'],
    ['prototype', 'forbidden-name'],
    ['a.constructor', 'forbidden-name'],
    ['a?.constructor', 'forbidden-name'],
    ["a['constructor']", 'forbidden-name'],
    ["a['con' + 'structor']", 'forbidden-name'],
    ["a[`con${'structor'}`]", 'forbidden-name'],
    ["a['\\u0063onstructor']", 'forbidden-name'],
    ["a['\\x63onstructor']", 'forbidden-name'],
    ["a['\\u{63}onstructor']", 'forbidden-name'],
    ["a[concat('__pro', 'to__')]", 'forbidden-name'],
    ["a[join(['constructor'])]", 'forbidden-name'],
    ["a[lower('CONSTRUCTOR')]", 'forbidden-name'],
    ["a[replaceAll('c-o-nstructor', '-', '')]", 'forbidden-name'],
    ["s['constructor']", 'forbidden-name'],
    ["list?.['constructor']", 'forbidden-name'],
    ['a.\\u0063onstructor', 'forbidden-syntax'],
    ['\\u0061', 'forbidden-syntax'],
    ["a[['constructor']]", 'not-primitive'],
    ['a[withToString]', 'not-primitive'],
    ['a[symbol]', 'not-data'],
    ['a[{}]', 'not-primitive'],
    ['{ __proto__: a }', 'forbidden-name'],
    ["{ '__proto__': a }", 'forbidden-name'],
    ["{ ['__proto__']: a }", 'forbidden-name'],
    ["{ ['__pro' + 'to__']: { polluted: true } }", 'forbidden-name'],
    ['{ constructor: 1 }', 'forbidden-name'],
    ['constructor => 1', 'arrow-outside-call'],
    ['map(list, __proto__ => 1)', 'forbidden-name'],
    ['withGetter.trap', 'not-data'],
    ["withGetter['tr' + 'ap']", 'not-data'],
    ['{ ...withGetter }', 'not-data'],
    ['values(withGetter)', 'not-data'],
    ["withToString + ''", 'not-primitive'],
    ['`${withToString}`', 'not-primitive'],
    ['withToString == 1', 'not-primitive'],
    ['-withToString', 'not-primitive'],
    ['withToString > 0', 'not-primitive'],
    ['concat(withToString)', 'not-primitive'],
    ['round(withToString)', 'not-primitive'],
    ['add(withToString, 1)', 'not-primitive'],
    ['withToString.toString', 'not-data'],
    ['person.name', 'not-data'],
    ['person.method', 'not-data'],
    ['person.title', 'not-data'],
    ['people.name', 'not-data'],
    ['{ ...person }', 'not-data'],
    ['keys(person)', 'not-data'],
    ['element._owner.stateNode', 'not-data'],
    ['map0.size', 'not-data'],
    ['date0.getTime', 'not-data'],
    ['f', 'not-data'],
    ['o.run', 'not-data'],
    ['big + 1', 'not-primitive'],
    ['f()', 'unknown-function'],
    ['o.run()', 'forbidden-syntax'],
    ["o['run']()", 'forbidden-syntax'],
    ['o?.run?.()', 'forbidden-syntax'],
    ['s.repeat(1e9)', 'forbidden-syntax'],
    ['(f)()', 'forbidden-syntax'],
    ["''.constructor.constructor('return 1')()", 'forbidden-name'],
    ['[].map(f)', 'forbidden-syntax'],
    ['len(f)', 'not-data'],
    ['map(list, f)', 'wrong-arguments'],
    ['map(list, map)', 'wrong-arguments'],
    ['len(x => x)', 'wrong-arguments'],
    ['map(list, x => x.constructor)', 'forbidden-name'],
    ["map(['constructor'], k => a[k])", 'forbidden-name'],
    ["some(['__proto__'], k => a[k])", 'forbidden-name'],
    ['text({ zh: withToString })', 'not-primitive'],
    ['sortBy(list, x => withToString)', 'not-primitive'],
  ] as const)('%s is refused (%s)', (text, code) => {
    expect(codeOf(text)).toBe(code)
  })

  it.each([
    ['a.toString', undefined],
    ['a.hasOwnProperty', undefined],
    ['s.length', 4],
    ['s.repeat', undefined],
    ['n.toFixed', undefined],
    ['keys(parsed)', ['x']],
    ['values(parsed)', [1]],
    ['{ ...parsed }', { x: 1 }],
    ['toString', undefined],
    ['hasOwnProperty', undefined],
    ['globalThis', undefined],
    ['window', undefined],
    ['process', undefined],
    ['Function', undefined],
    ['Object', undefined],
    ['document', undefined],
    ['list.map', [undefined, undefined, undefined]],
    ["typeof f2 === 'undefined'", true],
  ])('%s gives only own data', (text, value) => {
    expect(codeOf(text)).toEqual({ value })
  })

  it('makes plain objects whose prototype is untouched', () => {
    const made = evaluate('{{ { ...parsed, y: 2 } }}', hostileScope())
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
    expect(Object.keys(made as object)).toEqual(['x', 'y'])
  })
})

describe('what is not in the language is refused before anything runs', () => {
  it.each([
    ...['a = 1', 'a += 1', 'a.b = 1', 'a ||= 1', 'a++', '--n', 'n--', '({ a } = a)', '[a] = list'],
    ...[
      'new Date',
      'new Date()',
      'this',
      'this.a',
      'super.x',
      'function () { return 1 }',
      'function f() {}',
      'class {}',
      'class A { x = 1 }',
    ],
    ...[
      '() => 1',
      'x => x',
      '(() => 1)()',
      '[x => x]',
      '{ f: x => x }',
      'map(list, x => { return x })',
      'map(list, function (x) { return x })',
    ],
    ...[
      'map(list, async x => x)',
      'async () => 1',
      'await n',
      'yield n',
      'import("x")',
      'import.meta',
      'require("fs").x()',
      'new.target',
    ],
    ...['tag`x`', 'a.b`x`', 'len`x`', '`a``b`', '`${`', '`', '`${}`', '`${a', '`${a}', '`${a b}`'],
    ...['/a+/', '/(a+)+$/.test(s)', 'a / /b/', '// comment', '1 /* c */ + 1', '<!-- a', 'a <!-- b', '#!a'],
    ...[
      'delete a.b',
      'void 0',
      "'b' in a",
      'a instanceof a',
      'a, n',
      '(a, n)',
      'a; n',
      'a;',
      ';',
      'x: 1',
      'if (a) n',
      'return 1',
      'throw a',
      'debugger',
    ],
    ...[
      'var x',
      'let x = 1',
      'const x = 1',
      '{ get a() { return 1 } }',
      '{ a() { return 1 } }',
      '{ async a() {} }',
      '{ *a() {} }',
      '{ a = 1 }',
    ],
    ...[
      '0x10',
      '0b1',
      '0o7',
      '010',
      '1_000',
      '10n',
      '1.e',
      '1e',
      '1e+',
      '1..toFixed()',
      '3in a',
      '1a',
      '@a',
      '#a',
      'a#b',
      '~n',
      'n | 1',
      'n & 1',
      'n ^ 1',
      'n << 1',
      'n >>> 1',
    ],
    ...[
      '',
      '   ',
      '()',
      '(',
      ')',
      '[',
      ']',
      '{',
      'a.',
      'a[',
      'a[]',
      '.a',
      '?.a',
      'a?.',
      'a..b',
      'a ? n',
      'a ? : n',
      'a ??',
      '?? a',
      'len(a',
      'len(,)',
      'len(a,,n)',
      'len(a n)',
      '[1,,2]',
      '[1 2]',
      '{ a: 1 b: 2 }',
      '{ a: 1,, }',
    ],
    ...[
      "'a",
      '"a',
      "'a\nb'",
      "'\\",
      "'\\u00'",
      "'\\u{110000}'",
      "'\\x4'",
      "'\\07'",
      '...list',
      'len(...list)',
      'a ? ...list : n',
      '-n ** 2',
      'a ?? n || s',
      'a && n ?? s',
      '!',
    ],
    ...[
      'a\u200bb',
      'a\u00a0\u2028b',
      'ａ（ｂ）',
      '（a）',
      'a，b',
      '“a”',
      '\u202ea',
      '\ufffe',
      '\ud800',
      'typeof',
      '{ typeof }',
      'map(list, (x, x) => x)',
      'map(list, ([x]) => x)',
      'map(list, (...x) => x)',
      'map(list, (x = 1) => x)',
      'map(list, true => 1)',
    ],
    ...[
      'arguments',
      'eval',
      "eval('1')",
      'enum',
      'a => b => c',
      'len(a)(n)',
      'len?.(a)',
      "a['b'](n)",
      'a.b.c()',
      '(a)(n)',
      '[len](n)',
    ],
  ])('%j does not parse', (text) => {
    const parsed = parseExpression(`{{ ${text} }}`)
    if (parsed.ok) expect(codeOf(text)).toBe('unknown-function')
    else {
      const { message, offset, length } = parsed.problem
      expect(message.zh).toMatch(/[\u4e00-\u9fff]/)
      expect(message.en).toMatch(/[a-z]/)
      expect(offset).toBeGreaterThanOrEqual(0)
      expect(offset + length).toBeLessThanOrEqual(text.length + 6)
    }
  })

  it('says where the mistake is', () => {
    const parsed = parseExpression('No. {{ row.amount = 1 }}')
    expect(parsed).toMatchObject({ ok: false, problem: { code: 'forbidden-syntax', offset: 18, length: 1, hint: '===' } })
  })

  it('offers the half-width character for a full-width one', () => {
    expect(parseExpression('{{ len（name） }}')).toMatchObject({
      ok: false,
      problem: { code: 'unexpected-character', offset: 6, hint: '(' },
    })
  })
})

describe('work, depth and output are bounded', () => {
  const nested: [string, string][] = [
    ['round brackets', '('.repeat(100_000) + '1' + ')'.repeat(100_000)],
    ['4,000 round brackets', '('.repeat(4000) + '1' + ')'.repeat(4000)],
    ['square brackets', '['.repeat(4000) + ']'.repeat(4000)],
    ['braces', '{a:'.repeat(2000) + '1' + '}'.repeat(2000)],
    ['unary operators', '!'.repeat(9000) + '1'],
    ['minus signs', '- '.repeat(4500) + '1'],
    ['conditions', '1?1:'.repeat(2400) + '1'],
    ['conditions inside', '1?'.repeat(2400) + '1' + ':1'.repeat(2400)],
    ['sums', '1' + '+1'.repeat(4500)],
    ['powers', '1' + '**1'.repeat(3000)],
    ['members', 'a' + '.b'.repeat(4500)],
    ['indexes', 'a' + '[0]'.repeat(3000)],
    ['calls', 'len('.repeat(2000) + '1' + ')'.repeat(2000)],
    ['arrows', 'map(list,x=>'.repeat(700) + '1' + ')'.repeat(700)],
    ['templates', '`${'.repeat(3000) + '1' + '}`'.repeat(3000)],
    ['templates in 200 levels', '`${'.repeat(200) + '1' + '}`'.repeat(200)],
    ['open brackets', '('.repeat(9000)],
    ['optional members', 'a' + '?.b'.repeat(3000)],
    ['typeof', 'typeof '.repeat(1400) + '1'],
    ['spreads', '[...'.repeat(2400) + '1' + ']'.repeat(2400)],
  ]
  it.each(nested)('a tower of %s is refused without filling the stack', (_name, text) => {
    expect(timeTaken(() => expect(['too-deep', 'too-long']).toContain(codeOf(text)))).toBeLessThan(500)
  })

  it.each([
    ['long text', `'${'x'.repeat(20_000)}'`],
    ['a million characters', ' '.repeat(1_000_000) + '1'],
  ])('%s is refused', (_name, text) => {
    expect(codeOf(text)).toBe('too-long')
  })

  const items = Array.from({ length: 1000 }, (_, index) => index)
  it.each<[string, string, ExpressionProblemCode[]]>([
    ['doubling text', 'map(list, x => t + t + t + t + t + t + t + t + t + t + t)', ['too-large']],
    ['joining long text', 'join(map(items, x => t))', ['too-large']],
    ['template text', '`${t}${t}${t}${t}${t}${t}${t}${t}${t}${t}${t}`', ['too-large']],
    ['concat', 'concat(t, t, t, t, t, t, t, t, t, t, t)', ['too-large']],
    ['replacing', "replaceAll(t, 'x', t)", ['bad-argument']],
    ['splitting', "split(concat(t, t, t), '')", ['too-large']],
    ['nested loops', 'map(items, a => map(items, b => map(items, c => 1)))', ['too-much-work']],
    ['nested loops of conditions', 'some(items, a => some(items, b => some(items, c => false)))', ['too-much-work']],
    ['nested sorting', 'sortBy(items, a => sum(sortBy(items, b => -b)))', ['too-much-work']],
    ['sums of sums', 'sum(map(items, a => sum(items)))', ['too-much-work']],
    [
      'spread bombs',
      '[...items, ...items, ...items, ...items, ...items, ...items, ...items, ...items, ...items, ...items, ...items]',
      ['too-large'],
    ],
    ['spread bombs in loops', 'map(items, a => [...items, ...items])', ['too-much-work']],
    ['members of members', 'map(items, a => rows.x)', ['too-much-work']],
    ['reading long texts', "map(items, a => includes(t, 'z'))", ['too-much-work', 'too-large']],
    ['searching lists', 'filter(items, a => includes(items, -1))', ['too-much-work']],
    ['exponents', 'mul(1e50, 1e50)', ['bad-argument']],
    ['exponents as text', "add('1e999999999', 1)", ['bad-argument']],
    ['tiny exponents', "mul('1e-50', '1e-50')", ['bad-argument']],
    ['far dates', "addDays('9999-12-31', 100000)", ['bad-argument']],
    ['rounding to many digits', "round('1', 1000000)", ['bad-argument']],
  ])('%s stops in time', (_name, text, codes) => {
    const scope = { list: [1, 2], items, rows: items.map((x) => ({ x })), t: 'x'.repeat(10_000) }
    let code: string | undefined
    const took = timeTaken(() => {
      try {
        evaluate(`{{ ${text} }}`, scope)
      } catch (error) {
        code = (error as ExpressionError).code
      }
    })
    expect(codes).toContain(code)
    expect(took).toBeLessThan(1000)
  })

  it('throws nothing but ExpressionError, whatever the text and the data', () => {
    const names = [...FUNCTIONS.keys()]
    const argument = fc.oneof(
      fc.constantFrom(
        'null',
        'list',
        's',
        'a',
        'n',
        'person',
        'parsed',
        'big',
        "''",
        "'2025-01-31'",
        "'x'",
        '-1',
        '1e308',
        '{}',
        '[]',
        '[[]]',
        'x => x',
        'x => x.y.z',
      ),
      fc
        .double()
        .filter((value) => Number.isFinite(value))
        .map((value) => `(${value})`),
      fc.string({ maxLength: 6 }).map((value) => JSON.stringify(value)),
    )
    const call = fc
      .tuple(fc.constantFrom(...names), fc.array(argument, { maxLength: 4 }))
      .map(([name, given]) => `${name}(${given.join(', ')})`)
    fc.assert(
      fc.property(fc.oneof(call, fc.string({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 20 })), (text) => {
        const result = codeOf(text)
        if (typeof result === 'object') expect(['function', 'symbol']).not.toContain(typeof result.value)
      }),
      { numRuns: 5000 },
    )
  })

  it('turns errors of proxies in the data into ExpressionError', () => {
    const proxy = new Proxy(
      {},
      {
        getOwnPropertyDescriptor: () => {
          throw new TypeError('revoked')
        },
      },
    )
    expect(() => evaluate('{{ p.x }}', { p: proxy })).toThrow(ExpressionError)
    const { proxy: dead, revoke } = Proxy.revocable({}, {})
    revoke()
    for (const text of ['p.x', '`${p}`', '{ ...p }', 'len(p)', 'p == 1', 'map(p, x => x)', 'isEmpty(p)']) {
      expect(() => evaluate(`{{ ${text} }}`, { p: dead })).toThrow(ExpressionError)
    }
  })

  it('reads Formily-like proxies through their own traps', () => {
    const reads: string[] = []
    const proxy = new Proxy({ x: 1 } as Record<string, unknown>, {
      get: (target, key) => {
        reads.push(String(key))
        return Reflect.get(target, key) as unknown
      },
    })
    expect(evaluate('{{ p.x + (p.y ?? 2) }}', { p: proxy })).toBe(3)
    expect(reads).toEqual(['x', 'y'])
  })
})

describe('addresses', () => {
  it.each([
    ['/crm/x?id={{ v }}', 'a&b=c#d', '/crm/x?id=a%26b%3Dc%23d'],
    ['/crm/{{ v }}/x', 'a/b', '/crm/a%2Fb/x'],
    ['/crm/{{ v }}', 'javascript:alert(1)', '/crm/javascript%3Aalert(1)'],
    ['{{ v }}/x', '//evil.example', '%2F%2Fevil.example/x'],
    ['/x?id={{ v }}', null, '/x?id='],
    ['/x?ids={{ v }}', ['1', '2&3'], '/x?ids=1,2%263'],
    ['/x?p={{ v }}', '..', '/x?p=..'],
    ['/x?a={{ v }}&b={{ {a:{b:v}}.a.b }}', '中', '/x?a=%E4%B8%AD&b=%E4%B8%AD'],
    ['{{ v }}', '/plain?x=1', '/plain?x=1'],
    ['/fixed', '', '/fixed'],
  ])('%s with %j becomes %s', (text, v, address) => {
    expect(interpolateUrl(text, { v })).toBe(address)
  })

  it.each([
    ['/crm/{{ v }}/x', '..'],
    ['/crm/{{ v }}', '.'],
    ['/crm/.{{ v }}/x', '.'],
    ['/crm/{{ v }}.', '.'],
    ['/crm/{{ v }}', {}],
    ['/crm/{{ v }}', '\ud800'],
    ['{{ v }}', { a: 1 }],
  ])('%s with %j is refused', (text, v) => {
    expect(() => interpolateUrl(text, { v })).toThrow(ExpressionError)
  })
})

describe('the cache', () => {
  it('never mixes what stands inside braces with whole texts', () => {
    expect(compileExpression('1 + 1', { inner: true })({})).toBe(2)
    expect(compileExpression('1 + 1')({})).toBe('1 + 1')
  })

  it('stays bounded and keeps working when thousands of texts pass through', () => {
    for (let index = 0; index < 5000; index += 1) expect(compileExpression(`{{ n + ${index} }}`)({ n: 1 })).toBe(index + 1)
    expect(compileExpression('{{ n + 0 }}')({ n: 1 })).toBe(1)
  })
})
