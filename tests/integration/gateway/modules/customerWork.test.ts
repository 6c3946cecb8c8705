import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { addDays, dayOf } from '../../../../gateway/platform/calendar'
import { systemContext } from '../../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../../gateway/world'
import { parseQuery } from '../../../../src/headless/list/query'
import { toQueryBody } from '../../../../src/headless/list/request'
import { pageScope, pathOf, searchOf } from '../../../../src/headless/scope'
import { compilePage, type CompileBundle } from '../../../../src/schema/compile'
import { askReport } from '../../../support/askReport'
import { fakeHost } from '../../../support/fakeHost'
import { startGateway } from '../../../support/gateway'
import type { Caller, TestGateway } from '../../../support/gateway'
import { typedCustomer } from '../../../support/privateCustomer'
import { walksOf } from '../../../support/walkPart'

const { walksAll } = walksOf(import.meta.filename)

type Record_ = Record<string, unknown> & { id: string }
interface Page {
  records: Record_[]
  total: number
}

let test: TestGateway
let sales: Caller
let lead: Caller
let hr: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: walksAll ? '0.4' : '0.1' } })
  const enter = (jobNumber: string): Promise<Caller> => test.signIn(jobNumber, DEMO_PASSWORD)
  ;[sales, lead, hr] = await Promise.all([enter('S0006'), enter('S0004'), enter('S0002')])
})
afterAll(() => test.close())

const list = async (caller: Caller, entity: string, body: object = {}): Promise<Page> =>
  (await caller.post<Page>(`/v2/crm/${entity}/queryPage`, { pageNo: 1, pageSize: 200, ...body })).data
const view = async (caller: Caller, id: string): Promise<Record_> =>
  (await caller.get<{ record: Record_ }>(`/v2/crm/customer/view/${id}`)).data.record
const create = async (caller: Caller, name: string, more: object = {}): Promise<string> => {
  const answer = await caller.post<{ id: string }>('/v2/crm/customer/save', typedCustomer(name, more))
  expect(answer.msg, name).toBe(answer.code === 0 ? answer.msg : '')
  return answer.data.id
}
/** A contact of the time before mail addresses were checked across customers. */
const enterOld = async (
  customerId: string,
  { email, ...contact }: { name: string; mobile: string; email: string },
): Promise<void> => {
  const saved = await lead.post<{ id: string }>('/v2/crm/contact/save', {
    ...contact,
    customerId,
    email: `${customerId}-${email}`,
    duplicateReason: '同一位联系人',
  })
  expect(saved.code, saved.msg).toBe(0)
  await test.gateway.database.query(`update crm_contact set email = $2 where id = $1`, [saved.data.id, email])
}
const follow = (caller: Caller, customerId: string, content: string) =>
  caller.post('/v2/crm/followUp/save', { customerId, way: 'phone', content, result: 'interested' })

