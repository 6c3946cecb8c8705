import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileExpression } from '../../../../src/schema/expression'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { JsonObject } from '../../../../src/schema/overlay'
import { conditionFields, operatorsOf } from '../../../../src/widgets/page-designer/condition/fields'
import { Labels } from '../../../../src/widgets/page-designer/language/labels'
import { Language } from '../../../../src/widgets/page-designer/language/meta'
import type { TargetKind } from '../../../../src/widgets/page-designer/types'
import {
  isUnary,
  OPERATORS,
  parseTerms,
  printTerms,
  type Term,
  type Terms,
} from '../../../../src/widgets/page-designer/condition/terms'

const field = fc.constantFrom('$values.kind', '$values.a.b', 'row.amount', '$deps[0]', 'status', 'user.staffId')
const single = fc.oneof(
  fc.string({ maxLength: 12 }).filter((text) => !text.includes('{{')),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('{{ today }}', '{{ addDays(today, -6) }}', '{{ user.staffId }}', '{{ $values.other }}'),
)
const term: fc.Arbitrary<Term> = fc.constantFrom(...OPERATORS).chain((operator): fc.Arbitrary<Term> => {
  if (isUnary(operator)) return fc.record({ field, operator: fc.constant(operator) })
  const value = operator === 'in' || operator === 'notIn' ? fc.array(single, { minLength: 1, maxLength: 4 }) : single
  return fc.record({ field, operator: fc.constant(operator), value })
})
/** As the builder makes them: a group inside another one has several members and holds the other way. */
const terms: fc.Arbitrary<Terms> = fc.boolean().chain((any) =>
  fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: term },
        fc.record({ any: fc.constant(!any), members: fc.array(term, { minLength: 2, maxLength: 3 }) }),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((members): Terms => {
      const [only] = members
      return members.length > 1 || !only ? { any, members } : 'members' in only ? only : { any: false, members }
    }),
)

describe('conditions and expressions are two views of one value', () => {
  it('an expression made of conditions says them again, whatever they hold', () => {
    fc.assert(
      fc.property(terms, (given) => {
        const text = printTerms(given)
        expect(parseTerms(text)).toEqual(given)
        expect(printTerms(parseTerms(text)!)).toBe(text)
      }),
    )
  })

  it.each([
    ["{{ $values.kind === 'agent' }}", { any: false, members: [{ field: '$values.kind', operator: 'eq', value: 'agent' }] }],
    [
      "{{ includes(['a', 'b'], $values.mode) && (row.n > 3 || !row.done) }}",
      {
        any: false,
        members: [
          { field: '$values.mode', operator: 'in', value: ['a', 'b'] },
          {
            any: true,
            members: [
              { field: 'row.n', operator: 'gt', value: 3 },
              { field: 'row.done', operator: 'holdsNot' },
            ],
          },
        ],
      },
    ],
    ['{{ record.id }}', { any: false, members: [{ field: 'record.id', operator: 'holds' }] }],
    [
      '{{ row.createdBy === user.staffId }}',
      { any: false, members: [{ field: 'row.createdBy', operator: 'eq', value: '{{ user.staffId }}' }] },
    ],
    [undefined, { any: false, members: [] }],
  ])('%s', (text, expected) => {
    expect(parseTerms(text)).toEqual(expected)
  })

  it.each([
    '{{ $values.a > $values.b + 1 }}',
    "{{ stay?.status === 'open' }}",
    "{{ $values.kind == 'agent' }}",
    '{{ len(rows) > 2 }}',
    '{{ a && (b || (c && d)) }}',
    '{{ !(a && b) }}',
    "{{ x ? 'a' : 'b' }}",
    'No. {{ code }}',
    '{{ a &&',
    'true',
  ])('%s stays an expression', (text) => {
    expect(parseTerms(text)).toBeUndefined()
  })

  it('what the conditions say is what the expression answers', () => {
    const text = printTerms({
      any: false,
      members: [
        { field: 'row.kind', operator: 'notIn', value: ["it's", 'b}}'] },
        {
          any: true,
          members: [
            { field: 'row.n', operator: 'gte', value: -2 },
            { field: 'row.tags', operator: 'contains', value: 'new' },
          ],
        },
        { field: 'row.name', operator: 'notEmpty' },
      ],
    })
    const holds = (row: object): unknown => compileExpression(text ?? '', { roots: ['row'] })({ row }, undefined as never)
    expect(holds({ kind: 'c', n: -2, tags: [], name: 'x' })).toBe(true)
    expect(holds({ kind: 'c', n: -3, tags: ['new'], name: 'x' })).toBe(true)
    expect(holds({ kind: "it's", n: 5, tags: [], name: 'x' })).toBe(false)
    expect(holds({ kind: 'c', n: 5, tags: [], name: ' ' })).toBe(false)
  })
})

