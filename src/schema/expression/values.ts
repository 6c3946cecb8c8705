/**
 * How evaluation touches values: own data members only, never a getter, a method or a prototype; operators on plain
 * values only, so that no `toString` or `valueOf` of anybody is ever called.
 */
import { Amount } from './amount'
import type { Call } from './call'
import { forbiddenName, isForbiddenName, LIMITS, NOWHERE, problemAt, type Span } from './problem'

/**
 * A window on an object that is not plain data (a form field): it answers the listed names and nothing else.
 * Never give the object itself to an expression.
 */
export class View {
  readonly #read: (name: string) => unknown
  readonly #names: ReadonlySet<string>

  constructor(names: ReadonlySet<string>, read: (name: string) => unknown) {
    this.#names = names
    this.#read = read
  }

  get(name: string): unknown {
    return this.#names.has(name) ? this.#read(name) : undefined
  }
}

const INDEX = /^(?:0|[1-9][0-9]*)$/

/** `target[key]` for an own data member; `undefined` where there is none. A member of every item for a list (`rows.id`). */
export function readMember(target: unknown, key: string, span: Span, call: Call): unknown {
  if (typeof target === 'object' && target !== null) {
    if (target instanceof View) return asData(target.get(key), key, span)
    if (!isPlain(target)) throw notData(key, span)
    const found = Object.getOwnPropertyDescriptor(target, key)
    if (found === undefined) return readMissing(target, key, span, call)
    if (found.get !== undefined || found.set !== undefined) throw notData(key, span)
    // read through the object and not from the descriptor: an observable has to notice it
    const value = asData((target as Record<string, unknown>)[key], key, span)
    if (value instanceof Amount) call.exact = true
    return value
  }
  if (typeof target === 'string') {
    if (key === 'length') return target.length
    return INDEX.test(key) ? target[Number(key)] : undefined
  }
  if (target === null || target === undefined) {
    throw problemAt(span, 'empty-object', {
      zh: `无法读取“${key}”：前面的值为空。可能为空时请写“?.${key}”。`,
      en: `"${key}" cannot be read, because what stands before it is empty. Where that may happen, write "?.${key}".`,
    })
  }
  if (typeof target === 'function') throw notData(key, span)
  return undefined
}

/**
 * A list, or an object right below `Object.prototype` (of any window) or below nothing. Instances of classes are closed:
 * from a React element or a form field, data members lead to the whole page.
 */
function isPlain(target: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(target)
  if (prototype === Object.prototype || prototype === null || Array.isArray(target)) return true
  return Object.getPrototypeOf(prototype) === null
}

function readMissing(target: object, key: string, span: Span, call: Call): unknown {
  if (Array.isArray(target)) {
    if (INDEX.test(key)) void target[Number(key)]
    else return readOfEach(target, key, span, call)
  } else {
    // lets an observable notice that somebody waits for this member; a plain object has nothing to run here
    if (!isForbiddenName(key)) void (target as Record<string, unknown>)[key]
  }
  return undefined
}

function readOfEach(list: readonly unknown[], key: string, span: Span, call: Call): unknown[] {
  const items = itemsOf(list, call)
  return items.map((item) => (item === null || item === undefined ? undefined : readMember(item, key, span, call)))
}

/** A key that was computed: names and numbers only. */
export function toKey(value: unknown, span: Span): string {
  if (typeof value === 'string') {
    if (isForbiddenName(value)) throw forbiddenName(span, value)
    return value
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) return String(value)
  throw problemAt(span, 'not-primitive', { zh: '只能用文本或数字作为键。', en: 'Only a text or a number can be a key.' })
}

function asData(value: unknown, key: string, span: Span): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw notData(key, span)
  return value
}

function notData(key: string, span: Span): Error {
  return problemAt(span, 'not-data', {
    zh: `“${key}”不是数据，表达式不能使用。`,
    en: `"${key}" is not data: an expression cannot use it.`,
  })
}

/** The items of a list as they are now, holes as `undefined`; getters are not called. Costs a step an item. */
export function itemsOf(list: readonly unknown[], call: Call): unknown[] {
  const length = list.length
  call.charge(length)
  const items: unknown[] = new Array<unknown>(length)
  for (let index = 0; index < length; index += 1) {
    const found = Object.getOwnPropertyDescriptor(list, index)
    if (found === undefined) continue
    if (found.get !== undefined || found.set !== undefined) throw notData(String(index), NOWHERE)
    items[index] = asData(list[index], String(index), NOWHERE)
  }
  // holes become undefined, as the indexed reading of JavaScript has it
  return Array.from(items)
}

/** The own enumerable data members of a plain object, forbidden names left out. Costs a step a member. */
export function entriesOf(value: object, call: Call): [string, unknown][] {
  if (value instanceof View) return []
  const names = Object.keys(value)
  call.charge(names.length)
  return names
    .filter((name) => !isForbiddenName(name))
    .map((name) => [name, readMember(value, name, NOWHERE, call)] as [string, unknown])
}

type Primitive = string | number | boolean | null | undefined

/** Refuses objects where JavaScript would call their `valueOf` or `toString`. */
export function primitive(value: unknown, span: Span): Primitive {
  if (
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    value === null ||
    value === undefined
  ) {
    return value
  }
  if (value instanceof Amount) return value.text
  const what = Array.isArray(value) ? { zh: '列表', en: 'a list' } : { zh: '对象', en: 'an object' }
  throw problemAt(span, 'not-primitive', {
    zh: `此处需要文本或数字，却是${what.zh}。`,
    en: `A text or a number is needed here, not ${what.en}.`,
  })
}

/** Text that stays within its limit. */
export function limitedText(value: string, span: Span = NOWHERE): string {
  if (value.length <= LIMITS.text) return value
  throw problemAt(span, 'too-large', {
    zh: `结果文本过长（最多 ${LIMITS.text} 个字符）。`,
    en: `The resulting text is too long (at most ${LIMITS.text} characters).`,
  })
}

/** Checks the length of a list that is about to be made. */
export function limitedItems(length: number, span: Span = NOWHERE): void {
  if (length <= LIMITS.items) return
  throw problemAt(span, 'too-large', {
    zh: `结果列表过长（最多 ${LIMITS.items} 项）。`,
    en: `The resulting list is too long (at most ${LIMITS.items} items).`,
  })
}

/** A value inside a text: '' for nothing, lists joined with commas. */
export function textOf(value: unknown, span: Span, call: Call): string {
  if (!Array.isArray(value)) return plainText(primitive(value, span))
  return itemsOf(value, call)
    .map((item) => plainText(primitive(item, span)))
    .join(',')
}

/** A plain value inside a text. What is empty is empty there, and so is what could not be reckoned: never "undefined" or "NaN". */
export function plainText(value: Primitive): string {
  return value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value)) ? '' : String(value)
}
