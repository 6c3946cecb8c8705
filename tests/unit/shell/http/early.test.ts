import { afterEach, expect, it, vi } from 'vitest'
import { askEarly, takeEarly } from '../../../../src/shell/http/early'

const asker = { gateway: 'https://gateway.example', token: 'mine', locale: 'zh' } as const
const menu = { path: '/v2/menu', query: { mobileFlag: false } }

afterEach(() => vi.unstubAllGlobals())

const answering = (answer: () => Promise<Response>) => {
  const fetched = vi.fn(answer)
  vi.stubGlobal('fetch', fetched)
  return fetched
}

it('What was asked before the portal was there is handed to whoever makes the same call, once', async () => {
  const fetched = answering(() => Promise.resolve(new Response('{"code":0}', { headers: { etag: '"1"' } })))
  void askEarly(menu, asker, '&early=true')
  expect(fetched).toHaveBeenCalledWith('https://gateway.example/v2/menu?mobileFlag=false&early=true', {
    headers: { Accept: 'application/json', 'Accept-Language': 'zh-CN', Authorization: 'Bearer mine' },
  })
  expect(await takeEarly({ path: '/v2/menu' }, 'mine', 'zh')).toBeNull()
  const taken = await takeEarly(menu, 'mine', 'zh')
  expect([taken?.status, taken?.body, taken?.header('etag')]).toEqual([200, '{"code":0}', '"1"'])
  expect(await takeEarly(menu, 'mine', 'zh')).toBeNull()
})

it.each([
  ['another person', 'others', 'zh'],
  ['another language', 'mine', 'en'],
] as const)('%s asks anew', async (_who, token, locale) => {
  answering(() => Promise.resolve(new Response('{}')))
  void askEarly(menu, asker)
  expect(await takeEarly(menu, token, locale)).toBeNull()
})

it('What the gateway did not answer, or left to the portal (204), is asked anew', async () => {
  for (const answer of [
    () => Promise.reject(new TypeError('network')),
    () => Promise.resolve(new Response(null, { status: 204 })),
  ]) {
    answering(answer)
    void askEarly(menu, asker)
    expect(await takeEarly(menu, 'mine', 'zh')).toBeNull()
  }
})

it('What was asked a minute ago is asked anew', async () => {
  answering(() => Promise.resolve(new Response('{}')))
  void askEarly(menu, asker)
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
  expect(await takeEarly(menu, 'mine', 'zh')).toBeNull()
  vi.restoreAllMocks()
})
