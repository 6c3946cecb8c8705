import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  codes,
  createLogger,
  describeError,
  localeFrom,
  scopesOf,
  systemContext,
  withoutSecrets,
} from '../../../../../gateway/platform/http'
import { fillPage } from '../../../../../gateway/platform/http/portal'
import type { PortalConfiguration } from '../../../../../gateway/platform/http'

describe('the language of an answer', () => {
  it('is the first wanted one that we speak, Chinese otherwise', () => {
    const wanted: [string | undefined, string][] = [
      [undefined, 'zh'],
      ['', 'zh'],
      ['en', 'en'],
      ['en-US,en;q=0.9,zh;q=0.8', 'en'],
      ['fr,zh-CN;q=0.5,en;q=0.9', 'en'],
      ['en;q=0, zh', 'zh'],
      ['de', 'zh'],
      ['*', 'zh'],
    ]
    for (const [header, locale] of wanted) expect([header, localeFrom(header)]).toEqual([header, locale])
  })

  it('never fails, whatever the header is', () => {
    fc.assert(fc.property(fc.string(), (header) => ['zh', 'en'].includes(localeFrom(header))))
  })
})

describe('answer codes', () => {
  it('speak both languages, and those that end a session have status 401 (R365)', () => {
    for (const entry of Object.values(codes)) {
      expect(entry.message.zh).not.toBe('')
      expect(entry.message.en).not.toBe('')
    }
    for (const name of ['sessionEnded', 'tokenInvalid', 'refreshInvalid'] as const) expect(codes[name].status).toBe(401)
    expect([codes.sessionEnded.code, codes.tokenInvalid.code, codes.refreshInvalid.code]).toEqual([11015, 11008, 100200])
  })
})

describe('the log', () => {
  it('holds no tokens, passwords, query parameters or statement parameters', () => {
    const text = 'GET /x?code=abc123&b=1 Bearer abc.def-ghi postgres://u:pw@h/db refresh_token=zzz eyJhbGciOi.eyJzdWIi.sig'
    const more =
      'https://p/authorize?authCode=Q7first&x=1 /auth/identity?request=Q8second {"refreshToken": "Q9third","code_verifier":"Q0fourth"}'
    const clean = withoutSecrets(`${text} ${more}`)
    for (const secret of ['Q7first', 'Q8second', 'Q9third', 'Q0fourth', 'abc123', 'abc.def', ':pw@', 'zzz', 'eyJzdWIi'])
      expect(clean).not.toContain(secret)
    const failed = new Error('Failed query: select $1\nparams: 13800000001')
    expect(JSON.stringify(describeError(new Error('outer', { cause: failed })))).not.toContain('13800000001')
  })

  it('hides secret fields and cleans messages of libraries', () => {
    const lines: string[] = []
    const logger = createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(line) } })
    logger.info({ user: { password: 'hidden-1', token: 'hidden-2' }, refreshToken: 'hidden-3' }, 'got code=hidden-4 from there')
    logger.info(
      { req: { method: 'GET', url: '/auth/oauth/token?refresh_token=hidden-6', headers: { cookie: 'x=hidden-7' } } },
      'asked',
    )
    logger.info({ res: { statusCode: 200, headers: { 'set-cookie': 'TEST_companion=hidden-8' } } }, 'answered')
    logger.error({ err: new Error('Bearer hidden-5 is not valid') }, 'failed')
    expect(lines.join('')).not.toContain('hidden-')
  })
})

describe('the page of the portal', () => {
  it('keeps any configuration inside its data block', () => {
    const html = '<script id="switchboard-configuration" type="application/json">{}</script>'
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, value) => {
        const configuration = { microApps: { [name]: `${value}</script><script>` } } as unknown as PortalConfiguration
        const page = fillPage(html, configuration)
        const json = /json">([\s\S]*)<\/script>$/.exec(page)?.[1] ?? ''
        expect(json).not.toMatch(/[<>\u2028\u2029]/)
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(configuration)))
      }),
    )
  })

  it('refuses a page without the block', () => {
    expect(() => fillPage('<html></html>', {} as PortalConfiguration)).toThrow('#switchboard-configuration')
  })
})

describe('row scopes', () => {
  it('join the grants on every entity with those on one', () => {
    const context = {
      ...systemContext(),
      kind: 'staff' as const,
      scopes: { '*': ['own'], 'crm.customer': ['department', 'own'] } as const,
    }
    expect(scopesOf(context, 'crm.customer')).toEqual(['department', 'own'])
    expect(scopesOf(context, 'srm.supplier')).toEqual(['own'])
    expect(scopesOf({ ...context, scopes: {} }, 'crm.customer')).toEqual([])
    expect(scopesOf(systemContext(), 'crm.customer')).toEqual(['all'])
  })
})
