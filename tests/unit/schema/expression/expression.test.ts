import { describe, expect, it } from 'vitest'
import {
  checkNames,
  compileExpression,
  dependencies,
  evaluate,
  findForbidden,
  FUNCTIONS,
  functionsOf,
  isExpression,
  parseExpression,
  rootsOf,
  wholeExpression,
  type Expression,
} from '../../../../src/schema/expression'

function parsed(text: string): Expression {
  const result = parseExpression(text)
  if (!result.ok) throw new Error(result.problem.message.en)
  return result.expression
}

describe('texts of a schema', () => {
  it.each([
    ['{{ 1 + 1 }}', 2],
    ['  {{ rows }}\n', [{ id: 1 }, { id: 2 }]],
    ['{{ rows.id }}', [1, 2]],
    ['{{ rows[1].id }}', 2],
    ['{{ rows.length }}', 2],
    ['No. {{ code }}', 'No. 7'],
    ['{{ code }}{{ code }}', '77'],
    ['{{ code }}.', '7.'],
    ['{{ missing }} and {{ nothing }}', ' and '],
    ['plain', 'plain'],
    ['{ single } }}', '{ single } }}'],
    ["{{ '}}' }}", '}}'],
    ['a{{ \'}}\' + "{{" }}b', 'a}}{{b'],
    ['{{ {a: {b: 1}}.a }}', { b: 1 }],
    ['{{{a: {b: 1}}}}', { a: { b: 1 } }],
    ['{{ `${`}}`}` }}x', '}}x'],
    ['{{ [1, 2] }} items', '1,2 items'],
    ["{{ '{{ x }}' }}", '{{ x }}'],
    ["{{ '\\'}}' }}!", "'}}!"],
  ])('%j gives its value', (text, value) => {
    expect(evaluate(text, { rows: [{ id: 1 }, { id: 2 }], code: 7, nothing: null })).toEqual(value)
  })

  it.each([
    ['{{ a', 'unclosed-expression', 0],
    ['x {{ a }', 'unclosed-expression', 2],
    ['{{ }}', 'empty-expression', 2],
    ["{{ 'a }}", 'unclosed-expression', 0],
    ['a {{ b }} c {{ d + }}', 'unexpected-token', 19],
  ])('%j is refused at its place', (text, code, offset) => {
    expect(parseExpression(text)).toMatchObject({ ok: false, problem: { code, offset } })
  })

  it.each([
    ['No. {{ code }}', 'No. 7'],
    ['{{ code }} and {{ nothing }}', '7 and '],
    ['a`$\\{{ code }}`', 'a`$\\7`'],
    ["{{ rows.id }}: {{ { a: '}}' }.a }}", '1,2: }}'],
    ['{{ (code) + (code) }}!', '14!'],
    ['plain', 'plain'],
  ])('%j means the same as one whole expression', (text, value) => {
    const whole = wholeExpression(text)
    const scope = { rows: [{ id: 1 }, { id: 2 }], code: 7, nothing: null }
    expect(evaluate(whole, scope)).toEqual(value)
    if (whole !== text) expect(parsed(whole).kind).toBe('value')
  })

  it('leaves what is a whole expression as it is', () => {
    expect(wholeExpression(' {{ code }} ')).toBe(' {{ code }} ')
  })

  it('knows which texts have something to evaluate', () => {
    expect(isExpression('{{ a }}')).toBe(true)
    expect(isExpression('a {{ b }}')).toBe(true)
    expect(isExpression('a')).toBe(false)
    expect(isExpression(1)).toBe(false)
  })
})