describe('merging duplicates', () => {
  it('keeps the chosen values, moves the children, joins the facts and points from the one that goes', async () => {
    const stays = await create(lead, '杭州合并留存信息技术有限公司', { city: '杭州', tags: ['keyTarget'] })
    const goes = await create(lead, '苏州被并入方数据有限公司', {
      city: '苏州',
      tags: ['seasonal'],
      website: 'https://merge-loser.example',
    })
    const contact = { name: '王合并', mobile: '+8613912345670' }
    for (const [id, email] of [
      [stays, 'same@merge.example'],
      [goes, 'same@merge.example'],
      [goes, 'other@merge.example'],
    ] as const)
      await enterOld(id, { ...contact, email })
    await follow(lead, goes, '介绍通道与价格，客户表示感兴趣')
    await follow(lead, goes, '第二次沟通，约定下周开户测试')
    const brought = await create(lead, '合并留史下级客户有限公司')
    await test.gateway.database.query(`update crm_customer set agent_id = $2 where id = $1`, [brought, goes])

    const preview = (
      await lead.post<{ fields: string[]; children: { entity: string; counts: number[] }[] }>('/v2/crm/customer/merge/preview', {
        ids: [stays, goes],
      })
    ).data
    expect(preview.fields).toEqual(expect.arrayContaining(['name', 'city', 'tags', 'ownerId']))
    expect(preview.fields).not.toContain('code')
    expect(preview.children.find((child) => child.entity === 'crm.followUp')?.counts).toEqual([0, 2])

    const merge = (caller: Caller, fields: object) =>
      caller.post<{ moved: Record<string, number> }>('/v2/crm/customer/merge', {
        targetId: stays,
        loserIds: [goes],
        fields,
        reason: '同一家公司重复录入',
      })
    expect((await merge(sales, {})).code).toBe(10010003)
    expect((await merge(lead, { code: goes })).code).toBe(10010001)
    const { code, data, msg } = await merge(lead, { city: goes, tags: 'all' })
    expect([code, msg]).toEqual([0, expect.any(String)])
    expect(data.moved).toMatchObject({ 'crm.followUp': 2, 'crm.contact': 1 })

    expect(await view(lead, stays)).toMatchObject({
      city: '苏州',
      tags: ['keyTarget', 'seasonal'],
      stage: 'following',
      followCount: 2,
      domains: expect.arrayContaining(['merge.example']) as unknown,
    })
    const { records: contacts } = await list(lead, 'contact', { where: [{ field: 'customerId', operator: 'eq', value: stays }] })
    expect(contacts.map((one) => one.email).sort()).toEqual(['other@merge.example', 'same@merge.example'])
    expect(contacts.filter((one) => one.isPrimary)).toHaveLength(1)
    const told = await test.gateway.database.query<{ entity: string; action: string; changes: unknown; who: string }>(
      `select entity, action, changes, staff_id as who from sys_audit_log
       where reason = '同一家公司重复录入' and entity in ('crm.followUp', 'crm.contact', 'crm.customer') and record_id not in ($1, $2)`,
      [stays, goes],
    )
    const history = (entity: string) => told.rows.filter((row) => row.entity === entity).map(({ entity: _, ...row }) => row)
    const moved = { action: 'update', who: 'st-s0004', changes: [{ field: 'customerId', before: goes, after: stays }] }
    expect(history('crm.followUp')).toEqual([moved, moved])
    expect(history('crm.contact')).toEqual(expect.arrayContaining([moved, { ...moved, action: 'delete', changes: [] }]))
    expect(history('crm.customer')).toEqual([{ ...moved, changes: [{ field: 'agentId', before: goes, after: stays }] }])
    expect((await lead.get(`/v2/crm/customer/view/${goes}`)).code).toBe(10010004)
    const { rows } = await test.gateway.database.query<{ pointer: string; deleted: boolean; log: number }>(
      `select duplicate_of_id as pointer, deleted_at is not null as deleted, (select count(*) from crm_owner_log where customer_id = $2 and action = 'merge') as log from crm_customer where id = $1`,
      [goes, stays],
    )
    expect(rows).toEqual([{ pointer: stays, deleted: true, log: expect.anything() as unknown }])
    expect(Number(rows[0]?.log)).toBe(1)
  })

  it('loses nothing of what both have: months, commissions, one contact twice, open to-dos, files; and the commission job goes on', async () => {
    const [stays, goes] = [await create(lead, '宁波双份留存网络有限公司'), await create(lead, '温州双份并入电子商务有限公司')]
    const now = test.clock.now()
    const month = `${dayOf(now, 'Asia/Shanghai').slice(0, 7)}-01`
    const { rows: agents } = await test.gateway.database.query<{ id: string }>(
      `select customer_id as id from crm_partner_profile where status = 'active' and commission_mode = 'revenueShare' and deleted_at is null limit 1`,
    )
    const agent = agents[0]?.id ?? ''
    const [kept, gone, followUp, visit] = [newId(), newId(), newId(), newId()]
    await test.gateway.engine.transaction(systemContext({ now }), async (entities) => {
      const figures = (customerId: string, product: string, revenue: string, overdueDays: number) => ({
        ...{ id: newId(), customerId, month, product, revenue, profit: '1.00', overdueDays, messages: 10 },
      })
      await entities.insertMany('fin.customerMonth', [
        figures(stays, 'sms', '100.00', 2),
        figures(goes, 'sms', '50.50', 5),
        figures(goes, 'voice', '7.00', 0),
      ])
      const commission = (customerId: string, product: string, earned: string) => ({
        ...{ id: newId(), partyKind: 'agent', partyId: agent, customerId, month, product, revenue: '10.00', profit: '1.00' },
        ...{ rate: '10', earned, withdrawn: '0', status: 'earning' },
      })
      await entities.insertMany('biz.commission', [
        commission(stays, 'sms', '10.00'),
        commission(goes, 'sms', '5.05'),
        commission(goes, 'voice', '0.70'),
      ])
      await entities.insertMany('crm.contact', [
        { id: kept, customerId: stays, name: '同一人', email: 'one@double.example', title: '经理' },
        { id: gone, customerId: goes, name: '同一人', email: 'one@double.example', title: '总监', mobile: '+8613900001111' },
      ])
      const at = now.toISOString()
      await entities.insertMany('crm.followUp', [
        {
          id: followUp,
          customerId: goes,
          contactId: gone,
          way: 'phone',
          content: '谈价格与量级',
          result: 'interested',
          createdAt: at,
        },
      ])
      await entities.insertMany('crm.visit', [
        {
          id: visit,
          code: `VM${newId().slice(-8)}`,
          customerId: goes,
          contactIds: [gone],
          visitType: 'onsite',
          plannedAt: at,
          purpose: '拜访',
        },
      ])
      const todo = (customerId: string, kind: string) => ({
        ...{
          id: newId(),
          staffId: 'st-s0004',
          kind: 'churnCause',
          titleZh: kind,
          titleEn: kind,
          status: 'open',
          subjectEntity: 'crm.customer',
        },
        ...{
          subjectId: customerId,
          link: `/crm/client-partner/my-client/details?id=${customerId}`,
          uniqueKey: `${kind}/${customerId}`,
        },
      })
      await entities.insertMany('sys.todo', [todo(stays, 'both'), todo(goes, 'both'), todo(goes, 'only')])
    })
    for (const id of [stays, goes]) {
      const file = { id: newId(), name: `${id}.pdf`, size: 3, type: 'application/pdf' }
      await test.gateway.database.query(
        `insert into sys_file (id, created_at, updated_at, version, name, size, mime_type, sha256, storage_key) values ($1, now(), now(), 1, $2, 3, $3, '', $1)`,
        [file.id, file.name, file.type],
      )
      await test.gateway.engine.transaction(systemContext({ now }), (entities) =>
        entities.save('crm.customer', { id, agentId: agent, attachments: [file] }),
      )
    }
    const answer = await lead.post('/v2/crm/customer/merge', {
      targetId: stays,
      loserIds: [goes],
      fields: {},
      reason: '同一家公司',
    })
    expect(answer.code, answer.text).toBe(0)

    const sql = async (text: string, values: readonly unknown[] = [stays]) =>
      (await test.gateway.database.query(text, values)).rows
    expect(
      await sql(
        `select product, revenue::text, profit::text, overdue_days as overdue, messages from fin_customer_month where customer_id = $1 and deleted_at is null order by 1`,
      ),
    ).toEqual([
      { product: 'sms', revenue: '150.50', profit: '2.00', overdue: 5, messages: 20 },
      { product: 'voice', revenue: '7.00', profit: '1.00', overdue: 0, messages: 10 },
    ])
    expect(
      await sql(`select product, earned::text from biz_commission where customer_id = $1 and deleted_at is null order by 1`),
    ).toEqual([
      { product: 'sms', earned: '15.05' },
      { product: 'voice', earned: '0.70' },
    ])
    expect(await sql(`select id, title, mobile from crm_contact where customer_id = $1 and deleted_at is null`)).toEqual([
      { id: kept, title: '经理', mobile: '+8613900001111' },
    ])
    expect(await sql(`select contact_id as id from crm_follow_up where id = $1`, [followUp])).toEqual([{ id: kept }])
    expect(await sql(`select contact_ids as ids from crm_visit where id = $1`, [visit])).toEqual([{ ids: [kept] }])
    const todos = `select title_en as title, subject_id = $1 and link like '%' || $1 as here, status from sys_todo where subject_id in ($1, $2) and kind = 'churnCause' order by 1, 3`
    expect(await sql(todos, [stays, goes])).toEqual([
      { title: 'both', here: false, status: 'dropped' },
      { title: 'both', here: true, status: 'open' },
      { title: 'only', here: true, status: 'open' },
    ])
    expect((await view(lead, stays)).attachments).toHaveLength(2)
    expect(await sql(`select count(*)::int as files from sys_file where entity = 'crm.customer' and record_id = $1`)).toEqual([
      { files: 2 },
    ])

    // counted anew from the figures of the merged customer, not a second time
    await test.gateway.scheduler
      .find('crm.commission')
      ?.run({ now, day: dayOf(now, 'Asia/Shanghai'), dry: false, startedBy: null }, () => undefined)
    const counted = await sql(
      `select product, revenue::text from biz_commission where customer_id = $1 and deleted_at is null order by 1`,
    )
    expect(counted).toEqual([
      { product: 'sms', revenue: '150.50' },
      { product: 'voice', revenue: '7.00' },
    ])
  })

  it('brings a customer out of the sea to the owner of the one that goes: its stay is over as merged, the log says so once', async () => {
    const stays = await create(lead, '合并出海留存信息有限公司')
    const released = await lead.post('/v2/crm/customer/stateUpdate', {
      ids: [stays],
      field: 'holding',
      transition: 'release',
      releaseReason: 'notFit',
      releaseNote: '客户暂无需求，先退回公海',
    })
    expect(released.code, released.msg).toBe(0)
    const goes = await create(lead, '合并出海并入数据有限公司')
    const { ownerId, ownedAt } = await view(lead, goes)
    const director = await test.signIn('S0001', DEMO_PASSWORD)
    const merged = await director.post('/v2/crm/customer/merge', {
      targetId: stays,
      loserIds: [goes],
      fields: { ownerId: goes },
      reason: '同一家公司重复录入',
    })
    expect(merged.code, merged.msg).toBe(0)
    expect(await view(lead, stays)).toMatchObject({ holding: 'private', ownerId, ownedAt, seaEnteredAt: null, seaReason: null })
    const { rows } = await test.gateway.database.query<{ left: string; by: string }>(
      `select left_by as left, claimed_by_id as by from crm_sea_record where customer_id = $1`,
      [stays],
    )
    expect(rows).toEqual([{ left: 'merged', by: ownerId }])
    const log = await test.gateway.database.query<{ action: string }>(
      `select action from crm_owner_log where customer_id = $1 and to_staff_id = $2 order by at desc limit 2`,
      [stays, ownerId],
    )
    expect(log.rows.map(({ action }) => action)).toEqual(['merge', 'create'])
  })

  it('refuses customers that each have a Buka account, in words, and leaves both as they are', async () => {
    const a = await create(lead, '珠海双账号甲科技有限公司', { regNo: '91440400MA4W000077' })
    const b = await create(lead, '中山双账号乙网络有限公司', { regNo: '91442000MA4W000078' })
    for (const [customerId, loginEmail] of [
      [a, 'boss@two-accounts-a.example'],
      [b, 'boss@two-accounts-b.example'],
    ]) {
      const opened = await lead.post('/v2/crm/bukaAccount/save', { customerId, loginEmail, products: ['sms'] })
      expect(opened.code, opened.msg).toBe(0)
    }
    const refused = await lead.post('/v2/crm/customer/merge', { targetId: a, loserIds: [b], fields: {}, reason: '误录入' })
    expect([refused.code, refused.msg]).toEqual([
      10010007,
      '多个客户各有 Buka 账号，账号不能合并，客户保持不变。如确为不同客户，请标记为“不是重复”。',
    ])
    expect(refused.data).toMatchObject({ transition: 'merge' })
    const { rows } = await test.gateway.database.query<{ id: string }>(
      `select c.id from crm_customer c join crm_buka_account k on k.customer_id = c.id and k.deleted_at is null
       where c.id = any($1::text[]) and c.deleted_at is null and c.duplicate_of_id is null`,
      [[a, b]],
    )
    expect(rows.map((row) => row.id).sort()).toEqual([a, b].sort())
  })

  it('refuses a customer with a partner, and says "not a duplicate" with a reason', async () => {
    const a = await create(lead, '青岛重复怀疑甲科技有限公司')
    const b = await create(lead, '大连伙伴型客户乙网络有限公司', { partyType: 'partner' })
    const refused = await lead.post('/v2/crm/customer/merge', { targetId: a, loserIds: [b], fields: {}, reason: '误录入' })
    expect([refused.code, refused.msg]).toEqual([10010007, '客户与伙伴不能合并。'])
    await test.gateway.database.query(`update crm_customer set duplicate_of_id = $1 where id = $2`, [b, a])
    expect((await lead.post('/v2/crm/customer/notDuplicate', { id: a, reason: '不同法人，注册号不同' })).code).toBe(0)
    expect(await view(lead, a)).toMatchObject({ duplicateOfId: null, duplicateReason: '不同法人，注册号不同' })
  })
})

