import { describe, expect, it } from 'vitest'
import { RequestError, type PageBundle } from '../../../../src/headless/host'
import { loadPage, pageCopies } from '../../../../src/shell/host/pages'
import type { KeptPage } from '../../../../src/shell/portal/portal'

const bundle = (revision: string): PageBundle => ({
  page: { formatVersion: 3, kind: 'embed', title: { zh: '页', en: 'Page' }, iframeName: 'x' } as PageBundle['page'],
  where: 'page:a/b',
  revision,
  entities: {},
  dictionaries: {},
})

type Answer = { unchanged: true } | { unchanged: false; data: unknown; etag: string | null } | RequestError

/** What a page needs of the portal; `answers` are given in their order, by the query that asks. */
const portal = (answers: readonly Answer[], kept: KeptPage | null = null, good: PageBundle | null = null) => {
  const asked: string[] = []
  const put: KeptPage[] = []
  const left = [...answers]
  return {
    asked,
    put,
    language: { t: (key: string) => key },
    http: {
      conditional: (request: { query?: object }, etag: string | null) => {
        asked.push(`${JSON.stringify(request.query)} ${String(etag)}`)
        const answer = left.shift()
        return answer === undefined || answer instanceof RequestError
          ? Promise.reject(answer ?? new Error('asked too often'))
          : Promise.resolve(answer)
      },
    },
    pages: {
      get: () => Promise.resolve(kept),
      put: (_: string, value: KeptPage) => Promise.resolve(void put.push(value)),
      good: () => Promise.resolve(good),
      keepGood: () => Promise.resolve(),
      clear: () => Promise.resolve(),
    },
  }
}
type Given = Parameters<typeof loadPage>[0]
const given = (made: ReturnType<typeof portal>): Given => made as unknown as Given
const offline = new RequestError('network', 'no connection')

describe('loading a page', () => {
  it.each([null, 'text', [], { page: {} }, { ...bundle('r'), dictionaries: 3 }])(
    'An answer that is no page (%j) is not kept; the copy of before is shown',
    async (data) => {
      const made = portal([{ unchanged: false, data, etag: '"r2"' }], { etag: '"r1"', bundle: bundle('r1') })
      expect(await loadPage(given(made), '/a')).toEqual({ bundle: bundle('r1'), from: 'local' })
      expect(made.put).toEqual([])
    },
  )

  it('A refusal is an answer: no copy is shown to somebody who may not open the page any more', async () => {
    const made = portal([new RequestError('business', 'no', 10010003)], { etag: '"r1"', bundle: bundle('r1') })
    await expect(loadPage(given(made), '/a')).rejects.toThrow('no')
  })
})

describe('a page instead of one that cannot be shown', () => {
  it('is asked for whole again, and takes the place of the spoilt copy', async () => {
    const made = portal([{ unchanged: false, data: bundle('r1'), etag: '"r1"' }])
    const spoilt = { ...bundle('r1'), page: { kind: 'list' } as PageBundle['page'] }
    expect(await pageCopies(given(made)).find('again', '/a', spoilt)).toEqual(bundle('r1'))
    expect(made.asked).toEqual(['{"path":"/a"} null'])
    expect(made.put).toEqual([{ etag: '"r1"', bundle: bundle('r1') }])
  })

  it('is not the same once more', async () => {
    const made = portal([{ unchanged: false, data: bundle('r1'), etag: null }], null, bundle('r1'))
    const copies = pageCopies(given(made))
    expect(await copies.find('again', '/a', bundle('r1'))).toBeNull()
    expect(await copies.find('kept', '/a', bundle('r1'))).toBeNull()
  })

  it('is the one that stood last in this browser, else the one before the newest release', async () => {
    const made = portal([{ unchanged: false, data: bundle('r0'), etag: null }], null, null)
    expect(await pageCopies(given(portal([], null, bundle('r1')))).find('kept', '/a', bundle('r2'))).toEqual(bundle('r1'))
    expect(await pageCopies(given(made)).find('before', 'crm/note', bundle('r2'))).toEqual(bundle('r0'))
    expect(made.asked).toEqual(['{"name":"crm/note","before":"r2"} null'])
  })

  it('is not an earlier one where this revision has stood without a fault before', async () => {
    const made = portal([], null, bundle('r2'))
    expect(await pageCopies(given(made)).find('before', '/a', bundle('r2'))).toBeNull()
    expect(made.asked).toEqual([])
  })

  it('is none without a connection, and nothing is thrown', async () => {
    const made = portal([offline, offline])
    const copies = pageCopies(given(made))
    expect([await copies.find('again', '/a', bundle('r')), await copies.find('before', '/a', bundle('r'))]).toEqual([null, null])
  })
})
