import { setTimeout as sleep } from 'node:timers/promises'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_PASSWORD } from '../../../gateway/world'
import { startGateway, type Caller, type TestGateway } from '../../support/gateway'

/** Reports as files: what somebody would see on the page, by his rights, at once or on a schedule. */

const TASKS = '/v2/download/downloadCenter/api/task'
const SAVED = '/v2/sys/report/saved'
const REPORT = '/reportAnalysis/sms/report'

interface Task {
  id: string
  status: string
  message: string | null
  name: string
}
interface Saved {
  id: string
  name: string
  madeAt: string | null
  failure: string | null
  frequency: string
}
type Cell = string | number | null

let test: TestGateway
let chief: Caller
let seller: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  chief = await test.signIn('S0001', DEMO_PASSWORD)
  seller = await test.signIn('S0010', DEMO_PASSWORD)
})
afterAll(() => test.close())

const ended = async (caller: Caller, id: string): Promise<Task> => {
  for (let count = 0; count < 600; count += 1) {
    const { data } = await caller.get<Task>(`${TASKS}/${id}`)
    if (!['waiting', 'running'].includes(data.status)) return data
    await sleep(50)
  }
  throw new Error(`the task ${id} did not end`)
}

const XML: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
const plain = (text: string): string => text.replace(/&(amp|lt|gt|quot);/g, (entity) => XML[entity]!)

/** The sheets of a workbook by name, rows of cells. */
const sheetsOf = async (caller: Caller, id: string): Promise<Readonly<Record<string, readonly (readonly Cell[])[]>>> => {
  const file = await caller.raw('GET', `${TASKS}/${id}/file`)
  const parts = unzipSync(new Uint8Array(await file.arrayBuffer()))
  const names = [...strFromU8(parts['xl/workbook.xml']!).matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => plain(name!))
  const cells = (row: string): Cell[] =>
    [...row.matchAll(/<c [^>]*?(?:\/>|>(?:<is><t[^>]*>([^<]*)<\/t><\/is>|<v>([^<]*)<\/v>)<\/c>)/g)].map(([, text, value]) =>
      text !== undefined ? plain(text) : value === undefined ? null : Number(value),
    )
  return Object.fromEntries(
    names.map((name, index) => {
      const sheet = strFromU8(parts[`xl/worksheets/sheet${index + 1}.xml`]!)
      return [name, [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row]) => cells(row!))]
    }),
  )
}

const asFile = async (caller: Caller, path: string, search = '') => {
  const { data, code, msg } = await caller.post<{ taskId: string } | null>('/v2/sys/report/export', { path, search })
  return { code, msg, task: code === 0 ? await ended(caller, data!.taskId) : null }
}

describe('a report as a file', () => {
  it('says what it is of, and has the numbers of the page in sheets of its blocks', async () => {
    const { task } = await asFile(chief, REPORT)
    expect(task).toMatchObject({ status: 'done' })
    const sheets = await sheetsOf(chief, task!.id)
    const about = sheets['说明']!
    expect(about[0]![0]).toBe('报表')
    expect(about.flat()).toContain('Asia/Shanghai')
    const [from, to] = /(\d{4}-\d{2}-\d{2}) – (\d{4}-\d{2}-\d{2})/.exec(about.flat().join(' '))!.slice(1)
    const { data } = await chief.post<{ rows: { measures: Record<string, string> }[] }>('/v2/rpt/smsHour/aggregate', {
      where: [{ field: 'day', operator: 'between', value: [from, to] }],
      measures: [{ id: 'sent', sum: 'sent' }],
    })
    const figures = Object.values(sheets).flatMap((rows) => rows.filter(([title]) => title === '发送' || title === '发送量'))
    expect(Object.keys(sheets).length).toBeGreaterThan(3)
    expect(
      figures.some(([, value]) => value === Number(data.rows[0]!.measures.sent)),
      JSON.stringify(figures),
    ).toBe(true)
  })

  it('is made with the filters of the address, in the language and by the rights of its reader', async () => {
    const everything = await asFile(chief, '/reportAnalysis/content-statistics')
    const otp = await asFile(chief, '/reportAnalysis/content-statistics', 'f.category=in%3Aotp')
    const sum = async (id: string): Promise<number> => {
      const totals = (await sheetsOf(chief, id))['概览']!
      return Number(totals.find(([title]) => title === '条数')?.[1] ?? Number.NaN)
    }
    const [all, some] = [await sum(everything.task!.id), await sum(otp.task!.id)]
    expect(some).toBeGreaterThan(0)
    expect(some).toBeLessThan(all)
    const own = await asFile(seller, REPORT)
    expect(own.task).toMatchObject({ status: 'done' })
    const sheets = await sheetsOf(seller, own.task!.id)
    // sales see no cost, in files neither
    expect(JSON.stringify(sheets)).not.toMatch(/成本（|利润率/)
    expect((await seller.get(`${TASKS}/${everything.task!.id}/file`)).code).toBe(10010004)
  })

  it('is refused where the page would be', async () => {
    expect(await asFile(seller, '/financial/financial-erp/none')).toMatchObject({ code: 10010004 })
    expect(await asFile(seller, '/crm/client-partner/my-client')).toMatchObject({ code: 10010004 })
    expect(await asFile(seller, '/reportAnalysis/profit-withdrawal')).toMatchObject({ code: 10010003 })
  })
})

