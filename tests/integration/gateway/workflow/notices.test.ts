import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { EntityRecord } from '../../../../gateway/entities'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import { teller, type NoticeFacts } from '../../../../gateway/workflow/notices/tell'
import type { NoticeEvent } from '../../../../gateway/workflow/notices'
import { startGateway, type Caller, type TestGateway } from '../../../support/gateway'

const CALLS = '/v2/sys/staff/dingNotice'
interface Received {
  url: URL
  headers: IncomingHttpHeaders
  body: string
}
type Row = Record<string, unknown> & { id: string }

let test: TestGateway
let admin: Caller
let nobody: Caller
let server: Server
let hook: string
let received: Received[] = []
let answer: () => { status: number; body: string } = () => ({ status: 200, body: '{"errcode":0}' })
let instance: EntityRecord
let processId: string

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      received.push({ url: new URL(request.url ?? '/', hook), headers: request.headers, body })
      const { status, body: text } = answer()
      response.writeHead(status, { location: `${hook}/other` }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  test = await startGateway({ environment: { NOTICE_PRIVATE_NETWORKS: 'true' } })
  await test.addStaff({ id: 'admin', jobNumber: 'S0042', name: 'Ma', keys: ['wf:admin'] })
  await test.addStaff({ id: 'nobody', jobNumber: 'S0043', name: 'Lin' })
  ;[admin, nobody] = await Promise.all([test.signIn('S0042'), test.signIn('S0043')])
  processId = newId()
  const versionId = newId()
  const at = test.clock.now().toISOString()
  await work(async (entities) => {
    await entities.insertMany('wf.process', [
      { id: processId, code: 'tried', nameZh: '付款申请', nameEn: 'Payment', groupCode: 'money', state: 'enabled' },
    ])
    await entities.insertMany('wf.processVersion', [
      { id: versionId, processId, no: 1, document: '{}', hash: 'h', formHash: 'h', source: 'admin', publishedAt: at },
    ])
    const row = {
      id: newId(),
      code: 'FK202611230001',
      processId,
      versionId,
      applicantId: 'nobody',
      status: 'running',
      amount: '1234.5',
      currency: 'USD',
      urgency: 'normal',
    }
    await entities.insertMany('wf.instance', [row])
    instance = row
  })
})
afterAll(async () => {
  await test.close()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(async () => {
  received = []
  answer = () => ({ status: 200, body: '{"errcode":0}' })
  await work(async (entities) => {
    const services = await entities.list('wf.noticeService', {})
    await entities.changeMany('wf.noticeService', new Map(services.map(({ id }) => [String(id), { enabled: false }])))
  })
})

type Transact = TestGateway['gateway']['engine']['transaction']
const work = <Result>(todo: (...given: Parameters<Parameters<Transact>[1]>) => Promise<Result>): Promise<Result> =>
  test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), todo)
const tell = (event: NoticeEvent, facts: NoticeFacts = {}, of: EntityRecord = instance): Promise<void> => {
  const { engine } = test.gateway
  const notices = teller({ engine, timeZone: 'Asia/Shanghai', now: test.clock.now, origin: () => 'https://portal.example' })
  return work((_, tx) => notices.tell(tx, event, of, facts))
}
const service = async (more: object = {}): Promise<string> => {
  const saved = await admin.post<{ id: string }>(`${CALLS}/saveOrUpdateDingNotice`, {
    name: `Group ${newId()}`,
    kind: 'plain',
    address: `${hook}/robot?access_token=t`,
    events: ['wfTodo', 'wfEffectFail'],
    quiet: false,
    ...more,
  })
  expect(saved.msg).toBe('OK')
  return saved.data.id
}
const logOf = (serviceId: string): Promise<Row[]> =>
  work(
    async (entities) =>
      (await entities.list('wf.noticeLog', {
        where: [{ field: 'serviceId', operator: 'eq', value: serviceId }],
        sort: [
          { field: 'createdAt', order: 'asc' },
          { field: 'id', order: 'asc' },
        ],
      })) as Row[],
  )
