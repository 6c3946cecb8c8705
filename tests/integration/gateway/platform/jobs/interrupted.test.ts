import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway, type Caller, type TestGateway } from '../../../../support/gateway'

let test: TestGateway
let admin: Caller
beforeAll(async () => {
  test = await startGateway()
  await test.addStaff({ id: 'admin', jobNumber: 'A1', keys: ['crm:param:manage'] })
  admin = await test.signIn('A1')
})
afterAll(() => test.close())

const run = () => admin.post<{ status: string }>('/v2/sys/job/run', { job: 'fin.rates', dry: false })
const OTHER = 'switchboard another gateway'

it('a run stands in the way as long as its gateway lives, and may be started by hand at once when that is gone', async () => {
  const { database } = test.gateway
  await database.query(
    `insert into sys_job_run (id, job, for_day, status, dry, started_at, slot, runner, created_at, updated_at, version)
     values ('gone', 'fin.bills', '2026-11-01', 'running', false, now(), 'fin.bills/then', $1, now(), now(), 1)`,
    [OTHER],
  )
  // the other gateway has a connection that bears its name
  await database.transaction(async (tx) => {
    await tx.query(`select set_config('application_name', $1, true)`, [OTHER])
    expect((await run()).code).toBe(10010007)
  })
  const { code, data } = await run()
  expect([code, data.status]).toEqual([0, 'done'])
  const { rows } = await database.query(`select status, slot, error from sys_job_run where id = 'gone'`)
  expect(rows).toEqual([{ status: 'failed', slot: null, error: 'The gateway that ran it is gone.' }])
  const own = await database.query<{ runner: string }>(`select runner from sys_job_run where job = 'fin.rates'`)
  expect(own.rows).toEqual([{ runner: database.instance }])
})

it('a run of this very gateway is not taken for one that is gone', async () => {
  const { database } = test.gateway
  await database.query(`update sys_job_run set status = 'running', runner = $1, updated_at = now() where id = 'gone'`, [
    database.instance,
  ])
  expect((await run()).code).toBe(10010007)
  // one of an earlier release names nobody: silence tells
  await database.query(`update sys_job_run set runner = null, updated_at = now() - interval '3 minutes' where id = 'gone'`)
  expect((await run()).code).toBe(0)
})
