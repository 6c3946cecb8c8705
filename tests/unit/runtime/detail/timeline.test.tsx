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
  const model = { basePath: '/v2/x', fields: { tags: field('tags', 'strings'), name: field('name') } } as unknown as DetailModel
  const changes = [
    { field: 'tags', before: null, after: [] },
    { field: 'name', before: null, after: 'Aurora' },
    { field: 'name', before: '', after: null },
  ]
  const entry = { id: '1', at: '2026-03-01T00:00:00.000Z', byId: 's1', byName: 'Li Na', action: 'update', changes }
  const host = fakeHost({ answer: () => ({ records: [entry], more: false }) })
  await act(async () => root.current.render(<Timeline host={host} model={model} record={{ id: '7', version: 1 }} refs={{}} />))
  const told = [...document.querySelectorAll('.sb-change')].map(({ textContent }) => textContent)
  expect(told).toHaveLength(1)
  expect(told[0]).toContain('Aurora')
})
