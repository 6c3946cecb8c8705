import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../../gateway/platform/http'
import type { Caller, TestGateway } from '../../../../support/gateway'
import { openCompany } from '../fin/books'

type Row = Record<string, unknown> & { id: string }

const MINUTE = 60_000
let test: TestGateway
let operator: Caller
let seller: Caller
const ago = (minutes: number): string => new Date(test.clock.now().getTime() - minutes * MINUTE).toISOString()

beforeAll(async () => {
  ;({ test } = await openCompany())
  const keys = [
    'biz:record:view',
    'biz:record:import',
    'biz:content:view',
    'biz:queue:operate',
    'biz:voiceTask:edit',
    'biz:gateway:view',
    'qm:cost:view',
    'crm:customer:viewProfit',
  ]
  const menus = ['voiceRecordQuery', 'apiQueueManage', 'voiceTaskManagement'].map((menu) => `businessInquiry:${menu}`)
  await test.addStaff({ id: 'op', jobNumber: 'T1', keys, menus, scopes: { '*': ['all'] } })
  await test.addStaff({ id: 'seller', jobNumber: 'T2', keys: ['biz:record:view'], menus, scopes: { '*': ['all'] } })
  ;[operator, seller] = await Promise.all([test.signIn('T1'), test.signIn('T2')])
  const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
  const since = { effectiveFrom: '2026-01-01T00:00:00.000Z', effectiveTo: null, status: 'active', source: 'opening' }
  const rate = (accountId: string, rateKey: string, price: string | null, more: object = {}) => ({
    ...{ ...stamp, ...since, id: `${accountId} ${rateKey}`, rateKey, price, accountId, customerId: `c-${accountId}` },
    ...{ product: rateKey.split('|')[0], currency: 'USD', billingMode: 'sent', unit: 'minute' },
    ...more,
  })
  const cost = (rateKey: string, price: string, more: object = {}) => ({
    ...{ ...stamp, ...since, id: `S01 ${rateKey}`, rateKey, price, supplierAccountId: 'S01', supplierId: 'sp1' },
    ...{ product: rateKey.split('|')[0], currency: 'EUR', billingMode: 'sent' },
    ...more,
  })
  await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
    await entities.insertMany('qm.customerRate', [
      rate('A05', 'voice|44|cli', '0.0110', { prefix: '44', destination: 'UK', incFirst: 60, incNext: 60 }),
      rate('A05', 'voice|447|cli', '0.0260', { prefix: '447', destination: 'UK mobile', incFirst: 60, incNext: 60 }),
      rate('A05', 'voice|44791|cli', null, { prefix: '44791' }),
      rate('A05', 'aiVoice|*|*', '0.0125', { incFirst: 6, incNext: 6, aiPrice: '0.0600' }),
      rate('A07', 'whatsapp|IN|marketing', '0.0120', { unit: 'message' }),
      rate('A07', 'whatsapp|IN|utility', '0.0020', { unit: 'message' }),
      rate('A07', 'whatsapp|IN|authentication', '0.0020', { unit: 'message' }),
      rate('A07', 'whatsapp|IN|authenticationInternational', '0.0300', { unit: 'message' }),
      rate('A01', 'mail|*', '0.0008', { unit: 'message' }),
      rate('A01', 'sms|IN|*|direct', '0.0045', { unit: 'segment', billingMode: 'submit' }),
    ])
    await entities.insertMany('qm.supplierRate', [
      cost('voice|44|cli', '0.0090', { incFirst: 1, incNext: 1 }),
      cost('sms|IN|*|direct', '0.0036'),
    ])
    await entities.insertMany('biz.gateway', [
      { ...stamp, id: 'gw', code: 'GW1', name: 'Landing', kind: 'vosLanding', supplierAccountId: 'S01', supplierId: 'sp1' },
    ])
    await entities.insertMany('biz.channel', [
      { ...stamp, id: 'ch', code: 'CH1', alias: 'C1', name: 'C1', supplierAccountId: 'S01', supplierId: 'sp1', status: 'online' },
    ])
    const app = { ...stamp, status: 'enabled', product: 'sms', accountId: 'A01', customerId: 'c-A01' }
    await entities.insertMany('biz.application', [
      { ...app, id: 'app', code: 'AP1', name: 'App', appKey: 'k1' },
      { ...app, id: 'vapp', code: 'AP2', name: 'Voice', appKey: 'k2', product: 'voice', accountId: 'A05', customerId: 'c-A05' },
    ])
  })
})
afterAll(() => test.close())

const save = async (entity: string, values: object): Promise<Row> => {
  const { code, msg, data } = await operator.post<Row>(`/v2/biz/${entity}/save`, values)
  expect([code, msg], JSON.stringify(values)).toEqual([0, expect.anything()])
  return read(entity, data.id)
}
const list = async (entity: string, where: object[], by = operator): Promise<Row[]> =>
  (await by.post<{ records: Row[] }>(`/v2/biz/${entity}/queryPage`, { where, pageSize: 100 })).data?.records ?? []
