import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../../../support/gateway'
import type { Caller } from '../../../../support/gateway'
import { SipPeer, SmppPeer } from './peers'

const KEYS = ['ops:test:view', 'ops:test:edit', 'ops:test:send', 'ops:voice:view', 'ops:voice:edit', 'ops:voice:call']
const [smpp, sip] = [new SmppPeer(), new SipPeer()]
let test: TestGateway
let tester: Caller

beforeAll(async () => {
  const environment = {
    SMPP_ADDRESS: await smpp.open(),
    SMPP_SYSTEM_ID: 'tester',
    SMPP_PASSWORD: 'secret',
    SIP_ADDRESS: await sip.open(),
    SIP_USER: 'probe',
    SIP_PASSWORD: 'secret',
    JOBS: 'true',
  }
  test = await startGateway({ environment })
  await test.addStaff({ id: 'tester', jobNumber: 'T1', keys: KEYS })
  tester = await test.signIn('T1')
})
afterAll(async () => {
  await test.close()
  await smpp.close()
  sip.close()
})

type Row = Record<string, unknown> & { id: string }
const save = async (entity: string, values: object): Promise<Row> => {
  const { code, msg, data } = await tester.post<Row>(`/v2/ops/${entity}/save`, values)
  expect(code, msg).toBe(0)
  return data
}
const act = (entity: string, id: string, transition: string, values: object = {}) =>
  tester.post(`/v2/ops/${entity}/stateUpdate`, { ids: [id], transition, ...values })
const rows = async (entity: string, where: readonly object[]): Promise<Row[]> =>
  (await tester.post<{ records: Row[] }>(`/v2/ops/${entity}/queryPage`, { pageNo: 1, pageSize: 50, where })).data.records
const eventually = async (entity: string, id: string, expected: object): Promise<void> => {
  await expect
    .poll(async () => (await rows(entity, [{ field: 'id', operator: 'eq', value: id }]))[0], { timeout: 20_000 })
    .toMatchObject(expected)
}

it('sends test messages by SMPP and keeps what the platform answers, also a receipt that overtakes its answer', async () => {
  const numbers = await Promise.all(
    ['+919812345101', '+919812345102', '+919812345103'].map((number) =>
      save('smsTestNumber', { number, country: 'IN', mccmnc: '40410', dailyCap: 20 }),
    ),
  )
  smpp.refused = '919812345103'
  smpp.stat = (to) => (to === '919812345102' ? 'UNDELIV' : 'DELIVRD')
  const batch = await save('smsTestBatch', {
    numberIds: numbers.map(({ id }) => id),
    senderId: 'NOTICE',
    content: '验证码 482913',
  })
  expect(await act('smsTestBatch', batch.id, 'send')).toMatchObject({ code: 0 })
  await eventually('smsTestBatch', batch.id, {
    status: 'done',
    total: 3,
    accepted: 2,
    delivered: 1,
    passed: 1,
    passRate: '33.33',
  })
  expect(smpp.submitted.map(({ sender, text, coding }) => [sender, text, coding])).toEqual(
    Array(3).fill(['NOTICE', '验证码 482913', 8]),
  )
  const messages = await rows('smsTest', [{ field: 'batchId', operator: 'eq', value: batch.id }])
  expect(
    Object.fromEntries(
      messages.map(({ numberId, submitState, dlrState, errorCode, verdict }) => [
        numberId,
        [submitState, dlrState, errorCode, verdict],
      ]),
    ),
  ).toEqual({
    [numbers[0]!.id]: ['accepted', 'delivered', null, 'partial'],
    [numbers[1]!.id]: ['accepted', 'failed', null, 'fail'],
    [numbers[2]!.id]: ['refused', null, '0x0000000B', 'fail'],
  })
  const delivered = messages.find(({ dlrState }) => dlrState === 'delivered')!
  await act('smsTest', delivered.id, 'readBack', {
    received: true,
    receivedSec: 6,
    receivedSender: 'NOTICE',
    receivedText: '验证码 482913',
  })
  await eventually('smsTest', delivered.id, { verdict: 'pass', senderChanged: false, textChanged: false })
  await eventually('smsTestNumber', numbers[1]!.id, { fails: 1, status: 'ok' })
})

it('bars a number from tests as long as it is on the blacklist', async () => {
  const number = await save('smsTestNumber', { number: '+919812345110', country: 'IN', mccmnc: '40410', dailyCap: 20 })
  const entry = await save('testBlack', { kind: 'number', value: '+919812345110', reason: 'complaint' })
  await eventually('smsTestNumber', number.id, { status: 'blacklisted' })
  await act('testBlack', entry.id, 'lift', { note: 'settled' })
  await eventually('smsTestNumber', number.id, { status: 'ok' })
})

it('places a test call by SIP with a user, and a group call task calls its pool', async () => {
  await save('numberPool', { poolName: 'test', number: '+919812345601', country: 'IN', use: 'test', dailyCap: 9 })
  const call = await save('voiceTest', { caller: '+6581234567', callee: '+919812345601', codec: 'g711a', repeat: 1, holdSec: 1 })
  expect(await act('voiceTest', call.id, 'dial')).toMatchObject({ code: 0 })
  await eventually('voiceTest', call.id, { status: 'done', calls: 1, answered: 1, result: 'answered', sipCode: 200 })
  expect(sip.seen).toEqual(['INVITE', 'ACK', 'INVITE', 'ACK', 'BYE'])
  const hour = test.clock.now().getUTCHours()
  const timeZone = hour >= 1 && hour < 11 ? 'Asia/Shanghai' : hour < 20 && hour >= 9 ? 'UTC' : 'America/Los_Angeles'
  for (const number of ['+628123456801', '+628123456900'])
    await save('numberPool', { poolName: 'callees', number, country: 'ID', use: 'callee', dailyCap: 9 })
  const task = await save('groupCallTask', {
    name: 'survey',
    caller: '+6581234567',
    poolName: 'callees',
    concurrency: 2,
    cps: 1,
    holdSec: 1,
    callFrom: 8,
    callUntil: 21,
    timeZone,
  })
  expect(await act('groupCallTask', task.id, 'start')).toMatchObject({ code: 0 })
  await eventually('groupCallTask', task.id, {
    status: 'done',
    total: 2,
    dialed: 2,
    answered: 1,
    failed: 1,
    asr: '50',
    progress: '100',
  })
})

it('says that nothing is connected where no address is set', async () => {
  const bare = await startGateway()
  await bare.addStaff({ id: 'tester', jobNumber: 'T1', keys: KEYS })
  const caller = await bare.signIn('T1')
  const { data } = await caller.post<Row>('/v2/ops/smsTestNumber/save', { number: '+919812345101', country: 'IN', dailyCap: 20 })
  const batch = await caller.post<Row>('/v2/ops/smsTestBatch/save', { numberIds: [data.id], senderId: 'NOTICE', content: 'x' })
  const refused = await caller.post(
    '/v2/ops/smsTestBatch/stateUpdate',
    { ids: [batch.data.id], transition: 'send' },
    { 'accept-language': 'en-US' },
  )
  expect(refused.msg).toContain('The SMS gateway (SMPP) is not connected')
  await bare.close()
})