describe('the appeal of a blocked duplicate', () => {
  it('goes to the leader of the department, who saves the customer for the one who asked', async () => {
    await create(lead, '北京申诉对照通信科技有限公司')
    const values = typedCustomer('北京申诉对照通信科技股份有限公司')
    const blocked = await sales.post<{ appeal: string }>('/v2/crm/customer/save', values)
    expect([blocked.code, blocked.data.appeal]).toEqual([10030001, '/v2/crm/customer/appeal'])
    expect(
      (await sales.post('/v2/crm/customer/appeal', { values: typedCustomer('沈阳无人重名实业有限公司'), note: '没有被拦截的' }))
        .code,
    ).toBe(10010001)
    const asked = await sales.post<{ leader: string }>('/v2/crm/customer/appeal', { values, note: '注册号不同，是另一家公司' })
    expect(asked.code).toBe(0)
    const mine = (await list(sales, 'dupAppeal')).records.filter((record) => record.name === values.name)
    expect(mine.map((record) => record.status)).toEqual(['pending'])
    const { rows } = await test.gateway.database.query<{ jobNumber: string }>(
      `select s.job_number as "jobNumber" from crm_dup_appeal a join sys_staff s on s.id = a.owner_id where a.id = $1`,
      [mine[0]?.id],
    )
    const leader = await test.signIn(rows[0]?.jobNumber ?? '', DEMO_PASSWORD)
    const appeal = (await list(leader, 'dupAppeal')).records.find((record) => record.id === mine[0]?.id)
    const decide = (caller: Caller) =>
      caller.post('/v2/crm/dupAppeal/stateUpdate', { ids: [appeal?.id], transition: 'accept', decisionNote: '已核对注册号' })
    expect((await decide(sales)).code).toBe(10010003)
    expect((await decide(leader)).code).toBe(0)
    const saved = (await list(sales, 'customer', { view: 'mine', keyword: '申诉对照' })).records
    expect(saved[0]).toMatchObject({ ownerId: 'st-s0006', duplicateReason: '已核对注册号', stage: 'potential' })
    expect(saved[0]?.duplicateOfId).toBeTruthy()
  })
})