const hurry = (): Promise<string[]> => test.gateway.queue.hurry(['outbox'])
const forward = (seconds: number): void => {
  test.clock.forward(seconds)
  onTestFinished(() => test.clock.forward(-seconds))
}
/** Turns the clock to a time of day in the company's zone. */
const at = (hour: number): void => {
  const now = test.clock.now()
  const day = new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
  const wanted = Date.parse(`${day}T${String(hour).padStart(2, '0')}:30:00+08:00`) + 86_400_000
  forward(Math.round((wanted - now.getTime()) / 1000))
}
const runDeadlines = async (): Promise<void> => {
  const { scheduler } = test.gateway
  await scheduler.runNow(scheduler.find('sys.deadlines')!, { dry: false, startedBy: null })
}

describe('the calls of chat notices', () => {
  it('POST saveOrUpdateDingNotice, GET getDingNoticeDetailById, POST pageDingNotice, POST enableDingNotice keep a notice and never tell its secret', async () => {
    const id = await service({ kind: 'dingTalk', secret: 'SEC-1', templates: { wfTodo: { zh: '{code} 等您' } } })
    const detail = await admin.get<Row>(`${CALLS}/getDingNoticeDetailById?id=${id}`)
    expect(detail.data).toMatchObject({
      id,
      hasSecret: true,
      enabled: true,
      templates: { wfTodo: { zh: '{code} 等您' } },
      log: [],
    })
    expect(detail.text).not.toContain('SEC-1')
    const begun = await admin.get<{ kinds: { code: string }[]; log: Row[] }>(`${CALLS}/getDingNoticeDetailById`)
    expect(begun.data).toMatchObject({
      kinds: [{ code: 'dingTalk' }, { code: 'feishu' }, { code: 'mail' }, { code: 'plain' }],
      log: [],
    })
    const gone = await service({ name: 'Gone' })
    await admin.post(`${CALLS}/testDingNotice?id=${gone}`)
    expect((await admin.get(`/v2/wf/noticeService/delete/${gone}`)).code).toBe(0)
    expect((await admin.post(`${CALLS}/testDingNotice?id=${gone}`)).code).toBe(10010004)
    expect(
      (
        await admin.post(`${CALLS}/saveOrUpdateDingNotice`, {
          id,
          name: 'Finance',
          kind: 'dingTalk',
          address: `${hook}/robot`,
          events: ['wfTodo'],
        })
      ).code,
    ).toBe(0)
    expect((await admin.get<Row>(`${CALLS}/getDingNoticeDetailById?id=${id}`)).data).toMatchObject({
      name: 'Finance',
      hasSecret: true,
    })
    const page = await admin.post<{ total: number; list: Row[] }>(`${CALLS}/pageDingNotice`, {
      pageNum: 1,
      pageSize: 10,
      keyword: 'Finance',
      event: 'wfTodo',
      enabled: true,
    })
    expect(page.data).toMatchObject({ total: 1, list: [{ id, name: 'Finance' }] })
    expect(page.text).not.toContain('SEC-1')
    for (const _ of [1, 2])
      expect((await admin.post(`${CALLS}/enableDingNotice?id=${id}&enable=false`)).data).toEqual({ id, enabled: false })
    expect((await admin.get<Row>(`${CALLS}/getDingNoticeDetailById?id=${id}`)).data.enabled).toBe(false)
    expect((await admin.post(`${CALLS}/enableDingNotice?id=none&enable=true`)).code).toBe(10010004)
  })

  it('are for administrators of approvals alone', async () => {
    const id = await service()
    for (const [method, path] of [
      ['POST', 'pageDingNotice'],
      ['POST', `enableDingNotice?id=${id}&enable=true`],
      ['GET', `getDingNoticeDetailById?id=${id}`],
      ['POST', `testDingNotice?id=${id}`],
    ] as const)
      expect([path, (await nobody.call(method, `${CALLS}/${path}`, method === 'POST' ? {} : undefined)).code]).toEqual([
        path,
        10010003,
      ])
    expect(received).toEqual([])
  })

  it('refuse addresses that are none, unknown events and unknown placeholders with the field', async () => {
    const wrong = await admin.post<{ errors: { field: string; message: string }[] }>(`${CALLS}/saveOrUpdateDingNotice`, {
      name: 'A',
      kind: 'plain',
      address: 'ftp://x',
      events: ['nothing'],
      templates: { wfTodo: { zh: '{codes}' } },
    })
    expect(wrong.code).toBe(10010005)
    expect(wrong.data.errors.map(({ field }) => field)).toEqual(['address', 'events', 'templates'])
  })

  it('POST testDingNotice says what the group answered, and keeps it in the log', async () => {
    const id = await service({ kind: 'dingTalk' })
    expect((await admin.post<Row>(`${CALLS}/testDingNotice?id=${id}`)).data).toMatchObject({ ok: true, status: 200 })
    answer = () => ({ status: 200, body: '{"errcode":310000,"errmsg":"sign not match"}' })
    expect((await admin.post<Row>(`${CALLS}/testDingNotice?id=${id}`)).data).toMatchObject({
      ok: false,
      error: '310000 sign not match',
    })
    expect((await logOf(id)).map(({ status, lastError }) => [status, lastError])).toEqual([
      ['done', null],
      ['failed', '310000 sign not match'],
    ])
    expect(JSON.parse(received[0]!.body)).toMatchObject({
      msgtype: 'markdown',
      markdown: { title: expect.stringContaining('测试') as string },
    })
  })
})

