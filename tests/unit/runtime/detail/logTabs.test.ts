import { expect, it } from 'vitest'
import { groupLogs } from '../../../../src/runtime/detail/logTabs'
import type { TabModel } from '../../../../src/schema/model'

const tab = (id: string, log = false): TabModel => ({ id, log }) as TabModel
const bar = (...tabs: TabModel[]) => {
  const grouped = groupLogs(tabs)
  return [grouped.bar.map((one) => (typeof one === 'string' ? one : one.id)), grouped.logs.map(({ id }) => id)]
}

it('Several logs stand in one tab at the place of the first, a single one stays a tab', () => {
  expect(bar(tab('people'), tab('owners', true), tab('bills'), tab('levels', true))).toEqual([
    ['people', '$logs', 'bills'],
    ['owners', 'levels'],
  ])
  expect(bar(tab('people'), tab('owners', true))).toEqual([['people', 'owners'], []])
})
