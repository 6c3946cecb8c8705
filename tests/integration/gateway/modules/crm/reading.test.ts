import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId, type Statement, type Transaction } from '../../../../../gateway/platform/database'
import { bind } from '../../../../../gateway/platform/database/statement'
import { systemContext } from '../../../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway, type Caller, type TestGateway } from '../../../../support/gateway'
import { privateCustomer } from '../../../../support/privateCustomer'

type Row = Record<string, unknown> & { id: string }
interface Entry {
  byId: string
  action: string
  changes: unknown[]
  viewed?: { of: string | null; fields: string[] }
}
const EN = { 'accept-language': 'en' }
const OWNER = 'st-s0006'
let test: TestGateway
let owner: Caller
let admin: Caller

beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  // somebody who may read customers, yet not their contact data in clear
  await test.addStaff({
    id: 'blind',
    jobNumber: 'T0001',
    menus: ['crm:crm', 'crm:client-partner', 'crm:client-partner:my-client'],
    scopes: { '*': ['all'] },
  })
  owner = await test.signIn('S0006', DEMO_PASSWORD)
  admin = await signInAsAdmin()
})
afterAll(() => test.close())

const sql = async <T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
  (await test.gateway.database.query<T>(text, values)).rows
const signInAsAdmin = async (): Promise<Caller> => {
  const [first] = await sql<{ jobNumber: string }>(
    `select s.job_number as "jobNumber" from sys_staff s join sys_role_member m on m.staff_id = s.id join sys_role r on r.id = m.role_id
     where r.code = 'administrator' order by s.job_number limit 1`,
  )
  return test.signIn(first?.jobNumber ?? '', DEMO_PASSWORD)
}
let made = 0
/** A customer of the owner with one contact who has a mobile and a mail. */
async function customerWithContact(): Promise<{ customerId: string; contactId: string }> {
  made += 1
  const [customerId, contactId] = [newId(), newId()]
  const name = `阅读试验${String.fromCharCode(0x6c00 + made * 37)}`
  await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
    const owned = { ownerId: OWNER, ownerDeptId: 'dp-s-cn1', ownedAt: test.clock.now().toISOString() }
    await entities.insertMany('crm.customer', [privateCustomer({ id: customerId, code: `RD${1000 + made}`, name, ...owned })])
    await entities.insertMany('crm.contact', [
      { id: contactId, customerId, name: '林晓', email: 'lin@reading.example', mobile: '+8613800001234', role: 'business' },
    ])
  })
  return { customerId, contactId }
}
const viewsOf = async (caller: Caller, customerId: string, headers = {}): Promise<Entry[]> =>
  (await caller.get<{ records: Entry[] }>(`/v2/crm/customer/log/${customerId}?limit=200&views=true`, headers)).data.records
/** What the history of the customer shows, and whether it leads to who viewed something. */
const historyOf = async (caller: Caller, customerId: string) =>
  (await caller.get<{ records: Entry[]; viewed: boolean }>(`/v2/crm/customer/log/${customerId}`)).data
const contactsOf = (caller: Caller, customerId: string, pageSize: number) =>
  caller.post<{ records: Row[]; total: number }>('/v2/crm/contact/queryPage', {
    pageSize,
    where: [{ field: 'customerId', operator: 'eq', value: customerId }],
  })