describe('what an expression needs', () => {
  it.each([
    ['{{ row.name + row.name }}', ['row.name']],
    ['{{ $deps[0] > $deps.level }}', ['$deps.0', '$deps.level']],
    ["{{ $form.values.x ?? $values['y z'] }}", ['$form.values.x', '$values.y z']],
    ['{{ rows[i].name }}', ['rows', 'i']],
    ['{{ map(rows, r => r.name + suffix) }}', ['rows', 'suffix']],
    ['{{ map(rows, row => row.name) }}', ['rows']],
    ['{{ a?.b?.c.d }}', ['a.b.c.d']],
    ['{{ (a?.b).c }}', ['a.b.c']],
    ['/x?id={{ row.id }}&n={{ query.name }}', ['row.id', 'query.name']],
    ['{{ { a, b: c } }}', ['a', 'c']],
    ['{{ days(lastFollowUpAt ?? ownedAt, today) }}', ['lastFollowUpAt', 'ownedAt', 'today']],
    ['{{ `${a}` + 1 }}', ['a']],
    ['plain', []],
  ])('%s reads %j', (text, paths) => {
    expect(dependencies(parsed(text))).toEqual(paths)
  })

  it('names the roots and functions', () => {
    const expression = parsed('{{ len(map(rows, r => upper(r.name + x))) + y }}')
    expect(rootsOf(expression)).toEqual(['rows', 'x', 'y'])
    expect(functionsOf(expression)).toEqual(['len', 'map', 'upper'])
  })

  it('finds unknown names with what was probably meant, and their places', () => {
    const problems = checkNames(parsed("{{ rwo.name + lenght(rows) + startWith('a') + len }}"), {
      roots: ['row', 'rows'],
      functions: FUNCTIONS,
    })
    expect(problems.map(({ code, offset, hint }) => [code, offset, hint])).toEqual([
      ['unknown-root', 3, 'row'],
      ['unknown-function', 14, undefined],
      ['unknown-function', 29, 'startsWith'],
      ['unknown-root', 46, undefined],
    ])
  })

  it('finds wrong numbers and kinds of arguments', () => {
    const codes = (text: string): string[] => checkNames(parsed(text), { functions: FUNCTIONS }).map(({ code }) => code)
    expect(codes('{{ len() }}')).toEqual(['wrong-arguments'])
    expect(codes('{{ len(a, b) }}')).toEqual(['wrong-arguments'])
    expect(codes('{{ map(a, b) }}')).toEqual(['wrong-arguments'])
    expect(codes('{{ len(x => 1) }}')).toEqual(['wrong-arguments'])
    expect(codes('{{ map(a, x => 1) }}')).toEqual([])
  })

  it('refuses unknown roots when compiling with a list of roots, also for a remembered text', () => {
    expect(compileExpression('{{ rowz }}')({})).toBeUndefined()
    expect(() => compileExpression('{{ rowz }}', { roots: ['row'] })).toThrow(/Did you mean "row"/)
  })

  it('shadows roots with parameters, and parameters with inner ones', () => {
    expect(evaluate('{{ map(x, x => map([10], x => x + 1)) }}', { x: [1, 2] })).toEqual([[11], [11]])
    expect(evaluate('{{ map(x, (y, i) => map(x, z => y * 10 + z + i)) }}', { x: [1, 2] })).toEqual([
      [11, 12],
      [22, 23],
    ])
  })
})

describe('code in a form schema is found', () => {
  it('accepts Formily linkages that are data', () => {
    const schema = {
      type: 'object',
      properties: {
        effects: { type: 'string', 'x-visible': '{{ $deps[0] }}' },
        a: {
          'x-reactions': [
            {
              dependencies: ['b'],
              when: '{{ $deps[0] > 1 }}',
              fulfill: { state: { visible: true } },
              otherwise: { schema: { required: false } },
            },
            { target: 'c', effects: ['onFieldInputValueChange'], fulfill: { state: { value: '{{ $self.value }}' } } },
          ],
        },
      },
    }
    expect(findForbidden(schema)).toEqual([])
  })

  it('names run, effects, functions and function texts with their pointers', () => {
    const schema = {
      properties: {
        'a/b': {
          'x-reactions': { fulfill: { run: '$form.setValues({})' }, otherwise: { run: 'x' }, effects: { onFieldInit: 'x' } },
        },
        c: { 'x-reactions': '{{ (field) => { field.value = 1 } }}', 'x-visible': () => true, 'x-pattern': '{{function(){}}}' },
        d: { 'x-reactions': [() => undefined] },
      },
    }
    expect(findForbidden(schema).map(({ at }) => at)).toEqual([
      '/properties/a~1b/x-reactions/fulfill/run',
      '/properties/a~1b/x-reactions/otherwise/run',
      '/properties/a~1b/x-reactions/effects',
      '/properties/c/x-reactions',
      '/properties/c/x-visible',
      '/properties/c/x-pattern',
      '/properties/d/x-reactions/0',
    ])
  })

  it('stops at schemas that refer to themselves or are too deep', () => {
    const round: Record<string, unknown> = {}
    round['self'] = round
    expect(findForbidden(round)).toHaveLength(1)
    let deep: unknown = {}
    for (let level = 0; level < 5000; level += 1) deep = { deep }
    expect(findForbidden(deep)).toHaveLength(1)
  })
})
