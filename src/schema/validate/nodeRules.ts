import { pointer } from '../diagnosis'
import { isExpression } from '../expression'
import { controlOfFormat } from '../controls'
import type { FormNode } from '../generated/page'
import type { BilingualText } from '../problem'
import type { Checker } from './checker'
import { checkNodeWords } from './nodeWords'

/** What a rule of a field may say, and the formats that may be named there. */
const RULES: ReadonlySet<string> = new Set([
  ...['required', 'format', 'pattern', 'enum', 'const', 'whitespace', 'validator', 'message', 'triggerType'],
  ...['len', 'max', 'min', 'maxLength', 'minLength', 'maxItems', 'minItems', 'uniqueItems', 'maxProperties', 'minProperties'],
  ...['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'multipleOf'],
])
const FORMATS: ReadonlySet<string> = new Set([
  ...['url', 'email', 'phone', 'ipv6', 'ipv4', 'number', 'integer', 'qq', 'idcard', 'money', 'zh', 'date', 'zip'],
])
/** The words of a linkage, and of what it does. */
const LINKAGE: ReadonlySet<string> = new Set(['dependencies', 'when', 'target', 'effects', 'fulfill', 'otherwise'])
const DEED: ReadonlySet<string> = new Set(['state', 'schema', 'run'])

const noRule = (word: string): BilingualText => ({ zh: `没有校验规则“${word}”。`, en: `There is no rule "${word}".` })
const noDeed = (word: string): BilingualText => ({ zh: `联动没有“${word}”这一项。`, en: `A linkage has no "${word}".` })

/** Words of an object that nobody would read: what they say would be left out in silence. */
function checkWords(
  checker: Checker,
  value: unknown,
  known: ReadonlySet<string>,
  at: string,
  sentence: (word: string) => BilingualText,
): void {
  if (typeof value !== 'object' || value === null) return
  for (const word of Object.keys(value))
    if (!known.has(word)) checker.add('invalid-shape', pointer(at, word), sentence(word), { value: word, known })
}

function checkFormat(checker: Checker, name: unknown, at: string): void {
  if (typeof name !== 'string' || FORMATS.has(name) || isExpression(name)) return
  const message = {
    zh: `没有格式“${name}”：请用 pattern 写正则表达式。`,
    en: `There is no format "${name}": write it as a pattern.`,
  }
  checker.add('invalid-shape', at, message, { value: name, known: FORMATS })
}

function checkRule(checker: Checker, rule: unknown, at: string): void {
  checkFormat(checker, rule, at)
  if (typeof rule !== 'object' || rule === null) return
  const { pattern, format, minimum, maximum } = rule as Readonly<Record<string, unknown>>
  for (const [word, bound] of Object.entries({ minimum, maximum })) checkBound(checker, bound, pointer(at, word))
  checker.pattern(pattern, pointer(at, 'pattern'))
  checkFormat(checker, format, pointer(at, 'format'))
  checkWords(checker, rule, RULES, at, noRule)
}

/** A day as a field of days holds it: bounds of rules may be days. */
const DAY = /^\d{4}-\d{2}-\d{2}$/

function checkBound(checker: Checker, bound: unknown, at: string): void {
  if (typeof bound !== 'string' || isExpression(bound) || DAY.test(bound)) return
  const message = {
    zh: '须是数字、表达式，或写成 2026-01-31 的日期。',
    en: 'It must be a number, an expression, or a day such as 2026-01-31.',
  }
  checker.add('invalid-shape', at, message, { value: bound })
}

function checkLinkage(checker: Checker, linkage: unknown, at: string): void {
  checkWords(checker, linkage, LINKAGE, at, noDeed)
  if (typeof linkage !== 'object' || linkage === null) return
  const { fulfill, otherwise } = linkage as { fulfill?: unknown; otherwise?: unknown }
  checkWords(checker, fulfill, DEED, pointer(at, 'fulfill'), noDeed)
  checkWords(checker, otherwise, DEED, pointer(at, 'otherwise'), noDeed)
}

/** Each of a list, or the one that stands alone. */
function each(value: unknown, at: string, check: (one: unknown, at: string) => void): void {
  if (Array.isArray(value)) value.forEach((one: unknown, index) => check(one, pointer(at, index)))
  else check(value, at)
}

/** Patterns, rules, formats and linkages of a node and of all below it, also of groups and of the entries of lists. */
export function checkNodeRules(checker: Checker, node: FormNode, at: string): void {
  checkNodeWords(checker, node, at)
  checker.pattern(node.pattern, pointer(at, 'pattern'))
  const format = node.$field === undefined ? node.format : undefined
  if (controlOfFormat(format) === undefined) checkFormat(checker, format, pointer(at, 'format'))
  each(node['x-validator'], pointer(at, 'x-validator'), (rule, where) => checkRule(checker, rule, where))
  each(node['x-reactions'], pointer(at, 'x-reactions'), (linkage, where) => checkLinkage(checker, linkage, where))
  for (const [name, child] of Object.entries(node.properties ?? {}))
    checkNodeRules(checker, child, pointer(at, 'properties', name))
  if (node.items) checkNodeRules(checker, node.items, pointer(at, 'items'))
}
