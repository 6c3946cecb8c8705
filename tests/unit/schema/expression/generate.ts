import fc from 'fast-check'
import type { AnyNode, Node } from '../../../../src/schema/expression/ast'

/** Trees without places, for round trips and for the comparison with JavaScript. */
const at = { start: 0, end: 0 }

const literal: fc.Arbitrary<Node> = fc
  .oneof(
    fc.integer({ min: 0, max: 1000 }),
    fc.double({ min: 0, max: 1e6, noNaN: true, noDefaultInfinity: true }).map(Math.abs),
    fc.string({ maxLength: 8, unit: 'grapheme' }),
    fc.constantFrom(true, false, null, undefined, '', 'a', '1', '0.50'),
  )
  .map((value) => ({ type: 'literal' as const, value, ...at }))

export const SCOPE = {
  a: 1,
  b: '2',
  c: null,
  d: { e: [1, 'x', { f: true }], 'g h': -0 },
  list: [3, 1, 2],
  名称: '客户',
  u: undefined,
}
const root: fc.Arbitrary<Node> = fc
  .constantFrom(...Object.keys(SCOPE), 'missing')
  .map((name) => ({ type: 'root' as const, name, ...at }))

const key = fc.constantFrom('e', 'f', 'a', 'length', 'g h', '0', 'new')
const name = fc.constantFrom('e', 'f', 'a', 'length', 'new')

/** Any tree of the grammar; with `local` names only where an arrow gives them. */
export const anyNode: fc.Arbitrary<Node> = fc.letrec<{ node: Node }>((tie) => {
  const node = tie('node')
  const unary = fc
    .record({ operator: fc.constantFrom('!', '-', '+', 'typeof'), operand: node })
    .map((given) => ({ type: 'unary', ...given, ...at }) as Node)
  const binary = fc
    .record({
      operator: fc.constantFrom('+', '-', '*', '/', '%', '**', '==', '!=', '===', '!==', '<', '>', '<=', '>='),
      left: node,
      right: node,
    })
    .map((given) => ({ type: 'binary', ...given, ...at }) as Node)
  const logical = fc
    .record({ operator: fc.constantFrom('&&', '||', '??'), left: node, right: node })
    .map((given) => ({ type: 'logical', ...given, ...at }) as Node)
  const conditional = fc
    .record({ test: node, yes: node, no: node })
    .map((given) => ({ type: 'conditional', ...given, ...at }) as Node)
  const member = fc
    .record({ object: node, key: name, optional: fc.boolean() })
    .map((given) => ({ type: 'member', ...given, ...at }) as Node)
  const index = fc
    .record({
      object: node,
      index: fc.oneof(
        node,
        key.map((value): Node => ({ type: 'literal', value, ...at })),
      ),
      optional: fc.boolean(),
    })
    .map((given) => ({ type: 'index', ...given, ...at }) as Node)
  const spread = node.map((value) => ({ type: 'spread' as const, value, ...at }))
  const array = fc
    .array(fc.oneof({ weight: 4, arbitrary: node }, { weight: 1, arbitrary: spread }), { maxLength: 3 })
    .map((items) => ({ type: 'array', items, ...at }) as Node)
  const pair = fc
    .record({ key: fc.oneof(fc.constantFrom('e', 'k', 'g h', '7'), node), value: node })
    .map((given) => ({ type: 'pair', ...given, ...at }))
  const object = fc
    .array(fc.oneof({ weight: 4, arbitrary: pair }, { weight: 1, arbitrary: spread }), { maxLength: 3 })
    .map((entries) => ({ type: 'object', entries, ...at }) as Node)
  const template = fc.array(fc.record({ text: fc.string({ maxLength: 5 }), value: node }), { minLength: 1, maxLength: 2 }).map(
    (parts) =>
      ({
        type: 'template',
        texts: [...parts.map((part) => part.text), 'z'],
        values: parts.map((part) => part.value),
        ...at,
      }) as Node,
  )
  return {
    node: fc.oneof(
      { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
      literal,
      root,
      unary,
      binary,
      logical,
      conditional,
      member,
      index,
      array,
      object,
      template,
    ),
  }
}).node

const RECKONING: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '**'])

/**
 * Writes a tree as text, every operand in brackets. With `at`, members are read by a function of that name, as JavaScript
 * itself does not know that a member of a list is the list of members; and what reckons or joins is a call of `reckon` and
 * `plain`, as JavaScript reckons with binary fractions and writes "undefined".
 */
export function print(node: AnyNode, at = ''): string {
  const write = (below: AnyNode): string => print(below, at)
  const inner = (below: AnyNode): string => `(${write(below)})`
  switch (node.type) {
    case 'literal':
      return typeof node.value === 'string' ? JSON.stringify(node.value) : String(node.value)
    case 'root':
    case 'local':
      return node.name
    case 'template':
      return `\`${node.texts.map((text, index) => escaped(text) + (node.values[index] ? `\${${at ? `plain(${write(node.values[index])})` : write(node.values[index])}}` : '')).join('')}\``
    case 'member':
      if (at) return `${at}(${write(node.object)}, () => '${node.key}', ${node.optional})`
      return `${inner(node.object)}${node.optional ? '?.' : '.'}${node.key}`
    case 'index':
      if (at) return `${at}(${write(node.object)}, () => ${inner(node.index)}, ${node.optional})`
      return `${inner(node.object)}${node.optional ? '?.' : ''}[${write(node.index)}]`
    case 'chain':
      return `(${write(node.body)})`
    case 'call':
      return `${node.name}(${node.arguments.map(write).join(', ')})`
    case 'arrow':
      return `(${node.parameters.join(', ')}) => ${inner(node.body)}`
    case 'unary':
      return `${node.operator} ${inner(node.operand)}`
    case 'binary':
      if (at && RECKONING.has(node.operator)) return `reckon('${node.operator}', ${write(node.left)}, ${write(node.right)})`
      return `${inner(node.left)} ${node.operator} ${inner(node.right)}`
    case 'logical':
      return `${inner(node.left)} ${node.operator} ${inner(node.right)}`
    case 'conditional':
      return `${inner(node.test)} ? ${inner(node.yes)} : ${inner(node.no)}`
    case 'array':
      return `[${node.items.map(write).join(', ')}]`
    case 'object':
      return `{${node.entries.map(write).join(', ')}}`
    case 'pair':
      return `${typeof node.key === 'string' ? JSON.stringify(node.key) : `[${write(node.key)}]`}: ${write(node.value)}`
    case 'spread':
      return `...${inner(node.value)}`
  }
}

function escaped(text: string): string {
  return text.replace(/[\\`$]/g, (char) => `\\${char}`)
}

/** A tree without places and without the marks of optional chains, to compare by structure. */
export function bare(node: AnyNode): unknown {
  return JSON.parse(
    JSON.stringify(node, (name, value: unknown) => {
      if (name === 'start' || name === 'end') return undefined
      if (typeof value === 'object' && value !== null && 'type' in value) {
        if (value.type === 'chain' && 'body' in value) return bare(value.body as AnyNode)
        if (value.type === 'literal' && 'value' in value) return `literal ${typeof value.value} ${String(value.value)}`
      }
      return value
    }),
  ) as unknown
}
