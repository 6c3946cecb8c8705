import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { MenuEntry, ModuleDocument } from '../../../../src/schema/generated/module'
import type { ListPage, PageDocument } from '../../../../src/schema/generated/page'
import type { Change } from '../../../../src/schema/overlay'
import { menuChange, newPage, type NewPageTerms } from '../../../../src/widgets/page-designer/targets/newPage'
import type { Caller, TestGateway } from '../../../support/gateway'
import { startGateway } from '../../../support/gateway'
import { testDatabase, type TestDatabase } from '../../testDatabase'

const ENTITY = 'entity:crm.customer'
const GROUP = ['client-partner']
const both = (text: string) => ({ zh: text, en: text })

let shared: TestDatabase
let schemas: string
let gateway: TestGateway
let admin: Caller
const start = async () => {
  gateway = await startGateway({ environment: { DATABASE_URL: shared.url, SCHEMAS_DIR: schemas } })
}
beforeAll(async () => {
  shared = await testDatabase()
  schemas = await mkdtemp(join(tmpdir(), 'schemas-of-a-release-'))
  await cp(resolve('schemas'), schemas, { recursive: true })
  await edit<{ items: object[] }>('dictionaries/industry.json', (dictionary) => {
    dictionary.items.push({ code: 'passing', label: both('Passing') })
  })
  await edit<EntityDocument>('crm/entities/customer.json', ({ properties }) => {
    properties.passing = field('Passing')
    properties.changing = field('Changing')
  })
  await addModule()
  await start()
  const keys = [
    'setModule:pages',
    'setModule:pages:release',
    'setModule:pages:effects',
    'setModule:authManage:permissions:edit',
    'crm:customer:add',
    'crm:customer:edit',
  ]
  await gateway.addStaff({
    id: 'admin',
    jobNumber: 'T0001',
    keys,
    menus: ['crm:client-partner:my-client'],
    scopes: { '*': ['all'] },
  })
  admin = await gateway.signIn('T0001')
})
afterAll(async () => {
  await gateway.close()
  await shared.drop()
  await rm(schemas, { recursive: true, force: true })
})

/** Changes a file of the release. */
async function edit<T>(file: string, change: (document: T) => void): Promise<void> {
  const path = join(schemas, file)
  const document = JSON.parse(await readFile(path, 'utf8')) as T
  change(document)
  await writeFile(path, JSON.stringify(document))
}
const addPage = (file: string, page: object) => writeFile(join(schemas, 'crm/pages', `${file}.json`), JSON.stringify(page))

/** A module of one entity and its list, which the next release does not have. */
async function addModule(): Promise<void> {
  const folder = join(schemas, 'leaving')
  for (const part of ['entities', 'pages']) await mkdir(join(folder, part), { recursive: true })
  const head = { formatVersion: 3 }
  const write = (file: string, value: object) => writeFile(join(folder, file), JSON.stringify({ ...head, ...value }))
  await write('module.json', { name: 'leaving', title: both('Leaving'), menu: [], routes: [] })
  await write('entities/thing.json', {
    ...{
      name: 'leaving.thing',
      label: both('Thing'),
      titleField: 'name',
      type: 'object',
      required: ['name'],
      'x-scope': 'public',
    },
    properties: { name: { type: 'string', maxLength: 40, 'x-label': both('Name'), 'x-list': true } },
  })
  const list = { kind: 'list', title: both('Things'), path: '/leaving/things', entity: 'leaving.thing' }
  await write('pages/things.json', { ...list, permission: 'crm:client-partner:my-client', columns: [{ field: 'name' }] })
}

const termsOf = (name: string): NewPageTerms & { permission: string } => ({
  kind: 'list',
  name,
  title: both(`Mine ${name}`),
  path: `/crm/${name}`,
  permission: `crm:${name}`,
})
const pageOf = (name: string): PageDocument =>
  newPage(termsOf(name), gateway.gateway.registry.entity('crm.customer') as EntityDocument)
