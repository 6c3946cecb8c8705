/** The tree of an expression. Every node carries its place in the whole text (`start` and `end`, UTF-16 units). */
import type { Span } from './problem'

export type UnaryOperator = '!' | '-' | '+' | 'typeof'
export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '**' | '==' | '!=' | '===' | '!==' | '<' | '>' | '<=' | '>='
export type LogicalOperator = '&&' | '||' | '??'

export interface LiteralNode extends Span {
  type: 'literal'
  value: string | number | boolean | null | undefined
}
/**
 * Text with values in it: a template literal, or a string of a schema with `{{ }}` inside. One more text than values.
 */
export interface TemplateNode extends Span {
  type: 'template'
  texts: string[]
  values: Node[]
}
/** A name that the place gives: `row`, `$values`, an entity's field. */
export interface RootNode extends Span {
  type: 'root'
  name: string
}
/** A parameter of an arrow function around it. */
export interface LocalNode extends Span {
  type: 'local'
  name: string
}
export interface MemberNode extends Span {
  type: 'member'
  object: Node
  key: string
  optional: boolean
}
export interface IndexNode extends Span {
  type: 'index'
  object: Node
  index: Node
  optional: boolean
}
/** The end of a run of members with `?.` in it: what is skipped is skipped up to here. */
export interface ChainNode extends Span {
  type: 'chain'
  body: Node
}
export interface CallNode extends Span {
  type: 'call'
  name: string
  arguments: (Node | ArrowNode)[]
}
export interface UnaryNode extends Span {
  type: 'unary'
  operator: UnaryOperator
  operand: Node
}
export interface BinaryNode extends Span {
  type: 'binary'
  operator: BinaryOperator
  left: Node
  right: Node
}
export interface LogicalNode extends Span {
  type: 'logical'
  operator: LogicalOperator
  left: Node
  right: Node
}
export interface ConditionalNode extends Span {
  type: 'conditional'
  test: Node
  yes: Node
  no: Node
}
export interface ArrayNode extends Span {
  type: 'array'
  items: (Node | SpreadNode)[]
}
export interface ObjectNode extends Span {
  type: 'object'
  entries: (PairNode | SpreadNode)[]
}
export interface PairNode extends Span {
  type: 'pair'
  key: string | Node
  value: Node
}
export interface SpreadNode extends Span {
  type: 'spread'
  value: Node
}
/** Only as an argument of a call. */
export interface ArrowNode extends Span {
  type: 'arrow'
  parameters: string[]
  body: Node
}

export type Node =
  | LiteralNode
  | TemplateNode
  | RootNode
  | LocalNode
  | MemberNode
  | IndexNode
  | ChainNode
  | CallNode
  | UnaryNode
  | BinaryNode
  | LogicalNode
  | ConditionalNode
  | ArrayNode
  | ObjectNode

export type AnyNode = Node | ArrowNode | SpreadNode | PairNode

/**
 * A parsed text of a schema. `value`: the whole text is one `{{ }}` and gives a value of any type; `template`: text around
 * or several `{{ }}`, gives text; `constant`: no `{{` in it, gives itself.
 */
export interface Expression {
  kind: 'value' | 'template' | 'constant'
  text: string
  node: Node
}

/** The nodes right below a node, in the order of the text. */
export function childrenOf(node: AnyNode): AnyNode[] {
  switch (node.type) {
    case 'literal':
    case 'root':
    case 'local':
      return []
    case 'template':
      return node.values
    case 'member':
      return [node.object]
    case 'index':
      return [node.object, node.index]
    case 'chain':
    case 'arrow':
      return [node.body]
    case 'call':
      return node.arguments
    case 'unary':
      return [node.operand]
    case 'binary':
    case 'logical':
      return [node.left, node.right]
    case 'conditional':
      return [node.test, node.yes, node.no]
    case 'array':
      return node.items
    case 'object':
      return node.entries
    case 'pair':
      return typeof node.key === 'string' ? [node.value] : [node.key, node.value]
    case 'spread':
      return [node.value]
  }
}
