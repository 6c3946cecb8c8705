// @vitest-environment jsdom
import { act, Suspense } from 'react'
import { expect, it, vi } from 'vitest'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { lazyPart } from '../../../../src/runtime/part/lazyPart'
import { fakeHost } from '../../../support/fakeHost'
import { rootOfEachTest } from '../../../support/reactRoot'

const root = rootOfEachTest()
const Words = () => <p>here</p>

/** Every text that stood on the page, in order. */
const shown = async (Part: ReturnType<typeof lazyPart>): Promise<string[]> => {
  const seen: string[] = []
  const watch = new MutationObserver(() => seen.push(document.body.textContent))
  watch.observe(document.body, { childList: true, subtree: true, characterData: true })
  await act(async () =>
    root.current.render(
      <HostProvider value={fakeHost({ locale: 'en' })}>
        <Suspense fallback="waits">
          <Part />
        </Suspense>
      </HostProvider>,
    ),
  )
  await act(async () => new Promise((done) => setTimeout(done, 20)))
  watch.disconnect()
  return seen
}

it('a part that was fetched before is drawn at once, and one that was not once it is here', async () => {
  const fetched = lazyPart(() => Promise.resolve({ default: Words }))
  expect(fetched.isHere()).toBe(false)
  await fetched.fetch()
  expect(fetched.isHere()).toBe(true)
  expect(await shown(fetched)).toEqual(['here'])
  expect((await shown(lazyPart(() => Promise.resolve({ default: Words })))).at(-1)).toBe('here')
})

it('a part that could not be fetched is asked for again when it is drawn, and then says that it is missing', async () => {
  document.documentElement.lang = 'en'
  const load = vi.fn().mockRejectedValue(new Error('net'))
  const part = lazyPart(load)
  await part.fetch()
  expect(part.isHere()).toBe(false)
  const asked = load.mock.calls.length
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await shown(part)
  await vi.waitFor(() => expect(document.body.textContent).toContain('This part was not loaded'), 10_000)
  expect(load.mock.calls.length).toBeGreaterThan(asked)
})