describe('the sea', () => {
  it('tells how many claims are left, remembers refused attempts, and a manager corrects a mistake', async () => {
    const [free] = (await list(sales, 'customer', { view: 'sea' })).records
    expect(Number(free?.claimsLeft)).toBeGreaterThan(0)
    const own = await create(sales, '厦门误回收测试信息有限公司')
    const step = (caller: Caller, transition: string, values: object = {}) =>
      caller.post('/v2/crm/customer/stateUpdate', { ids: [own], transition, values })
    expect((await step(sales, 'release', { releaseReason: 'notFit' })).code).toBe(0)
    expect((await step(sales, 'claim')).code).toBe(10030002)
    await expect
      .poll(async () => {
        const { rows } = await test.gateway.database.query<{ attempts: { staffId: string; refusedBecause: string }[] }>(
          `select attempts from crm_sea_record where customer_id = $1 and left_at is null`,
          [own],
        )
        return rows[0]?.attempts.map(({ staffId, refusedBecause }) => [staffId, refusedBecause])
      })
      .toEqual([['st-s0006', 'notYetOpen']])
    expect((await step(sales, 'correct', { correctReason: '系统误判' })).code).toBe(10010003)
    expect((await step(lead, 'correct', { correctReason: '系统误判' })).code).toBe(0)
    expect(await view(sales, own)).toMatchObject({ holding: 'private', ownerId: 'st-s0006', seaStays: 0 })
  })
})

