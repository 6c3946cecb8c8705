import { expect, it } from 'vitest'
import { briefOf } from '../../../../src/runtime/form/view/brief'
import type { BlockPlan, ItemPlan } from '../../../../src/headless/form/types'

const item = (path: string, required = false): ItemPlan => ({
  type: 'item',
  address: path,
  path,
  control: 'text',
  node: { type: 'string', required },
  span: 1,
})
const planOf = (...items: ItemPlan[]) => ({ items, blocks: items as BlockPlan[] })
const quick = { fields: ['name', 'role'], asked: true }

it('A form is begun with a few fields where at least three others may wait', () => {
  const rest = [item('phone'), item('im'), item('remark')]
  expect(briefOf({ quick }, planOf(item('name'), item('country', true), ...rest))).toEqual(new Set(['name', 'role']))
  expect(
    briefOf({ quick }, planOf(item('name'), item('country', true), item('town', true), item('im'), item('remark'))),
  ).toBeNull()
  expect(briefOf({}, planOf(item('name'), ...rest))).toBeNull()
})

it('A form with tabs or steps of its own stands whole', () => {
  const plan = planOf(item('name'), item('phone'), item('im'), item('remark'))
  expect(briefOf({ quick }, { ...plan, blocks: [{ type: 'formily' } as BlockPlan] })).toBeNull()
})
