// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LoadedPage, PageBundle, PageCopies, PageCopy } from '../../../../src/headless/host'
import { HostProvider } from '../../../../src/runtime/hostContext'
import { loadCompiled } from '../../../../src/runtime/page'
import { PageHost } from '../../../../src/runtime/page/PageHost'
import { useShownPage, type ShownPage } from '../../../../src/runtime/page/useShownPage'
import { BUNDLES } from '../../../e2e/support/harness/documents'
import { fakeHost } from '../../../support/fakeHost'

const PATH = '/customers'

/** A page that needs nothing to be drawn. */
const good = (revision: string, number?: number): PageBundle => ({
  page: {
    formatVersion: 3,
    kind: 'embed',
    path: PATH,
    name: 'test/customers',
    title: { zh: '客户', en: `Customers of ${revision}` },
    iframeName: 'x',
  } as PageBundle['page'],
  where: 'page:test/customers',
  revision,
  ...(number === undefined ? {} : { number }),
  entities: {},
  dictionaries: {},
})
/** Its entity is in no bundle: nothing of it can be shown. */
const bad = (revision: string): PageBundle => ({
  ...good(revision),
  page: { ...good(revision).page, kind: 'list', entity: 'test.gone' } as unknown as PageBundle['page'],
})

const copiesOf = (found: Partial<Record<PageCopy, PageBundle>>) => {
  const asked: string[] = []
  const kept: string[] = []
  const copies: PageCopies = {
    keep: (path, { revision }) => void kept.push(`${path} ${revision}`),
    find: (copy, path) => {
      asked.push(`${copy} ${path}`)
      return Promise.resolve(found[copy] ?? null)
    },
  }
  return { asked, kept, copies }
}

/** Faults as they are told, with where and of which revision. */
const reporting = () => {
  const reports: string[] = []
  const report = (error: unknown, context: object): void =>
    void reports.push(`${error instanceof Error ? error.message : String(error)} ${JSON.stringify(context)}`)
  return { reports, report }
}

let root: Root
let element: HTMLElement
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers()
  element = document.createElement('div')
  root = createRoot(element)
})
afterEach(() => {
  act(() => root.unmount())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await act(() => vi.advanceTimersByTimeAsync(500))
}

const open = async (loaded: PageBundle, found: Partial<Record<PageCopy, PageBundle>>, from: LoadedPage['from'] = 'gateway') => {
  const { asked, kept, copies } = copiesOf(found)
  const loadPage = () => Promise.resolve({ bundle: loaded, from })
  const { reports, report } = reporting()
  const host = fakeHost({ overrides: { loadPage, pageCopies: copies, report } })
  act(() =>
    root.render(
      <HostProvider value={host}>
        <PageHost address={PATH} />
      </HostProvider>,
    ),
  )
  await settle()
  return { asked, kept, reports, text: element.textContent ?? '' }
}

describe('a released page that does not compile', () => {
  it('gives way to the last revision that this browser showed, says which, and tells its admins place, reason and revision once', async () => {
    const { text, asked, kept, reports } = await open(bad('r8'), { kept: good('r7', 7), before: good('r6') })
    expect(text).toContain('The newest revision of this page has a fault; its administrators were told. You see revision 7.')
    expect(text).toContain('Customers of r7')
    expect(asked).toEqual([`again ${PATH}`, `kept ${PATH}`])
    expect(reports).toEqual([expect.stringMatching(/page:test\/customers.*unknown-entity.*test\.gone.*"revision":"r8"/s)])
    expect(kept).toEqual([])
  })

  it('gives way to the one before it, where the browser never had a good one', async () => {
    const { text, asked } = await open(bad('r8'), { before: good('r6') })
    expect(text).toContain('You see the one before it.')
    expect(text).toContain('Customers of r6')
    expect(asked).toHaveLength(3)
  })

  it('passes over copies that do not compile either, and says what is wrong when nothing is left', async () => {
    const { text } = await open(bad('r8'), { kept: bad('r5'), before: bad('r4') })
    expect(text).toContain('The page is set up wrongly and cannot be shown')
    expect(text).toContain('test.gone')
  })

  it('was only spoilt in this browser: the gateway is asked again, and nobody reads of an earlier revision', async () => {
    const { text } = await open(bad('r9'), { again: good('r9') })
    expect(text).toContain('Customers of r9')
    expect(text).not.toContain('newest revision')
  })

  it('gives way too where it is a form of a drawer', async () => {
    const { copies } = copiesOf({ kept: good('r7') })
    const { reports, report } = reporting()
    const loadPage = () => Promise.resolve({ bundle: bad('r8'), from: 'gateway' as const })
    const host = fakeHost({ overrides: { loadPage, pageCopies: copies, report } })
    const { page, result } = await loadCompiled(host, 'test/customers')
    expect([page.from, page.bundle.revision, result.ok]).toEqual(['earlier', 'r7', true])
    expect(reports).toEqual([expect.stringContaining('"revision":"r8"')])
  })
})

describe('a page that stands', () => {
  it('is kept as good after a moment', async () => {
    expect((await open(good('r1'), {})).kept).toEqual([`${PATH} r1`])
  })

  it('is not kept when it is a copy itself', async () => {
    expect((await open(good('r1'), {}, 'local')).kept).toEqual([])
  })

  const shownBy = async (bundle: PageBundle, found: Partial<Record<PageCopy, PageBundle>>, act1: (shown: ShownPage) => void) => {
    const { kept, copies } = copiesOf(found)
    const { reports, report } = reporting()
    const host = fakeHost({ overrides: { pageCopies: copies, report } })
    const loaded: LoadedPage = { bundle, from: 'gateway' }
    const seen: ShownPage[] = []
    const Probe = () => {
      seen.push(useShownPage(host, PATH, loaded, false))
      return null
    }
    act(() => root.render(<Probe />))
    act(() => act1(seen.at(-1)!))
    await settle()
    return { shown: seen.at(-1)!, kept, reports }
  }

  it('gives way when it fails as a whole while it is drawn', async () => {
    const { shown, kept } = await shownBy(good('r10'), { kept: good('r7') }, ({ fail }) => fail())
    expect([shown.page.from, shown.page.bundle.revision]).toEqual(['earlier', 'r7'])
    expect(kept).toEqual([])
  })

  it('is not kept after a block of it failed, whose fault is told with the revision; faults of other pages are not its own', async () => {
    const { kept, reports } = await shownBy(good('r10'), {}, ({ host }) => {
      host.report(new Error('no colour'), { where: 'page:test/customers', at: '/columns/2' })
      host.report(new Error('elsewhere'), { where: 'page:test/other', at: '/columns/2' })
    })
    expect(kept).toEqual([])
    expect(reports).toEqual([
      expect.stringMatching(/no colour.*"revision":"r10"/s),
      expect.not.stringMatching(/elsewhere.*revision/s),
    ])
  })
})

it('A copy that does not compile does not stand for the page of the same revision', async () => {
  const whole = BUNDLES['/customers']
  if (!whole) throw new Error('The harness has no list.')
  const bundle = { ...whole, revision: 'one revision' }
  const spoilt = { ...bundle, entities: {} }
  const { copies } = copiesOf({ again: bundle })
  const loadPage = () => Promise.resolve({ bundle: spoilt, from: 'gateway' as const })
  const { page, result } = await loadCompiled(fakeHost({ overrides: { loadPage, pageCopies: copies } }), PATH)
  expect([page.from, result.ok]).toEqual(['gateway', true])
})
