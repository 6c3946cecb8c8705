import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findDuplicates, ManyDuplicates, matchKeys, type DuplicateTable } from '../../../../gateway/duplicates'
import { DEMO_PASSWORD } from '../../../../gateway/world'
import { startGateway } from '../../../support/gateway'
import type { Caller, TestGateway } from '../../../support/gateway'
import { typedCustomer } from '../../../support/privateCustomer'
import { RULE_DEFAULTS } from '../../../../gateway/rules'

type Record_ = Record<string, unknown> & { id: string }
interface Page {
  records: Record_[]
  total: number
}
interface Bulk {
  done: string[]
  refused: { id: string; reason: string }[]
}

let test: TestGateway
let sales: Caller
let colleague: Caller
let lead: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const enter = (jobNumber: string): Promise<Caller> => test.signIn(jobNumber, DEMO_PASSWORD)
  ;[sales, colleague, lead] = await Promise.all([enter('S0006'), enter('S0014'), enter('S0004')])
})
afterAll(() => test.close())

/** Turns the clock until the running test is over. */
const turnForward = (seconds: number): void => {
  test.clock.forward(seconds)
  onTestFinished(() => test.clock.forward(-seconds))
}
const list = async (caller: Caller, body: object = {}): Promise<Page> =>
  (await caller.post<Page>('/v2/crm/customer/queryPage', { pageNo: 1, pageSize: 200, ...body })).data
const move = (caller: Caller, ids: readonly string[], transition: string, values: object = {}) =>
  caller.post<Bulk>('/v2/crm/customer/stateUpdate', { ids, transition, values })
const view = async (caller: Caller, id: string): Promise<Record_> =>
  (await caller.get<{ record: Record_ }>(`/v2/crm/customer/view/${id}`)).data.record
const free = async (caller: Caller, count: number): Promise<Record_[]> =>
  (await list(caller, { view: 'sea' })).records.filter((record) => record.claimRefusedBecause === null).slice(0, count)

