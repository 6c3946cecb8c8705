import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller, TestGateway } from '../../support/gateway'
import { createValidatorCompiler } from '../../../gateway/platform/http/validation'
import { read, startGateway } from '../../support/gateway'
import { walksOf } from '../../support/walkPart'
import { hostileCalls } from '../../support/hostileInput'
import type { ApiDescription, HostileCall, Known } from '../../support/hostileInput'

const { partOf, walksAll } = walksOf(import.meta.filename)

/** Inputs for each operation of the API description; those of entities are answered by the same code, whatever the entity. */
const COUNT = 14
const COUNT_OF_ENTITY = 5
const SEED = 20261122
const isWalked = partOf('hostile input', 1 / 8)
const AT_ONCE = 12
/** What is not called, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'post /v2/sys/staff/user/signOut': 'ends the session that calls',
  'post /v2/sys/staff/user/changePassword': 'ends other sessions of the caller',
  'get /v2/sys/mc/sse/connection': 'never ends',
  'post /v2/sys/clock': 'turns the clock of all other calls',
  'post /v2/sys/job/run': 'works for minutes',
}
/** Calls that would take the caller's rights away, if they met real records. */
const WITHOUT_RECORDS = /^\/v2\/sys\/(staff|role|roleMember|menuResource|resourceButton|department|schema)\b/

let test: TestGateway
let admin: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const { database } = test.gateway
  const menus = await database.query<{ international: string }>('select distinct international from sys_menu_resource')
  const buttons = await database.query<{ key: string }>('select distinct key from sys_resource_button')
  await test.addStaff({
    id: 'everything',
    jobNumber: 'T0001',
    menus: menus.rows.map(({ international }) => international),
    keys: buttons.rows.map(({ key }) => key),
    scopes: { '*': ['all'] },
  })
  admin = await test.signIn('T0001')
})
afterAll(() => test.close())

async function send({ method, address, body }: HostileCall): Promise<string | null> {
  const init = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }
  try {
    const response = await admin.raw(method, address, init)
    const text = response.headers.get('content-type')?.includes('json') ? await response.text() : await response.arrayBuffer()
    const fault = response.status >= 500 || (typeof text === 'string' && text.includes('"code":10010099'))
    return fault ? `${method} ${address} ${body ?? ''} -> ${response.status} ${String(text).slice(0, 200)}` : null
  } catch (error) {
    return `${method} ${address} ${body ?? ''} -> ${String(error)}`
  }
}

const OPERATORS = ['eq', 'ne', 'contains', 'startsWith', 'in', 'notIn', 'gte', 'lte', 'between', 'empty', 'overlaps']
/** What leads further than a refusal in the operations that are about no entity. */
const NAMES = {
  key: ['crm.sea', 'crm.claim', 'crm.domain', 'theme'],
  target: ['page:crm/my-client', 'entity:crm.customer', 'form:crm/customer-edit'],
  page: ['crm/my-client'],
  path: ['/crm/client-partner/my-client'],
  dictionary: ['customerLevel', 'position', 'country'],
}

/** What leads further than a refusal in the operations of an entity. */
async function namesOf(path: string, withRecords: boolean): Promise<Known> {
  const { engine } = test.gateway
  const model = engine
    .names()
    .map((name) => engine.model(name))
    .find((each) => each.path === path)
  if (!model) return NAMES
  return {
    ...NAMES,
    '': withRecords ? await recordsOf(path) : [],
    field: [...model.fields.keys()],
    expand: [...model.fields.keys()].map((name) => `${name}.name`),
    view: [...model.views.keys()],
    transition: model.machines.flatMap(({ transitions }) => transitions.map(({ id }) => id)),
    operator: OPERATORS,
  }
}

/** Some ids of the records that the operations below a path are about. */
async function recordsOf(path: string): Promise<string[]> {
  const { data } = await admin.post<{ records?: { id: string }[] } | null>(`${path}/queryPage`, { pageSize: 3 })
  return data?.records?.map(({ id }) => id) ?? []
}

