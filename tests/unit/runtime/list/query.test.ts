import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  foreignSearch,
  parseQuery,
  sameFilters,
  writeQuery,
  type FilterValue,
  type ListQuery,
} from '../../../../src/headless/list/query'
import type { FieldKind, FilterOperator } from '../../../../src/schema/model'
import { column, filter, listBody } from '../../../support/models'

const KINDS: readonly FieldKind[] = ['string', 'integer', 'boolean', 'decimal', 'date', 'dictionaries']
const body = listBody({
  columns: ['name', 'amount', 'city'].map((name) => column(name)),
  filters: KINDS.map((kind) => filter(kind, kind)),
  views: ['mine', 'all'].map((id) => ({ id, title: id, where: () => [], count: false })),
})
const scope = {}

const valueOf = (kind: FieldKind): fc.Arbitrary<unknown> => {
  if (kind === 'integer') return fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
  if (kind === 'boolean') return fc.boolean()
  if (kind === 'decimal') return fc.integer().map((n) => `${n}.5`)
  if (kind === 'date')
    return fc
      .date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
  return fc.string({ minLength: 1, unit: 'grapheme' })
}
const filterOf = (kind: FieldKind): fc.Arbitrary<FilterValue> => {
  const value = valueOf(kind)
  return fc.oneof(
    fc.constantFrom<FilterOperator>('empty', 'notEmpty').map((operator) => ({ operator })),
    fc.record({ operator: fc.constantFrom<FilterOperator>('eq', 'ne', 'contains', 'gte', 'lte'), value }),
    fc.record({
      operator: fc.constantFrom<FilterOperator>('in', 'notIn', 'overlaps'),
      value: fc.array(value, { minLength: 1, maxLength: 4 }),
    }),
    fc.tuple(fc.option(value), value).map(([from, to]) => ({ operator: 'between' as const, value: [from, to] })),
  )
}
const anyQuery: fc.Arbitrary<ListQuery> = fc
  .record({
    page: fc.integer({ min: 1, max: 5000 }),
    size: fc.option(fc.constantFrom(10, 50, 200), { nil: undefined }),
    view: fc.option(fc.constantFrom('mine', 'all'), { nil: undefined }),
    keyword: fc.string({ unit: 'grapheme' }),
    sort: fc.uniqueArray(
      fc.record({ field: fc.constantFrom('name', 'amount', 'city'), order: fc.constantFrom('asc' as const, 'desc' as const) }),
      { selector: (entry) => entry.field },
    ),
    filters: fc.record(Object.fromEntries(KINDS.map((kind) => [kind, filterOf(kind)])), { requiredKeys: [] }) as fc.Arbitrary<
      Record<string, FilterValue>
    >,
  })
  .map(({ size, view, ...rest }) => ({
    ...rest,
    ...(size === undefined ? {} : { size }),
    ...(view === undefined ? {} : { view }),
  }))

describe('the query of a list in the address', () => {
  it('comes back from the address as it was written', () => {
    fc.assert(
      fc.property(anyQuery, fc.constantFrom('', 'tab.'), (query, prefix) => {
        expect(parseQuery(body, writeQuery(body, query, '', scope, prefix), scope, prefix)).toEqual(query)
      }),
    )
  })

  it('keeps parameters of others and can be taken out again', () => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        const written = writeQuery(body, query, 'id=7&customer=a%26b', scope)
        expect(foreignSearch(body, written)).toBe('id=7&customer=a%26b')
      }),
    )
  })

  it('never fails on an address that somebody wrote by hand', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...KINDS), (text, kind) => {
        expect(() => parseQuery(body, `f.${kind}=${text}&sort=${text}&page=${text}&view=${text}`, scope)).not.toThrow()
      }),
    )
  })

  it('leaves out views, columns, operators and filters that are not there', () => {
    const query = parseQuery(body, 'view=gone&sort=secret.asc,name.desc&f.string=drop:x&f.other=eq:1&page=-3&size=99999', scope)
    expect(query).toEqual({ page: 1, keyword: '', sort: [{ field: 'name', order: 'desc' }], filters: {} })
  })

  it('remembers that a default filter was removed', () => {
    const defaulted = listBody({ filters: [filter('level', 'string', { operator: 'in', default: () => ['A'] })] })
    const opened = parseQuery(defaulted, '', scope)
    expect(opened.filters).toEqual({ level: { operator: 'in', value: ['A'] } })
    expect(writeQuery(defaulted, opened, '', scope)).toBe('')
    const removed = writeQuery(defaulted, { ...opened, filters: {} }, '', scope)
    expect(parseQuery(defaulted, removed, scope).filters).toEqual({})
  })

  it('takes a filter with nothing in it for no filter', () => {
    expect(sameFilters({ a: { operator: 'in', value: [] } }, {})).toBe(true)
    expect(sameFilters({ a: { operator: 'empty' } }, {})).toBe(false)
  })
})
