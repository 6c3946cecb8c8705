/** What the parser says, in both languages. */
import { LIMITS, problemAt, type Span } from './problem'

export function tooDeep(span: Span): Error {
  return problemAt(span, 'too-deep', {
    zh: `表达式嵌套过深（最多 ${LIMITS.depth} 层），请拆成几个字段。`,
    en: `The expression is nested too deeply (at most ${LIMITS.depth} levels): split it over several fields.`,
  })
}

export function unexpected(span: Span, what: string, wanted?: string): Error {
  return problemAt(span, 'unexpected-token', {
    zh: wanted ? `此处应为“${wanted}”，却是“${what}”。` : `此处不应出现“${what}”。`,
    en: wanted ? `"${wanted}" is expected here, not "${what}".` : `"${what}" is not expected here.`,
  })
}

export function refusedMark(span: Span, mark: string): Error {
  if (mark === '//' || mark === '/*') {
    return problemAt(span, 'forbidden-syntax', { zh: '表达式中不能写注释。', en: 'Comments cannot be written in an expression.' })
  }
  if (mark.endsWith('=')) {
    return problemAt(
      span,
      'forbidden-syntax',
      {
        zh: `表达式不能赋值（“${mark}”）。比较请用“===”。`,
        en: `An expression cannot assign ("${mark}"). To compare, write "===".`,
      },
      '===',
    )
  }
  return problemAt(span, 'forbidden-syntax', {
    zh: `表达式语言不支持“${mark}”。`,
    en: `"${mark}" is not part of the expression language.`,
  })
}

/** What says the same as a word of JavaScript. */
const WORDS: Readonly<Record<string, string>> = {
  new: 'today, now, addDays(today, 1)',
  typeof: 'isEmpty(value)',
  in: 'includes(list, item)',
  if: 'a ? b : c',
  function: 'map(rows, r => r.name)',
  for: 'map(rows, r => r.name)',
}

export function refusedWord(token: Span & { value: string }): Error {
  const way = Object.hasOwn(WORDS, token.value) ? WORDS[token.value] : undefined
  return problemAt(token, 'forbidden-syntax', {
    zh: `表达式语言不支持“${token.value}”。${way === undefined ? '' : `请写 ${way}。`}`,
    en: `"${token.value}" is not part of the expression language.${way === undefined ? '' : ` Write ${way}.`}`,
  })
}

/** The portal's functions for methods that people know from JavaScript and from date libraries, by the name after the last dot. */
const METHODS: Readonly<Record<string, string>> = {
  reduce: 'sum(rows, r => r.amount)',
  map: 'map(rows, r => r.name)',
  forEach: 'map(rows, r => r.name)',
  flatMap: 'map(rows, r => r.name)',
  filter: 'filter(rows, r => r.active)',
  find: 'find(rows, r => r.main)',
  findIndex: 'find(rows, r => r.main)',
  some: 'some(rows, r => r.main)',
  every: 'every(rows, r => r.done)',
  includes: 'includes(listOrText, item)',
  indexOf: 'includes(listOrText, item)',
  sort: 'sortBy(rows, r => r.day)',
  slice: 'slice(listOrText, start, end)',
  substring: 'slice(text, start, end)',
  substr: 'slice(text, start, end)',
  concat: 'concat(a, b)',
  join: "join(list, ', ')",
  split: "split(text, ',')",
  replace: "replaceAll(text, 'a', 'b')",
  replaceAll: "replaceAll(text, 'a', 'b')",
  match: "includes(text, 'a')",
  test: "includes(text, 'a')",
  trim: 'trim(text)',
  startsWith: "startsWith(text, 'a')",
  endsWith: "endsWith(text, 'a')",
  toUpperCase: 'upper(text)',
  toLowerCase: 'lower(text)',
  toString: 'string(value)',
  toFixed: 'round(value, 2)',
  toLocaleString: "format(value, 'decimal')",
  toISOString: 'date(value)',
  parseInt: 'number(value)',
  parseFloat: 'number(value)',
  isNaN: 'isEmpty(value)',
  keys: 'keys(object)',
  values: 'values(object)',
  round: 'round(value, 2)',
  floor: 'floor(value)',
  ceil: 'ceil(value)',
  abs: 'abs(value)',
  min: 'min(a, b)',
  max: 'max(a, b)',
  pow: 'pow(a, b)',
  getFullYear: 'year(date)',
  getMonth: 'month(date)',
  getDay: 'weekday(date)',
  getTime: 'days(from, to)',
  now: 'now',
  add: 'addDays(date, 1)',
  subtract: 'addDays(date, -1)',
  diff: 'days(from, to)',
  format: "format(value, 'date')",
  isBefore: 'a < b',
  isAfter: 'a > b',
}
/** Functions of JavaScript and of libraries, by their own name. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  Number: 'number(value)',
  parseInt: 'number(value)',
  parseFloat: 'number(value)',
  String: 'string(value)',
  Boolean: 'boolean(value)',
  Date: 'today, now, addDays(today, 1)',
  dayjs: "today, addDays(today, 1), format(date, 'date')",
  moment: "today, addDays(today, 1), format(date, 'date')",
  isNaN: 'isEmpty(value)',
  today: 'today',
  now: 'now',
}
const known = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** The portal's own way for a function of JavaScript, or undefined. */
export const functionFor = (name: string): string | undefined => known(FUNCTIONS, name)

/** Something that is no function was called: a method of a value. */
export function notCallable(span: Span, text: string, method: string | undefined): Error {
  const way = (method === undefined ? undefined : known(METHODS, method)) ?? 'len(name)'
  return problemAt(span, 'forbidden-syntax', {
    zh: `不能调用“${text}”：只能调用列出的函数，例如 ${way}。`,
    en: `"${text}" cannot be called: only the listed functions can, for example ${way}.`,
  })
}

/** Refusals that need no names. */
export const refusals = {
  empty: { zh: '表达式是空的。', en: 'The expression is empty.' },
  arrowOutsideCall: {
    zh: '箭头函数只能作为函数的参数，例如 map(rows, r => r.name)。',
    en: 'An arrow function may only be an argument of a function, for example map(rows, r => r.name).',
  },
  arrowBody: {
    zh: '箭头函数不能有函数体，请直接写一个表达式；要返回对象请加圆括号。',
    en: 'An arrow function cannot have a body: write one expression; put an object into round brackets.',
  },
  tag: { zh: '不能在模板文本前加标签。', en: 'Template texts cannot be tagged.' },
  regularExpression: {
    zh: '不能使用正则表达式，请用 includes、startsWith 等函数。',
    en: 'Regular expressions cannot be used: use includes, startsWith and the like.',
  },
  spreadArgument: {
    zh: '函数的参数不能用“...”展开，请直接传入列表。',
    en: 'Arguments cannot be spread with "...": give the list itself.',
  },
}