describe('reading contact data in clear (domain: every sensitive view is logged)', () => {
  it('is noted in the log of the customer in both languages, once a person and day', async () => {
    const { customerId, contactId } = await customerWithContact()
    expect((await owner.get<{ record: Row }>(`/v2/crm/contact/view/${contactId}`)).data.record.mobile).toBe('+8613800001234')
    const expected = { byId: OWNER, changes: [], viewed: { of: '联系人 林晓', fields: ['邮箱', '手机'] } }
    expect(await viewsOf(owner, customerId)).toMatchObject([expected])
    expect(await viewsOf(owner, customerId, EN)).toMatchObject([{ viewed: { of: 'Contact 林晓', fields: ['E-mail', 'Mobile'] } }])

    await owner.get(`/v2/crm/contact/view/${contactId}`)
    // mail and mobile are all that there is: a list shows nothing that was not noted
    await contactsOf(owner, customerId, 20)
    expect(await viewsOf(owner, customerId)).toHaveLength(1)
    // what was done is not lost among what was read
    const history = await historyOf(owner, customerId)
    expect([history.viewed, history.records.map(({ action }) => action)]).toEqual([true, expect.not.arrayContaining(['view'])])
    test.clock.forward(86_400)
    owner = await test.signIn('S0006', DEMO_PASSWORD)
    admin = await signInAsAdmin()
    await owner.get(`/v2/crm/contact/view/${contactId}`)
    expect(await viewsOf(owner, customerId)).toHaveLength(2)
    const log = await admin.post<{ records: Row[] }>('/v2/sys/auditLog/queryPage', {
      where: [
        { field: 'action', operator: 'in', value: ['view'] },
        { field: 'recordId', operator: 'eq', value: contactId },
      ],
    })
    expect(log.data.records.map(({ staffId, entity, recordTitle }) => [staffId, entity, recordTitle])).toEqual([
      [OWNER, 'crm.contact', '林晓'],
      [OWNER, 'crm.contact', '林晓'],
    ])
  })

  it('is noted for lists that show it, not for counting rows, nor for whoever sees it masked', async () => {
    const { customerId, contactId } = await customerWithContact()
    const blind = await test.signIn('T0001')
    const masked = (await blind.get<{ record: Row }>(`/v2/crm/contact/view/${contactId}`)).data.record
    expect([masked.mobile, (await contactsOf(blind, customerId, 20)).data.total]).toEqual([expect.stringContaining('****'), 1])
    expect((await contactsOf(owner, customerId, 0)).data).toMatchObject({ records: [], total: 1 })
    expect(await viewsOf(owner, customerId)).toEqual([])
    expect((await historyOf(owner, customerId)).viewed).toBe(false)
    expect((await contactsOf(owner, customerId, 20)).data.records).toMatchObject([{ mobile: '+8613800001234' }])
    expect(await viewsOf(owner, customerId)).toMatchObject([{ byId: OWNER, viewed: { of: '联系人 林晓' } }])
    // what was read is told to him who sees it masked, without its values
    expect(await viewsOf(blind, customerId)).toMatchObject([{ changes: [], viewed: { fields: ['邮箱', '手机'] } }])
  })

  it('leaves versions of the record as they were: a save after somebody else only read it is not stale', async () => {
    const { customerId } = await customerWithContact()
    await sql(`update crm_customer set tax_no = '91310000READING' where id = $1`, [customerId])
    const { record } = (await owner.get<{ record: Row }>(`/v2/crm/customer/view/${customerId}`)).data
    expect(await viewsOf(owner, customerId, EN)).toMatchObject([{ viewed: { of: null, fields: ['Tax no.'] } }])
    await admin.get(`/v2/crm/customer/view/${customerId}`)
    const saved = await owner.post('/v2/crm/customer/save', { id: customerId, version: record.version, shortName: '已读' })
    expect([saved.code, saved.msg]).toEqual([0, expect.anything()])
  })
})

describe('a missing right', () => {
  const needed = async (query: string, headers = {}) =>
    (await owner.get<{ names: string[]; ask: string[] }>(`/v2/sys/staff/permission/needed?${query}`, headers)).data

  it('is called as in the menu, with people who can grant it', async () => {
    const zh = await needed('key=crm:sea:assign')
    expect(zh.names).toEqual(['客户管理 › 客户与伙伴 › 客户公海 › 分配'])
    const [first] = await sql<{ name: string }>(
      `select name from sys_staff where name = any($1::text[]) and status <> 'left' limit 1`,
      [zh.ask],
    )
    expect(zh.ask).toContain(first?.name)
    const en = await needed('key=crm:sea:assign', EN)
    expect(en.names).toHaveLength(1)
    expect(en.names[0]).toMatch(/ › .*sea › Assign/i)
  })

  it('is found by the route of a page, as one of several keys, and may have no name', async () => {
    expect((await needed('router=/crm/client-partner/open-sea')).names).toEqual(['客户管理 › 客户与伙伴 › 客户公海'])
    expect((await needed(`key=${encodeURIComponent('metrics | crm:sea:assign')}`)).names).toHaveLength(1)
    const unknown = await needed('key=metrics')
    expect(unknown.names).toEqual([])
    expect(unknown.ask.length).toBeGreaterThan(0)
  })
})

