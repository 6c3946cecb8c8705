import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { read, startGateway } from '../../../support/gateway'
import type { Caller, TestGateway } from '../../../support/gateway'

interface Task {
  id: string
  kind: string
  name: string
  page: string | null
  refusedRows: number | null
  status: string
  progress: number
  rows: number | null
  fileName: string
  message: string | null
  expiresAt: string | null
}

const BASE = '/v2/download/downloadCenter/api/task'
const KEY = 'setModule:authManage:user:export'
const IMPORT_KEY = 'setModule:authManage:user:edit'
const IMPORT = '/v2/sys/staff/user/import'
const request = {
  columns: [
    { field: 'jobNumber', title: '工号' },
    { field: 'name', title: '姓名' },
  ],
  format: 'csv',
  sort: [{ field: 'jobNumber', order: 'asc' }],
}

let test: TestGateway
let wang: Caller
let li: Caller
beforeAll(async () => {
  test = await startGateway()
  await test.addStaff({ id: 'wang', jobNumber: 'S0042', name: '=王伟', keys: [KEY, IMPORT_KEY] })
  await test.addStaff({ id: 'li', jobNumber: 'S0043', keys: [KEY] })
  wang = await test.signIn('S0042')
  li = await test.signIn('S0043')
})
afterAll(() => test.close())

const begin = async (caller: Caller) =>
  (await caller.post<{ taskId: string }>('/v2/sys/staff/user/exportTask', request)).data.taskId
const taskOf = async (caller: Caller, id: string) => (await caller.get<Task>(`${BASE}/${id}`)).data
async function waitFor(id: string, statuses: readonly string[], caller = wang): Promise<Task> {
  for (let count = 0; count < 1_000; count += 1) {
    const task = await taskOf(caller, id)
    if (statuses.includes(task.status)) return task
    await sleep(50)
  }
  throw new Error(`the task ${id} did not become ${statuses.join(' or ')}`)
}
/** A task; with `silent`, the gateway that took it from the queue, for the time `attempt`, said nothing for so many seconds. */
async function plant(values: { staffId?: string; status: string; silent?: number; attempt?: number }): Promise<string> {
  const id = newId()
  const { database, queue } = test.gateway
  await database.query(
    `insert into sys_download_task (id, created_at, updated_at, version, staff_id, created_by, entity, name, status, progress, format, request)
     values ($1, now(), now(), 1, $2, $2, 'sys.staff', '员工', $3, 0, 'csv', $4::jsonb)`,
    [id, values.staffId ?? 'wang', values.status, JSON.stringify({ ...request, locale: 'zh', traceId: 'trace-planted' })],
  )
  if (values.status === 'waiting') await queue.send(database, 'downloads', [{ key: id }])
  if (values.silent !== undefined)
    await database.transaction(async (tx) => {
      await queue.send(tx, 'downloads', [{ key: id }])
      await tx.query(
        `update pgboss.job set state = 'active', started_on = now() - make_interval(secs => $2), retry_count = $3 where singleton_key = $1`,
        [id, values.silent, (values.attempt ?? 1) - 1],
      )
    })
  return id
}

