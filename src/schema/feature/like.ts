import { pointer } from '../diagnosis'
import { isObject, type JsonObject } from '../overlay'
import { expandFeatures, usesFeatures, type Expanded, type Library, type UseProblem } from './expand'
import { keysOf, pointerIn } from './pointerIn'
import type { FeatureDocument } from '../generated/feature'

type Made = NonNullable<FeatureDocument['for']>

const isLike = (document: unknown): document is JsonObject & { like: string } =>
  isObject(document) && typeof document.like === 'string'

/** The document says what it is made of: features, or a page that it is like. */
export const isMadeOf = (document: unknown): document is JsonObject => usesFeatures(document) || isLike(document)

/** A document with everything that it is made of; what it says itself lies over that. */
export function makeWhole(
  document: JsonObject,
  library: Library,
  type: Made = 'entity',
  within: readonly string[] = [],
): Expanded {
  const own: Expanded = usesFeatures(document)
    ? expandFeatures(document, library, type)
    : { document, problems: [], locate: (at) => ({ at }) }
  if (type !== 'page' || !isLike(own.document)) return own
  const { like, ...said } = own.document
  const base = library.pages?.get(like)
  const problem = problemOf(like, base, within, library)
  if (problem || !isObject(base)) return { ...own, document: said, problems: [...own.problems, ...(problem ? [problem] : [])] }
  const whole = isMadeOf(base) ? makeWhole(base, library, 'page', [...within, like]) : { document: base, problems: [] }
  const problems: UseProblem[] = []
  const result = differing(whole.document, said, '', problems) as JsonObject
  return {
    document: result,
    problems: [...own.problems, ...whole.problems.map((one) => ({ ...one, at: '/like' })), ...problems],
    locate: (at) => {
      const saidAt = pointerIn(at, result, said)
      return saidAt === undefined ? { at: '/like', by: { zh: `页面“${like}”`, en: `The page "${like}"` } } : own.locate(saidAt)
    },
  }
}

function problemOf(like: string, base: unknown, within: readonly string[], { pages }: Library): UseProblem | undefined {
  const problem = { at: '/like', unknown: 'page' as const, value: like, known: [...(pages?.keys() ?? [])] }
  if (within.includes(like))
    return { ...problem, message: { zh: `页面“${like}”以自己为样本。`, en: `The page "${like}" is like itself.` } }
  if (isObject(base)) return undefined
  return { ...problem, message: { zh: `没有页面“${like}”。`, en: `There is no page "${like}".` } }
}

/**
 * One page with what another says differently: members meet by name, null leaves one out; a list holds what the other names, in its
 * order, each over the item of that id; an object over a list changes items by their id and keeps the others.
 */
function differing(base: unknown, own: unknown, at: string, problems: UseProblem[], name = ''): unknown {
  if (isObject(base) && isObject(own)) {
    const members = Object.entries(own).map(([key, value]): [string, unknown] => [
      key,
      Object.hasOwn(base, key) ? differing(base[key], value, pointer(at, key), problems, key) : value,
    ])
    return Object.fromEntries(Object.entries({ ...base, ...Object.fromEntries(members) }).filter(([, value]) => value !== null))
  }
  if (!Array.isArray(base) || !(Array.isArray(own) || isObject(own))) return own
  const keyOf = keysOf(name, base, Array.isArray(own) ? own : [])
  if (!keyOf) return own
  const items = new Map((base as unknown[]).map((item) => [keyOf(item), item]))
  if (Array.isArray(own))
    return own.map((item, index) =>
      items.has(keyOf(item)) ? differing(items.get(keyOf(item)), item, pointer(at, index), problems) : item,
    )
  for (const value of Object.keys(own).filter((key) => !items.has(key)))
    problems.push({
      ...{ at: pointer(at, value), unknown: 'item', value, known: [...items.keys()] },
      message: { zh: `样本页面的“${name}”里没有“${value}”。`, en: `The page that it is like has no "${value}" in "${name}".` },
    })
  return [...items].flatMap(([key, item]) => {
    if (!Object.hasOwn(own, key)) return [item]
    return own[key] === null ? [] : [differing(item, own[key], pointer(at, key), problems)]
  })
}
