import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../../gateway/platform/database'
import { systemContext } from '../../../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway, type Answer, type Caller, type TestGateway } from '../../../../support/gateway'
import { privateCustomer, typedCustomer } from '../../../../support/privateCustomer'

interface Saved {
  id: string
  record: Record<string, unknown>
}
interface Rule {
  key: string
  newest: number
  params: Record<string, unknown>
}
/** A sales person of China team 1 and two colleagues. */
const [SENDER, RECEIVER, THIRD] = ['st-s0006', 'st-s0008', 'st-s0009']
let test: TestGateway
let admin: Caller
let sender: Caller

beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  sender = await test.signIn('S0006', DEMO_PASSWORD)
  admin = await test.signIn('S0067', DEMO_PASSWORD)
})
afterAll(() => test.close())
beforeEach(() => test.gateway.database.query(`update sys_rule_override set deleted_at = now() where deleted_at is null`))

const read = async (key: string): Promise<Rule> => (await admin.get<Rule>(`/v2/sys/rule/read/${key}`)).data
/** A new version of a rule, as the settings page saves it. */
const change = async (key: string, params: object): Promise<Answer> => {
  const rule = await read(key)
  const body = { params: { ...rule.params, ...params }, reason: 'a test', basedOn: rule.newest }
  const answer = await admin.post(`/v2/sys/rule/save/${key}`, body)
  expect(answer.code, answer.text).toBe(0)
  return answer
}
const except = async (key: string, targetType: 'staff' | 'department', targetId: string, params: object): Promise<void> => {
  const { params: all } = await read(key)
  const body = { targetType, targetId, params: { ...all, ...params }, reason: 'a test' }
  const answer = await admin.post(`/v2/sys/rule/override/${key}`, body)
  expect(answer.code, answer.text).toBe(0)
}
let made = 0
async function customer(more: object = {}): Promise<string> {
  made += 1
  const id = newId()
  await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
    entities.insertMany('crm.customer', [
      privateCustomer({
        ...{ id, code: `TR${1000 + made}`, name: `规则试验${made}` },
        ...{ ownerId: SENDER, ownedAt: test.clock.now().toISOString(), ...more },
      }),
    ]),
  )
  return id
}
const share = (customerId: string, more: object = {}) =>
  sender.post<Saved>('/v2/crm/share/save', { customerId, toStaffId: RECEIVER, mode: 'read', reason: '一起跟进', ...more })

describe('Every rule of the parameter page', () => {
  it('can be read with its form, previewed with an effect, and refuses what is out of bounds', async () => {
    for (const key of ['crm.wander', 'crm.blacklistRule', 'crm.alias', 'crm.classA']) {
      const { params } = await read(key)
      const preview = await admin.post<{ effect: { figures: object[] } | null }>(`/v2/sys/rule/preview/${key}`, params)
      expect(preview.code, key).toBe(0)
      expect(preview.data.effect?.figures.length, key).toBeGreaterThan(0)
      expect((await sender.get(`/v2/sys/rule/read/${key}`)).code).toBe(10010003)
    }
    const { params } = await read('crm.wander')
    expect((await admin.post('/v2/sys/rule/preview/crm.wander', { ...params, maxItems: 201 })).code).toBe(10010005)
  })
})

