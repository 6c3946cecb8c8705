// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useFindings } from '../../../../src/runtime/page/useFindings'
import type { LoadedPage } from '../../../../src/headless/host'
import { fakeHost } from '../../../support/fakeHost'
import { BUNDLES } from '../../../e2e/support/harness/documents'

const listOf = (from: LoadedPage['from']): LoadedPage => {
  const bundle = BUNDLES['/customers']
  if (!bundle) throw new Error('The harness has no list.')
  const page = { ...bundle.page, empty: { text: { zh: '无', en: 'None' }, action: 'ad' } } as typeof bundle.page
  return { bundle: { ...bundle, page, revision: `spoilt ${from}` }, from }
}

const found = async (page: LoadedPage) => {
  const host = fakeHost()
  const seen: string[] = []
  const told: never[] = []
  const Probe = () => {
    seen.push(
      useFindings(host, page, told)
        .map(({ at }) => at)
        .join(),
    )
    return null
  }
  const root = createRoot(document.createElement('div'))
  act(() => root.render(<Probe />))
  // The hook loads it late; here it is there already, so that a few turns of the event loop are enough.
  await import('../../../../src/runtime/page/checkBundle')
  for (let turn = 0; turn < 10; turn += 1) await act(() => vi.advanceTimersByTimeAsync(500))
  act(() => root.unmount())
  return { seen: seen.at(-1), events: host.events }
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('A kept copy of a page is checked a moment after it stands; its blocks and the console hear of what is wrong', async () => {
  const { seen, events } = await found(listOf('local'))
  expect(seen).toBe('/empty/action')
  expect(events).toEqual([expect.stringContaining('report schemas/test/pages/customers.json#/empty/action')])
})

it('A page from the gateway is not checked: the gateway has', async () => {
  expect(await found(listOf('gateway'))).toEqual({ seen: '', events: [] })
})
