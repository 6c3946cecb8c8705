import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSchemaRegistry, readSchemas, servePages, type SchemaRegistry } from '../../../../gateway/pages'
import { ServiceError, systemContext, type RequestContext } from '../../../../gateway/platform/http'
import { StartupError } from '../../../../gateway/platform/lifecycle'
import { compilePage } from '../../../../src/schema'
import type { SourceDocument } from '../../../../src/schema/validate'

const base = JSON.parse(readFileSync(join(import.meta.dirname, '../../../fixtures/problems-base.json'), 'utf8')) as {
  documents: SourceDocument[]
}

let folder: string
const write = (file: string, value: unknown): void => {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
}
const list = (more: object = {}): object => ({
  formatVersion: 3,
  kind: 'list',
  path: '/demo/items',
  title: { zh: '全部物品', en: 'All items' },
  permission: 'demo:items',
  entity: 'demo.item',
  ...more,
})
const details = {
  formatVersion: 3,
  kind: 'detail',
  path: '/demo/items/details',
  title: { zh: '详情', en: 'Details' },
  permission: 'demo:items',
  entity: 'demo.item',
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchboard-schemas-'))
  for (const { where, value } of base.documents) write(where.replace('schemas/', ''), value)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('The schema registry', () => {
  it('reads every document of the folder and leaves the meta-schemas and other files alone', async () => {
    write('meta/page.json', '{ this is not read')
    write('readme.txt', 'nor this')
    expect((await readSchemas(folder)).map(({ where, type, name }) => [where, type, name])).toEqual([
      ['schemas/calls.json', 'calls', undefined],
      ['schemas/demo/entities/item.json', 'entity', undefined],
      ['schemas/demo/module.json', 'module', undefined],
      ['schemas/demo/pages/item.json', 'page', 'demo/item'],
      ['schemas/dictionaries/itemStatus.json', 'dictionary', undefined],
    ])
  })

  it('finds entities, dictionaries, and pages by name and by address', async () => {
    write('demo/pages/items.json', list())
    const registry = await openSchemaRegistry(folder)
    expect(registry.entity('demo.item')?.titleField).toBe('name')
    expect(registry.dictionary('itemStatus')?.items).toHaveLength(2)
    expect(registry.page('demo/item')?.document.kind).toBe('form')
    expect(registry.page('/demo/items')?.name).toBe('demo/items')
    expect(registry.page('/demo/nothing')).toBeUndefined()
    expect(registry.modules.map(({ name }) => name)).toEqual(['demo'])
  })

  it('refuses to start with the whole list of errors, each with file and place', async () => {
    write('demo/pages/items.json', list({ entity: 'demo.itme' }))
    write('demo/pages/broken.json', '{ "kind": ')
    const error = await openSchemaRegistry(folder).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StartupError)
    const { message, exitCode } = error as StartupError
    expect(exitCode).toBe(78)
    expect(message).toContain('have 2 errors')
    expect(message).toContain('schemas/demo/pages/items.json#/entity: error unknown-entity')
    expect(message).toContain('Did you mean "demo.item"?')
    expect(message).toContain('schemas/demo/pages/broken.json: error malformed-json')
  })

  it('starts with warnings and hands them on', async () => {
    write(
      'demo/pages/items.json',
      list({ columns: Array.from({ length: 41 }, (_, index) => ({ id: `c${index}`, field: 'name' })) }),
    )
    const warnings: string[] = []
    await openSchemaRegistry(folder, { warn: (text) => warnings.push(text) })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('cost-budget')
  })

  it('says which folder cannot be read and which variable names it', async () => {
    const error = await openSchemaRegistry(join(folder, 'nowhere')).catch((thrown: unknown) => thrown)
    expect((error as Error).message).toMatch(/nowhere.*SCHEMAS_DIR/)
  })
})

