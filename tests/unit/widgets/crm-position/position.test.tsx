// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { compileCell } from '../../../../src/runtime/cell'
import { controlOf, resolveControl } from '../../../../src/runtime/form/controls/registry'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { registerWidgets } from '../../../../src/runtime/widget'
import { position } from '../../../../src/widgets/crm-position'
import Position from '../../../../src/widgets/crm-position/Position'
import { fakeHost } from '../../../support/fakeHost'
import { column } from '../../../support/models'

const HERE = { latitude: 31.230412, longitude: -121.4, accuracy: 12, at: '2026-11-20T04:00:00.000Z' }
let root: Root | null = null
let container: HTMLElement

beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  registerWidgets(position)
})
afterEach(async () => {
  await act(async () => root?.unmount())
  vi.unstubAllGlobals()
})

const host = (copied: string[] = []) => fakeHost({ locale: 'en', overrides: { copy: async (text) => void copied.push(text) } })
async function draw(content: React.ReactNode, on = host()): Promise<void> {
  container = document.createElement('div')
  document.body.append(container)
  root = createRoot(container)
  await act(async () => root?.render(<HostProvider value={on}>{content}</HostProvider>))
}
const click = (name: string): Promise<void> =>
  act(async () => {
    const button = [...container.querySelectorAll('button')].find((one) => (one.title || one.textContent) === name)
    if (!button) throw new Error(`no button "${name}" in ${container.textContent}`)
    button.click()
  })
type Give = (found: PositionCallback, refused: PositionErrorCallback) => void
/** A browser that answers so; `secure` as a page over https has it. */
function browser(give: Give | null, secure = true): { asked: number } {
  const seen = { asked: 0 }
  const getCurrentPosition: Give = (found, refused) => {
    seen.asked += 1
    give?.(found, refused)
  }
  vi.stubGlobal('isSecureContext', secure)
  vi.stubGlobal('navigator', give ? { ...navigator, geolocation: { getCurrentPosition } } : { userAgent: '' })
  return seen
}
const refuse =
  (code: number): Give =>
  (_, refused) =>
    refused({ code } as GeolocationPositionError)

describe('the position of a visit', () => {
  it('is asked for by a click and not before, and given with accuracy and time', async () => {
    const seen = browser((found) =>
      found({
        coords: { latitude: 31.230412, longitude: -121.4, accuracy: 12.4 },
        timestamp: Date.parse(HERE.at),
      } as GeolocationPosition),
    )
    const given: unknown[] = []
    await draw(<Position props={{}} values={{ value: null, id: 'geo', onChange: (value: unknown) => given.push(value) }} />)
    expect([seen.asked, given]).toEqual([0, []])
    await click('Add my position')
    expect([seen.asked, given]).toEqual([1, [HERE]])
  })

  it.each([
    ['refused', refuse(1), true, /Allow "Location"/],
    ['unknown to the device', refuse(2), true, /cannot tell where it is/],
    ['late', refuse(3), true, /within 15 seconds/],
    ['not supported', null, true, /gives no position here/],
    ['asked for without https', refuse(1), false, /gives no position here/],
  ] as const)('says in words why there is none when it is %s, and may be asked for again', async (_name, give, secure, words) => {
    browser(give, secure)
    const given: unknown[] = []
    await draw(<Position props={{}} values={{ value: null, onChange: (value: unknown) => given.push(value) }} />)
    await click('Add my position')
    expect(container.querySelector('[role="alert"]')?.textContent).toMatch(words)
    expect(given).toEqual([])
    await click('Add my position')
  })

  it('is shown with a link to maps, accuracy, the time of the company, and is copied', async () => {
    const copied: string[] = []
    await draw(<Position props={{}} values={{ value: HERE }} />, host(copied))
    expect(container.querySelector('a')?.getAttribute('href')).toBe('geo:31.23041,-121.40000;u=12')
    expect(container.textContent).toContain('31.23041, -121.40000 ±12 m · 2026-11-20 12:00')
    await click('Copy')
    expect(copied).toEqual(['31.23041, -121.40000'])
  })

  it('stands in a cell and in a form by the name of its widget', async () => {
    await draw(<>{compileCell({ ...column('geo', 'json'), cell: 'crm.position' })({ geo: HERE }, cellContext())}</>)
    await vi.waitFor(() => act(async () => expect(container.querySelector('a')).not.toBeNull()))
    expect(container.textContent).toContain('31.23041')
    expect(resolveControl('crm.position')).toBe('crm.position')
    expect(resolveControl('crm.nowhere')).toBe('text')
    const { default: Control } = await controlOf('crm.position').load()
    const node = { type: 'object', 'x-component': 'crm.position' } as const
    await draw(
      <Control
        {...{ id: 'g', value: HERE, disabled: true, readOnly: false, choices: [], props: {}, node, path: 'geo' }}
        placeholder={undefined}
        describedBy={undefined}
        onChange={() => undefined}
      />,
    )
    await vi.waitFor(() => act(async () => expect(container.querySelector('#g button')).not.toBeNull()))
    // named by its own words, not by the label of the field
    expect(container.querySelector('#g')?.getAttribute('role')).toBe('group')
    const again = [...container.querySelectorAll<HTMLButtonElement>('#g button')].find((one) => one.textContent === 'Ask again')
    expect(again?.disabled).toBe(true)
  })
})

const cellContext = () => {
  const on = host()
  return { host: on, scope: {}, refs: {}, now: on.now().getTime() }
}
