import { EventSourceParserStream } from 'eventsource-parser/stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../gateway/platform/http'
import { notify, type Notice } from '../../../gateway/todos'
import { gatewayDatabase, type TestDatabase } from '../testDatabase'
import { Caller, startGateway, type TestGateway } from '../../support/gateway'

interface Shown {
  id: string
  title: string
  matter: string
  link: string | null
  from: string | null
  read: boolean
}

let shared: TestDatabase
let a: TestGateway
let b: TestGateway
let wang: Caller
let li: Caller
beforeAll(async () => {
  shared = await gatewayDatabase()
  const options = { environment: { DATABASE_URL: shared.url } }
  a = await startGateway(options)
  b = await startGateway(options)
  await a.addStaff({ id: 'wang', jobNumber: 'T0042', name: '王伟' })
  await a.addStaff({ id: 'li', jobNumber: 'T0043', name: '李娜' })
  wang = await a.signIn('T0042')
  li = await a.signIn('T0043')
})
afterAll(async () => {
  await Promise.all([a.close(), b.close()])
  await shared.drop()
})

/** An open browser tab: everything that it is told. */
async function tab(gateway: TestGateway, caller: Caller, language = 'en') {
  const abort = new AbortController()
  const headers = { authorization: `Bearer ${caller.token}`, 'accept-language': language }
  const response = await fetch(`${gateway.base}/v2/sys/mc/sse/connection`, { headers, signal: abort.signal })
  const events: { event: string; [name: string]: unknown }[] = []
  const reader = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
  const follow = async (): Promise<void> => {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      events.push(JSON.parse(value.data) as { event: string })
    }
  }
  follow().catch(() => undefined)
  await expect.poll(() => events.length).toBe(1)
  return { events, told: () => events.slice(1), close: () => abort.abort() }
}

const BASE = '/v2/sys/mc/message'
let count = 0
const notice = (more: Partial<Notice> = {}): Notice => {
  count += 1
  return {
    staffId: 'wang',
    kind: 'notice',
    title: { zh: `事项 ${count}`, en: `Matter ${count}` },
    link: `/home?n=${count}`,
    key: `test/${count}`,
    ...more,
  }
}
const say = (...notices: Notice[]): Promise<unknown> =>
  a.gateway.engine.transaction(systemContext(), (_entities, tx) => notify(tx, notices, new Date()))
const listOf = async (caller: Caller, body: object = {}) =>
  (
    await caller.post<{ records: Shown[]; total: number; next: string | null }>(`${BASE}/query/home/message/list`, body, {
      'accept-language': 'en',
    })
  ).data
const unreadOf = async (caller: Caller) => (await caller.get<{ unread: number }>(`${BASE}/getMsgTypeCount`)).data.unread
const todos = async (): Promise<number> =>
  (await shared.database.query(`select 1 from sys_todo where unique_key like 'test/%'`)).rowCount