describe('The rule for transfers and shares (9.7)', () => {
  it('holds with the exception of a person before that of his department, and the department before the rule', async () => {
    await change('crm.wander', { maxReceivers: 2 })
    const { rows } = await test.gateway.database.query<{ dept: string }>(
      `select main_dept_id as dept from sys_staff where id = $1`,
      [SENDER],
    )
    const id = await customer()
    expect((await share(id)).code).toBe(0)
    await except('crm.wander', 'department', rows[0]?.dept ?? '', { maxReceivers: 1 })
    const refused = await share(id, { toStaffId: THIRD })
    expect(refused).toMatchObject({ code: 10010005, data: { errors: [{ field: 'toStaffId', rule: 'shareCap' }] } })
    await except('crm.wander', 'staff', SENDER ?? '', { maxReceivers: 3 })
    expect((await share(id, { toStaffId: THIRD })).code).toBe(0)
    await change('crm.wander', { maxReceivers: 5 })
  })

  it('lets shares be for reading only', async () => {
    await change('crm.wander', { editAllowed: false })
    const id = await customer()
    expect(await share(id, { mode: 'edit' })).toMatchObject({
      code: 10010005,
      data: { errors: [{ field: 'mode', rule: 'editAllowed' }] },
    })
    expect((await share(id)).code).toBe(0)
    await change('crm.wander', { editAllowed: true })
  })

  it('lets a transfer come over at once where nobody has to accept', async () => {
    await change('crm.wander', { needAccept: false })
    const id = await customer()
    const sent = await sender.post<Saved>('/v2/crm/transfer/save', { customerIds: [id], toStaffId: RECEIVER, reason: 'fit' })
    expect([sent.code, sent.data.record.status]).toEqual([0, 'accepted'])
    await change('crm.wander', { needAccept: true })
    const waiting = await sender.post<Saved>('/v2/crm/transfer/save', {
      customerIds: [await customer()],
      toStaffId: RECEIVER,
      reason: 'fit',
    })
    expect(waiting.data.record.status).toBe('pending')
  })
})

describe('The rule for alias changes (9.8)', () => {
  it('carries a change out without a decision where it asks for none, from the characters of the rule', async () => {
    await change('crm.alias', { needApproval: false, alphabet: 'ACDEFGHJKLMN' })
    const id = await customer({ alias: 'CNQQQQ' })
    const saved = await sender.post<Saved>('/v2/crm/aliasRecord/save', { customerId: id, reason: '供应商得知真名' })
    expect(saved.code, saved.text).toBe(0)
    expect(saved.data.record.newAlias).toMatch(/^CN[ACDEFGHJKLMN]{4}$/)
    // as it is when it is saved; its systems are told right after it
    expect(saved.data.record.status).toBe('syncing')
    expect(saved.data.record.tasksTotal).toBeGreaterThan(0)
    await change('crm.alias', { needApproval: true })
    const asked = await sender.post<Saved>('/v2/crm/aliasRecord/save', {
      customerId: await customer({ alias: 'CNWWWW' }),
      reason: '供应商得知真名',
      newAlias: 'CNTTTT',
    })
    expect(asked).toMatchObject({ code: 10010005, data: { errors: [{ field: 'newAlias' }] } })
  })
})