describe('the fields of a condition', () => {
  const form: JsonObject = {
    kind: 'form',
    schema: {
      type: 'object',
      properties: {
        tabs: {
          type: 'void',
          properties: {
            kind: {
              type: 'string',
              title: { zh: '类型', en: 'Kind' },
              enum: [{ label: { zh: '代理', en: 'Agent' }, value: 'agent' }, 'direct'],
            },
          },
        },
        rows: {
          type: 'array',
          title: 'Rows',
          items: { type: 'object', properties: { column: { type: 'void', properties: { amount: { type: 'number' } } } } },
        },
        company: { type: 'object', properties: { name: { type: 'string' } } },
      },
    },
  }
  const pathsAt = (document: JsonObject, kind: TargetKind, at: string): string[] =>
    conditionFields(
      { document, language: new Language(kind, document), labels: new Labels(document, {}, 'en'), dictionaries: {} },
      at,
      'en',
    ).map(({ path }) => path)

  it('are those of the form, groups left out, with what can be chosen in them', () => {
    expect(pathsAt(form, 'page', 'schema/properties/company/x-visible')).toEqual([
      '$values.kind',
      '$values.rows',
      '$values.company.name',
    ])
    const [kind] = conditionFields(
      { document: form, language: new Language('page', form), labels: new Labels(form, {}, 'en'), dictionaries: {} },
      'schema/properties/rows/x-visible',
      'en',
    )
    expect(kind).toMatchObject({
      label: 'Kind',
      options: [
        { value: 'agent', label: 'Agent' },
        { value: 'direct', label: 'direct' },
      ],
    })
    expect(operatorsOf(kind).slice(0, 4)).toEqual(['eq', 'ne', 'in', 'notIn'])
  })

  it('are those of its row first, in a cell', () => {
    expect(pathsAt(form, 'page', 'schema/properties/rows/items/properties/column/properties/amount/x-visible')[0]).toBe(
      '$record.amount',
    )
  })

  it('are the own ones in a rule, and those of the row in an action of rows', () => {
    const entity = { name: 'demo.thing', properties: { size: { type: 'integer', 'x-label': { zh: '大小', en: 'Size' } } } }
    const known = { 'demo.thing': entity as unknown as EntityDocument }
    const at = (document: JsonObject, kind: TargetKind, address: string): string[] =>
      conditionFields(
        { document, language: new Language(kind, document), labels: new Labels(document, known, 'en'), dictionaries: {} },
        address,
        'en',
      ).map(({ path }) => path)
    expect(at(entity, 'entity', 'x-rules/one/when')).toContain('size')
    expect(at({ kind: 'list', entity: 'demo.thing' }, 'page', 'rowActions/close/visible')).toContain('row.size')
    expect(at({ kind: 'detail', entity: 'demo.thing' }, 'page', 'header/actions/close/visible')).toContain('record.size')
    expect(at({ kind: 'list', entity: 'demo.thing' }, 'page', 'actions/add/visible')).toEqual([])
  })
})