describe('the download centre', () => {
  it('makes an export in the background and hands out its file (R337)', async () => {
    const id = await begin(wang)
    const task = await waitFor(id, ['done'])
    expect(task).toMatchObject({
      progress: 1,
      rows: 3,
      fileName: expect.stringMatching(/^员工 \d{4}-\d\d-\d\d\.csv$/),
      message: null,
    })
    const file = await wang.raw('GET', `${BASE}/${id}/file`)
    expect(file.headers.get('content-disposition')).toMatch(/^attachment/)
    const text = await file.text()
    expect(text).toContain('工号,姓名')
    expect(text).toContain('S0042')
    expect(text).not.toMatch(/,=王伟/)
  })

  it('shows everybody their own tasks only', async () => {
    const id = await begin(wang)
    await waitFor(id, ['done'])
    for (const [method, path] of [
      ['GET', `${BASE}/${id}`],
      ['GET', `${BASE}/${id}/file`],
      ['POST', `${BASE}/${id}/cancel`],
    ] as const)
      expect((await li.call(method, path, method === 'POST' ? {} : undefined)).code).toBe(10010004)
    const mine = await wang.post<{ records: Task[]; total: number }>(`${BASE}/queryPage`, { status: ['done'], pageSize: 1 })
    expect([mine.data.records.length, mine.data.total >= 2]).toEqual([1, true])
    expect((await li.post<{ total: number }>(`${BASE}/queryPage`)).data.total).toBe(0)
    expect((await test.anybody.post(`${BASE}/queryPage`)).code).toBe(11008)
  })

  it('needs the export key, when it is asked for and when it is made', async () => {
    await test.addStaff({ id: 'none', jobNumber: 'S0044' })
    const none = await test.signIn('S0044')
    expect((await none.post('/v2/sys/staff/user/exportTask', request)).code).toBe(10010003)
    const id = await plant({ staffId: 'none', status: 'waiting' })
    const task = await waitFor(id, ['failed'], none)
    expect(task.message).toBe('暂无权限，请联系管理员')
    expect((await none.get(`${BASE}/${id}/file`)).code).toBe(10010007)
  })

  it('stops a task that is not over, and not one that is', async () => {
    const id = await plant({ status: 'running' })
    expect((await wang.post(`${BASE}/${id}/cancel`)).code).toBe(0)
    expect((await taskOf(wang, id)).status).toBe('cancelled')
    expect((await wang.post(`${BASE}/${id}/cancel`)).code).toBe(10010007)
  })

  it('takes up what a dead gateway left, and gives up after some attempts', async () => {
    const id = await plant({ status: 'running', silent: 60 })
    expect((await waitFor(id, ['done'])).rows).toBe(4)
    const hopeless = await plant({ status: 'running', silent: 60, attempt: 3 })
    expect((await waitFor(hopeless, ['failed'])).message).toContain('多次被中断')
    const alive = await plant({ status: 'running', silent: 5 })
    await sleep(300)
    expect((await taskOf(wang, alive)).status).toBe('running')
    await wang.post(`${BASE}/${alive}/cancel`)
  })

  it('hands out no file that shows what its owner may not see any more', async () => {
    const { database, directory } = test.gateway
    const id = await begin(wang)
    await waitFor(id, ['done'])
    const role = async (column: string, value: string): Promise<void> => {
      await database.query(`update sys_role set ${column} = $1::jsonb where code = 'role-S0042'`, [value])
      directory.forget('*')
    }
    const fetched = async () => read(await wang.raw('GET', `${BASE}/${id}/file`))
    const { rows } = await database.query<{ keys: string[] }>(
      `select button_keys as keys from sys_role where code = 'role-S0042'`,
    )
    await role('field_rules', '{"sys.staff.email":"hide"}')
    const hidden = await fetched()
    expect([hidden.code, hidden.msg]).toEqual([10010003, expect.stringContaining('请重新导出')])
    const anew = await begin(wang)
    await waitFor(anew, ['done'])
    expect(await (await wang.raw('GET', `${BASE}/${anew}/file`)).text()).not.toContain('邮箱')
    await role('button_keys', '[]')
    expect((await read(await wang.raw('GET', `${BASE}/${anew}/file`))).code).toBe(10010003)
    await role('field_rules', '{}')
    await role('button_keys', JSON.stringify(rows[0]!.keys))
    expect((await wang.raw('GET', `${BASE}/${id}/file`)).headers.get('content-disposition')).toMatch(/^attachment/)
  })

  it('keeps a file for seven days', async () => {
    const id = await begin(wang)
    await waitFor(id, ['done'])
    test.clock.forward(7 * 86_400 - 60)
    await test.gateway.downloads.sweep()
    wang = await test.signIn('S0042')
    expect((await wang.raw('GET', `${BASE}/${id}/file`)).headers.get('content-disposition')).not.toBeNull()
    test.clock.forward(120)
    await test.gateway.downloads.sweep()
    expect((await taskOf(wang, id)).status).toBe('expired')
    expect((await read(await wang.raw('GET', `${BASE}/${id}/file`))).msg).toContain('已过期')
  })

  it('takes twenty unfinished tasks of one person at most, and says so with 429', async () => {
    for (let count = 0; count < 20; count += 1) await plant({ status: 'running' })
    const refused = await wang.post<{ reason: string }>('/v2/sys/staff/user/exportTask', request)
    expect([refused.status, refused.data.reason]).toEqual([429, 'tooMany'])
    expect(refused.msg).toContain('20')
    await test.gateway.database.query(`delete from sys_download_task where status = 'running'`)
  })

  it('gives a double click one task', async () => {
    const post = () =>
      wang.post<{ taskId: string }>('/v2/sys/staff/user/exportTask', request, { 'idempotency-key': 'export-twice-1' })
    const [first] = [await post()]
    expect((await post()).data.taskId).toBe(first.data.taskId)
  })
})

