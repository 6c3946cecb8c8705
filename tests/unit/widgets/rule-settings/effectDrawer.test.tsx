// @vitest-environment jsdom
import { act } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { EffectDrawer } from '../../../../src/widgets/rule-settings/EffectDrawer'
import type { Preview, Rule } from '../../../../src/widgets/rule-settings/types'
import { fakeHost } from '../../../support/fakeHost'
import { rootOfEachTest } from '../../../support/reactRoot'

const RULE = {
  key: 'crm.claim',
  title: { zh: '领取上限', en: 'Claim limits' },
  newest: 3,
  subjects: [] as Rule['subjects'],
} as Rule
const PREVIEW = {
  params: { perDay: 1 },
  diff: [{ path: 'perDay', title: { zh: '每日', en: 'Claims a day' }, before: 5, after: 1 }],
  effect: null,
} as unknown as Preview

const root = rootOfEachTest()
beforeEach(() => {
  vi.stubGlobal('matchMedia', () =>
    Object.assign(new EventTarget(), { matches: false, addListener: () => undefined, removeListener: () => undefined }),
  )
})

const settle = () => act(async () => new Promise((done) => setTimeout(done, 50)))
async function open(preview: Preview) {
  const host = fakeHost({ locale: 'en', answer: () => ({}) })
  const saved = vi.fn()
  act(() =>
    root.current.render(
      <HostProvider value={host}>
        <EffectDrawer rule={RULE} preview={preview} onSaved={saved} onClose={() => undefined} />
      </HostProvider>,
    ),
  )
  await settle()
  return { host, saved, foot: document.querySelector('.ant-drawer-footer'), body: document.querySelector('.ant-drawer-body') }
}

describe('the reason of a rule change', () => {
  it('stands in the foot of the drawer with the button that saves, in sight below any list of what it does', async () => {
    const { foot, body } = await open(PREVIEW)
    expect(foot?.querySelector('#reason')).not.toBeNull()
    expect(foot?.querySelector('button')?.textContent).toBe('Save')
    expect(body?.querySelector('#reason')).toBeNull()
  })

  it('has to be given before anything is sent, and goes with the change', async () => {
    const { host, saved, foot } = await open(PREVIEW)
    const press = (): void => act(() => foot?.querySelector('button')?.click())
    const soon = (check: () => void): Promise<void> =>
      vi.waitFor(async () => {
        await settle()
        check()
      }, 5_000)
    press()
    await soon(() => expect(foot?.textContent).toContain('Why, at least two characters'))
    expect(host.requests).toEqual([])
    const input = foot?.querySelector<HTMLInputElement>('#reason')
    act(() => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'Fewer a day')
      input?.dispatchEvent(new Event('input', { bubbles: true }))
    })
    press()
    await soon(() => expect(saved).toHaveBeenCalledOnce())
    expect(host.requests.map(({ path, body }) => ({ path, body }))).toEqual([
      { path: '/v2/sys/rule/save/crm.claim', body: { params: { perDay: 1 }, reason: 'Fewer a day', basedOn: 3 } },
    ])
  })

  it('is not asked for where nothing changes', async () => {
    expect((await open({ ...PREVIEW, diff: [] })).foot).toBeNull()
  })
})
