import { describe, expect, it } from 'vitest'
import { compareTypes, formatType, parseType } from '../../../../../gateway/platform/database/migrate/columnType'

const compare = (stored: string, wanted: string) => compareTypes(parseType(stored), parseType(wanted))

describe('column types', () => {
  it.each([
    ['varchar(20)', 'character varying(20)'],
    ['timestamp (3) with time zone', 'timestamp(3) with time zone'],
    ['numeric(10)', 'numeric(10,0)'],
    ['bigserial', 'bigint'],
    ['text[]', 'text[]'],
    ['double precision', 'float8'],
    ['timestamp', 'timestamp without time zone'],
    ['char', 'character(1)'],
  ])('%s and %s are the same', (one, other) => {
    expect(compare(one, other)).toEqual({ kind: 'same' })
    expect(formatType(parseType(one))).toBe(formatType(parseType(other)))
  })

  it.each([
    ['varchar(20)', 'varchar(21)'],
    ['varchar(20)', 'text'],
    ['varchar', 'text'],
    ['text', 'varchar'],
    ['smallint', 'bigint'],
    ['integer', 'numeric(10,0)'],
    ['integer', 'numeric'],
    ['integer', 'double precision'],
    ['bigint', 'text'],
    ['uuid', 'text'],
    ['numeric(10,2)', 'numeric(12,4)'],
    ['numeric(10,2)', 'numeric'],
    ['timestamp(3) with time zone', 'timestamp with time zone'],
    ['real', 'double precision'],
    ['varchar(5)[]', 'text[]'],
  ])('%s -> %s keeps every value', (stored, wanted) => {
    expect(compare(stored, wanted)).toEqual({ kind: 'widens' })
  })

  it.each([
    ['text', 'varchar(5)', 'length($column) > 5'],
    ['varchar(20)', 'varchar(5)', 'length($column) > 5'],
    ['bigint', 'integer', 'abs($column::numeric) > 2147483647'],
    ['integer', 'numeric(5,2)', 'abs($column::numeric) >= 1e3'],
    ['numeric(10,2)', 'numeric(10,4)', '(round($column, 4) <> $column or abs(round($column, 4)) >= 1e6)'],
    ['numeric(10,2)', 'bigint', '($column <> trunc($column) or abs($column) > 9223372036854775807)'],
    [
      'timestamp with time zone',
      'timestamp(0) with time zone',
      '$column::timestamp(0) with time zone::timestamp with time zone <> $column',
    ],
  ])('%s -> %s asks which values are lost', (stored, wanted, lost) => {
    expect(compare(stored, wanted)).toEqual({ kind: 'narrows', lost })
  })

  it.each([
    ['text', 'integer'],
    ['text', 'jsonb'],
    ['bigint', 'double precision'],
    ['timestamp with time zone', 'timestamp'],
    ['date', 'timestamp with time zone'],
    ['text', 'text[]'],
    ['text[]', 'varchar(5)[]'],
    ['boolean', 'integer'],
  ])('%s -> %s is another kind of value', (stored, wanted) => {
    expect(compare(stored, wanted)).toEqual({ kind: 'differs' })
  })
})
