// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeAll, expect, it } from 'vitest'
import { NumberInput } from '../../../../src/runtime/form/controls/NumberInput'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { fakeHost } from '../../../support/fakeHost'

beforeAll(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))

it('a number box groups thousands while nobody types in it, and shows plain digits, selected, to who does (R272); its unit stands behind it', async () => {
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  const props = { id: 'n', value: '1234567.5', onChange: () => undefined, disabled: false, readOnly: false }
  await act(async () =>
    root.render(
      <HostProvider value={fakeHost({})}>
        <NumberInput {...props} placeholder={undefined} describedBy={undefined} as="text" />
      </HostProvider>,
    ),
  )
  const input = container.querySelector('input')!
  expect(input.value).toBe('1,234,567.5')
  await act(async () => input.focus())
  expect(input.value).toBe('1234567.5')
  expect([input.selectionStart, input.selectionEnd]).toEqual([0, 9])
  await act(async () => input.blur())
  expect(input.value).toBe('1,234,567.5')
  const node = { type: 'number' as const, 'x-unit': 'ms' }
  const draw = (cell: boolean): Promise<void> =>
    act(async () =>
      root.render(
        <HostProvider value={fakeHost({})}>
          <NumberInput {...props} placeholder={undefined} describedBy="after" as="text" node={node} suffix="%" cell={cell} />
        </HostProvider>,
      ),
    )
  await draw(false)
  const described = container.querySelector('input')!.getAttribute('aria-describedby')!.split(' ')
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([undefined, '% ms'])
  await draw(true)
  expect(container.textContent).toBe('%')
  await act(async () => root.unmount())
})
