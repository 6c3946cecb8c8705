// @vitest-environment jsdom
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import { FormView } from '../../../../src/runtime/form/FormView'
import { loadControls } from '../../../../src/runtime/form/controls/registry'
import { HostProvider } from '../../../../src/runtime/hostContext'
import type { FormModel, FormNodeModel } from '../../../../src/schema/model'
import { fakeHost } from '../../../support/fakeHost'
import { rootOfEachTest } from '../../../support/reactRoot'
import { formModel, object } from './support'

const root = rootOfEachTest()
const read = (title: string, more: object = {}): FormNodeModel => ({ type: 'string', title, 'x-pattern': 'readPretty', ...more })

vi.stubGlobal(
  'IntersectionObserver',
  class {
    observe = (): void => undefined
    unobserve = (): void => undefined
    disconnect = (): void => undefined
  },
)

/** A form of an application that exists: its values are given, and nothing is read for it. */
async function draw(properties: Record<string, FormNodeModel>, values: Record<string, unknown>): Promise<void> {
  const model: FormModel = formModel({ schema: object(properties), record: () => 'i1' })
  const form = <FormView model={model} scope={{}} values={values} onDone={() => undefined} />
  await act(async () => root.current.render(<HostProvider value={fakeHost({ locale: 'en' })}>{form}</HostProvider>))
}
const item = (name: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-address="${name}"]`)
  if (!found) throw new Error(`There is no field ${name}.`)
  return found
}

it('a field that is only read is its name and its value, a dash for none, and no box to type in', async () => {
  await loadControls(['text'])
  await draw(
    { a: read('Name'), b: read('Note', { description: 'was: 3' }), c: { type: 'string', title: 'Typed' } },
    { a: 'Wang' },
  )
  expect(item('a').textContent).toBe('NameWang')
  expect(item('b').textContent).toBe('Note—was: 3')
  for (const name of ['a', 'b']) expect(item(name).querySelector('[tabindex], input, [role=textbox]')).toBeNull()
  expect(item('c').querySelector('input, [role=textbox]')).not.toBeNull()
})

it('a field that a linkage opens can be filled in, and one that it closes is read', async () => {
  await loadControls(['text'])
  const follows = (open: string): object => ({
    'x-reactions': { dependencies: { on: '.on' }, fulfill: { state: { pattern: open } } },
  })
  const pattern = "{{ $deps.on === 'y' ? 'editable' : 'readPretty' }}"
  const turned = "{{ $deps.on === 'y' ? 'readPretty' : 'editable' }}"
  const properties = {
    on: read('On'),
    a: { type: 'string', title: 'A', ...follows(pattern) } as FormNodeModel,
    b: { type: 'string', title: 'B', ...follows(turned) } as FormNodeModel,
  }
  await draw(properties, { on: 'y', b: 'kept' })
  expect(item('a').querySelector('input, [role=textbox]')).not.toBeNull()
  expect(item('b').textContent).toBe('Bkept')
})

it('Enter goes on to the next field that can be filled in, past those that are only read', async () => {
  await loadControls(['text'])
  await draw({ a: { type: 'string', title: 'A' }, b: read('B'), c: { type: 'string', title: 'C' } }, { b: 'read' })
  const input = (name: string): HTMLInputElement => item(name).querySelector('input') as HTMLInputElement
  await act(async () => {
    input('a').focus()
    input('a').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  })
  expect(document.activeElement).toBe(input('c'))
})