describe('The route table', () => {
  it('R038 R039 R049 R050 joins routes and pages: a page that is not there is in no menu, a detail page is always permitted', async () => {
    const before = await openSchemaRegistry(folder)
    expect(before.routes.routes.map(({ path, menu, page, permission }) => [path, menu, page, permission])).toEqual([
      ['/demo/items', false, null, 'demo:items'],
      ['/demo/items/details', false, null, undefined],
    ])
    write('demo/pages/items.json', list({ single: true }))
    write('demo/pages/details.json', details)
    const extra = { ...details, path: '/demo/items/extra', titleFrom: '{{ query.name }}', record: '{{ query.itemId }}' }
    write('demo/pages/extra.json', extra)
    const { routes, modules } = (await openSchemaRegistry(folder)).routes
    expect(modules).toEqual([
      { name: 'demo', title: { zh: '示例', en: 'Demo' }, sort: Number.MAX_SAFE_INTEGER, international: 'demo:demo' },
    ])
    expect(routes[0]).toEqual({
      path: '/demo/items',
      module: 'demo',
      title: { zh: '全部物品', en: 'All items' },
      kind: 'list',
      menu: true,
      single: true,
      bookmark: true,
      aside: true,
      detail: false,
      permission: 'demo:items',
      page: 'demo/items',
    })
    expect(routes[1]).toMatchObject({
      path: '/demo/items/details',
      detail: true,
      menu: false,
      activeMenu: '/demo/items',
      record: 'id',
      page: 'demo/details',
    })
    expect(routes[1]?.permission).toBeUndefined()
    expect(routes[2]).toMatchObject({
      path: '/demo/items/extra',
      module: 'demo',
      detail: true,
      titleFrom: '{{ query.name }}',
      record: 'itemId',
    })
  })
})

describe('A bundle', () => {
  it('holds what compiling the page needs: its entity whole, referenced ones with what is shown of them', async () => {
    write('demo/entities/owner.json', {
      formatVersion: 3,
      name: 'demo.owner',
      label: { zh: '主人', en: 'Owner' },
      titleField: 'name',
      type: 'object',
      properties: {
        name: { type: 'string', 'x-label': { zh: '姓名', en: 'Name' } },
        code: { type: 'string', 'x-label': { zh: '编码', en: 'Code' } },
        secret: { type: 'string', 'x-label': { zh: '其他', en: 'Other' } },
      },
    })
    const entity = structuredClone(base.documents.find(({ type }) => type === 'entity')?.value) as {
      properties: Record<string, unknown>
    }
    entity.properties.keeperId = { type: 'string', 'x-ref': 'demo.owner', 'x-label': { zh: '保管人', en: 'Keeper' } }
    write('demo/entities/item.json', entity)
    write('demo/pages/items.json', list({ columns: [{ field: 'name' }, { field: 'keeperId.code' }] }))
    const registry = await openSchemaRegistry(folder)
    const bundle = bundleAt(registry, '/demo/items')
    expect(Object.keys(bundle.entities)).toEqual(['demo.item', 'demo.owner'])
    expect(Object.keys(bundle.entities['demo.owner']?.properties ?? {})).toEqual(['name', 'code'])
    expect(Object.keys(bundle.dictionaries)).toEqual(['itemStatus'])
    const result = compilePage(bundle, { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'UTC' })
    expect(result.ok && result.model.problems).toEqual([])
  })

  it('changes its revision with any of its documents, and with nothing else', async () => {
    write('demo/pages/items.json', list())
    const revisionNow = async (): Promise<string> => bundleAt(await openSchemaRegistry(folder), '/demo/items').revision
    const first = await revisionNow()
    write('demo/pages/other.json', list({ path: '/demo/other' }))
    expect(await revisionNow()).toBe(first)
    const dictionary = structuredClone(base.documents.find(({ type }) => type === 'dictionary')?.value) as { label: unknown }
    dictionary.label = { zh: '新', en: 'New' }
    write('dictionaries/itemStatus.json', dictionary)
    expect(await revisionNow()).not.toBe(first)
  })
})

const bundleAt = (registry: SchemaRegistry, path: string) => {
  const page = registry.page(path)
  if (!page) throw new Error(`There is no page ${path}`)
  return registry.bundle(page)
}

