// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NoticeStore } from '../../../../src/shell/banners/noticeStore'
import { BookmarkStore } from '../../../../src/shell/bookmarks/bookmarkStore'
import { grayFlag } from '../../../../src/shell/http/gray'
import { LayoutStore } from '../../../../src/shell/layout/layoutStore'
import { createPageKeeper } from '../../../../src/shell/portal/pageKeeper'
import { createCookieJar } from '../../../../src/shell/session/cookies'
import { keepsInTab, keepsLocally, localStore, sessionStore } from '../../../../src/shell/session/storage'
import { readConfiguration } from '../../../../src/shell/configuration/configuration'
import { finishSignIn, startSignIn, stateStore } from '../../../../src/shell/signIn/oauth'

const BLOCKED = ['localStorage', 'sessionStorage', 'indexedDB'] as const
/** As browsers do it that may store nothing for a site: already naming a storage throws. */
const refuse = (): never => {
  throw new DOMException('Access is denied for this document.', 'SecurityError')
}

describe('a browser that lets a site store nothing', () => {
  const before = BLOCKED.map((name) => [name, Object.getOwnPropertyDescriptor(window, name)] as const)
  beforeEach(() => {
    for (const name of BLOCKED) Object.defineProperty(window, name, { configurable: true, get: refuse })
  })
  afterEach(() => {
    for (const [name, known] of before) {
      if (known) Object.defineProperty(window, name, known)
      else Reflect.deleteProperty(window, name)
    }
    vi.restoreAllMocks()
  })

  it('still remembers while the page is open, and says that it keeps nothing', () => {
    expect([keepsLocally(), keepsInTab()]).toEqual([false, false])
    localStore().setItem('grayVersion', 'v3')
    expect(grayFlag()).toBe('v3')
    localStore().clear()
    expect(grayFlag()).toBeNull()
    sessionStore().setItem('a', '1')
    expect([sessionStore().getItem('a'), sessionStore().length, localStore().getItem('a')]).toEqual(['1', 1, null])
    expect(new NoticeStore(null, undefined, keepsLocally()).unkept).toBe(true)
  })

  it('has tabs, a menu and pages all the same', async () => {
    expect(new BookmarkStore(sessionStore()).state.tabs.length).toBeGreaterThan(0)
    expect(new LayoutStore({ width: 1440, height: 800 }, localStore()).collapsed).toBe(false)
    const pages = createPageKeeper()
    await expect(pages.get('/crm/leads')).resolves.toBeNull()
    await expect(pages.put('/crm/leads', { etag: null, bundle: {} as never })).resolves.toBeUndefined()
    await expect(pages.clear()).resolves.toBeUndefined()
  })

  it('comes back from the sign-in of the company: what belongs to it lies in a cookie meanwhile', async () => {
    const store = stateStore(createCookieJar('test'))
    const address = new URL(await startSignIn(readConfiguration(document), '', 'http://localhost', store))
    const search = `?code=good&state=${address.searchParams.get('state')}`
    expect(document.cookie).toContain('TEST_')
    expect(finishSignIn(search, store)).toMatchObject({ ok: true, code: 'good' })
    expect(finishSignIn(search, store)).toMatchObject({ ok: false, why: 'stateMismatch' })
  })
})

it('a browser that stores is asked anew each time, and used', () => {
  localStore().setItem('switchboard.test', '1')
  expect(localStorage.getItem('switchboard.test')).toBe('1')
  expect([keepsLocally(), keepsInTab()]).toEqual([true, true])
  localStorage.clear()
})
