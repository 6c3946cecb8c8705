import pg from 'pg'

/** Type numbers of pg_type that the gateway reads differently from node-postgres. They are fixed in PostgreSQL. */
const OID = {
  int8: 20,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  interval: 1186,
  int8Array: 1016,
  numericArray: 1231,
  timestampArray: 1115,
  dateArray: 1182,
  timestamptzArray: 1185,
  intervalArray: 1187,
} as const

/** The text of an array is read the same for every element type; node-postgres's table of names leaves this one out. */
const TEXT_ARRAY: number = 1009

type Parse = (text: string) => unknown

const asIs: Parse = (text) => text

/** A number where it is exact, the digits as a string where a number would lie. */
function readInt8(text: string): number | string {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

/** `2026-11-21 03:20:49.1+00` -> `2026-11-21T03:20:49.100Z`; microseconds stay when there are any. */
export function readTimestamptz(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(text)
  if (match) return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0')}Z`
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString()
}

function readArray(parse: Parse): Parse {
  const elements = pg.types.getTypeParser(TEXT_ARRAY, 'text') as (text: string) => (string | null | unknown[])[]
  const walk = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(walk) : typeof value === 'string' ? parse(value) : value
  return (text) => walk(elements(text))
}

const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [OID.int8, readInt8],
  [OID.date, asIs],
  [OID.timestamp, asIs],
  [OID.timestamptz, readTimestamptz],
  [OID.interval, asIs],
  [OID.int8Array, readArray(readInt8)],
  [OID.numericArray, readArray(asIs)],
  [OID.timestampArray, readArray(asIs)],
  [OID.dateArray, readArray(asIs)],
  [OID.timestamptzArray, readArray(readTimestamptz)],
  [OID.intervalArray, readArray(asIs)],
])

/** How values leave the database: the `types` of every connection. See index.ts, "Values". */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    const parser = format === 'binary' ? undefined : PARSERS.get(oid)
    return parser ?? (pg.types.getTypeParser(oid, format) as Parse)
  }) as typeof pg.types.getTypeParser,
}
