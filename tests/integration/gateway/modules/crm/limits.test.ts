import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addDays, dayOf } from '../../../../../gateway/platform/calendar'
import { newId } from '../../../../../gateway/platform/database'
import { systemContext } from '../../../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway, type Answer, type Caller, type TestGateway } from '../../../../support/gateway'
import { privateCustomer, typedCustomer } from '../../../../support/privateCustomer'

type Row = Record<string, unknown> & { id: string }
interface Saved {
  id: string
  record: Row
}
const ZONE = 'Asia/Shanghai'
/** China team 1: its lead, and three of its sales people. */
const [SENDER, RECEIVER, THIRD] = ['st-s0006', 'st-s0008', 'st-s0009']
/** Somebody of another department, who may work on customers too. */
const ABROAD = { staff: 'st-s0014', department: '' }
let test: TestGateway
let sender: Caller
let lead: Caller

beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  ;[sender, lead] = await Promise.all([test.signIn('S0006', DEMO_PASSWORD), test.signIn('S0005', DEMO_PASSWORD)])
  ABROAD.department = String((await stored('sys.staff', ABROAD.staff)).mainDeptId)
})
afterAll(() => test.close())

const insert = (entity: string, row: Row): Promise<unknown> =>
  test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), (entities) => entities.insertMany(entity, [row]))
const stored = async (entity: string, id: string): Promise<Row> =>
  (await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
    entities.find(entity, id),
  )) as Row
const today = (): string => dayOf(test.clock.now(), ZONE)
/** Parameters as they hold for one person or department. */
const except = (ruleKey: string, targetId: string, params: object, targetType = 'staff') =>
  insert('sys.ruleOverride', { id: newId(), ruleKey, targetType, targetId, params, reason: 'a test' })
const noExceptions = () =>
  test.gateway.database.query(`update sys_rule_override set deleted_at = now() where reason = 'a test' and deleted_at is null`)
afterEach(noExceptions)
const move = (caller: Caller, path: string, id: string, transition: string, values: object = {}): Promise<Answer> =>
  caller.post(`/v2/crm/${path}/stateUpdate`, { ids: [id], transition, values })
const refusal = ({ code, data }: Answer): unknown => [code, (data as { reason?: string } | null)?.reason]

let made = 0
async function customer(more: object = {}): Promise<string> {
  made += 1
  const [id, name] = [newId(), `限额试验${String.fromCharCode(0x6c00 + made * 37)}`]
  const owned = { ownerId: SENDER, ownerDeptId: 'dp-s-cn1', ownedAt: test.clock.now().toISOString() }
  await insert('crm.customer', { ...privateCustomer({ id, code: `LM${1000 + made}`, name, ...owned }), id, ...more })
  return id
}
async function inSea(owner: string): Promise<string> {
  const enteredAt = test.clock.now().toISOString()
  const id = await customer({
    ...{ holding: 'sea', ownerId: null, ownerDeptId: null, ownedAt: null, seaEnteredAt: enteredAt, seaReason: 'noFollow' },
    ...{ lastOwnerId: owner, seaStays: 1, firstDealAt: enteredAt },
  })
  const stay = { customerId: id, enteredAt, reason: 'noFollow', lastOwnerId: owner, coolUntil: addDays(today(), 30) }
  await insert('crm.seaRecord', { id: newId(), ...stay, claimableFrom: enteredAt, attempts: [] })
  return id
}

describe('the limits of transfers and shares (CRM rule 9.7)', () => {
  it('let more than so many customers go by a manager only, and none that was held too short', async () => {
    const ids = [await customer(), await customer()]
    const send = (caller: Caller) =>
      caller.post<Saved>('/v2/crm/transfer/save', { customerIds: ids, toStaffId: RECEIVER, reason: 'fit' })
    await except('crm.wander', SENDER, { approvalAbove: 1, minHeldDays: 5 })
    expect(refusal(await send(sender))).toEqual([10030002, 'approvalAbove'])
    await noExceptions()
    await except('crm.wander', SENDER, { minHeldDays: 5 })
    const early = await send(sender)
    expect([refusal(early), early.msg]).toEqual([[10030002, 'minHeldDays'], expect.stringContaining(addDays(today(), 5))])
    expect((await send(lead)).code).toBe(0)
  })

  it('give customers only to somebody who may work on them, whether sent or assigned from the sea', async () => {
    const HR = 'st-s0002'
    const sent = await sender.post('/v2/crm/transfer/save', { customerIds: [await customer()], toStaffId: HR, reason: 'fit' })
    expect([refusal(sent), sent.msg]).toEqual([[10030002, 'notSales'], expect.stringContaining('没有客户管理的权限')])
    const director = await test.signIn('S0003', DEMO_PASSWORD)
    const lying = await inSea(RECEIVER)
    expect(refusal(await move(director, 'customer', lying, 'assign', { assignTo: HR, assignReason: '试验' }))).toEqual([
      10030002,
      'notSales',
    ])
    expect(await stored('crm.customer', lying)).toMatchObject({ holding: 'sea', ownerId: null })
  })

  it('let nobody be given more shared customers than he may have', async () => {
    const { rows } = await test.gateway.database.query<{ n: number }>(
      `select count(*) as n from crm_share where to_staff_id = $1 and status = 'accepted' and deleted_at is null`,
      [RECEIVER],
    )
    await except('crm.wander', RECEIVER, { maxReceived: Number(rows[0]?.n) })
    const body = { customerId: await customer(), toStaffId: RECEIVER, mode: 'read', reason: '一起跟进' }
    expect(await sender.post('/v2/crm/share/save', body)).toMatchObject({
      code: 10010005,
      data: { errors: [{ rule: 'receivedCap' }] },
    })
  })
})

