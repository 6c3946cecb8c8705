import { pathOf } from './analyse'
import type { AnyNode, ArrowNode, Expression, Node, PairNode, SpreadNode } from './ast'

/**
 * Reads paths as one name: `customerId.holding`, where `customerId` holds the id of another record, becomes the name "customerId.holding",
 * which the place gives like any other. The longest path that `isPath` knows wins; an id that is read alone stays an id.
 */
export function joinPaths(expression: Expression, isPath: (path: string) => boolean): Expression {
  return { ...expression, node: join(expression.node, isPath) }
}

function join(node: Node, isPath: (path: string) => boolean): Node {
  if (node.type === 'member') {
    const path = pathOf(node)
    if (path !== undefined && isPath(path)) return { type: 'root', name: path, start: node.start, end: node.end }
  }
  const inner = <Part extends AnyNode>(part: Part): Part => joinAny(part, isPath) as Part
  switch (node.type) {
    case 'literal':
    case 'root':
    case 'local':
      return node
    case 'template':
      return { ...node, values: node.values.map(inner) }
    case 'member':
      return { ...node, object: inner(node.object) }
    case 'index':
      return { ...node, object: inner(node.object), index: inner(node.index) }
    case 'chain':
      return { ...node, body: inner(node.body) }
    case 'call':
      return { ...node, arguments: node.arguments.map(inner) }
    case 'unary':
      return { ...node, operand: inner(node.operand) }
    case 'binary':
    case 'logical':
      return { ...node, left: inner(node.left), right: inner(node.right) }
    case 'conditional':
      return { ...node, test: inner(node.test), yes: inner(node.yes), no: inner(node.no) }
    case 'array':
      return { ...node, items: node.items.map(inner) }
    case 'object':
      return { ...node, entries: node.entries.map(inner) }
  }
}

function joinAny(
  node: Node | ArrowNode | SpreadNode | PairNode,
  isPath: (path: string) => boolean,
): Node | ArrowNode | SpreadNode | PairNode {
  switch (node.type) {
    case 'arrow':
      return { ...node, body: join(node.body, isPath) }
    case 'spread':
      return { ...node, value: join(node.value, isPath) }
    case 'pair':
      return {
        ...node,
        key: typeof node.key === 'string' ? node.key : join(node.key, isPath),
        value: join(node.value, isPath),
      }
    default:
      return join(node, isPath)
  }
}
