import { Ajv2020 } from 'ajv/dist/2020'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contextOf, ok, ServiceError } from '../../../../../gateway/platform/http'
import { startGateway } from '../../../../support/gateway'
import type { Caller, TestGateway } from '../../../../support/gateway'

/** What OpenAPI 3.1 calls a schema. */
const SCHEMA = { $ref: 'https://json-schema.org/draft/2020-12/schema' }

let test: TestGateway
let caller: Caller
beforeAll(async () => {
  test = await startGateway({
    environment: {
      CORS_ORIGINS: 'https://portal.example',
      METRICS_TOKEN: 'scrape-me',
      MICRO_APPS: '{"srm":"https://srm.example/app/","local":"/local/"}',
      STREAMING_HOST: 'https://stream.example',
    },
    routes: (app) => {
      app.get('/v2/test/fault', () => {
        throw new Error('the secret of postgres://switchboard:hunter2@db/x is out')
      })
      app.get('/v2/test/refusal', () => {
        throw new ServiceError('limitRefused', { message: { zh: '不行', en: 'No' }, data: { reason: 'test' } })
      })
      app.get('/v2/test/long', (request) => ok({ text: 'a lot '.repeat(5000), by: contextOf(request).user.staffId }))
      app.post(
        '/v2/test/echo',
        { schema: { body: { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 1 } } } } },
        (request) => ok(request.body),
      )
      app.get('/v2/test/keyed', { config: { permission: 'test:key:hold' } }, () => ok(1))
    },
  })
  await test.addStaff({ id: 'wang', jobNumber: 'S0042' })
  caller = await test.signIn('S0042')
})
afterAll(() => test.close())

