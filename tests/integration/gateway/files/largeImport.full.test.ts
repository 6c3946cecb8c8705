import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matchKeys } from '../../../../gateway/duplicates'
import { customerFile, customerRow } from '../../../support/customerFile'
import { startKillableGateway } from '../../../support/killableGateway'
import { read, startGateway } from '../../../support/gateway'
import type { Caller, TestGateway } from '../../../support/gateway'

interface Task {
  status: string
  step: string
  progress: number
  rows: number | null
  refusedRows: number | null
}
interface Checked {
  total: number
  valid: number
  errors: { row: number; column: string | null; value: string | null; message: string }[]
  result: { created: number; refusedTotal: number; refused: { row: number; message: string }[]; finished: boolean } | null
}

const TASKS = '/v2/download/downloadCenter/api/task'
const CUSTOMERS = '/v2/crm/customer'

let folder: string
let test: TestGateway
let wang: Caller
let li: Caller
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gw-import-'))
  test = await startGateway({ folder })
  const keys = ['crm:customer:import', 'crm:customer:add', 'crm:customer:edit', 'crm:customer:viewSensitive']
  await test.addStaff({ id: 'wang', jobNumber: 'S0042', keys, scopes: { 'crm.customer': ['own'] } })
  await test.addStaff({ id: 'li', jobNumber: 'S0043', keys, scopes: { 'crm.customer': ['own'] } })
  // one person may hold what nobody could by hand
  await test.gateway.database.query(
    `insert into sys_rule_override (id, created_at, updated_at, version, rule_key, target_type, target_id, params)
     values ('large', now(), now(), 1, 'crm.retention', 'staff', 'wang', '{"default": 1000000}')`,
  )
  wang = await test.signIn('S0042')
  li = await test.signIn('S0043')
}, 180_000)
afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true, force: true })
})

async function upload(caller: Caller, file: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([file]), '客户.csv')
  const answer = await read<{ taskId: string }>(
    await caller.raw('POST', `${CUSTOMERS}/import/preview?page=/crm/customer`, { method: 'POST', body: form }),
  )
  expect(answer.msg).toBe('OK')
  return answer.data.taskId
}
const taskOf = async (caller: Caller, id: string): Promise<Task> => (await caller.get<Task>(`${TASKS}/${id}`)).data
const importOf = async (caller: Caller, id: string): Promise<Checked> =>
  (await caller.get<Checked>(`${CUSTOMERS}/import/${id}`)).data
const commit = (caller: Caller, importId: string) =>
  caller.post<{ taskId: string }>(`${CUSTOMERS}/import/commit`, { importId, skipFaulty: true })

/** Looks until the task is in a state; answers what was seen of its progress, and calls `meanwhile` at each look. */
async function follow(caller: Caller, id: string, status: string, meanwhile?: () => Promise<void>): Promise<number[]> {
  const seen: number[] = []
  for (;;) {
    const task = await taskOf(caller, id)
    seen.push(task.progress)
    if (task.status === status) return seen
    expect(['waiting', 'running']).toContain(task.status)
    await meanwhile?.()
    await sleep(500)
  }
}
const rising = (seen: readonly number[]): boolean => seen.every((part, index) => index === 0 || part >= seen[index - 1]!)
const count = async (condition: string): Promise<number> =>
  Number((await test.gateway.database.query<{ n: number }>(`select count(*) as n ${condition}`)).rows[0]!.n)

