import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModuleDocument } from '../../../../src/schema/generated/module'
import type { ListPage } from '../../../../src/schema/generated/page'
import type { Caller, TestGateway } from '../../../support/gateway'
import { startGateway } from '../../../support/gateway'
import { testDatabase, type TestDatabase } from '../../testDatabase'

const both = (text: string) => ({ zh: text, en: text })

let shared: TestDatabase
let schemas: string
let gateway: TestGateway
let admin: Caller
const start = async () => {
  gateway = await startGateway({ environment: { DATABASE_URL: shared.url, SCHEMAS_DIR: schemas } })
}
const write = (file: string, value: object) => writeFile(join(schemas, file), JSON.stringify({ formatVersion: 3, ...value }))
const LIST = {
  ...{ kind: 'list', title: both('Tidied'), path: '/tidy/customers', permission: 'tidy:customers', entity: 'crm.customer' },
  columns: [{ field: 'name' }, { field: 'level', width: 80 }],
}
const MODULE: ModuleDocument = {
  ...{ formatVersion: 3, name: 'tidy', title: both('Tidy'), international: 'tidy:tidy', routes: [] },
  menu: [{ id: 'customers', international: 'tidy:customers', path: '/tidy/customers' }],
}

beforeAll(async () => {
  shared = await testDatabase()
  schemas = await mkdtemp(join(tmpdir(), 'schemas-of-a-release-'))
  await cp(resolve('schemas'), schemas, { recursive: true })
  await mkdir(join(schemas, 'tidy/pages'), { recursive: true })
  await write('tidy/module.json', MODULE)
  await write('tidy/pages/customers.json', LIST)
  await start()
  await gateway.addStaff({
    id: 'admin',
    jobNumber: 'T0001',
    keys: ['setModule:pages', 'setModule:pages:release', 'setModule:authManage:permissions:edit'],
    menus: ['tidy:customers'],
    scopes: { '*': ['all'] },
  })
  admin = await gateway.signIn('T0001')
})
afterAll(async () => {
  await gateway.close()
  await shared.drop()
  await rm(schemas, { recursive: true, force: true })
})

interface Target {
  released: { number: number } | null
  draft: { version: number } | null
  revisions: { target: string; number: number }[]
}
const targetNow = async (target: string) =>
  (await admin.get<Target>(`/v2/sys/schema/target?target=${encodeURIComponent(target)}`)).data
const widthNow = async () => {
  const { data } = await admin.get<{ page: ListPage; revision: string }>('/v2/sys/page/bundle?path=/tidy/customers')
  return data.page.columns?.find((column) => column.field === 'level')?.width
}
async function release(drafts: readonly { target: string; version: number }[]): Promise<string> {
  const about = { drafts, stage: 'all', title: '调整', reason: '销售提出', accepted: [] }
  const { msg, data } = await admin.post<{ releaseId: string }>('/v2/sys/schema/release', about)
  expect(msg).toBe('OK')
  return data.releaseId
}
const draftOf = async (target: string, changes: readonly object[]) => {
  const { msg, data } = await admin.post<{ version: number }>('/v2/sys/schema/draft/save', { target, version: 0, changes })
  expect(msg).toBe('OK')
  return { target, version: data.version }
}
const widthOf = (width: number) => [{ at: 'columns/level/width', set: width }]

describe('A module that a release gives another name', () => {
  let file: object
  it('has what admins changed of it', async () => {
    const drafts = [
      await draftOf('page:tidy/customers', widthOf(111)),
      await draftOf('module:tidy', [{ at: 'title/en', set: 'Tidied up' }]),
    ]
    const releaseId = await release(drafts)
    expect(await widthNow()).toBe(111)
    file = (await admin.get<object>(`/v2/sys/schema/export?releaseId=${releaseId}`)).data
    expect(JSON.stringify(file)).toContain('page:tidy/customers')
    await draftOf('page:tidy/customers', widthOf(222))
    const { where } = gateway.gateway.registry.page('tidy/customers')!
    expect((await admin.post('/v2/sys/page/fault', { where, at: 'columns/level', message: 'broken' })).msg).toBe('OK')
    await gateway.close()
  })

  it('shows the same pages under the same addresses, with these changes, and history keeps what it said', async () => {
    await rename(join(schemas, 'tidy'), join(schemas, 'order'))
    await rename(join(schemas, 'order/pages/customers.json'), join(schemas, 'order/pages/tidied.json'))
    await write('order/module.json', {
      ...MODULE,
      ...{ name: 'order', segment: 'tidy', was: { modules: ['tidy'], pages: { 'tidy/customers': 'tidied' } } },
    })
    await start()
    admin = await gateway.signIn('T0001')
    expect(await widthNow()).toBe(111)
    expect(gateway.gateway.registry.routes.modules.find(({ name }) => name === 'tidy')?.title.en).toBe('Tidied up')
    expect(gateway.gateway.registry.page('tidy/customers')?.name).toBe('order/tidied')
    const { rows } = await gateway.gateway.database.query<{ target: string }>(
      'select distinct target from schema_revision order by target',
    )
    expect(rows.map(({ target }) => target)).toEqual(['module:tidy', 'page:tidy/customers'])
    expect((await targetNow('page:tidy/customers')).revisions).toEqual((await targetNow('page:order/tidied')).revisions)
    const { data } = await admin.get<{ faults: unknown[] }>('/v2/sys/schema/faults?page=order/tidied')
    expect(data.faults).toHaveLength(1)
    const { data: unused } = await admin.get<{ unusable: unknown[] }>('/v2/sys/schema/orphans')
    expect(unused.unusable).toEqual([])
  })

  it('takes its draft, a release and a file of before further', async () => {
    const { draft, released } = await targetNow('page:order/tidied')
    expect([draft?.version, released?.number]).toEqual([1, 1])
    await release([{ target: 'page:order/tidied', version: 1 }])
    expect(await widthNow()).toBe(222)
    const { revisions } = await targetNow('page:order/tidied')
    expect(revisions.map(({ target, number }) => [target, number])).toEqual([
      ['page:order/tidied', 2],
      ['page:order/tidied', 1],
    ])
    const imported = await admin.post<{ drafts: { target: string; outcomes: string[] }[] }>('/v2/sys/schema/import', { file })
    expect(imported.data.drafts.map(({ target }) => target).sort()).toEqual(['module:order', 'page:order/tidied'])
    await release([
      { target: 'page:order/tidied', version: 1 },
      { target: 'module:order', version: 1 },
    ])
    expect(await widthNow()).toBe(111)
  })
})
