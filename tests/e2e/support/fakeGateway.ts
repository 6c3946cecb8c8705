import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import { bundles, BUTTONS, MENU, ROUTES, USER } from './fakeWorld'

/**
 * A small real server that speaks the envelope and serves the built portal. It exists to misbehave on demand, which the
 * real gateway does not.
 */
export type Fault =
  | { type: 'status'; status: number; body?: unknown }
  | { type: 'answer'; body: unknown; headers?: Record<string, string> }
  | { type: 'html' }
  | { type: 'empty' }
  /** Half of an answer with the length of a whole one, then the connection ends. */
  | { type: 'half' }
  /** Truncated JSON with the right length. */
  | { type: 'broken' }
  /** The connection ends without an answer. */
  | { type: 'nothing' }
  | { type: 'slow'; ms: number }

export interface Call {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

export interface FakeGateway {
  readonly url: string
  readonly calls: Call[]
  /** Configuration block of the page. */
  configuration: Record<string, unknown>
  /** Seconds. */
  lifetime: number
  /** How wrong the clock in the Date header is, ms. */
  clockError: number
  /** Every access token so far is refused with 401 from now on. */
  expireTokens(): void
  /** Refresh tokens are refused from now on. */
  refuseRefresh(refuse: boolean): void
  /** The next calls whose path starts with `path` go wrong; without `times` for good. */
  fail(path: string, fault: Fault, times?: number): void
  heal(): void
  /** A token that is good, for a browser that is already signed in. */
  issueToken(): { token: string; refreshToken: string; expiresIn: number }
  callsTo(path: string): Call[]
  stop(): Promise<void>
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
const SAMPLE = resolve(import.meta.dirname, 'sampleApp')

export async function startFakeGateway(options: { portal?: string; port?: number } = {}): Promise<FakeGateway> {
  const portal = options.portal ?? process.env.PORTAL_DIR ?? resolve(import.meta.dirname, '../../../dist/portal')
  const faults: { path: string; fault: Fault; times: number }[] = []
  const good = new Set<string>()
  const refreshable = new Set<string>()
  let count = 0
  let refuse = false

  const gateway: FakeGateway = {
    url: '',
    calls: [],
    configuration: {},
    lifetime: 3600,
    clockError: 0,
    expireTokens: () => good.clear(),
    refuseRefresh: (value) => {
      refuse = value
    },
    fail: (path, fault, times = Number.POSITIVE_INFINITY) => void faults.push({ path, fault, times }),
    heal: () => void faults.splice(0),
    issueToken() {
      count += 1
      const made = { token: `access-${count}`, refreshToken: `refresh-${count}`, expiresIn: gateway.lifetime }
      good.add(made.token)
      refreshable.add(made.refreshToken)
      return made
    },
    callsTo: (path) => gateway.calls.filter((call) => call.path === path),
    stop: () => new Promise((done) => server.close(() => done()).closeAllConnections()),
  }

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  await new Promise<void>((ready) => server.listen(options.port ?? 0, '127.0.0.1', ready))
  return Object.assign(gateway, { url: `http://localhost:${(server.address() as AddressInfo).port}` })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const path = url.pathname
    const isCall = /^\/(v2|auth)\//.test(path)
    if (isCall)
      gateway.calls.push({ method: request.method ?? '', path, query: url.searchParams, headers: request.headers, body })
    response.setHeader('Date', new Date(Date.now() + gateway.clockError).toUTCString())
    const planned = faults.find((item) => path.startsWith(item.path) && item.times > 0)
    if (planned) {
      planned.times -= 1
      if (await misbehave(response, planned.fault)) return
    }
    if (path.startsWith('/auth/')) return authenticate(url, response)
    if (!isCall) return serveFile(path, response)
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined || !good.has(token))
      return send(response, { code: 11008, msg: '登录凭证无效或已过期', data: null }, 401)
    return handle(request, response, url, body)
  }

