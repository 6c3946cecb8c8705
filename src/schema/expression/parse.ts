/** Texts of a schema -> expressions: finds the `{{ }}` in them and parses what is inside. */
import type { Expression, Node, TemplateNode } from './ast'
import { parseSource } from './parser'
import { ExpressionError, LIMITS, locate, NOWHERE, problemAt, type ExpressionProblem } from './problem'
import { findClosing } from './scan'

export type ParseResult = { ok: true; expression: Expression } | { ok: false; problem: ExpressionProblem }

/** Is there anything to evaluate in this text? Everything that is not text is not an expression. */
export function isExpression(text: unknown): text is string {
  return typeof text === 'string' && text.includes('{{')
}

/**
 * Parses a text of a schema. `{{ a + b }}` gives a value of any type, `"No. {{ code }}"` a text; a text without `{{` stands
 * for itself. Never throws.
 */
export function parseExpression(text: string): ParseResult {
  return guarded(text, () => {
    if (!text.includes('{{')) {
      return { kind: 'constant', text, node: { type: 'literal', value: text, start: 0, end: text.length } }
    }
    checkLength(text)
    const template = parseTemplate(text)
    const [first, last] = [template.texts[0], template.texts[1]]
    const only = template.values.length === 1 && first?.trim() === '' && last?.trim() === '' ? template.values[0] : undefined
    return only ? { kind: 'value', text, node: only } : { kind: 'template', text, node: template }
  })
}

/** Parses what stands inside the braces, as Formily hands it over. Never throws. */
export function parseInner(text: string): ParseResult {
  return guarded(text, () => {
    checkLength(text)
    return { kind: 'value', text, node: parseSource(text, 0, text.length) }
  })
}

function guarded(text: string, parse: () => Expression): ParseResult {
  try {
    return { ok: true, expression: parse() }
  } catch (error) {
    const known = error instanceof ExpressionError ? error : locate(error, NOWHERE, text)
    return { ok: false, problem: known.problem }
  }
}

function checkLength(text: string): void {
  if (text.length <= LIMITS.length) return
  throw problemAt({ start: LIMITS.length, end: text.length }, 'too-long', {
    zh: `表达式过长（${text.length} 个字符，最多 ${LIMITS.length} 个）。`,
    en: `The expression is too long (${text.length} characters, at most ${LIMITS.length}).`,
  })
}

function parseTemplate(text: string): TemplateNode {
  const { texts, inside } = cut(text)
  const values = inside.map(([start, end]): Node => parseSource(text, start, end))
  return { type: 'template', texts, values, start: 0, end: text.length }
}

/** The texts around the `{{ }}` of a text, and where what is inside of them begins and ends. */
function cut(text: string): { texts: string[]; inside: (readonly [start: number, end: number])[] } {
  const texts: string[] = []
  const inside: [number, number][] = []
  let from = 0
  for (;;) {
    const open = text.indexOf('{{', from)
    if (open < 0) break
    const close = findClosing(text, open + 2, text.length, '}}')
    if (close < 0) {
      throw problemAt({ start: open, end: text.length }, 'unclosed-expression', {
        zh: '“{{”没有对应的“}}”。',
        en: '"{{" has no matching "}}".',
      })
    }
    texts.push(text.slice(from, open))
    inside.push([open + 2, close])
    from = close + 2
  }
  texts.push(text.slice(from))
  return { texts, inside }
}

/**
 * For Formily, which takes an expression only as a whole: a text with values in it as one expression. A text that parses.
 *
 * @example wholeExpression('No. {{ code }}') // '{{ `No. ${ code }` }}'
 */
export function wholeExpression(text: string): string {
  const { texts, inside } = cut(text)
  if (inside.length === 0 || (inside.length === 1 && texts.every((part) => part.trim() === ''))) return text
  const escaped = (part: string): string => part.replace(/[\\`$]/g, (char) => `\\${char}`)
  const value = (index: number): string => (inside[index] ? `\${${text.slice(...inside[index])}}` : '')
  return `{{ \`${texts.map((part, index) => escaped(part) + value(index)).join('')}\` }}`
}