describe('every JSON answer is an envelope (R314)', () => {
  it('for a success', async () => {
    const { status, code, msg, data } = await caller.post('/v2/test/echo', { n: 3 })
    expect({ status, code, msg, data }).toEqual({ status: 200, code: 0, msg: 'OK', data: { n: 3 } })
  })

  it('for a business refusal, in the language of the caller', async () => {
    const zh = await caller.get('/v2/test/refusal')
    expect([zh.status, zh.code, zh.msg, zh.data]).toEqual([200, 10030002, '不行', { reason: 'test' }])
    expect((await caller.get('/v2/test/refusal', { 'accept-language': 'fr, en;q=0.8, zh;q=0.3' })).msg).toBe('No')
  })

  it('for an unknown address, a wrong method and a missing permission', async () => {
    const unknown = await caller.get('/v2/test/nothing')
    expect([unknown.status, unknown.code]).toEqual([404, 10010004])
    const wrongMethod = await caller.call('PUT', '/v2/test/echo', {})
    expect([wrongMethod.status, wrongMethod.code, wrongMethod.headers.get('allow')]).toEqual([405, 10010001, 'POST'])
    const forbidden = await caller.get('/v2/test/keyed')
    expect([forbidden.status, forbidden.code, forbidden.data]).toEqual([200, 10010003, { permission: 'test:key:hold' }])
  })

  it('for malformed JSON, a wrong shape and a foreign content type', async () => {
    const send = async (body: string, type = 'application/json') => {
      const response = await caller.raw('POST', '/v2/test/echo', { body, headers: { 'content-type': type } })
      return { status: response.status, ...((await response.json()) as { code: number; msg: string; data: unknown }) }
    }
    for (const body of ['{"n":', 'undefined', '', '[1,]', '{"__proto__":{"n":1}}'])
      expect([body, (await send(body)).code]).toEqual([body, 10010001])
    expect((await send('{"n":1}', 'application/xml')).status).toBe(415)
    const shape = await send('{"n":"1"}')
    expect([shape.code, shape.data]).toEqual([10010001, { errors: [{ field: 'n', message: '类型应为 integer' }] }])
    expect((await send('{}')).data).toEqual({ errors: [{ field: 'n', message: '必填' }] })
  })

  it('for a body that is too large', async () => {
    const answer = await caller.post('/v2/test/echo', { n: 1, padding: 'x'.repeat(1_100_000) })
    expect([answer.status, answer.code]).toEqual([413, 10010001])
  })

  it('for a fault: a trace id, no stack and no secret', async () => {
    const answer = await caller.get<{ traceId: string }>('/v2/test/fault', { 'x-trace-id': 'trace-of-a-test-1' })
    expect([answer.status, answer.code, answer.data]).toEqual([500, 10010099, { traceId: 'trace-of-a-test-1' }])
    expect(answer.msg).toContain('trace-of-a-test-1')
    expect(answer.text).not.toMatch(/hunter2|at |stack|postgres/)
    const line = test.logs.find((log) => log.includes('a request failed')) ?? ''
    expect(line).toContain('the secret of')
    expect(line).not.toContain('hunter2')
  })

  it('for an address that cannot be decoded, and for what is not HTTP at all', async () => {
    const response = await caller.raw('GET', '/v2/%')
    expect(((await response.json()) as { code: number }).code).toBe(10010001)
    const raw = await new Promise<string>((done) => {
      let text = ''
      const socket = connect(Number(new URL(test.base).port), '127.0.0.1', () => socket.write('NOT HTTP\r\n\r\n'))
      socket.on('data', (chunk) => (text += chunk.toString()))
      socket.on('close', () => done(text))
    })
    expect(raw).toMatch(/^HTTP\/1.1 400/)
    expect(raw).toContain('"code":10010001')
  })

  it('for too many requests, with the seconds to wait', async () => {
    const soon = new Date(test.clock.now().getTime() + 30_000).toISOString()
    await test.gateway.database.query(
      `insert into auth_failure (subject, count, window_ends_at) values ('calls:/auth/oauth/token 127.0.0.1', 2990, $1)`,
      [soon],
    )
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        test.anybody.get('/auth/oauth/token?client_id=switchboard&scope=staff&refresh_token=none'),
      ),
    )
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(20)
    const refused = answers.find((answer) => answer.status === 429)
    expect(refused?.code).toBe(10010011)
    expect(refused?.data).toEqual({ retryAfter: expect.any(Number) })
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('headers', () => {
  it('of calls carry a trace id, forbid caching and sniffing, and nothing that is for documents (R309)', async () => {
    for (const path of ['/v2/test/echo', '/v2/nothing', '/health']) {
      const { headers } = await caller.get(path)
      expect(headers.get('x-trace-id')).toMatch(/^[\w-]{8,}$/)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      for (const name of ['content-security-policy', 'x-frame-options', 'cross-origin-opener-policy', 'referrer-policy'])
        expect([name, headers.get(name)]).toEqual([name, null])
    }
  })

  it('of documents hold a policy without inline scripts or eval', async () => {
    for (const path of ['/auth/identity?request=none']) {
      const { headers } = await test.anybody.raw('GET', path)
      expect(headers.get('content-type')).toContain('text/html')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("script-src 'self';")
      expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/)
      for (const part of [
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-src 'self' blob: https://srm.example",
        "connect-src 'self' https://stream.example",
      ])
        expect(policy).toContain(part)
    }
  })

  it('let only configured origins call from other pages', async () => {
    const preflight = async (origin: string) => {
      const response = await fetch(`${test.base}/v2/test/echo`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,idempotency-key',
        },
      })
      return [response.headers.get('access-control-allow-origin'), response.headers.get('access-control-allow-headers')]
    }
    expect(await preflight('https://portal.example')).toEqual(['https://portal.example', 'authorization,idempotency-key'])
    expect((await preflight('https://evil.example'))[0]).toBeNull()
    expect(
      (await caller.get('/v2/test/refusal', { origin: 'https://evil.example' })).headers.get('access-control-allow-origin'),
    ).toBeNull()
  })

  it('compress long JSON answers and leave short ones alone', async () => {
    const long = await caller.raw('GET', '/v2/test/long', { headers: { 'accept-encoding': 'gzip' } })
    expect(long.headers.get('content-encoding')).toBe('gzip')
    expect(((await long.json()) as { data: { text: string } }).data.text).toHaveLength(30_000)
    expect(
      (await caller.raw('GET', '/v2/test/refusal', { headers: { 'accept-encoding': 'gzip' } })).headers.get('content-encoding'),
    ).toBeNull()
  })
})