describe('the open sea', () => {
  it('lets one of two people who claim the same customer at once have it, and tells the other', async () => {
    const [customer] = await free(sales, 1)
    const id = customer?.id ?? ''
    const answers = await Promise.all([move(sales, [id], 'claim'), move(colleague, [id], 'claim')])
    expect(answers.map((answer) => answer.code).sort()).toEqual([0, 10030002])
    const late = answers.find((answer) => answer.code !== 0)
    expect([late?.msg, late?.data]).toEqual(['已被其他同事领取', { reason: 'notInSea' }])
    const { rows } = await test.gateway.database.query(
      `select 1 from crm_owner_log where customer_id = $1 and action = 'claim' and at > now() - interval '1 minute'`,
      [id],
    )
    expect(rows.length).toBe(1)
    // the attempt outlives the transaction that was undone, and stands in the dossier of the stay
    const attempts = `select id, attempts from crm_sea_record where customer_id = $1 and jsonb_array_length(attempts) = 1`
    await expect.poll(async () => (await test.gateway.database.query(attempts, [id])).rowCount).toBe(1)
    const [stay] = (await test.gateway.database.query<{ id: string; attempts: object[] }>(attempts, [id])).rows
    expect(stay?.attempts).toMatchObject([
      { staffId: expect.stringMatching(/^st-s00(06|14)$/) as string, refusedBecause: 'notInSea' },
    ])
    const winner = answers[0]?.code === 0 ? sales : colleague
    const dossier = await winner.get<{ record: Record_ }>(`/v2/crm/seaRecord/view/${stay?.id}`)
    expect(dossier.data.record.attemptNotes).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d .+ \(S00(06|14)\)：已被其他同事领取$/)
    expect((await move(sales, ['no-such-customer'], 'claim')).code).toBe(10010004)
  })

  it('stops at ten claims a day, also when they are clicked in parallel', async () => {
    const wanted = await free(colleague, 14)
    expect(wanted.length).toBe(14)
    const answers = await Promise.all(wanted.map((record) => move(colleague, [record.id], 'claim')))
    const { daily } = (await colleague.get<{ daily: { used: number; limit: number } }>('/v2/crm/customer/claimQuota')).data
    expect(daily).toEqual({ used: 10, limit: 10 })
    const refused = answers.filter((answer) => answer.code !== 0)
    expect(refused.length).toBeGreaterThanOrEqual(4)
    expect(refused[0]?.msg).toContain('今日领取次数已用完')
    const next = (await list(colleague, { view: 'sea' })).records
    expect(next.every((record) => record.claimRefusedBecause !== null)).toBe(true)
  })

  it('gives a claimed customer an owner, a protected week and a first-touch deadline, and a released one a cool-down', async () => {
    const [customer] = await free(sales, 1)
    const id = customer?.id ?? ''
    expect((await move(sales, [id], 'claim')).code).toBe(0)
    const owned = await view(sales, id)
    expect(owned).toMatchObject({ holding: 'private', ownerId: 'st-s0006', gainedBy: 'claim', seaReason: null })
    expect(String(owned.recycleOn) <= String(owned.protectUntil)).toBe(true)
    expect((await move(sales, [id], 'release', {})).code).toBe(10010005)
    // what only the portal means is no reason of a person
    for (const releaseReason of ['staffLeft', 'corrected', 'firstTouch'])
      expect((await move(sales, [id], 'release', { releaseReason })).code, releaseReason).toBe(10010005)
    expect((await move(sales, [id], 'release', { releaseReason: 'notFit', releaseNote: 'too small' })).code).toBe(0)
    const again = (await list(sales, { view: 'sea', where: [{ field: 'id', operator: 'eq', value: id }] })).records[0]
    expect(again).toMatchObject({ holding: 'sea', ownerId: null, lastOwnerId: 'st-s0006', seaReason: 'release' })
    expect(String(again?.claimRefusedBecause)).toMatch(/起可领取|冷却期/)
    expect((await move(sales, [id], 'claim')).code).not.toBe(0)
    turnForward(4 * 86_400)
    expect((await move(await test.signIn('S0006', DEMO_PASSWORD), [id], 'claim')).msg).toMatch(/冷却期|主管分配/)
  })

  it('hands the open opportunities of a customer in the sea to whoever gets it', async () => {
    const [customer] = await free(sales, 1)
    const id = customer?.id ?? ''
    expect((await move(sales, [id], 'claim')).code).toBe(0)
    const saved = await sales.post<{ id: string }>('/v2/crm/opportunity/save', {
      name: 'Notices for a shop',
      customerId: id,
      product: 'sms',
      countries: ['BR'],
      monthlyVolume: 100_000,
      expectedPrice: '0.01',
      currency: 'USD',
      expectedOn: new Date(test.clock.now().getTime() + 30 * 86_400_000).toISOString().slice(0, 10),
    })
    expect(saved.msg).toBe('OK')
    const opportunity = (caller: Caller) =>
      caller
        .get<{ record: Record_ }>(`/v2/crm/opportunity/view/${saved.data.id}`)
        .then(({ code, data }) => data?.record?.ownerId ?? code)
    expect((await move(sales, [id], 'release', { releaseReason: 'notFit', releaseNote: 'too small' })).code).toBe(0)
    expect(await opportunity(sales)).toBe('st-s0006')
    expect((await move(lead, [id], 'assign', { assignTo: 'st-s0014', assignReason: 'knows the branch' })).msg).toBe('OK')
    expect(await opportunity(colleague)).toBe('st-s0014')
    expect(await opportunity(sales)).toBe(10010004)
  })

  it('answers bulk claims row by row with the reason of each', async () => {
    const ids = [...(await free(sales, 2)).map((record) => record.id), 'no-such-customer']
    const { data } = await move(sales, ids, 'claim')
    expect(data.done.length).toBe(2)
    expect(data.refused.map((one) => one.id)).toEqual(['no-such-customer'])
  })

  it('lets a manager assign, above the cap only with a reason', async () => {
    const [customer] = await free(lead, 1)
    expect((await move(sales, [customer?.id ?? ''], 'assign', { assignTo: 'st-s0006' })).code).toBe(10010003)
    expect((await move(lead, [customer?.id ?? ''], 'assign', { assignTo: 'st-s0008' })).code).toBe(0)
    expect(await view(lead, customer?.id ?? '')).toMatchObject({ ownerId: 'st-s0008', gainedBy: 'assign' })
  })
})

