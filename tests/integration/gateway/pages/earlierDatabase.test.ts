import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageDocument } from '../../../../src/schema/generated/page'
import type { Caller, TestGateway } from '../../../support/gateway'
import { startGateway } from '../../../support/gateway'
import { testDatabase, type TestDatabase } from '../../testDatabase'

/**
 * A database as a release of September 2026 left it, with changes of an admin in every kind of document, when many modules had other
 * names; with it what its pages showed, and the file of its release.
 */
const STORED = join(import.meta.dirname, '../../../fixtures/earlierDatabase')
const PASSWORD_OF_THEN = 'correct-horse-7'

/** What a page showed: its columns with the widths that the page gave them. */
interface Shown {
  title: string
  kind: string
  entity: string | null
  columns: [field: string, width: number | null][]
}
/** The field that the admin added; where new fields stand is the release's. */
const ADDED = 'slogan'
/** What stays the same over releases: widths may move from pages to fields, and columns stand in the order of their worth. */
const named = ({ columns, ...page }: Shown) => ({
  ...page,
  columns: columns
    .map(([field]) => field)
    .filter((field) => field !== ADDED)
    .sort(),
})

let stored: TestDatabase
let gateway: TestGateway
let admin: Caller
let pages: Record<string, Shown>
let releaseId: string

beforeAll(async () => {
  stored = await testDatabase()
  const client = new pg.Client({ connectionString: stored.url })
  await client.connect()
  await client.query(gunzipSync(await readFile(join(STORED, 'database.sql.gz'))).toString('utf8'))
  await client.end()
  ;({ pages, releaseId } = JSON.parse(await readFile(join(STORED, 'pages.json'), 'utf8')) as {
    pages: Record<string, Shown>
    releaseId: string
  })
  gateway = await startGateway({ environment: { DATABASE_URL: stored.url } })
  admin = await gateway.signIn('T0001', PASSWORD_OF_THEN)
}, 600_000)
afterAll(async () => {
  await gateway.close()
  await stored.drop()
})

const bundle = async (path: string) => (await admin.get<{ page: PageDocument }>(`/v2/sys/page/bundle?path=${path}`)).data.page
const shownNow = (page: PageDocument): Shown => ({
  title: page.title?.en ?? '',
  kind: page.kind,
  entity: 'entity' in page ? (page.entity ?? null) : null,
  columns: page.kind === 'list' ? (page.columns ?? []).map((one) => [one.field ?? one.id ?? '', one.width ?? null]) : [],
})
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await gateway.gateway.database.query<Row>(text, values)).rows

interface TargetNow {
  released: { number: number } | null
  draft: { version: number } | null
  revisions: { target: string; number: number }[]
}
const targetNow = async (target: string) =>
  (await admin.get<TargetNow>(`/v2/sys/schema/target?target=${encodeURIComponent(target)}`)).data
const release = async (drafts: readonly { target: string; version: number }[]) => {
  const checked = await admin.post<{ problems: unknown[]; differences: { id: string; risk: boolean }[] }>(
    '/v2/sys/schema/check',
    { drafts },
  )
  expect(checked.data.problems).toEqual([])
  const accepted = checked.data.differences.filter(({ risk }) => risk).map(({ id }) => id)
  const about = { drafts, stage: 'all', title: '调整', reason: '销售提出', accepted }
  expect((await admin.post('/v2/sys/schema/release', about)).msg).toBe('OK')
}