describe('the holding cap (CRM rule 9.4)', () => {
  /** How many customers a person may hold, with what counts. */
  const capAt = (limit: number, more: object = {}): object => ({
    ...{ default: limit, senior: limit, manager: limit, newcomer: limit },
    ...more,
  })
  it('holds for what several managers assign to a person at the same time: one place takes one customer', async () => {
    const receiver = await test.signIn('S0008', DEMO_PASSWORD)
    const { data } = await receiver.get<{ holding: { used: number } }>('/v2/crm/customer/claimQuota')
    await except('crm.retention', RECEIVER, capAt(data.holding.used + 1))
    const lying = await Promise.all([1, 2, 3, 4, 5].map(() => inSea(THIRD)))
    const answers = await Promise.all(lying.map((id) => move(lead, 'customer', id, 'assign', { assignTo: RECEIVER })))
    expect(answers.map(refusal).sort()).toEqual([[0, undefined], ...Array<unknown>(4).fill([10030002, 'capFull'])])
    const owners = await Promise.all(lying.map(async (id) => (await stored('crm.customer', id)).ownerId))
    expect(owners.filter((owner) => owner === RECEIVER)).toHaveLength(1)
  })

  const send = async (toStaffId: string): Promise<Answer> => {
    const body = { customerIds: [await customer({ level: 'a' })], toStaffId, reason: 'fit' }
    const { data } = await sender.post<Saved>('/v2/crm/transfer/save', body)
    return move(await test.signIn(toStaffId.replace('st-s', 'S'), DEMO_PASSWORD), 'transfer', data.id, 'accept')
  }

  it('does not count class A for who is full, unless his own exception or that of his department says so', async () => {
    await except('crm.retention', RECEIVER, capAt(0))
    expect((await send(RECEIVER)).code).toBe(0)
    await except('crm.retention', ABROAD.staff, capAt(0))
    expect((await send(ABROAD.staff)).code).toBe(0)
    await except('crm.retention', ABROAD.department, { excludeLevelA: false }, 'department')
    expect(refusal(await send(ABROAD.staff))).toEqual([10030002, 'capFull'])
    await except('crm.retention', RECEIVER, { excludeLevelA: false })
    expect(refusal(await send(RECEIVER))).toEqual([10030002, 'capFull'])
  })

  it('is that of the receiver: an exception of the sender says nothing of it', async () => {
    await except('crm.retention', SENDER, capAt(0, { excludeLevelA: false }))
    expect((await send(RECEIVER)).code).toBe(0)
  })
})

