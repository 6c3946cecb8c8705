/** What an expression needs, found without evaluating it: names, paths, functions. */
import { closest, distance } from 'fastest-levenshtein'
import { childrenOf, type AnyNode, type Expression, type Node } from './ast'
import type { FunctionTable } from './call'
import { functionFor } from './sentences'
import { ExpressionError, problemAt, type ExpressionProblem, type Span } from './problem'

/**
 * What is read, as dotted paths from the roots, the longest that is known: `row.name`, `$deps.0`, `$form.values.x`.
 * A computed member ends the path (`rows[i].name` gives `rows` and `i`). Sorted by first appearance, each once.
 */
export function dependencies(expression: Expression): string[] {
  const found = new Set<string>()
  visit(expression.node, (node) => {
    const path = pathOf(node)
    if (path === undefined) return true
    found.add(path)
    return false
  })
  return [...found]
}

/** The names that the place has to give, each once. */
export function rootsOf(expression: Expression): string[] {
  return [...new Set(collect(expression, 'root').map((node) => node.name))]
}

/** The functions that are called, each once. */
export function functionsOf(expression: Expression): string[] {
  return [...new Set(collect(expression, 'call').map((node) => node.name))]
}

export interface KnownNames {
  /** Names that the place gives; left out: every name is accepted. */
  roots?: Iterable<string>
  functions: FunctionTable
}

/** Unknown roots and functions (with what may have been meant) and calls with wrong arguments. */
export function checkNames(expression: Expression, known: KnownNames): ExpressionProblem[] {
  const problems: ExpressionProblem[] = []
  const roots = known.roots && new Set(known.roots)
  visit(expression.node, (node) => {
    if (node.type === 'root' && roots && !roots.has(node.name)) problems.push(unknownRoot(node, roots, known.functions))
    if (node.type === 'call') problems.push(...checkCall(node, known.functions, roots))
    return true
  })
  return problems
}

function unknownRoot(node: Node & { type: 'root' }, roots: ReadonlySet<string>, functions: FunctionTable): ExpressionProblem {
  if (functions.has(node.name)) {
    return toProblem(
      node,
      'unknown-root',
      `“${node.name}”是函数，须带括号调用。`,
      `"${node.name}" is a function: call it with brackets.`,
    )
  }
  const hint = meant(node.name, [...roots])
  const given = AROUND.has(node.name) && hint === undefined ? [...roots].filter((name) => AROUND.has(name)) : []
  const here =
    given.length === 0 ? { zh: '', en: '' } : { zh: `此处有：${given.join('、')}。`, en: ` Here are ${given.join(', ')}.` }
  return toProblem(node, 'unknown-root', `此处没有“${node.name}”。${here.zh}`, `There is no "${node.name}" here.${here.en}`, hint)
}

/** Names that some places give besides fields: whoever writes one that this place lacks is told those that it has. */
const AROUND: ReadonlySet<string> = new Set([
  ...['user', 'today', 'now', 'locale', 'query', 'record', 'values', 'before', 'input', 'head'],
  ...['row', 'rows', 'value', 'other', 'refusal', 'adding', 'answer'],
])

function checkCall(node: Node & { type: 'call' }, functions: FunctionTable, roots?: ReadonlySet<string>): ExpressionProblem[] {
  const at = { start: node.start, end: node.start + node.name.length }
  const spec = functions.get(node.name)
  if (!spec) {
    const isRoot = roots?.has(node.name)
    const hint = meant(node.name, [...functions.keys()])
    const zh = isRoot ? `“${node.name}”是值，不能调用。` : `没有函数“${node.name}”。`
    const en = isRoot ? `"${node.name}" is a value and cannot be called.` : `There is no function "${node.name}".`
    const way = isRoot ? undefined : functionFor(node.name)
    if (way !== undefined) return [toProblem(at, 'unknown-function', `${zh}请写 ${way}。`, `${en} Write ${way}.`)]
    return [toProblem(at, 'unknown-function', zh, en, hint)]
  }
  const [least, most] = spec.arity
  const given = node.arguments.length
  const problems: ExpressionProblem[] = []
  if (given < least || given > most) {
    problems.push(
      toProblem(at, 'wrong-arguments', `参数个数不对，应为 ${spec.signature}。`, `Wrong number of arguments: ${spec.signature}.`),
    )
  }
  node.arguments.forEach((argument, index) => {
    if ((argument.type === 'arrow') === (index === spec.lambda)) return
    const zh = index === spec.lambda ? '此处须是箭头函数' : '此处不能是箭头函数'
    const en = index === spec.lambda ? 'An arrow function belongs here' : 'No arrow function belongs here'
    problems.push(toProblem(argument, 'wrong-arguments', `${zh}：${spec.signature}。`, `${en}: ${spec.signature}.`))
  })
  return problems
}

function toProblem(span: Span, code: ExpressionProblem['code'], zh: string, en: string, hint?: string): ExpressionProblem {
  const question = hint === undefined ? { zh: '', en: '' } : { zh: `是否想写“${hint}”？`, en: ` Did you mean "${hint}"?` }
  return problemAt(span, code, { zh: zh + question.zh, en: en + question.en }, hint).problem
}

/** The name that was probably meant: the same letters in another order, or at most a third of them wrong. */
function meant(name: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined
  const best = closest(name, candidates)
  const near = distance(name, best) <= Math.max(1, Math.floor(name.length / 3))
  return near || lettersOf(name) === lettersOf(best) ? best : undefined
}

function lettersOf(name: string): string {
  return [...name].sort().join('')
}

/** The first problem as an error, for those who cannot go on. */
export function refuse(problems: readonly ExpressionProblem[], text: string): void {
  const [first] = problems
  if (first) throw new ExpressionError(first, text)
}

/** The dotted path that a node reads from its root, or undefined: `row.name`. */
export function pathOf(node: AnyNode): string | undefined {
  switch (node.type) {
    case 'root':
      return node.name
    case 'chain':
      return pathOf(node.body)
    case 'member': {
      const path = pathOf(node.object)
      return path === undefined ? undefined : `${path}.${node.key}`
    }
    case 'index': {
      if (node.index.type !== 'literal') return undefined
      const path = pathOf(node.object)
      return path === undefined ? undefined : `${path}.${String(node.index.value)}`
    }
    default:
      return undefined
  }
}

/** Walks in the order of the text; `enter` answers whether to go below the node. */
function visit(node: AnyNode, enter: (node: AnyNode) => boolean): void {
  if (enter(node)) for (const child of childrenOf(node)) visit(child, enter)
}

function collect<T extends Node['type']>(expression: Expression, type: T): Extract<Node, { type: T }>[] {
  const found: Extract<Node, { type: T }>[] = []
  visit(expression.node, (node) => {
    if (node.type === type) found.push(node as Extract<Node, { type: T }>)
    return true
  })
  return found
}
