// @vitest-environment jsdom
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import { FilterControl } from '../../../../src/runtime/list/FilterControl'
import { listTexts } from '../../../../src/headless/list/texts'
import { fakeHost } from '../../../support/fakeHost'
import { filter } from '../../../support/models'
import { rootOfEachTest } from '../../../support/reactRoot'

const root = rootOfEachTest()
vi.stubGlobal('matchMedia', () => ({ matches: false, addListener: () => undefined, removeListener: () => undefined }))
// half past one of the 11th in Shanghai; in Honolulu the 10th has hardly begun
const NOW = new Date('2026-03-10T17:30:00Z')

const draw = (kind: 'date' | 'dateTime', timeZone: string): { text: string; choose(label: string): unknown } => {
  let chosen: unknown
  const host = fakeHost({ now: NOW, overrides: { timeZone, companyTimeZone: 'Asia/Shanghai' } })
  const control = (
    <FilterControl
      filter={filter('at', kind)}
      draft={{ operator: 'between', value: [null, null] }}
      host={host}
      texts={listTexts.en}
      titles={{}}
      onTitles={() => undefined}
      onChange={(value) => (chosen = value)}
    />
  )
  act(() => root.current.render(control))
  return {
    text: document.body.textContent ?? '',
    choose: (label) => {
      act(() => [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label)?.click())
      return chosen
    },
  }
}

it('offers the spans of days by the calendar of the company, and tells whoever lives elsewhere whose days they are', () => {
  const elsewhere = draw('dateTime', 'Pacific/Honolulu')
  expect(elsewhere.choose('Today')).toEqual(['2026-03-11', '2026-03-11'])
  expect(elsewhere.choose('Last 7 days')).toEqual(['2026-03-05', '2026-03-11'])
  expect(elsewhere.text).toContain('Days of the company (Asia/Shanghai)')
})

it('says nothing of zones to whoever lives by the clock of the company, nor of days without a clock', () => {
  expect(draw('dateTime', 'Asia/Singapore').text).not.toContain('Days of the company')
  expect(draw('date', 'Pacific/Honolulu').text).not.toContain('Days of the company')
})
