import { isExpression } from '../expression'
import type { FormNode } from '../generated/page'
import { conditionOf, filled, member, namesIn } from './conditionOf'

/** Words that say one more thing that a value has to meet: said twice, both hold. */
const RULE_WORDS: ReadonlySet<string> = new Set([
  ...['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'const', 'format'],
])
/** Words of which what the node itself says is shown. */
const SHOWN_WORDS: ReadonlySet<string> = new Set(['title', 'description', 'default', '$comment', '$id', '$schema'])
/** Words that are read here, in the order in which they are met, and are gone when they could be read. */
const CONDITIONAL = ['if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'dependencies'] as const
const READ_WORDS: readonly string[] = [...CONDITIONAL, 'allOf', 'readOnly', ...closedWords()]

/** That an object has no other members, a list no other items: no form sends others. */
function closedWords(): readonly string[] {
  return ['additionalProperties', 'unevaluatedProperties', 'additionalItems', 'unevaluatedItems']
}

/**
 * A form schema with what JSON Schema writes in other words than a form, said in those of a form: `allOf` is merged, a list
 * `required` marks its fields, `if`/`then`/`else`, `dependentRequired` and `dependentSchemas` become conditions of the fields,
 * `readOnly` shows the value, `["string", "null"]` is a text. What cannot be said in a form stays as it is: the check refuses it.
 */
export const withJsonSchema = (schema: FormNode): FormNode => read(schema, '$values')

function read(given: FormNode, base: string): FormNode {
  const node = needsReading(given) ? closed(shown(typed(conditional(required(merged(given)), base)))) : given
  const { properties, items } = node
  if (!properties && !items) return node
  const below = properties && each(properties, (child, name) => read(child, child.type === 'void' ? base : member(base, name)))
  const rows = items && !Array.isArray(items) ? read(items, '$record') : items
  if (below === properties && rows === items) return node
  return { ...node, ...(below ? { properties: below } : {}), ...(rows ? { items: rows } : {}) }
}

const needsReading = (node: FormNode): boolean =>
  Array.isArray(node.required) || Array.isArray(node.type) || READ_WORDS.some((word) => node[word] !== undefined)

/** The same object where nothing changes: models and caches know it by that. */
function each(
  properties: Readonly<Record<string, FormNode>>,
  change: (child: FormNode, name: string) => FormNode,
): Record<string, FormNode> {
  const entries = Object.entries(properties).map(([name, child]) => [name, change(child, name)] as const)
  return entries.every(([name, child]) => child === properties[name]) ? properties : Object.fromEntries(entries)
}

const without = (node: FormNode, ...words: readonly string[]): FormNode =>
  Object.fromEntries(Object.entries(node).filter(([word]) => !words.includes(word))) as FormNode

/** With the members of `allOf` in it; conditions of several stand one after the other. */
function merged(node: FormNode): FormNode {
  const { allOf, ...own } = node
  if (!Array.isArray(allOf)) return node
  const left: unknown[] = []
  const rest = (allOf as unknown[]).reduce<FormNode>((whole, part) => {
    if (typeof part !== 'object' || part === null) return (left.push(part), whole)
    const both = mergedWith(whole, merged(part as FormNode))
    if (!both) left.push(part)
    return both ?? whole
  }, own as FormNode)
  return left.length > 0 ? { ...rest, allOf: left } : rest
}

/** Both at once; undefined where they contradict one another in a word that a form cannot say twice. */
function mergedWith(node: FormNode, part: FormNode): FormNode | undefined {
  const whole: Record<string, unknown> = { ...node }
  const conditions = [...((node[CONDITIONS] as Conditions[] | undefined) ?? []), ...conditionsOf(part)]
  const rules: unknown[] = []
  for (const [word, value] of Object.entries(part)) {
    if (word === CONDITIONS || (CONDITIONAL as readonly string[]).includes(word)) continue
    if (whole[word] === undefined) whole[word] = value
    else if (word === 'properties') {
      const both = membersOf(whole[word] as Record<string, FormNode>, value as Record<string, FormNode>)
      if (!both) return undefined
      whole[word] = both
    } else if (word === 'required' && namesIn(value) && namesIn(whole[word]))
      whole[word] = [...new Set([...(namesIn(whole[word]) ?? []), ...(namesIn(value) ?? [])])]
    else if (JSON.stringify(whole[word]) === JSON.stringify(value) || SHOWN_WORDS.has(word)) continue
    else if (RULE_WORDS.has(word)) rules.push({ [word]: value })
    else return undefined
  }
  if (conditions.length > 0) whole[CONDITIONS] = conditions
  if (rules.length > 0) whole['x-validator'] = [...[whole['x-validator'] ?? []].flat(), ...rules]
  return whole as FormNode
}

type Conditions = Readonly<Record<string, unknown>>
/** Conditions of the members of an `allOf`, until they are read. */
const CONDITIONS = 'allOf conditions'

/** What a node says under conditions, each with its own `if`. */
function conditionsOf(node: FormNode): Conditions[] {
  const own = Object.fromEntries(CONDITIONAL.flatMap((word) => (node[word] === undefined ? [] : [[word, node[word]]])))
  const others = (node[CONDITIONS] as Conditions[] | undefined) ?? []
  return Object.keys(own).length > 0 ? [own, ...others] : others
}

function membersOf(
  own: Readonly<Record<string, FormNode>>,
  more: Readonly<Record<string, FormNode>>,
): Record<string, FormNode> | undefined {
  const whole: Record<string, FormNode> = { ...own }
  for (const [name, child] of Object.entries(more)) {
    const known = whole[name]
    const both = known ? mergedWith(known, child) : child
    if (!both) return undefined
    whole[name] = both
  }
  return whole
}

/** A list of names that are required marks those fields, also inside groups. */
function required(node: FormNode): FormNode {
  const names = namesIn(node.required)
  if (!names) return node
  const left: string[] = []
  const marked = names.reduce<FormNode>(
    (whole, name) => {
      const found = withField(whole, name, (field) => ({ ...field, required: true }))
      if (!found) left.push(name)
      return found ?? whole
    },
    without(node, 'required'),
  )
  return left.length > 0 ? ({ ...marked, required: left } as FormNode) : marked
}

/** The node with one of its fields changed, wherever it is grouped; undefined where it has none of that name. */
function withField(node: FormNode, name: string, change: (field: FormNode) => FormNode | undefined): FormNode | undefined {
  const { properties = {} } = node
  const own = Object.hasOwn(properties, name) && properties[name]?.type !== 'void' ? properties[name] : undefined
  if (own) {
    const changed = change(own)
    return changed && { ...node, properties: { ...properties, [name]: changed } }
  }
  for (const [group, child] of Object.entries(properties)) {
    const changed = child.type === 'void' ? withField(child, name, change) : undefined
    if (changed) return { ...node, properties: { ...properties, [group]: changed } }
  }
  return undefined
}

const hasField = (node: FormNode, name: string): boolean => withField(node, name, (field) => field) !== undefined

/** With what is asked or shown under a condition said at the fields. Words that cannot be said so stay. */
function conditional(node: FormNode, base: string): FormNode {
  const left: Conditions[] = []
  const done = conditionsOf(node).reduce<FormNode>(
    (whole, words) => {
      const rules = rulesOf(words, base)
      const next = rules?.reduce<FormNode | undefined>(
        (one, { when, then }) => one && underCondition(one, when, then, base),
        whole,
      )
      if (!next) left.push(words)
      return next ?? whole
    },
    without(node, CONDITIONS, ...CONDITIONAL),
  )
  const [first = {}, ...more] = left
  return { ...done, ...first, ...(more.length > 0 ? { allOf: [...((done.allOf as unknown[] | undefined) ?? []), ...more] } : {}) }
}

interface ConditionalRule {
  /** An expression without braces. */
  when: string
  then: FormNode
}

const isSchema = (value: unknown): value is FormNode => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What follows when, of every word that says so; undefined where one of them cannot be said. */
function rulesOf(words: Readonly<Record<string, unknown>>, base: string): ConditionalRule[] | undefined {
  const rules: ConditionalRule[] = []
  if (words.if !== undefined) {
    const when = conditionOf(words.if, base)
    if (when === undefined) return undefined
    if (isSchema(words.then)) rules.push({ when, then: words.then })
    if (isSchema(words.else)) rules.push({ when: `!(${when})`, then: words.else })
  } else if (words.then !== undefined || words.else !== undefined) return undefined
  for (const word of ['dependentRequired', 'dependentSchemas', 'dependencies'] as const) {
    const given = words[word]
    if (given === undefined) continue
    if (!isSchema(given)) return undefined
    for (const [name, follows] of Object.entries(given as Readonly<Record<string, unknown>>)) {
      const names = namesIn(follows)
      const then = names ? { required: names } : follows
      if (!isSchema(then)) return undefined
      rules.push({ when: filled(member(base, name)), then })
    }
  }
  return rules
}

/** Words of what follows that are read: all else has no condition in a form. */
const FOLLOWING: ReadonlySet<string> = new Set(['required', 'properties', 'type', CONDITIONS, ...CONDITIONAL, ...SHOWN_WORDS])

/** The node with what a schema asks while a condition holds; undefined where it asks something that a form cannot say. */
function underCondition(node: FormNode, when: string, follows: FormNode, base: string): FormNode | undefined {
  const part = merged(follows)
  if (Object.keys(part).some((word) => !FOLLOWING.has(word))) return undefined
  const names = new Set(namesIn(part.required))
  if (part.required !== undefined && !namesIn(part.required)) return undefined
  let whole: FormNode | undefined = node
  for (const [name, child] of Object.entries(part.properties ?? {})) {
    // a condition on what is there already needs no field of its own when it says nothing of it
    if (whole && hasField(whole, name)) {
      if (Object.keys(child).some((word) => word !== 'type')) return undefined
      continue
    }
    const asked = names.delete(name) ? { required: true } : {}
    whole = whole && {
      ...whole,
      properties: { ...whole.properties, [name]: { ...child, ...asked, 'x-visible': shownWhile(child['x-visible'], when) } },
    }
  }
  for (const name of names) whole = whole && withField(whole, name, (field) => askedWhile(field, when))
  for (const words of conditionsOf(part)) {
    const rules = rulesOf(words, base)
    if (!rules) return undefined
    for (const rule of rules) whole = whole && underCondition(whole, `(${when}) && (${rule.when})`, rule.then, base)
  }
  return whole
}

const bare = (text: string): string => text.trim().replace(/^\{\{/, '').replace(/\}\}$/, '').trim()

/** A field that has to be filled while a condition holds, beside what it says itself. */
function askedWhile(field: FormNode, when: string): FormNode {
  const own = field['x-required'] ?? field.required
  if (own === true) return field
  const text = isExpression(own) ? `(${bare(own)}) || (${when})` : when
  return { ...without(field, 'required'), 'x-required': `{{ ${text} }}` }
}

const shownWhile = (own: unknown, when: string): string =>
  isExpression(own) ? `{{ (${bare(own)}) && (${when}) }}` : `{{ ${when} }}`

/** A value that the server gives is shown; the field says how, unless it says so itself. */
function shown(node: FormNode): FormNode {
  if (typeof node.readOnly !== 'boolean') return node
  const rest = without(node, 'readOnly')
  return node.readOnly && rest['x-pattern'] === undefined ? { ...rest, 'x-pattern': 'readPretty' } : rest
}

/** `["string", "null"]`: what may be empty, as every field may that is not required. */
function typed(node: FormNode): FormNode {
  const types = namesIn(node.type)?.filter((type) => type !== 'null')
  const [only] = types ?? []
  return types?.length === 1 && only !== undefined ? { ...node, type: only } : node
}

function closed(node: FormNode): FormNode {
  const words = closedWords().filter((word) => node[word] === false)
  return words.length > 0 ? without(node, ...words) : node
}
