import { isObject, joinAddress, type JsonObject } from '../../../schema/overlay'
import type { Labels } from '../language/labels'
import type { Language } from '../language/meta'
import { idsAt, parentOf, valueAt, withItem, withValue } from './address'
import { copyOf, freeId, itemWord } from './items'
import type { OutlineNode } from './outline'

/** A place in a list: behind the item of that id; null: first. */
export interface Landing {
  list: string
  after: string | null
}
/** Where an item is put, seen from another part: into it, or before or behind it. */
export type Side = 'inside' | 'before' | 'behind'

interface Around {
  document: JsonObject
  language: Language
  labels: Labels
}

/** A list takes an item of another one when both hold the same kind of items about the same entity. */
const takes = ({ language, labels }: Around, list: string, item: string): boolean => {
  const own = parentOf(item).parent
  if (list === own) return true
  const kind = itemWord(language, list, parentOf(list).last)
  return (
    kind !== undefined &&
    kind === itemWord(language, own, parentOf(own).last) &&
    labels.entityNameAt(list) === labels.entityNameAt(own) &&
    !`${list}/`.startsWith(`${item}/`)
  )
}

/** The list inside a part that takes the item: the part itself, or one of its words, e.g. the fields of a section. */
const listIn = (around: Around, part: string, item: string): string | undefined => {
  const { document, language } = around
  const word = language.at(part)
  if (!word || part === '') return undefined
  // Any field of a form could hold fields; only a group is there for it.
  const value = valueAt(document, part)
  if (word.def === 'FormNode' && isObject(value) && value.type !== 'void' && value.properties === undefined) return undefined
  const inner = language.words(word).filter(([name, meta]) => language.isItems(name, meta))
  const lists = [part, ...inner.map(([name]) => joinAddress(part, name))]
  return lists.find((list) => list !== parentOf(item).parent && list !== item && takes(around, list, item))
}

/** Where an item lands that is put there; undefined where it cannot stand. */
export const landingOf = (around: Around, item: string, onto: string, side: Side): Landing | undefined => {
  const own = parentOf(item)
  if (item === onto) return undefined
  if (side === 'inside') {
    if (onto === own.parent) return { list: onto, after: null }
    const list = listIn(around, onto, item)
    if (list !== undefined) return { list, after: null }
  }
  // Onto an open part that cannot hold it: behind that part.
  const { parent: list, last } = parentOf(onto)
  if (list === '' || !takes(around, list, item)) return undefined
  const ids = idsAt(around.document, list).filter((id) => list !== own.parent || id !== own.last)
  return { list, after: side === 'before' ? (ids[ids.indexOf(last) - 1] ?? null) : last }
}

/** The document with the item there, and the address that it has then. */
export const withLanded = (
  document: JsonObject,
  item: string,
  { list, after }: Landing,
): { document: JsonObject; at: string } => {
  const value = valueAt(document, item)
  const rest = withValue(document, item, undefined)
  const { last } = parentOf(item)
  const id = freeId(last, idsAt(rest, list))
  const landed = id === last ? value : copyOf(parentOf(list).last, value, id)
  return { document: withItem(rest, list, id, landed, after), at: joinAddress(list, id) }
}

/** The other parts that could hold the item, each with the list in it. */
export const destinationsOf = (
  around: Around,
  parts: readonly OutlineNode[],
  item: string,
): { list: string; part: OutlineNode }[] => {
  const own = parentOf(item).parent
  const found = parts.flatMap((part) => {
    const list = part.kind === 'list' || part.address === '' ? undefined : listIn(around, part.address, item)
    return list === undefined || list === own ? [] : [{ list, part }]
  })
  return found.filter(({ list }, index) => found.findIndex((other) => other.list === list) === index)
}
