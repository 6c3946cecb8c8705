import { sql, type SQL } from 'drizzle-orm'
import { VALIDITY, type EntityModel, type FieldModel } from '../../../src/schema/entity'
import type { FilterOperator, QueryCondition } from '../../../src/schema/model'
import type { Locale, Text } from '../../platform/http'
import { allOf, clauseSql, escapeLike, textArray, type Clause } from '../clause'
import { badRequest, shorten, unknownName } from '../errors'
import { isTextList, storageOf, type Storage } from '../storage'
import { columnSql } from '../tables'
import { operatorsOf } from './operators'

/** What a condition is read against. */
export interface QueriedTable {
  model: EntityModel
  alias: string
  locale: Locale
  /** IANA zone in which a calendar day of a moment is counted. */
  timeZone: string
  /** May the caller filter by this field? A masked or hidden one would give its value away. */
  searchable: (field: string) => boolean
  /** What has to hold of a row besides, before it may be found by this field; the field is no order then. */
  only?: (field: string) => SQL | undefined
  /** Fields kept by the server may be named (views and services, never callers). */
  internal?: boolean
  /** Whether rows are future, live or past, where the entity knows (`x-effective`). */
  validity?: (alias: string) => SQL
  /** One step through a reference, its record under the alias `as`; nothing when the field is none. */
  behind?: (alias: string, field: FieldModel, as: string) => StepBehind | undefined
}

/** Where the record of a reference is read, and how it stands beside the row that refers to it. */
export interface StepBehind {
  queried: QueriedTable
  /** The table of the record, under its alias. */
  table: SQL
  /** The record is the one that is referred to, is there, and is in the caller's reach. */
  reach: Clause
}

/** Values of one `in` list. */
const MOST_VALUES = 1_000
const LONGEST_TEXT = 1_000
/** Half of a character: no database text can hold it. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** One condition as SQL; all values are bound. Refuses (10010001) unknown fields and operators and values of another type. */
export function conditionSql(
  queried: QueriedTable,
  condition: QueryCondition | { field: string; operator?: FilterOperator; value?: unknown },
): SQL {
  const dot = typeof condition.field === 'string' ? condition.field.indexOf('.') : -1
  if (dot > 0) return behindSql(queried, condition, condition.field.slice(0, dot), condition.field.slice(dot + 1))
  const validity = validityOf(queried, condition.field)
  const field = validity?.field ?? filterField(queried, condition.field)
  const operators = operatorsOf(field)
  const operator = condition.operator ?? operators[0]!
  if (!operators.includes(operator)) {
    throw refuse(queried, field, {
      zh: `“${field.label.zh}”不支持条件“${shorten(operator)}”，可用：${operators.join('、')}。`,
      en: `"${field.label.en}" cannot be asked for "${shorten(operator)}"; possible: ${operators.join(', ')}.`,
    })
  }
  const column = validity?.column ?? columnSql(queried.alias, field)
  const asked = askSql(queried, field, column, operator, condition.value)
  const only = queried.only?.(field.name)
  return only ? sql`(${asked} and ${only})` : asked
}

function validityOf(queried: QueriedTable, name: unknown): { field: FieldModel; column: SQL } | undefined {
  const field = name === VALIDITY ? queried.model.fields.get(VALIDITY) : undefined
  return field?.origin === 'effective' && queried.validity ? { field, column: queried.validity(queried.alias) } : undefined
}

const MOST_STEPS = 3
/** What also holds where there is no value: the opposite of what a record has to meet. */
const WITHOUT_VALUE: Partial<Record<FilterOperator, FilterOperator>> = { empty: 'notEmpty', ne: 'eq', notIn: 'in' }

/**
 * A condition on a field behind a reference. The rights of every step hold: the reference and the field may be asked for, and of
 * records out of the caller's reach there is no value, just as in the columns of a list.
 */
function behindSql(
  queried: QueriedTable,
  condition: { operator?: FilterOperator; value?: unknown },
  name: string,
  rest: string,
): SQL {
  const reference = filterField(queried, name)
  const step = stepBehind(queried, reference, rest, `${queried.alias}_via`)
  const opposite = condition.operator && WITHOUT_VALUE[condition.operator]
  const inside = conditionSql(step.queried, { ...condition, field: rest, operator: opposite ?? condition.operator })
  const found = sql`exists (select from ${step.table} where ${clauseSql(allOf([step.reach, inside]))})`
  return opposite ? sql`not ${found}` : found
}

