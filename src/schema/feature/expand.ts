import { pointer } from '../diagnosis'
import type { FeatureDocument } from '../generated/feature'
import { idOf, isObject, type JsonObject } from '../overlay'
import type { BilingualText } from '../problem'
import { checkProps, type PropsSchema } from '../props'
import { fill } from './template'

/** What is wrong with how an entity takes part in a feature. */
export interface UseProblem {
  at: string
  unknown: 'feature' | 'parameter' | null
  message: BilingualText
  value?: string
  known?: readonly string[]
}

export interface Expanded {
  /** The entity with its features; it no longer says that it uses them. */
  document: JsonObject
  problems: readonly UseProblem[]
  /** Where something of the expanded document is said: in the entity itself, or by the feature of an entry of x-use. */
  placeOf(at: string): { at: string; feature?: string }
}

interface Use {
  id: string
  feature: string
  with: JsonObject
}

const isUse = (value: unknown): value is Use => isObject(value) && typeof value.feature === 'string' && isObject(value.with)

/** The document takes part in features and says so in a way that can be read. */
export const usesFeatures = (document: unknown): document is JsonObject & { 'x-use': Use[] } =>
  isObject(document) && Array.isArray(document['x-use']) && document['x-use'].every(isUse)

/** An entity with the features that it uses: their templates filled in, and what it says itself laid over them by id. */
export function expandFeatures(
  document: JsonObject & { 'x-use': Use[] },
  features: ReadonlyMap<string, FeatureDocument>,
): Expanded {
  const { 'x-use': uses, ...own } = document
  const problems: UseProblem[] = []
  const filled = uses.map((use, index): JsonObject => {
    const feature = features.get(use.feature)
    const at = pointer('/x-use', index)
    if (!feature) {
      problems.push({
        at: pointer(at, 'feature'),
        unknown: 'feature',
        message: { zh: `没有功能“${use.feature}”。`, en: `There is no feature "${use.feature}".` },
        value: use.feature,
        known: [...features.keys()],
      })
      return {}
    }
    problems.push(...checkParameters(feature, use, pointer(at, 'with')))
    return fill(feature.template, valuesOf(feature, use, own)) as JsonObject
  })
  const expanded = lay(filled.reduce(lay, {}), own)
  return {
    document: expanded,
    problems,
    placeOf: (at) => {
      const said = placeIn(at, expanded, own)
      if (said !== undefined) return { at: said }
      const index = filled.findLastIndex((template) => placeIn(at, expanded, template) !== undefined)
      return { at: pointer('/x-use', Math.max(0, index)), feature: uses[Math.max(0, index)]?.feature ?? '' }
    },
  }
}

function checkParameters({ name, parameters }: FeatureDocument, { with: given }: Use, at: string): UseProblem[] {
  const known = Object.keys(parameters)
  const unknown = Object.keys(given).filter((key) => !Object.hasOwn(parameters, key))
  const schema: PropsSchema = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(parameters).map(([key, { type }]) => [key, { type, additionalProperties: true }]),
    ),
    required: known.filter((key) => parameters[key]?.required),
    additionalProperties: true,
  }
  return [
    ...unknown.map((value): UseProblem => ({
      at: pointer(at, value),
      unknown: 'parameter',
      message: { zh: `功能“${name}”没有参数“${value}”。`, en: `The feature "${name}" has no parameter "${value}".` },
      value,
      known,
    })),
    ...checkProps(schema, given).map(({ at: inside, message }): UseProblem => ({
      at: `${at}${inside}`,
      unknown: null,
      message: {
        zh: `功能“${name}”的参数“${inside.slice(1)}”${message.zh}。`,
        en: `The parameter "${inside.slice(1)}" of the feature "${name}" ${message.en}.`,
      },
    })),
  ]
}

function valuesOf({ parameters }: FeatureDocument, { with: given }: Use, entity: JsonObject): JsonObject {
  const values: JsonObject = { entity }
  for (const [name, { default: otherwise }] of Object.entries(parameters))
    values[name] = Object.hasOwn(given, name) ? given[name] : fill(otherwise, values)
  return values
}

/** Items of both lists are known by ids of their own. */
function keysOf(name: string, ...lists: readonly unknown[][]): ((item: unknown) => string) | undefined {
  const keyOf = (item: unknown): string | undefined =>
    idOf(name, item) ?? (isObject(item) && typeof item.id === 'string' ? item.id : undefined)
  const known = lists.every((list) => new Set(list.map(keyOf)).size === list.length && !list.map(keyOf).includes(undefined))
  return known ? (item) => keyOf(item)! : undefined
}

/** One document over another: members meet by name, items by id, the lower ones first; everything else is said by the upper one. */
function lay(under: JsonObject, over: JsonObject): JsonObject {
  const result: JsonObject = { ...under }
  for (const [name, value] of Object.entries(over))
    result[name] = Object.hasOwn(under, name) ? layValue(under[name], value, name) : value
  return result
}

function layValue(under: unknown, over: unknown, name: string): unknown {
  if (isObject(under) && isObject(over)) return lay(under, over)
  const keyOf = Array.isArray(under) && Array.isArray(over) ? keysOf(name, under, over) : undefined
  if (!keyOf) return over
  const upper = new Map((over as unknown[]).map((item) => [keyOf(item), item]))
  const merged = (under as unknown[]).map((item) => (upper.has(keyOf(item)) ? layValue(item, upper.get(keyOf(item)), '') : item))
  const lower = new Set((under as unknown[]).map(keyOf))
  return [...merged, ...(over as unknown[]).filter((item) => !lower.has(keyOf(item)))]
}

/** Where in `part` stands what stands at a place of the whole; undefined when it says nothing of it. */
function placeIn(at: string, whole: unknown, part: unknown): string | undefined {
  let [name, said] = ['', '']
  for (const step of at.split('/').slice(1)) {
    const key = step.replace(/~1/g, '/').replace(/~0/g, '~')
    if (Array.isArray(whole) && Array.isArray(part)) {
      const keyOf = keysOf(name, whole, part)
      const wanted: unknown = whole[Number(key)]
      const index = keyOf ? part.findIndex((item) => keyOf(item) === keyOf(wanted)) : Number(key)
      ;[whole, part, said] = [wanted, part[index], pointer(said, index)]
    } else if (isObject(whole) && isObject(part)) {
      ;[whole, part, said] = [whole[key], part[key], pointer(said, key)]
    } else return undefined
    if (part === undefined) return undefined
    name = key
  }
  return said
}