describe('The customer template', () => {
  const row = (field: string, more: object = {}) => ({
    field,
    partyType: null,
    tradeType: null,
    stages: [],
    shown: true,
    required: false,
    defaultValue: null,
    ...more,
  })
  const form = async (etag = '') => {
    const response = await sender.raw('GET', '/v2/sys/page/bundle?name=crm/customer', { headers: { 'if-none-match': etag } })
    return { status: response.status, etag: response.headers.get('etag') ?? '', text: await response.text() }
  }
  const save = (more: object) =>
    sender.post<Saved>(
      '/v2/crm/customer/save',
      typedCustomer(`模板试验${newId().slice(-8)}科技有限公司`, { duplicateReason: '试验数据', ...more }),
    )

  it('gives defaults as the control of their field holds them, takes the names of options too, tells changes in words, and refuses what is no option', async () => {
    const preview = (defaultValue: string, field = 'riskLevel') =>
      admin.post<{ params: { fields: { defaultValue: string }[] }; diff: { after: unknown }[]; errors: { message: string }[] }>(
        '/v2/sys/rule/preview/crm.template',
        { fields: [row(field, { defaultValue })] },
      )
    const named = (await preview('High')).data
    expect(named.params.fields[0]?.defaultValue).toBe('high')
    expect(named.diff[0]?.after).toMatchObject([{ field: 'riskLevel', defaultValue: '高' }])
    expect((await preview('高')).data.params.fields[0]?.defaultValue).toBe('high')
    const wrong = await preview('很高')
    expect([wrong.code, wrong.data.errors[0]?.message]).toEqual([10010005, expect.stringMatching(/“很高”不在选项中：.*高/)])
    expect((await preview('cu-1', 'agentId')).code).toBe(10010005)
    expect((await preview('上海', 'city')).data.params.fields[0]?.defaultValue).toBe('上海')
    const { newest } = (await admin.get<{ newest: number }>('/v2/sys/rule/read/crm.template')).data
    const body = { params: { fields: [row('riskLevel', { defaultValue: 'High' })] }, reason: '测试', basedOn: newest }
    expect((await admin.post('/v2/sys/rule/save/crm.template', body)).code).toBe(0)
    const { rows } = await test.gateway.database.query<{ params: object }>(
      `select params from sys_rule_set where key = 'crm.template' order by version_no desc limit 1`,
    )
    expect(rows[0]?.params).toMatchObject({ fields: [{ defaultValue: 'high' }] })
    const read = await admin.get<{ params: object }>('/v2/sys/rule/read/crm.template', { 'accept-language': 'en' })
    expect(read.data.params).toMatchObject({ fields: [{ field: 'riskLevel', defaultValue: 'high' }] })
    // the page of the rule brings the fields whose controls it shows
    const bundle = await admin.get<{ entities: Record<string, unknown>; dictionaries: Record<string, unknown> }>(
      '/v2/sys/page/bundle?name=crm/rule-template',
    )
    expect(Object.keys(bundle.data.entities)).toContain('crm.customer')
    expect(Object.keys(bundle.data.dictionaries)).toEqual(expect.arrayContaining(['riskLevel', 'industry', 'companyScale']))
  })

  it('reaches the form with another ETag, and a hidden field is refused when it is sent, kept when it is there', async () => {
    const before = await form()
    const old = await save({ taxNo: '91110000MA01TEST01' })
    expect(old.code, old.text).toBe(0)
    const fields = [row('taxNo', { tradeType: 'direct', shown: false }), row('regNo', { tradeType: 'wholesale', required: true })]
    const preview = await admin.post<{ effect: { rows: { count: number }[] } }>('/v2/sys/rule/preview/crm.template', { fields })
    expect(preview.data.effect.rows[0]?.count).toBeGreaterThan(0)
    await change('crm.template', { fields })
    const after = await form(before.etag)
    expect(after.status).toBe(200)
    expect(after.text).toContain('$values.tradeType')
    expect((await form(after.etag)).status).toBe(304)

    expect(await save({ taxNo: '91110000MA01TEST02' })).toMatchObject({
      code: 10010005,
      data: { errors: [{ field: 'taxNo', rule: 'template' }] },
    })
    expect((await save({ tradeType: 'wholesale' })).data).toMatchObject({ errors: [{ field: 'regNo', rule: 'template' }] })
    expect((await save({})).code).toBe(0)
    const { id, version } = old.data.record
    const again = await sender.post<Saved>('/v2/crm/customer/save', {
      id,
      version,
      remark: '旧记录',
      taxNo: '91110000MA01TEST01',
    })
    expect([again.code, again.data.record.remark]).toEqual([0, '旧记录'])
    const { rows } = await test.gateway.database.query(`select tax_no as "taxNo" from crm_customer where id = $1`, [id])
    expect(rows).toEqual([{ taxNo: '91110000MA01TEST01' }])
    await change('crm.template', { fields: [] })
  })
})

describe('The test of Buka admission (9.11)', () => {
  const tried = (who: Caller, input: object) =>
    who.post<{ tone: string; errors?: { field: string; message: string }[] }>('/v2/sys/rule/test/crm.allowBuka', input)

  it('takes a customer that is chosen among those that one sees, or any by its code', async () => {
    const id = await customer({ tradeType: 'wholesale' })
    const { rows } = await test.gateway.database.query<{ code: string }>(`select code from crm_customer where id = $1`, [id])
    const code = rows[0]?.code ?? ''
    await test.addStaff({
      id: 'keeper',
      jobNumber: 'T0900',
      menus: ['crm:crm'],
      keys: ['crm:param:manage'],
      scopes: { 'crm.customer': ['all'] },
    })
    const keeper = await test.signIn('T0900')
    expect((await tried(keeper, { customerId: id })).data).toMatchObject({ tone: 'error' })
    await test.addStaff({
      id: 'blind',
      jobNumber: 'T0901',
      menus: ['crm:crm'],
      keys: ['crm:param:manage'],
      scopes: { 'crm.customer': ['own'] },
    })
    const blind = await test.signIn('T0901')
    const unseen = await tried(blind, { customerId: id })
    expect([unseen.code, unseen.data.errors?.[0]?.field]).toEqual([10010005, 'customerId'])
    expect((await tried(blind, { customerCode: code })).data).toMatchObject({ tone: 'error' })
    expect((await tried(blind, { customerCode: 'CU0000000' })).data.errors?.[0]?.field).toBe('customerCode')
  })
})

