// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { HostProvider } from '../../../src/runtime/hostContext'
import { RequestError } from '../../../src/headless/host'
import { checkProps, findWidget, registerWidgets, WidgetOutlet } from '../../../src/runtime/widget'
import { widgets } from '../../../src/widgets'
import { fakeHost, type FakeHostOptions } from '../../support/fakeHost'
import { widgetAnswer } from './answers'

const source = { where: 'schemas/test/pages/a.json', at: '/widget' }
/** The first shows zeros without a word when its figures cannot be loaded (R381); the others ask the gateway nothing until they are used. */
const SILENT = [
  'csc.browserFacts',
  'home.overview',
  'crm.position',
  'form.scan',
  'toolbox.ask',
  'toolbox.sms',
  'mail.bind',
  'mail.manual',
  'crm.addressFile',
]
let root: Root | null = null

/** Draws a widget's example until its chunk is loaded and its calls are answered. */
const draw = async (name: string, options: FakeHostOptions): Promise<HTMLElement> => {
  const widget = findWidget(name)
  if (!widget) throw new Error(`${name} is not registered`)
  const container = document.createElement('div')
  document.body.append(container)
  const plain = fakeHost(options)
  const host = fakeHost({ ...options, overrides: { loadPage: (path) => plain.request({ method: 'GET', path }) } })
  root = createRoot(container)
  const drawn = (
    <HostProvider value={host}>
      <WidgetOutlet name={name} props={widget.example.props} values={widget.example.values ?? {}} source={source} />
    </HostProvider>
  )
  await act(async () => root?.render(drawn))
  await act(() => widget.load())
  await vi.waitFor(
    async () => {
      await act(async () => new Promise((resolve) => setTimeout(resolve, 0)))
      if (container.querySelector('[aria-busy="true"]')) throw new Error('still loading')
    },
    { timeout: 10_000 },
  )
  return container
}

beforeAll(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addListener: () => undefined,
    removeListener: () => undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  class NoObserver {
    observe = (): void => undefined
    unobserve = (): void => undefined
    disconnect = (): void => undefined
  }
  vi.stubGlobal('ResizeObserver', NoObserver)
  vi.stubGlobal('IntersectionObserver', NoObserver)
  registerWidgets(...widgets)
  // What is compiled here counts in no test's time: one that ran out of it would leave its drawing to all after it.
  for (const { name } of widgets) await findWidget(name)?.load()
}, 120_000)

afterEach(async () => {
  await act(async () => root?.unmount())
  root = null
  document.body.replaceChildren()
})

describe('the widgets', () => {
  it('are all found, each under a name of its own in module.camelCase', () => {
    const names = widgets.map(({ name }) => name)
    expect(names).toContain('crm.claimQuota')
    expect(names).toContain('sys.rolePermissions')
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z][a-zA-Z0-9]*\.[a-z][a-zA-Z0-9]*$/)
  })
})

describe.each(widgets.map((widget) => [widget.name, widget] as const))('%s', (name, widget) => {
  it('is described in both languages', () => {
    expect(widget.description.zh).toMatch(/[\u4e00-\u9fff]/)
    expect(widget.description.en).toMatch(/[a-z]/i)
  })

  it('has an example that fits its own schema, and refuses a property that it does not know', () => {
    expect(checkProps(widget.props, widget.example.props)).toEqual([])
    expect(checkProps(widget.props, { ...(widget.example.props as object), somethingUnknown: 1 })).not.toEqual([])
  })

  it.each(['zh', 'en'] as const)('draws its example in %s', async (locale) => {
    const container = await draw(name, { locale, answer: widgetAnswer })
    expect(container.textContent).not.toBe('')
    expect(container.querySelector('.sb-block-error')?.textContent).toBeUndefined()
  })

  it('says why when the gateway refuses, and does not fall over (R381)', async () => {
    const reason = 'The warehouse is closed today.'
    const container = await draw(name, {
      answer: () => {
        throw new RequestError('business', reason, 10010099)
      },
    })
    expect(container.querySelector('.sb-block-error')?.textContent).toBeUndefined()
    if (!SILENT.includes(name)) expect(container.textContent).toContain(reason)
  })
})
