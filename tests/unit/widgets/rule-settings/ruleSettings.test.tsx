// @vitest-environment jsdom
import { act } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HostProvider } from '../../../../src/runtime/hostContext'
import RuleSettings from '../../../../src/widgets/rule-settings/RuleSettings'
import { fakeHost } from '../../../support/fakeHost'
import { rootOfEachTest } from '../../../support/reactRoot'

const TITLES: Readonly<Record<string, { zh: string; en: string }>> = {
  'crm.sea': { zh: '公海', en: 'Recycling' },
  'crm.claim': { zh: '领取上限', en: 'Claim limits' },
}

const root = rootOfEachTest()
beforeEach(() => {
  vi.stubGlobal('matchMedia', () =>
    Object.assign(new EventTarget(), { matches: false, addListener: () => undefined, removeListener: () => undefined }),
  )
})
const settle = () => act(async () => new Promise((done) => setTimeout(done, 20)))
const tabs = () => [...document.querySelectorAll('[role=tab]')].map((tab) => tab.textContent)

describe('the tabs of parameter settings', () => {
  it('come with all their names: none moves away from under the pointer because another one got its name', async () => {
    let comes: (rule: unknown) => void = () => undefined
    const late = new Promise((resolve) => (comes = resolve))
    const rule = (key: string) => ({
      key,
      title: TITLES[key],
      subjects: [],
      versions: [],
      overrides: [],
      params: {},
      newest: 0,
      current: 0,
    })
    const host = fakeHost({
      locale: 'en',
      answer: ({ path }) => {
        const key = path.split('/').at(-1)!
        return key === 'crm.claim' ? late : rule(key)
      },
    })
    act(() =>
      root.current.render(
        <HostProvider value={host}>
          <RuleSettings props={{ rules: ['crm.sea', 'crm.claim'], jobs: true }} values={{}} />
        </HostProvider>,
      ),
    )
    await settle()
    expect(tabs()).toEqual([])
    comes(rule('crm.claim'))
    await settle()
    expect(tabs().slice(0, 3)).toEqual(['Recycling', 'Claim limits', 'Scheduled jobs'])
  })
})