describe('the limits of alias changes and class A (CRM rule 9.8, section 3)', () => {
  it('allow so many alias changes a year', async () => {
    const id = await customer({ alias: 'CNAQXW' })
    await except('crm.alias', SENDER, { maxPerYear: 1 })
    const done = {
      subjectType: 'customer',
      subjectId: id,
      customerId: id,
      oldAlias: 'CNAQXC',
      newAlias: 'CNAQXW',
      reason: '试验',
    }
    const at = test.clock.now().toISOString()
    await insert('crm.aliasRecord', { id: newId(), code: 'BMTEST1', ...done, status: 'done', effectiveAt: at })
    const second = await sender.post('/v2/crm/aliasRecord/save', { customerId: id, reason: '再换一次' })
    expect(refusal(second)).toEqual([10030002, 'maxPerYear'])
  })

  it('refuse a class A beyond the quota of its owner, and a new try within 30 days after a refusal: before anything is typed, and again when it is submitted', async () => {
    const ask = (id: string): Promise<Answer<Saved>> =>
      sender.post<Saved>('/v2/crm/classApply/save', {
        customerId: id,
        applyKind: 'enter',
        expectedMonthly: '1000.00',
        reason: '战略客户，需要专属支持',
        exception: true,
        validMonths: 6,
      })
    const apply = async (id: string): Promise<string> => (await ask(id)).data.id
    /** What the list says of the action, and what a new application is told. */
    const barred = async (id: string): Promise<unknown[]> => {
      const where = [{ field: 'id', operator: 'eq', value: id }]
      const list = await sender.post<{ records: Row[] }>('/v2/crm/customer/queryPage', { view: 'mine', where })
      const details = await sender.get<{ record: Row }>(`/v2/crm/customer/view/${id}`)
      const refused = await ask(id)
      const { errors } = refused.data as unknown as { errors?: { field: string; message: string }[] }
      return [
        list.data.records[0]?.classARefusedBecause,
        details.data.record.classARefusedBecause,
        errors?.[0]?.field,
        errors?.[0]?.message,
      ]
    }
    const said = (words: string): unknown[] => [
      expect.stringContaining(words),
      expect.stringContaining(words),
      'customerId',
      expect.stringContaining(words),
    ]
    const [first, second] = [await customer(), await customer()]
    const [application, draft] = [await apply(first), await apply(first)]
    expect((await move(sender, 'classApply', application, 'submit')).code).toBe(0)
    expect(await barred(first)).toEqual(said('审批中'))
    expect((await move(lead, 'classApply', application, 'reject', { decisionNote: '再等等' })).code).toBe(0)
    const again = await move(sender, 'classApply', draft, 'submit')
    expect([again.code, again.msg]).toEqual([10010007, expect.stringContaining(addDays(today(), 30))])
    expect(await barred(first)).toEqual(said(addDays(today(), 30)))
    const last = await apply(second)
    await except('crm.classA', SENDER, { maxPerStaff: 0 })
    expect((await move(sender, 'classApply', last, 'submit')).msg).toContain('A类名额已满')
    expect(await barred(second)).toEqual(said('A类名额已满'))
  })
})

describe('the open sea (CRM rules 9.2, 9.5)', () => {
  it('gives a customer back to its former owner during the cool-down only with a reason, and to his colleagues without', async () => {
    const [own, other] = [await inSea(SENDER), await inSea(SENDER)]
    const cool = await move(lead, 'customer', own, 'assign', { assignTo: SENDER })
    expect([refusal(cool), cool.msg]).toEqual([[10030002, 'coolDown'], expect.stringContaining(addDays(today(), 30))])
    expect((await move(lead, 'customer', own, 'assign', { assignTo: SENDER, assignReason: '客户点名要他' })).code).toBe(0)
    expect((await move(lead, 'customer', other, 'assign', { assignTo: RECEIVER })).code).toBe(0)
  })

  it('counts a stay that was corrected as none: the customer is no ping-pong for it and can still be claimed', async () => {
    const id = await customer({ stage: 'following' })
    const release = async (): Promise<void> => {
      expect((await move(sender, 'customer', id, 'release', { releaseReason: 'notFit' })).code).toBe(0)
    }
    const claimable = `update crm_sea_record set claimable_from = entered_at where customer_id = $1 and left_at is null`
    const claim = async (): Promise<Answer> => {
      await test.gateway.database.query(claimable, [id])
      return move(await test.signIn(ABROAD.staff.replace('st-s', 'S'), DEMO_PASSWORD), 'customer', id, 'claim')
    }
    for (const correctReason of ['点错了', '又点错了']) {
      await release()
      const corrected = await move(lead, 'customer', id, 'correct', { correctReason })
      expect([corrected.code, corrected.msg]).toEqual([0, corrected.msg])
    }
    await release()
    expect(await stored('crm.customer', id)).toMatchObject({ holding: 'sea', seaStays: 1 })
    const claimed = await claim()
    expect([refusal(claimed), claimed.msg]).toEqual([[0, undefined], claimed.msg])
  })

  it('tells what a customer that has dealt brought in the last 90 days', async () => {
    const id = await inSea(SENDER)
    const month = `${today().slice(0, 7)}-01`
    const facts = { customerId: id, month, product: 'sms', revenue: '120.50', profit: '10.00', overdueDays: 0, messages: 1 }
    await insert('fin.customerMonth', { id: newId(), ...facts })
    const where = [{ field: 'id', operator: 'eq', value: id }]
    const { data } = await lead.post<{ records: Row[] }>('/v2/crm/customer/queryPage', { view: 'sea', where })
    expect(data.records).toMatchObject([{ id, revenue90: '120.50' }])
  })

  it('keeps with a stay when the customer was last followed up', async () => {
    const lastFollowAt = new Date(test.clock.now().getTime() - 86_400_000).toISOString()
    const id = await customer({ lastFollowAt, stage: 'following' })
    expect((await move(sender, 'customer', id, 'release', { releaseReason: 'notFit' })).code).toBe(0)
    const { rows } = await test.gateway.database.query<{ at: string | Date }>(
      `select last_follow_at as at from crm_sea_record where customer_id = $1`,
      [id],
    )
    expect(new Date(rows[0]?.at ?? 0).toISOString()).toBe(lastFollowAt)
  })
})

