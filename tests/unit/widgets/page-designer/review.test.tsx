// @vitest-environment jsdom
import { act } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { registerWidgets } from '../../../../src/runtime/widget'
import type { DesignSession } from '../../../../src/widgets/page-designer/document/session'
import { DesignContext, type Design } from '../../../../src/widgets/page-designer/editor/design'
import { ReviewDialog } from '../../../../src/widgets/page-designer/review/ReviewDialog'
import type { TargetState } from '../../../../src/widgets/page-designer/types'
import { fakeHost } from '../../../support/fakeHost'
import { rootOfEachTest } from '../../../support/reactRoot'

const root = rootOfEachTest()
beforeEach(() => {
  vi.stubGlobal('matchMedia', () =>
    Object.assign(new EventTarget(), { matches: false, addListener: () => undefined, removeListener: () => undefined }),
  )
})

const CHECKED = { problems: [], differences: [], impact: { personalSettings: 0, savedViews: 0, links: [], variants: [] } }
const STATE = { target: 'page:crm/my-client', role: null, gray: null, companions: [], roles: [] } as unknown as TargetState
const SESSION = { flush: async () => undefined, snapshot: () => ({ version: 4 }) } as unknown as DesignSession

const settle = () => act(async () => new Promise((done) => setTimeout(done, 100)))
const type = (selector: string, text: string): void =>
  act(() => {
    const input = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(selector)!
    input.focus()
    const box = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
    Object.getOwnPropertyDescriptor(box.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
const choose = (label: string): void =>
  act(() =>
    [...document.querySelectorAll('label')]
      .find(({ textContent }) => textContent === label)
      ?.querySelector('input')
      ?.click(),
  )
const press = async (): Promise<void> => {
  // a click elsewhere takes the focus away before it is one
  act(() => (document.activeElement as HTMLElement | null)?.blur())
  act(() => document.querySelector<HTMLButtonElement>('.ant-modal-footer .ant-btn-primary')?.click())
  await settle()
}

/** Opens the dialog with title and reason filled in. */
const open = async (page?: object, state = STATE) => {
  const host = fakeHost({
    answer: ({ path, query }) => {
      if (path.endsWith('/check')) return CHECKED
      if (path.endsWith('/schema/target')) return query?.target === 'page:crm/other' ? { bundle: page } : {}
      return {}
    },
  })
  act(() =>
    root.current.render(
      <HostProvider value={host}>
        <DesignContext value={{ document: {} } as Design}>
          <ReviewDialog session={SESSION} state={state} onClose={() => undefined} onReleased={() => undefined} />
        </DesignContext>
      </HostProvider>,
    ),
  )
  await settle()
  type('#title', 'Everyday change')
  type('#reason', 'Asked for by sales')
  return {
    released: () =>
      host.requests.filter(({ path }) => path.endsWith('/release')).map(({ body }) => body as { effectiveAt?: string }),
  }
}

describe('a release', () => {
  it('goes out at once only where that is chosen', async () => {
    const { released } = await open()
    await press()
    expect(released()).toHaveLength(1)
    expect(released()[0]).not.toHaveProperty('effectiveAt')
  })

  it('is scheduled for the time that was typed, by the clock of the person who types it', async () => {
    const { released } = await open()
    choose('At a time')
    await settle()
    type('#when', '2026-11-30 08:00')
    await press()
    expect(released().map(({ effectiveAt }) => effectiveAt)).toEqual(['2026-11-30T00:00:00.000Z'])
  })

  it.each([
    ['', 'Say when it is to be in force'],
    ['30th of never', 'is not a time: write it as'],
    ['2026-01-30 08:00', 'This time is over'],
  ])('that is meant for a time does not go out at %j, and says why', async (text, reason) => {
    const { released } = await open()
    choose('At a time')
    await settle()
    if (text !== '') type('#when', text)
    await press()
    expect(released()).toEqual([])
    await vi.waitFor(async () => {
      await settle()
      expect(document.querySelector('.ant-form-item-explain')?.textContent).toContain(reason)
    })
  })
})

describe('the pages of a release', () => {
  const bundleOf = (widget: string) => ({
    page: {
      formatVersion: 3,
      kind: 'widget',
      name: 'crm/other',
      title: { zh: '其他', en: 'Other' },
      path: '/crm/other',
      widget,
      props: {},
    },
    entities: {},
    dictionaries: {},
    where: 'page:crm/other',
    revision: 'r1',
  })
  const along = {
    target: 'page:crm/other',
    role: null,
    version: 1,
    title: { zh: '其他', en: 'Other' },
    by: { name: { zh: '我', en: 'Me' } },
  }
  const state = { ...STATE, companions: [{ ...along, together: true }] } as unknown as TargetState
  registerWidgets({
    name: 'test.brittle',
    description: { zh: '易碎', en: 'Brittle' },
    props: { type: 'object' },
    load: () =>
      Promise.resolve({
        default: () => {
          throw new Error('the data are no list')
        },
      }),
    example: { props: {} },
  })

  it('are drawn first, also those that are released along: what fails is listed with its place and keeps the release back', async () => {
    const { released } = await open(bundleOf('test.brittle'), state)
    await vi.waitFor(async () => {
      await settle()
      const listed = document.querySelector('.sb-design-problems')?.textContent
      expect(listed).toContain('page:crm/other')
      expect(listed).toContain('This place cannot be drawn: the data are no list')
    })
    await press()
    expect(released()).toEqual([])
  })
})