describe('who owns what', () => {
  it('counts the customers that the list behind it shows', async () => {
    interface Row {
      ownerId: string
      held: number
      cap: number
    }
    const { data } = await lead.post<{ rows: Row[] }>('/v2/crm/customer/ownershipMap', {})
    const total = data.rows.reduce((sum, row) => sum + row.held, 0)
    const behind = await list(lead, 'customer', { view: 'visible', where: [{ field: 'ownerId', operator: 'notEmpty' }] })
    expect(total).toBe(behind.total)
    const person = data.rows[0]?.ownerId
    const drill = await list(lead, 'customer', {
      view: 'visible',
      where: [{ field: 'ownerId', operator: 'in', value: [person] }],
    })
    expect(data.rows.filter((row) => row.ownerId === person).reduce((sum, row) => sum + row.held, 0)).toBe(drill.total)
    expect(data.rows.filter((row) => row.ownerId === person && row.cap > 0)).toHaveLength(1)
    const { parts, leadsTo } = (await askReport(lead, '/crm/ownership'))!
    const countries = parts.countries?.groups ?? []
    expect(parts.countries?.rows.reduce((sum, row) => sum + Number(row.customers), 0)).toBe(total)
    for (const measure of ['customers', 'customersDealt'])
      for (const group of countries.slice(0, 3))
        expect(await leadsTo(measure, group)).toBe(Number(group.figures[measure]?.[0]?.value ?? 0))
    expect((await sales.post('/v2/crm/customer/ownershipMap', {})).code).toBe(10010003)
  })
})

