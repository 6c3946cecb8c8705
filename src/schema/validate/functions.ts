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

/** The refusal of a function with what says the same without code. */
export const withWay = (problem: Problem): Problem =>
  problem.code === 'forbidden-code' && problem.message.en === REFUSED.en
    ? { ...problem, message: told(wayAt(problem.at) ?? VALUE) }
    : problem

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
