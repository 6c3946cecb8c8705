import { describe, expect, it } from 'vitest'
import { averageCost, moveIn, moveOut, type Movement, type OnHand } from '../../../../../gateway/modules/srm/stock/cost'

const EMPTY: OnHand = { qty: '0', value: '0' }
const told = ({ qty, amount, after }: Movement): unknown[] => [
  ...[qty, amount, after.qty, after.value].map(Number),
  Number(averageCost(after)),
]

describe('Moving average', () => {
  it('follows the example of GoIP-32 in warehouse SZ step by step', () => {
    const first = moveIn(EMPTY, '10', '596.40')
    const second = moveIn(first.after, '5', '630.00')
    const shipped = moveOut(second.after, '4')!
    const back = moveIn(shipped.after, '1', shipped.unitCost)
    const returned = moveOut(back.after, '2', '630.00')!
    const lost = moveOut(returned.after, '1')!
    const moved = moveOut(lost.after, '3')!
    expect([first, second, shipped, back, returned, lost, moved].map(told)).toEqual([
      [10, 5964, 10, 5964, 596.4],
      [5, 3150, 15, 9114, 607.6],
      [-4, -2430.4, 11, 6683.6, 607.6],
      [1, 607.6, 12, 7291.2, 607.6],
      [-2, -1260, 10, 6031.2, 603.12],
      [-1, -603.12, 9, 5428.08, 603.12],
      [-3, -1809.36, 6, 3618.72, 603.12],
    ])
    expect(moveOut(moved.after, '7')).toBeNull()
  })

  it('the last piece takes the whole value, and what a return costs beyond it is a variance', () => {
    const thirds: OnHand = { qty: '3', value: '10' }
    const two = moveOut(thirds, '2')!
    expect(two.after).toEqual({ qty: '1', value: '3.333334' })
    expect(moveOut(two.after, '1')!.after).toEqual({ qty: '0', value: '0' })
    expect(moveOut({ qty: '1', value: '500' }, '1', '630')).toMatchObject({ amount: '-500', variance: '130' })
  })
})
