import { idOf, isKeyedList, isObject, isOrderedMap, joinAddress } from '../../../schema/overlay'
import type { Labels } from '../language/labels'
import type { Language, Word } from '../language/meta'
import { valueAt } from './address'

/** A part of the document that can be chosen. */
export interface OutlineNode {
  address: string
  /** An object of the document, a list of items, or one of its items. */
  kind: 'object' | 'list' | 'item'
  /** The word of the language: columns, header. */
  word: string
  /** What it is called; undefined: by its word. */
  label?: string
  /** Its id, where it differs from the label. */
  id?: string
  hidden: boolean
  children: readonly OutlineNode[]
}

/** Words of the head of every document, which are not designed. */
const HEAD: ReadonlySet<string> = new Set(['$schema', 'formatVersion', 'kind', 'name', 'type'])
/** What the explicit form of a page has written down already. */
const FILLED = 'cells'
const MOST_DEPTH = 30

/** The node that was made of an item, and everything but the item that it was made from. */
interface Made {
  from: readonly unknown[]
  node: OutlineNode
}
/** An edit leaves all other items the objects that they were: their nodes stay as well. */
const made = new WeakMap<object, Made>()

const isHidden = (value: unknown): boolean =>
  isObject(value) &&
  (value.hidden === true || value['x-hidden'] === true || value['x-retired'] === true || value.retired === true)

/** The document as a tree of its parts, by the language: what a panel shows is not in it. Takes any JSON. */
export const outlineOf = (document: unknown, language: Language, labels: Labels): OutlineNode => {
  const partsOf = (value: unknown, word: Word, at: string, depth: number): OutlineNode[] => {
    if (depth > MOST_DEPTH) return []
    return language.words(word).flatMap(([name, inner]): OutlineNode[] => {
      const here = joinAddress(at, name)
      const held = isObject(value) ? value[name] : undefined
      if (language.isItems(name, inner)) {
        const children = itemsOf(held, name, inner, here, depth)
        // The fields of a form stand right below their group.
        if (isOrderedMap(name) && word.def === 'FormNode') return children
        return [{ address: here, kind: 'list', word: name, hidden: false, children }]
      }
      if (inner.type !== 'object' || !language.holdsItems(inner) || (held === undefined && depth > 0)) return []
      return [{ address: here, kind: 'object', word: name, hidden: false, children: partsOf(held, inner, here, depth + 1) }]
    })
  }
  const itemsOf = (held: unknown, name: string, word: Word, at: string, depth: number): OutlineNode[] => {
    const entries = isOrderedMap(name)
      ? Object.entries(isObject(held) ? held : {})
      : isKeyedList(name, held)
        ? held.map((item): [string, unknown] => [idOf(name, item) ?? '', item])
        : // an item lost its id, or two have one: they stay in sight at their places, so that it can be mended
          (Array.isArray(held) ? held : []).map((item: unknown, index): [string, unknown] => [String(index), item])
    const inner = isOrderedMap(name) ? word.additionalProperties : word.items
    if (typeof inner !== 'object') return []
    const meta = language.resolve(inner)
    const around = labels.entityAt(at)
    return entries.map(([id, item]) => {
      const address = joinAddress(at, id)
      const from = [address, language, around, ...labels.known]
      const before = isObject(item) ? made.get(item) : undefined
      if (before?.from.every((part, index) => part === from[index])) return before.node
      const label = labels.item(address, idOf(name, item) ?? id, item)
      const node: OutlineNode = {
        address,
        kind: 'item',
        word: name,
        label,
        ...(label === id ? {} : { id }),
        hidden: isHidden(item),
        children: partsOf(item, meta, address, depth + 1),
      }
      if (isObject(item)) made.set(item, { from, node })
      return node
    })
  }
  return { address: '', kind: 'object', word: '', hidden: false, children: partsOf(document, language.root, '', 0) }
}

/** The words of a part that a panel shows: all that are no part of the outline. */
export const panelWords = (document: unknown, language: Language, at: string): [string, Word][] => {
  const word = language.at(at)
  // What has several forms is one control of its own.
  if (!word || word.oneOf) return []
  const value = valueAt(document, at)
  const own = language
    .words(word)
    .filter(([name]) => name !== FILLED)
    .filter(([name, inner]) => !HEAD.has(name) || (at !== '' && name !== '$schema' && inner.const === undefined))
    .filter(([name, inner]) => !language.isItems(name, inner) && !(inner.type === 'object' && language.holdsItems(inner)))
  const known = new Set(Object.keys(word.properties ?? {}))
  // What the language leaves open is still shown when it is there.
  const open =
    word.additionalProperties === false ? [] : Object.keys(isObject(value) ? value : {}).filter((name) => !known.has(name))
  return [...own, ...open.map((name): [string, Word] => [name, {}])]
}

/** Every node of the tree, parents before their children. */
export const flatOutline = (node: OutlineNode): OutlineNode[] => [node, ...node.children.flatMap(flatOutline)]