describe('a saved report', () => {
  const list = async (caller: Caller) =>
    (await caller.get<{ records: Saved[] }>(`${SAVED}?path=${encodeURIComponent(REPORT)}`)).data.records
  const save = (caller: Caller, values: object) => caller.post<Saved | null>(SAVED, values)

  it('is its owner’s alone, and has a name of its own', async () => {
    const kept = { path: REPORT, search: 'f.product=sms', name: '短信日报', frequency: 'none', language: 'zh' }
    expect(await save(chief, kept)).toMatchObject({ code: 0 })
    expect((await save(chief, kept)).code).toBe(10010008)
    expect(await list(seller)).toEqual([])
    const [mine] = await list(chief)
    expect(mine).toMatchObject({ name: '短信日报', madeAt: null })
    expect((await save(seller, { id: mine!.id, name: '别人的' })).code).toBe(10010004)
    expect((await seller.post(`${SAVED}/delete`, { id: mine!.id })).code).toBe(10010004)
    expect(await save(seller, { path: 'javascript:alert(1)', name: 'x' })).toMatchObject({ code: 10010005 })
  })

  it('on a schedule becomes a file every morning once, with a message; where it is closed now, its owner reads why', async () => {
    const { scheduler } = test.gateway
    const mine = (await list(chief)).find(({ name }) => name === '短信日报')
    await save(chief, { id: mine!.id, frequency: 'daily' })
    // filters that are longer than a link
    const many = Array.from({ length: 60 }, (_, index) => `customer-${index}`).join('%2C')
    expect(
      await save(chief, { path: REPORT, name: '多客户', search: `f.customerId=in%3A${many}`, frequency: 'daily' }),
    ).toMatchObject({ code: 0 })
    await save(seller, { path: '/reportAnalysis/profit-withdrawal', name: 'Withdrawals', frequency: 'daily', language: 'en' })
    await scheduler.runDue()
    const tasksOf = async (caller: Caller) =>
      (await caller.post<{ records: Task[] }>(`${TASKS}/queryPage`, { keyword: '短信日报' })).data.records
    const before = (await tasksOf(chief)).length
    test.clock.forward(24 * 3600)
    ;[chief, seller] = await Promise.all([test.signIn('S0001', DEMO_PASSWORD), test.signIn('S0010', DEMO_PASSWORD)])
    await scheduler.runDue()
    const made = await tasksOf(chief)
    expect(made.length).toBe(before + 1)
    expect(await ended(chief, made[0]!.id)).toMatchObject({ status: 'done' })
    await scheduler.runDue()
    expect((await tasksOf(chief)).length).toBe(before + 1)
    const messages = await chief.post<{ records: { title: string; link: string }[] }>('/v2/sys/message/queryPage', {
      pageSize: 5,
    })
    expect(messages.data.records.find(({ title }) => title.includes('多客户'))?.link).toBe(REPORT)
    const told = messages.data.records.find(({ title }) => title.includes('短信日报'))
    expect(told?.link).toBe(`${REPORT}?f.product=sms`)
    const [refused] = (await seller.get<{ records: Saved[] }>(`${SAVED}?path=/reportAnalysis/profit-withdrawal`)).data.records
    expect(refused!.madeAt).toBeNull()
    expect(refused!.failure).toMatch(/permission|may not/i)
  })
})