describe('the level of a customer (CRM rule 9.9)', () => {
  it('is typed by nobody; a manager sets B, C or D with a reason, which the history tells', async () => {
    const body = typedCustomer('等级试验甲有限公司', { duplicateReason: '试验数据' })
    const above = await sender.post('/v2/crm/customer/save', { ...body, level: 'b' })
    expect(above).toMatchObject({ code: 10010005, data: { errors: [{ field: 'level', rule: 'levelByRule' }] } })
    const id = await customer()
    const version = (await stored('crm.customer', id)).version
    const typed = await lead.post('/v2/crm/customer/save', { id, version, level: 'c' })
    expect(typed).toMatchObject({ code: 10010005, data: { errors: [{ rule: 'levelByRule' }] } })
    const values = { newLevel: 'b', levelReason: '重点培育' }
    expect((await move(sender, 'customer', id, 'setLevel', values)).code).toBe(10010003)
    expect((await move(lead, 'customer', id, 'setLevel', { ...values, newLevel: 'a' })).msg).toContain('A类申请')
    expect((await move(lead, 'customer', id, 'setLevel', { ...values, lockUntil: addDays(today(), 60) })).code).toBe(0)
    expect(await stored('crm.customer', id)).toMatchObject({ level: 'b', levelLockUntil: addDays(today(), 60) })
    expect((await move(lead, 'customer', id, 'setLevel', values)).msg).toContain('已是这个等级')
    const { data } = await sender.post<{ records: Row[] }>('/v2/crm/levelLog/queryPage', {
      where: [{ field: 'customerId', operator: 'eq', value: id }],
    })
    expect(data.records).toMatchObject([
      { fromLevel: 'd', toLevel: 'b', manual: true, reason: '重点培育', createdBy: 'st-s0005' },
    ])
  })

  it('stays through the monthly computation as long as it is locked', async () => {
    const [locked, free] = [await customer({ level: 'b', levelLockUntil: addDays(today(), 90) }), await customer({ level: 'b' })]
    const first = `${addDays(`${today().slice(0, 7)}-28`, 4).slice(0, 7)}-01`
    const at = test.clock.now().toISOString()
    for (const id of [locked, free])
      await insert('crm.levelLog', { id: newId(), customerId: id, toLevel: 'b', computedLevel: 'd', points: '0.00', at })
    await test.gateway.scheduler
      .find('crm.level')
      ?.run({ now: new Date(`${first}T03:00:00Z`), day: first, dry: false, startedBy: null }, () => undefined)
    expect([(await stored('crm.customer', locked)).level, (await stored('crm.customer', free)).level]).toEqual(['b', 'd'])
  })
})

describe('a follow-up', () => {
  it('is a contact of the owner when he writes it or somebody with whom he shares for editing, not by a manager; who only reads writes none (CRM rule 9.7)', async () => {
    const id = await customer()
    const receiver = await test.signIn('S0008', DEMO_PASSWORD)
    const share = newId()
    const write = async (caller: Caller, content: string): Promise<unknown> => {
      const body = { customerId: id, way: 'phone', content, result: 'interested' }
      const { code, data } = await caller.post<Saved | null>('/v2/crm/followUp/save', body)
      return code === 0 ? (await stored('crm.followUp', data!.id)).effective : code
    }
    await insert('crm.share', {
      ...{ id: share, customerId: id, ownerId: SENDER, toStaffId: RECEIVER, mode: 'edit', reason: '一起跟进' },
      ...{ status: 'accepted', decidedAt: test.clock.now().toISOString() },
    })
    expect(await write(lead, '主管与客户谈了明年的价格')).toBe(false)
    expect(await write(receiver, '同事与客户谈了印尼短信')).toBe(true)
    await test.gateway.database.query(`update crm_share set mode = 'read' where id = $1`, [share])
    expect(await write(receiver, '同事与客户谈了巴西语音')).toBe(10010005)
    expect(await write(sender, '与客户谈了合同的条款')).toBe(true)
  })
})

