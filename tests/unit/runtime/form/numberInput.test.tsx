// @vitest-environment jsdom
import { act, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeAll, expect, it } from 'vitest'
import { NumberInput } from '../../../../src/runtime/form/controls/NumberInput'
import { validatorOf } from '../../../../src/headless/form/validate'
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

it('an amount whose currency comes while somebody types in it keeps the focus and what is typed', async () => {
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  const Amount = ({ currency }: { currency: string }) => {
    const [value, setValue] = useState<unknown>(null)
    const props = { disabled: false, readOnly: false, placeholder: undefined, describedBy: undefined }
    return (
      <HostProvider value={fakeHost({})}>
        <NumberInput {...props} id="amount" value={value} onChange={setValue} as="text" suffix={currency} cell />
      </HostProvider>
    )
  }
  await act(async () => root.render(<Amount currency="" />))
  const input = container.querySelector('input')!
  await act(async () => input.focus())
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, '15')
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await act(async () => root.render(<Amount currency="USD" />))
  expect(document.activeElement).toBe(input)
  expect(input.value).toBe('15')
  expect(container.textContent).toBe('USD')
  await act(async () => root.unmount())
})

it('a box for JSON numbers keeps the text of a number that JSON would round, and its field refuses it', async () => {
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  const taken: unknown[] = []
  const Box = () => {
    const [value, setValue] = useState<unknown>(null)
    taken.push(value)
    return (
      <HostProvider value={fakeHost({})}>
        <NumberInput
          id="n"
          value={value}
          onChange={setValue}
          disabled={false}
          readOnly={false}
          placeholder={undefined}
          describedBy={undefined}
          as="number"
        />
      </HostProvider>
    )
  }
  await act(async () => root.render(<Box />))
  const input = container.querySelector('input')!
  const type = (text: string): Promise<void> =>
    act(async () => {
      input.focus()
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
  const node = { type: 'number' as const, title: 'Num' }
  const refusal = (value: unknown): string[] =>
    [validatorOf('en', 'UTC')(node) ?? []]
      .flat()
      .flatMap((rule) => (typeof rule === 'function' ? [String((rule as (value: unknown) => unknown)(value))] : []))
  for (const [text, kept, shown, refused] of [
    ['12.5', 12.5, '12.5', ''],
    ['9007199254740993', '9007199254740993', '9,007,199,254,740,993', 'More digits than'],
    ['12345678901234567891', '12345678901234567891', '12,345,678,901,234,567,891', 'More digits than'],
  ] as const) {
    await type(text)
    await act(async () => input.blur())
    expect([taken.at(-1), input.value]).toEqual([kept, shown])
    expect(refusal(taken.at(-1)).join('')).toMatch(refused === '' ? /^$/ : refused)
  }
  await act(async () => root.unmount())
})

/** The box with what is typed into it, as a browser tells it. */
async function box(as: 'text' | 'number' = 'text') {
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  let value: unknown = null
  const draw = (): void =>
    root.render(
      <HostProvider value={fakeHost({})}>
        <NumberInput
          {...{ id: 'n', value, disabled: false, readOnly: false, placeholder: undefined, describedBy: undefined, as }}
          onChange={(next) => {
            value = next
            draw()
          }}
        />
      </HostProvider>,
    )
  await act(async () => draw())
  const input = container.querySelector('input')!
  const tell = (event: Event): Promise<void> => act(async () => void input.dispatchEvent(event))
  const write = async (text: string, isComposing = false): Promise<void> => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text)
    await tell(new InputEvent('input', { bubbles: true, isComposing }))
  }
  await act(async () => input.focus())
  return { input, tell, write, leave: () => act(async () => input.blur()), value: () => value }
}

it('an input method writes full-width digits into a number box: they are read once it has finished (the case ime-steps)', async () => {
  const { input, tell, write, value } = await box()
  await tell(new CompositionEvent('compositionstart', { bubbles: true }))
  for (const text of ['１', '１０', '１００', '１０００']) {
    await write(text, true)
    expect(input.value).toBe(text)
  }
  await tell(new CompositionEvent('compositionend', { bubbles: true, data: '１０００' }))
  expect([input.value, value()]).toEqual(['1000', '1000'])
})

it.each([
  ['0,5', '0.5', '0.5'],
  ['12,5', '12.5', '12.5'],
  ['1,234', '1234', '1,234'],
  ['1,234.5', '1234.5', '1,234.5'],
  ['1.234,5', '1234.5', '1,234.5'],
  ['0,123456', '0.1234', '0.1234'],
  ['12,34,5', '12,34,5', '12,34,5'],
])('a comma in a number box is read as a file is read, or the text stays: %s', async (typed, value, shown) => {
  const known = await box()
  for (let end = 1; end <= typed.length; end += 1) await known.write(typed.slice(0, end))
  expect(known.input.value).toBe(typed)
  await known.leave()
  expect([known.value(), known.input.value]).toEqual([value, shown])
})
