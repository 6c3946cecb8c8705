import { createHash } from 'node:crypto'
import { sql, type Name, type SQL } from 'drizzle-orm'
import { pinyin, polyphonic } from 'pinyin-pro'
import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import { storageOf } from '../storage'
import type { EntityRecord } from '../calls'

/** How keys are made; another number has them made anew in all rows. */
export const KEYS_VERSION = 1

/** Letters of a text that are keyed; what stands behind them is found as it is written. */
const MOST_LETTERS = 40
/** Ways to read one text, and letters that are read in more than one way: those behind them are read as is usual beside each other. */
const MOST_READINGS = 48
const READ_OTHERWISE = 12
/** Words with fewer letters are looked for without a typing error. */
export const LEAST_LETTERS = 5
const MOST_WORDS = 8

const HAN = /\p{Script=Han}/u

/** A text by which people find a record, with the columns of its keys beside it. */
export interface KeyedField {
  readonly field: FieldModel
  /** How its Chinese is read and written in short: words between blanks. */
  readonly spoken: string
  /** Digests of its words with one letter left out: words between blanks. */
  readonly near: string
}

const fieldsOf = new WeakMap<EntityModel, readonly KeyedField[]>()

/** The fields of an entity that have keys. Each has columns of its own, so that who may not read it does not find by them. */
export function keyedFields(model: EntityModel): readonly KeyedField[] {
  const known = fieldsOf.get(model)
  if (known) return known
  const plain = (each: FieldModel): boolean =>
    each.field['x-search'] === true &&
    !each.field['x-searchWhole'] &&
    each.kind === 'string' &&
    each.sequence === undefined &&
    storageOf(each) === 'text' &&
    !each.internal
  const kept = model.document['x-partition'] === undefined && model.scope.kind !== 'staff'
  const found = kept
    ? model.stored.filter(plain).map((field) => ({ field, spoken: `${field.column}__spoken`, near: `${field.column}__near` }))
    : []
  fieldsOf.set(model, found)
  return found
}

/** Numbers of phones: looked for by a part of at least four digits, though lists do not search them. */
export const phoneFields = (model: EntityModel): readonly FieldModel[] =>
  model.document['x-partition'] === undefined && model.scope.kind !== 'staff'
    ? model.stored.filter((each) => each.kind === 'phone' && !each.many && !each.internal && storageOf(each) === 'text')
    : []

/** The digests of a column as a list, as its index has them. */
export const nearListSql = (column: SQL | Name): SQL => sql`string_to_array(${column}, ' ')`

/** The columns of keys that a row gets with the values of the named fields, by column. */
export function keysOfRow(model: EntityModel, record: EntityRecord, names?: ReadonlySet<string>): Record<string, string | null> {
  return Object.fromEntries(
    keyedFields(model)
      .filter(({ field }) => !names || names.has(field.name))
      .flatMap(({ field, spoken, near }) => {
        const value = record[field.name]
        const text = typeof value === 'string' ? value : ''
        return [
          [spoken, spokenKeys(text)],
          [near, nearKeys(text)],
        ]
      }),
  )
}

/** Every way in which a text with Chinese is read: its first letters, and the whole; null without Chinese. */
export function spokenKeys(text: string): string | null {
  if (!HAN.test(text)) return null
  const letters = [...text.normalize('NFKC').toLowerCase()].filter((letter) => /[\p{Script=Han}a-z0-9]/u.test(letter))
  const kept = letters.slice(0, MOST_LETTERS).join('')
  const usual = pinyin(kept, { toneType: 'none', type: 'array', v: true })
  const readings = polyphonic(kept, { toneType: 'none', type: 'array', v: true })
  let ways: readonly { first: string; whole: string }[] = [{ first: '', whole: '' }]
  usual.forEach((said, at) => {
    const all = [...new Set([said, ...(readings[at] ?? [])])]
    const those = at < READ_OTHERWISE && ways.length * all.length <= MOST_READINGS ? all : [said]
    ways = those.flatMap((one) => ways.map(({ first, whole }) => ({ first: first + one.slice(0, 1), whole: whole + one })))
  })
  const words = [...new Set([...ways.map(({ first }) => first), ...ways.map(({ whole }) => whole)])]
  // with a blank before each word: an index of trigrams knows where words begin
  return words.map((word) => ` ${word}`).join('')
}

/** The words of a text in which a typing error is forgiven. */
export const longWords = (text: string): string[] => [
  ...new Set(
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}+/gu, '')
      .split(/[^a-z]+/)
      .filter((word) => word.length >= LEAST_LETTERS),
  ),
]

/** Digests of a word and of it with one letter left out: two words one error apart have one in common. */
export function nearKeysOf(word: string): string[] {
  const without = [...word].map((_, at) => word.slice(0, at) + word.slice(at + 1))
  return [...new Set([word, ...without])].map((each) => createHash('md5').update(each).digest('base64url').slice(0, 6))
}

/** The same for all long words of a text; null for one without. */
export function nearKeys(text: string): string | null {
  const keys = longWords(text).slice(0, MOST_WORDS).flatMap(nearKeysOf)
  return keys.length === 0 ? null : [...new Set(keys)].join(' ')
}

/** Whether two words differ by one letter that is wrong, missing or too much, or by two that changed places. */
export function isOneErrorApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
}