describe('a reminder of a manager', () => {
  it('is a to-do of the owner, which his next follow-up settles', async () => {
    const id = await customer()
    expect((await move(sender, 'customer', id, 'remind', { remindNote: '请回电' })).code).toBe(10010003)
    expect((await move(lead, 'customer', id, 'remind', { remindNote: '请回电' })).code).toBe(0)
    const told = async () =>
      (
        await test.gateway.database.query<{ staff: string; status: string; title: string }>(
          `select staff_id as staff, status, title_zh as title from sys_todo where kind = 'followUp' and subject_id = $1`,
          [id],
        )
      ).rows
    expect(await told()).toMatchObject([{ staff: SENDER, status: 'open', title: expect.stringContaining('请回电') as string }])
    const followUp = { customerId: id, way: 'phone', content: '已回电，客户需要印尼短信报价', result: 'needQuote' }
    expect((await sender.post('/v2/crm/followUp/save', followUp)).code).toBe(0)
    expect(await told()).toMatchObject([{ status: 'done' }])
  })
})

describe('what waits for the leader', () => {
  const todos = async (subject: string) =>
    (
      await test.gateway.database.query<{ staff: string; kind: string; status: string }>(
        `select staff_id as staff, kind, status from sys_todo where subject_id = $1
         union all select receiver_id, kind, status from sys_message where subject_id = $1 and kind = 'notice' order by kind`,
        [subject],
      )
    ).rows

  it('is a Buka account of a customer above 20,000 USD a month, with its reason; refused, it may be asked for again (CRM rule 9.11)', async () => {
    const id = await customer({ regNo: '91440300MA5TEST01', revenue30: '26000.00' })
    const open = () =>
      sender.post<Saved>('/v2/crm/bukaAccount/save', { customerId: id, loginEmail: 'boss@limit.example', products: ['sms'] })
    const first = (await open()).data
    expect(first.record).toMatchObject({ status: 'pending', failedConditions: ['mainRevenue'] })
    const { data } = await lead.get<{ record: Row }>(`/v2/crm/bukaAccount/view/${first.id}`)
    expect(data.record.failedNotes).toBe('主平台收入超过上限，须销售总监批准')
    expect(await todos(first.id)).toEqual([{ staff: 'st-s0005', kind: 'decide', status: 'open' }])
    expect((await open()).code).toBe(10010005)
    expect((await move(lead, 'bukaAccount', first.id, 'reject', { decisionNote: '留在主平台' })).code).toBe(0)
    expect(await todos(first.id)).toMatchObject([{ status: 'done' }, { staff: SENDER, kind: 'notice' }])
    expect((await move(sender, 'bukaAccount', first.id, 'askAgain')).code).toBe(0)
    expect((await move(lead, 'bukaAccount', first.id, 'approve')).code).toBe(0)
    expect(await stored('crm.customer', id)).toMatchObject({ platform: 'both' })
  })

  it('is a new entry of the blacklist', async () => {
    const entry = { name: '待决试验黑名单有限公司', reason: 'other', scope: 'all' }
    const { data } = await sender.post<Saved>('/v2/crm/blacklist/save', entry)
    expect(await todos(data.id)).toEqual([{ staff: 'st-s0005', kind: 'decide', status: 'open' }])
    expect((await move(lead, 'blacklist', data.id, 'reject', { decisionNote: '证据不足' })).code).toBe(0)
    expect(await todos(data.id)).toMatchObject([{ status: 'done' }, { staff: SENDER, kind: 'notice' }])
  })
})

describe('duplicate checks (CRM rule 9.1)', () => {
  it('are deleted after 730 days, and shown dry first', async () => {
    const check = (days: number) => ({
      id: newId(),
      decision: 'passed',
      at: new Date(test.clock.now().getTime() - days * 86_400_000).toISOString(),
    })
    const [old, young] = [check(732), check(728)]
    await insert('crm.dupCheck', old)
    await insert('crm.dupCheck', young)
    const run = (dry: boolean) =>
      test.gateway.scheduler
        .find('sys.deadlines')
        ?.run({ now: test.clock.now(), day: today(), dry, startedBy: null }, () => undefined)
        .then(({ figures }) => figures.find(({ id }) => id === 'crm.dupCheck.kept')?.value)
    const gone = async (): Promise<boolean> => (await stored('crm.dupCheck', old.id)) === null
    expect([await run(true), await gone()]).toEqual([1, false])
    expect([await run(false), await gone()]).toEqual([1, true])
    expect(await stored('crm.dupCheck', young.id)).toMatchObject({ decision: 'passed' })
  })
})
