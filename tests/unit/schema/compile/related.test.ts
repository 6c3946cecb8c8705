import { describe, expect, it } from 'vitest'
import { compilePage } from '../../../../src/schema'
import { standingCodes } from '../../../../src/schema/entity'
import type { PageDocument } from '../../../../src/schema/generated/page'
import { bundleOf, contextOf, detail } from './world'

const title = { zh: '标题', en: 'Title' }
const orders = (more: object = {}) => ({
  id: 'orders',
  title,
  list: { entity: 'demo.order', columns: [{ field: 'name' }, { field: 'amount', summary: 'sum' }] },
  ...more,
})

describe('What is related to a record', () => {
  it('is told by the lists of its tabs without a word of the page: count, sum, and the rows that are still open', () => {
    const { tabs, related, fold } = detail({ tabs: [orders(), { id: 'gauge', title, widget: 'demo.gauge' }] })
    expect([related, fold]).toEqual([true, true])
    expect(tabs.map(({ count }) => count)).toEqual([true, false])
    expect(tabs[1]?.related).toBeUndefined()
    expect(tabs[0]?.related).toMatchObject({
      title: { name: 'code' },
      state: { name: 'status' },
      amount: { name: 'amount' },
      rows: { field: 'status', codes: ['open'] },
      reach: [],
    })
  })

  it('is left out where the page says so', () => {
    const { tabs } = detail({ tabs: [orders({ related: false, count: false })] })
    expect([tabs[0]?.related, tabs[0]?.count]).toEqual([undefined, false])
    const page = detail({ related: false, fold: false, tabs: [orders()] })
    expect([page.related, page.fold, page.tabs[0]?.related]).toEqual([false, false, undefined])
  })

  it('adds up and compares nothing that the viewer may not read', () => {
    const fieldRules = { 'demo.order.amount': 'mask', 'demo.order.status': 'hide' }
    const page = { formatVersion: 3, kind: 'detail', entity: 'demo.order', title, tabs: [orders()] } as PageDocument
    const result = compilePage({ ...bundleOf(page), fieldRules }, contextOf())
    const hidden = result.ok && result.model.kind === 'detail' ? result.model.tabs[0]?.related : undefined
    expect(hidden).toMatchObject({ title: { name: 'code' }, reach: [] })
    expect(hidden).not.toHaveProperty('amount')
    expect(hidden).not.toHaveProperty('state')
    expect(hidden).not.toHaveProperty('rows')
    const nameless = compilePage(
      { ...bundleOf(page), fieldRules: { 'demo.order.code': 'hide', 'demo.order.name': 'hide' } },
      contextOf(),
    )
    const told = nameless.ok && nameless.model.kind === 'detail' ? nameless.model.tabs[0]?.related : undefined
    expect(told).toMatchObject({ amount: { name: 'amount' } })
    expect(told).not.toHaveProperty('title')
    expect(told).not.toHaveProperty('rows')
  })
})

describe('A state', () => {
  const move = (from: string[], to: string, more: object = {}) => ({ id: `${from}${to}`, label: title, from, to, ...more })
  it('is open while somebody can move the record on or end it, not when it can only be brought back', () => {
    const bill = [
      move(['draft'], 'issued'),
      move(['issued'], 'disputed'),
      move(['disputed'], 'issued'),
      move(['draft', 'issued', 'disputed'], 'void'),
      move(['issued'], 'paid', { auto: '{{ true }}' }),
      move(['paid'], 'issued', { by: ['system'] }),
    ]
    expect(standingCodes({ field: 'status', initial: 'draft', transitions: bill }).sort()).toEqual([
      'disputed',
      'draft',
      'issued',
    ])
    const chance = [move(['s1'], 's2'), move(['s2'], 'won'), move(['s1', 's2'], 'lost'), move(['won', 'lost'], 's1')]
    expect(standingCodes({ field: 'stage', initial: 's1', transitions: chance })).toEqual(['s1', 's2'])
  })
})