describe('an import of 20,000 customers', () => {
  it('is checked and saved to the end with all rules, tells each wrong row, and lets others work meanwhile (R337)', async () => {
    await test.gateway.database.query(
      `insert into crm_blacklist (id, created_at, updated_at, version, code, name, name_key, reason, scope, status)
       values ('barred', now(), now(), 1, 'BL1', 'barred', $1, 'fraud', 'all', 'active')`,
      [matchKeys(customerRow(12_000)[0]).nameKey],
    )
    const waits: number[] = []
    const listMeanwhile = async (): Promise<void> => {
      const from = performance.now()
      expect((await li.post(`${CUSTOMERS}/queryPage`, { pageSize: 20 })).code).toBe(0)
      waits.push(performance.now() - from)
    }
    const id = await upload(
      wang,
      customerFile(20_000, {
        change: {
          500: { name: '' },
          10_000: { customerType: 'hotel' },
          19_999: { countryCode: 'Atlantis' },
          // these are found when they are saved, the second of each
          14_000: { name: `${customerRow(3)[0]}有限公司` },
          16_000: { website: customerRow(10)[4] },
        },
      }),
    )
    const checking = await follow(wang, id, 'checked', listMeanwhile)
    expect(await taskOf(wang, id)).toMatchObject({ step: 'check', rows: 19_997, refusedRows: 3 })
    const checked = await importOf(wang, id)
    expect(checked).toMatchObject({ total: 20_000, valid: 19_997, result: null })
    expect(checked.errors.map(({ row, column, value }) => [row, column, value])).toEqual([
      [502, 'A', ''],
      [10_002, 'B', 'hotel'],
      [20_001, 'C', 'Atlantis'],
    ])
    expect(checked.errors[0]!.message).toBe('请填写“客户名称”。')

    expect((await commit(wang, id)).data).toEqual({ taskId: id })
    const saving = await follow(wang, id, 'done', listMeanwhile)
    const { result } = await importOf(wang, id)
    expect(result).toMatchObject({ created: 19_994, refusedTotal: 3, finished: true })
    expect(result!.refused.map(({ row }) => row)).toEqual([12_002, 14_002, 16_002])
    expect(result!.refused[0]!.message).toContain('命中黑名单（BL1）')
    expect(result!.refused[1]!.message).toContain(`客户已存在：${customerRow(3)[0]}`)
    expect(result!.refused[2]!.message).toContain(`客户已存在：${customerRow(10)[0]}`)
    expect(await taskOf(wang, id)).toMatchObject({ rows: 19_994, refusedRows: 6 })

    for (const part of [checking, saving]) expect([rising(part), part.at(-1)]).toEqual([true, 1])
    expect(saving.some((part) => part > 0 && part < 1)).toBe(true)
    // whoever works beside it waits for no batch, let alone for the import
    const [middle = 0] = waits.sort((a, b) => a - b).slice(Math.floor(waits.length / 2))
    expect(middle).toBeLessThan(2_000)

    const mine = `from crm_customer where owner_id = 'wang'`
    expect(await count(mine)).toBe(19_994)
    const [distinct] = (
      await test.gateway.database.query(
        `select count(distinct code)::int as codes, count(distinct name)::int as names, count(distinct id)::int as ids ${mine} and code ~ '^CU[0-9]{7,}$'`,
      )
    ).rows
    expect(distinct).toEqual({ codes: 19_994, names: 19_994, ids: 19_994 })
    expect(await count(`from sys_audit_log where entity = 'crm.customer' and action = 'create' and reason = '客户.csv'`)).toBe(
      19_994,
    )
    expect(await count(`from crm_owner_log where to_staff_id = 'wang' and action = 'create'`)).toBe(19_994)
    expect(await count(`from crm_customer c join sys_audit_log a on a.record_id = c.id and a.record_title = c.name`)).toBe(19_994)
  }, 900_000)

  it('goes on after the gateway was killed in the middle of saving: the task says how far it is, and no row is saved twice', async () => {
    const rows = 4_000
    const id = await upload(wang, customerFile(rows, { from: 200_000 }))
    await follow(wang, id, 'checked')
    const held = await count(`from crm_customer`)
    await test.close()

    const killable = await startKillableGateway(folder)
    const over = killable.ended()
    const there = killable.caller
    await commit(there, id)
    while (((await importOf(there, id)).result?.created ?? 0) === 0) await sleep(5)
    killable.kill()
    await over

    test = await startGateway({ folder })
    wang = await test.signIn('S0042')
    const half = await importOf(wang, id)
    expect(half.result).toMatchObject({ finished: false })
    // what the task says is what was saved: both stand in one transaction
    expect(await count('from crm_customer')).toBe(held + half.result!.created)
    expect(half.result!.created).toBeLessThan(rows)
    expect((await taskOf(wang, id)).status).toBe('running')
    await test.gateway.database.query(
      `update pgboss.job set started_on = started_on - interval '1 minute' where singleton_key = $1 and state = 'active'`,
      [id],
    )
    await follow(wang, id, 'done')
    expect((await importOf(wang, id)).result).toMatchObject({ created: rows, refusedTotal: 0, finished: true })
    expect(await count('from crm_customer')).toBe(held + rows)
    expect(await count('from (select name from crm_customer group by name having count(*) > 1) twice')).toBe(0)
    expect(await count('from (select code from crm_customer group by code having count(*) > 1) twice')).toBe(0)
  }, 300_000)
})
