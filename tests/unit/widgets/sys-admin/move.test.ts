import { assert, constantFrom, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flatMenus, type ManagedMenu } from '../../../../src/widgets/sys-admin/resources/menus'
import { findMenu, movesTo, positionOfDrop, stepOf, type Move } from '../../../../src/widgets/sys-admin/menus/move'
import { menu } from '../answers'

const child = (id: string, sortNo: number, children: readonly ManagedMenu[] = []): ManagedMenu =>
  menu(id, { parentId: 'root', sortNo, children })
const tree = [
  menu('root', { sortNo: 10, children: [child('a', 10), child('b', 20, [menu('deep', { parentId: 'b' })]), child('c', 30)] }),
  menu('other', { sortNo: 20 }),
]

/** Ids of the children of an entry after the moves, in their order. */
const after = (moves: readonly Move[], parentId: string | null): string[] => {
  const places = new Map(flatMenus(tree).map(({ id, parentId: parent, sortNo }) => [id, { parent, sortNo }]))
  for (const { id, parentId: parent, sortNo } of moves) places.set(id, { parent, sortNo })
  return [...places]
    .filter(([, place]) => place.parent === parentId)
    .sort(([, a], [, b]) => a.sortNo - b.sortNo)
    .map(([id]) => id)
}

describe('a moved menu entry', () => {
  it('goes before, after and into another one', () => {
    expect(after(movesTo(tree, 'c', { at: 'before', id: 'a' }), 'root')).toEqual(['c', 'a', 'b'])
    expect(after(movesTo(tree, 'a', { at: 'after', id: 'b' }), 'root')).toEqual(['b', 'a', 'c'])
    expect(after(movesTo(tree, 'other', { at: 'into', id: 'b' }), 'b')).toEqual(['deep', 'other'])
    expect(after(movesTo(tree, 'deep', { at: 'before', id: 'other' }), null)).toEqual(['root', 'deep', 'other'])
  })

  it('steps up, down and out, and knows where that ends', () => {
    expect(stepOf(tree, 'a', 'up')).toBeNull()
    expect(stepOf(tree, 'c', 'down')).toBeNull()
    expect(stepOf(tree, 'other', 'out')).toBeNull()
    const position = stepOf(tree, 'b', 'down')
    expect(position && after(movesTo(tree, 'b', position), 'root')).toEqual(['a', 'c', 'b'])
    const out = stepOf(tree, 'deep', 'out')
    expect(out && after(movesTo(tree, 'deep', out), 'root')).toEqual(['a', 'b', 'deep', 'c'])
  })

  it('stays where it is when it is dropped on itself, inside itself, or where it already stands', () => {
    expect(movesTo(tree, 'b', { at: 'into', id: 'b' })).toEqual([])
    expect(movesTo(tree, 'root', { at: 'into', id: 'deep' })).toEqual([])
    expect(movesTo(tree, 'a', { at: 'before', id: 'b' })).toEqual([])
    expect(movesTo(tree, 'c', { at: 'into', id: 'root' })).toEqual([])
    expect(movesTo(tree, 'nobody', { at: 'into', id: 'root' })).toEqual([])
  })

  it('has exactly the place that was asked for, and changes no order beside it, wherever it goes', () => {
    const all = flatMenus(tree).map(({ id }) => id)
    assert(
      property(
        constantFrom(...all),
        constantFrom(...all),
        constantFrom('before' as const, 'after' as const, 'into' as const),
        (id, target, at) => {
          const moves = movesTo(tree, id, { at, id: target })
          if (moves.length === 0) return
          const parentId = moves.find((move) => move.id === id)?.parentId ?? null
          const order = after(moves, parentId)
          if (at === 'into') expect([parentId, order.at(-1)]).toEqual([target, id])
          else expect(order.indexOf(id) - order.indexOf(target)).toBe(at === 'before' ? -1 : 1)
          const before = (parentId === null ? tree : (findMenu(tree, parentId)?.children ?? [])).map((entry) => entry.id)
          expect(order.filter((entry) => entry !== id)).toEqual(before.filter((entry) => entry !== id))
        },
      ),
    )
  })

  it('is placed by the gap in which it was dropped', () => {
    expect(([-1, 0, 1] as const).map((gap) => positionOfDrop('x', gap).at)).toEqual(['before', 'into', 'after'])
  })
})