describe('The blacklist match (9.6)', () => {
  it('is tried on a company without leaving a trace, and the similarity follows the rule', async () => {
    const { rows } = await test.gateway.database.query<{ name: string; code: string; hits: number }>(
      `select name, code, (select count(*) from crm_blacklist_hit) as hits from crm_blacklist where status = 'active' and deleted_at is null and length(name_key) > 8 order by code limit 1`,
    )
    const [entry] = rows
    const tried = (name: string) =>
      admin.post<{ tone: string; lines: { label: { en: string } }[] }>('/v2/sys/rule/test/crm.blacklistRule', { name })
    expect((await tried(entry?.name ?? '')).data).toMatchObject({ tone: 'error' })
    expect((await tried(entry?.name ?? '')).data.lines.map(({ label }) => label.en)).toContain(`Entry ${entry?.code}`)
    expect((await tried('全然无关的一家')).data.tone).toBe('success')
    const { rows: after } = await test.gateway.database.query<{ hits: number }>(`select count(*) as hits from crm_blacklist_hit`)
    expect(after[0]?.hits).toEqual(entry?.hits)
  })
})

describe('The cause of a fall (9.10)', () => {
  it('is given by the owner and settles the to-do that asked for it', async () => {
    const id = await customer()
    const [record, todo] = [newId(), newId()]
    const now = test.clock.now().toISOString()
    await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
      await entities.insertMany('crm.churnRecord', [
        { id: record, customerId: id, kind: 'silent', at: now, cause: null, recoveredAt: null },
      ])
      await entities.insertMany('sys.todo', [
        {
          id: todo,
          staffId: SENDER,
          kind: 'churnCause',
          title: '填写原因',
          titleEn: 'Say why',
          status: 'open',
          subjectEntity: 'crm.customer',
          subjectId: id,
        },
      ])
    })
    const saved = await sender.post('/v2/crm/churnRecord/save', {
      id: record,
      version: 1,
      cause: 'competitor',
      action: '重新报价',
    })
    expect(saved.code, saved.text).toBe(0)
    const { rows } = await test.gateway.database.query(`select status from sys_todo where id = $1`, [todo])
    expect(rows).toEqual([{ status: 'done' }])
  })

  it('is not given for a customer that was won back, and one cause of several leaves the to-do open', async () => {
    const id = await customer()
    const [fall, other, back, todo] = [newId(), newId(), newId(), newId()]
    const at = test.clock.now().toISOString()
    await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
      const row = { customerId: id, at, cause: null, recoveredAt: null }
      await entities.insertMany('crm.churnRecord', [
        { ...row, id: fall, kind: 'silent' },
        { ...row, id: other, kind: 'churned' },
        { ...row, id: back, kind: 'wonBack' },
      ])
      const subject = { subjectEntity: 'crm.customer', subjectId: id, key: `churnCause/${id}` }
      const title = { title: '填写原因', titleEn: 'Say why' }
      await entities.insertMany('sys.todo', [
        { id: todo, staffId: SENDER, kind: 'churnCause', status: 'open', ...title, ...subject },
      ])
    })
    const cause = (of: string) => sender.post('/v2/crm/churnRecord/save', { id: of, version: 1, cause: 'price' })
    const open = async () => (await test.gateway.database.query(`select status from sys_todo where id = $1`, [todo])).rows
    expect((await cause(back)).code).toBe(10010005)
    expect((await cause(fall)).code).toBe(0)
    expect(await open()).toEqual([{ status: 'open' }])
    expect((await cause(other)).code).toBe(0)
    expect(await open()).toEqual([{ status: 'done' }])
  })
})
