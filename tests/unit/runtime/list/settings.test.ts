import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrange, readSettings, shownColumns } from '../../../../src/runtime/list/settings'
import { column } from '../../../support/models'

const columns = ['a', 'b', 'c', 'd'].map((id) => column(id))
const ids = (list: readonly { id: string }[]): string => list.map(({ id }) => id).join('')

describe('column settings', () => {
  it('put a column that is newer than the settings behind the one that it follows in the page', () => {
    expect(ids(arrange(columns, { order: ['d', 'a', 'c'] }))).toBe('dabc')
    expect(ids(arrange(columns, { order: ['c', 'gone', 'b', 'd'] }))).toBe('acbd')
  })

  it('never lose or repeat a column, whatever is stored', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'x')), (order) => {
        expect(ids(arrange(columns, { order })).split('').sort().join('')).toBe('abcd')
      }),
    )
  })

  it('show pinned columns outside and keep at least one column', () => {
    expect(ids(shownColumns(columns, { pins: { a: 'right', c: 'left' }, hidden: { b: true } }))).toBe('cda')
    expect(ids(shownColumns(columns, { hidden: { a: true, b: true, c: true, d: true } }))).toBe('a')
  })

  it('read anything without failing and keep only what is meant', () => {
    fc.assert(
      fc.property(fc.anything(), (stored) => {
        expect(() => readSettings(stored)).not.toThrow()
      }),
    )
    expect(
      readSettings({ order: ['a', 1], widths: { a: 80, b: 'x' }, pins: { a: 'top' }, density: 'tiny', pageSize: -1 }),
    ).toEqual({
      order: ['a'],
      hidden: {},
      widths: { a: 80 },
      pins: {},
    })
  })
})
