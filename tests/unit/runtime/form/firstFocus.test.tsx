// @vitest-environment jsdom
import { act } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { FormView } from '../../../../src/runtime/form/FormView'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { fakeHost } from '../../../support/fakeHost'
import { field } from '../../../support/models'
import { rootOfEachTest } from '../../../support/reactRoot'
import { formModel, object } from './support'

const root = rootOfEachTest()
beforeEach(() => {
  vi.stubGlobal('matchMedia', () =>
    Object.assign(new EventTarget(), { matches: false, addListener: () => undefined, removeListener: () => undefined }),
  )
})

const pause = (): Promise<unknown> => act(() => new Promise((done) => setTimeout(done, 100)))

it('gives the focus to the first field when it opens, and never takes it from another one when the page around it renders', async () => {
  const model = formModel({
    schema: object({
      name: { type: 'string', title: 'Name', 'x-field': field('name') },
      code: { type: 'string', title: 'Code', 'x-field': field('code') },
    }),
  })
  const host = fakeHost()
  const show = (): Promise<void> =>
    act(async () => {
      root.current.render(
        <HostProvider value={host}>
          <FormView model={model} scope={{}} onDone={() => undefined} onSubmit={() => undefined} />
        </HostProvider>,
      )
      await new Promise((done) => setTimeout(done, 100))
    })
  const focused = (): string | undefined => document.activeElement?.closest<HTMLElement>('[data-address]')?.dataset.address
  await show()
  for (let turn = 0; turn < 50 && focused() === undefined; turn += 1) await pause()
  expect(focused()).toBe('name')
  const code = (): HTMLElement | null => document.querySelector('[data-address=code] input')
  for (let turn = 0; turn < 50 && code() === null; turn += 1) await pause()
  act(() => code()?.focus())
  expect(focused()).toBe('code')
  await show()
  expect(focused()).toBe('code')
})
