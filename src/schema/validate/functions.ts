import { pointer } from '../diagnosis'
import type { FormNode } from '../generated/page'
import type { BilingualText, Problem } from '../problem'
import type { Checker } from './checker'

/** What says the same without code, by the word at which functions are written. */
const WAYS: readonly (readonly [word: RegExp, way: BilingualText])[] = [
  [
    /\/x-reactions(?:\/\d+)?$/,
    {
      zh: '联动写作 { "dependencies": ["kind"], "when": "{{ $deps[0] === \'a\' }}", "fulfill": { "state": { "visible": true } } }。',
      en: 'A linkage is written as { "dependencies": ["kind"], "when": "{{ $deps[0] === \'a\' }}", "fulfill": { "state": { "visible": true } } }.',
    },
  ],
  [
    /\/(?:x-)?validator(?:\/\d+)?$/,
    {
      zh: '校验写作 [{ "pattern": "^[A-Z]+$", "message": "…" }, { "maximum": 100 }]；与其他字段有关的规则写在实体的 x-rules。',
      en: 'A check is written as [{ "pattern": "^[A-Z]+$", "message": "…" }, { "maximum": 100 }]; what reads other fields is a rule of the entity (x-rules).',
    },
  ],
  [
    /\/(?:dataSource|x-data-source)$/,
    {
      zh: '选项用 x-options 写明来自字典、实体、调用或其他行，例如 { "dictionary": "customerLevel" }。',
      en: 'Options come from a dictionary, an entity, a call or rows that x-options names, e.g. { "dictionary": "customerLevel" }.',
    },
  ],
  [
    /\/disabled(?:Date|Time)$/,
    {
      zh: '最早、最晚的日期用 "minDate"、"maxDate"，或规则 "x-validator": [{ "minimum": "{{ today }}" }]。',
      en: 'The first and the last day are "minDate" and "maxDate", or a rule: "x-validator": [{ "minimum": "{{ today }}" }].',
    },
  ],
  [
    /\/on[A-Z]\w*$/,
    { zh: '字段变化时做什么，写在 x-reactions。', en: 'What follows when a field changes is said by x-reactions.' },
  ],
]
const VALUE: BilingualText = {
  zh: '直接写出值，例如 {{ $values.amount * 2 }}。',
  en: 'Write the value itself, e.g. {{ $values.amount * 2 }}.',
}
const REFUSED: BilingualText = { zh: '表达式不能是函数。', en: 'An expression cannot be a function.' }

const wayAt = (at: string): BilingualText | undefined => WAYS.find(([word]) => word.test(at))?.[1]
const told = (way: BilingualText): BilingualText => ({ zh: `${REFUSED.zh}${way.zh}`, en: `${REFUSED.en} ${way.en}` })

const FOLLOWS: BilingualText = {
  zh: '默认值只在新建时算一次；跟随其他字段的值写在 x-value，例如 "x-value": "{{ $values.amount * 2 }}"。',
  en: 'A default is worked out once, for a new record; a value that follows other fields is x-value, e.g. "x-value": "{{ $values.amount * 2 }}".',
}
const SCOPE: BilingualText = {
  zh: '页面代码里的函数这里没有：选项用 x-options，联动用 x-reactions，跟随的值用 x-value，规则用 x-validator 或实体的 x-rules；可用的函数见 docs/expressions.md。',
  en: 'Functions from the code of a page are not there: choices are x-options, linkages x-reactions, values that follow x-value, rules x-validator or x-rules of the entity; what can be called stands in docs/expressions.md.',
}
/** Formily's helpers for code, none of which are there. */
const OF_CODE = /"\$(?:effect|memo|observable|props)"/

/** What a form says instead, by what is wrong in it. */
function instead({ code, at, message, hint }: Problem): BilingualText | undefined {
  if (!at.startsWith('/schema')) return undefined
  if (code === 'expression-root' && at.endsWith('/default') && message.en.includes('"$')) return FOLLOWS
  if (code === 'expression-root' && OF_CODE.test(message.en)) return SCOPE
  const unknown = code === 'expression-function' && message.en.startsWith('There is no function')
  return unknown && hint === undefined && !message.en.includes(' Write ') ? SCOPE : undefined
}

/** A refusal in a form with what says the same without code. */
export const withWay = (problem: Problem): Problem => {
  const way =
    problem.code === 'forbidden-code' && problem.message.en === REFUSED.en ? told(wayAt(problem.at) ?? VALUE) : instead(problem)
  if (!way) return problem
  if (problem.code === 'forbidden-code') return { ...problem, message: way }
  const { zh, en } = problem.message
  return { ...problem, message: { zh: `${zh}${way.zh}`, en: `${en} ${way.en}` } }
}

/** A function without braces; elsewhere a text that looks like one is a text. */
const FUNCTION = /^\s*(?:async\s*)?(?:function\b[^(]*\(|\(?[\w$,\s]*\)?\s*=>)/

/** Functions written as plain texts where Formily takes functions. */
export const checkFunctions = (checker: Checker, schema: FormNode): void => {
  const visit = (value: unknown, at: string): void => {
    if (typeof value === 'string') {
      const way = FUNCTION.test(value.slice(0, 200)) ? wayAt(at) : undefined
      if (way) checker.add('forbidden-code', at, told(way), { value: value.slice(0, 80) })
    } else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) visit(item, pointer(at, key))
  }
  visit(schema, '/schema')
}