describe('a message', () => {
  it('is pushed to every open tab of its receiver on every gateway, in the language of each, and to nobody else (R158, R225)', async () => {
    const tabs = [await tab(a, wang), await tab(b, new Caller(b.base, wang.token), 'zh')]
    const other = await tab(b, new Caller(b.base, li.token))
    await say(notice({ todo: false, senderId: 'li' }))
    for (const { told } of tabs) await expect.poll(told).toHaveLength(1)
    const [first] = (await listOf(wang)).records
    expect(first).toMatchObject({ title: 'Matter 1', matter: 'Notice', from: '李娜 (T0043)', link: '/home?n=1', read: false })
    const pushed = { event: 'message', msgId: first?.id, msgType: 7, msgFillAfterVar: [] }
    expect(tabs.map(({ told }) => told())).toEqual([
      [{ ...pushed, msgContentTemplate: 'Notice' }],
      [{ ...pushed, msgContentTemplate: '通知' }],
    ])
    expect((await wang.get(`${BASE}/thereAreUnreadMessages`)).data).toBe(true)
    expect((await li.get(`${BASE}/thereAreUnreadMessages`)).data).toBe(false)
    expect(other.told()).toEqual([])
    expect(await todos()).toBe(0)

    // read in one tab, read in the others (R327)
    const answer = await wang.post(`${BASE}/changeMsgStatusByMsgId?msgId=${first?.id}`)
    expect(answer.data).toEqual({ unread: 0 })
    for (const { told } of tabs) await expect.poll(told).toHaveLength(2)
    expect(tabs.map(({ told }) => told()[1])).toEqual([{ event: 'messageRead' }, { event: 'messageRead' }])
    expect(other.told()).toEqual([])
    expect((await listOf(wang)).records[0]?.read).toBe(true)
    for (const one of [...tabs, other]) one.close()
  })

  it('is nobody else’s to see, to read or to change', async () => {
    await say(notice())
    const [own] = (await listOf(wang)).records
    expect((await li.post(`${BASE}/changeMsgStatusByMsgId?msgId=${own?.id}`)).code).toBe(10010004)
    expect((await li.post<{ unread: number }>(`${BASE}/query/home/message/change/status`, { ids: [own?.id] })).code).toBe(0)
    expect(await unreadOf(wang)).toBe(1)
    expect((await listOf(li)).total).toBe(0)
    const changed = await wang.post('/v2/sys/message/stateUpdate', {
      ids: [own?.id],
      transition: 'read',
      values: { titleEn: 'x' },
    })
    expect(changed.code).not.toBe(0)
    expect((await wang.post('/v2/sys/message/save', { id: own?.id, titleEn: 'x' })).status).toBe(404)
    expect(await todos()).toBe(1)
  })

  it('goes with a write that fails, and is said once for one key', async () => {
    const failing = a.gateway.engine.transaction(systemContext(), async (_entities, tx) => {
      await notify(tx, [notice({ key: 'test/gone' })], new Date())
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    const before = (await listOf(wang)).total
    await say(notice({ key: 'test/once' }))
    await say(notice({ key: 'test/once' }))
    expect((await listOf(wang)).total).toBe(before + 1)
  })

  it('stands for more than twenty alike of one write, says how many, and leads to their list', async () => {
    const many = Array.from({ length: 25 }, () => notice({ kind: 'recycled', todo: false, list: '/crm/client-partner/open-sea' }))
    const before = (await listOf(wang)).total
    await say(...many, notice({ kind: 'decide', todo: false }))
    const { records, total } = await listOf(wang)
    expect(total).toBe(before + 2)
    expect(records.find(({ matter }) => matter === 'Recycled')).toMatchObject({
      title: `${many[0]?.title.en} (and 24 more)`,
      link: '/crm/client-partner/open-sea',
    })
  })

  it('is listed page by page, the unread ones alone if asked, and all are read at once', async () => {
    const first = await listOf(wang, { pageSize: 2 })
    expect(first.records).toHaveLength(2)
    const second = await listOf(wang, { pageSize: 2, cursor: first.next })
    expect(second.records[0]?.id).not.toBe(first.records[1]?.id)
    const unread = await unreadOf(wang)
    expect((await listOf(wang, { unread: true })).total).toBe(unread)
    const one = await tab(b, new Caller(b.base, wang.token))
    expect((await wang.post(`${BASE}/query/home/message/change/status`)).data).toEqual({ unread: 0 })
    await expect.poll(one.told).toEqual([{ event: 'messageRead' }])
    one.close()
    expect(await listOf(wang, { unread: true })).toMatchObject({ records: [], total: 0 })
  })

  it('is kept 180 days', async () => {
    const kept = a.gateway.engine.model('sys.message').document['x-deadlines']
    expect(kept).toMatchObject([{ at: 'createdAt', plus: 'P180D', delete: true }])
  })
})