describe('duplicates', () => {
  it('refuses the same name in the same country and asks for a reason when the name is only alike', async () => {
    expect((await sales.post('/v2/crm/customer/save', typedCustomer('深圳市晴川远景科技有限公司'))).code).toBe(0)
    const same = await sales.post<{ decision: string; hits: { id: string; rule: string; link?: string }[] }>(
      '/v2/crm/customer/save',
      typedCustomer('深圳市晴川遠景科技股份有限公司'),
    )
    expect([same.code, same.data.decision, same.data.hits[0]?.rule]).toEqual([10030001, 'block', 'nameKey'])
    expect([same.msg, same.data.hits[0]?.link]).toEqual([
      expect.stringContaining('您自己的客户'),
      `/crm/client-partner/my-client/details?id=${same.data.hits[0]?.id}`,
    ])
    const alike = await sales.post<{ decision: string }>('/v2/crm/customer/save', typedCustomer('晴川远景（广州）网络有限公司'))
    expect([alike.code, alike.data.decision]).toEqual([10030001, 'warn'])
    const explained = await sales.post<{ record: Record_ }>(
      '/v2/crm/customer/save',
      typedCustomer('晴川远景（广州）网络有限公司', { duplicateReason: '不同法人，已核对' }),
    )
    expect(explained.code).toBe(0)
    expect(explained.data.record.duplicateOfId).toBeTruthy()
  })

  it('lets one of two saves of the same name at once through', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => sales.post('/v2/crm/customer/save', typedCustomer('杭州同时保存数字科技有限公司'))),
    )
    expect(answers.map((answer) => answer.code).sort()).toEqual([0, 10030001, 10030001])
  })

  it('tells the department of the owner and nothing else of a customer that the person may not see', async () => {
    const foreign = (await list(lead, { view: 'department' })).records.find((record) => record.ownerId !== 'st-s0006')
    const answer = await sales.post<{ hits: object[] }>(
      '/v2/crm/customer/save',
      typedCustomer(String(foreign?.name), { countryCode: foreign?.countryCode, nameEn: 'X Ltd' }),
    )
    expect(answer.code).toBe(10030001)
    expect(Object.keys(answer.data.hits[0] ?? {}).sort()).toEqual([
      'code',
      'countryCode',
      'decision',
      'holding',
      'id',
      'name',
      'ownerDeptId',
      'rule',
      'score',
    ])
    expect((await sales.get(`/v2/crm/customer/view/${foreign?.id}`)).code).toBe(10010004)
  })
})

describe('people who stand with another customer already', () => {
  it('are refused by their mail address, asked for a reason by their number, and block a lead that is converted', async () => {
    const made = async (name: string): Promise<string> =>
      (await sales.post<{ id: string }>('/v2/crm/customer/save', typedCustomer(name))).data.id
    const [first, second] = [await made('宁夏沙湖会员通知服务中心'), await made('甘肃雪山酒店预订管理中心')]
    const add = (customerId: string, more: object) =>
      sales.post<{ decision: string; hits: object[] }>('/v2/crm/contact/save', { customerId, name: '同一个人', ...more })
    expect((await add(first, { email: 'Same.Person@two-firms.example', mobile: '+8613900001234' })).code).toBe(0)
    const known = { id: first, rule: 'email', decision: 'block', score: 95 }
    const refused = await add(second, { email: 'same.person@two-firms.example' })
    expect([refused.code, refused.data]).toEqual([
      10030001,
      expect.objectContaining({ decision: 'block', hits: [expect.objectContaining(known)] }),
    ])
    const warned = await add(second, { mobile: '+8613900001234' })
    expect([warned.code, warned.data.decision]).toEqual([10030001, 'warn'])
    expect((await add(second, { phone: '+8613900001234', duplicateReason: '两家公司共用前台电话' })).code).toBe(0)
    // each attempt is written down apart from the transaction that was undone, so a moment later
    const decisions = async (key: string, value: string): Promise<string[]> => {
      const { rows } = await test.gateway.database.query<{ decision: string }>(
        `select decision from crm_dup_check where input->>$1 = $2 order by decision`,
        [key, value],
      )
      return rows.map(({ decision }) => decision)
    }
    await expect.poll(() => decisions('customerId', second)).toEqual(['abandoned', 'blocked', 'warnedSaved'])
    // the same person changes nothing of his own address
    const [own] = (
      await sales.post<Page>('/v2/crm/contact/queryPage', { where: [{ field: 'customerId', operator: 'eq', value: first }] })
    ).data.records
    expect((await sales.post('/v2/crm/contact/save', { id: own?.id, title: '店长' })).code).toBe(0)
    const { rows: clues } = await test.gateway.database.query<{ id: string }>(
      `update csc_clue set status = 'following', email = 'same.person@two-firms.example', owner_id = 'st-s0006', owner_dept_id = 'dp-s-cn1', country_code = 'CN'
       where id = (select id from csc_clue where status = 'following' and customer_id is null limit 1) returning id`,
    )
    const id = clues[0]?.id ?? ''
    const converted = await sales.post('/v2/csc/clue/stateUpdate', {
      ids: [id],
      transition: 'convert',
      values: { customerName: '青海盐湖短信通知有限公司', tradeType: 'direct', customerType: 'enterprise' },
    })
    expect([converted.code, converted.data]).toEqual([
      10030001,
      expect.objectContaining({ decision: 'block', hits: [expect.objectContaining(known)] }),
    ])
    await expect.poll(() => decisions('name', '青海盐湖短信通知有限公司')).toEqual(['blocked'])
  })
})

