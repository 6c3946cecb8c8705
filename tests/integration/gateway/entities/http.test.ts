import { Ajv2020 } from 'ajv/dist/2020'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describedCalls, registerEntityRoutes } from '../../../../gateway/entities'
import { createServer, describeApi, type RequestContext } from '../../../../gateway/platform/http'
import { as, openWorld, PEOPLE, type World } from './world'

let world: World
let app: FastifyInstance
let caller: RequestContext

beforeAll(async () => {
  world = await openWorld()
  app = await createServer({
    logger: pino({ level: 'silent' }),
    corsOrigins: [],
    connectOrigins: [],
    frameOrigins: [],
    https: false,
  })
  app.addHook('onRequest', async (request) => {
    request.callContext = { ...caller, locale: request.locale }
  })
  await describeApi(app, { version: 'test', changing: { revision: () => 'one', calls: () => describedCalls(world.engine) } })
  await registerEntityRoutes(app, world.engine, { exportTask: (_context, entity) => Promise.resolve({ taskId: entity }) })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await world.close()
})

const call = async (method: 'GET' | 'POST', path: string, body?: unknown, locale = 'en') => {
  const response = await app.inject({
    method,
    url: `/v2/test/client/${path}`,
    headers: { 'accept-language': locale },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  return response
}
const json = async (...parameters: Parameters<typeof call>) =>
  (await call(...parameters)).json<{
    code: number
    msg: string
    data: Record<string, unknown> & { errors?: { field: string; message: string }[] }
  }>()

function multipart(name: string, content: Buffer | string): { payload: Buffer; headers: Record<string, string> } {
  const boundary = 'x-boundary-x'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

describe('the calls of an entity over HTTP', () => {
  it('reads what came to be of several entities at once, page by page, with the rights of each caller (R298)', async () => {
    const read = async (sources: object[], pageSize?: number) => {
      const payload = { sources, ...(pageSize === undefined ? {} : { pageSize }) }
      const answer = await app.inject({ method: 'POST', url: '/v2/sys/timeline', payload })
      return answer.json<{
        code: number
        data: { sources: ({ records: { id: string; createdAt: string }[]; next: string | null } | null)[] }
      }>()
    }
    caller = as(PEOPLE.wang)
    const client = { name: '时间线客户', level: 'b' }
    const { id: clientId } = await world.engine.save('test.client', caller, client)
    const notes: string[] = []
    for (const text of ['one', 'two', 'three'])
      notes.unshift((await world.engine.save('test.note', caller, { clientId, text })).id)
    const where = [{ field: 'clientId', operator: 'eq', value: clientId }]
    const first = await read([{ entity: 'test.note', where }, { entity: 'test.client' }, { entity: 'no.entity' }], 2)
    expect(first.code).toBe(0)
    const [own, clients, unknown] = first.data.sources
    expect(own?.records.map(({ id }) => id)).toEqual(notes.slice(0, 2))
    const times = clients!.records.map(({ createdAt }) => createdAt)
    expect(times).toEqual([...times].sort().reverse())
    expect(unknown).toBeNull()
    const rest = await read([{ entity: 'test.note', where, cursor: own!.next! }], 2)
    expect(rest.data.sources[0]).toMatchObject({ records: [{ id: notes[2] }], next: null })
    caller = as(PEOPLE.other)
    const [others, theirs] = (
      await read([
        { entity: 'test.note', where },
        { entity: 'test.client', where: [{ field: 'id', operator: 'eq', value: clientId }] },
      ])
    ).data.sources
    expect(others?.records ?? []).toEqual([])
    expect(theirs?.records ?? []).toEqual([])
    expect(await read([{ entity: 'test.client', where: [{ field: 'nothing', operator: 'eq', value: 1 }] }])).not.toMatchObject({
      code: 0,
    })
  })
  it('counts, sums and shows what is related by one call, with the rights of each caller (R298)', async () => {
    const sources = [
      {
        ...{ entity: 'test.client', sum: 'limit', where: [{ field: 'remark', operator: 'eq', value: 'related' }] },
        rows: { where: [{ field: 'level', operator: 'eq', value: 'a' }], sort: [{ field: 'name', order: 'desc' }] },
      },
      { entity: 'no.entity' },
      { entity: 'test.note', where: [{ field: 'text', operator: 'eq', value: 'none has this' }], sum: 'nothing', rows: {} },
    ]
    const read = async (context: RequestContext) => {
      caller = context
      const answer = await app.inject({ method: 'POST', url: '/v2/sys/related', payload: { sources, rows: 1 } })
      expect(answer.json()).toMatchObject({ code: 0 })
      type Source = { total: number; summary?: Record<string, unknown>; records?: { name: string; limit?: string }[] }
      return answer.json<{ data: { sources: (Source | null)[] } }>().data.sources
    }
    const made = { remark: 'related', level: 'a' }
    await world.engine.save('test.client', as(PEOPLE.wang), { ...made, name: '相关甲', limit: '10.5' })
    await world.engine.save('test.client', as(PEOPLE.wang), { ...made, name: '相关乙', limit: '2', currency: 'EUR' })
    await world.engine.save('test.client', as(PEOPLE.wang), { ...made, name: '相关丙', limit: '1', level: 'b' })
    await world.engine.save('test.client', as(PEOPLE.other), { ...made, name: '相关丁', limit: '400' })
    const [own, unknown, none] = await read(as(PEOPLE.wang))
    expect(own).toMatchObject({ total: 3, summary: { limitByCurrency: { EUR: '2', USD: '11.5' } } })
    expect(own?.records?.map(({ name }) => name)).toEqual(['相关甲'])
    expect([unknown, none]).toEqual([null, { total: 0 }])
    // another owner's rows neither count nor add up; a hidden or masked amount is not told by its sum
    expect((await read(as(PEOPLE.other)))[0]).toMatchObject({ total: 1, summary: { limit: '400', currency: 'USD' } })
    for (const rule of ['hide', 'mask'] as const) {
      const [blind] = await read(as(PEOPLE.wang, { fieldRules: { 'test.client.limit': rule } }))
      expect(blind?.total).toBe(3)
      expect(blind?.summary ?? {}).toEqual({})
      expect(blind?.records?.[0]?.limit).not.toBe('10.5')
    }
  })
  it('saves, lists, shows, moves, deletes and restores in envelopes (R314)', async () => {
    caller = as(PEOPLE.wang)
    const saved = await json('POST', 'save', { name: 'HTTP 客户', level: 'b' })
    expect(saved).toMatchObject({ code: 0, data: { version: 1 } })
    const id = saved.data.id as string
    expect(await json('POST', 'queryPage', { keyword: 'http' })).toMatchObject({
      code: 0,
      data: { total: 1, pageNo: 1, pageSize: 20 },
    })
    expect(await json('GET', `view/${id}`)).toMatchObject({ code: 0, data: { can: { edit: true } } })
    expect(await json('POST', 'select', { keyword: 'HTTP' })).toMatchObject({ code: 0, data: [{ id }] })
    expect(await json('POST', 'stateUpdate', { ids: [id], transition: 'lose', lostReason: 'price' })).toMatchObject({
      code: 0,
      data: { done: [id] },
    })
    expect(await json('GET', `log/${id}?limit=1`)).toMatchObject({ code: 0, data: { more: true } })
    expect(await json('GET', `delete/${id}?version=1`)).toMatchObject({ code: 10010006, data: { version: 2 } })
    expect(await json('GET', `delete/${id}?version=2`)).toMatchObject({ code: 0 })
    expect(await json('GET', `view/${id}`)).toMatchObject({ code: 10010004 })
    expect(await json('GET', `restore/${id}`)).toMatchObject({ code: 0 })
    expect(await json('POST', 'deleteBatch', { ids: [id, 'nobody'] })).toMatchObject({
      code: 0,
      data: { done: [id], refused: [{ id: 'nobody' }] },
    })
  })

  it('answers refusals with their code, in the language of the caller, naming the field', async () => {
    caller = as(PEOPLE.wang)
    expect(await json('POST', 'save', { name: '', level: 'b' })).toMatchObject({
      code: 10010005,
      data: { errors: [{ field: 'name', message: expect.stringContaining('required') as string }] },
    })
    expect(await json('POST', 'save', { name: '', level: 'b' }, 'zh')).toMatchObject({
      code: 10010005,
      msg: expect.stringContaining('请填写') as string,
    })
    expect(await json('POST', 'save', { nmae: 'x' })).toMatchObject({
      code: 10010001,
      data: { errors: [{ field: 'nmae', message: expect.stringContaining('"name"') as string }] },
    })
    expect(await json('POST', 'save', [1] as never)).toMatchObject({ code: 10010001 })
    expect(await json('POST', 'queryPage', { where: [{ field: 'levle', value: 'a' }] })).toMatchObject({
      code: 10010001,
      data: { errors: [{ field: 'levle' }] },
    })
    expect(await json('POST', 'queryPage', { pageSize: 5000 })).toMatchObject({ code: 10010001 })
    expect(await json('POST', 'queryPage', { wher: [] })).toMatchObject({ code: 10010001 })
    caller = as(PEOPLE.wang, { without: ['test:client:add'] })
    expect(await json('POST', 'save', { name: '没有权限' })).toMatchObject({
      code: 10010003,
      data: { permission: 'test:client:add' },
    })
    expect((await call('POST', 'save', { name: 'x'.repeat(5_000_000) })).statusCode).toBe(413)
  })

  it('deletes with GET only: asking for the headers of the address changes nothing', async () => {
    caller = as(PEOPLE.wang)
    const { data } = await json('POST', 'save', { name: '只看头' })
    expect((await app.inject({ method: 'HEAD', url: `/v2/test/client/delete/${String(data.id)}` })).statusCode).not.toBe(200)
    expect(await json('GET', `view/${String(data.id)}`)).toMatchObject({ code: 0 })
  })

  it('does not have operations that the document gives no key for', async () => {
    caller = as(PEOPLE.wang)
    const response = await app.inject({ method: 'POST', url: '/v2/sys/staff/save', payload: { name: 'x' } })
    expect(response.statusCode).toBe(404)
    expect((await app.inject({ method: 'GET', url: '/v2/test/note/import/template' })).statusCode).toBe(404)
  })

  it('takes an import file, gives template and error file, and commits', async () => {
    caller = as(PEOPLE.wang)
    const template = await call('GET', 'import/template', undefined, 'zh')
    expect(template.headers['content-type']).toContain('spreadsheetml')
    expect(template.headers['content-disposition']).toContain(encodeURIComponent('客户导入模板.xlsx'))
    const upload = multipart('../../etc/客户.csv', '名称,等级\n导入甲,b\n,c\n')
    const preview = await app.inject({ method: 'POST', url: '/v2/test/client/import/preview', ...upload })
    const { data } = preview.json<{ data: { importId: string; total: number; valid: number } }>()
    expect(data).toMatchObject({ total: 2, valid: 1 })
    const errors = await call('GET', `import/${data.importId}/errors`)
    expect(errors.rawPayload.subarray(0, 2).toString()).toBe('PK')
    expect(await json('POST', 'import/commit', { importId: data.importId })).toMatchObject({ code: 10010013 })
    expect(await json('POST', 'import/commit', { importId: data.importId, skipFaulty: true })).toMatchObject({
      code: 0,
      data: { created: 1 },
    })
    expect(await json('POST', 'import/preview', {})).toMatchObject({ code: 10010001 })
  })

  it('exports a small list at once and hands a background export over', async () => {
    caller = as(PEOPLE.wang)
    const columns = [{ field: 'name', title: 'Name' }]
    const file = await call('POST', 'export', { columns, format: 'csv' })
    expect(file.headers['content-type']).toContain('text/csv')
    expect(file.body).toContain('导入甲')
    expect(await json('POST', 'exportTask', { columns, format: 'xlsx' })).toMatchObject({
      code: 0,
      data: { taskId: 'test.client' },
    })
    caller = as(PEOPLE.wang, { without: ['test:client:export'] })
    expect(await json('POST', 'export', { columns, format: 'csv' })).toMatchObject({ code: 10010003 })
  })

  it('is described at /docs/api with the fields of each entity', async () => {
    caller = as(PEOPLE.wang)
    const document = (await app.inject({ method: 'GET', url: '/docs/api' })).json<{
      paths: Record<
        string,
        { post?: { requestBody: { content: Record<string, { schema: { properties: Record<string, unknown> } }> } } }
      >
    }>()
    const { properties } = document.paths['/v2/test/client/save']!.post!.requestBody.content['application/json']!.schema
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['id', 'version', 'name', 'level']))
    expect(properties).not.toHaveProperty('nameKey')
    expect(properties).not.toHaveProperty('stage')
  })

  it('answers in the shapes that /docs/api describes, and has every field of a record in them', async () => {
    caller = as(PEOPLE.wang)
    const document = (await app.inject({ method: 'GET', url: '/docs/api' })).json<{
      openapi: string
      paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>>
      components: { schemas: Record<string, { properties: Record<string, unknown> }> }
    }>()
    expect(document.openapi).toBe('3.1.0')
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'api', ...document })
    const expectShape = async (method: 'GET' | 'POST', address: string, path: string, body?: object) => {
      const { schema } =
        document.paths[`/v2/test/client/${address}`]![method.toLowerCase()]!.responses['200']!.content['application/json']!
      const answer = await json(method, path, body)
      expect([path, answer.code, answer.msg]).toEqual([path, 0, answer.msg])
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('#/components', 'api#/components')) as object)
      expect([path, validate(answer), validate.errors]).toEqual([path, true, null])
      return answer.data
    }
    const { id } = (await expectShape('POST', 'save', 'save', { name: '形状核对有限公司' })) as { id: string }
    const listed = await expectShape('POST', 'queryPage', 'queryPage', { summary: [{ field: 'level', function: 'count' }] })
    expect(
      Object.keys((listed.records as object[])[0]!).filter(
        (name) => !(name in document.components.schemas['test.client']!.properties),
      ),
    ).toEqual([])
    await expectShape('POST', 'queryPage', 'queryPage', { cursor: '', pageSize: 2 })
    await expectShape('GET', 'view/{id}', `view/${id}`)
    await expectShape('GET', 'log/{id}', `log/${id}`)
    await expectShape('POST', 'select', 'select', { keyword: '形状' })
    await expectShape('POST', 'aggregate', 'aggregate', {
      dimensions: [{ field: 'level' }],
      measures: [{ id: 'n', count: true }],
      totals: true,
    })
    await expectShape('POST', 'deleteBatch', 'deleteBatch', { ids: [id] })
    const broken = ajv.compile(
      JSON.parse(
        JSON.stringify(
          document.paths['/v2/test/client/save']!['post']!.responses['200']!.content['application/json']!.schema,
        ).replaceAll('#/components', 'api#/components'),
      ) as object,
    )
    expect(broken({ code: 0, msg: '', data: { id } })).toBe(false)
  })
})
