/** Trees -> text again: for whoever says an expression in the words of another place. */
import type { AnyNode, ArrowNode, Expression, Node, TemplateNode } from './ast'

/** Says a node otherwise; undefined: as it stands, with what lies in it asked in turn. `inner` prints a part of it. */
export type Reword = (node: Node, inner: (node: AnyNode) => string) => string | undefined

const NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/

/** The text of an expression, with its parts said otherwise where `reword` says so. It parses to the same tree where nothing is. */
export function printExpression({ kind, text, node }: Expression, reword: Reword = () => undefined): string {
  if (kind === 'constant') return text
  const inner = (part: AnyNode): string => print(part, reword, inner)
  if (kind === 'value' || node.type !== 'template') return `{{ ${inner(node)} }}`
  return node.texts.map((part, index) => part + (node.values[index] ? `{{ ${inner(node.values[index])} }}` : '')).join('')
}

function print(node: AnyNode, reword: Reword, inner: (node: AnyNode) => string): string {
  switch (node.type) {
    case 'arrow':
      return arrow(node, inner)
    case 'spread':
      return `...${inner(node.value)}`
    case 'pair':
      return `${typeof node.key === 'string' ? JSON.stringify(node.key) : `[${inner(node.key)}]`}: ${inner(node.value)}`
    default:
      return reword(node, inner) ?? printNode(node, inner)
  }
}

const arrow = ({ parameters, body }: ArrowNode, inner: (node: AnyNode) => string): string =>
  `(${parameters.join(', ')}) => ${body.type === 'object' ? `(${inner(body)})` : inner(body)}`

function printNode(node: Node, inner: (node: AnyNode) => string): string {
  const list = (parts: readonly AnyNode[]): string => parts.map(inner).join(', ')
  switch (node.type) {
    case 'literal':
      return typeof node.value === 'string' ? JSON.stringify(node.value) : String(node.value)
    case 'root':
    case 'local':
      return node.name
    case 'template':
      return template(node, inner)
    case 'member':
      return NAME.test(node.key)
        ? `${inner(node.object)}${node.optional ? '?.' : '.'}${node.key}`
        : `${inner(node.object)}${node.optional ? '?.' : ''}[${JSON.stringify(node.key)}]`
    case 'index':
      return `${inner(node.object)}${node.optional ? '?.' : ''}[${inner(node.index)}]`
    case 'chain':
      return inner(node.body)
    case 'call':
      return `${node.name}(${list(node.arguments)})`
    case 'unary':
      return `(${node.operator}${node.operator === 'typeof' ? ' ' : ''}${inner(node.operand)})`
    case 'binary':
    case 'logical':
      return `(${inner(node.left)} ${node.operator} ${inner(node.right)})`
    case 'conditional':
      return `(${inner(node.test)} ? ${inner(node.yes)} : ${inner(node.no)})`
    case 'array':
      return `[${list(node.items)}]`
    case 'object':
      return `({ ${list(node.entries)} })`
  }
}

const template = ({ texts, values }: TemplateNode, inner: (node: AnyNode) => string): string =>
  `\`${texts.map((part, index) => part.replace(/[\\`$]/g, (char) => `\\${char}`) + (values[index] ? `\${${inner(values[index])}}` : '')).join('')}\``