  function handle(request: IncomingMessage, response: ServerResponse, url: URL, body: string): void {
    const ok = (data: unknown, headers: Record<string, string> = {}) => send(response, { code: 0, msg: '', data }, 200, headers)
    const tagged = (data: unknown) => {
      const etag = `"${JSON.stringify(data).length}"`
      if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
      ok(data, { etag })
    }
    switch (url.pathname) {
      case '/v2/sys/page/routes':
        return tagged(ROUTES)
      case '/v2/sys/page/bundle': {
        const bundle = bundles[url.searchParams.get('path') ?? url.searchParams.get('name') ?? '']
        return bundle ? tagged(bundle) : send(response, { code: 10010004, msg: '记录不存在', data: null })
      }
      case '/v2/sys/mc/sse/connection':
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
        return void response.write('data: {"event":"connection"}\n\n')
      case '/v2/sys/staff/overseas/getUserInfo':
        return ok(USER)
      case '/v2/sys/staff/overseas/getResourceByMenu':
        return ok(MENU)
      case '/v2/sys/staff/overseas/getResourceByBtn':
        return ok(BUTTONS)
      case '/v2/sys/staff/common/request/idempotence':
        count += 1
        return ok({ key: `key-${count}` })
      case '/v2/crm/index/customer/statistics':
        return ok({ myCustomer: 12, todayCustomer: 3, task: 4, todaySend: 5 })
      case '/v2/test/echo':
        return ok({ method: request.method, query: Object.fromEntries(url.searchParams), body })
      default:
        return ok(/QuickEntrance|promotionLink/.test(url.pathname) ? [] : null)
    }
  }

  function authenticate(url: URL, response: ServerResponse): void {
    const query = url.searchParams
    switch (url.pathname) {
      case '/auth/oauth/authorize': {
        const back = new URL(query.get('redirect_uri') ?? '')
        back.searchParams.set('code', 'good-code')
        back.searchParams.set('state', query.get('state') ?? '')
        return void response.writeHead(302, { location: back.href }).end()
      }
      case '/auth/oauth/dingAuth':
        if (query.get('code') !== 'good-code') return send(response, { code: 10020001, msg: '授权码无效', data: null })
        return send(response, { code: 0, msg: '', data: { tokenHead: 'Bearer', ...gateway.issueToken() } })
      case '/auth/oauth/token': {
        const given = query.get('refresh_token') ?? ''
        if (refuse || !refreshable.delete(given))
          return send(response, { code: 100200, msg: '刷新凭证已失效，请重新登录', data: null }, 401)
        return send(response, { code: 0, msg: '', data: { tokenHead: 'Bearer', ...gateway.issueToken() } })
      }
      default:
        response.writeHead(404).end()
    }
  }

  async function serveFile(path: string, response: ServerResponse): Promise<void> {
    const sample = path === '/sample' || path.startsWith('/sample/')
    const inside = sample ? path.replace(/^\/sample/, '') : path
    const name = extname(inside) === '' ? '/index.html' : inside
    try {
      let content: Buffer | string = await readFile(join(sample ? SAMPLE : portal, name))
      if (name === '/index.html' && !sample) {
        content = content
          .toString()
          .replace(
            /(<script id="switchboard-configuration"[^>]*>)[\s\S]*?(<\/script>)/,
            (_all, start: string, end: string) => start + JSON.stringify(gateway.configuration) + end,
          )
      }
      response
        .writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', 'cache-control': caching(path) })
        .end(content)
    } catch {
      response.writeHead(404).end()
    }
  }
}

/** As the real gateway has it: what is named by its content is kept. */
const caching = (path: string): string => (path.startsWith('/assets/') ? 'public, max-age=3600, immutable' : 'no-cache')

/** True when the call is answered with that; false when it only took its time. */
async function misbehave(response: ServerResponse, fault: Fault): Promise<boolean> {
  switch (fault.type) {
    case 'status':
      response
        .writeHead(fault.status, { 'content-type': 'application/json' })
        .end(fault.body === undefined ? '' : JSON.stringify(fault.body))
      return true
    case 'answer':
      response.writeHead(200, { 'content-type': 'application/json', ...fault.headers }).end(JSON.stringify(fault.body))
      return true
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in to the network</title>')
      return true
    case 'empty':
      response.writeHead(200, { 'content-type': 'application/json' }).end()
      return true
    case 'half':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '400' })
      response.write('{"code":0,"msg":"","data":{"half":')
      setTimeout(() => response.destroy(), 20)
      return true
    case 'broken':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"code":0,"msg":"","data":{"half":')
      return true
    case 'nothing':
      response.destroy()
      return true
    case 'slow':
      await new Promise((done) => setTimeout(done, fault.ms))
      return false
  }
}

function send(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body))
}
