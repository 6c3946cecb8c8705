import { PgDialect } from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allOf, anyOf, clauseSql, escapeLike } from '../../../../gateway/entities/clause'
import { conditionSql } from '../../../../gateway/entities/query/condition'
import { operatorsOf } from '../../../../gateway/entities/query/operators'
import { ServiceError } from '../../../../gateway/platform/http'
import { compileEntity } from '../../../../src/schema/entity'
import type { FilterOperator } from '../../../../src/schema/model'
import { client } from '../../../fixtures/entities/documents'

const dialect = new PgDialect()
const model = compileEntity(client)
const queried = { model, alias: 't', locale: 'en' as const, timeZone: 'Asia/Shanghai', searchable: () => true }

const text = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom("'; drop table x; --", '" or 1=1', '$1', '%', '_', '\\', ''))
const value = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 4 }),
  fc.tuple(fc.integer(), fc.integer()),
  fc.jsonValue(),
)

describe('conditions as SQL', () => {
  it('hold nothing of a value in their text: values are parameters, names come from the document (any field, operator, value)', () => {
    const shapes = new Map<string, string>()
    fc.assert(
      fc.property(fc.constantFrom(...model.stored.filter((field) => !field.internal)), fc.nat(), value, (field, pick, given) => {
        const operators = operatorsOf(field)
        const operator = operators[pick % operators.length]!
        let statement: { sql: string; params: unknown[] }
        try {
          statement = dialect.sqlToQuery(conditionSql(queried, { field: field.name, operator, value: given }))
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError)
          return
        }
        // only letters of our own templates, quoted names and numbered parameters
        expect(statement.sql).toMatch(/^[a-z0-9_ "$.:()=<>?|&+[\],'{}-]+$/)
        const quoted = [...statement.sql.matchAll(/'([^']*)'/g)].map((match) => match[1])
        expect(quoted.every((literal) => ['[]', '{}', 'null'].includes(literal!))).toBe(true)
        // and the same text for every value of the same shape
        const shape = `${field.name} ${operator} ${typeof given} ${Array.isArray(given) ? given.map((item) => item === null || item === '').join() : ''} ${typeof given === 'string' && /^\d{4}-\d\d-\d\d$/.test(given)}`
        expect(statement.sql).toBe(shapes.get(shape) ?? statement.sql)
        shapes.set(shape, statement.sql)
      }),
      { numRuns: 2000 },
    )
  })

  it('refuse any field name that the document does not have, and those kept by the server', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.constantFrom('nameKey', 'deletedAt', '__proto__', 'constructor', 'toString', 'name"', 'id; --'),
          // a request may hold any JSON where a name belongs, also an object that cannot become a text
          fc.jsonValue(),
          fc.constant({ toString: false }),
        ),
        (given) => {
          const name = given as string
          const known = model.fields.get(name)
          if (known && !known.internal && known.storage === 'stored') return
          expect(() => conditionSql(queried, { field: name, operator: 'eq' as FilterOperator, value: 'x' })).toThrow(ServiceError)
        },
      ),
    )
  })

  it('refuse any operator that the field does not have, whatever a request holds in its place', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.jsonValue(), fc.constant({ toString: false })), (given) => {
        fc.pre(given !== null && !operatorsOf(model.fields.get('phone')!).includes(given as FilterOperator))
        expect(() => conditionSql(queried, { field: 'phone', operator: given as FilterOperator, value: 'x' })).toThrow(
          ServiceError,
        )
      }),
    )
  })

  it('refuse fields that the caller sees masked', () => {
    expect(() =>
      conditionSql({ ...queried, searchable: (field) => field !== 'phone' }, { field: 'phone', operator: 'eq', value: '1' }),
    ).toThrow(/masked/)
  })
})

describe('clauses', () => {
  it('fall away where they are known', () => {
    expect(allOf([true, true])).toBe(true)
    expect(allOf([true, false])).toBe(false)
    expect(anyOf([false, false])).toBe(false)
    expect(anyOf([])).toBe(false)
    expect(anyOf([false, true])).toBe(true)
    expect(dialect.sqlToQuery(clauseSql(false)).sql).toBe('false')
  })

  it('escape what LIKE would read as a pattern', () => {
    fc.assert(
      fc.property(fc.string(), (phrase) => {
        expect(escapeLike(phrase).replace(/\\([\\%_])/g, '$1')).toBe(phrase)
        expect(/(?<!\\)(?:\\\\)*[%_]/.test(escapeLike(phrase))).toBe(false)
      }),
    )
  })
})