const read = async (entity: string, id: string, by = operator): Promise<Row> =>
  (await list(entity, [{ field: 'id', operator: 'eq', value: id }], by))[0]!
const act = async (entity: string, id: string, transition: string, values: object = {}) =>
  operator.post<{ failed?: unknown[] }>(`/v2/biz/${entity}/stateUpdate`, { ids: [id], transition, ...values })

let calls = 0
const call = (callee: string, seconds: number | null, more: object = {}) => {
  // one moment for all: the clock may go on between two looks at it
  const started = Date.parse(ago(10))
  const after = (later: number): string => new Date(started + later * 1000).toISOString()
  const answered = { ringAt: after(3), answerAt: after(6), endAt: after(6 + (seconds ?? 0)), releaseCause: 'normal' }
  return {
    ...{ callId: `c-${(calls += 1)}`, startAt: after(0), accountId: 'A05', callee, landingGatewayId: 'gw' },
    ...(seconds === null ? { releaseCause: 'busy', endAt: after(6) } : answered),
    ...more,
  }
}

describe('calls', () => {
  it('are priced by the longest prefix and cost what the gateway’s supplier asks (quotes 5.2, 5.5)', async () => {
    const mobile = await save('callRecord', call('+447400123456', 61))
    expect(mobile).toMatchObject({
      customerId: 'c-A05',
      country: 'GB',
      prefix: '447',
      destination: 'UK mobile',
      durationMs: 61_000,
      billSec: 120,
      price: '0.026',
      revenue: '0.052',
      pddMs: 3000,
    })
    expect(mobile).toMatchObject({
      supplierId: 'sp1',
      cost: '0.009',
      costBillSec: 61,
      costAmount: '0.00915',
      costCurrency: 'EUR',
    })
    expect(await save('callRecord', call('+442079460000', null))).toMatchObject({
      durationMs: 0,
      billSec: 0,
      revenue: '0',
      billable: false,
      costAmount: '0',
    })
    // what is blocked is not priced by a shorter prefix
    expect(await save('callRecord', call('+447911123456', 30))).toMatchObject({ price: null, revenue: null })
    expect(await save('callRecord', call('+8613800138000', 75, { product: 'aiVoice' }))).toMatchObject({
      billSec: 78,
      revenue: '0.13625',
    })
    const { code } = await operator.post('/v2/biz/callRecord/save', call('+442079460000', -5))
    expect(code).not.toBe(0)
  })

  it('move the task that they belong to: dialled, answered, progress, and its end', async () => {
    const task = await save('voiceTask', {
      name: 'Notice',
      customerId: 'c-A05',
      appId: 'vapp',
      kind: 'notify',
      content: 'Hello',
      total: 2,
    })
    for (const step of ['queue', 'begin', 'pause', 'resume']) expect((await act('voiceTask', task.id, step)).code, step).toBe(0)
    await save('callRecord', call('+447400123456', 61, { taskId: task.id }))
    expect(await read('voiceTask', task.id)).toMatchObject({
      status: 'running',
      dialed: 1,
      answered: 1,
      progress: '50',
      amount: '0.052',
    })
    await save('callRecord', call('+447400123456', null, { taskId: task.id }))
    expect(await read('voiceTask', task.id)).toMatchObject({ status: 'finished', dialed: 2, answered: 1 })
    expect((await act('voiceTask', task.id, 'redial')).code).toBe(0)
    expect(await read('voiceTask', task.id)).toMatchObject({ status: 'queued', total: 3, redials: 1 })
  })

  it('are masked for whoever may not see numbers and costs', async () => {
    const rows = await list('callRecord', [], seller)
    expect(rows.length).toBeGreaterThan(3)
    for (const row of rows) {
      expect(String(row.callee)).toContain('*')
      expect(row.costAmount ?? '***').toBe('***')
      expect(row.landingGatewayId ?? '***').toBe('***')
    }
  })

  it('give their customer to signalling and seats', async () => {
    const one = await save('callRecord', call('+447400123456', 20))
    const sip = await save('sipRecord', {
      startAt: one.startAt,
      sipCallId: 's1',
      callId: one.callId,
      fromIp: '203.0.113.1',
      toIp: '198.51.100.1',
      finalCode: 200,
    })
    expect(sip).toMatchObject({ customerId: 'c-A05', callRecordId: one.id, callee: '+447400123456' })
    expect(
      await save('ccRecord', { startAt: one.startAt, callId: one.callId, kind: 'outbound', seat: '8001', result: 'talked' }),
    ).toMatchObject({ callRecordId: one.id })
  })
})

