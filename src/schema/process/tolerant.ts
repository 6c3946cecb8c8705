import { isExpression, parseExpression } from '../expression'
import type { AnyNode, Node } from '../expression/ast'
import { printExpression } from '../expression/print'

/**
 * The two sides of an order, told to be none where one of them is empty: while a form is filled in, an empty field is neither smaller nor larger
 * than anything.
 */
export const ordered = (
  { operator, left, right }: Extract<Node, { type: 'binary' }>,
  inner: (node: AnyNode) => string,
  compare: (a: string, b: string) => string = (a, b) => `${a} ${operator} ${b}`,
): string | undefined => {
  if (!['<', '>', '<=', '>='].includes(operator)) return undefined
  const [a, b] = [inner(left), inner(right)]
  return `(${a} == null || ${b} == null ? false : ${compare(a, b)})`
}

/**
 * An expression of a process as it is evaluated: what lies behind something empty is empty, and an order that one side of is empty does not hold. What
 * does not parse stays as it is, for the check to say.
 */
export function tolerantText(text: string): string {
  if (!isExpression(text)) return text
  const parsed = parseExpression(text)
  if (!parsed.ok) return text
  return printExpression(parsed.expression, (node, inner) => {
    if ((node.type === 'member' || node.type === 'index') && !node.optional) return inner({ ...node, optional: true })
    return node.type === 'binary' ? ordered(node, inner) : undefined
  })
}

/** A part of a process with all its expressions as they are evaluated (`tolerantText`). */
export function tolerantly<Part>(part: Part): Part {
  if (typeof part === 'string') return tolerantText(part) as Part
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((item: unknown) => tolerantly(item)) as Part
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, tolerantly<unknown>(value)])) as Part
}