const released = (title: string, path: string) => ({
  formatVersion: 3,
  kind: 'list',
  title: both(title),
  path,
  permission: 'crm:client-partner:my-client',
  entity: 'crm.customer',
})
const entries = (module: ModuleDocument, group = GROUP[0]): MenuEntry[] =>
  module.menu.find(({ id }) => id === group)?.children ?? []
const transition = (label: string) => ({
  id: 'blacklist',
  label: both(label),
  from: ['private'],
  to: 'sea',
  permission: 'crm:customer:release',
})

interface Drafts {
  drafts: { target: string; version: number }[]
}
async function release(drafts: readonly { target: string; changes: readonly Change[] }[]): Promise<void> {
  const made = await admin.post<Drafts>('/v2/sys/schema/draft/set', { drafts })
  expect(made.msg).toBe('OK')
  await releaseDrafts(made.data)
}
async function releaseDrafts(made: Drafts): Promise<void> {
  const checked = await admin.post<{ problems: unknown[]; differences: { id: string; risk: boolean }[] }>(
    '/v2/sys/schema/check',
    made,
  )
  expect(checked.data.problems).toEqual([])
  const accepted = checked.data.differences.filter(({ risk }) => risk).map(({ id }) => id)
  const about = { stage: 'all', title: '调整', reason: '销售提出', accepted }
  expect((await admin.post('/v2/sys/schema/release', { ...made, ...about })).msg).toBe('OK')
}

interface Unused {
  addresses: string[]
  whole: boolean
  problem: { code: string; message: { en: string } }
  advice: { zh: string; en: string }
  stands: boolean
  follows: string | null
}
const unusedOf = async (target: string) =>
  (await admin.get<{ unused: Unused[] }>(`/v2/sys/schema/target?target=${encodeURIComponent(target)}`)).data.unused
const listed = async () => {
  const { data } = await admin.get<{ targets: { target: string; unused: number }[] }>('/v2/sys/schema/targets')
  return Object.fromEntries(data.targets.flatMap(({ target, unused }) => (unused > 0 ? [[target, unused]] : [])))
}
const served = async (path: string) => (await admin.get<{ page: ListPage }>(`/v2/sys/page/bundle?path=${path}`)).data.page
const moduleNow = () => gateway.gateway.registry.modules.find(({ name }) => name === 'crm') as ModuleDocument
const entityNow = () => gateway.gateway.registry.entity('crm.customer') as EntityDocument
const view = (label: string) => ({ id: 'bothHave', label: both(label), scope: 'own' })
const field = (label: string, more: object = {}) => ({ type: 'string' as const, maxLength: 40, 'x-label': both(label), ...more })

