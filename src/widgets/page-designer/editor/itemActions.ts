import { joinAddress, type JsonObject } from '../../../schema/overlay'
import { idsAt, parentOf, valueAt, withItem, withMoved, withValue } from '../document/address'
import { copyOf, freeId } from '../document/items'
import { destinationsOf, landingOf, withLanded, type Landing, type Side } from '../document/landing'
import { flatOutline, outlineOf, type OutlineNode } from '../document/outline'
import { ALL_COMPONENTS } from '../form/components'
import { roomFor, withComponent } from '../form/room'
import type { Labels } from '../language/labels'
import type { Language } from '../language/meta'

/** What can be done with an item of the outline. */
export interface ItemActions {
  choose(at: string): void
  move(at: string, by: number): void
  /** It can be put there. */
  fits(at: string, onto: string, side: Side): boolean
  /** Puts an item into, before or behind another part. */
  put(at: string, onto: string, side: Side): void
  /** Other parts that could hold the item. */
  destinations(at: string): readonly { list: string; part: OutlineNode }[]
  /** Puts an item at the end of another list. */
  moveInto(at: string, list: string): void
  /** Puts a new component of a form into or behind a part, or behind the nearest around it that takes it. */
  putComponent(id: string, onto: string): void
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
  /** What parts of that document are called. */
  labels(): Labels
}

const HIDING = ['hidden', 'x-hidden', 'x-retired', 'retired'] as const

/** The word that hides an item of that place: a column is hidden, a field of an entity is retired. */
export const hidingWord = (language: Language, at: string): string | undefined =>
  HIDING.find((word) => Object.hasOwn(language.at(at)?.properties ?? {}, word))

export const itemActions = ({ document, edit, choose, language, labels }: Parts): ItemActions => {
  const around = () => ({ document: document(), language, labels: labels() })
  const land = (at: string, landing: Landing): void => {
    const landed = withLanded(document(), at, landing)
    edit(landed.document)
    choose(landed.at)
  }
  return {
    choose,
    move(at, by) {
      const { parent, last } = parentOf(at)
      edit(withMoved(document(), parent, last, idsAt(document(), parent).indexOf(last) + by))
    },
    fits: (at, onto, side) => landingOf(around(), at, onto, side) !== undefined,
    put(at, onto, side) {
      const landing = landingOf(around(), at, onto, side)
      if (landing) land(at, landing)
    },
    destinations(at) {
      const known = around()
      return destinationsOf(known, flatOutline(outlineOf(known.document, language, known.labels)), at)
    },
    moveInto: (at, list) => land(at, { list, after: idsAt(document(), list).at(-1) ?? null }),
    putComponent(id, onto) {
      const component = ALL_COMPONENTS.find((one) => one.id === id)
      const known = around()
      for (let at = onto; component && at !== ''; at = parentOf(at).parent) {
        const room = roomFor(known, at, component)
        if (!room) continue
        const made = withComponent(known, room, component)
        edit(made.document)
        return choose(made.at)
      }
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
  }
}
