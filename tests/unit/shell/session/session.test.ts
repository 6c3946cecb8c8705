// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { HostRequest } from '../../../../src/headless/host'
import type { Http } from '../../../../src/shell/http/client'
import { grayFlag } from '../../../../src/shell/http/gray'
import { localeOfBrowser } from '../../../../src/shell/i18n/locale'
import { en } from '../../../../src/shell/i18n/texts/en'
import { zh } from '../../../../src/shell/i18n/texts/zh'
import { ERROR_SECONDS, TOAST_SECONDS } from '../../../../src/shell/portal/Reactions'
import { createCookieJar } from '../../../../src/shell/session/cookies'
import { handleCopies } from '../../../../src/shell/session/copyText'
import { choosePlatform, followPlatformQuery, PLATFORM_DAYS, readPlatform } from '../../../../src/shell/session/platform'
import { SessionStore } from '../../../../src/shell/session/sessionStore'
import { createTokenStorage } from '../../../../src/shell/token/tokenStorage'
import { MENU, USER } from '../../../e2e/support/fakeWorld'

beforeEach(() => {
  for (const item of document.cookie.split('; ')) document.cookie = `${item.split('=')[0]}=; max-age=0; path=/`
  localStorage.clear()
})

describe('cookies', () => {
  it('carry the upper-case name of the environment (R177), and the token lies in them (R174, R175, R198)', () => {
    const storage = createTokenStorage(createCookieJar('production'))
    storage.write({ token: 'a;b=c', refreshToken: 'r', expiresAt: 5, lifetime: 7 })
    expect(
      document.cookie
        .split('; ')
        .map((item) => item.split('=')[0])
        .sort(),
    ).toEqual(['PRODUCTION_expiresAt', 'PRODUCTION_lifetime', 'PRODUCTION_refreshToken', 'PRODUCTION_token'])
    expect(storage.read()).toEqual({ token: 'a;b=c', refreshToken: 'r', expiresAt: 5, lifetime: 7 })
    expect(createTokenStorage(createCookieJar('test')).read()).toBeNull()
    storage.clear()
    expect(document.cookie).toBe('')
  })

  it('remember the platform for 365 days (R205, R206)', () => {
    const cookies = createCookieJar('test')
    expect(readPlatform(cookies)).toBe('PC')
    choosePlatform(cookies, 'H5')
    expect(readPlatform(cookies)).toBe('H5')
    expect(PLATFORM_DAYS).toBe(365)
  })

  it('send a phone to the mobile site unless its owner came back from there; a narrow window is no phone (R194, R205)', () => {
    const cookies = createCookieJar('test')
    const phones = [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36',
    ]
    const others = [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36',
      'Mozilla/5.0 (Linux; Android 13; SM-X700) AppleWebKit/537.36 Chrome/126.0 Safari/537.36',
      'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
    ]
    expect(phones.map((agent) => readPlatform(cookies, agent))).toEqual(['H5', 'H5'])
    expect(others.map((agent) => readPlatform(cookies, agent))).toEqual(['PC', 'PC', 'PC'])
    window.history.replaceState(null, '', '/crm/list?platform=PC&q=a%20b')
    followPlatformQuery(cookies, window.location)
    expect(readPlatform(cookies, phones[0])).toBe('PC')
    expect(window.location.pathname + window.location.search).toBe('/crm/list?q=a+b')
  })
})