/** The step through a reference to the `rest` of a path. @throws ServiceError 10010001 when there is none, or too many follow */
export function stepBehind(queried: QueriedTable, reference: FieldModel, rest: string, as: string): StepBehind {
  const step = reference.kind === 'ref' ? queried.behind?.(queried.alias, reference, as) : undefined
  if (step && rest.split('.').length <= MOST_STEPS) return step
  throw refuse(queried, reference, {
    zh: `不能读取“${reference.label.zh}”后面的“${shorten(rest)}”：${step ? `最多 ${MOST_STEPS} 步` : '它不是引用字段'}。`,
    en: `"${shorten(rest)}" behind "${reference.label.en}" cannot be read: ${step ? `at most ${MOST_STEPS} steps` : 'it is no reference'}.`,
  })
}

function askSql(queried: QueriedTable, field: FieldModel, column: SQL, operator: FilterOperator, value: unknown): SQL {
  if (operator === 'empty' || operator === 'notEmpty') return emptySql(field, column, operator === 'empty')
  return isTextList(field) ? listSql(queried, field, column, operator, value) : scalarSql(queried, field, column, operator, value)
}

/** The stored field of that name, when the caller may ask about it. */
export function filterField(queried: QueriedTable, name: unknown): FieldModel {
  const field = typeof name === 'string' ? queried.model.fields.get(name) : undefined
  if (!field || (field.internal && !queried.internal)) {
    const names = [...queried.model.fields.values()].filter((candidate) => !candidate.internal).map((candidate) => candidate.name)
    const shown = shorten(name)
    throw badRequest(queried.locale, unknownName({ zh: '字段', en: 'field' }, shown, names), shown)
  }
  if (field.storage !== 'stored') {
    throw refuse(queried, field, {
      zh: `“${field.label.zh}”在读取时计算，不能筛选或排序。`,
      en: `"${field.label.en}" is computed when it is read; it cannot be filtered or sorted by.`,
    })
  }
  if (!queried.searchable(field.name)) {
    throw refuse(queried, field, {
      zh: `您只能看到脱敏的“${field.label.zh}”，不能用它筛选或排序。`,
      en: `You see "${field.label.en}" only masked; it cannot be filtered or sorted by.`,
    })
  }
  return field
}

function emptySql(field: FieldModel, column: SQL, empty: boolean): SQL {
  const condition =
    storageOf(field) === 'json' ? sql`(${column} is null or ${column} in ('[]', '{}', 'null'))` : sql`${column} is null`
  return empty ? condition : sql`not (${condition})`
}

function listSql(queried: QueriedTable, field: FieldModel, column: SQL, operator: FilterOperator, value: unknown): SQL {
  const values = textArray(
    listOf(queried, field, Array.isArray(value) ? value : [value]).map((item) => textOf(queried, field, item)),
  )
  if (operator === 'contains') return sql`${column} ?& ${values}`
  const overlap = sql`${column} ?| ${values}`
  return operator === 'notIn' ? sql`not coalesce(${overlap}, false)` : overlap
}

function scalarSql(queried: QueriedTable, field: FieldModel, column: SQL, operator: FilterOperator, value: unknown): SQL {
  const storage = storageOf(field)
  switch (operator) {
    case 'contains':
      return sql`${column} ilike ${`%${escapeLike(textOf(queried, field, value))}%`}`
    case 'startsWith':
      return sql`${column} ilike ${`${escapeLike(textOf(queried, field, value))}%`}`
    case 'in':
    case 'notIn': {
      const values = listOf(queried, field, value).map((item) => String(scalarOf(queried, field, item)))
      const among = sql`${column} = any(${sql.param(values)}::${sql.raw(CAST[storage])}[])`
      return operator === 'in' ? among : sql`not coalesce(${among}, false)`
    }
    case 'between': {
      const [from, to, ...more] = Array.isArray(value) ? (value as unknown[]) : []
      if (!Array.isArray(value) || more.length > 0 || (isAbsent(from) && isAbsent(to))) {
        throw refuse(queried, field, {
          zh: `“${field.label.zh}”的区间须为 [从, 到]，可留空其中一个。`,
          en: `The range of "${field.label.en}" has to be [from, to]; one of them may be empty.`,
        })
      }
      const parts = [
        isAbsent(from) ? [] : [compare(queried, field, column, 'gte', from)],
        isAbsent(to) ? [] : [compare(queried, field, column, 'lte', to)],
      ].flat()
      return sql.join(parts, sql` and `)
    }
    case 'gte':
    case 'lte':
      return compare(queried, field, column, operator, value)
    case 'ne':
      return sql`${column} is distinct from ${bound(queried, field, value)}`
    default:
      return storage === 'timestamp' && isDay(value)
        ? sql`(${compare(queried, field, column, 'gte', value)} and ${compare(queried, field, column, 'lte', value)})`
        : sql`${column} = ${bound(queried, field, value)}`
  }
}

