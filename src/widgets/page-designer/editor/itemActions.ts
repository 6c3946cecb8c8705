import { isOrderedMap, joinAddress, type JsonObject } from '../../../schema/overlay'
import { idsAt, parentOf, valueAt, withItem, withMoved, withValue } from '../document/address'
import { copyOf, freeId } from '../document/items'

/** What can be done with an item of the outline. */
export interface ItemActions {
  choose(at: string): void
  move(at: string, by: number): void
  /** Puts an item of a list where another one of the same list stands, or (last) behind it. */
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
}

export const itemActions = ({ document, edit, choose }: Parts): ItemActions => ({
  choose,
  move(at, by) {
    const { parent, last } = parentOf(at)
    edit(withMoved(document(), parent, last, idsAt(document(), parent).indexOf(last) + by))
  },
  place(at, other, behind) {
    const from = parentOf(at)
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
    const { parent } = parentOf(at)
    const form = isOrderedMap(parentOf(parent).last)
    const here = joinAddress(at, form ? 'x-hidden' : 'hidden')
    edit(withValue(document(), here, valueAt(document(), here) === true ? undefined : true))
  },
})
