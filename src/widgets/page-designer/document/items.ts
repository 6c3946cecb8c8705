import { idMembers, isObject, isOrderedMap } from '../../../schema/overlay'
import type { JsonObject } from '../../../schema/overlay'
import { beginningOfKind } from '../language/kinds'
import type { Language, Word } from '../language/meta'

/** What an item of a list has to be given before it can be added. */
export type ItemKind = 'field' | 'named'

/** How items of a list are added: most show a field of the entity, others only need a name. */
export const itemKind = (language: Language, list: string, name: string): ItemKind => {
  const item = itemWord(language, list, name)
  if (item?.def === 'FormNode') return 'field'
  return !isOrderedMap(name) && item?.properties?.field !== undefined && idMembers(name).includes('field') ? 'field' : 'named'
}

export const itemWord = (language: Language, list: string, name: string): Word | undefined => {
  const word = language.at(list)
  const inner = isOrderedMap(name) ? word?.additionalProperties : word?.items
  return typeof inner === 'object' ? language.resolve(inner) : undefined
}

/** An id that no item has yet. */
export const freeId = (wanted: string, taken: readonly string[]): string => {
  const known = new Set(taken)
  if (!known.has(wanted)) return wanted
  for (let number = 2; ; number++) if (!known.has(`${wanted}${number}`)) return `${wanted}${number}`
}

/** The item that shows a field. */
export const fieldItem = (
  language: Language,
  list: string,
  name: string,
  field: string,
  entity: string | undefined,
): JsonObject => {
  const word = itemWord(language, list, name)
  if (word?.def === 'FormNode') return { $field: `${entity ?? ''}.${field}` }
  return { ...requiredOf(language, word), field }
}

/** What the language asks for in an item, empty. */
const requiredOf = (language: Language, word: Word | undefined): JsonObject => {
  const made = word?.type === 'object' || word?.oneOf ? beginningOfKind(language, word) : {}
  return isObject(made) ? made : {}
}

/** An item with its name and everything that the language asks for. */
export const namedItem = (language: Language, list: string, name: string, id: string): JsonObject => {
  const word = itemWord(language, list, name)
  const title = { zh: id, en: id }
  const titles = new Set(titleWords(word))
  // What a form shows by a name of its own is a group: everything else in it shows a field.
  if (word?.def === 'FormNode') return { type: 'void', title, 'x-component': 'Group', properties: {} }
  const own = Object.fromEntries(
    language.words(word ?? {}).flatMap(([key, inner]): [string, unknown][] => {
      if (ID_WORDS.has(key) && inner.type === 'string') return isOrderedMap(name) ? [] : [[key, id]]
      return inner.def === 'Text' && (titles.has(key) || word?.required?.includes(key)) ? [[key, title]] : []
    }),
  )
  return { ...requiredOf(language, word), ...own }
}

const ID_WORDS: ReadonlySet<string> = new Set(['id', 'key', 'code'])

const titleWords = (word: Word | undefined): string[] =>
  ['title', 'label', 'x-label']
    .filter((name) => word?.properties !== undefined && Object.hasOwn(word.properties, name))
    .slice(0, 1)

/** A copy of an item under another id. */
export const copyOf = (name: string, item: unknown, id: string): unknown => {
  if (!isObject(item) || isOrderedMap(name)) return structuredClone(item)
  const member = ['id', 'key', 'code', 'path'].find((word) => typeof item[word] === 'string') ?? 'id'
  return { ...structuredClone(item), [member]: id }
}
