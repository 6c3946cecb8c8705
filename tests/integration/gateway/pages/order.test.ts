import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FormPage } from '../../../../src/schema/generated/page'
import type { Change } from '../../../../src/schema/overlay'
import type { Caller, TestGateway } from '../../../support/gateway'
import { startGateway } from '../../../support/gateway'
import { gatewayDatabase, type TestDatabase } from '../../testDatabase'

const TARGET = 'page:crm/not-duplicate'
const PAGE = 'crm/not-duplicate'
const NAMES = ['item', 'qty', 'price', 'sum', 'remark', 'unit', 'totalAmount', 'no']

let shared: TestDatabase
let gateway: TestGateway
let second: TestGateway
let admin: Caller
const start = () => startGateway({ environment: { DATABASE_URL: shared.url } })
beforeAll(async () => {
  shared = await gatewayDatabase()
  gateway = await start()
  second = await start()
  await gateway.addStaff({
    id: 'admin',
    jobNumber: 'T0001',
    keys: ['setModule:pages', 'setModule:pages:release', 'crm:customer:edit'],
    menus: ['crm:client-partner:my-client'],
    scopes: { '*': ['all'] },
  })
  admin = await gateway.signIn('T0001')
})
afterAll(async () => {
  await second.close()
  await gateway.close()
  await shared.drop()
})

interface Form {
  page: FormPage
}
interface State {
  draft: { version: number; changes: Change[] } | null
  released: { changes: Change[] } | null
  bundle: Form
}
const text = (value: unknown): string => JSON.stringify(value)
const stateOf = async () => (await admin.get<State>(`/v2/sys/schema/target?target=${TARGET}`)).data
const served = async (caller: Caller) => (await caller.get<Form>(`/v2/sys/page/bundle?path=${PAGE}`)).data
const columnsOf = ({ page }: Form): string[] => Object.keys(page.schema.properties?.lines?.items?.properties ?? {})
const table = (columns: readonly string[]): Change => ({
  at: 'schema/properties',
  add: {
    type: 'array',
    title: { zh: '明细', en: 'Lines' },
    'x-component': 'ArrayTable',
    items: {
      type: 'object',
      properties: Object.fromEntries(columns.map((name) => [name, { type: 'string', title: { zh: name, en: name } }])),
    },
  },
  id: 'lines',
})

/** The set of changes goes in as a draft, is released, and stands for everybody. */
async function release(changes: readonly Change[], version: number): Promise<void> {
  const drafts = [{ target: TARGET, version: version + 1 }]
  const saved = await admin.post<{ bundle: Form; problems: unknown[] }>('/v2/sys/schema/draft/save', {
    target: TARGET,
    version,
    changes,
  })
  expect(saved.data.problems).toEqual([])
  const { draft, bundle } = await stateOf()
  expect(text(draft?.changes)).toBe(text(changes))
  expect(text(bundle.page)).toBe(text(saved.data.bundle.page))
  const { data } = await admin.post<{ differences: { id: string; risk: boolean }[] }>('/v2/sys/schema/check', { drafts })
  const accepted = data.differences.filter(({ risk }) => risk).map(({ id }) => id)
  const answer = await admin.post('/v2/sys/schema/release', { drafts, stage: 'all', title: '列', reason: '顺序', accepted })
  expect(answer.msg).toBe('OK')
}

describe('the order of the columns of a table', () => {
  it('is the one in which they were drafted: in the draft, the preview, the release, the file, and after a roll back', async () => {
    let number = 0
    const orders = fc.sample(fc.shuffledSubarray(NAMES, { minLength: 4 }), { numRuns: 4, seed: 17 })
    for (const columns of [['item', 'qty', 'price', 'sum'], ...orders]) {
      await release([table(columns)], 0)
      number += 1
      expect(columnsOf(await served(admin))).toEqual(columns)
      expect(text((await stateOf()).released?.changes)).toBe(text([table(columns)]))

      const { data: releases } = await admin.get<{ releases: { id: string }[] }>('/v2/sys/schema/releases')
      const file = (await admin.get<object>(`/v2/sys/schema/export?releaseId=${releases.releases[0]?.id ?? ''}`)).data
      expect((await admin.post('/v2/sys/schema/import', { file })).code).toBe(0)
      expect(text((await stateOf()).draft?.changes)).toBe(text([table(columns)]))
      await admin.post('/v2/sys/schema/draft/discard', { target: TARGET, version: 1 })

      await admin.post('/v2/sys/schema/rollback', { target: TARGET, number: 0, reason: '撤回' })
      expect(columnsOf(await served(admin))).toEqual([])
      await admin.post('/v2/sys/schema/rollback', { target: TARGET, number, reason: '恢复' })
      expect(columnsOf(await served(admin))).toEqual(columns)
      number += 2
    }
  })

  it('is the same on another gateway, and after a restart', async () => {
    const before = await served(admin)
    expect(columnsOf(before).length).toBeGreaterThan(3)
    const elsewhere = await second.signIn('T0001')
    await expect.poll(async () => text((await served(elsewhere)).page)).toBe(text(before.page))
    await gateway.close()
    gateway = await start()
    admin = await gateway.signIn('T0001')
    expect(text((await served(admin)).page)).toBe(text(before.page))
  })

  it('keeps the drafts of a database that sorted their keys', async () => {
    const { database } = gateway.gateway
    await database.query('alter table schema_draft alter column changes type jsonb')
    const changes = [{ at: 'title', set: { zh: '查重说明', en: 'A note' } }]
    await admin.post('/v2/sys/schema/draft/save', { target: TARGET, version: 0, changes })
    await gateway.close()
    gateway = await start()
    admin = await gateway.signIn('T0001')
    expect((await stateOf()).draft?.changes).toEqual(changes)
    await admin.post('/v2/sys/schema/draft/save', { target: TARGET, version: 1, changes })
    expect(text((await stateOf()).draft?.changes)).toBe(text(changes))
  })
})
