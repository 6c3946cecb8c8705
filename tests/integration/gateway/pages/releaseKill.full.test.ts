import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { ListPage } from '../../../../src/schema/generated/page'
import type { Change } from '../../../../src/schema/overlay'
import { startKillableGateway, type KillableGateway } from '../../../support/killableGateway'

const LIST = 'page:crm/my-client'
const FORM = 'page:crm/customer'
const ENTITY = 'entity:crm.customer'
const FIELD = { type: 'string', maxLength: 40, 'x-label': { zh: '行业', en: 'Trade' }, 'x-list': true }
const CHANGES: Readonly<Record<string, Change[]>> = {
  [ENTITY]: [{ at: 'properties', id: 'trade', add: FIELD }],
  [FORM]: [{ at: 'title/zh', set: '客户资料' }],
  [LIST]: [{ at: 'pageSize', set: 100 }],
}

let gateway: KillableGateway
const sql = (statement: string) => gateway.caller.post<Record<string, unknown>[]>('/v2/test/sql', { statement })
const bundle = async () =>
  (
    await gateway.caller.get<{ page: ListPage; revision: string; entities: Record<string, EntityDocument> }>(
      '/v2/sys/page/bundle?name=crm/my-client',
    )
  ).data
/** What is served, what is stored, what is left to do: all of it belongs to one state. */
const state = async () => {
  const { page, entities } = await bundle()
  const targets = Object.keys(CHANGES)
  const all = await Promise.all(
    targets.map(
      async (target) =>
        (
          await gateway.caller.get<{ draft: { version: number; changes: Change[] } | null; released: { number: number } | null }>(
            `/v2/sys/schema/target?target=${target}`,
          )
        ).data,
    ),
  )
  return {
    size: page.pageSize ?? null,
    field: Object.hasOwn(entities['crm.customer']?.properties ?? {}, 'trade'),
    drafts: all.map(({ draft }) => draft?.changes ?? null),
    released: all.map(({ released }) => released?.number ?? null),
  }
}
const release = (die?: string) =>
  gateway.caller.post(
    '/v2/sys/schema/release',
    {
      drafts: Object.keys(CHANGES).map((target) => ({ target, version: 1 })),
      stage: 'all',
      title: '一起发布',
      reason: '三处一起',
      accepted: [],
    },
    die ? { 'x-die': die } : {},
  )

beforeAll(async () => {
  gateway = await startKillableGateway()
})
afterAll(() => gateway.stop())

it('A gateway that is killed in the middle of a release of three documents serves all of it or nothing of it, and keeps the drafts', async () => {
  const before = await state()
  for (const [target, changes] of Object.entries(CHANGES))
    expect((await gateway.caller.post('/v2/sys/schema/draft/save', { target, version: 0, changes })).code).toBe(0)
  // The second of the three revisions waits for the lock that the gateway holds until it dies.
  await sql(`create function slowly() returns trigger language plpgsql as $$ begin
    if (select count(*) from schema_revision where release_id = new.release_id) = 1 then perform pg_advisory_xact_lock(7204); end if; return new; end $$`)
  await sql('create trigger slowly before insert on schema_revision for each row execute function slowly()')
  let ended = gateway.ended()
  await expect(release('before')).rejects.toThrow()
  await ended
  await gateway.start()
  expect(await state()).toEqual({ ...before, drafts: Object.values(CHANGES), released: [null, null, null] })

  await sql('drop trigger slowly on schema_revision')
  ended = gateway.ended()
  await expect(release('after')).rejects.toThrow()
  await ended
  await gateway.start()
  expect(await state()).toEqual({ size: 100, field: true, drafts: [null, null, null], released: [1, 1, 1] })
  // The column is there, and the new field can be used.
  const saved = await gateway.caller.post<{ record: { trade: string } }>('/v2/crm/customer/save', {
    name: '死而复生有限公司',
    countryCode: 'CN',
    customerType: 'enterprise',
    source: 'website',
    trade: 'J65',
  })
  expect(saved.data?.record?.trade ?? saved.msg).toBe('J65')
})