describe('follow-ups and contacts', () => {
  it('moves a customer on, counts only what reached somebody, and never counts a copy', async () => {
    const { data } = await sales.post<{ id: string }>('/v2/crm/customer/save', typedCustomer('成都跟进测试信息技术有限公司'))
    const write = (content: string, result: string) =>
      sales.post<{ record: Record_ }>('/v2/crm/followUp/save', { customerId: data.id, way: 'phone', content, result })
    expect((await write('太短', 'interested')).data).toMatchObject({ errors: [{ field: 'content' }] })
    expect((await write('电话无人接听，稍后再拨打一次', 'noAnswer')).data.record.effective).toBe(false)
    expect(await view(sales, data.id)).toMatchObject({ stage: 'potential', lastFollowAt: null, followCount: 1 })
    expect((await write('介绍了越南通道并约定下周测试', 'interested')).data.record.effective).toBe(true)
    expect((await write('介绍了越南通道并约定下周测试', 'interested')).data.record.effective).toBe(false)
    expect(await view(sales, data.id)).toMatchObject({ stage: 'following', followCount: 3 })
  })

  it('lets the author change a follow-up for a day and nobody else', async () => {
    const mine = (await list(sales, { view: 'mine' })).records[0]
    const { data } = await sales.post<{ id: string; version: number }>('/v2/crm/followUp/save', {
      customerId: mine?.id,
      way: 'im',
      content: '客户询问开户流程与最低充值',
      result: 'interested',
    })
    expect(
      (await sales.post('/v2/crm/followUp/save', { id: data.id, version: data.version, content: '客户询问开户流程与最低充值额' }))
        .code,
    ).toBe(0)
    turnForward(25 * 3600)
    const later = await test.signIn('S0006', DEMO_PASSWORD)
    expect((await later.post('/v2/crm/followUp/save', { id: data.id, content: '客户询问开户流程，改写的内容' })).msg).toContain(
      '24小时',
    )
  })

  it('reads the national number of a contact by the country of its customer, also when it is changed', async () => {
    const { data } = await sales.post<{ id: string }>(
      '/v2/crm/customer/save',
      typedCustomer('Tallinn Harbour Alerts', { nameEn: 'Tallinn Harbour Alerts', countryCode: 'EE' }),
    )
    const added = await sales.post<{ id: string; record: Record_ }>('/v2/crm/contact/save', {
      ...{ customerId: data.id, name: 'Mari', mobile: '5123 4567', phone: '+86 138 0013 8000' },
    })
    expect([added.code, added.data.record]).toMatchObject([0, { mobile: '+37251234567', phone: '+8613800138000' }])
    const changed = await sales.post<{ record: Record_ }>('/v2/crm/contact/save', { id: added.data.id, phone: '5123 4568' })
    expect(changed.data.record.phone).toBe('+37251234568')
  })

  it('keeps exactly one primary contact and takes mail domains over to the customer', async () => {
    const { data } = await sales.post<{ id: string }>('/v2/crm/customer/save', typedCustomer('武汉联系人测试科技有限公司'))
    const add = (name: string, more: object) =>
      sales.post<{ record: Record_ }>('/v2/crm/contact/save', { customerId: data.id, name, ...more })
    expect((await add('无法联系', {})).code).toBe(10010005)
    expect((await add('王一', { email: 'Wang.Yi@Contact-Test.example' })).data.record).toMatchObject({
      isPrimary: true,
      email: 'wang.yi@contact-test.example',
    })
    expect((await add('李二', { mobile: '+8613912345678', isPrimary: true })).code).toBe(0)
    const { data: contacts } = await sales.post<Page>('/v2/crm/contact/queryPage', {
      where: [{ field: 'customerId', operator: 'eq', value: data.id }],
    })
    expect(contacts.records.filter((one) => one.isPrimary).map((one) => one.name)).toEqual(['李二'])
    expect((await view(sales, data.id)).domains).toEqual(['contact-test.example'])
  })
})

