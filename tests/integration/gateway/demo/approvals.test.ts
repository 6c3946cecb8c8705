import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startGateway, type TestGateway } from '../../../support/gateway'
import { walksOf } from '../../../support/walkPart'

const { walksAll } = walksOf(import.meta.filename)

let test: TestGateway
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: walksAll ? '1' : '0.1' } })
}, 240_000)
afterAll(() => test.close())

const query = async <T extends object>(statement: string, values: unknown[] = []) =>
  (await test.gateway.database.query<T>(statement, values)).rows

/** The processes of money 8.0. */
const PROCESSES = [
  'prepay',
  'postpay',
  'deferral',
  'payMethod',
  'billChange',
  'recharge',
  'payment',
  'hedge',
  'bodyReplace',
  'special',
  'supplierQuote',
  'classA',
  'workOrder',
  'generic',
]

describe('the applications of the demo company (money 15)', () => {
  it('show every process of 8.0 running, returned, rejected, withdrawn and done', async () => {
    const rows = await query<{ code: string; states: string[] }>(
      `select p.code, array_agg(distinct i.status order by i.status) as states from wf_instance i join wf_process p on p.id = i.process_id group by p.code`,
    )
    const states = new Map(rows.map((row) => [row.code, row.states]))
    expect(rows).toHaveLength(27)
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
    expect(
      await query('select 1 from ops_work_order o left join wf_instance i on i.id = o.instance_id where i.id is null'),
    ).toEqual([])
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

  it('open for everybody who has to decide, also where the record that they are about is out of his reach', async () => {
    const open = await query<{ taskId: string; id: string; who: string }>(
      `select distinct on (t.assignee_id, i.process_id) t.id as "taskId", s.id, s.job_number as who from wf_task t
         join wf_instance i on i.id = t.instance_id join sys_staff s on s.id = t.assignee_id
       where t.status = 'pending' order by t.assignee_id, i.process_id, t.id`,
    )
    expect(open.length).toBeGreaterThan(20)
    const people = new Map(open.map(({ id, who }) => [id, who]))
    await test.gateway.sessions.setPassword(test.gateway.database, [...people.keys()], PASSWORD)
    const closed: string[] = []
    for (const [id, who] of people) {
      const person = await test.signIn(who)
      for (const { taskId } of open.filter((task) => task.id === id)) {
        const { code } = await person.post('/v2/workflow/operate/instanceDetail', { taskId })
        if (code !== 0) closed.push(`${who} ${taskId}: ${code}`)
      }
    }
    expect(closed).toEqual([])
  })

  it('have numbers of their own and lie before today', async () => {
    const now = test.clock.now().toISOString()
    expect(await query('select code from wf_instance group by code having count(*) > 1')).toEqual([])
    expect(await query('select code from wf_instance where started_at > $1 or ended_at > $1', [now])).toEqual([])
    const [{ count } = { count: 0 }] = await query<{ count: number }>(
      `select count(*) from wf_instance where status in ('done', 'agreed')`,
    )
    expect(count).toBeGreaterThanOrEqual(walksAll ? 500 : 50)
  })

  it('are filled in as people do: temporary credit lasts, an amount in a title is grouped, nothing is called as its field', async () => {
    const many = async (from: string) =>
      Number((await query<{ count: number }>(`select count(*) from wf_instance where ${from}`))[0]!.count)
    expect(await many(`form_data->>'to' is not null and form_data->>'from' >= form_data->>'to'`)).toBe(0)
    expect(
      await many(
        `form_data->>'payeeName' = '收款户名' or form_data->>'barredName' = '名称' or form_data->>'agreementNo' = '协议编号'`,
      ),
    ).toBe(0)
    expect(await many(`title_zh ~ '(^|[^0-9,.])[0-9]{4,}([.][0-9]+)? [A-Z]{3}( |$)'`)).toBe(0)
    expect(await many(`title_zh ~ '[0-9]{1,3},[0-9]{3}[.][0-9]+ [A-Z]{3}'`)).toBeGreaterThan(0)
    // money is written in one way: the currency follows
    expect(await many(`title_zh ~ '(USD|CNY|EUR) [0-9]'`)).toBe(0)
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

  it('lie on the desk of a manager as the guide counts them: 7 to decide, 23 open, 12 unread copies, 41 decided (money 15)', async () => {
    await test.gateway.sessions.setPassword(test.gateway.database, ['st-s0004'], PASSWORD)
    const manager = await test.signIn('S0004')
    const { data } = await manager.post('/v2/workflow/my/summary')
    expect(data).toEqual({ todoNum: 7, applyNum: 23, ccNum: 12, handleNum: 41 })
    const tasks = await query<{ source: string }>(
      `select t.source from wf_task t where t.assignee_id = 'st-s0004' and t.status = 'pending' order by t.source`,
    )
    expect(tasks.map(({ source }) => source)).toEqual(expect.arrayContaining(['addBefore', 'normal', 'transmitted']))
    const [late] = await query<{ staff: string }>(
      `select assignee_id as staff from wf_task where status = 'pending' and urged = 3`,
    )
    expect(late).toEqual({ staff: 'st-s0004' })
  })

  it('show a vote, an order, a limit that was lowered, a wait for a day, versions from before, and tasks that go together (money 15)', async () => {
    const versions = await query<{ code: string; no: number }>(
      `select p.code, p.version_no as no from wf_process p where p.version_no > 1 order by p.code`,
    )
    expect(versions.map(({ code, no }) => [code, Number(no)])).toEqual([
      ['contractReview', 2],
      ['crmBlacklist', 2],
      ['prepay', 3],
    ])
    const open = async (code: string, no: number) =>
      query<{ agreed: number; pending: number }>(
        `select (select count(*) from wf_task t where t.instance_id = i.id and t.node_id = o.node_id and t.status = 'agreed')::int as agreed,
           (select count(*) from wf_task t where t.instance_id = i.id and t.status = 'pending')::int as pending
         from wf_instance i join wf_process p on p.id = i.process_id join wf_process_version v on v.id = i.version_id
           join wf_task o on o.instance_id = i.id and o.assignee_id = 'st-s0004' and o.status = 'pending'
         where p.code = $1 and v.no = $2 and i.status = 'running'`,
        [code, no],
      )
    expect(await open('crmBlacklist', 1)).toEqual([{ agreed: 1, pending: 2 }])
    expect(await open('contractReview', 1)).toEqual([{ agreed: 1, pending: 1 }])
    const onSecond = await query(
      `select 1 from wf_instance i join wf_process p on p.id = i.process_id join wf_process_version v on v.id = i.version_id
        where p.code = 'prepay' and v.no = 2 and i.status = 'running'`,
    )
    expect(onSecond).toHaveLength(5)
    expect(
      await query(
        `select 1 from wf_action_log where field_diff::text like '%approvedLimit%' and field_diff::text like '%65000%'`,
      ),
    ).toHaveLength(1)
    expect(
      await query(
        `select 1 from wf_instance i join wf_process p on p.id = i.process_id where p.code = 'billChange' and i.status = 'running' and i.state::text like '%"waiting"%'`,
      ),
    ).not.toEqual([])
    const alike = await query<{ count: number }>(
      `select count(*)::int as count from wf_task t join wf_process p on p.id = t.process_id where p.code = 'adjustment' and t.node_id = 'manager' and t.status = 'pending'`,
    )
    expect(alike[0]!.count).toBeGreaterThanOrEqual(6)
  })

  it('lead from the number of late decisions to these, and tell in lists what they are about (money 9.1)', async () => {
    await test.gateway.sessions.setPassword(test.gateway.database, ['st-s0067'], PASSWORD)
    const admin = await test.signIn('S0067')
    const { data: told } = await admin.post<{ totals: { late: number }[] }>('/v2/workflow/process/figures', {})
    const { data: listed } = await admin.post<{ total: number }>('/v2/wf/task/queryPage', {
      where: [
        { field: 'status', operator: 'notIn', value: ['pending', 'cancelled'] },
        { field: 'late', operator: 'eq', value: true },
      ],
    })
    expect(Number(told.totals[0]?.late)).toBeGreaterThan(0)
    expect(listed.total).toBe(Number(told.totals[0]?.late))

    await test.gateway.sessions.setPassword(test.gateway.database, ['st-s0004'], PASSWORD)
    const manager = await test.signIn('S0004')
    const { data: mine } = await manager.post<{ records: { about: string | null; together: boolean }[] }>(
      '/v2/wf/task/queryPage',
      {
        where: [
          { field: 'assigneeId', operator: 'eq', value: 'st-s0004' },
          { field: 'status', operator: 'eq', value: 'pending' },
        ],
      },
    )
    expect(mine.records).toHaveLength(7)
    expect(mine.records.filter(({ about }) => !about)).toEqual([])
  })

  it('name their records to whoever decides, also those out of his reach', async () => {
    const manager = await test.signIn('S0004')
    const [task] = await query<{ id: string; customer: string; name: string }>(
      `select t.id, c.id as customer, c.name from wf_task t join wf_instance i on i.id = t.instance_id join wf_process p on p.id = i.process_id
         join crm_customer c on c.id = i.form_data->>'customerId' where t.assignee_id = 'st-s0004' and t.status = 'pending' and p.code = 'postpay'`,
    )
    const { data } = await manager.post<{ form: { refs: Record<string, Record<string, { title: string }>> } }>(
      '/v2/workflow/operate/instanceDetail',
      { taskId: task!.id },
    )
    expect(data.form.refs['crm.customer']?.[task!.customer]?.title).toContain(task!.name)
  })
})