describe('an upgrade that collides with what admins released', () => {
  const names = ['same-path', 'same-name', 'same-alias', 'same-key', 'fine']
  it('is what the admin had made before', async () => {
    await release([
      ...names.map((name) => ({ target: `page:crm/${name}`, changes: [{ at: '', set: pageOf(name) }] })),
      {
        target: 'module:crm',
        changes: [
          ...names.map((name) => menuChange(termsOf(name), { group: GROUP, roles: ['role-T0001'] })),
          {
            at: 'menu/client-partner/children',
            add: { id: 'same-entry', title: both('Mine'), international: 'crm:same-entry', path: '/crm/fine' },
          },
        ],
      },
      {
        target: ENTITY,
        changes: [
          { at: 'properties', add: field('Mine'), id: 'bothMade' },
          { at: 'properties', add: field('Mine alone', { 'x-list': true }), id: 'mineAlone' },
          { at: 'properties/industry/default', set: 'passing' },
          { at: 'properties/changing/x-backfill', set: 'OLD' },
          { at: 'x-views', add: view('Mine') },
          { at: 'x-states/holding/transitions', add: transition('Mine') },
        ],
      },
      {
        target: 'page:crm/my-client',
        changes: [
          { at: 'columns/level/width', set: 222 },
          { at: 'columns', add: { field: 'passing', width: 99 } },
        ],
      },
      { target: 'page:leaving/things', changes: [{ at: 'columns/name/width', set: 321 }] },
      { target: 'entity:leaving.thing', changes: [{ at: 'properties', add: field('Mine'), id: 'colour' }] },
      {
        target: 'page:leaving/mine',
        changes: [
          {
            at: '',
            set: {
              ...pageOf('mine'),
              permission: 'crm:client-partner:my-client',
              path: '/leaving/mine',
              entity: 'leaving.thing',
              columns: [{ field: 'name' }],
              filters: [],
            },
          },
        ],
      },
    ])
    expect((await served('/crm/same-path')).title.en).toBe('Mine same-path')
    // written by a release that had another word for it, and had not renamed it yet
    const { database } = gateway.gateway
    await database.query(`update schema_revision set changes = replace(changes::text, 'x-backfill', 'x-backfill')::json`)
    await database.query(`delete from platform_migration_step where id = '2026-11-words-of-format-3'`)
  })

  it('leaves out the documents and changes that collide, and nothing else', async () => {
    await gateway.close()
    await rm(join(schemas, 'leaving'), { recursive: true })
    await addPage('of-release', released('Of the release', '/crm/same-path'))
    await addPage('same-name', released('Same name', '/crm/other-address'))
    await edit<ModuleDocument>('crm/module.json', (module) => {
      const [first] = module.routes
      if (first) first.aliases = [...(first.aliases ?? []), '/crm/same-alias']
      entries(module).push(
        { id: 'same-entry', title: both('Of the release'), international: 'crm:of-release', path: '/crm/same-path' },
        { id: 'other-entry', title: both('Same key'), international: 'crm:same-key', path: '/crm/same-path' },
      )
    })
    await edit<EntityDocument>('crm/entities/customer.json', (entity) => {
      entity.properties.bothMade = { type: 'integer', 'x-label': both('Of the release') }
      entity['x-views']?.push(view('Of the release') as never)
      entity['x-states']?.[0]?.transitions.push(transition('Of the release') as never)
      delete entity.properties.passing
      entity.properties.changing = { type: 'integer', 'x-label': both('Changing') }
    })
    await edit<{ items: { code: string }[] }>('dictionaries/industry.json', (dictionary) => {
      dictionary.items = dictionary.items.filter(({ code }) => code !== 'passing')
    })
    await start()
    admin = await gateway.signIn('T0001')

    expect(await listed()).toEqual({
      'page:crm/same-path': 1,
      'page:crm/same-name': 1,
      'page:crm/same-alias': 1,
      'module:crm': 5,
      [ENTITY]: 5,
      'page:crm/my-client': 1,
      'page:leaving/things': 1,
      'page:leaving/mine': 1,
      'entity:leaving.thing': 1,
    })
    // what the release brings stands
    expect((await served('/crm/same-path')).title.en).toBe('Of the release')
    expect((await served('/crm/other-address')).title.en).toBe('Same name')
    expect(entityNow()['x-views']?.find(({ id }) => id === 'bothHave')?.label?.en).toBe('Of the release')
    const titles = entries(moduleNow()).map(({ title }) => title?.en ?? '')
    expect(titles).toEqual(expect.arrayContaining(['Of the release', 'Same key', 'Mine fine']))
    expect(titles.filter((title) => ['Mine', 'Mine same-path', 'Mine same-name', 'Mine same-key'].includes(title))).toEqual([])
    // everything else that the admin made, too
    expect((await served('/crm/fine')).title.en).toBe('Mine fine')
    const page = await served('/crm/client-partner/my-client')
    expect(page?.columns?.find((column) => column.field === 'level')?.width).toBe(222)
    expect(page.columns?.map((column) => column.field)).toContain('mineAlone')
    expect(entityNow().properties).toHaveProperty('mineAlone')
    // rows hold values of it
    expect(entityNow().properties.bothMade?.['x-label'].en).toBe('Mine')
  })

  it('says in the log and in the designer what collides and what to do', async () => {
    const [path] = await unusedOf('page:crm/same-path')
    expect(path).toMatchObject({ whole: true, problem: { code: 'path-conflict' }, follows: null })
    expect(path?.advice.en).toContain('another address')
    expect(path?.problem.message.en).toMatch(/^This release \(schemas\/crm\/.+\) uses the address/)
    expect((await unusedOf('page:crm/same-name'))[0]?.problem.message.en).toContain('page:crm/same-name')
    const unused = Object.fromEntries((await unusedOf(ENTITY)).map((left) => [left.addresses.join(), left]))
    expect(Object.keys(unused).sort()).toEqual([
      'properties/bothMade',
      'properties/changing/x-backfill',
      'properties/industry/default',
      'x-states/holding/transitions/blacklist',
      'x-views/bothHave',
    ])
    expect(unused['properties/bothMade']?.stands).toBe(true)
    const follows = (await unusedOf('module:crm')).filter((left) => left.follows !== null).map((left) => left.follows)
    expect(follows.sort()).toEqual(['page:crm/same-alias', 'page:crm/same-name', 'page:crm/same-path'])
    const log = gateway.logs.join('\n')
    expect(log).toContain('the changes of page:crm/same-path are not used')
    expect(log).toContain('Give the page another address')
    expect(log).toContain('properties/industry/default of entity:crm.customer is not used')
  })

  it('says of changes of a module that is not there any more that they no longer apply, and lets go of them', async () => {
    for (const target of ['page:leaving/things', 'entity:leaving.thing', 'page:leaving/mine']) {
      const { code, data } = await admin.get<{ unused: Unused[] }>(`/v2/sys/schema/target?target=${target}`)
      expect([target, code, data.unused.length, data.unused[0]?.whole]).toEqual([target, 0, 1, true])
    }
    const [left] = await unusedOf('page:leaving/things')
    expect(left?.problem.message.en).toBe('It no longer applies: there is no module "leaving".')
    expect(left?.advice.en).toContain('it applies again when that is back')
    const { data } = await admin.get<{ unusable: { target: string; problem: { code: string } }[] }>('/v2/sys/schema/orphans')
    expect(data.unusable.find(({ target }) => target === 'entity:leaving.thing')?.problem.code).toBe('missing-module')
    for (const target of ['page:leaving/things', 'entity:leaving.thing', 'page:leaving/mine'])
      expect((await admin.post('/v2/sys/schema/unused/drop', { target, reason: '模块已移除' })).msg).toBe('OK')
    expect(Object.keys(await listed()).filter((target) => target.includes('leaving'))).toEqual([])
  })

  it('is settled by another address, or by giving up what collides', async () => {
    const taken = await admin.post('/v2/sys/schema/unused/rename', { target: 'page:crm/same-path', path: '/crm/fine' })
    expect(taken.msg).toContain('/crm/fine')
    const renamed = await admin.post<Drafts>('/v2/sys/schema/unused/rename', {
      target: 'page:crm/same-path',
      path: '/crm/my-own-path',
    })
    expect(renamed.data.drafts.map(({ target }) => target)).toEqual(['page:crm/same-path', 'module:crm'])
    await releaseDrafts(renamed.data)
    expect((await served('/crm/my-own-path')).title.en).toBe('Mine same-path')
    expect((await served('/crm/same-path')).title.en).toBe('Of the release')
    expect(await listed()).not.toHaveProperty(['page:crm/same-path'])
    for (const target of ['page:crm/same-name', 'page:crm/same-alias', ENTITY, 'page:crm/my-client', 'module:crm'])
      expect([target, (await admin.post('/v2/sys/schema/unused/drop', { target, reason: '采用新版' })).msg]).toEqual([
        target,
        'OK',
      ])
    expect(await listed()).toEqual({})
    expect((await served('/crm/fine')).title.en).toBe('Mine fine')
    expect(entityNow().properties).toHaveProperty('mineAlone')
  })
})
