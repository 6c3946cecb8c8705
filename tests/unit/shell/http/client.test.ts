import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { RequestError, type HostRequest } from '../../../../src/headless/host'
import { parseConfiguration } from '../../../../src/shell/configuration/configuration'
import { createHttp, REQUEST_TIMEOUT } from '../../../../src/shell/http/client'
import { exportFile } from '../../../../src/shell/http/files'
import { createTokenCalls } from '../../../../src/shell/http/tokenCalls'
import { createLanguage } from '../../../../src/shell/i18n/i18n'
import { createTokenKeeper } from '../../../../src/shell/token/tokenKeeper'
import { receiveToken, type TokenState } from '../../../../src/shell/token/tokenState'
import { startFakeGateway, type FakeGateway } from '../../../e2e/support/fakeGateway'

let gateway: FakeGateway
beforeAll(async () => {
  gateway = await startFakeGateway()
})
afterAll(() => gateway.stop())

/** A browser tab as far as calls are concerned. */
function tab(options: { locale?: 'zh' | 'en'; gray?: string | null } = {}) {
  const values = new Map<string, string>()
  const language = createLanguage(
    {
      get: (name) => values.get(name) ?? null,
      set: (name, value) => void values.set(name, value),
      remove: (name) => void values.delete(name),
    },
    [options.locale === 'en' ? 'en-US' : 'zh-CN'],
  )
  const configuration = parseConfiguration({ gatewayBaseUrl: gateway.url, oauth: { clientId: 'portal', clientSecret: 'public' } })
  const t = () => language.t
  const calls = createTokenCalls({ configuration, locale: () => language.locale, t })
  let stored: TokenState | null = receiveToken(gateway.issueToken(), Date.now())
  const tokens = createTokenKeeper({
    storage: { read: () => stored, write: (state) => void (stored = state), clear: () => void (stored = null) },
    refresh: calls.refresh,
    exclusively: (_name, work) => work(false),
    now: Date.now,
  })
  const reactions = { error: vi.fn(), endSession: vi.fn(), open: vi.fn(), aliasChange: vi.fn(), cannotExecute: vi.fn() }
  const http = createHttp({
    configuration,
    tokens,
    locale: () => language.locale,
    t,
    gray: () => options.gray ?? null,
    reactions,
  })
  return { http, reactions, tokens, age: (expiresAt: number) => void (stored = stored && { ...stored, expiresAt }) }
}

const ECHO: HostRequest = { method: 'POST', path: '/v2/test/echo', body: { a: 1 } }
const refusal = async (promise: Promise<unknown>): Promise<RequestError> => {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof RequestError)) throw new Error(`not refused with a RequestError: ${String(error)}`)
  return error
}