describe('what each role may see', () => {
  it('shows sales their own and shared customers, the lead the department, nobody without a role anything (R298)', async () => {
    const own = await list(sales)
    expect(own.total).toBeGreaterThan(0)
    const { rows: shares } = await test.gateway.database.query<{ id: string }>(
      `select customer_id as id from crm_share where status = 'accepted' and deleted_at is null and (to_staff_id = 'st-s0006'
         or to_dept_id = (select main_dept_id from sys_staff where id = 'st-s0006'))`,
    )
    const shared = new Set(shares.map((share) => share.id))
    for (const record of own.records)
      expect(record.ownerId === 'st-s0006' || shared.has(record.id), String(record.name)).toBe(true)
    expect((await list(lead, { view: 'department' })).total).toBeGreaterThan((await list(sales, { view: 'mine' })).total)
    const nobody = await test.signIn('S0050', DEMO_PASSWORD)
    expect((await nobody.post('/v2/crm/customer/queryPage', {})).code).toBe(10010003)
    expect((await nobody.get('/v2/sys/page/bundle?path=/crm/client-partner/my-client')).code).toBe(10010003)
  })

  it('masks contacts and numbers in the sea and for roles without the key, also in exports', async () => {
    const [inSea] = (await list(sales, { view: 'sea' })).records
    expect(String(inSea?.regNo ?? '')).toMatch(/\*/)
    expect(inSea).not.toHaveProperty('address')
    const finance = await test.signIn('S0052', DEMO_PASSWORD)
    const { data } = await finance.post<Page>('/v2/crm/contact/queryPage', { pageSize: 50 })
    expect(data.records.length).toBeGreaterThan(0)
    for (const contact of data.records) if (contact.email) expect(String(contact.email)).toContain('*')
    const csv = await finance.raw('POST', '/v2/crm/contact/export', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        columns: [
          { field: 'name', title: 'Name' },
          { field: 'email', title: 'E-mail' },
        ],
        format: 'csv',
      }),
    })
    const text = await csv.text()
    expect(text.split('\n').length).toBeGreaterThan(50)
    expect(/[a-z]{4,}@/.test(text)).toBe(false)
  })

  it('sends the customers of a leaving member of staff to the sea, class A ones to the leader, and ends the sessions (R362)', async () => {
    const { database } = test.gateway
    const { rows: sellers } = await database.query<{ id: string; jobNumber: string }>(
      `select s.id, s.job_number as "jobNumber" from sys_staff s join crm_customer c on c.owner_id = s.id and c.holding = 'private' and c.deleted_at is null
       where s.status = 'active' and s.position = 'sales' and s.job_number not in ('S0006', 'S0014', 'S0004') and c.code not like 'CU24001%'
       group by s.id having count(*) between 1 and 40 order by count(*) desc, s.id limit 1`,
    )
    const [{ id, jobNumber } = { id: '', jobNumber: '' }] = sellers
    const leaving = await test.signIn(jobNumber, DEMO_PASSWORD)
    const held = (await list(leaving, { view: 'mine' })).total
    expect(held).toBeGreaterThan(0)
    const hr = await test.signIn('S0002', DEMO_PASSWORD)
    expect((await hr.post('/v2/sys/staff/user/stateUpdate', { ids: [id], transition: 'leave' })).code).toBe(0)
    expect((await leaving.get('/v2/sys/staff/overseas/getUserInfo')).code).toBe(11015)
    const { rows } = await database.query<{ owned: number; left: number }>(
      `select count(*) filter (where owner_id = $1) as owned, count(*) filter (where last_owner_id = $1 and (sea_reason = 'staffLeft' or level = 'a')) as left from crm_customer where deleted_at is null`,
      [id],
    )
    expect(Number(rows[0]?.owned)).toBe(0)
    expect(Number(rows[0]?.left)).toBeGreaterThanOrEqual(held)
  })

  it('counts the home page from the same rows (R319)', async () => {
    const { data } = await sales.post<{ myCustomer: number }>('/v2/crm/index/customer/statistics')
    const { rows } = await test.gateway.database.query<{ total: number }>(
      `select count(*) as total from crm_customer where owner_id = 'st-s0006' and holding = 'private' and party_type = 'customer' and deleted_at is null`,
    )
    expect(data.myCustomer).toBe(Number(rows[0]?.total))
  })
})

