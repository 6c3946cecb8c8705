// @vitest-environment jsdom
import { act } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { Timeline } from '../../../../src/runtime/detail/Timeline'
import type { DetailModel } from '../../../../src/schema/model'
import { fakeHost } from '../../../support/fakeHost'
import { field } from '../../../support/models'
import { rootOfEachTest } from '../../../support/reactRoot'

const root = rootOfEachTest()
beforeEach(() => void vi.stubGlobal('IntersectionObserver', undefined))

it('the timeline leaves out a field that was empty before and after', async () => {
  const model = {
    basePath: '/v2/x',
    tabs: [],
    fields: { tags: field('tags', 'strings'), name: field('name') },
  } as unknown as DetailModel
  const changes = [
    { field: 'tags', before: null, after: [] },
    { field: 'name', before: null, after: 'Aurora' },
    { field: 'name', before: '', after: null },
  ]
  const entry = { id: '1', at: '2026-03-01T00:00:00.000Z', byId: 's1', byName: 'Li Na', action: 'update', changes }
  const host = fakeHost({ answer: () => ({ records: [entry], more: false }) })
  await act(async () =>
    root.current.render(<Timeline host={host} model={model} record={{ id: '7', version: 1 }} refs={{}} scope={{}} />),
  )
  const told = [...document.querySelectorAll('.sb-change')].map(({ textContent }) => textContent)
  expect(told).toHaveLength(1)
  expect(told[0]).toContain('Aurora')
})

it('the timeline says what led to a change, with a link only where the reader may follow it', async () => {
  const model = { basePath: '/v2/x', tabs: [], fields: { name: field('name') } } as unknown as DetailModel
  const causes = [
    { record: { entity: 'crm.transfer', title: 'Transfer TR1', open: '/transfer?id=t1' }, text: 'Accept · effect owner' },
    { record: { entity: 'crm.share', title: 'Share', open: '/closed?id=s1' }, text: 'End' },
    { text: 'rules crm.wander, version 3' },
  ]
  const changes = [{ field: 'name', before: 'A', after: 'B' }]
  const entry = { id: '1', at: '2026-03-01T00:00:00.000Z', byId: 's1', byName: 'Li Na', action: 'update', changes, causes }
  const host = {
    ...fakeHost({ answer: () => ({ records: [entry], more: false }) }),
    canOpen: (address: string) => address.startsWith('/transfer'),
    navigate: vi.fn(),
  }
  await act(async () =>
    root.current.render(<Timeline host={host} model={model} record={{ id: '7', version: 1 }} refs={{}} scope={{}} />),
  )
  const [first, second, third] = [...document.querySelectorAll('.sb-cause')]
  expect(first?.textContent).toContain('Transfer TR1')
  expect(first?.textContent).toContain('Accept · effect owner')
  expect(second?.querySelector('button')).toBeNull()
  expect(third?.textContent).toBe('rules crm.wander, version 3')
  first?.querySelector('button')?.click()
  expect(host.navigate).toHaveBeenCalledWith('/transfer?id=t1')
})
