import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addDays, dayOf } from '../../../../gateway/platform/calendar'
import { newId } from '../../../../gateway/platform/database'
import { ConnectionTransaction } from '../../../../gateway/platform/database/transaction'
import { systemContext } from '../../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../../gateway/world'
import { startGateway } from '../../../support/gateway'
import type { Answer, Caller, TestGateway } from '../../../support/gateway'
import { privateCustomer, typedCustomer } from '../../../support/privateCustomer'

type Row = Record<string, unknown> & { id: string }
interface Page {
  records: Row[]
  total: number
}
interface Saved {
  id: string
  record: Row
}
const ZONE = 'Asia/Shanghai'
/** China team 1: its lead, and two of its sales people. */
const [SENDER, RECEIVER, THIRD] = ['st-s0006', 'st-s0008', 'st-s0009']

/** A system that is told of alias changes, as it sees them. */
let system: Server
let orders: { system: string; action: string; newAlias: string; key: string }[] = []
let failures = 0
let meanwhile: () => Promise<void> = () => Promise.resolve()
async function listen(): Promise<string> {
  system = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      orders.push(JSON.parse(text) as (typeof orders)[number])
      const fails = request.url === '/report' && failures > 0
      if (fails) failures -= 1
      void meanwhile().then(() => response.writeHead(fails ? 503 : 200).end(fails ? 'busy' : 'ok'))
    })
  })
  await new Promise<void>((resolve) => system.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(system.address() as AddressInfo).port}`
  return JSON.stringify({ smsPlatform: `${base}/sms`, reportStore: `${base}/report` })
}

let test: TestGateway
let sender: Caller
let receiver: Caller
let lead: Caller
let risk: Caller
beforeAll(async () => {
  const environment = { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1', ALIAS_SYNC_URLS: await listen() }
  test = await startGateway({ demo: true, environment })
  await enterAll()
})
async function enterAll(): Promise<void> {
  const enter = (jobNumber: string): Promise<Caller> => test.signIn(jobNumber, DEMO_PASSWORD)
  const { rows } = await test.gateway.database.query<{ jobNumber: string }>(
    `select job_number as "jobNumber" from sys_staff where position = 'risk' limit 1`,
  )
  ;[sender, receiver, lead, risk] = await Promise.all([
    enter('S0006'),
    enter('S0008'),
    enter('S0005'),
    enter(rows[0]?.jobNumber ?? ''),
  ])
}
afterAll(async () => {
  await test.close()
  await new Promise((resolve) => system.close(resolve))
})

let made = 0
/** A customer of the sender that nothing else touches. */
async function customer(caller: Caller = sender, more: object = {}): Promise<string> {
  made += 1
  const name = `${'甲乙丙丁戊己庚辛壬癸'.charAt(made % 10)}${'子丑寅卯辰巳午未申酉戌亥'.charAt(made % 12)}${String.fromCharCode(0x6c00 + made * 37)}${String.fromCharCode(0x7500 + made * 53)}交接试验有限公司`
  const body = typedCustomer(name, { duplicateReason: '试验数据', ...more })
  const answer = await caller.post<Saved>('/v2/crm/customer/save', body)
  expect(answer.code, answer.text).toBe(0)
  return answer.data.id
}
const set = (id: string, values: object) =>
  test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
    entities.save('crm.customer', { id, ...values }),
  )
const stored = async (entity: string, id: string): Promise<Row> =>
  (await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
    entities.find(entity, id),
  )) as Row
const move = (caller: Caller, path: string, ids: readonly string[], transition: string, values: object = {}) =>
  caller.post<{ done: string[]; refused: { reason: string }[] }>(`/v2/crm/${path}/stateUpdate`, { ids, transition, values })
const send = (caller: Caller, customerIds: readonly string[], more: object = {}): Promise<Answer<Saved>> =>
  caller.post<Saved>('/v2/crm/transfer/save', { customerIds, toStaffId: RECEIVER, reason: 'fit', ...more })
/** Runs a job as it would run at a moment; answers the codes of what it ended. */
const runAt = async (name: string, now: Date): Promise<unknown[]> => {
  const report = await test.gateway.scheduler
    .find(name)
    ?.run({ now, day: dayOf(now, ZONE), dry: false, startedBy: null }, () => undefined)
  return report?.rows.map(({ code }) => code) ?? []
}
const itemsOf = async (caller: Caller, transferId: string): Promise<Row[]> =>
  (
    await caller.post<Page>('/v2/crm/transferItem/queryPage', {
      pageSize: 200,
      where: [{ field: 'transferId', operator: 'eq', value: transferId }],
    })
  ).data.records

describe('transfers', () => {
  it('wait for the receiver, who alone sees, accepts and refuses them item by item', async () => {
    const ids = [await customer(), await customer()]
    const { code, data } = await send(sender, ids)
    expect([code, data.record.status, data.record.itemCount]).toEqual([0, 'pending', 2])
    expect((await receiver.get(`/v2/crm/customer/view/${ids[0]}`)).code).toBe(10010004)
    const toAccept = await receiver.post<Page>('/v2/crm/transfer/queryPage', { view: 'toAccept' })
    expect(toAccept.data.records.map((row) => row.id)).toContain(data.id)
    expect((await move(sender, 'transfer', [data.id], 'accept')).code).toBe(10010007)
    const [first, second] = await itemsOf(receiver, data.id)
    expect([first?.guard, second?.guard]).toEqual([null, null])
    expect((await move(receiver, 'transferItem', [first?.id ?? ''], 'accept')).code).toBe(0)
    expect((await move(receiver, 'transferItem', [second?.id ?? ''], 'refuse', { refusedBecause: '不在我的区域' })).code).toBe(0)
    expect(await stored('crm.transfer', data.id)).toMatchObject({ status: 'partly', acceptedCount: 1 })
    const taken = await stored('crm.customer', String(first?.customerId))
    expect(taken).toMatchObject({ ownerId: RECEIVER, gainedBy: 'transfer', holding: 'private' })
    expect(await stored('crm.customer', String(second?.customerId))).toMatchObject({ ownerId: SENDER })
    const { rows } = await test.gateway.database.query(
      `select to_staff_id from crm_owner_log where customer_id = $1 and action = 'transfer' and source_doc = $2`,
      [String(first?.customerId), String(data.record.code)],
    )
    expect(rows.length).toBe(1)
  })

  it('tell in the history of the customer why its owner changed, with a link where the reader may follow it', async () => {
    const id = await customer()
    const { data } = await send(sender, [id])
    expect((await move(receiver, 'transfer', [data.id], 'accept')).code).toBe(0)
    interface Log {
      records: { changes: { field: string }[]; causes?: { record?: { title: string; open?: string }; text: string }[] }[]
    }
    const english = { 'accept-language': 'en' }
    const { data: log } = await receiver.get<Log>(`/v2/crm/customer/log/${id}`, english)
    const led = log.records.flatMap(({ changes, causes = [] }) =>
      changes.some(({ field }) => field === 'ownerId') ? [causes] : [],
    )
    expect(led[0]).toEqual([
      {
        record: { entity: expect.any(String), title: expect.stringContaining('Customer of a transfer') },
        text: expect.stringMatching(/^Accept · \w.*customer.*$/),
      },
      {
        record: {
          entity: 'crm.transfer',
          title: `Customer transfer ${String(data.record.code)}`,
          open: `/crm/wander/transfer/details?id=${data.id}`,
        },
        text: expect.stringMatching(/^Accept all · moves the [a-z ]+ on( · rules crm\.wander \(defaults\))?$/),
      },
    ])
    const { rows } = await test.gateway.database.query<{ id: string }>(
      `select id from sys_audit_log where entity = 'crm.customer' and record_id = $1 and cause like 'crm.transferItem/%' order by id desc limit 1`,
      [id],
    )
    const context = systemContext({ now: test.clock.now(), locale: 'zh' })
    const { records } = await test.gateway.engine.queryPage('sys.auditLog', context, { ids: [rows[0]?.id ?? ''] })
    expect(records[0]?.why).toMatch(/^转移客户 .*接收 · \S+客户\S* ← 客户转移 TR\d+ 全部接收 · 处理\S+/)
  })

  it('refuse a customer that stands in another pending one, and end it when the sender cancels', async () => {
    const id = await customer()
    const { data } = await send(sender, [id])
    const again = await send(sender, [id])
    expect([again.code, again.msg]).toEqual([10030002, expect.stringContaining(String(data.record.code))])
    expect((await move(receiver, 'transfer', [data.id], 'cancel')).code).toBe(10010007)
    expect((await move(sender, 'transfer', [data.id], 'cancel')).code).toBe(0)
    expect((await send(sender, [id])).code).toBe(0)
  })

  it('of five at 148 of 150: two come over, three are refused for the full cap, and the state is partly', async () => {
    const ids = await Promise.all([1, 2, 3, 4, 5].map(() => customer()))
    const { rows } = await test.gateway.database.query<{ counted: number }>(
      `select count(*) as counted from crm_customer where owner_id = $1 and deleted_at is null and holding <> 'frozen' and level <> 'a'
         and not (stage = 'dealt' and last_traffic_at >= now() - interval '90 days')`,
      [RECEIVER],
    )
    const now = new Date().toISOString()
    const filling = Math.max(0, 148 - Number(rows[0]?.counted))
    await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
      await entities.insertMany(
        'crm.customer',
        Array.from({ length: filling }, (_, index) =>
          privateCustomer({
            ...{ id: `fill-${index}`, code: `CU19${String(index).padStart(5, '0')}`, name: `Filling ${index}` },
            ...{ stage: 'following', ownerId: RECEIVER, ownedAt: now },
          }),
        ),
      )
      await entities.insertMany('sys.ruleOverride', [
        {
          id: 'cap-of-receiver',
          ruleKey: 'crm.retention',
          targetType: 'staff',
          targetId: RECEIVER,
          params: { default: 150, senior: 150, newcomer: 150, manager: 150 },
          until: null,
        },
      ])
    })
    const { data } = await send(sender, ids)
    const items = await itemsOf(receiver, data.id)
    expect(items.filter((item) => item.guard === null).length).toBe(2)
    expect((await move(receiver, 'transfer', [data.id], 'accept')).code).toBe(0)
    expect(await stored('crm.transfer', data.id)).toMatchObject({ status: 'partly', acceptedCount: 2 })
    const results = (await itemsOf(sender, data.id)).map((item) => [item.result, item.refusedCode])
    expect(results.filter(([result]) => result === 'done').length).toBe(2)
    expect(results.filter(([result, why]) => result === 'refused' && why === 'capFull').length).toBe(3)
    const more = await send(sender, [await customer()])
    const full = await move(receiver, 'transfer', [more.data.id], 'accept')
    expect([full.code, (full.data as unknown as { reason: string }).reason]).toEqual([10030002, 'capFull'])
    await test.gateway.database.query(`delete from crm_customer where id like 'fill-%'`)
  })

  it('lapse after 72 hours and leave everything as it was', async () => {
    const id = await customer()
    const { data } = await send(sender, [id])
    expect(await runAt('sys.deadlines', new Date(test.clock.now().getTime() + 73 * 3_600_000))).toContain(data.record.code)
    expect(await stored('crm.transfer', data.id)).toMatchObject({ status: 'expired', acceptedCount: 0 })
    expect(await stored('crm.customer', id)).toMatchObject({ ownerId: SENDER })
  })

  it('ask as many statements for 200 customers as for one', async () => {
    const third = await test.signIn('S0009', DEMO_PASSWORD)
    const override = (ruleKey: string, targetId: string, params: object) => ({
      ...{ id: newId(), ruleKey, targetType: 'staff', targetId, params, until: null },
    })
    const ofSender = (count: number): Row[] =>
      Array.from({ length: count }, (_, index) => {
        const id = newId()
        const names = { id, code: `CU18${String(count)}${String(index).padStart(4, '0')}`.slice(0, 12), name: `Counted ${id}` }
        return {
          ...privateCustomer({ ...names, stage: 'following', ownerId: SENDER, ownedAt: test.clock.now().toISOString() }),
          id,
        }
      })
    const [one, many] = [ofSender(1), ofSender(200)]
    await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
      await entities.insertMany('crm.customer', [...one, ...many])
      const room = { default: 5000, senior: 5000, newcomer: 5000, manager: 5000 }
      const overrides = [override('crm.retention', THIRD, room), override('crm.wander', SENDER, { approvalAbove: 200 })]
      await entities.insertMany('sys.ruleOverride', overrides)
    })
    const count = async (customers: readonly Row[]): Promise<number> => {
      const sent = await send(
        sender,
        customers.map(({ id }) => id),
        { toStaffId: THIRD, withOpportunities: true },
      )
      expect([sent.code, sent.data.record.waitingCount], sent.text).toEqual([0, customers.length])
      const asked = vi.spyOn(ConnectionTransaction.prototype, 'query')
      const answer = await move(third, 'transfer', [sent.data.id], 'accept')
      // documents of processes are remembered for a while
      const statements = asked.mock.calls.filter(([query]) => !JSON.stringify(query).includes('wf_process_version')).length
      asked.mockRestore()
      expect(answer.code, answer.text).toBe(0)
      expect(await stored('crm.transfer', sent.data.id)).toMatchObject({ status: 'accepted', acceptedCount: customers.length })
      return statements
    }
    const statements = await count(one)
    expect(await count(many)).toBe(statements)
    await test.gateway.database.query(`delete from sys_rule_override where target_id in ($1, $2)`, [SENDER, THIRD])
  })

  it('ordered by a manager need no acceptance, and nobody else sends what is not his', async () => {
    const id = await customer()
    expect((await send(receiver, [id])).code).not.toBe(0)
    const { code, data } = await send(lead, [id])
    expect([code, data.record.status, data.record.ordered]).toEqual([0, 'accepted', true])
    expect(await stored('crm.customer', id)).toMatchObject({ ownerId: RECEIVER })
  })
})

describe('shares', () => {
  const share = (customerId: string, more: object = {}): Promise<Answer<Saved>> =>
    sender.post<Saved>('/v2/crm/share/save', { customerId, toStaffId: RECEIVER, mode: 'read', reason: '一起跟进', ...more })

  it('give nothing to see until they are accepted, and end with the owner’s word', async () => {
    const id = await customer()
    const { data } = await share(id)
    expect(data.record).toMatchObject({ status: 'pending', acceptedAt: null })
    expect((await receiver.get(`/v2/crm/customer/view/${id}`)).code).toBe(10010004)
    const waiting = await receiver.post<Page>('/v2/crm/share/queryPage', { view: 'toAccept' })
    expect(waiting.data.records.map((row) => row.id)).toContain(data.id)
    expect((await move(sender, 'share', [data.id], 'accept')).code).toBe(10010007)
    expect((await move(receiver, 'share', [data.id], 'accept')).code).toBe(0)
    expect((await receiver.get(`/v2/crm/customer/view/${id}`)).code).toBe(0)
    expect((await move(sender, 'share', [data.id], 'end')).code).toBe(0)
    expect((await receiver.get(`/v2/crm/customer/view/${id}`)).code).toBe(10010004)
  })

  it('are declined by the receiver with a reason of its own', async () => {
    const { data } = await share(await customer())
    expect((await move(receiver, 'share', [data.id], 'reject')).code).toBe(10010005)
    expect((await move(receiver, 'share', [data.id], 'reject', { rejectReason: '不再负责这个区域' })).code).toBe(0)
    expect(await stored('crm.share', data.id)).toMatchObject({ status: 'rejected', endReason: '不再负责这个区域' })
  })

  it('with a department hold at once; a third department and a second share with the same person are refused', async () => {
    const id = await customer()
    const department = await share(id, { toStaffId: null, toDeptId: 'dp-s-cn2' })
    expect(department.data.record).toMatchObject({ status: 'accepted', toType: 'department' })
    expect((await share(id, { toStaffId: null, toDeptId: 'dp-s-ap1' })).code).toBe(0)
    expect((await share(id, { toStaffId: null, toDeptId: 'dp-s-ap2' })).msg).toMatch(/校验|检查|2/)
    expect((await share(id)).code).toBe(0)
    expect((await share(id)).code).toBe(10010005)
  })

  it('end when the customer changes hands without them, when it goes to the sea, and when nobody accepts in time', async () => {
    const [moved, released, forgotten] = [await customer(), await customer(), await customer()]
    const toThird = { toStaffId: THIRD }
    const shares = [await share(moved, toThird), await share(released, toThird), await share(forgotten, toThird)].map(
      (answer) => answer.data.id,
    )
    await send(lead, [moved])
    await move(sender, 'customer', [released], 'release', { releaseReason: 'notFit' })
    await runAt('sys.deadlines', new Date(test.clock.now().getTime() + 73 * 3_600_000))
    const states = await Promise.all(shares.map(async (id) => (await stored('crm.share', id)).status))
    expect(states).toEqual(['ended', 'ended', 'expired'])
  })
})

describe('the blacklist', () => {
  const bar = (more: object): Promise<Answer<Saved>> =>
    sender.post<Saved>('/v2/crm/blacklist/save', {
      name: 'Crimson Harbour Telecom Ltd',
      reason: 'competitor',
      scope: 'all',
      ...more,
    })
  const create = (more: object, who = sender): Promise<Answer<{ code: string; reason?: string }>> =>
    who.post(
      '/v2/crm/customer/save',
      typedCustomer('Crimson Harbour Telecom Ltd', { nameEn: 'Crimson Harbour Telecom Ltd', countryCode: 'GB', ...more }),
    )

  it('bars by name, domain and mail once somebody else approved it; the reason stays with who may see it', async () => {
    const { data } = await bar({ domains: ['crimson-harbour.example'], emails: ['boss@elsewhere.example'] })
    expect(data.record.status).toBe('pending')
    expect((await move(sender, 'blacklist', [data.id], 'approve')).code).toBe(10010003)
    expect((await move(risk, 'blacklist', [data.id], 'approve')).code).toBe(0)
    const byName = await create({})
    expect([byName.code, byName.data.code, byName.data.reason]).toEqual([10030003, data.record.code, undefined])
    expect(byName.msg).not.toMatch(/原因|reason/)
    expect((await create({}, lead)).msg).toMatch(/原因：同行套价/)
    const byDomain = await create({ name: 'Something Different Plc', website: 'https://www.crimson-harbour.example' })
    expect(byDomain.code).toBe(10030003)
    const id = await customer()
    const contact = await sender.post('/v2/crm/contact/save', { customerId: id, name: 'Boss', email: 'Boss@Elsewhere.example' })
    expect(contact.code).toBe(10030003)
    await expect
      .poll(async () => (await risk.get<{ record: Row }>(`/v2/crm/blacklist/view/${data.id}`)).data.record.hitCount)
      .toBe(4)
    expect((await move(risk, 'blacklist', [data.id], 'lift', { liftReason: '误判' })).code).toBe(0)
    expect((await create({})).code).toBe(0)
  })

  it('leaves a customer that a new entry meets free, and tells risk, its owner and his manager once', async () => {
    const id = await customer(sender, { website: 'https://www.amber-quay.example' })
    const { data } = await bar({ name: 'Amber Quay Holdings', reason: 'competitor', domains: ['amber-quay.example'] })
    expect((await move(risk, 'blacklist', [data.id], 'approve')).code).toBe(0)
    expect(await stored('crm.customer', id)).toMatchObject({ holding: 'private', ownerId: SENDER })
    const { rows } = await test.gateway.database.query<{ staffId: string; position: string; subject: string; title: string }>(
      `select t.receiver_id as "staffId", s.position, t.subject_entity as subject, t.title_en as title from sys_message t
       join sys_staff s on s.id = t.receiver_id where t.kind = 'blacklistMatch' and t.unique_key like $1`,
      [`%Match/${data.id}/%`],
    )
    const ofCustomer = rows.filter(({ subject }) => subject === 'crm.customer').map(({ staffId }) => staffId)
    const { rows: above } = await test.gateway.database.query<{ id: string }>(
      `select manager_id as id from sys_staff where id = $1`,
      [SENDER],
    )
    expect(ofCustomer.sort()).toEqual([SENDER, above[0]?.id].sort())
    const ofRisk = rows.filter(({ subject }) => subject === 'crm.blacklist')
    expect(ofRisk.length).toBeGreaterThan(0)
    expect(ofRisk.every(({ position }) => ['risk', 'legal'].includes(position))).toBe(true)
    expect(rows.every(({ title }) => title.includes(String(data.record.code)))).toBe(true)
  })

  it('freezes the customer, ends its shares and waiting transfers, and gives it back when it is lifted', async () => {
    const id = await customer()
    const share = await sender.post<Saved>('/v2/crm/share/save', { customerId: id, toStaffId: THIRD, mode: 'read', reason: 'x' })
    const transfer = await send(sender, [id])
    const entry = await bar({ customerId: id, name: String((await stored('crm.customer', id)).name) })
    expect((await move(risk, 'blacklist', [entry.data.id], 'approve')).code).toBe(0)
    expect(await stored('crm.customer', id)).toMatchObject({ holding: 'frozen', blacklisted: true, ownerId: SENDER })
    expect(await stored('crm.share', share.data.id)).toMatchObject({ status: 'ended' })
    expect(await stored('crm.transfer', transfer.data.id)).toMatchObject({ status: 'cancelled' })
    expect((await send(sender, [id])).code).toBe(10030002)
    expect((await move(risk, 'blacklist', [entry.data.id], 'lift', { liftReason: '已还款' })).code).toBe(0)
    expect(await stored('crm.customer', id)).toMatchObject({ holding: 'private', blacklisted: false, ownerId: SENDER })
  })
})

describe('alias changes', () => {
  const ask = (customerId: string, more: object = {}): Promise<Answer<Saved>> =>
    sender.post<Saved>('/v2/crm/aliasRecord/save', { customerId, reason: '供应商得知真名', ...more })
  const named = async (alias: string, more: object = {}): Promise<string> => {
    const id = await customer()
    await set(id, { alias, ...more })
    return id
  }

  it('answer a taken alias with 10050016 and another one, which then goes through (R368)', async () => {
    await named('CNAAA3')
    const id = await named('CNAAA4')
    const taken = await ask(id, { newAlias: 'CNAAA3' })
    const { newAlias } = taken.data as unknown as { newAlias: string }
    expect([taken.code, /^CN[A-Z3-9]{4}$/.test(newAlias)]).toEqual([10050016, true])
    expect((await ask(id, { newAlias: 'CNAB01' })).code).toBe(10010005)
    expect((await ask(id, { newAlias })).data.record).toMatchObject({ status: 'pending', oldAlias: 'CNAAA4', newAlias })
  })

  it('block transfer, release and a second change with 10050027 and its facts while they are unfinished (R366, R367)', async () => {
    const id = await named('CNAAA6')
    const waiting = await customer()
    const { data: transfer } = await send(sender, [waiting])
    await set(waiting, { alias: 'CNAAA7' })
    await ask(waiting)
    const { data } = await ask(id)
    const blocked = await send(sender, [id])
    expect([blocked.code, blocked.data]).toEqual([
      10050027,
      {
        subjectType: 'customer',
        subjectCode: (await stored('crm.customer', id)).code,
        recordId: data.id,
        recordCode: data.record.code,
        taskId: null,
        tasksDone: 0,
        tasksTotal: 0,
      },
    ])
    expect((await ask(id)).code).toBe(10050027)
    expect((await move(sender, 'customer', [id], 'release', { releaseReason: 'notFit' })).code).toBe(10050027)
    expect((await move(receiver, 'transfer', [transfer.id], 'accept')).code).toBe(10050027)
    expect(
      (
        await sender.post('/v2/crm/followUp/save', {
          customerId: id,
          way: 'phone',
          content: '别名变更期间照常跟进客户需求',
          result: 'interested',
        })
      ).code,
    ).toBe(0)
    expect((await move(sender, 'aliasRecord', [data.id], 'withdraw')).code).toBe(0)
    expect((await send(sender, [id])).code).toBe(0)
  })

  it('block the opening of a Buka account with 10050027 until they are finished or withdrawn (CRM rules 9.8, 9.11)', async () => {
    const id = await customer(sender, { regNo: 'AB2611001' })
    await set(id, { alias: 'CNAAAC' })
    const { data } = await ask(id)
    const open = () =>
      sender.post<Saved>('/v2/crm/bukaAccount/save', { customerId: id, loginEmail: 'boss@alias-buka.example', products: ['sms'] })
    expect(await open()).toMatchObject({ code: 10050027, data: { recordCode: data.record.code, recordId: data.id } })
    expect((await move(sender, 'aliasRecord', [data.id], 'withdraw')).code).toBe(0)
    const opened = await open()
    expect([opened.code, opened.msg]).toEqual([0, opened.msg])
  })

  describe('at their systems', () => {
    const approved = async (alias: string): Promise<{ id: string; recordId: string }> => {
      const id = await named(alias, { products: ['sms'] })
      const { data } = await ask(id)
      orders = []
      expect((await move(lead, 'aliasRecord', [data.id], 'approve')).code).toBe(0)
      return { id, recordId: data.id }
    }
    const statusOf = async (recordId: string): Promise<unknown> => (await stored('crm.aliasRecord', recordId)).status
    const requests = async (
      recordId: string,
    ): Promise<{ id: string; status: string; attempts: number; error: string | null }[]> =>
      (
        await test.gateway.database.query<{ id: string; status: string; attempts: number; error: string | null }>(
          `select o.id, o.status, o.attempts, o.last_error as error from sys_outbox o join crm_alias_task t on t.id = o.record_id
           where t.record_id = $1 and o.entity = 'crm.aliasTask' order by o.id`,
          [recordId],
        )
      ).rows
    /** The clock goes on, until so many orders have come in and nothing is on its way. */
    const after = async (minutes: number, recordId: string, count: number): Promise<void> => {
      test.clock.forward(minutes * 60)
      // nobody is signed in for so long
      if (minutes > 60) await enterAll()
      await test.gateway.queue.hurry(['outbox'])
      await expect.poll(() => orders.length, { timeout: 10_000 }).toBe(count)
      await expect.poll(async () => (await requests(recordId)).some(({ status }) => status === 'running')).toBe(false)
    }

    it('switch old to new in one moment once every system is done, one after the other, also after failures (CRM rule 9.8)', async () => {
      failures = 2
      const { id, recordId } = await approved('CNAAA9')
      await after(0, recordId, 2)
      expect(await stored('crm.aliasRecord', recordId)).toMatchObject({ status: 'syncing', tasksDone: 1, tasksTotal: 2 })
      expect(await stored('crm.customer', id)).toMatchObject({ alias: 'CNAAA9' })
      expect((await send(sender, [id])).data).toMatchObject({ tasksDone: 1, tasksTotal: 2, taskId: expect.any(String) as string })
      const { rows } = await test.gateway.database.query(
        `select attempts, last_error as error from crm_alias_task where record_id = $1 order by seq`,
        [recordId],
      )
      expect(rows).toEqual([
        { attempts: 1, error: null },
        { attempts: 1, error: 'HTTP 503: busy' },
      ])
      await after(0.5, recordId, 2)
      await after(0.6, recordId, 3)
      await after(5.1, recordId, 4)
      const done = await stored('crm.aliasRecord', recordId)
      expect(done).toMatchObject({ status: 'done', tasksDone: 2 })
      expect((await stored('crm.customer', id)).alias).toBe(done.newAlias)
      expect(orders.map((order) => order.system)).toEqual(['smsPlatform', 'reportStore', 'reportStore', 'reportStore'])
      expect((await ask(await named('CNACC3'), { newAlias: 'CNAAA9' })).code).toBe(10050016)
    })

    it('fail after five attempts, stay blocking, go on after a retry, or are rolled back in reverse order', async () => {
      failures = 100
      const { id, recordId } = await approved('CNAACC')
      const fiveAttempts = async (before: number): Promise<void> => {
        for (const [index, minutes] of [0, 1.1, 5.1, 15.1, 60.1].entries()) await after(minutes, recordId, before + index)
      }
      await fiveAttempts(2)
      const failed = await stored('crm.aliasRecord', recordId)
      expect(failed).toMatchObject({ status: 'failed', failedSystem: 'reportStore' })
      expect(failed.failureNote).toMatch(/^(?!.*reportStore).*503/)
      expect(await requests(recordId)).toMatchObject([
        { status: 'done' },
        { status: 'failed', attempts: 5, error: 'HTTP 503: busy' },
      ])
      expect((await send(sender, [id])).code).toBe(10050027)
      expect((await move(sender, 'aliasRecord', [recordId], 'retry')).code).toBe(10010003)
      expect((await move(lead, 'aliasRecord', [recordId], 'retry')).code).toBe(0)
      expect(await statusOf(recordId)).toBe('syncing')
      await fiveAttempts(7)
      expect((await requests(recordId)).map(({ status }) => status)).toEqual(['done', 'dropped', 'failed'])
      failures = 0
      expect((await move(lead, 'aliasRecord', [recordId], 'rollBack')).code).toBe(0)
      await after(0, recordId, 12)
      expect(orders.at(-1)).toMatchObject({ system: 'smsPlatform', action: 'undo' })
      expect(await stored('crm.customer', id)).toMatchObject({ alias: 'CNAACC' })
      expect((await requests(recordId)).map(({ status }) => status)).toEqual(['done', 'dropped', 'dropped', 'done'])
      expect((await send(sender, [id])).code).toBe(0)
    })

    it('go on when the failed request is retried among the outside requests', async () => {
      failures = 5
      const { id, recordId } = await approved('CNAACE')
      for (const [index, minutes] of [0, 1.1, 5.1, 15.1, 60.1].entries()) await after(minutes, recordId, 2 + index)
      expect(await statusOf(recordId)).toBe('failed')
      const failed = (await requests(recordId)).find(({ status }) => status === 'failed')
      const { rows } = await test.gateway.database.query<{ jobNumber: string }>(
        `select s.job_number as "jobNumber" from sys_staff s join sys_role_member m on m.staff_id = s.id
           join sys_role r on r.id = m.role_id where r.code = 'administrator' order by s.job_number limit 1`,
      )
      const admin = await test.signIn(rows[0]?.jobNumber ?? '', DEMO_PASSWORD)
      expect((await admin.post('/v2/sys/outbox/stateUpdate', { ids: [failed?.id], transition: 'retry' })).code).toBe(0)
      await expect.poll(() => statusOf(recordId)).toBe('done')
      expect((await stored('crm.customer', id)).alias).not.toBe('CNAACE')
    })

    it('are undone one after the other, the last one first, outside of any transaction and under the same key', async () => {
      failures = 0
      const { recordId } = await approved('CNAACD')
      await expect.poll(() => statusOf(recordId)).toBe('done')
      await test.gateway.database.query(`update crm_alias_record set status = 'failed' where id = $1`, [recordId])
      const free: number[] = []
      meanwhile = async () => {
        const { rows } = await test.gateway.database.query<{ free: number }>(
          `select count(*)::int as free from (select id from crm_alias_task where record_id = $1 for update skip locked) t`,
          [recordId],
        )
        free.push(rows[0]?.free ?? 0)
      }
      orders = []
      failures = 1
      expect((await move(lead, 'aliasRecord', [recordId], 'rollBack')).code).toBe(0)
      await after(0, recordId, 1)
      expect((await requests(recordId)).map(({ status }) => status)).toEqual(['done', 'done', 'waiting', 'waiting'])
      await after(1.1, recordId, 3)
      meanwhile = () => Promise.resolve()
      expect(orders.map((order) => [order.system, order.action])).toEqual([
        ['reportStore', 'undo'],
        ['reportStore', 'undo'],
        ['smsPlatform', 'undo'],
      ])
      expect(orders[1]?.key).toBe(orders[0]?.key)
      expect(free).toEqual([2, 2, 2])
      const { rows } = await test.gateway.database.query(
        `select status, last_error as error from crm_alias_task where record_id = $1`,
        [recordId],
      )
      expect(rows).toEqual([
        { status: 'undone', error: null },
        { status: 'undone', error: null },
      ])
    })
  })
})

describe('class A', () => {
  const apply = (customerId: string, more: object = {}): Promise<Answer<Saved>> =>
    sender.post<Saved>('/v2/crm/classApply/save', {
      customerId,
      applyKind: 'enter',
      expectedMonthly: '60000.00',
      reason: '连续三个月稳定增长，需要专属支持',
      validMonths: 12,
      ...more,
    })

  it('shows its thresholds before it is submitted, needs them or an exception, and makes the customer class A', async () => {
    const id = await customer()
    const months = async (revenue: string, profit: string): Promise<void> => {
      await test.gateway.database.query(`delete from fin_customer_month where customer_id = $1`, [id])
      await test.gateway.database.query(
        `insert into fin_customer_month (id, customer_id, month, product, revenue, profit, overdue_days, messages, created_at, updated_at, version)
         select $1 || '-' || back, $1, date_trunc('month', $4::date)::date - make_interval(months => back), 'sms', $2::numeric, $3::numeric, 0, 1, now(), now(), 1
         from generate_series(1, 3) back`,
        [id, revenue, profit, dayOf(test.clock.now(), ZONE)],
      )
    }
    await set(id, { stage: 'dealt' })
    await months('52400.00', '8041.60')
    const { data } = await apply(id)
    expect(data.record).toMatchObject({ status: 'draft', points: 100, candidate: true, profit12m: '171286.08' })
    await months('3000.00', '60.00')
    const poor = await move(sender, 'classApply', [data.id], 'submit')
    expect([poor.code, poor.msg]).toEqual([10010007, expect.stringContaining('门槛')])
    const strategic = await apply(id, { exception: true })
    expect((await move(sender, 'classApply', [strategic.data.id], 'submit')).code).toBe(0)
    expect((await move(sender, 'classApply', [data.id], 'submit')).msg).toContain('审批中')
    const told = async (kind: string) =>
      (
        await test.gateway.database.query<{ status: string; title: string }>(
          `select status, title_zh as title from ${kind === 'notice' ? 'sys_message' : 'sys_todo'} where kind = $1 and subject_id = $2`,
          [kind, strategic.data.id],
        )
      ).rows
    expect(await told('decide')).toMatchObject([{ status: 'open' }])
    expect((await move(lead, 'classApply', [strategic.data.id], 'approve')).code).toBe(0)
    expect(await told('decide')).toMatchObject([{ status: 'done' }])
    expect(await told('notice')).toMatchObject([{ title: expect.stringContaining('A类申请已通过') as string }])
    const granted = await stored('crm.classApply', strategic.data.id)
    expect(await stored('crm.customer', id)).toMatchObject({
      level: 'a',
      classA: true,
      classAValidTo: granted.grantedTo,
      recycleOn: null,
    })
    const reminders = () =>
      test.gateway.database
        .query<{ staff: string; status: string }>(
          `select staff_id as staff, status from sys_todo where kind = 'classAEnd' and subject_id = $1`,
          [strategic.data.id],
        )
        .then(({ rows }) => rows)
    const before = (days: number) => new Date(`${addDays(String(granted.grantedTo), -days)}T04:00:00Z`)
    await runAt('sys.deadlines', before(31))
    expect(await reminders()).toEqual([])
    expect(await runAt('sys.deadlines', before(30))).toContain(granted.code)
    expect(await runAt('sys.deadlines', before(29))).not.toContain(granted.code)
    expect(await reminders()).toEqual([{ staff: SENDER, status: 'open' }])
    const later = new Date(`${String(granted.grantedTo)}T20:00:00Z`)
    expect(await runAt('sys.deadlines', later)).toContain(granted.code)
    expect(await stored('crm.customer', id)).toMatchObject({ level: 'd', classA: false, classAValidTo: null })
    expect(await stored('crm.classApply', strategic.data.id)).toMatchObject({ status: 'ended' })
    expect(await reminders()).toEqual([{ staff: SENDER, status: 'dropped' }])
  })

  it('is decided by somebody else, taken back by whoever asked, kept by a later application in place of the one that runs, and given up by one', async () => {
    const id = await customer()
    const asked = async (more: object): Promise<string> => {
      const saved = await apply(id, { exception: true, ...more })
      expect(saved.code, saved.msg).toBe(0)
      expect((await move(sender, 'classApply', [saved.data.id], 'submit')).code).toBe(0)
      return saved.data.id
    }
    const first = await asked({})
    expect((await move(lead, 'classApply', [first], 'withdraw')).code).toBe(10010007)
    expect((await move(sender, 'classApply', [first], 'withdraw')).code).toBe(0)
    const edited = await sender.post('/v2/crm/classApply/save', { id: first, version: 3, reason: '撤回之后还想改一改理由' })
    expect([edited.code, edited.msg]).toEqual([10010007, '只有草稿可以修改。'])
    const granted = await asked({ validMonths: 3 })
    expect((await move(lead, 'classApply', [granted], 'approve')).code).toBe(0)
    const until = String((await stored('crm.classApply', granted)).grantedTo)
    const kept = await asked({ applyKind: 'keep', validMonths: 2 })
    expect((await move(lead, 'classApply', [kept], 'approve')).code).toBe(0)
    expect(await stored('crm.classApply', granted)).toMatchObject({ status: 'ended', endedAt: expect.any(String) as string })
    const later = await stored('crm.classApply', kept)
    expect(later).toMatchObject({ status: 'approved', grantedFrom: addDays(until, 1), decidedById: 'st-s0005' })
    expect(await stored('crm.customer', id)).toMatchObject({ level: 'a', classA: true, classAValidTo: later.grantedTo })
    const leaving = await asked({ applyKind: 'leave', exception: false })
    expect((await move(lead, 'classApply', [leaving], 'approve')).code).toBe(0)
    expect(await stored('crm.classApply', kept)).toMatchObject({ status: 'ended' })
    expect(await stored('crm.customer', id)).toMatchObject({ level: 'd', classA: false, classAValidTo: null })
    const own = await customer(lead)
    const mine = await lead.post<Saved>('/v2/crm/classApply/save', {
      ...{ customerId: own, applyKind: 'enter', expectedMonthly: '60000.00', exception: true, validMonths: 12 },
      reason: '连续三个月稳定增长，需要专属支持',
    })
    expect((await move(lead, 'classApply', [mine.data.id], 'submit')).code).toBe(0)
    const decided = await move(lead, 'classApply', [mine.data.id], 'approve')
    expect([decided.code, decided.msg]).toEqual([10010007, expect.stringContaining('创建人')])
  })

  it('is revoked with a reason, which takes it from the customer', async () => {
    const id = await customer()
    const saved = await apply(id, { exception: true })
    for (const [caller, step] of [
      [sender, 'submit'],
      [lead, 'approve'],
    ] as const)
      expect((await move(caller, 'classApply', [saved.data.id], step)).code).toBe(0)
    expect((await move(lead, 'classApply', [saved.data.id], 'revoke', { decisionNote: '规模缩小' })).code).toBe(0)
    expect(await stored('crm.classApply', saved.data.id)).toMatchObject({ status: 'revoked', decisionNote: '规模缩小' })
    expect(await stored('crm.customer', id)).toMatchObject({ level: 'd', classA: false, classAValidTo: null })
  })
})

describe('partners', () => {
  it('are made with their profile and an invite code, and have two levels of agents at most', async () => {
    const partner = (more: object) =>
      customer(sender, {
        partyType: 'partner',
        partnerType: 'agent',
        commissionMode: 'revenueShare',
        commissionRate: '8',
        ...more,
      })
    const top = await partner({})
    const below = await partner({ parentAgentId: top })
    const list = await sender.post<Page>('/v2/crm/partnerProfile/queryPage', {
      where: [{ field: 'customerId', operator: 'in', value: [top, below] }],
    })
    expect(list.data.records.map((row) => [row.commissionMode, /^[A-Z2-7]{10}$/.test(String(row.inviteCode))])).toEqual([
      ['revenueShare', true],
      ['revenueShare', true],
    ])
    const profile = list.data.records.find((row) => row.customerId === top)
    const circle = await sender.post('/v2/crm/partnerProfile/save', { id: profile?.id, parentAgentId: below })
    expect(circle.code).toBe(10010005)
    await set(await customer(), { agentId: top, revenue30: '1000.00' })
    const view = await sender.get<{ record: Row }>(`/v2/crm/partnerProfile/view/${profile?.id}`)
    expect(view.data.record).toMatchObject({ customerCount: 1, commission30: '80.00' })
    const page = await sender.get<{ record: Row }>(`/v2/crm/customer/view/${top}`)
    expect(page.data.record).toMatchObject({ profileType: 'agent', profileCommissionRate: '8' })
  })

  it('pay for a month of a customer once, though it moves to another agent: the last of the month has it, locked months stay', async () => {
    const partner = (rate: string) =>
      customer(sender, { partyType: 'partner', partnerType: 'agent', commissionMode: 'revenueShare', commissionRate: rate })
    const [first, second] = [await partner('10'), await partner('20')]
    const [moved, left, stays] = [await customer(), await customer(), await customer()]
    const at = (day: string): Date => new Date(`${day}T04:00:00Z`)
    const bind = (id: string, agentId: string | null, now: Date): Promise<unknown> =>
      test.gateway.engine.transaction(systemContext({ now }), (entities) => entities.save('crm.customer', { id, agentId }))
    const figures = (customerId: string, month: string, revenue: string, product = 'sms') => ({
      ...{ id: newId(), customerId, month, product, revenue, profit: '1.00', overdueDays: 0, messages: 1 },
    })
    const insert = (rows: readonly object[]): Promise<unknown> =>
      test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
        entities.insertMany('fin.customerMonth', rows as Row[]),
      )
    const rows = async (): Promise<unknown[]> =>
      (
        await test.gateway.database.query(
          `select case customer_id when $1 then 'moved' when $2 then 'left' else 'stays' end as customer, month::text, product,
             case party_id when $4 then 'first' else 'second' end as agent, earned::text, status
           from biz_commission where customer_id in ($1, $2, $3) and deleted_at is null order by 1, 2, 3, 4`,
          [moved, left, stays, first],
        )
      ).rows
    const row = (customer: string, month: string, agent: string, earned: string, status: string, product = 'sms') => ({
      ...{ customer, month, product, agent, earned, status },
    })
    for (const id of [moved, left, stays]) await bind(id, first, at('2031-01-05'))
    await insert([moved, left, stays].flatMap((id) => ['2031-03-01', '2031-04-01'].map((month) => figures(id, month, '100.00'))))
    await runAt('crm.commission', at('2031-04-10'))
    const march = ['left', 'moved', 'stays'].map((name) => row(name, '2031-03-01', 'first', '10.00', 'locked'))
    const [ofLeft, ofMoved, ofStays] = march
    expect(await rows()).toEqual([
      ...[ofLeft, row('left', '2031-04-01', 'first', '10.00', 'earning')],
      ...[ofMoved, row('moved', '2031-04-01', 'first', '10.00', 'earning')],
      ...[ofStays, row('stays', '2031-04-01', 'first', '10.00', 'earning')],
    ])

    // in the middle of April one goes to the second agent and one to none; figures of March come late
    await bind(moved, second, at('2031-04-15'))
    await bind(left, null, at('2031-04-15'))
    await insert([moved, stays].map((id) => figures(id, '2031-03-01', '50.00', 'voice')))
    await insert([moved, left].map((id) => figures(id, '2031-05-01', '100.00')))
    await runAt('crm.commission', at('2031-04-20'))
    const late = (name: string) => row(name, '2031-03-01', 'first', '5.00', 'locked', 'voice')
    const april = [
      ...[ofLeft, row('left', '2031-04-01', 'first', '10.00', 'earning')],
      ...[ofMoved, late('moved'), row('moved', '2031-04-01', 'second', '20.00', 'earning')],
      ...[ofStays, late('stays'), row('stays', '2031-04-01', 'first', '10.00', 'earning')],
    ]
    expect(await rows()).toEqual(april)
    await runAt('crm.commission', at('2031-04-20'))
    expect(await rows()).toEqual(april)

    // what is locked stays with whom it was locked for, also where the account comes back; the running month is the last one's
    await runAt('crm.commission', at('2031-05-02'))
    await bind(moved, first, at('2031-05-03'))
    await runAt('crm.commission', at('2031-05-04'))
    expect(await rows()).toEqual([
      ...[ofLeft, row('left', '2031-04-01', 'first', '10.00', 'locked')],
      ...[ofMoved, late('moved'), row('moved', '2031-04-01', 'second', '20.00', 'locked')],
      row('moved', '2031-05-01', 'first', '10.00', 'earning'),
      ...[ofStays, late('stays'), row('stays', '2031-04-01', 'first', '10.00', 'locked')],
    ])
  })
})