describe('operation', () => {
  it('tells whether it lives and whether it can work', async () => {
    expect((await test.anybody.get<{ status: string }>('/health')).data.status).toBe('live')
    expect((await test.anybody.get<{ status: string; database: string }>('/ready')).data).toMatchObject({
      status: 'ready',
      database: 'postgres',
    })
  })

  it('measures requests by route and connections, for those with the token', async () => {
    expect((await test.anybody.get('/metrics')).code).toBe(10010003)
    const metrics = await (await test.anybody.raw('GET', '/metrics', { headers: { authorization: 'Bearer scrape-me' } })).text()
    expect(metrics).toMatch(
      /switchboard_request_duration_seconds_count\{method="POST",route="\/v2\/test\/echo",status="200"\} \d+/,
    )
    expect(metrics).toContain('switchboard_database_connections{state="idle"}')
    expect(metrics).toContain('nodejs_eventloop_lag_seconds')
    expect(metrics).not.toContain('nothing"')
  })

  it('describes its calls as OpenAPI 3, every one with its permission', async () => {
    const document = (await (await caller.raw('GET', '/docs/api')).json()) as {
      openapi: string
      paths: Record<string, Record<string, { responses?: unknown; description?: string; security?: unknown[] }>>
    }
    expect(document.openapi).toMatch(/^3\./)
    for (const path of [
      '/auth/oauth/token',
      '/v2/sys/staff/overseas/getUserInfo',
      '/v2/crm/customer/queryPage',
      '/v2/download/downloadCenter/api/file/{id}',
    ])
      expect(document.paths[path], path).toBeDefined()
    for (const operations of Object.values(document.paths))
      for (const operation of Object.values(operations)) expect(operation.responses).toBeDefined()
    for (const [path, operations] of Object.entries(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      for (const operation of Object.values(operations) as {
        parameters?: { in: string; name: string; required?: boolean }[]
      }[]) {
        const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path' && parameter.required)
        expect([path, described.map((parameter) => parameter.name).sort()]).toEqual([path, named.sort()])
      }
    }
    expect(document.paths['/v2/sys/staff/user/resetPassword']?.['post']?.description).toContain('setModule:authManage:user:edit')
    expect(document.paths['/auth/oauth/token']?.['get']?.security).toEqual([])
    const page = await (await caller.raw('GET', '/docs/api', { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('/v2/crm/customer/queryPage')
  })

  it('describes every call as OpenAPI 3.1 asks: operations with answers, schemas that are JSON Schemas, references that lead somewhere', async () => {
    const document = (await (await caller.raw('GET', '/docs/api.json')).json()) as Record<string, unknown>
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const text = { type: 'string', minLength: 1 }
    const content = { type: 'object', additionalProperties: { type: 'object', properties: { schema: SCHEMA } } }
    const named = (items: object) => ({ type: 'object', additionalProperties: items })
    const parameter = {
      type: 'object',
      properties: {
        name: text,
        in: { enum: ['path', 'query', 'header', 'cookie'] },
        required: { type: 'boolean' },
        schema: SCHEMA,
      },
      required: ['name', 'in', 'schema'],
      if: { properties: { in: { const: 'path' } } },
      then: { properties: { required: { const: true } }, required: ['required'] },
    }
    const operation = {
      type: 'object',
      properties: {
        parameters: { type: 'array', items: parameter },
        requestBody: { type: 'object', properties: { content }, required: ['content'] },
        responses: {
          type: 'object',
          minProperties: 1,
          propertyNames: { pattern: '^(?:[1-5](?:\\d\\d|XX)|default)$' },
          additionalProperties: {
            type: 'object',
            properties: { description: { type: 'string' }, content },
            required: ['description'],
          },
        },
      },
      required: ['responses'],
    }
    const valid = ajv.compile({
      type: 'object',
      properties: {
        openapi: { pattern: '^3\\.1\\.\\d+$' },
        info: { type: 'object', properties: { title: text, version: text }, required: ['title', 'version'] },
        paths: {
          type: 'object',
          propertyNames: { pattern: '^/' },
          additionalProperties: {
            type: 'object',
            propertyNames: { enum: ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] },
            additionalProperties: operation,
          },
        },
        components: {
          type: 'object',
          properties: { schemas: named(SCHEMA), securitySchemes: named({ type: 'object', required: ['type'] }) },
        },
      },
      required: ['openapi', 'info', 'paths'],
    })
    expect([valid(document), valid.errors]).toEqual([true, null])
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to!)
    const at = (to: string): unknown =>
      to
        .slice(2)
        .split('/')
        .reduce<unknown>((place, step) => (place as Record<string, unknown> | undefined)?.[step], document)
    expect([...new Set(references)].filter((to) => !to.startsWith('#/') || at(to) === undefined)).toEqual([])
    expect(references.length).toBeGreaterThan(100)
  })

  it('serves the language under the address that its $id names, to anybody', async () => {
    const ajv = new Ajv2020({ strict: false })
    const ids: string[] = []
    for (const kind of readdirSync('schemas/meta').map((file) => file.replace('.json', ''))) {
      const answer = await test.anybody.raw('GET', `/schemas/meta/${kind}.json`)
      const schema = (await answer.json()) as { $id: string; $defs: object }
      expect([answer.status, new URL(schema.$id).pathname]).toEqual([200, `/schemas/meta/${kind}.json`])
      expect(await (await fetch(schema.$id)).json()).toEqual(schema)
      ajv.addSchema(schema)
      ids.push(schema.$id)
    }
    // with what each refers to in the others
    for (const id of ids) expect(ajv.getSchema(id), id).toBeTypeOf('function')
  })

  it('describes its calls, routes and modules to signed-in people only; a browser brings the token in its cookie (R174, R177)', async () => {
    for (const path of ['/docs/api', '/docs/api.json', '/docs/api/', '/v2/sys/page/routes']) {
      for (const headers of [{}, { authorization: 'Bearer a.b.c' }, { cookie: 'TEST_token=a.b.c' }] as Record<string, string>[]) {
        const refused = await test.anybody.get(path, headers)
        expect([path, refused.status, refused.code, refused.data]).toEqual([path, 401, 11008, null])
      }
      expect((await caller.raw('GET', path)).status).toBe(200)
    }
    const browser = { accept: 'text/html', 'accept-language': 'en', cookie: `x=1; TEST_token=${caller.token}` }
    const signedOut = await test.anybody.raw('GET', '/docs/api', { headers: { accept: 'text/html', 'accept-language': 'en' } })
    expect(signedOut.status).toBe(401)
    const words = await signedOut.text()
    expect(words).toContain('Please sign in to the portal')
    expect(words).not.toContain('/v2/')
    const page = await test.anybody.raw('GET', '/docs/api', { headers: browser })
    expect([page.status, (await page.text()).includes('/v2/crm/customer/queryPage')]).toEqual([200, true])
    expect((await test.anybody.get('/v2/sys/page/routes', browser)).status).toBe(401)
  })

  it('tells metrics to this machine only when that is switched on by name, and never through a proxy', async () => {
    const off = await startGateway()
    const on = await startGateway({ environment: { METRICS_LOOPBACK: 'true', TRUST_PROXY: 'true' } })
    const ask = (gateway: TestGateway, headers: Record<string, string> = {}) =>
      gateway.anybody.raw('GET', '/metrics', { headers })
    try {
      expect((await ask(off)).status).toBe(404)
      expect(await (await ask(off)).text()).toContain('METRICS_LOOPBACK')
      expect(await (await ask(on)).text()).toContain('nodejs_eventloop_lag_seconds')
      for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])
        expect([header, (await ask(on, { [header]: '127.0.0.1' })).status]).toEqual([header, 404])
    } finally {
      await Promise.all([off.close(), on.close()])
    }
  })

  it('logs no query string, token, password or body', async () => {
    await caller.get('/v2/test/refusal?password=very-secret-1&token=very-secret-2')
    await caller.post('/v2/sys/staff/user/changePassword', { oldPassword: 'very-secret-3', newPassword: 'very-secret-4' })
    await test.anybody.get('/auth/oauth/dingAuth?code=very-secret-5&state=very-secret-6')
    const log = test.logs.join('')
    expect(log).toContain('"path":"/auth/oauth/dingAuth"')
    expect(log).not.toMatch(/very-secret|correct-horse/)
    expect(log).not.toContain(caller.token)
    expect(log).not.toContain(caller.refreshToken)
  })
})