describe('WhatsApp', () => {
  it('charges what was delivered, nothing inside the window, and counts on the session (quotes 5.7)', async () => {
    const session = await save('waSession', {
      sessionNo: 'S1',
      openedAt: ago(120),
      lastInAt: ago(100),
      accountId: 'A07',
      wabaNumber: '+6531580100',
      userNumber: '+919810000001',
      openedBy: 'user',
    })
    expect(session).toMatchObject({ customerId: 'c-A07', country: 'IN', status: 'open', minutesLeft: 24 * 60 - 100 })
    const message = (waId: string, category: string, more: object = {}) =>
      save('waRecord', {
        waId,
        submittedAt: ago(60),
        accountId: 'A07',
        wabaNumber: '+6531580100',
        toNumber: '+919810000001',
        category,
        status: 'delivered',
        ...more,
      })
    expect(await message('w1', 'utility')).toMatchObject({
      free: true,
      freeReason: 'window',
      revenue: '0',
      sessionId: session.id,
    })
    expect(await message('w2', 'marketing')).toMatchObject({ free: false, revenue: '0.012', billable: true })
    expect(await message('w3', 'marketing', { status: 'failed' })).toMatchObject({ revenue: '0', billable: false })
    expect(await message('w4', 'authentication')).toMatchObject({ category: 'authenticationInternational', revenue: '0.03' })
    expect(await message('w5', 'authentication', { wabaNumber: '+919810009999' })).toMatchObject({
      revenue: '0.002',
      sessionId: null,
    })
    expect(await read('waSession', session.id)).toMatchObject({ outCount: 4, billedCount: 2, revenue: '0.042' })
  })
})

describe('messages', () => {
  const message = (msgId: string, more: object = {}) =>
    save('smsRecord', {
      ...{
        msgId,
        submittedAt: ago(30),
        accountId: 'A01',
        appId: 'app',
        channelId: 'ch',
        toNumber: '+919810000002',
        country: 'IN',
      },
      ...{ mccmnc: '40410', senderId: 'SHOP', content: 'Sale', status: 'delivered', sentAt: ago(29.9) },
      ...more,
    })

  it('cost what all their tries cost', async () => {
    const { id } = await message('m1')
    await save('smsAttempt', { msgId: 'm1', attemptNo: 1, channelId: 'ch', sentAt: ago(30), status: 'failed' })
    expect(await read('smsRecord', id)).toMatchObject({ attempts: 1, costAmount: '0.0036' })
    await save('smsAttempt', { msgId: 'm1', attemptNo: 2, channelId: 'ch', sentAt: ago(29.9), status: 'delivered' })
    expect(await read('smsRecord', id)).toMatchObject({ attempts: 2, costAmount: '0.0072', revenue: '0.0045' })
  })

  it('are linked with the reply to the last of 72 hours, which may end them', async () => {
    await message('m2', { submittedAt: ago(20), sentAt: ago(20) })
    const reply = await save('smsMo', {
      moId: 'r1',
      receivedAt: ago(5),
      fromNumber: '+919810000002',
      toNumber: 'SHOP',
      content: 'stop',
    })
    expect(reply).toMatchObject({
      linkedMsgId: 'm2',
      customerId: 'c-A01',
      appId: 'app',
      keyword: 'STOP',
      optOut: true,
      country: 'IN',
    })
  })

  it('wait in the queue of their batch; those that are cancelled there are rejected and cost nothing', async () => {
    const queue = await save('apiQueue', {
      batchId: 'b1',
      customerId: 'c-A01',
      appId: 'app',
      product: 'sms',
      total: 3,
      enqueuedAt: ago(30),
    })
    expect(queue).toMatchObject({ status: 'waiting', waiting: 3, oldestSec: 1800 })
    await message('q1', { batchId: 'b1', status: 'sent' })
    const held = await message('q2', { batchId: 'b1', status: 'queued', sentAt: null })
    expect(held).toMatchObject({ queueId: queue.id, revenue: '0.0045', billable: true })
    expect(await read('apiQueue', queue.id)).toMatchObject({ status: 'running', sent: 1, waiting: 2 })
    expect((await act('apiQueue', queue.id, 'raise')).code).toBe(0)
    expect((await act('apiQueue', queue.id, 'cancelWaiting', { values: { reason: 'asked for' } })).code).toBe(0)
    expect(await read('apiQueue', queue.id)).toMatchObject({ status: 'cancelled', priority: 6, waiting: 0, oldestSec: null })
    expect(await read('smsRecord', held.id)).toMatchObject({
      status: 'rejected',
      failReason: 'cancelled',
      revenue: '0',
      billable: false,
    })
  })

  it('of mail are charged once the other server took them', async () => {
    const mail = (mailId: string, more: object) =>
      save('mailRecord', { mailId, submittedAt: ago(5), accountId: 'A01', toEmail: 'Ann@Example.com', ...more })
    expect(await mail('e1', { status: 'opened', opens: 1 })).toMatchObject({
      domain: 'example.com',
      revenue: '0.0008',
      billable: true,
    })
    expect(await mail('e2', { status: 'hardBounce', bounceKind: 'mailbox' })).toMatchObject({ revenue: '0', billable: false })
  })
})
