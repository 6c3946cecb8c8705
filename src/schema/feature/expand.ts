import { pointer } from '../diagnosis'
import type { FeatureDocument } from '../generated/feature'
import { isObject, type JsonObject } from '../overlay'
import type { BilingualText } from '../problem'
import { checkProps, type PropsSchema } from '../props'
import { keysOf, pointerIn } from './pointerIn'
import { fill } from './template'

/** What is wrong with how a document takes part in a feature, or with the page that it is like. */
export interface UseProblem {
  at: string
  unknown: 'feature' | 'parameter' | 'subject' | 'page' | 'item' | null
  message: BilingualText
  value?: string
  known?: readonly string[]
}

export interface Expanded {
  /** The whole document; it no longer says what it is made of. */
  document: JsonObject
  problems: readonly UseProblem[]
  /** Where something of the whole document is said: in the document itself, or where it says what it is made of, by whom there. */
  locate(at: string): { at: string; by?: BilingualText }
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

/** The features there are, the documents of entities as they are written (whose companion a document is), and the pages that others are like. */
export interface Library {
  features: ReadonlyMap<string, FeatureDocument>
  subjects?: ReadonlyMap<string, unknown>
  pages?: ReadonlyMap<string, unknown>
}

/** Features, entities and pages among documents as they are written. */
export function libraryOf(documents: Iterable<{ type: string; name?: string; value?: unknown }>): Required<Library> {
  const [features, subjects, pages] = [new Map<string, FeatureDocument>(), new Map<string, unknown>(), new Map<string, unknown>()]
  for (const { type, name, value } of documents) {
    if (type === 'page' && name !== undefined) pages.set(name, value)
    if (!isObject(value) || typeof value.name !== 'string') continue
    if (type === 'feature') features.set(value.name, value as unknown as FeatureDocument)
    if (type === 'entity') subjects.set(value.name, value)
  }
  return { features, subjects, pages }
}

/** A document with the features that it uses: their templates filled in, and what it says itself laid over them by id. */
export function expandFeatures(
  document: JsonObject & { 'x-use': Use[] },
  library: Library,
  type: FeatureDocument['for'] = 'entity',
): Expanded {
  const { features } = library
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
    if ((feature.for ?? 'entity') !== type)
      problems.push({
        at: pointer(at, 'feature'),
        unknown: null,
        message: {
          zh: `功能“${use.feature}”不适用于这种文档。`,
          en: `The feature "${use.feature}" is for documents of another kind.`,
        },
      })
    problems.push(
      ...checkParameters(feature, use, pointer(at, 'with')),
      ...checkSubjects(feature, use, library, pointer(at, 'with')),
    )
    return fill(feature.template, valuesOf(feature, use, own, library)) as JsonObject
  })
  const expanded = lay(filled.reduce(lay, {}), own)
  return {
    document: expanded,
    problems,
    locate: (at) => {
      const said = pointerIn(at, expanded, own)
      if (said !== undefined) return { at: said }
      const index = filled.findLastIndex((template) => pointerIn(at, expanded, template) !== undefined)
      const name = uses[Math.max(0, index)]?.feature ?? ''
      return { at: pointer('/x-use', Math.max(0, index)), by: { zh: `功能“${name}”`, en: `The feature "${name}"` } }
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

function valuesOf({ parameters }: FeatureDocument, { with: given }: Use, entity: JsonObject, library: Library): JsonObject {
  const values: JsonObject = { entity }
  for (const [name, { default: otherwise, of }] of Object.entries(parameters)) {
    const value = Object.hasOwn(given, name) ? given[name] : fill(otherwise, values)
    const subject = of === undefined ? undefined : subjectOf(value, of, library)
    values[name] = subject ? valuesOf(subject.feature, subject.use, subject.entity, library) : value
  }
  return values
}

/** The entity of that name and how it takes part in a feature. */
function subjectOf(name: unknown, of: string, { features, subjects }: Library) {
  const [entity, feature] = [subjects?.get(String(name)), features.get(of)]
  const use = usesFeatures(entity) ? entity['x-use'].find((one) => one.feature === of) : undefined
  return feature && use ? { feature, use, entity: entity as JsonObject } : undefined
}

/** Parameters that name an entity need one that takes part in the feature of which they read. */
const checkSubjects = ({ parameters }: FeatureDocument, { with: given }: Use, library: Library, at: string): UseProblem[] =>
  Object.entries(parameters).flatMap(([name, { of }]) => {
    const value = given[name]
    if (of === undefined || typeof value !== 'string' || subjectOf(value, of, library)) return []
    const known = [...(library.subjects?.keys() ?? [])].filter((entity) => subjectOf(entity, of, library))
    const message = {
      zh: `实体“${value}”没有使用功能“${of}”。`,
      en: `The entity "${value}" does not take part in the feature "${of}".`,
    }
    return [{ at: pointer(at, name), unknown: 'subject' as const, message, value, known }]
  })

/** Member of an own part of a list or an object: behind which of the feature's it stands; null: before all. */
const AFTER = '<<after>>'

/** The whole with those that say so behind the one that they name. */
function placedAfter<Entry extends { key: string; after?: unknown }>(entries: readonly Entry[]): Entry[] {
  const result = entries.filter(({ after }) => after === undefined)
  for (const entry of entries.filter(({ after }) => after !== undefined).toReversed()) {
    const index = entry.after === null ? -1 : result.findIndex(({ key }) => key === entry.after)
    result.splice(index < 0 && entry.after !== null ? result.length : index + 1, 0, entry)
  }
  return result
}

const ownPart = (key: string, value: unknown) => {
  if (!isObject(value) || !Object.hasOwn(value, AFTER)) return { key, value }
  const { [AFTER]: after, ...rest } = value
  return { key, value: rest, after }
}

/** One document over another: members meet by name, the upper ones first, items by id, the lower ones first; everything else is said by the upper one. */
function lay(under: JsonObject, over: JsonObject): JsonObject {
  const upper = Object.entries(over).map(([name, value]) =>
    Object.hasOwn(under, name) ? { key: name, value: layValue(under[name], value, name) } : ownPart(name, value),
  )
  const lower = Object.entries(under).flatMap(([key, value]) => (Object.hasOwn(over, key) ? [] : [{ key, value }]))
  return Object.fromEntries(placedAfter([...upper, ...lower]).map(({ key, value }) => [key, value])) as JsonObject
}

function layValue(under: unknown, over: unknown, name: string): unknown {
  if (isObject(under) && isObject(over)) return lay(under, over)
  const keyOf = Array.isArray(under) && Array.isArray(over) ? keysOf(name, under, over) : undefined
  if (!keyOf) return over
  const upper = new Map((over as unknown[]).map((item) => [keyOf(item), item]))
  const lower = new Set((under as unknown[]).map(keyOf))
  const merged = (under as unknown[]).map((item): ReturnType<typeof ownPart> => {
    const key = keyOf(item)
    return { key, value: upper.has(key) ? layValue(item, upper.get(key), '') : item }
  })
  const own = (over as unknown[]).flatMap((item) => (lower.has(keyOf(item)) ? [] : [ownPart(keyOf(item), item)]))
  return placedAfter([...merged, ...own]).map(({ value }) => value)
}
