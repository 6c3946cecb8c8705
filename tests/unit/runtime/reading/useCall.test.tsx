// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RequestError } from '../../../../src/headless/host'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { useCall, type Call } from '../../../../src/runtime/reading/useCall'
import { fakeHost } from '../../../support/fakeHost'

let call: Call<string>
let leave = (): void => undefined
const Probe = (): null => {
  call = useCall<string>({ method: 'GET', path: '/v2/things' })
  return null
}

/** Shows a reader whose calls meet these answers one after another; answers how often it called. */
const open = async (answers: (string | Error)[]): Promise<() => number> => {
  let calls = 0
  const answer = (): string => {
    calls += 1
    const next = answers.shift()
    if (typeof next === 'string') return next
    throw next ?? new Error('one call too many')
  }
  const root = createRoot(document.createElement('div'))
  leave = () => act(() => root.unmount())
  await act(async () =>
    root.render(
      <HostProvider value={fakeHost({ answer })}>
        <Probe />
      </HostProvider>,
    ),
  )
  return () => calls
}
const online = (): Promise<void> => act(async () => void window.dispatchEvent(new Event('online')))

beforeEach(() => void vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true))
afterEach(() => {
  leave()
  vi.unstubAllGlobals()
})

describe('a reading call that failed', () => {
  it('is asked again by itself when the network is back, and then no more', async () => {
    const calls = await open([new RequestError('network', 'no network'), 'there'])
    expect(call).toMatchObject({ data: null, failure: { message: 'no network' } })
    await online()
    expect(call).toMatchObject({ data: 'there', failure: null })
    await online()
    expect(calls()).toBe(2)
  })

  it('waits for the person where the gateway refused it', async () => {
    const calls = await open([new RequestError('business', 'not yours', 10010003)])
    await online()
    expect(calls()).toBe(1)
    expect(call.failure).toMatchObject({ kind: 'denied' })
  })
})
