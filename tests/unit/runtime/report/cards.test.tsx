// @vitest-environment jsdom
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { RequestError, type Host, type PageBundle } from '../../../../src/headless/host'
import ReportCards from '../../../../src/runtime/report/ReportCards'
import { fakeHost } from '../../../support/fakeHost'
import { rootOfEachTest } from '../../../support/reactRoot'

const root = rootOfEachTest()
const text = (en: string) => ({ zh: `中${en}`, en })
const bundle = {
  where: 'schemas/shop/pages/figures.json',
  revision: 'r1',
  dictionaries: {},
  entities: {
    'shop.order': {
      formatVersion: 3,
      name: 'shop.order',
      label: text('Order'),
      titleField: 'code',
      type: 'object',
      properties: { code: { type: 'string', 'x-label': text('Code') } },
    },
  },
  page: {
    formatVersion: 3,
    kind: 'report',
    title: text('Figures'),
    entity: 'shop.order',
    measures: [{ id: 'all', title: text('Orders'), count: true }],
    blocks: [{ id: 'totals', type: 'figure', title: text('Totals'), measures: ['all'] }],
  },
} as unknown as PageBundle
const answer = () => ({
  ...{ dimensions: [], measures: [{ id: 'all', kind: 'integer' }], rows: [], more: false, refs: {}, labels: {} },
  rows: [{ key: {}, measures: { all: 4711 }, where: [], before: null }],
  totals: { measures: { all: 4711 } },
})
const drawn = async (loadPage: Host['loadPage']): Promise<HTMLElement> => {
  const host = fakeHost({ locale: 'en', answer, overrides: { loadPage } })
  await act(async () =>
    root.current.render(
      <HostProvider value={host}>
        <ReportCards report="shop/figures" />
      </HostProvider>,
    ),
  )
  await vi.waitFor(() => act(async () => new Promise((resolve) => setTimeout(resolve, 20))))
  return document.body
}

it('the cards of a report show its blocks without its head', async () => {
  const body = await drawn(() => Promise.resolve({ bundle, from: 'gateway' }))
  expect(body.querySelector('h1')).toBeNull()
  expect(body.querySelector('h2')?.textContent).toBe('Totals')
  expect(body.textContent).toContain('4,711')
})

it('they show nothing to who may not see the report', async () => {
  expect((await drawn(() => Promise.reject(new RequestError('business', 'Not for you.', 10010003)))).textContent).toBe('')
})

it('they say why they cannot be loaded', async () => {
  expect((await drawn(() => Promise.reject(new RequestError('business', 'It is closed.', 10010099)))).textContent).toContain(
    'closed',
  )
})
