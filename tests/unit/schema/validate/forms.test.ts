import { expect, it } from 'vitest'
import { compilePage } from '../../../../src/schema'
import { plainSchema } from '../../../../src/schema/compile/definitions'
import { compileExpression } from '../../../../src/schema/expression'
import { input } from '../../../../src/runtime/form/view/input'
import type { FormPage } from '../../../../src/schema/generated/page'
import { engineOf, object } from '../../runtime/form/support'
import { pageAs, problemsOf, readFixture } from './world'

type Node = FormPage['schema']

const pageOf = (schema: Node): FormPage => ({
  formatVersion: 3,
  kind: 'form',
  path: '/demo/forms',
  title: { zh: '表单', en: 'Form' },
  permission: 'demo:items',
  submit: { call: 'POST /v2/demo/item/save' },
  schema,
})
const caseOf = (name: string): Node => readFixture<Node>(`cases/forms/${name}.json`)
const errorsOf = (schema: Node): string[] =>
  problemsOf([pageAs(pageOf(schema))])
    .filter(({ severity, code }) => severity === 'error' && code !== 'unknown-call')
    .map(({ at, message }) => `${at} ${message.en}`)
const withField = (a: Node): Node => ({ type: 'object', properties: { a } })

let revision = 0
const compiled = (schema: Node) => {
  const page = { ...pageOf(schema), name: 'demo/forms' }
  const result = compilePage(
    { page, where: 'forms.json', revision: String(revision++), entities: {}, dictionaries: {} },
    { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' },
  )
  if (!result.ok || result.model.kind !== 'form') throw new Error(JSON.stringify(result))
  expect(result.model.problems).toEqual([])
  return result.model.schema.properties ?? {}
}

/** Whether a condition of a field holds while the form has these values. */
const holds = (text: unknown, values: object): unknown => compileExpression(String(text))({ $values: values, $record: values })

it.each(['jfAllOf', 'jfDependent', 'jfIf', 'plainJson', 'requiredList', 'sumRowsMap'])('%s is read', (name) => {
  expect(errorsOf(caseOf(name))).toEqual([])
})

it('asks for fields as JSON Schema says: a list, parts, a condition, another field', () => {
  expect(compiled(caseOf('requiredList')).a?.required).toBe(true)
  expect(Object.keys(compiled(caseOf('jfAllOf'))).sort()).toEqual(['a', 'b', 'c'])
  const asked = compiled(caseOf('jfIf')).x?.['x-required']
  expect([{ k: 'a' }, { k: 'b' }, {}].map((values) => holds(asked, values))).toEqual([true, false, true])
  const bill = compiled(caseOf('jfDependent')).bill?.['x-required']
  expect([{ card: '1' }, { card: '' }, {}].map((values) => holds(bill, values))).toEqual([true, false, false])
})

it('shows the fields that a condition brings along, one branch in another, in groups and in rows', () => {
  const branch = (value: string, name: string): Node => ({
    if: { required: ['k'], properties: { k: { const: value } } },
    then: { properties: { [name]: { type: 'string' } }, required: [name] },
  })
  const rules = { ...branch('a', 'x'), else: branch('b', 'y') }
  const k: Node = { type: 'string', enum: ['a', 'b'] }
  const root = compiled({ type: 'object', properties: { g: { type: 'void', properties: { k } } }, ...rules })
  const shown = (node: Record<string, { 'x-visible'?: unknown; required?: unknown }>, values: object) =>
    ['x', 'y'].filter((name) => holds(node[name]?.['x-visible'], values) === true)
  expect(root.x?.required).toBe(true)
  expect([{ k: 'a' }, { k: 'b' }, {}].map((values) => shown(root, values))).toEqual([['x'], ['y'], []])
  const rows = compiled({
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'object', properties: { k }, allOf: [rules] } } },
  })
  expect(shown(rows.list?.items?.properties ?? {}, { k: 'b' })).toEqual(['y'])
})

it('keeps both of two rules that parts say of one field, and follows parts that are described once', () => {
  const schema: Node = {
    type: 'object',
    $defs: { code: { type: 'string', minLength: 2 } },
    allOf: [{ properties: { a: { $ref: '#/$defs/code' } } }, { properties: { a: { minLength: 4, title: 'A' } } }],
  }
  expect(errorsOf(schema)).toEqual([])
  expect(compiled(schema).a).toMatchObject({ minLength: 2, title: 'A', 'x-validator': [{ minLength: 4 }] })
})