describe('imports of more than 500 rows', () => {
  /** A staff file; the last `faulty` rows have no name. */
  const staffFile = (prefix: string, count: number, faulty = 0): FormData => {
    const lines = Array.from({ length: count }, (_, index) =>
      [`${prefix}${index}`, index >= count - faulty ? '' : `员工${index}`, 'HQ', '销售'].join(),
    )
    const form = new FormData()
    form.append('file', new Blob([['工号,姓名,主部门,岗位', ...lines].join('\n')]), '新员工.csv')
    return form
  }
  const upload = async (form: FormData): Promise<Record<string, unknown>> => {
    const answer = await read<Record<string, unknown>>(
      await wang.raw('POST', `${IMPORT}/preview?page=/setModule/authManage/user`, { method: 'POST', body: form }),
    )
    expect(answer.msg).toBe('OK')
    return answer.data
  }
  const uploads = async (): Promise<number> => {
    const { rows } = await test.gateway.database.query(`select 1 from sys_download_task where request ? 'upload'`)
    return rows.length
  }

  it('answers a small file in the call, and checks and saves a large one as one task that can be found again', async () => {
    expect(await upload(staffFile('SMALL', 3))).toMatchObject({ total: 3, valid: 3 })
    const { taskId } = (await upload(staffFile('BIG', 508, 4))) as { taskId: string }
    const checked = await waitFor(taskId, ['checked', 'failed'])
    expect(checked).toMatchObject({
      status: 'checked',
      kind: 'import',
      name: '员工导入 新员工',
      page: '/setModule/authManage/user',
      rows: 504,
      refusedRows: 4,
    })
    expect(await uploads()).toBe(0)
    expect((await wang.get(`${IMPORT}/${taskId}`)).data).toMatchObject({ importId: taskId, total: 508, valid: 504, result: null })
    expect((await (await test.signIn('S0043')).get(`${IMPORT}/${taskId}`)).code).toBe(10010003)

    const commit = (body: object, key?: string) =>
      wang.post<{ taskId: string }>(`${IMPORT}/commit`, { importId: taskId, ...body }, key ? { 'idempotency-key': key } : {})
    expect((await commit({ skipFaulty: false })).code).toBe(10010013)
    const answers = [await commit({ skipFaulty: true }, 'commit-twice-1'), await commit({ skipFaulty: true }, 'commit-twice-1')]
    expect(answers.map(({ data }) => data)).toEqual([{ taskId }, { taskId }])
    const done = await waitFor(taskId, ['done', 'failed'])
    expect(done).toMatchObject({ status: 'done', rows: 504, refusedRows: 4, progress: 1 })
    const { rows } = await test.gateway.database.query(`select 1 from sys_staff where job_number like 'BIG%'`)
    expect(rows.length).toBe(504)
    expect((await wang.get(`${IMPORT}/${taskId}`)).data).toMatchObject({
      result: { created: 504, refusedTotal: 0, finished: true },
    })
    expect((await wang.raw('GET', `${BASE}/${taskId}/file`)).headers.get('content-disposition')).toMatch(/xlsx/)
    expect((await commit({ skipFaulty: true })).data).toMatchObject({ created: 504 })
  })

  it('goes on with a commit that a dead gateway left, and stops at once when it is cancelled', async () => {
    const { taskId } = (await upload(staffFile('LEFT', 510))) as { taskId: string }
    await waitFor(taskId, ['checked'])
    // 490 rows were saved before it died
    await test.gateway.database.query('delete from entity_import_row where import_id = $1 and row > 21', [taskId])
    await test.gateway.database.query(
      `update entity_import set result = '{"created": 490, "refusedTotal": 0, "finished": false}' where id = $1`,
      [taskId],
    )
    await test.gateway.database.query(
      `update sys_download_task set status = 'running', request = request || '{"step": "commit", "skipFaulty": true}' where id = $1`,
      [taskId],
    )
    await test.gateway.queue.send(test.gateway.database, 'downloads', [{ key: taskId }])
    const done = await waitFor(taskId, ['done', 'failed'])
    expect(done).toMatchObject({ status: 'done', rows: 510, refusedRows: 0 })
    const { rows } = await test.gateway.database.query(`select 1 from sys_staff where job_number like 'LEFT%'`)
    expect(rows.length).toBe(20)

    const other = (await upload(staffFile('STOP', 2_000))) as { taskId: string }
    await wang.post(`${BASE}/${other.taskId}/cancel`)
    expect((await taskOf(wang, other.taskId)).status).toBe('cancelled')
    expect(await uploads()).toBe(0)
    expect((await wang.get(`${IMPORT}/${other.taskId}`)).code).toBe(10010004)
  })

  it('says in the task why a large file was refused', async () => {
    const form = new FormData()
    const filler = Array.from({ length: 60_000 }, (_, index) => `X${index},员工${index},HQ`)
    form.append('file', new Blob([['工号,姓名,不存在的列', ...filler].join('\n')]), 'wrong.csv')
    const { taskId } = (await upload(form)) as { taskId: string }
    const task = await waitFor(taskId, ['failed'])
    expect(task.message).toContain('不存在的列')
  })
})