describe('the duplicate check of an import', () => {
  it('finds for many new customers at once what it finds for each of them alone', async () => {
    const { database } = test.gateway
    const { rows } = await database.query<{ name: string; country: string; domains: string[] | null; regNo: string | null }>(
      `select name, country_code as country, domains, reg_no as "regNo" from crm_customer where deleted_at is null order by id limit 120`,
    )
    const disguise = (name: string): string =>
      name.replace(/[aeopc]/, (letter) => ({ a: 'а', e: 'е', o: 'о', p: 'р', c: 'с' })[letter]!)
    const names = (name: string): string[] => [
      name,
      name.slice(1),
      name.slice(0, -1),
      `${name}X`,
      disguise(name.toLowerCase()),
      `新${name}`,
    ]
    const identities = rows.flatMap(({ name, country, domains, regNo }, index) =>
      names(name).map((variant, kind) => ({
        id: null,
        ...matchKeys(variant),
        countryCode: (index + kind) % 5 === 0 ? 'US' : country,
        numbers: [kind === 3 ? regNo : null, null],
        domains: kind === 4 ? (domains ?? []) : [],
      })),
    )
    const rules = RULE_DEFAULTS['crm.duplicate']
    const shared = new Set(['gmail.com'])
    const searched: DuplicateTable = {
      table: 'crm_customer',
      name: 'name',
      country: 'country_code',
      numbers: ['reg_no', 'tax_no'],
      facts: {},
      live: sql`t.deleted_at is null and not coalesce(t.voided, false)`,
    }
    const many = new ManyDuplicates(searched)
    await many.prepare(database, identities, rules, shared)
    let found = 0
    for (const identity of identities) {
      const alone = await findDuplicates(database, searched, identity, rules, shared)
      const together = many.of(identity, rules, shared)
      const told = (hits: typeof alone) => hits.map(({ id, rule, decision }) => `${decision} ${rule} ${id}`).sort()
      expect(told(together), identity.nameKey).toEqual(told(alone))
      found += alone.length
    }
    expect(found).toBeGreaterThan(rows.length)
  })

  it('refuses the second of two alike customers of one file, as it would by hand', async () => {
    const file = ['name,customerType,countryCode,source,duplicateReason']
      .concat([
        '晨曦远航讯达,enterprise,CN,website,',
        '晨曦远航讯达有限公司,enterprise,CN,website,',
        '晨曦远航讯达,enterprise,HK,website,分公司',
      ])
      .join('\n')
    const form = new FormData()
    form.append('file', new Blob([file]), 'alike.csv')
    const seen = await lead.raw('POST', '/v2/crm/customer/import/preview', { method: 'POST', body: form })
    const { data } = (await seen.json()) as {
      data: { importId: string; valid: number; errors: { row: number; message: string }[] }
    }
    expect([data.valid, data.errors.map(({ row }) => row)]).toEqual([2, [3]])
    // the customer that stands in the way is a row of the file, not a record with a number that anybody could look up
    expect(data.errors[0]!.message).toContain('客户已存在：晨曦远航讯达 (本文件第 2 行)')
    expect(data.errors[0]!.message).not.toContain(data.importId)
    const answer = await lead.post('/v2/crm/customer/import/commit', { importId: data.importId, skipFaulty: true })
    expect(answer.data).toMatchObject({ created: 2, refusedTotal: 0 })
    const { rows } = await test.gateway.database.query<{ same: boolean }>(
      `select second.duplicate_of_id = first.id as same from crm_customer second join crm_customer first on first.name = second.name and first.country_code = 'CN'
       where second.name = '晨曦远航讯达' and second.country_code = 'HK'`,
    )
    expect(rows).toEqual([{ same: true }])
  })
})
