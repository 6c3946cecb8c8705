// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import { sumsOf } from '../../../../src/runtime/detail/sums'
import { useRelated } from '../../../../src/runtime/detail/useRelated'
import type { CellContext } from '../../../../src/runtime/cell'
import { tellChanged } from '../../../../src/runtime/changes'
import type { TabModel } from '../../../../src/schema/model'
import { fakeHost } from '../../../support/fakeHost'
import { field } from '../../../support/models'
import { rootOfEachTest } from '../../../support/reactRoot'

const root = rootOfEachTest()

it('a sum is one text a currency in its usual digits; an unknown currency and nothing are left out', () => {
  const amount = { ...field('amount', 'money'), money: 'currency' }
  const sums = (summary?: Record<string, unknown>) => sumsOf(amount, { total: 1, ...(summary ? { summary } : {}) }, 'en')
  expect(sums({ amount: '2014.200000', currency: 'USD' })).toEqual(['2,014.20 USD'])
  expect(sums({ amount: '1200.4', currency: 'JPY' })).toEqual(['1,200 JPY'])
  expect(sums({ amount: null, amountByCurrency: { EUR: '2', USD: '11.5', CNY: '0', '': null } })).toEqual([
    '2.00 EUR',
    '11.50 USD',
  ])
  expect([sums(), sums({}), sums({ amount: '0', currency: 'USD' }), sums({ amount: '5', currency: null })]).toEqual([
    [],
    [],
    [],
    [],
  ])
  expect(sumsOf({ ...amount, money: 'CNY' }, { total: 1, summary: { amount: '3' } }, 'en')).toEqual(['3.00 CNY'])
  expect(sumsOf(undefined, { total: 1, summary: { amount: '3' } }, 'en')).toEqual([])
})

it('all lists are asked for by one call, afterwards only those whose rows change', async () => {
  const list = (path: string) => ({ entity: path, path, where: () => [], views: [], filters: [], sort: [] })
  const tab = (id: string) => ({ id, count: true, content: { type: 'list', list: list(`/v2/${id}`) } }) as unknown as TabModel
  const tabs = [tab('bills'), tab('notes'), { ...tab('silent'), count: false }]
  const host = fakeHost({
    answer: ({ body }) => ({ sources: (body as { sources: unknown[] }).sources.map(() => ({ total: 2 })) }),
  })
  const context = { host, scope: {}, refs: {}, now: 0 } as CellContext
  const Shown = () => {
    const { sources, waiting } = useRelated(tabs, context, { id: '7', version: 1 }, '')
    return (
      <p>
        {waiting
          ? 'waiting'
          : Object.entries(sources)
              .map(([id, { total }]) => `${id} ${total}`)
              .join()}
      </p>
    )
  }
  await act(async () => root.current.render(<Shown />))
  expect(document.body.textContent).toBe('bills 2,notes 2')
  const asked = () =>
    host.requests.map(({ body }) => (body as { sources: { entity: string }[] }).sources.map(({ entity }) => entity))
  expect(asked()).toEqual([['/v2/bills', '/v2/notes']])
  await act(async () => tellChanged('/v2/notes'))
  expect(asked().slice(1)).toEqual([['/v2/notes']])
})
