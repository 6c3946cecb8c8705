import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { read, startGateway } from '../../../support/gateway'
import type { Caller, TestGateway } from '../../../support/gateway'

interface Task {
  id: string
  status: string
  progress: number
  rows: number | null
  fileName: string
  message: string | null
  expiresAt: string | null
}

const BASE = '/v2/download/downloadCenter/api/task'
const KEY = 'setModule:authManage:user:export'
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
  await test.addStaff({ id: 'wang', jobNumber: 'S0042', name: '=王伟', keys: [KEY] })
  await test.addStaff({ id: 'li', jobNumber: 'S0043', keys: [KEY] })
  wang = await test.signIn('S0042')
  li = await test.signIn('S0043')
})
afterAll(() => test.close())

const begin = async (caller: Caller) =>
  (await caller.post<{ taskId: string }>('/v2/sys/staff/user/exportTask', request)).data.taskId
const taskOf = async (caller: Caller, id: string) => (await caller.get<Task>(`${BASE}/${id}`)).data
async function waitFor(id: string, statuses: readonly string[], caller = wang): Promise<Task> {
  for (let count = 0; count < 200; count += 1) {
    const task = await taskOf(caller, id)
    if (statuses.includes(task.status)) return task
    await sleep(50)
  }
  throw new Error(`the task ${id} did not become ${statuses.join(' or ')}`)
}
/** A task that waits and is not begun by the centre: its turn is in the future of the queue. */
async function plant(values: {
  id?: string
  staffId?: string
  status: string
  heartbeat?: string
  attempts?: number
}): Promise<string> {
  const id = values.id ?? newId()
  await test.gateway.database.query(
    `insert into sys_download_task (id, created_at, updated_at, version, staff_id, created_by, entity, name, status, progress, format, request, heartbeat_at)
     values ($1, now(), now(), 1, $2, $2, 'sys.staff', '员工', $3, 0, 'csv', $4::jsonb, now() - $5::interval)`,
    [
      id,
      values.staffId ?? 'wang',
      values.status,
      JSON.stringify({ ...request, locale: 'zh', traceId: 'trace-planted', attempts: values.attempts ?? 1 }),
      values.heartbeat ?? '0 seconds',
    ],
  )
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
    const id = await plant({ status: 'running', heartbeat: '31 seconds' })
    expect((await waitFor(id, ['done'])).rows).toBe(4)
    const hopeless = await plant({ status: 'running', heartbeat: '31 seconds', attempts: 3 })
    expect((await waitFor(hopeless, ['failed'])).message).toContain('多次被中断')
    const alive = await plant({ status: 'running', heartbeat: '5 seconds' })
    await sleep(300)
    expect((await taskOf(wang, alive)).status).toBe('running')
    await wang.post(`${BASE}/${alive}/cancel`)
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

  it('takes ten unfinished tasks of one person at most', async () => {
    for (let count = 0; count < 10; count += 1) await plant({ status: 'running' })
    expect((await wang.post<{ reason: string }>('/v2/sys/staff/user/exportTask', request)).data.reason).toBe('tooMany')
    await test.gateway.database.query(`delete from sys_download_task where status = 'running'`)
  })

  it('gives a double click one task', async () => {
    const post = () =>
      wang.post<{ taskId: string }>('/v2/sys/staff/user/exportTask', request, { 'idempotency-key': 'export-twice-1' })
    const [first] = [await post()]
    expect((await post()).data.taskId).toBe(first.data.taskId)
  })
})
