/** A column type, taken apart: `numeric(18, 4)[]` is base `numeric`, args 18 and 4, array. */
export interface ColumnType {
  base: string
  args: readonly number[]
  array: boolean
}

const ALIASES: Readonly<Record<string, string>> = {
  varchar: 'character varying',
  char: 'character',
  bpchar: 'character',
  int: 'integer',
  int2: 'smallint',
  int4: 'integer',
  int8: 'bigint',
  serial: 'integer',
  bigserial: 'bigint',
  smallserial: 'smallint',
  float4: 'real',
  float8: 'double precision',
  decimal: 'numeric',
  bool: 'boolean',
  timestamptz: 'timestamp with time zone',
  timetz: 'time with time zone',
  timestamp: 'timestamp without time zone',
  time: 'time without time zone',
}

/** Thousands of columns have a few dozen types. */
const parsed = new Map<string, ColumnType>()

/** Reads a type as drizzle or PostgreSQL writes it: `varchar(200)`, `timestamp (3) with time zone`, `text[]`. */
export function parseType(text: string): ColumnType {
  const known = parsed.get(text)
  if (known) return known
  const type = read(text)
  parsed.set(text, type)
  return type
}

function read(text: string): ColumnType {
  const array = text.endsWith('[]')
  const plain = text
    .replace(/(\[\])+$/, '')
    .trim()
    .toLowerCase()
  const args = /\(([\d\s,]+)\)/.exec(plain)?.[1]?.split(',').map(Number) ?? []
  const name = plain
    .replace(/\s*\([\d\s,]+\)/, '')
    .replace(/\s+/g, ' ')
    .trim()
  const base = ALIASES[name] ?? name
  // "numeric(10)" and "numeric(10,0)" are one type, and so are "character" and "character(1)".
  if (base === 'numeric' && args.length === 1) args.push(0)
  if (base === 'character' && args.length === 0) args.push(1)
  return { base, args, array }
}

export function formatType({ base, args, array }: ColumnType): string {
  const list = args.length > 0 ? `(${args.join(',')})` : ''
  const [head, ...rest] = base.split(' ')
  const text = base.startsWith('time') ? [`${head}${list}`, ...rest].join(' ') : base + list
  return array ? `${text}[]` : text
}

/**
 * What becomes of stored values when a column changes its type.
 * `same` nothing; `widens` every value stays as it is; `narrows` the values for which `lost` is true would be changed or
 * refused (SQL over the placeholder `$column`); `differs` another kind of value: only an empty column can change.
 */
export type TypeChange = { kind: 'same' } | { kind: 'widens' } | { kind: 'narrows'; lost: string } | { kind: 'differs' }

const SAME: TypeChange = { kind: 'same' }
const WIDENS: TypeChange = { kind: 'widens' }
const DIFFERS: TypeChange = { kind: 'differs' }

const INTEGERS: Readonly<Record<string, { digits: number; limit: string }>> = {
  smallint: { digits: 5, limit: '32767' },
  integer: { digits: 10, limit: '2147483647' },
  bigint: { digits: 19, limit: '9223372036854775807' },
}
const WRITTEN_AS_TEXT = new Set(['smallint', 'integer', 'bigint', 'numeric', 'uuid'])
const UNLIMITED = Number.POSITIVE_INFINITY

export function compareTypes(stored: ColumnType, wanted: ColumnType): TypeChange {
  if (formatType(stored) === formatType(wanted)) return SAME
  if (stored.array || wanted.array) {
    if (stored.array !== wanted.array) return DIFFERS
    // Elements cannot be tested one by one in a simple condition: only what loses nothing is done.
    return compareTypes({ ...stored, array: false }, { ...wanted, array: false }).kind === 'widens' ? WIDENS : DIFFERS
  }
  if (stored.base === 'jsonb' && wanted.base === 'json') return WIDENS
  return compareTexts(stored, wanted) ?? compareNumbers(stored, wanted) ?? compareTimes(stored, wanted) ?? DIFFERS
}

function compareTexts(stored: ColumnType, wanted: ColumnType): TypeChange | undefined {
  const room = (type: ColumnType) =>
    type.base === 'text' ? UNLIMITED : type.base === 'character varying' ? (type.args[0] ?? UNLIMITED) : undefined
  const wantedRoom = room(wanted)
  if (wantedRoom === undefined) return undefined
  if (wantedRoom === UNLIMITED && WRITTEN_AS_TEXT.has(stored.base)) return WIDENS
  const storedRoom = room(stored)
  if (storedRoom === undefined) return undefined
  return wantedRoom >= storedRoom ? WIDENS : { kind: 'narrows', lost: `length($column) > ${wantedRoom}` }
}

function compareNumbers(stored: ColumnType, wanted: ColumnType): TypeChange | undefined {
  const from = INTEGERS[stored.base]
  const to = INTEGERS[wanted.base]
  if (from && to) return to.digits > from.digits ? WIDENS : { kind: 'narrows', lost: `abs($column::numeric) > ${to.limit}` }
  if (from && wanted.base === 'numeric') {
    const whole = wholeDigits(wanted)
    return whole >= from.digits ? WIDENS : { kind: 'narrows', lost: `abs($column::numeric) >= 1e${whole}` }
  }
  if (stored.base === 'real' && wanted.base === 'double precision') return WIDENS
  if (from && stored.base !== 'bigint' && wanted.base === 'double precision') return WIDENS
  if (stored.base !== 'numeric') return undefined
  if (to) return { kind: 'narrows', lost: `($column <> trunc($column) or abs($column) > ${to.limit})` }
  if (wanted.base !== 'numeric') return undefined
  const scale = wanted.args[1] ?? UNLIMITED
  if (wholeDigits(wanted) >= wholeDigits(stored) && scale >= (stored.args[1] ?? UNLIMITED)) return WIDENS
  return {
    kind: 'narrows',
    lost: `(round($column, ${scale}) <> $column or abs(round($column, ${scale})) >= 1e${wholeDigits(wanted)})`,
  }
}

function wholeDigits({ args: [precision, scale = 0] }: ColumnType): number {
  return precision === undefined ? UNLIMITED : precision - scale
}

function compareTimes(stored: ColumnType, wanted: ColumnType): TypeChange | undefined {
  if (stored.base !== wanted.base || !stored.base.startsWith('time')) return undefined
  const digits = wanted.args[0] ?? 6
  return digits >= (stored.args[0] ?? 6)
    ? WIDENS
    : { kind: 'narrows', lost: `$column::${formatType(wanted)}::${stored.base} <> $column` }
}