it('A cursor that names no day, a version beyond every number and half a character in a task are refused as what they are', async () => {
  const cursor = (...position: unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url')
  const page = (start: string, field: string) =>
    admin.post('/v2/crm/customer/queryPage', { cursor: start, sort: [{ field, order: 'desc' }] })
  const moments = ['2026-02-30 00:00:00+00', '2026-01-01 25:00:00+00', '999999-01-01 00:00:00+00', '2026-01-01 00:00:00+99']
  for (const moment of moments) expect((await page(cursor(moment, 'x'), 'createdAt')).code).toBe(10010001)
  expect((await page(cursor('9'.repeat(19), 'x'), 'version')).code).toBe(10010001)
  expect((await page(cursor('a\0b', 'x'), 'name')).code).toBe(10010001)
  expect((await page(cursor('2026-02-28 00:00:00+00', 'x'), 'createdAt')).code).toBe(0)

  const [id] = await recordsOf('/v2/crm/customer')
  expect((await admin.post('/v2/crm/customer/save', { id, version: 1e308 })).code).toBe(10010001)
  expect((await admin.get(`/v2/crm/customer/delete/${id}?version=1e308`)).code).toBe(10010001)
  for (const bad of ['a\0b', '\ud800']) {
    const columns = [{ field: 'name', title: bad }]
    expect((await admin.post('/v2/crm/customer/exportTask', { columns, format: 'csv' })).code).toBe(10010001)
    const tags = { ids: [id], transition: 'addTags', values: { addedTags: [bad] } }
    expect((await admin.post('/v2/crm/customer/stateUpdate', tags)).code).toBe(10010001)
  }
  expect((await admin.get('/v2/crm/customer/view/a%00b')).code).toBe(10010001)
})

it('Bodies that are no JSON, or no body of parts, are refused', async () => {
  const json = [
    '[',
    '['.repeat(400_000),
    '{"a":1e999}',
    '"\\ud800"',
    '\xff\xfe',
    '{"__proto__":{}}',
    '{"toString":1}',
    'null',
    '',
  ]
  const parts = (disposition: string, content: string) =>
    `--x\r\ncontent-disposition: form-data; ${disposition}\r\ncontent-type: text/plain\r\n\r\n${content}\r\n--x--\r\n`
  const bodies: [string, string][] = [
    ...json.map((body): [string, string] => ['application/json', body]),
    ['application/x-www-form-urlencoded', 'id=%00&name=%ED%A0%80&a[b]=1'],
    ['text/plain', 'x'],
    ['multipart/form-data', parts('name="file"; filename="a"', 'x')],
    ...[
      '',
      'nothing',
      '--x\r\n\r\n',
      parts('name="file"; filename="a.csv"', 'breaks off').slice(0, -12),
      parts('name="file"; filename="a\0b.csv"', 'a\0b'),
      parts('name="file"; filename=""', ''),
      parts('name="a\0b"', 'a\0b'),
      parts('name="__proto__"', 'x'),
      parts('name="file"; filename="a.xlsx"', 'PK\u0003\u0004'),
      parts('name="file"; filename="../../a.csv"', '\xff,\0\n"'),
      parts('name="uploadId"', '12345678') + parts('name="file"; filename="a"', 'x'),
    ].map((body): [string, string] => ['multipart/form-data; boundary=x', body]),
  ]
  const answers = await Promise.all(
    [
      '/v2/crm/customer/save',
      '/v2/crm/customer/queryPage',
      '/v2/crm/customer/import/preview',
      '/v2/download/downloadCenter/api/upload',
      '/v2/download/downloadCenter/api/segmentUpload',
    ].flatMap((path) =>
      bodies.map(async ([type, body]) => {
        const answer = await read(await admin.raw('POST', path, { body, headers: { 'content-type': type } }))
        return [path, type, body.slice(0, 80), answer.status < 500 && answer.code !== 10010099 ? 'refused' : answer.text]
      }),
    ),
  )
  expect(answers.filter(([, , , told]) => told !== 'refused')).toEqual([])
})

it('Every call has schemas that can be compiled, though they are compiled when it is called first', () => {
  const { paths } = test.gateway.app.swagger() as ApiDescription
  const compile = createValidatorCompiler()
  let compiled = 0
  for (const [url, operations] of Object.entries(paths))
    for (const [method, { parameters = [], requestBody }] of Object.entries(operations)) {
      const properties = Object.fromEntries(parameters.map(({ name, schema = {} }) => [name, schema]))
      const schemas = [
        { httpPart: 'querystring', schema: { type: 'object', properties } },
        ...Object.values(requestBody?.content ?? {}).map(({ schema = {} }) => ({ httpPart: 'body', schema })),
      ]
      for (const each of schemas) {
        expect(() => compile({ ...each, method, url })({}), `${method} ${url}`).not.toThrow()
        compiled += 1
      }
    }
  expect(compiled).toBeGreaterThan(1000)
})

it('No input that the API description leads to makes a fault of the gateway', async () => {
  const { paths } = test.gateway.app.swagger() as ApiDescription
  const { engine } = test.gateway
  const entities = new Set(engine.names().map((name) => engine.model(name).path))
  const names = new Map<string, Known>()
  const calls: HostileCall[] = []
  for (const [path, operations] of Object.entries(paths)) {
    const about = path.split('/').slice(0, 4).join('/')
    if (!names.has(about)) names.set(about, await namesOf(about, !WITHOUT_RECORDS.test(path)))
    for (const [method, operation] of Object.entries(operations)) {
      if (`${method} ${path}` in LEFT_OUT || !isWalked(`${method} ${path}`)) continue
      const known = names.get(about) ?? NAMES
      calls.push(
        ...hostileCalls(method, path, operation, { count: entities.has(about) ? COUNT_OF_ENTITY : COUNT, seed: SEED, known }),
      )
    }
  }
  expect(calls.length).toBeGreaterThan(walksAll ? 1500 : 150)
  const faults: string[] = []
  const work = async () => {
    for (let call = calls.pop(); call; call = calls.pop()) {
      const fault = await send(call)
      if (fault !== null) faults.push(fault)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  expect(faults).toEqual([])
  // The caller kept his rights to the end: the calls were not merely refused.
  expect((await admin.post('/v2/crm/customer/queryPage', { pageSize: 1 })).code).toBe(0)
  expect((await admin.get('/v2/sys/role/catalogue')).code).toBe(0)
  // every call of every entity: it grows with them
}, 300_000)