describe('a hand-over', () => {
  it('splits the customers among successors as previewed, in one transaction, and leaves nothing behind', async () => {
    const { rows: owners } = await test.gateway.database.query<{ id: string }>(
      `select c.owner_id as id from crm_customer c join sys_staff s on s.id = c.owner_id and s.position = 'sales' and s.status = 'active'
       where c.deleted_at is null and s.id not in ('st-s0006', 'st-s0008')
         and exists (select from crm_opportunity o where o.owner_id = s.id and o.deleted_at is null)
       group by 1 having count(*) >= 3 order by count(*) desc, 1 limit 1`,
    )
    const leaver = owners[0]?.id ?? ''
    const owned = (await hr.get<{ customers: { id: string }[] }>(`/v2/sys/staff/user/handover/${leaver}`)).data.customers
    expect(owned.length).toBeGreaterThanOrEqual(3)
    const plan = { mode: 'split', successorIds: ['st-s0006', 'st-s0008'], assignments: { [owned[0]?.id ?? '']: 'pool' } }
    const send = (caller: Caller, more: object = {}) =>
      caller.post<{ receivers: { id: string; customers: number }[]; toSea: number }>(`/v2/sys/staff/user/handover/${leaver}`, {
        ...plan,
        ...more,
      })
    expect((await send(sales)).code).toBe(10010003)
    expect((await send(hr, { successorIds: [] })).code).toBe(10010005)
    const preview = (await send(hr, { preview: true })).data
    expect(preview.receivers.reduce((sum, one) => sum + one.customers, 0) + preview.toSea).toBe(owned.length)
    const opportunities = (
      await test.gateway.database.query<{ id: string }>(
        `select id from crm_opportunity where owner_id = $1 and deleted_at is null`,
        [leaver],
      )
    ).rows.map(({ id }) => id)
    const done = await send(hr)
    expect([done.code, done.data.toSea, done.data.receivers.map((one) => one.customers)]).toEqual([
      0,
      preview.toSea,
      preview.receivers.map((one) => one.customers),
    ])
    const counts = preview.receivers.map((one) => one.customers)
    // what came along with the customers tells in its history that and why it came
    const { rows: logged } = await test.gateway.database.query<{ version: number; reason: string; fields: string[] }>(
      `select o.version = l.record_version as version, l.reason, (select array_agg(c ->> 'field' order by 1) from jsonb_array_elements(l.changes) c) as fields
       from sys_audit_log l join crm_opportunity o on o.id = l.record_id where l.entity = 'crm.opportunity' and l.record_id = any($1::text[])`,
      [opportunities],
    )
    expect(opportunities.length).toBeGreaterThan(0)
    expect(logged).toEqual(
      opportunities.map(() => ({
        version: true,
        reason: 'staffLeft',
        fields: expect.arrayContaining(['ownedAt', 'ownerId']) as string[],
      })),
    )
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    const { rows } = await test.gateway.database.query<{ held: number; status: string }>(
      `select (select count(*) from crm_customer where owner_id = $1) as held, status from sys_staff where id = $1`,
      [leaver],
    )
    expect([Number(rows[0]?.held), rows[0]?.status]).toEqual([0, 'left'])
    const { rows: left } = await test.gateway.database.query<{ total: number }>(
      `select count(*) as total from crm_customer c join sys_staff s on s.id = c.owner_id where s.status = 'left'`,
    )
    expect(Number(left[0]?.total)).toBe(0)
  })
})

describe('Buka', () => {
  it('opens an account by the admission rule, asks for approval or refuses with every reason', async () => {
    const direct = await create(sales, '珠海直客开通科技有限公司', { regNo: '91440400MA4W000001' })
    const wholesale = await create(sales, '中山批发不可开通贸易有限公司', { tradeType: 'wholesale', regNo: '91442000MA4W000002' })
    const open = (customerId: string, loginEmail: string, products: string[] = ['sms']) =>
      sales.post<{ record: Record_ }>('/v2/crm/bukaAccount/save', { customerId, loginEmail, products })
    const refused = await open(wholesale, 'someone@gmail.com', ['voice'])
    expect(refused.code).toBe(10030002)
    expect(refused.data).toMatchObject({ failed: ['tradeType', 'freeMail', 'products'] })
    const opened = await open(direct, 'boss@zhuhai-direct.example')
    expect(opened.data.record).toMatchObject({ status: 'opened', registeredBy: 'staff' })
    expect(await view(sales, direct)).toMatchObject({ platform: 'both', alias: expect.stringMatching(/^CN.{4}$/) as string })
    expect((await open(direct, 'second@zhuhai-direct.example')).code).not.toBe(0)
    const unknown = await create(sales, '江门无证待认证科技有限公司')
    expect((await open(unknown, 'boss@jiangmen.example')).data).toMatchObject({ failed: ['kyc'] })
  })
})