it('draws a picker for a format of days, moments and times, and no box for what the server gives', () => {
  expect(compiled(caseOf('plainJson')).born?.['x-component']).toBe('date')
  const controls = ['date-time', 'time', 'country', 'email'].map(
    (format) => compiled(withField({ type: 'string', format })).a?.['x-component'],
  )
  expect(controls).toEqual(['dateTime', 'time', 'country', undefined])
  const { a } = compiled(withField({ type: ['string', 'null'], readOnly: true }))
  expect(a).toMatchObject({ type: 'string', 'x-pattern': 'readPretty' })
})

const REFUSED: readonly (readonly [name: string, schema: Node, sentence: RegExp])[] = [
  ['a map', caseOf('jfMap'), /m\/additionalProperties .*ArrayTable/],
  ['functions of a picker', caseOf('fjDate'), /disabledDate .*minDate/],
  ['a default that follows a field', caseOf('defaultFromField'), /b\/default .*x-value/],
  ['a sum by reduce', caseOf('sumRows'), /sum\(rows, r => r\.amount\)/],
  ['a control that changes', caseOf('schemaState'), /x-component .*x-visible/],
  ['a date of JavaScript', withField({ type: 'string', default: '{{ new Date() }}' }), /today, now/],
  ['a function of the page', withField({ type: 'string', 'x-value': '{{ load($self) }}' }), /x-options/],
  ['helpers of code', withField({ type: 'string', 'x-value': '{{ $props.a }}' }), /x-value/],
  ['a number of JavaScript', withField({ type: 'string', 'x-value': '{{ parseFloat($values.b) }}' }), /number\(value\)/],
  ['a text bound of a number', withField({ type: 'number', minimum: '5' as never }), /must be a number or an expression/],
  ['a rule with a bound that is no day', withField({ type: 'string', 'x-validator': { minimum: 'soon' } }), /2026-01-31/],
  [
    'a name that is no field',
    { type: 'object', required: ['b'], properties: { a: { type: 'string' } } },
    /"b" in required is no field/,
  ],
  ['two types', withField({ type: ['string', 'number'] }), /one type/],
  ['a word that is written wrong', withField({ type: 'string', 'x-visable': true }), /Did you mean "x-visible"/],
  ['a condition that is no expression', { ...caseOf('jfIf'), if: { properties: { k: { pattern: 'a' } } } }, /x-required/],
]

it.each(REFUSED)('%s is refused with what to write instead', (_, schema, sentence) => {
  expect(errorsOf(schema).join('\n')).toMatch(sentence)
})

/** The words of JSON Schema 2020-12 and draft 7, each with a value that says something. */
const WORDS: Readonly<Record<string, unknown>> = {
  not: { const: 'x' },
  if: { pattern: 'a' },
  then: { required: ['a'] },
  else: { required: ['a'] },
  dependentRequired: { a: ['b'] },
  dependentSchemas: { a: { minProperties: 1 } },
  dependencies: { a: ['b'] },
  allOf: [{ type: 'number' }],
  prefixItems: [{}],
  contains: { const: 1 },
  minContains: 1,
  maxContains: 2,
  patternProperties: { '^x': {} },
  additionalProperties: { type: 'string' },
  unevaluatedProperties: { type: 'string' },
  propertyNames: { pattern: 'a' },
  additionalItems: { type: 'string' },
  unevaluatedItems: { type: 'string' },
  minProperties: 1,
  maxProperties: 2,
  contentEncoding: 'base64',
  contentMediaType: 'image/png',
  contentSchema: {},
  writeOnly: true,
  deprecated: true,
  examples: ['a'],
  $anchor: 'a',
  $dynamicRef: '#a',
}

it.each(Object.entries(WORDS))('no word is accepted and left out: %s', (word, value) => {
  expect(errorsOf(withField({ type: 'string', [word]: value })).join('\n')).toContain(`/a/${word} `)
})

it('takes a schema that says nothing in other words as it is', () => {
  const schema = withField({ type: 'string', title: 'A' })
  expect(plainSchema(schema)).toBe(schema)
})

it('the case precision: of a node without a field, a number beyond 2^53 is refused with a sentence and keeps its digits', async () => {
  const schema: Node = {
    type: 'object',
    properties: {
      i: { type: 'integer', title: 'Int' },
      n: { type: 'number', title: 'Num', 'x-component': 'NumberPicker' },
    },
  }
  const engine = engineOf(object(compiled(schema)))
  const typed = { i: '9007199254740993', n: '12345678901234567890' }
  for (const [name, digits] of Object.entries(typed)) input(engine.dataField(name)!, digits)
  expect((await engine.validate()).map(({ address, message }) => [address, message])).toEqual([
    ['i', expect.stringContaining('More digits than')],
    ['n', expect.stringContaining('More digits than')],
  ])
  expect(engine.values()).toEqual(typed)
  for (const name of ['i', 'n']) input(engine.dataField(name)!, Number.MAX_SAFE_INTEGER)
  expect(await engine.validate()).toEqual([])
})
