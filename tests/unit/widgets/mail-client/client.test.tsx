// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { HostProvider } from '../../../../src/runtime/hostContext'
import MailClient from '../../../../src/widgets/mail-client/MailClient'
import { fakeHost, type FakeHost, type FakeHostOptions } from '../../../support/fakeHost'
import { mailAnswers } from '../mailAnswers'

let root: Root | null = null

beforeAll(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }))
  class NoObserver {
    observe = (): void => undefined
    unobserve = (): void => undefined
    disconnect = (): void => undefined
  }
  vi.stubGlobal('ResizeObserver', NoObserver)
})
afterEach(async () => {
  await act(async () => root?.unmount())
  root = null
  document.body.replaceChildren()
})

/** Draws the inbox as it stands at an address, with answers of the test's own. */
async function drawn(
  query: Readonly<Record<string, string>>,
  answers: Readonly<Record<string, unknown>> = {},
  more: FakeHostOptions = {},
): Promise<{ text: () => string; container: HTMLElement; host: FakeHost }> {
  const all: Readonly<Record<string, unknown>> = { ...mailAnswers, ...answers }
  const host = fakeHost({ answer: ({ path }) => all[path], now: new Date('2026-03-10T02:06:00.000Z'), ...more })
  const container = document.createElement('div')
  document.body.append(container)
  root = createRoot(container)
  await act(async () =>
    root?.render(
      <HostProvider value={host}>
        <MailClient props={{ folder: 'inbox' }} values={{ query }} />
      </HostProvider>,
    ),
  )
  await act(async () => new Promise((resolve) => setTimeout(resolve, 0)))
  return { text: () => container.textContent, container, host }
}

const list = (more: object) => ({ list: [], total: 0, page: 1, size: 50, searching: false, failed: [], ...more })

describe('a search in mail', () => {
  it('says that it is not over while bodies are on their way, that nothing was found, and for which mailbox it failed and why', async () => {
    const query = { q: 'rates', unread: '1' }
    const waiting = await drawn(query, { '/v2/emailbox/receive/query': list({ searching: true }) })
    expect(waiting.text()).toContain('No mail matches “rates · Unread”')
    expect(waiting.text()).toContain('The text of some messages is still being fetched')
    expect(waiting.text()).not.toContain('All mail that was synchronised has been searched')
    const nothing = await drawn(query, { '/v2/emailbox/receive/query': list({}) })
    expect(nothing.text()).toContain('All mail that was synchronised has been searched')
    const failed = { '/v2/emailbox/receive/query': list({ failed: [{ accountId: 'a1', reason: 'Wrong password' }] }) }
    expect((await drawn(query, failed)).text()).toContain('sales@switchboard.example cannot be synchronised: Wrong password')
  })
})

describe('a mailbox', () => {
  it('that is missing leads to where one gets it', async () => {
    const { host } = await drawn({}, { '/v2/emailbox/account/staff/state': { bound: false, accounts: [], failing: 0 } })
    expect(host.events).toContain('navigate replace /message/email/none')
  })

  it('of several says who is answering before anybody else begins (M10)', async () => {
    const { text } = await drawn({ id: 'm1' })
    // in the viewer's zone; whoever begins is known for five minutes
    expect(text()).toMatch(/Chen is answering since \d\d:\d\d/)
    expect(text()).toContain('Followed up by Chen')
    expect(text()).not.toContain('I’ll answer')
    expect(text()).toContain('Anna <anna@carrier.example>')
  })

  it('that one only reads offers nothing that changes it, and opening marks nothing', async () => {
    const state = mailAnswers['/v2/emailbox/account/staff/state'] as { accounts: object[] }
    const detail = { ...(mailAnswers['/v2/emailbox/email/detail'] as object), seen: false }
    const { container, host } = await drawn(
      { id: 'm1' },
      {
        '/v2/emailbox/account/staff/state': { ...state, accounts: state.accounts.map((one) => ({ ...one, right: 'read' })) },
        '/v2/emailbox/email/detail': detail,
      },
    )
    expect(container.querySelector('.sb-mail-read')?.textContent).toContain('Rates of March')
    expect(container.querySelector('.sb-mail-read [aria-label="Delete"]')).toBeNull()
    expect(host.requests.filter(({ path }) => path.endsWith('receive/mark'))).toEqual([])
  })
})