describe('the signed-in person', () => {
  const calls: HostRequest[] = []
  const store = (answer: (request: HostRequest) => unknown) => {
    calls.splice(0)
    const request = vi.fn(async (call: HostRequest) => {
      calls.push(call)
      const data = answer(call)
      if (data instanceof Error) throw data
      return data
    })
    return new SessionStore({ request } as unknown as Http)
  }

  it('is fetched once (R181, R182)', async () => {
    const session = store(() => USER)
    await session.loadUser()
    await session.loadUser()
    expect(calls).toHaveLength(1)
    expect(session.user).toMatchObject({ userId: 'u1', name: '王伟', jobNumber: 'S0042' })
  })

  it('has menu and button resources from one call each, with mobileFlag false (R301, R317, R298)', async () => {
    const session = store(({ path }) => (path.endsWith('Menu') ? MENU : [{ international: 'crm:list:add' }]))
    await session.loadRights()
    expect(calls.map(({ path, query }) => [path.split('/').pop(), query?.mobileFlag])).toEqual([
      ['getResourceByMenu', false],
      ['getResourceByBtn', false],
    ])
    expect(session.can('crm:list:add')).toBe(true)
    expect(session.can('crm:crm')).toBe(true)
    expect(session.can('crm:list:delete')).toBe(false)
    expect(session.rights.routers.has('/crm/list')).toBe(true)
  })

  it('has none when the resources cannot be loaded or read (R381, R382)', async () => {
    for (const answer of [new Error('down'), null, 'text', { a: 1 }]) {
      const session = store(() => answer)
      await session.loadRights()
      expect(session.resources).toEqual([])
      expect(session.rights.keys.size).toBe(0)
    }
  })
})

describe('small rules', () => {
  it('the language is Chinese for Chinese browsers (R013) and English for all others (R014)', () => {
    expect(['zh-CN', 'zh', 'ZH-Hant-TW'].map((name) => localeOfBrowser([name]))).toEqual(['zh', 'zh', 'zh'])
    expect(['en-US', 'de', 'zha', 'ja-JP'].map((name) => localeOfBrowser([name]))).toEqual(['en', 'en', 'en', 'en'])
    expect(localeOfBrowser([])).toBe('en')
    expect(localeOfBrowser(['en', 'zh'])).toBe('en')
  })

  it('toasts stand for 3 s (R404), those of errors for 2 s (R379)', () => {
    expect(TOAST_SECONDS).toBe(3)
    expect(ERROR_SECONDS).toBe(2)
  })

  it('the fixed texts are those of the specification (R042, R043, R269, R338, R380)', () => {
    expect(zh.screen.notFound).toBe('页面不存在，请联系管理员')
    expect(zh.screen.forbidden).toBe('暂无权限，请联系管理员')
    expect(zh.error.preview).toBe('暂不支持此种文件格式的文件预览')
    expect(zh.error.export).toBe('导出失败')
    expect(zh.error.download).toBe('下载失败')
  })

  it('both languages have every text, with the same parameters (R012)', () => {
    const flat = (value: object, path = ''): [string, string][] =>
      Object.entries(value).flatMap(([key, text]) =>
        typeof text === 'string' ? [[`${path}${key}`, text] as [string, string]] : flat(text as object, `${path}${key}.`),
      )
    const parameters = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort()
    const english = new Map(flat(en))
    for (const [key, text] of flat(zh)) {
      expect(english.get(key), key).toBeTruthy()
      expect(parameters(english.get(key) ?? ''), key).toEqual(parameters(text))
    }
  })

  it('the gray flag is a local value that fits into a header (R312, R313)', () => {
    expect(grayFlag()).toBeNull()
    localStorage.setItem('grayVersion', 'v2')
    expect(grayFlag()).toBe('v2')
    for (const bad of ['', '灰度', 'a\nb']) {
      localStorage.setItem('grayVersion', bad)
      expect(grayFlag()).toBeNull()
    }
  })

  it('copying outside inputs gives the trimmed text (R296), inside inputs nothing is touched (R297)', () => {
    const stop = handleCopies(document)
    document.body.innerHTML = '<p>  some text </p><input value="  x " />'
    const copy = (target: Element) => {
      const setData = vi.fn()
      const event = Object.assign(new Event('copy', { bubbles: true, cancelable: true }), { clipboardData: { setData } })
      target.dispatchEvent(event)
      return { setData, prevented: event.defaultPrevented }
    }
    const [text, input] = [document.querySelector('p'), document.querySelector('input')]
    if (!text || !input) throw new Error('no elements')
    document.getSelection()?.selectAllChildren(text)
    const outside = copy(text)
    expect(outside.setData).toHaveBeenCalledWith('text/plain', 'some text')
    expect(outside.prevented).toBe(true)
    expect(copy(input)).toMatchObject({ prevented: false })
    stop()
  })
})
