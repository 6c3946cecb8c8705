import { joinAddress, type JsonObject } from '../../../schema/overlay'
import { idsAt, parentOf, valueAt, withItem, withMoved, withValue } from '../document/address'
import { copyOf, freeId } from '../document/items'
import type { Language } from '../language/meta'

/** What can be done with an item of the outline. */
export interface ItemActions {
  choose(at: string): void
  move(at: string, by: number): void
  /** Puts an item of a list where another one of the same list stands, or behind it; to the beginning, where it names the list itself. */
  place(at: string, other: string, behind: boolean): void
  remove(at: string): void
  duplicate(at: string): void
  /** Off until somebody turns it on, and back. */
  toggleHidden(at: string): void
}

interface Parts {
  /** The document as it stands when the action runs. */
  document(): JsonObject
  edit(document: JsonObject): void
  choose(at: string): void
  language: Language
}

const HIDING = ['hidden', 'x-hidden', 'x-retired', 'retired'] as const

/** The word that hides an item of that place: a column is hidden, a field of an entity is retired. */
export const hidingWord = (language: Language, at: string): string | undefined =>
  HIDING.find((word) => Object.hasOwn(language.at(at)?.properties ?? {}, word))

export const itemActions = ({ document, edit, choose, language }: Parts): ItemActions => ({
  choose,
  move(at, by) {
    const { parent, last } = parentOf(at)
    edit(withMoved(document(), parent, last, idsAt(document(), parent).indexOf(last) + by))
  },
  place(at, other, behind) {
    const from = parentOf(at)
    if (from.parent === other) return edit(withMoved(document(), other, from.last, 0))
    const to = parentOf(other)
    if (from.parent !== to.parent || at === other) return
    const rest = idsAt(document(), from.parent).filter((id) => id !== from.last)
    edit(withMoved(document(), from.parent, from.last, rest.indexOf(to.last) + (behind ? 1 : 0)))
  },
  remove(at) {
    const { parent, last } = parentOf(at)
    const ids = idsAt(document(), parent)
    const next = ids[ids.indexOf(last) + 1] ?? ids[ids.indexOf(last) - 1]
    edit(withValue(document(), at, undefined))
    choose(next === undefined ? parent : joinAddress(parent, next))
  },
  duplicate(at) {
    const { parent, last } = parentOf(at)
    const { last: name } = parentOf(parent)
    const id = freeId(last.replaceAll('.', '-'), idsAt(document(), parent))
    const copy = copyOf(name, valueAt(document(), at), id)
    edit(withItem(document(), parent, id, copy, last))
    choose(joinAddress(parent, id))
  },
  toggleHidden(at) {
    const word = hidingWord(language, at)
    if (word === undefined) return
    const here = joinAddress(at, word)
    edit(withValue(document(), here, valueAt(document(), here) === true ? undefined : true))
  },
})
