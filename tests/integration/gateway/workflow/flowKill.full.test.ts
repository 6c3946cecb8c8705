import { afterAll, beforeAll, expect, it } from 'vitest'
import { formEntity, hashOf } from '../../../../src/schema/process'
import { startKillableGateway, type KillableGateway } from '../../../support/killableGateway'
import { label, processOf } from './flowWorld'

const AT = '2026-01-01T00:00:00.000Z'
const VALUES = {
  instanceId: '{{ instance.id }}',
  instanceCode: '{{ instance.code }}',
  accountId: 'A1',
  amount: '{{ sum }}',
  reason: '{{ reason }}',
}
const GIFT = processOf(
  'killed',
  [{ id: 'one', kind: 'approve', label: label('one'), assignees: [{ rule: 'applicant' }], sameAsStarter: 'keep' }],
  { effects: { agreed: [{ id: 'gift', do: 'fin.gift', with: VALUES }] } },
)

let gateway: KillableGateway
const sql = async <Row extends object>(statement: string): Promise<Row[]> =>
  (await gateway.caller.post<Row[]>('/v2/test/sql', { statement })).data
const insert = async (entity: string, ...rows: object[]): Promise<void> => {
  const answer = await gateway.caller.post('/v2/test/insert', { entity, rows: rows.map((row) => ({ createdAt: AT, ...row })) })
  expect(answer.code, answer.text).toBe(0)
}

/** An application of 20 USD as a gift, with its task. */
async function started(): Promise<{ instanceId: string; taskId: string }> {
  const { data } = await gateway.caller.post<{ instanceId: string }>('/v2/workflow/operate/start', {
    code: 'killed',
    formData: { reason: 'A welcome gift', sum: '20.00' },
  })
  const { instanceId } = data
  return {
    instanceId,
    taskId: (await gateway.caller.post<string>('/v2/workflow/operate/select/currentTaskId', { instanceId })).data,
  }
}
const agree = (taskId: string, key: string, die?: 'before' | 'after') =>
  gateway.caller.post<{ status: string; rowVersion: number }>(
    '/v2/workflow/operate/agree',
    { taskId, action: 'agree', comment: 'fine' },
    { 'idempotency-key': key, ...(die ? { 'x-die': die } : {}) },
  )
/** Everything that an agreement leaves: what the application, its timeline and the ledger say of it. */
const traces = async (instanceId: string) =>
  (
    await sql(`select i.status,
      (select count(*)::int from wf_task where instance_id = i.id and status = 'agreed') as agreed,
      (select count(*)::int from wf_action_log where instance_id = i.id and action = 'agree') as said,
      (select count(*)::int from wf_effect_run where instance_id = i.id and status = 'done') as effects,
      (select count(*)::int from fin_ledger_entry where source_id = i.id) as legs,
      (select coalesce(sum(signed_amount), 0)::text from fin_ledger_entry where source_id = i.id and account_kind = 'customer') as gift
    from wf_instance i where i.id = '${instanceId}'`)
  )[0]
const NOTHING = { status: 'running', agreed: 0, said: 0, effects: 0, legs: 0, gift: '0' }
const ALL = { status: 'done', agreed: 1, said: 1, effects: 1, legs: 2, gift: expect.stringMatching(/^-?20(\.0+)?$/) as string }
const balance = async (): Promise<number> =>
  Number(
    (await sql<{ balance: string }>(`select balance::text as balance from fin_customer_account where id = 'A1'`))[0]?.balance,
  )
const drift = async () => (await gateway.caller.get<number>('/v2/test/drift')).data

beforeAll(async () => {
  gateway = await startKillableGateway()
  await insert('sys.companyEntity', {
    id: 'hk',
    code: 'hk',
    name: '香港',
    countryCode: 'HK',
    baseCurrency: 'CNY',
    enabled: true,
    sortNo: 0,
  })
  await insert('sys.exchangeRate', {
    id: 'x1',
    base: 'USD',
    quote: 'CNY',
    date: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    rate: '7.1',
    kind: 'xe',
  })
  await insert('crm.customer', {
    id: 'c1',
    code: 'CU-1',
    name: 'Nova',
    nameKey: 'nova',
    holding: 'private',
    ownerId: 'wang',
    stage: 'dealt',
  })
  await insert('fin.customerAccount', {
    id: 'A1',
    code: 'A1',
    name: 'Nova SMS',
    customerId: 'c1',
    product: 'sms',
    currency: 'USD',
    payMode: 'prepaid',
    status: 'active',
    companyEntityId: 'hk',
    timezone: 'Asia/Hong_Kong',
    termDays: 15,
    graceDays: 7,
  })
  await insert('wf.process', {
    id: 'p1',
    code: GIFT.name,
    nameZh: 'killed',
    nameEn: 'killed',
    groupCode: GIFT.group,
    state: 'enabled',
    source: 'admin',
    adminIds: [],
    versionNo: 1,
  })
  await insert('wf.processVersion', {
    id: 'v1',
    processId: 'p1',
    no: 1,
    document: JSON.stringify(GIFT),
    hash: hashOf(GIFT).slice(-64),
    formHash: String(JSON.stringify(formEntity(GIFT)).length),
    source: 'admin',
    publishedAt: AT,
  })
  await sql(`update wf_process set current_version_id = 'v1' where id = 'p1'`)
})
afterAll(() => gateway.stop())

it('A gateway that is killed while it agrees has done all of it or nothing, moves the ledger once, and answers the same request truly', async () => {
  const first = await started()
  // its last write waits for a lock that the gateway holds until it dies: tasks, timeline and ledger are written by then
  await sql(`create function slowly() returns trigger language plpgsql as $$ begin
    if new.status <> 'running' then perform pg_advisory_xact_lock(7204); end if; return new; end $$`)
  await sql('create trigger slowly before update on wf_instance for each row execute function slowly()')
  let ended = gateway.ended()
  await expect(agree(first.taskId, 'kill-before-1', 'before')).rejects.toThrow()
  await ended
  await gateway.start()
  expect(await traces(first.instanceId)).toEqual(NOTHING)
  expect([await balance(), await drift()]).toEqual([0, 0])
  await sql('drop trigger slowly on wf_instance')
  const answer = await agree(first.taskId, 'kill-before-1')
  expect([answer.code, answer.data.status]).toEqual([0, 'done'])
  expect((await agree(first.taskId, 'kill-before-1')).data).toEqual(answer.data)

  const second = await started()
  ended = gateway.ended()
  await expect(agree(second.taskId, 'kill-after-2', 'after')).rejects.toThrow()
  await ended
  await gateway.start()
  const again = await agree(second.taskId, 'kill-after-2')
  expect([again.code, again.data.status, again.headers.get('x-idempotent-replay')]).toEqual([0, 'done', 'true'])
  // another key, as from a page that was loaded anew: the same request is known by what it says
  expect((await agree(second.taskId, 'kill-after-3')).data).toEqual(again.data)
  for (const { instanceId } of [first, second]) expect(await traces(instanceId)).toEqual(ALL)
  expect([await balance(), await drift()]).toEqual([40, 0])
})