const CAST: Readonly<Record<Storage, string>> = {
  text: 'text',
  integer: 'bigint',
  numeric: 'numeric',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz',
  json: 'jsonb',
}

/** A moment compared with a calendar day means the whole day in the company's zone. */
function compare(queried: QueriedTable, field: FieldModel, column: SQL, operator: 'gte' | 'lte', value: unknown): SQL {
  if (storageOf(field) === 'timestamp' && isDay(value)) {
    scalarOf(queried, field, value)
    const days = operator === 'gte' ? 0 : 1
    const edge = sql`((${value as string}::date + ${sql.raw(String(days))})::timestamp at time zone ${queried.timeZone})`
    return operator === 'gte' ? sql`${column} >= ${edge}` : sql`${column} < ${edge}`
  }
  return operator === 'gte'
    ? sql`${column} >= ${bound(queried, field, value)}`
    : sql`${column} <= ${bound(queried, field, value)}`
}

function bound(queried: QueriedTable, field: FieldModel, value: unknown): SQL {
  return sql`${scalarOf(queried, field, value)}::${sql.raw(CAST[storageOf(field)])}`
}

function isDay(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

function listOf(queried: QueriedTable, field: FieldModel, value: unknown): unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= MOST_VALUES) return value
  throw refuse(queried, field, {
    zh: `“${field.label.zh}”的条件须为列表，含 1 至 ${MOST_VALUES} 个值。`,
    en: `The condition on "${field.label.en}" needs a list of 1 to ${MOST_VALUES} values.`,
  })
}

/** The value as PostgreSQL reads it after the cast; refuses what the cast would not take. */
function scalarOf(queried: QueriedTable, field: FieldModel, value: unknown): string | number | boolean {
  const storage = storageOf(field)
  if (storage === 'boolean') {
    if (typeof value === 'boolean') return value
  } else if (storage === 'text') return textOf(queried, field, value)
  else if (storage === 'integer' || storage === 'numeric') {
    const text = typeof value === 'number' ? String(value) : value
    const shape = storage === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,30}(?:\.\d{1,20})?$/
    if (typeof text === 'string' && shape.test(text)) return text
  } else if (typeof value === 'string' && isMoment(storage, value)) return value
  throw refuse(queried, field, {
    zh: `“${field.label.zh}”的值“${shorten(value)}”类型不对，应为${EXPECTED[storage].zh}。`,
    en: `The value "${shorten(value)}" of "${field.label.en}" has the wrong type; expected ${EXPECTED[storage].en}.`,
  })
}

const EXPECTED: Readonly<Record<Storage, Text>> = {
  text: { zh: '文本', en: 'a text' },
  integer: { zh: '整数', en: 'a whole number' },
  numeric: { zh: '数字', en: 'a number' },
  boolean: { zh: 'true 或 false', en: 'true or false' },
  date: { zh: '日期 YYYY-MM-DD', en: 'a date YYYY-MM-DD' },
  timestamp: { zh: '日期或 ISO 8601 时间', en: 'a date or an ISO 8601 time' },
  json: { zh: '列表', en: 'a list' },
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-5]):\d{2}))?$/

function isMoment(storage: Storage, value: string): boolean {
  const parts = ISO.exec(value)
  if (!parts || (storage === 'date' && value.length !== 10)) return false
  const [, year, month, day] = parts.map(Number) as [number, number, number, number]
  const made = new Date(Date.UTC(year, month - 1, day))
  return year >= 1 && made.getUTCMonth() === month - 1 && made.getUTCDate() === day && !Number.isNaN(Date.parse(value))
}

/** A day that the calendar has, YYYY-MM-DD. */
export const isCalendarDay = (value: string): boolean => isMoment('date', value)

function textOf(queried: QueriedTable, field: FieldModel, value: unknown): string {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text === 'string' && text.length <= LONGEST_TEXT && !text.includes('\u0000') && !LONE_SURROGATE.test(text))
    return text
  throw refuse(queried, field, {
    zh: `“${field.label.zh}”的值须为不超过 ${LONGEST_TEXT} 个字符的文本。`,
    en: `The value of "${field.label.en}" has to be a text of at most ${LONGEST_TEXT} characters.`,
  })
}

function refuse(queried: QueriedTable, field: FieldModel, message: Text): Error {
  return badRequest(queried.locale, message, field.name)
}
