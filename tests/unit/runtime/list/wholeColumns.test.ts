import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { grownColumn } from '../../../../src/runtime/list/useWholeColumns'

const column = (id: string, width: number, more: { flexible?: boolean; align?: 'left' | 'right'; pin?: 'right' } = {}) => ({
  id,
  width,
  flexible: more.flexible ?? false,
  model: { align: more.align ?? 'left', ...(more.pin ? { pin: more.pin } : {}) },
})

describe('columns in front of the pinned actions', () => {
  it('stand whole: what would be half covered moves behind the actions, and the width goes to the column of words', () => {
    const columns = [
      column('name', 200, { flexible: true }),
      column('state', 100),
      column('amount', 140, { align: 'right' }),
      column('balance', 140, { align: 'right' }),
    ]
    // 44 + 200 + 100 + 140 = 484; the balance would show 46 of its 140
    expect(grownColumn(columns, 44, 120, 650)).toEqual({ id: 'name', by: 46 })
    expect(grownColumn(columns, 44, 120, 744)).toBeNull()
    expect(grownColumn(columns, 44, 0, 650)).toBeNull()
  })

  it('never end with one cut, where there is a column that can grow', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 60, max: 240 }), { minLength: 2, maxLength: 20 }),
        fc.integer({ min: 60, max: 200 }),
        fc.integer({ min: 700, max: 1600 }),
        (widths, trail, room) => {
          const columns = widths.map((width, index) => column(String(index), width, { flexible: index === 0 }))
          const grown = grownColumn(columns, 44, trail, room)
          const starts = [44]
          for (const { id, width } of columns) starts.push(starts.at(-1)! + width + (grown?.id === id ? grown.by : 0))
          if (starts.at(-1)! + trail > room) expect(starts).toContain(room - trail)
        },
      ),
      { numRuns: 300 },
    )
  })
})