describe('what groups are told', () => {
  it('is sent after the commit with the facts of the application, four on the card, and a link that leads there', async () => {
    const id = await service({ language: 'both' })
    await tell('wfTodo', { taskId: 'task-1', due: '2026-11-24T02:00:00Z' })
    await expect.poll(async () => (await logOf(id))[0]?.status).toBe('done')
    const body = JSON.parse(received[0]!.body) as { title: string; text: string; facts: object[]; link: string }
    expect(body.title).toBe('【待审批】Lin 提交的 付款申请（FK202611230001），金额 1234.50 USD，请于 2026-11-24 10:00 前处理')
    expect(body.text).toBe('To decide: Payment (FK202611230001) from Lin, amount 1234.50 USD, by 2026-11-24 10:00')
    expect(body.facts).toHaveLength(4)
    expect(body.link).toBe(
      `https://portal.example/ddNotice?target=${encodeURIComponent('/general/process/my-agent/profile?taskId=task-1')}`,
    )
    expect((await admin.get<Row>(`${CALLS}/getDingNoticeDetailById?id=${id}`)).data.lastSentAt).not.toBeNull()
  })

  it('is not said when its transaction is undone, and not by a notice that is off, of other events, processes or people', async () => {
    const ids = [
      await service({ enabled: false }),
      await service({ events: ['wfAgreed'] }),
      await service({ receiverIds: ['admin'] }),
    ]
    await tell('wfTodo', { receiverIds: ['nobody'] })
    for (const id of ids) expect(await logOf(id)).toEqual([])
    const mine = await service({ processIds: [processId], receiverIds: ['nobody'] })
    const undone = work(async (_, tx) => {
      await teller({ engine: test.gateway.engine, timeZone: 'UTC', now: test.clock.now, origin: () => '' }).tell(
        tx,
        'wfTodo',
        instance,
        { receiverIds: ['nobody'] },
      )
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await hurry()
    expect([await logOf(mine), received]).toEqual([[], []])
    await tell('wfTodo', { receiverIds: ['nobody', 'admin'] })
    await expect.poll(async () => (await logOf(mine))[0]?.status).toBe('done')
  })

  it('is signed: DingTalk in the address, Feishu in the body, others in the head', async () => {
    const [ding, lark, plain] = [
      await service({ kind: 'dingTalk', secret: 'SEC-a' }),
      await service({ kind: 'feishu', secret: 'SEC-b', address: `${hook}/lark` }),
      await service({ kind: 'plain', secret: 'SEC-c', address: `${hook}/plain` }),
    ]
    answer = () => ({ status: 200, body: '{"code":0}' })
    await tell('wfTodo')
    for (const id of [ding, lark, plain]) await expect.poll(async () => (await logOf(id))[0]?.status).toBe('done')
    const of = (path: string): Received => received.find(({ url }) => url.pathname === path)!
    const query = of('/robot').url.searchParams
    const timestamp = query.get('timestamp')!
    expect(query.get('access_token')).toBe('t')
    expect(query.get('sign')).toBe(createHmac('sha256', 'SEC-a').update(`${timestamp}\nSEC-a`).digest('base64'))
    const body = JSON.parse(of('/lark').body) as { timestamp: string; sign: string }
    expect(body.sign).toBe(createHmac('sha256', `${body.timestamp}\nSEC-b`).update('').digest('base64'))
    const { headers, body: text } = of('/plain')
    expect(headers['x-signature']).toBe(
      createHmac('sha256', 'SEC-c')
        .update(`${String(headers['x-timestamp'])}.${text}`)
        .digest('hex'),
    )
    expect(received.map(({ body: sent }) => sent).join()).not.toContain('SEC-')
    const { rows } = await test.gateway.database.query<{ secrets: number }>(
      `select count(*)::int as secrets from sys_outbox where given::text like '%SEC-%'`,
    )
    expect(rows[0]?.secrets).toBe(0)
  })
})

describe('delivery', () => {
  it('is tried again after 1, 5 and 15 minutes with the same key, then failed with the error; an administrator sends it again', async () => {
    const id = await service()
    answer = () => ({ status: 503, body: 'busy' })
    await tell('wfTodo')
    await expect.poll(() => received.length).toBe(1)
    for (const [minutes, times] of [
      [1, 2],
      [5, 3],
      [15, 4],
    ] as const) {
      await expect.poll(async () => (await logOf(id))[0]?.nextAttemptAt).not.toBeNull()
      forward(minutes * 60 - 20)
      await hurry()
      expect(received.length).toBe(times - 1)
      forward(25)
      await hurry()
      expect(received.length).toBe(times)
    }
    const [row] = await logOf(id)
    expect(row).toMatchObject({ status: 'failed', attempts: 4, lastError: 'HTTP 503: busy' })
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect((await admin.get<Row>(`${CALLS}/getDingNoticeDetailById?id=${id}`)).data.lastError).toBe('HTTP 503: busy')
    answer = () => ({ status: 200, body: 'ok' })
    expect((await admin.post('/v2/wf/noticeLog/stateUpdate', { ids: [row!.id], transition: 'retry' })).msg).toBe('OK')
    await expect.poll(async () => (await logOf(id))[0]?.status).toBe('done')
  })

  it('follows no redirection', async () => {
    const id = await service()
    answer = () => ({ status: 302, body: '' })
    await tell('wfTodo')
    await expect.poll(async () => (await logOf(id))[0]?.lastError).toContain('HTTP 302')
    expect(received).toHaveLength(1)
  })

  it('waits for the end of quiet hours, unless it is urgent', async () => {
    const id = await service({ quiet: true })
    at(23)
    await tell('wfTodo')
    await tell('wfEffectFail', { error: 'The balance does not cover it.' })
    await expect
      .poll(async () => (await logOf(id)).map(({ event, status }) => `${String(event)} ${String(status)}`).sort())
      .toEqual(['wfEffectFail done', 'wfTodo waiting'])
    const waiting = (await logOf(id)).find(({ status }) => status === 'waiting')!
    expect(new Date(Date.parse(String(waiting.notBefore)) + 8 * 3_600_000).toISOString().slice(11, 16)).toBe('08:00')
    expect(received).toHaveLength(1)
    forward(9 * 3_600)
    await runDeadlines()
    await expect.poll(async () => (await logOf(id)).map(({ status }) => status)).toEqual(['done', 'done'])
  })

  it('says the same event of an application once in its interval, and no more than a robot takes in a minute', async () => {
    const id = await service({ throttleMin: 30 })
    await tell('wfTodo')
    await tell('wfTodo')
    forward(31 * 60)
    await tell('wfTodo')
    const log = await logOf(id)
    expect(log.map(({ status }) => status === 'skipped')).toEqual([false, true, false])
    expect(log[1]!.lastError).toContain('once in 30 minutes')
    const busy = await service()
    for (let count = 0; count < 22; count += 1) await tell('wfTodo')
    expect((await logOf(busy)).filter(({ notBefore }) => notBefore !== null)).toHaveLength(2)
  })

  it('does not go into private networks unless an operator allows it', async () => {
    const { deliver } = await import('../../../../gateway/workflow/notices/deliver')
    const id = await service()
    const payload = { event: 'wfTodo', title: 't', text: '', facts: [], link: '', at: '' }
    const options = { now: new Date(), allowPrivate: false, signal: AbortSignal.timeout(5_000), key: 'k' }
    await expect(deliver(test.gateway.engine, id, payload, options)).rejects.toThrow('NOTICE_PRIVATE_NETWORKS')
    expect(received).toEqual([])
  })
})

describe('a notice by mail', () => {
  const SYSTEM = 'notices@portal.example'
  const TEAM = 'team@portal.example'
  beforeAll(() =>
    work(async (entities) => {
      for (const [address, kind] of [
        [SYSTEM, 'system'],
        [TEAM, 'shared'],
      ])
        await entities.save('mail.account', { address, kind, displayName: kind, transport: 'local' })
    }),
  )
  const arrived = async () =>
    (
      await test.gateway.database.query<{ sender: string; subject: string; html: string }>(
        `select m.sender_email as sender, m.subject, m.html_body as html from mail_message m join mail_account a on a.id = m.account_id
         where a.address = $1 and m.direction = 'in' order by m.created_at desc, m.id desc`,
        [TEAM],
      )
    ).rows

  it('reaches its addresses with the facts and the link, and nothing of it is read as HTML', async () => {
    const id = await service({ kind: 'mail', address: TEAM })
    await tell('wfCommentAt', { by: { zh: '<b>李</b>', en: 'Li' }, text: 'x', taskId: 't1' })
    await tell('wfTodo', { by: { zh: '<b>李</b>', en: 'Li' }, taskId: 't1' })
    await expect.poll(async () => (await logOf(id))[0]?.status, { timeout: 20_000 }).toBe('done')
    const [mail, ...more] = await arrived()
    expect(more).toEqual([])
    expect(mail!.sender).toBe(SYSTEM)
    expect(mail!.subject).toContain('FK202611230001')
    expect(mail!.html).toContain('1,234.50 USD'.replace(',', ''))
    expect(mail!.html).toContain('https://portal.example/ddNotice?target=')
    expect(received).toEqual([])
  })

  it('is tried by a button, which says that it was sent or why it was not', async () => {
    const id = await service({ kind: 'mail', address: TEAM })
    expect((await admin.post<Row>(`${CALLS}/testDingNotice?id=${id}`)).data).toMatchObject({ ok: true, error: null })
    expect((await arrived())[0]!.subject).toContain('【测试】')
    const far = await service({ kind: 'mail', address: 'somebody@far.example' })
    const { data } = await admin.post<Row>(`${CALLS}/testDingNotice?id=${far}`)
    expect(data).toMatchObject({ ok: false })
    expect(data.error).toContain('somebody@far.example is not connected')
  })

  it('names addresses that are none', async () => {
    const wrong = await admin.post<{ errors: { field: string; message: string }[] }>(`${CALLS}/saveOrUpdateDingNotice`, {
      ...{ name: 'A', kind: 'mail', address: `${TEAM}, nobody@`, events: ['wfTodo'] },
    })
    expect([wrong.code, wrong.data.errors.map(({ field }) => field)]).toEqual([10010005, ['address']])
  })
})
