import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway } from '../../../../support/gateway'
import type { TestGateway } from '../../../../support/gateway'
import { gatewayDatabase, type TestDatabase } from '../../../testDatabase'

const INDEX = `<!doctype html><html><head><script id="switchboard-configuration" type="application/json">{}</script></head><body><div id="root"></div></body></html>`
let shared: TestDatabase
let test: TestGateway
let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gw-portal-'))
  await mkdir(join(root, 'assets'))
  await writeFile(join(root, 'index.html'), INDEX)
  await writeFile(join(root, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(root, 'assets', 'main-abc.js'), 'console.log(1)')
  await writeFile(join(root, 'assets', 'main-abc.js.gz'), gzipSync('console.log(1)'))
  shared = await gatewayDatabase()
  test = await startGateway({
    portalRoot: root,
    environment: {
      DATABASE_URL: shared.url,
      ENVIRONMENT_NAME: 'production',
      H5_URL: 'https://h5.example',
      EXTERNAL_IMFS_URL: 'https://imfs.example',
      MICRO_APPS: '{"x</script><script>alert(1)</script>":"/local/"}',
    },
  })
})
afterAll(async () => {
  await test.close()
  await shared.drop()
  await rm(root, { recursive: true, force: true })
})

const page = (path: string) => fetch(test.base + path, { headers: { accept: 'text/html,application/xhtml+xml' } })

describe('serving the portal', () => {
  it('gives the page its configuration, and nothing in a value closes the block (R308, R318)', async () => {
    const response = await page('/')
    const html = await response.text()
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(html.match(/<script/g)).toHaveLength(1)
    const json = /type="application\/json">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''
    expect(JSON.parse(json)).toEqual({
      environment: 'production',
      gatewayBaseUrl: '',
      streamingHost: '',
      h5Url: 'https://h5.example',
      externalModules: { IMFS: 'https://imfs.example', MONITOR: '', NWP: '', BIBOARD: '' },
      microApps: { 'x</script><script>alert(1)</script>': '/local/' },
      oauth: { authorizeUrl: '/auth/oauth/authorize', clientId: 'switchboard' },
      companyTimeZone: 'Asia/Shanghai',
    })
  })

  it('answers every address of the portal with the page, and none of the calls', async () => {
    for (const path of ['/home', '/crm/client-partner/my-client?id=1', '/authorize?code=x&state=y', '/nowhere/at/all']) {
      const response = await page(path)
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
    }
    for (const path of [
      '/v2/nothing',
      '/auth/nothing',
      '/docs/nothing',
      '/assets/gone-123.js',
      '/robots.txt',
      '/.env',
      '/package.json',
    ]) {
      const response = await page(path)
      expect([path, response.status]).toEqual([path, 404])
      expect(((await response.json()) as { code: number }).code).toBe(10010004)
    }
  })

  it('lets browsers keep assets for ever and prefers their compressed copies', async () => {
    const response = await fetch(`${test.base}/assets/main-abc.js`, { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.text()).toBe('console.log(1)')
    expect((await fetch(`${test.base}/favicon.svg`)).headers.get('cache-control')).toBe('no-cache')
  })

  it('never leaves its folder', async () => {
    for (const path of [
      '/assets/../index.html',
      '/assets/..%2f..%2fetc%2fpasswd',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/....//index.html',
    ]) {
      const response = await fetch(test.base + path)
      expect((await response.text()).includes('switchboard-configuration') && path.includes('..%2f')).toBe(false)
      expect([403, 404, 400, 200]).toContain(response.status)
    }
    expect((await fetch(`${test.base}/assets/..%2findex.html`)).status).not.toBe(200)
  })
})
