// @vitest-environment jsdom
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import { HostProvider } from '../../../../src/runtime/hostContext'
import type { DesignSession } from '../../../../src/widgets/page-designer/document/session'
import { History } from '../../../../src/widgets/page-designer/review/History'
import type { TargetState } from '../../../../src/widgets/page-designer/types'
import { fakeHost } from '../../../support/fakeHost'
import { rootOfEachTest } from '../../../support/reactRoot'

const root = rootOfEachTest()

it('a reset and a roll back say in words what they are', () => {
  vi.stubGlobal('matchMedia', () =>
    Object.assign(new EventTarget(), { matches: false, addListener: () => undefined, removeListener: () => undefined }),
  )
  const by = { staffId: 's1', name: { zh: '李娜', en: 'Li Na' } }
  const revision = (number: number, kind: string, title: string) => ({
    ...{ number, kind, title, by, role: null, stage: 'all', reason: 'Why', origin: null, changes: [], releaseId: String(number) },
    ...{ at: '2026-03-01T00:00:00.000Z', effectiveAt: '2026-03-01T00:00:00.000Z' },
  })
  const revisions = [revision(4, 'reset', '0'), revision(3, 'rollback', '1'), revision(2, 'release', 'Everyday change')]
  const state = { target: 'page:a', role: null, base: {}, released: null, revisions } as unknown as TargetState
  act(() =>
    root.current.render(
      <HostProvider value={fakeHost({ locale: 'en' })}>
        <History state={state} session={{} as DesignSession} onReload={() => undefined} />
      </HostProvider>,
    ),
  )
  expect([...document.querySelectorAll('strong')].map(({ textContent }) => textContent)).toEqual([
    'Revision 4 · Reset to as delivered',
    'Revision 3 · Back to revision 1',
    'Revision 2 · Everyday change',
  ])
})