describe('The calls', () => {
  let app: FastifyInstance
  let permissions: Set<string>

  beforeEach(async () => {
    write('demo/pages/items.json', list())
    write('demo/pages/details.json', details)
    permissions = new Set(['demo:items'])
    const registry = await openSchemaRegistry(folder)
    app = Fastify()
    app.decorateRequest('callContext', null)
    app.addHook('onRequest', async (request) => {
      const context: RequestContext = { ...systemContext(), kind: 'staff', permissions }
      request.callContext = context
    })
    app.setErrorHandler((error, _request, reply) =>
      error instanceof ServiceError
        ? reply.status(error.status).send({ code: error.code, msg: error.message, data: error.data })
        : reply.status(500).send(String(error)),
    )
    servePages(app, registry)
    await app.ready()
  })
  afterEach(() => app.close())

  const get = async (url: string, headers: Record<string, string> = {}) => {
    const response = await app.inject({ url, headers })
    return {
      status: response.statusCode,
      headers: response.headers,
      body: response.body === '' ? null : (JSON.parse(response.body) as { code: number; data: unknown }),
    }
  }

  it('R038 serves the routes with their revision as ETag and answers 304 when nothing changed', async () => {
    const first = await get('/v2/sys/page/routes')
    expect(first.body).toMatchObject({
      code: 0,
      data: {
        revision: expect.stringMatching(/^sha256-/) as string,
        routes: [{ path: '/demo/items' }, { path: '/demo/items/details' }],
      },
    })
    const etag = String(first.headers.etag)
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`])
      expect(await get('/v2/sys/page/routes', { 'if-none-match': tag })).toMatchObject({ status: 304, body: null })
    expect((await get('/v2/sys/page/routes', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('serves a bundle by path and by name', async () => {
    const byPath = await get('/v2/sys/page/bundle?path=/demo/items')
    expect(byPath.body).toMatchObject({
      code: 0,
      data: { where: 'schemas/demo/pages/items.json', page: { name: 'demo/items', path: '/demo/items' } },
    })
    expect((await get('/v2/sys/page/bundle?name=demo/items')).headers.etag).toBe(byPath.headers.etag)
    expect((await get('/v2/sys/page/bundle?path=/demo/items', { 'if-none-match': String(byPath.headers.etag) })).status).toBe(304)
  })

  it('compresses an answer for whoever takes brotli or gzip, and says the same to all', async () => {
    for (const url of ['/v2/sys/page/routes', '/v2/sys/page/bundle?path=/demo/items']) {
      const plain = await app.inject({ url })
      for (const [accepted, encoding, unpack] of [
        ['br, gzip', 'br', brotliDecompressSync],
        ['gzip', 'gzip', gunzipSync],
      ] as const) {
        const packed = [1, 2].map(() => app.inject({ url, headers: { 'accept-encoding': accepted } }))
        for (const { headers, rawPayload } of await Promise.all(packed)) {
          expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding', etag: plain.headers.etag })
          expect(unpack(rawPayload).toString('utf8')).toBe(plain.payload)
        }
      }
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(plain.headers.vary).toBe('Accept-Encoding')
    }
  })

  it('R050 refuses a page whose key the caller lacks, and never a detail page', async () => {
    permissions = new Set()
    expect((await get('/v2/sys/page/bundle?path=/demo/items')).body).toMatchObject({
      code: 10010003,
      data: { permission: 'demo:items' },
    })
    expect((await get('/v2/sys/page/bundle?path=/demo/items/details')).body).toMatchObject({ code: 0 })
  })

  it('says that a page is not there', async () => {
    expect((await get('/v2/sys/page/bundle?path=/demo/nothing')).body).toMatchObject({
      code: 10010004,
      msg: 'There is no page "/demo/nothing".',
    })
    expect((await get('/v2/sys/page/bundle')).body).toMatchObject({ code: 10010004, msg: 'Give the path or the name of a page.' })
    expect((await get('/v2/sys/page/bundle?path=__proto__')).body).toMatchObject({ code: 10010004 })
  })
})
