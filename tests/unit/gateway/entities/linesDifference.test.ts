import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntityRecord } from '../../../../gateway/entities'
import {
  changeOfLines,
  differenceIn,
  differenceOf,
  isDifferent,
  mergeDifferences,
  type LinesDifference,
} from '../../../../gateway/entities/lines/difference'

const told = { names: ['name', 'quantity'], title: 'name' }
const rows = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    name: fc.constantFrom('x', 'y', null),
    quantity: fc.constantFrom(1, 2, null),
    version: fc.nat(),
  }),
  { selector: ({ id }) => id },
)

/** What a difference makes of lines: by id, without their order. */
const applied = (before: readonly EntityRecord[], difference: LinesDifference): Map<unknown, EntityRecord> => {
  const lines = new Map(before.map(({ id, name, quantity }) => [id, { name, quantity }] as [unknown, EntityRecord]))
  const is = new Set(difference.after.map(({ id }) => id))
  for (const { id } of difference.before) if (!is.has(id)) lines.delete(id)
  for (const { id, values } of difference.after) lines.set(id, { name: null, quantity: null, ...lines.get(id), ...values })
  return lines
}
const states = (lines: readonly EntityRecord[]) => applied(lines, { before: [], after: [], moved: false })
const sides = ({ before, after }: LinesDifference) => ({
  before: new Map(before.map(({ id, values }) => [id, values])),
  after: new Map(after.map(({ id, values }) => [id, values])),
})

describe('the difference of lines', () => {
  it('makes the lines after of the lines before', () => {
    fc.assert(
      fc.property(rows, rows, (before, after) => {
        expect(applied(before, differenceOf(told, before, after))).toEqual(states(after))
      }),
    )
  })

  it('is empty between equal lines and tells another order alone', () => {
    fc.assert(
      fc.property(rows, (lines) => {
        expect(isDifferent(differenceOf(told, lines, lines))).toBe(false)
        const turned = differenceOf(told, lines, lines.toReversed())
        expect(turned).toEqual({ before: [], after: [], moved: lines.length > 1 })
      }),
    )
  })

  it('tells of a changed line only the cells that differ, on both sides', () => {
    fc.assert(
      fc.property(rows, rows, (before, after) => {
        const difference = sides(differenceOf(told, before, after))
        for (const [id, values] of difference.after) {
          const old = difference.before.get(id)
          if (!old) continue
          expect(Object.keys(old)).toEqual(Object.keys(values))
          for (const name of Object.keys(values)) expect(old[name]).not.toEqual(values[name])
        }
      }),
    )
  })

  it('followed by another comes to the difference of the first and the last state', () => {
    fc.assert(
      fc.property(rows, rows, rows, (first, second, third) => {
        // an id that was removed is never given again
        const gone = new Set(first.map(({ id }) => id).filter((id) => !second.some((row) => row.id === id)))
        const last = third.filter(({ id }) => !gone.has(id))
        const merged = mergeDifferences(differenceOf(told, first, second), differenceOf(told, second, last))
        expect(sides(merged)).toEqual(sides(differenceOf(told, first, last)))
      }),
    )
  })

  it('is kept in a change of the history as it is, up to 200 lines and how many more there are', () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ id: `n${index}`, name: 'x', quantity: index }))
    const change = changeOfLines('lines', differenceOf(told, [], many))
    expect(change).toMatchObject({ field: 'lines', before: [], more: 50 })
    expect(differenceIn(change).after).toHaveLength(200)
  })
})
