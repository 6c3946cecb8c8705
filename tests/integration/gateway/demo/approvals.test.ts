import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startGateway, type TestGateway } from '../../../support/gateway'

let test: TestGateway
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true' } })
}, 240_000)
afterAll(() => test.close())

const query = async <T extends object>(statement: string, values: unknown[] = []) =>
  (await test.gateway.database.query<T>(statement, values)).rows

/** The processes of money 8.0. */
const PROCESSES = ['prepay', 'postpay', 'deferral', 'payMethod', 'billChange', 'recharge', 'payment', 'hedge', 'bodyReplace', 'special', 'supplierQuote', 'classA', 'workOrder', 'generic'] // prettier-ignore

describe('the applications of the demo company (money 15)', () => {
  it('show every process of 8.0 running, returned, rejected, withdrawn and done', async () => {
    const rows = await query<{ code: string; states: string[] }>(
      `select p.code, array_agg(distinct i.status order by i.status) as states from wf_instance i join wf_process p on p.id = i.process_id group by p.code`,
    )
    const states = new Map(rows.map((row) => [row.code, row.states]))
    expect(rows).toHaveLength(29)
    const lacking = PROCESSES.flatMap((code) =>
      ['running', 'returned', 'withdrawn', 'done']
        .filter((state) => !states.get(code)?.includes(state))
        .map((state) => `${code} ${state}`)
        // what somebody has begun to handle is not withdrawn any more (money 8.0)
        .filter((lacks) => lacks !== 'workOrder withdrawn'),
    )
    expect(lacking).toEqual([])
  })

  it('have drafts, ended by an administrator, two whose effect failed, one late and urged, and the work orders that they made', async () => {
    const rows = await query<{ status: string; count: number }>(
      `select status, count(*) as count from wf_instance where status in ('draft', 'terminated', 'effectFailed') group by status order by status`,
    )
    expect(rows.map(({ status, count }) => [status, Number(count)])).toEqual([
      ['draft', 9],
      ['effectFailed', 2],
      ['terminated', 3],
    ])
    expect(await query(`select 1 from wf_task where status = 'pending' and urged = 3`)).toHaveLength(1)
    const orders = await query<{ status: string }>('select distinct status from ops_work_order order by status')
    expect(orders.map(({ status }) => status)).toEqual(expect.arrayContaining(['cancelled', 'closed', 'toConfirm']))
    expect(await query('select 1 from ops_work_order o left join wf_instance i on i.id = o.instance_id where i.id is null')).toEqual([]) // prettier-ignore
  })

  it('leave no running one without an open task, a timer or an alarm, and no open task of an ended one', async () => {
    expect(
      await query(
        `select i.code from wf_instance i where i.status = 'running' and not exists (select 1 from wf_task t where t.instance_id = i.id and t.status = 'pending')
           and not exists (select 1 from jsonb_each(i.state->'flow'->'nodes') n where n.value->>'phase' in ('waiting', 'alarm'))`,
      ),
    ).toEqual([])
    expect(
      await query(
        `select i.code from wf_task t join wf_instance i on i.id = t.instance_id where t.status = 'pending' and i.status not in ('running', 'returned')`,
      ),
    ).toEqual([])
  })

  it('have numbers of their own and lie before today', async () => {
    const now = test.clock.now().toISOString()
    expect(await query('select code from wf_instance group by code having count(*) > 1')).toEqual([])
    expect(await query('select code from wf_instance where started_at > $1 or ended_at > $1', [now])).toEqual([])
    const [{ count } = { count: 0 }] = await query<{ count: number }>(
      `select count(*) from wf_instance where status in ('done', 'agreed')`,
    )
    expect(count).toBeGreaterThanOrEqual(500)
  })

  it('are counted alike by the shortcut, the list and the to-dos of whoever has most to decide', async () => {
    const [busiest] = await query<{ id: string; jobNumber: string; open: number }>(
      `select s.id, s.job_number as "jobNumber", count(*) as open from wf_task t join sys_staff s on s.id = t.assignee_id where t.status = 'pending'
       group by s.id order by open desc limit 1`,
    )
    await test.gateway.sessions.setPassword(test.gateway.database, [busiest!.id], PASSWORD)
    const caller = await test.signIn(busiest!.jobNumber)
    const { data: counts } = await caller.post<{ todoNum: number }>('/v2/workflow/my/summary')
    const { data: page } = await caller.post<{ total: number; list: { taskId: string }[] }>('/v2/workflow/my/toDoPage', {
      pageSize: 5,
    })
    expect([counts.todoNum, page.total]).toEqual([busiest!.open, busiest!.open])
    const todos = await query(
      `select 1 from sys_todo where staff_id = $1 and status = 'open' and link like '/general/process/my-agent/profile?taskId=%'`,
      [busiest!.id],
    )
    expect(todos).toHaveLength(busiest!.open)
    const detail = await caller.post<{ myTask: { taskId: string } | null }>('/v2/workflow/operate/instanceDetail', {
      taskId: page.list[0]!.taskId,
    })
    expect([detail.code, detail.data.myTask?.taskId]).toEqual([0, page.list[0]!.taskId])
  })

  it('are decided by the delegate while the lawyer is away', async () => {
    const rows = await query<{ source: string }>(
      `select distinct t.source from wf_task t join wf_delegation d on d.to_id = t.assignee_id and d.from_id = t.original_assignee_id where t.status = 'pending'`,
    )
    expect(rows).toEqual([{ source: 'delegated' }])
  })
})