describe('A database of an earlier release, with changes of an admin in every kind of document', () => {
  it('starts, and shows the same pages under the same addresses', async () => {
    const now: Record<string, Shown> = Object.fromEntries(
      await Promise.all(Object.keys(pages).map(async (path) => [path, shownNow(await bundle(path))])),
    )
    const namesOf = (shown: Record<string, Shown>) =>
      Object.fromEntries(Object.entries(shown).map(([path, page]) => [path, named(page)]))
    expect(namesOf(now)).toEqual(namesOf(pages))
    const columns = (path: string) => Object.fromEntries(now[path]?.columns ?? [])
    expect(columns('/setModule/financial/currency').symbol).toBe(112)
    expect(columns('/financial/account/consumer/consumer').currency).toBe(123)
    expect(columns('/crm/client-partner/my-client')).toHaveProperty(ADDED)
    const { data } = await admin.get<{ unusable: unknown[] }>('/v2/sys/schema/orphans')
    expect(data.unusable).toEqual([])
  })

  it('keeps what was changed of entities, templates, modules and menus, and what is changed at once', async () => {
    const { registry } = gateway.gateway
    const woven = (entity: string) => registry.woven.find(({ name }) => name === entity)
    expect(woven('crm.customer')?.properties.slogan).toMatchObject({ 'x-label': { en: 'Slogan' } })
    expect(JSON.stringify(woven('crm.opportunity'))).toContain('Yours now: {{ name }}')
    const titles = new Map(registry.routes.modules.map(({ name, title }) => [name, title.en]))
    expect([titles.get('financial'), titles.get('setModule')]).toEqual(['Money', 'All settings'])
    const menus = await query('select 1 from sys_menu_resource where international = $1', ['financial:own-banks'])
    expect(menus).toHaveLength(1)
    const industries = await admin.get('/v2/sys/staff/sysDict/values?dictionary=industry')
    expect(industries.text).toContain('"saas"')
    expect((await admin.get<{ newest: number }>('/v2/sys/rule/read/crm.claim')).data.newest).toBe(1)
    expect(await query(`select 1 from wf_process where code = 'tripStored'`)).toHaveLength(1)
    const roles = await query<{ field_rules: unknown }>(`select field_rules from sys_role where code = 'nightDesk'`)
    expect(roles).toEqual([{ field_rules: { 'crm.customer.remark': 'hide' } }])
    const customers = await admin.post<{ records: { name: string; slogan: string }[] }>('/v2/crm/customer/queryPage', {})
    expect(customers.data.records.map(({ name, slogan }) => [name, slogan])).toEqual([['Lantern Telecom', 'Light on every line']])
    const kept = await admin.get<{ value: unknown }>('/v2/sys/staff/preference/bookmarks')
    expect(kept.data.value).toEqual([{ path: '/setModule/financial/currency', title: 'Currencies' }])
    const { data } = await admin.get<{ faults: unknown[] }>('/v2/sys/schema/faults?page=sys/currencies')
    expect(data.faults).toHaveLength(1)
  })

  it('takes its drafts, a release and its file of then further, and history keeps its names', async () => {
    const before = await targetNow('page:setModule/currency')
    expect([before.released?.number, before.draft?.version]).toEqual([2, 1])
    await release([
      { target: 'page:sys/currencies', version: 1 },
      { target: 'module:qm', version: 1 },
    ])
    const widthNow = async () =>
      shownNow(await bundle('/setModule/financial/currency')).columns.find(([field]) => field === 'symbol')?.[1]
    expect(await widthNow()).toBe(222)
    const { revisions } = await targetNow('page:sys/currencies')
    expect(revisions.map(({ target, number }) => [target, number])).toEqual([
      ['page:sys/currencies', 3],
      ['page:sys/currencies', 2],
      ['page:sys/currencies', 1],
    ])
    const namesOf = await query('select distinct target from schema_revision where target = any($1)', [
      ['page:setModule/currency', 'page:sys/currencies'],
    ])
    expect(namesOf).toHaveLength(2)
    const file = JSON.parse(await readFile(join(STORED, 'release.json'), 'utf8')) as object
    const imported = await admin.post<{ drafts: { target: string }[] }>('/v2/sys/schema/import', { file })
    expect(imported.msg).toBe('OK')
    const drafts = imported.data.drafts.map(({ target }) => ({ target, version: 1 }))
    expect(drafts.map(({ target }) => target)).toEqual(
      expect.arrayContaining(['page:sys/currencies', 'page:fin/own-banks', 'module:fin', 'entity:crm.customer']),
    )
    await release(drafts)
    expect(await widthNow()).toBe(111)
    expect(await query('select 1 from schema_release where id = $1', [releaseId])).toHaveLength(1)
  })
})
