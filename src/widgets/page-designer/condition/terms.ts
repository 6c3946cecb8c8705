import { parseExpression, type Node } from '../../../schema/expression'

/** How a value is compared. `holds`: it is filled, or yes. */
export const OPERATORS = [
  ...['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'notIn', 'contains', 'startsWith'],
  ...['empty', 'notEmpty', 'holds', 'holdsNot'],
] as const
export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'notIn' | 'contains' | 'startsWith' | Unary
type Unary = 'empty' | 'notEmpty' | 'holds' | 'holdsNot'
export const isUnary = (operator: Operator): operator is Unary => UNARY.has(operator)
const UNARY: ReadonlySet<string> = new Set(['empty', 'notEmpty', 'holds', 'holdsNot'])

/** A field as expressions read it (`$values.kind`), compared with a value; `{{ … }}` as a value is an expression. */
export interface Term {
  field: string
  operator: Operator
  value?: unknown
}
/** Conditions of which all hold, or at least one (`any`). */
export interface Terms {
  any: boolean
  members: readonly (Term | Terms)[]
}
export const isGroup = (member: Term | Terms): member is Terms => 'members' in member

const SIGNS = { eq: '===', ne: '!==', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
type Signed = keyof typeof SIGNS
const OF_SIGNS: ReadonlyMap<string, Signed> = new Map(Object.entries(SIGNS).map(([name, sign]) => [sign, name as Signed]))

/** A value that stands for itself; lists of such values are one as well. */
const literal = (value: unknown): string | undefined => {
  if (typeof value === 'string') {
    if (value.startsWith('{{') && value.endsWith('}}')) return value.slice(2, -2).trim() || undefined
    return value.includes('{{') ? undefined : quoted(value)
  }
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  return typeof value === 'boolean' || value === null ? String(value) : undefined
}
const quoted = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const printed = ({ field, operator, value }: Term): string | undefined => {
  if (field === '') return undefined
  switch (operator) {
    case 'holds':
      return `!!${field}`
    case 'holdsNot':
      return `!${field}`
    case 'empty':
      return `isEmpty(${field})`
    case 'notEmpty':
      return `!isEmpty(${field})`
    case 'in':
    case 'notIn': {
      const items = Array.isArray(value) ? (value as unknown[]).map(literal) : [undefined]
      if (items.length === 0 || items.includes(undefined)) return undefined
      return `${operator === 'in' ? '' : '!'}includes([${items.join(', ')}], ${field})`
    }
    case 'contains':
    case 'startsWith': {
      const given = literal(value)
      return given && `${operator === 'contains' ? 'includes' : 'startsWith'}(${field}, ${given})`
    }
    default: {
      const given = literal(value)
      return given && `${field} ${SIGNS[operator]} ${given}`
    }
  }
}

const joined = ({ any, members }: Terms): string[] =>
  members.flatMap((member) => {
    if (!isGroup(member)) return printed(member) ?? []
    const inside = joined(member)
    if (inside.length === 0) return []
    // a group that holds like the one around it is none
    return inside.length === 1 || member.any === any ? inside : [`(${inside.join(member.any ? ' || ' : ' && ')})`]
  })

/** The conditions as an expression; what is not complete yet is left out. Undefined: nothing is left. */
export const printTerms = (terms: Terms): string | undefined => {
  const all = joined(terms)
  return all.length === 0 ? undefined : `{{ ${all.join(terms.any ? ' || ' : ' && ')} }}`
}

/** Every condition says all that it needs. */
export const isComplete = ({ members }: Terms): boolean =>
  members.every((member) => (isGroup(member) ? isComplete(member) : printed(member) !== undefined))

/** The conditions that an expression says; undefined where they cannot be shown as such. Nothing: no conditions. */
export const parseTerms = (text: unknown): Terms | undefined => {
  if (text === undefined || text === '') return { any: false, members: [] }
  if (typeof text !== 'string') return undefined
  const parsed = parseExpression(text)
  if (!parsed.ok || parsed.expression.kind !== 'value') return undefined
  const found = memberOf(parsed.expression.node, text, 0)
  return found && (isGroup(found) ? found : { any: false, members: [found] })
}

const LEVELS = 2

const memberOf = (node: Node, text: string, level: number): Term | Terms | undefined => {
  if (node.type !== 'logical' || node.operator === '??') return termOf(node, text)
  if (level === LEVELS) return undefined
  const members = sides(node, node.operator).map((side) => memberOf(side, text, level + 1))
  return members.every((member) => member !== undefined) ? { any: node.operator === '||', members } : undefined
}

/** What stands between the operators of one kind. */
const sides = (node: Node, operator: string): Node[] =>
  node.type === 'logical' && node.operator === operator ? [...sides(node.left, operator), ...sides(node.right, operator)] : [node]

const termOf = (node: Node, text: string): Term | undefined => {
  if (node.type === 'binary') {
    const [operator, field, value] = [OF_SIGNS.get(node.operator), fieldOf(node.left), valueOf(node.right, text)]
    return operator && field && value ? { field, operator, value: value.value } : undefined
  }
  if (node.type === 'call') return callOf(node, text)
  if (node.type === 'unary' && node.operator === '!') {
    const { operand } = node
    if (operand.type === 'unary' && operand.operator === '!') return holding(operand.operand, 'holds')
    const inside = operand.type === 'call' ? callOf(operand, text) : undefined
    if (inside?.operator === 'empty') return { field: inside.field, operator: 'notEmpty' }
    if (inside?.operator === 'in') return { ...inside, operator: 'notIn' }
    return holding(operand, 'holdsNot')
  }
  return holding(node, 'holds')
}

const holding = (node: Node, operator: 'holds' | 'holdsNot'): Term | undefined => {
  const field = fieldOf(node)
  return field === undefined ? undefined : { field, operator }
}

const callOf = ({ name, arguments: given }: Extract<Node, { type: 'call' }>, text: string): Term | undefined => {
  const [first, second, third] = given
  if (!first || first.type === 'arrow' || third) return undefined
  if (name === 'isEmpty') {
    const field = second ? undefined : fieldOf(first)
    return field === undefined ? undefined : { field, operator: 'empty' }
  }
  if (!second || second.type === 'arrow' || (name !== 'includes' && name !== 'startsWith')) return undefined
  if (name === 'includes' && first.type === 'array') {
    const values = first.items.map((item) => (item.type === 'spread' ? undefined : valueOf(item, text)))
    const field = fieldOf(second)
    if (field === undefined || values.length === 0 || values.includes(undefined)) return undefined
    return { field, operator: 'in', value: values.map((found) => found?.value) }
  }
  const [field, value] = [fieldOf(first), valueOf(second, text)]
  return field !== undefined && value
    ? { field, operator: name === 'includes' ? 'contains' : 'startsWith', value: value.value }
    : undefined
}

/** A name or a path, as it is written; what may be skipped (`?.`) cannot be written back. */
const fieldOf = (node: Node): string | undefined => {
  if (node.type === 'root') return node.name
  if (node.type === 'member' && !node.optional) {
    const object = fieldOf(node.object)
    return object && `${object}.${node.key}`
  }
  if (node.type === 'index' && !node.optional && node.index.type === 'literal' && typeof node.index.value === 'number') {
    const object = fieldOf(node.object)
    return object && `${object}[${node.index.value}]`
  }
  return undefined
}

/** A value, or whatever else stands there as an expression of its own. */
const valueOf = (node: Node, text: string): { value: unknown } | undefined => {
  if (node.type === 'literal' && node.value !== undefined)
    return typeof node.value === 'string' && node.value.includes('{{') ? undefined : { value: node.value }
  if (node.type === 'unary' && node.operator === '-' && node.operand.type === 'literal' && typeof node.operand.value === 'number')
    return { value: -node.operand.value }
  // weaker than a comparison it would be torn apart
  if (node.type === 'logical' || node.type === 'conditional' || node.type === 'binary') return undefined
  return { value: `{{ ${text.slice(node.start, node.end)} }}` }
}
