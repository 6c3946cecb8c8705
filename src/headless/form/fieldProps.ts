import type { ISchema } from '@formily/json-schema'
import { Schema } from '@formily/json-schema'
import type { FormNodeModel } from '../../schema/model'
import { settled } from './settle'
import { pageField, unitOf } from './node'
import type { FieldProps, FollowOptions } from './types'

/** Names of the components with which Formily draws a field. */
export interface Drawn {
  component?: string | undefined
  decorator?: string | undefined
}

/** Components of Formily that show what stands behind a number. */
const NUMBER_BOXES: ReadonlySet<string> = new Set(['NumberPicker', 'InputNumber'])

const recordOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? { ...(value as Record<string, unknown>) } : {}

const EXPRESSION = /\{\{[\s\S]*\}\}/
/** True when a value is, or holds, an expression. */
export const hasExpression = (value: unknown): boolean => {
  if (typeof value === 'string') return EXPRESSION.test(value)
  if (Array.isArray(value)) return value.some(hasExpression)
  if (value !== null && typeof value === 'object') return Object.values(value).some(hasExpression)
  return false
}

/** Words of a node that Formily's own reaction understands when they hold an expression. */
const DYNAMIC = [
  'title',
  'description',
  'default',
  'enum',
  'required',
  'maxLength',
  'minLength',
  'maximum',
  'minimum',
  'x-value',
  'x-data',
  'x-editable',
  'x-disabled',
  'x-read-pretty',
  'x-read-only',
  'x-visible',
  'x-hidden',
  'x-display',
  'x-pattern',
  'x-component-props',
  'x-validator',
  'x-decorator-props',
  'x-content',
] as const

const DISPLAYS = ['visible', 'hidden', 'none'] as const
const PATTERNS = ['editable', 'disabled', 'readOnly', 'readPretty'] as const
const oneOf = <T extends string>(known: readonly T[], value: unknown): T | undefined => known.find((entry) => entry === value)
const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

/** True when a row of such nodes does something before anybody opens one of its cells. */
export const hasLinkages = (node: FormNodeModel): boolean =>
  node['x-reactions'] !== undefined ||
  node.default !== undefined ||
  DYNAMIC.some((word) => hasExpression(wordsOf(node)[word])) ||
  Object.values(node.properties ?? {}).some(hasLinkages)

/** `x-required` is how our documents say `required` with an expression. */
const wordsOf = (node: FormNodeModel): Readonly<Record<string, unknown>> =>
  node['x-required'] === undefined ? { ...node } : { ...node, required: node['x-required'] }

/**
 * Properties for Formily's field factory. What is fixed goes straight into the field; only words with an expression, and
 * `x-reactions`, become reactions: a form of 200 fields with 20 linkages runs 20 of them, not 200.
 */
export const fieldProps = (
  name: string,
  basePath: string,
  node: FormNodeModel,
  scope: Readonly<Record<string, unknown>>,
  validator: FieldProps['validator'],
  options: {
    lock?: 'readPretty' | 'hidden' | undefined
    defaults?: boolean
    drawn?: Drawn
    follow?: FollowOptions | undefined
  } = {},
): FieldProps => {
  const words = wordsOf(node)
  const fixed = (word: (typeof DYNAMIC)[number]): unknown => (hasExpression(words[word]) ? undefined : words[word])
  const dynamic = Object.fromEntries(DYNAMIC.filter((word) => hasExpression(words[word])).map((word) => [word, words[word]]))
  const reactions = words['x-reactions']

  const props: FieldProps = { name, basePath }
  const title = fixed('title') ?? pageField(node)?.label
  if (title !== undefined) props.title = title
  const description = fixed('description')
  if (description !== undefined) props.description = description
  const initial = fixed('default')
  if (initial !== undefined && options.defaults !== false) props.initialValue = initial
  const value = fixed('x-value')
  if (value !== undefined) props.value = value
  const choices = fixed('enum')
  if (Array.isArray(choices))
    props.dataSource = choices.map((option: unknown) => (isOption(option) ? option : { label: option, value: option }))
  const data = fixed('x-data')
  if (data !== undefined) props.data = data
  if (flag(fixed('required')) ?? pageField(node)?.required) props.required = true
  const visible = flag(fixed('x-visible'))
  if (visible !== undefined) props.visible = visible
  const hidden = flag(fixed('x-hidden'))
  if (hidden !== undefined) props.hidden = hidden
  const display = oneOf(DISPLAYS, fixed('x-display'))
  if (display) props.display = display
  const pattern = oneOf(PATTERNS, fixed('x-pattern'))
  if (pattern) props.pattern = pattern
  else if (flag(fixed('x-disabled'))) props.pattern = 'disabled'
  else if (flag(fixed('x-read-pretty'))) props.pattern = 'readPretty'
  else if (flag(fixed('x-read-only')) || flag(fixed('x-editable')) === false) props.pattern = 'readOnly'
  if (options.lock === 'readPretty') props.pattern = 'readPretty'
  else if (options.lock === 'hidden') props.display = 'none'
  if (validator !== undefined) props.validator = validator
  const content = fixed('x-content')
  if (content !== undefined) props.content = content
  if (options.drawn) {
    const { component, decorator } = options.drawn
    const unit = component !== undefined && NUMBER_BOXES.has(component) ? unitOf(node) : undefined
    if (component)
      props.component = [component, { ...(unit ? { addonAfter: unit } : {}), ...recordOf(fixed('x-component-props')) }]
    if (decorator) props.decorator = [decorator, recordOf(fixed('x-decorator-props'))]
  }

  if (Object.keys(dynamic).length > 0 || reactions !== undefined) {
    const schema = {
      type: node.type,
      name,
      ...dynamic,
      // Formily writes its defaults into the reactions; the model is frozen and shared
      ...(reactions === undefined ? {} : { 'x-reactions': structuredClone(reactions) }),
    } as ISchema
    const made = new Schema(schema).toFieldProps({ scope: { ...scope } })
    const passive = [true, ...[reactions ?? []].flat().map(isPassive)]
    props.reactions = [made.reactions ?? []].flat().map((reaction, index) => (passive[index] ? settled(reaction) : reaction))
  }
  if (options.follow && node['x-options']) props.reactions = [...[props.reactions ?? []].flat(), options.follow(node, scope)]
  return props
}

/** True for a linkage that follows what it reads; one with a target or a moment is told by its field. */
const isPassive = (reaction: unknown): boolean =>
  isOption(reaction) && !('target' in reaction && reaction.target) && !('effects' in reaction && reaction.effects)

const isOption = (value: unknown): value is object => value !== null && typeof value === 'object'
