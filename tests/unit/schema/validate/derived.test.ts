import { describe, expect, it } from 'vitest'
import type { EntityDocument, EntityField } from '../../../../src/schema/generated/entity'
import { problemsOf } from './world'

const label = { zh: '字段', en: 'Field' }
const text = (more: Partial<EntityField> = {}): EntityField => ({ type: 'string', 'x-label': label, ...more })
const whole = (more: Partial<EntityField> = {}): EntityField => ({ type: 'integer', 'x-label': label, ...more })
const money = (more: Partial<EntityField> = {}): EntityField => ({ type: 'string', format: 'money', 'x-label': label, ...more })

const entity = (name: string, properties: EntityDocument['properties'], more: Partial<EntityDocument> = {}) => ({
  where: `schemas/demo/entities/${name}.json`,
  type: 'entity' as const,
  value: {
    formatVersion: 3,
    name: `demo.${name}`,
    label,
    titleField: 'name',
    type: 'object',
    properties: { name: text(), ...properties },
    ...more,
  },
})

/** A head and its lines, each with the given fields beside those that everybody needs. */
const both = (head: EntityDocument['properties'], line: EntityDocument['properties'] = {}) => [
  entity('head', { currency: text({ format: 'currency' }), itemId: text({ 'x-ref': 'demo.item' }), ...head }),
  entity(
    'line',
    {
      headId: text({ 'x-ref': 'demo.head' }),
      currency: text({ format: 'currency' }),
      amount: money({ 'x-money': 'currency' }),
      number: whole(),
      kind: text(),
      ...line,
    },
    { 'x-scope': { parent: 'headId' } },
  ),
]
const told = (documents: ReturnType<typeof both>) => problemsOf(documents).map(({ code, at, message }) => [code, at, message.en])
const of = 'demo.line.headId'