describe('the shared client', () => {
  beforeEach(() => {
    gateway.heal()
    gateway.refuseRefresh(false)
    gateway.clockError = 0
    gateway.calls.splice(0)
  })

  it('sends JSON with no-cache headers (R309), the bearer token (R311) and the language to the base address (R308), waits 90 s (R310), and gives data (R315)', async () => {
    const { http } = tab({ locale: 'en' })
    expect(await http.request(ECHO)).toEqual({ method: 'POST', query: {}, body: '{"a":1}' })
    const call = gateway.callsTo('/v2/test/echo')[0]
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-cache',
      pragma: 'no-cache',
      'accept-language': 'en',
    })
    expect(call?.headers.authorization).toMatch(/^Bearer access-\d+$/)
    expect(REQUEST_TIMEOUT).toBe(90_000)
  })

  it('sends the gray header only when a local gray flag exists (R312)', async () => {
    await tab().http.request(ECHO)
    await tab({ gray: 'v2-blue' }).http.request(ECHO)
    expect(gateway.callsTo('/v2/test/echo').map((call) => call.headers['x-gray-version'])).toEqual([undefined, 'v2-blue'])
  })

  it('obtains an idempotence key from data.key first (R173) and sends it (R283, R284); without the flag there is no such call (R285)', async () => {
    const { http } = tab()
    await http.request(ECHO)
    expect(gateway.callsTo('/v2/sys/staff/common/request/idempotence')).toHaveLength(0)
    await http.request({ ...ECHO, idempotent: true })
    expect(gateway.callsTo('/v2/sys/staff/common/request/idempotence')).toHaveLength(1)
    expect(gateway.callsTo('/v2/test/echo')[1]?.headers['idempotency-key']).toMatch(/^key-\d+$/)
    await http.request({ ...ECHO, idempotent: 'mine' })
    expect(gateway.callsTo('/v2/test/echo')[2]?.headers['idempotency-key']).toBe('mine')
  })

  it('repeats a call after a 401 with the same idempotence key (R284)', async () => {
    const { http } = tab()
    gateway.fail('/v2/test/echo', { type: 'status', status: 401, body: { code: 11008, msg: 'expired' } }, 1)
    await http.request({ ...ECHO, idempotent: true })
    const keys = gateway.callsTo('/v2/test/echo').map((call) => call.headers['idempotency-key'])
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
  })

  it('answers a 401 in the middle of ten calls with one refresh and repeats all ten once (R197)', async () => {
    const { http, reactions } = tab()
    gateway.expireTokens()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        http.request<{ query: { n: string } }>({ method: 'GET', path: '/v2/test/echo', query: { n } }),
      ),
    )
    expect(answers.map((answer) => answer.query.n)).toEqual(Array.from({ length: 10 }, (_, n) => String(n)))
    expect(gateway.callsTo('/auth/oauth/token')).toHaveLength(1)
    expect(gateway.callsTo('/v2/test/echo')).toHaveLength(20)
    expect(reactions.endSession).not.toHaveBeenCalled()
  })

  it('refreshes before the call when 5 % or less of the lifetime remains (R196), with scope staff and the client (R316)', async () => {
    const { http, age } = tab()
    age(Date.now() + 3600_000 * 0.05 - 1_000)
    await http.request(ECHO)
    const [call] = gateway.callsTo('/auth/oauth/token')
    expect(Object.fromEntries(call?.query ?? [])).toMatchObject({
      client_id: 'portal',
      client_secret: 'public',
      scope: 'staff',
      grant_type: 'refresh_token',
    })
    expect(gateway.callsTo('/v2/test/echo')).toHaveLength(1)
  })

  it('is not troubled by a gateway whose clock is a day off; it only learns the difference', async () => {
    for (const error of [86_400_000, -86_400_000]) {
      const { http } = tab()
      gateway.clockError = error
      await http.request(ECHO)
      await http.request(ECHO)
      expect(Math.abs(http.clockOffset - error)).toBeLessThan(2_000)
    }
    expect(gateway.callsTo('/auth/oauth/token')).toHaveLength(0)
  })

  it('ends the session when the refresh is refused, with the message of the gateway, else the default one (R200, R378)', async () => {
    gateway.refuseRefresh(true)
    gateway.expireTokens()
    const one = tab()
    gateway.expireTokens()
    const error = await refusal(one.http.request(ECHO))
    expect(error.kind).toBe('signedOut')
    expect(one.reactions.endSession).toHaveBeenCalledWith('刷新凭证已失效，请重新登录')
    const two = tab({ locale: 'en' })
    gateway.expireTokens()
    gateway.fail('/auth/oauth/token', { type: 'status', status: 500 })
    await refusal(two.http.request(ECHO))
    expect(two.reactions.endSession).toHaveBeenCalledWith('Token refresh failed')
  })

  it('keeps the session when the gateway cannot be reached for a refresh', async () => {
    const { http, reactions, tokens } = tab()
    gateway.expireTokens()
    gateway.fail('/auth/oauth/token', { type: 'nothing' })
    expect((await refusal(http.request(ECHO))).kind).toBe('network')
    expect(reactions.endSession).not.toHaveBeenCalled()
    gateway.heal()
    expect(await http.request(ECHO)).toBeTruthy()
    expect(tokens.present()).toBe(true)
  })

  it.each([11015, 11008, 100200])(
    'answer code %i ends the session with the message of the gateway (R362, R363, R364)',
    async (code) => {
      const { http, reactions } = tab()
      gateway.fail('/v2/test/echo', { type: 'answer', body: { code, msg: 'over' } })
      expect(await refusal(http.request(ECHO))).toMatchObject({ kind: 'signedOut', code, message: 'over' })
      expect(reactions.endSession).toHaveBeenCalledWith('over')
    },
  )

  it('does not try to refresh a session that ended elsewhere (R362)', async () => {
    const { http, reactions } = tab()
    gateway.fail('/v2/test/echo', { type: 'status', status: 401, body: { code: 11015, msg: 'signed out elsewhere' } })
    await refusal(http.request(ECHO))
    expect(gateway.callsTo('/auth/oauth/token')).toHaveLength(0)
    expect(reactions.endSession).toHaveBeenCalledWith('signed out elsewhere')
  })

  it('answer code 10170036 goes to the page of the missing mailbox (R365)', async () => {
    const { http, reactions } = tab()
    gateway.fail('/v2/test/echo', { type: 'answer', body: { code: 10170036, msg: 'none' } })
    await refusal(http.request(ECHO))
    expect(reactions.open).toHaveBeenCalledWith('/message/email/none')
  })

  it('answer code 10050027 opens the dialog with the code of the record and the task (R366, R367)', async () => {
    const { http, reactions } = tab()
    gateway.fail('/v2/test/echo', { type: 'answer', body: { code: 10050027, msg: '', data: { code: 'AL-7', taskId: 12 } } })
    await refusal(http.request(ECHO))
    expect(reactions.aliasChange).toHaveBeenCalledWith(expect.objectContaining({ code: 'AL-7', taskId: '12' }))
  })

  it('answer code 10050016 says that a new alias was generated (R368)', async () => {
    const { http, reactions } = tab()
    gateway.fail('/v2/test/echo', { type: 'answer', body: { code: 10050016, msg: 'x' } })
    await refusal(http.request(ECHO))
    expect(reactions.error).toHaveBeenCalledWith('应用别名已被占用，已生成新的别名，请再次点击确定')
  })

  it.each([10060053, 10060054, 10060058, 10060059])(
    'answer code %i opens the dialog "cannot execute" (R369, R370, R371, R372)',
    async (code) => {
      const { http, reactions } = tab()
      gateway.fail('/v2/test/echo', { type: 'answer', body: { code, msg: 'held by DOC-1' } })
      expect(await refusal(http.request(ECHO))).toMatchObject({ code, told: true })
      expect(reactions.cannotExecute).toHaveBeenCalledWith('held by DOC-1')
    },
  )

  it('any other code shows its message only when the call asked for it (R373, R374)', async () => {
    const { http, reactions } = tab()
    gateway.fail('/v2/test/echo', {
      type: 'answer',
      body: { code: 10010005, msg: 'wrong', data: { errors: [{ field: 'a', message: 'b' }] } },
    })
    expect(await refusal(http.request(ECHO))).toMatchObject({
      kind: 'business',
      code: 10010005,
      message: 'wrong',
      data: { errors: [{ field: 'a', message: 'b' }] },
    })
    expect(reactions.error).not.toHaveBeenCalled()
    expect(await refusal(http.request(ECHO))).toMatchObject({ told: false })
    expect(await refusal(http.request({ ...ECHO, showErrors: true }))).toMatchObject({ told: true })
    expect(reactions.error).toHaveBeenCalledWith('wrong')
  })

  it('HTTP errors show status and status text (R376), with the sentence of the gateway where there is one', async () => {
    const { http, reactions } = tab()
    gateway.fail('/v2/test/echo', { type: 'status', status: 502 }, 1)
    expect(await refusal(http.request({ ...ECHO, showErrors: true }))).toMatchObject({
      kind: 'http',
      code: 502,
      message: '502 Bad Gateway',
    })
    expect(reactions.error).toHaveBeenCalledWith('502 Bad Gateway')
    gateway.fail('/v2/test/echo', { type: 'status', status: 500, body: { code: 10010099, msg: '追踪号 42' } }, 1)
    expect((await refusal(http.request(ECHO))).message).toBe('500 Internal Server Error：追踪号 42')
  })

  it('a call that takes too long says so (R377)', async () => {
    gateway.fail('/v2/test/echo', { type: 'slow', ms: 400 })
    expect(await refusal(tab().http.request({ ...ECHO, timeout: 50 }))).toMatchObject({
      kind: 'timeout',
      message: '请求超时，请稍后重试。',
    })
    expect((await refusal(tab({ locale: 'en' }).http.request({ ...ECHO, timeout: 50 }))).message).toBe(
      'The request timed out. Try again later.',
    )
  })

  it.each([
    ['html', 'malformed', '网页'],
    ['empty', 'malformed', '空'],
    ['broken', 'malformed', '不完整'],
    ['half', 'network', '无法连接'],
    ['nothing', 'network', '无法连接'],
  ] as const)('an answer that is %s is a %s error with a sentence', async (type, kind, word) => {
    gateway.fail('/v2/test/echo', { type })
    const error = await refusal(tab().http.request(ECHO))
    expect(error.kind).toBe(kind)
    expect(error.message).toContain(word)
  })

  it('a cancelled call is told apart', async () => {
    gateway.fail('/v2/test/echo', { type: 'slow', ms: 1_000 })
    const controller = new AbortController()
    const running = refusal(tab().http.request({ ...ECHO, signal: controller.signal, showErrors: true }))
    // one that arrives later would meet what the next test plans
    await vi.waitFor(() => expect(gateway.callsTo('/v2/test/echo')).toHaveLength(1), { timeout: 5_000, interval: 1 })
    controller.abort()
    expect((await running).kind).toBe('aborted')
  })

  it('blob answers pass through (R375); an export that answers JSON shows its msg, else the default (R338)', async () => {
    const { http } = tab()
    gateway.fail(
      '/v2/test/echo',
      {
        type: 'answer',
        body: { rows: 1 },
        headers: { 'content-type': 'text/csv', 'content-disposition': "attachment; filename*=UTF-8''%E5%AE%A2%E6%88%B7.csv" },
      },
      1,
    )
    const answer = await http.blob(ECHO)
    expect(answer).toMatchObject({ json: null, fileName: '客户.csv' })
    expect(await answer.blob.text()).toBe('{"rows":1}')
    gateway.fail('/v2/test/echo', { type: 'answer', body: { code: 10010003, msg: '没有导出权限' } }, 1)
    expect((await refusal(exportFile(http, '/v2/test/echo', {}, 'a.csv', '导出失败'))).message).toBe('没有导出权限')
    gateway.fail('/v2/test/echo', { type: 'answer', body: { code: 1 } }, 1)
    expect((await refusal(exportFile(http, '/v2/test/echo', {}, 'a.csv', '导出失败'))).message).toBe('导出失败')
  })

  it('asks conditionally and understands that nothing changed', async () => {
    const { http } = tab()
    const request: HostRequest = { method: 'GET', path: '/v2/sys/page/routes' }
    const first = await http.conditional(request, null)
    if (first.unchanged) throw new Error('the first answer has to hold the data')
    expect(await http.conditional(request, first.etag)).toEqual({ unchanged: true })
  })

  it.each(['r1', '"a"\r\nX-Evil: 1', '"é"', '""', `"${'a'.repeat(300)}"`])(
    'a tag that a spoilt copy holds (%j) never stands in a header: the whole is asked for',
    async (etag) => {
      const answer = await tab().http.conditional({ method: 'GET', path: '/v2/sys/page/routes' }, etag)
      expect(answer.unchanged).toBe(false)
    },
  )
})