describe('The departments of the Buka rule (9.11)', () => {
  it('are chosen from the tree, read by their names, and decide with those below them', async () => {
    const [team] = await sql<{ id: string; name: string; nameEn: string; parentId: string }>(
      `select d.id, d.name, d.name_en as "nameEn", d.parent_id as "parentId" from sys_department d join sys_staff s on s.main_dept_id = d.id where s.id = $1`,
      [OWNER],
    )
    const [foreign] = await sql<{ id: string; name: string }>(
      `select id, name from sys_department where kind is distinct from 'sales' and id <> $1 and deleted_at is null and not exists (select from sys_department own where own.id = $1 and own.path like sys_department.path || '%') limit 1`,
      [team?.id],
    )
    const rule = (await admin.get<{ params: object; newest: number }>('/v2/sys/rule/read/crm.allowBuka')).data
    const choose = async (ids: readonly unknown[], basedOn: number) => {
      const params = { ...rule.params, openerDepts: ids }
      const preview = await admin.post<{ diff: { path: string; words: Record<string, { choices: Record<string, unknown> }> }[] }>(
        '/v2/sys/rule/preview/crm.allowBuka',
        params,
      )
      const saved = await admin.post('/v2/sys/rule/save/crm.allowBuka', { params, reason: '测试', basedOn })
      expect([saved.code, saved.msg]).toEqual([0, expect.anything()])
      return preview.data.diff.find(({ path }) => path === 'openerDepts')
    }
    const { customerId } = await customerWithContact()
    const open = () =>
      owner.post('/v2/crm/bukaAccount/save', { customerId, loginEmail: 'boss@reading.example', products: ['sms'] })

    const change = await choose([foreign?.id], rule.newest)
    expect(change?.words['']?.choices[foreign?.id ?? '']).toMatchObject({ zh: foreign?.name })
    const refused = await open()
    expect([refused.code, refused.msg]).toEqual([10010003, expect.stringContaining(foreign?.name ?? '?')])
    await choose([team?.parentId], rule.newest + 1)
    expect((await open()).code).not.toBe(10010003)
  })
})

describe('a detail', () => {
  it('asks what its many actions depend on once, not once an action', async () => {
    const { database } = test.gateway
    const asked: string[] = []
    const transaction = database.transaction.bind(database)
    const spy = vi.spyOn(database, 'transaction').mockImplementation((work, options) =>
      transaction((tx) => {
        const query = tx.query.bind(tx)
        return work(
          Object.assign(Object.create(tx) as Transaction, {
            query: (statement: Statement, params?: readonly unknown[]) => {
              asked.push(JSON.stringify(bind(statement, params)))
              return query(statement, params)
            },
          }),
        )
      }, options),
    )
    const lead = await test.signIn('S0005', DEMO_PASSWORD)
    let guarded = 0
    for (const entity of ['crm.customer', 'crm.share', 'csc.clue', 'crm.opportunity']) {
      const { path } = test.gateway.engine.model(entity)
      const { data } = await lead.post<{ records: Row[] }>(`${path}/queryPage`, { pageSize: 5 })
      for (const { id } of data.records) {
        asked.length = 0
        expect((await lead.get(`${path}/view/${id}`)).code).toBe(0)
        expect(
          asked.filter((statement, index) => asked.indexOf(statement) !== index),
          `${entity} ${id}`,
        ).toEqual([])
        guarded += asked.length
      }
    }
    spy.mockRestore()
    expect(guarded).toBeGreaterThan(10)
  })
})