describe('Values that follow others', () => {
  it('are right where they read fields, other values, paths and the head of a line', () => {
    const documents = both(
      {
        lines: whole({ 'x-rollup': { of, count: true, where: [{ field: 'kind', operator: 'eq', value: 'x' as never }] } }),
        total: money({ 'x-money': 'currency', 'x-rollup': { of, sum: 'amount' } }),
        shown: text({ 'x-derived': { value: "{{ name + (itemId.parentId.name ?? '') + string(lines) }}" } }),
      },
      { heading: text({ 'x-derived': { value: '{{ head.shown }}' } }) },
    )
    expect(told(documents)).toEqual([])
  })

  it('may not need each other, over rollups and references neither; the message names the path', () => {
    const documents = both(
      { total: whole({ 'x-rollup': { of, sum: 'share' } }) },
      { share: whole({ 'x-derived': { value: '{{ head.total + number }}' } }) },
    )
    expect(told(documents)).toEqual([
      [
        'computed-cycle',
        '/properties/total/x-rollup',
        'Computed fields need each other: demo.head.total -> demo.line.share -> demo.head.total.',
      ],
      [
        'computed-cycle',
        '/properties/share/x-derived/value',
        'Computed fields need each other: demo.line.share -> demo.head.total -> demo.line.share.',
      ],
    ])
  })

  it.each<[string, EntityDocument['properties'], EntityDocument['properties'], string, RegExp]>([
    [
      'a path to a field that is not there',
      { a: text({ 'x-derived': { value: '{{ itemId.nam }}' } }) },
      {},
      'unknown-field',
      /no field "nam"/,
    ],
    [
      'a function that does not say what it reads',
      { a: text({ 'x-derived': { function: 'demo.a' } }) },
      {},
      'field-kind-mismatch',
      /Say in "reads" which fields/,
    ],
    [
      'a function that reads what is not there',
      { a: text({ 'x-derived': { function: 'demo.a', reads: ['nothing'] } }) },
      {},
      'unknown-field',
      /no field "nothing"/,
    ],
    [
      'a function beside an expression',
      { a: text({ 'x-derived': { function: 'demo.a', reads: ['currency'], value: '{{ currency }}' } }) },
      {},
      'field-kind-mismatch',
      /either by an expression or by a function/,
    ],
    [
      'what only a function has',
      { a: text({ 'x-derived': { value: '{{ currency }}', refresh: 'P1D' } }) },
      {},
      'field-kind-mismatch',
      /only for a value that a function works out/,
    ],
    [
      'a path through something else',
      { a: text({ 'x-derived': { value: '{{ itemId.name.length }}' } }) },
      {},
      'field-kind-mismatch',
      /is not a reference/,
    ],
    [
      'a path to what is computed when read',
      { a: whole({ 'x-derived': { value: '{{ itemId.total }}' } }) },
      {},
      'field-kind-mismatch',
      /worked out when it is read/,
    ],
    [
      'a path of a value that reads the day',
      { a: text({ 'x-derived': { value: '{{ today + itemId.name }}' } }) },
      {},
      'field-kind-mismatch',
      /cannot go through references/,
    ],
    [
      'an unknown state',
      {},
      { a: text({ 'x-derived': { value: '{{ name }}', in: ['gone'] } }) },
      'unknown-state',
      /no state "gone"/,
    ],
    ['a rollup of nothing', { a: whole({ 'x-rollup': { of } }) }, {}, 'field-kind-mismatch', /Exactly one of/],
    [
      'a rollup over a stranger',
      { a: whole({ 'x-rollup': { of: 'demo.item.parentId', count: true } }) },
      {},
      'field-kind-mismatch',
      /does not refer to/,
    ],
    ['a count in a text', { a: text({ 'x-rollup': { of, count: true } }) }, {}, 'field-kind-mismatch', /whole numbers/],
    ['a sum of texts', { a: whole({ 'x-rollup': { of, sum: 'kind' } }) }, {}, 'field-kind-mismatch', /no number/],
    ['the least of texts', { a: text({ 'x-rollup': { of, min: 'kind' } }) }, {}, 'field-kind-mismatch', /no order/],
    [
      'a sum of money without a currency',
      { a: money({ 'x-rollup': { of, sum: 'amount' } }) },
      {},
      'field-kind-mismatch',
      /in which currency/,
    ],
    [
      'an order without last',
      { a: whole({ 'x-rollup': { of, count: true, by: 'number' } }) },
      {},
      'field-kind-mismatch',
      /Only last/,
    ],
    [
      'a condition that is no fixed value',
      {
        a: whole({ 'x-rollup': { of, count: true, where: [{ field: 'kind', operator: 'eq', value: '{{ today }}' as never }] } }),
      },
      {},
      'field-kind-mismatch',
      /fixed values/,
    ],
    [
      'a condition by contains',
      { a: whole({ 'x-rollup': { of, count: true, where: [{ field: 'kind', operator: 'contains', value: 'x' as never }] } }) },
      {},
      'field-kind-mismatch',
      /narrowed by: eq/,
    ],
    [
      'a hot count',
      { a: whole({ 'x-rollup': { of, count: true, hot: true } }) },
      {},
      'field-kind-mismatch',
      /Only a sum can be hot/,
    ],
    [
      'a bound of a sum that is not hot',
      { a: whole({ 'x-rollup': { of, sum: 'number', atLeast: '{{ 0 }}' } }) },
      {},
      'field-kind-mismatch',
      /Only a hot sum/,
    ],
    [
      'an index of a hot sum',
      { a: whole({ 'x-index': true, 'x-rollup': { of, sum: 'number', hot: true } }) },
      {},
      'field-kind-mismatch',
      /cannot be indexed/,
    ],
    [
      'what follows a hot sum',
      { a: whole({ 'x-rollup': { of, sum: 'number', hot: true } }) },
      { b: whole({ 'x-derived': { value: '{{ head.a }}' } }) },
      'field-kind-mismatch',
      /changes last/,
    ],
  ])('are refused: %s', (_what, head, line, code, message) => {
    const found = told(both(head, line))
    expect(found).toHaveLength(1)
    expect(found[0]![0]).toBe(code)
    expect(found[0]![2]).toMatch(message)
  })
})