describe('today', () => {
  interface Today {
    day: string
    groups: {
      id: string
      address: string | null
      total: number
      rows: { id: string; title: string; at: string | null; since?: string | null; note: string | null; waiting?: boolean }[]
    }[]
  }
  const today = async (caller: Caller): Promise<Today> => (await caller.get<Today>('/v2/crm/index/today')).data
  const dayAhead = (days: number): string => addDays(dayOf(test.clock.now(), 'Asia/Shanghai'), days)

  /** The rows that a browser of the person shows at an address of a list. */
  const shownAt = async (
    caller: Caller,
    staffId: string,
    address: string,
    change = (bundle: CompileBundle) => bundle,
  ): Promise<Page> => {
    const rights = await test.gateway.directory.rightsOf(staffId, test.clock.now())
    const { data: bundle } = await caller.get<CompileBundle>(`/v2/sys/page/bundle?path=${encodeURIComponent(pathOf(address))}`)
    const compiled = compilePage(change(bundle), {
      locale: 'zh',
      permissions: rights!.permissions,
      companyTimeZone: 'Asia/Shanghai',
    })
    if (!compiled.ok || compiled.model.kind !== 'list') throw new Error(`${address} is no list`)
    const { body } = compiled.model
    const user = { ...fakeHost().user, staffId }
    const host = fakeHost({
      now: test.clock.now(),
      overrides: { timeZone: 'Europe/Berlin', companyTimeZone: 'Asia/Shanghai', user },
    })
    const scope = pageScope(host, address)
    const request = toQueryBody(body, parseQuery(body, searchOf(address), scope), 1000, { scope })
    const { code, msg, data } = await caller.post<Page>(body.calls.query.path, request)
    expect(code, `${address} ${msg}`).toBe(0)
    return data
  }

  it('leads from every figure to exactly the rows that it counts, for several people and on several days', async () => {
    const id = await create(sales, '清远今日待办通信有限公司')
    const nextAt = new Date(test.clock.now().getTime() + 3 * 86_400_000).toISOString()
    const body = { customerId: id, way: 'phone', content: '约好三天后确认测试结果', result: 'interested', nextAt }
    expect((await sales.post('/v2/crm/followUp/save', body)).code).toBe(0)
    // one day before and after the last day that "within three days" means
    for (const days of [2, 3, 4, 7])
      await test.gateway.database.query(`update crm_customer set recycle_on = $2 where id = $1`, [
        await create(sales, `回收边界${'一二三四五六七'.charAt(days - 1)}号样本有限公司`),
        dayAhead(days),
      ])
    const compared = new Set<string>()
    for (const moved of [0, 3]) {
      test.clock.forward(moved * 86_400)
      for (const [jobNumber, staffId] of [
        ['S0006', 'st-s0006'],
        ['S0005', 'st-s0005'],
        ['S0004', 'st-s0004'],
        ['S0008', 'st-s0008'],
        // whose teams have applications for class A depends on the day, the director decides on them all
        ['S0003', 'st-s0003'],
      ] as const) {
        const caller = await test.signIn(jobNumber, DEMO_PASSWORD)
        const told = await today(caller)
        expect(told.day).toBe(dayAhead(0))
        for (const { id: group, address, total, rows } of told.groups) {
          if (address === null) {
            expect(rows.length, `${jobNumber}: all of ${group} stand there`).toBe(Math.min(total, 200))
            continue
          }
          const shown = await shownAt(caller, staffId, address)
          expect(shown.total, `${jobNumber}, ${moved} days on: ${group}`).toBe(total)
          const listed = new Set(shown.records.map((row) => row.id))
          expect(
            rows.every((row) => listed.has(row.id)),
            group,
          ).toBe(true)
          compared.add(group)
        }
        const { data: home } = await caller.post<Record<string, number>>('/v2/crm/index/customer/statistics', {})
        const tabs = { myCustomer: 'all', todayCustomer: 'gained', task: 'today' }
        for (const [figure, tab] of Object.entries(tabs))
          expect((await shownAt(caller, staffId, `/crm/client-partner/my-client?view=${tab}`)).total, figure).toBe(home[figure])
        const soon = told.groups.find((group) => group.id === 'recycling')?.rows ?? []
        expect(
          soon.every(({ at }) => at !== null && at <= dayAhead(3)),
          'within three days',
        ).toBe(true)
        if (jobNumber === 'S0006')
          expect(told.groups.some((group) => group.id === 'followUps' && group.rows.some((row) => row.id === id))).toBe(moved > 0)
      }
    }
    expect([...compared].sort()).toEqual(
      expect.arrayContaining([...(walksAll ? ['classA'] : []), 'followUps', 'opportunities', 'recycling', 'visits']),
    )
  })

  it('tells of applications since when they wait and why, in words; they are not overdue', async () => {
    const { groups } = await today(await test.signIn('S0003', DEMO_PASSWORD))
    const waiting = groups.filter(({ id }) => ['classA', 'buka', 'aliases', 'blacklist'].includes(id))
    expect(waiting.map(({ id }) => id)).toContain('blacklist')
    for (const { rows } of waiting)
      for (const row of rows) expect(row).toMatchObject({ at: null, since: expect.any(String) as string })
    const reasons = waiting.find(({ id }) => id === 'blacklist')?.rows.map(({ note }) => note)
    expect(reasons?.every((reason) => /\p{Script=Han}/u.test(reason ?? ''))).toBe(true)
  })

  it('filters a list by what stands behind a reference when an administrator adds such a filter', async () => {
    const caller = await test.signIn('S0004', DEMO_PASSWORD)
    const add = (bundle: CompileBundle): CompileBundle => {
      if (bundle.page.kind !== 'list') throw new Error('no list')
      const filters = [...(bundle.page.filters ?? []), { field: 'customerId.countryCode' }]
      return { ...bundle, revision: 'with the filter', page: { ...bundle.page, filters } }
    }
    const address = '/crm/client-partner/business-partner?view=department'
    const all = await shownAt(caller, 'st-s0004', address)
    const { rows } = await test.gateway.database.query<{ id: string; country: string }>(
      `select p.id, c.country_code as country from crm_partner_profile p join crm_customer c on c.id = p.customer_id where c.deleted_at is null`,
    )
    const countries = new Map(rows.map(({ id, country }) => [id, country]))
    const wanted = countries.get(all.records[0]?.id ?? '')
    const shown = await shownAt(caller, 'st-s0004', `${address}&f.customerId.countryCode=in:${wanted}`, add)
    const expected = all.records.filter(({ id }) => countries.get(id) === wanted)
    expect(shown.records.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort())
    expect(shown.total).toBeLessThan(all.total)
  })

  it('lists an application with everybody who may decide it, and its to-do is over with the decision, not by ticking it off', async () => {
    const seller = await test.signIn('S0006', DEMO_PASSWORD)
    const id = await create(seller, '韶关双审批样本通信有限公司')
    const values = {
      customerId: id,
      applyKind: 'enter',
      reason: '重点客户，规模大，长期合作',
      expectedMonthly: '9000',
      exception: true,
    }
    const saved = await seller.post<{ id: string }>('/v2/crm/classApply/save', values)
    expect(saved.code, saved.msg).toBe(0)
    const applied = await seller.post('/v2/crm/classApply/stateUpdate', { ids: [saved.data.id], transition: 'submit' })
    expect(applied.code, applied.msg).toBe(0)
    const leader = await test.signIn('S0005', DEMO_PASSWORD)
    const second = await test.signIn('S0004', DEMO_PASSWORD)
    for (const [caller, staffId] of [
      [leader, 'st-s0005'],
      [second, 'st-s0004'],
    ] as const) {
      expect((await today(caller)).groups.find((group) => group.id === 'classA')?.rows.map((row) => row.id)).toContain(
        saved.data.id,
      )
      const { records } = await shownAt(caller, staffId, '/crm/class-a-applications?view=toDecide')
      expect(records.map((row) => row.id)).toContain(saved.data.id)
    }
    const todos = async () =>
      (
        await test.gateway.database.query<{ id: string; status: string }>(
          `select id, status from sys_todo where subject_id = $1 and kind = 'decide'`,
          [saved.data.id],
        )
      ).rows
    const [todo] = await todos()
    const ticked = await leader.post('/v2/sys/todo/stateUpdate', { ids: [todo?.id], transition: 'done' })
    expect([ticked.code, ticked.msg]).toEqual([10010007, expect.stringContaining('等待决定')])
    const decided = await second.post('/v2/crm/classApply/stateUpdate', {
      ids: [saved.data.id],
      transition: 'reject',
      values: { decisionNote: '规模还不够' },
    })
    expect(decided.code, decided.msg).toBe(0)
    expect((await todos())[0]?.status).toBe('done')
    const heard = await seller.post<{ records: { title: string }[] }>('/v2/sys/mc/message/query/home/message/list', {})
    expect(heard.data.records.map(({ title }) => title)).toContainEqual(expect.stringMatching(/A类申请被驳回：韶关双审批样本/))
  })

  it('lists an application for a Buka account with everybody who may decide it, until one of them has', async () => {
    const seller = await test.signIn('S0006', DEMO_PASSWORD)
    const id = await create(seller, '惠州双审批开通科技有限公司', { regNo: '91441300MA4W000079' })
    await test.gateway.database.query(`update crm_customer set revenue30 = 26000 where id = $1`, [id])
    const asked = await seller.post<{ id: string; record: Record_ }>('/v2/crm/bukaAccount/save', {
      customerId: id,
      loginEmail: 'boss@huizhou-buka.example',
      products: ['sms'],
    })
    expect(asked.data.record, asked.msg).toMatchObject({ status: 'pending' })
    const shown = async (caller: Caller, staffId: string) => {
      const group = (await today(caller)).groups.find(({ id }) => id === 'buka')
      const { records, total } = await shownAt(caller, staffId, '/crm/buka-applications?view=toDecide')
      expect([group?.total ?? 0, group?.address ?? ''], staffId).toEqual([
        total,
        total > 0 ? '/crm/buka-applications?view=toDecide' : '',
      ])
      return { today: group?.rows.map((row) => row.id) ?? [], list: records.map((row) => row.id) }
    }
    const leader = await test.signIn('S0005', DEMO_PASSWORD)
    const second = await test.signIn('S0004', DEMO_PASSWORD)
    for (const [caller, staffId] of [
      [leader, 'st-s0005'],
      [second, 'st-s0004'],
    ] as const) {
      const { today: waiting, list: listed } = await shown(caller, staffId)
      expect(waiting, staffId).toContain(asked.data.id)
      expect(listed, staffId).toContain(asked.data.id)
    }
    const own = await shownAt(seller, 'st-s0006', '/crm/buka-applications?view=mine')
    expect(own.records.map((row) => row.id)).toContain(asked.data.id)
    const decided = await second.post('/v2/crm/bukaAccount/stateUpdate', { ids: [asked.data.id], transition: 'approve' })
    expect(decided.code, decided.msg).toBe(0)
    const left = await shown(leader, 'st-s0005')
    expect([...left.list, ...left.today]).not.toContain(asked.data.id)
  })
})
