import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newId } from '../../../../../gateway/platform/database'
import { systemContext } from '../../../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway, type Answer, type Caller, type TestGateway } from '../../../../support/gateway'
import { typedCustomer } from '../../../../support/privateCustomer'

type Row = Record<string, unknown> & { id: string }
interface Saved {
  id: string
  record: Row
}
/** China team 1: its lead, and two of its sales people. */
const [LEAD, OWNER, COLLEAGUE] = ['st-s0005', 'st-s0006', 'st-s0008']
let test: TestGateway
let sales: Caller
let lead: Caller

beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  ;[sales, lead] = await Promise.all([test.signIn('S0006', DEMO_PASSWORD), test.signIn('S0005', DEMO_PASSWORD)])
})
afterAll(() => test.close())

const insert = (entity: string, row: Row): Promise<unknown> =>
  test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), (entities) => entities.insertMany(entity, [row]))
const sql = async (text: string, values: unknown[]): Promise<Row[]> => (await test.gateway.database.query<Row>(text, values)).rows
const customerRow = async (id: string): Promise<Row | undefined> =>
  (
    await sql(
      `select id, holding, level, owner_id as "ownerId", next_follow_at as "nextFollowAt" from crm_customer where id = $1`,
      [id],
    )
  )[0]
const move = (caller: Caller, entity: string, id: string, transition: string, values: object = {}): Promise<Answer> =>
  caller.post(`/v2/crm/${entity}/stateUpdate`, { ids: [id], transition, values })
const release = (id: string): Promise<Answer> => move(sales, 'customer', id, 'release', { releaseReason: 'notFit' })
const reasonOf = ({ code, data }: Answer): unknown => [code, (data as { reason?: string } | null)?.reason]

let made = 0
const nameOf = (number: number): string => `${String.fromCharCode(0x6c00 + number * 41, 0x7000 + number * 53)}归来通讯`
/** A customer of the sales person, made by the form. */
async function customer(more: object = {}): Promise<string> {
  made += 1
  const saved = await sales.post<Saved>('/v2/crm/customer/save', typedCustomer(nameOf(made), more))
  expect(saved.msg).toBe(saved.code === 0 ? saved.msg : '')
  return saved.data.id
}
async function barred(name: string): Promise<void> {
  const { nameKey } = (await import('../../../../../gateway/duplicates')).matchKeys(name)
  const entry = { code: `BLT${String((made += 1))}`, name, nameKey, reason: 'fraud', scope: 'all', status: 'active' }
  await insert('crm.blacklist', { id: newId(), ...entry, effectiveAt: test.clock.now().toISOString() })
}

describe('what waits for a customer keeps it from the sea (CRM section 3)', () => {
  it('is a transfer that somebody has to accept, and an overdue bill', async () => {
    const id = await customer()
    const sent = await sales.post<Saved>('/v2/crm/transfer/save', { customerIds: [id], toStaffId: COLLEAGUE, reason: 'fit' })
    expect(sent.code, sent.msg).toBe(0)
    const refused = await release(id)
    expect([refused.code, refused.msg]).toEqual([10010007, expect.stringContaining(String(sent.data.record.code))])
    expect((await move(sales, 'transfer', sent.data.id, 'cancel')).code).toBe(0)
    const [latest] = await sql(`select max(month)::text as id from fin_customer_month where deleted_at is null`, [])
    const month = { id: newId(), customerId: id, month: latest?.id, revenue: '1', profit: '1', messages: 1, overdueDays: 3 }
    await insert('fin.customerMonth', month)
    expect((await release(id)).msg).toContain('账单')
    await sql(`update fin_customer_month set overdue_days = 0 where id = $1`, [month.id])
    expect((await release(id)).code).toBe(0)
  })

  it('is an application for class A, of which two at once leave one; none is granted to a customer without owner', async () => {
    const id = await customer()
    const apply = async (): Promise<string> =>
      (
        await sales.post<Saved>('/v2/crm/classApply/save', {
          ...{ customerId: id, applyKind: 'enter', expectedMonthly: '1000.00', exception: true },
          reason: '战略客户，预计明年放量，需要专属支持与固定价格',
        })
      ).data.id
    const [one, two] = [await apply(), await apply()]
    const both = await Promise.all([one, two].map((each) => move(sales, 'classApply', each, 'submit')))
    expect(both.map(({ code }) => code).sort()).toEqual([0, 10010007])
    expect((await release(id)).code).toBe(10010007)
    const pending = both[0]?.code === 0 ? one : two
    await sql(`update crm_customer set holding = 'frozen' where id = $1`, [id])
    expect((await move(lead, 'classApply', pending, 'approve')).code).toBe(10010007)
    expect(await customerRow(id)).toMatchObject({ level: 'd', holding: 'frozen' })
  })
})

describe('a frozen customer', () => {
  it('is not shared by the form either', async () => {
    const id = await customer()
    expect((await move(lead, 'customer', id, 'freeze', { freezeReason: '争议' })).code).toBe(0)
    const share = { customerId: id, toStaffId: COLLEAGUE, mode: 'read', reason: '一起跟进' }
    expect(await sales.post('/v2/crm/share/save', share)).toMatchObject({
      code: 10010005,
      data: { errors: [{ rule: 'customerPrivate' }] },
    })
  })
})

describe('deleting and bringing back', () => {
  const remove = (id: string): Promise<Answer> => lead.get(`/v2/crm/customer/delete/${id}`)
  const restore = (id: string): Promise<Answer> => lead.get(`/v2/crm/customer/restore/${id}`)

  it('refuses to delete a customer that has an opportunity, and ends the shares of one that goes', async () => {
    const id = await customer()
    const deal = { customerId: id, name: '首单', product: 'sms', countries: ['CN'], monthlyVolume: 1000, expectedPrice: '0.05' }
    const opportunity = await sales.post<Saved>('/v2/crm/opportunity/save', { ...deal, expectedOn: '2099-12-31' })
    expect(opportunity.code, opportunity.msg).toBe(0)
    expect((await remove(id)).code).toBe(10010007)
    const shared = await customer()
    const share = await sales.post<Saved>('/v2/crm/share/save', {
      ...{ customerId: shared, toStaffId: COLLEAGUE, mode: 'read', reason: '一起跟进' },
    })
    expect((await remove(shared)).code).toBe(0)
    expect(await sql(`select id, status from crm_share where id = $1`, [share.data.id])).toMatchObject([{ status: 'ended' }])
  })

  it('undoes a deletion, unless the company was entered anew, is barred meanwhile, or its owner is full (CRM rules 9.1, 9.4, 9.6)', async () => {
    const id = await customer()
    const name = nameOf(made)
    expect([(await remove(id)).code, (await restore(id)).code]).toEqual([0, 0])
    await remove(id)
    const again = await sales.post<Saved>('/v2/crm/customer/save', typedCustomer(name))
    const doubled = await restore(id)
    expect([again.code, doubled.code, doubled.msg]).toEqual([0, 10010007, expect.stringContaining(name)])
    await remove(again.data.id)
    const cap = { id: newId(), ruleKey: 'crm.retention', targetType: 'staff', targetId: OWNER, reason: 'a test' }
    await insert('sys.ruleOverride', { ...cap, params: { default: 1, senior: 1, manager: 1, newcomer: 1 } })
    expect(reasonOf(await restore(id))).toEqual([10030002, 'capFull'])
    await sql(`update sys_rule_override set deleted_at = now() where id = $1`, [cap.id])
    await barred(name)
    expect((await restore(id)).code).toBe(10030003)
  })

  it('puts a customer whose owner left meanwhile into the sea', async () => {
    const id = await customer()
    await remove(id)
    await sql(`update sys_staff set status = 'left' where id = $1`, [OWNER])
    const back = await restore(id)
    await sql(`update sys_staff set status = 'active' where id = $1`, [OWNER])
    expect(back.code, back.msg).toBe(0)
    expect(await customerRow(id)).toMatchObject({ holding: 'sea', ownerId: null })
    expect(
      await sql(`select customer_id as id, reason from crm_sea_record where customer_id = $1 and left_at is null`, [id]),
    ).toEqual([{ id, reason: 'staffLeft' }])
  })

  it('leaves one primary contact when a deleted one comes back', async () => {
    const customerId = await customer()
    const contact = async (name: string): Promise<string> =>
      (
        await sales.post<Saved>('/v2/crm/contact/save', {
          customerId,
          name,
          role: 'business',
          email: `${name}@x${String(made)}.example`,
        })
      ).data.id
    const [first] = [await contact('an'), await contact('bo')]
    expect((await sales.get(`/v2/crm/contact/delete/${String(first)}`)).code).toBe(0)
    expect((await sales.get(`/v2/crm/contact/restore/${String(first)}`)).code).toBe(0)
    const primary = `select name as id from crm_contact where customer_id = $1 and is_primary and deleted_at is null`
    expect(await sql(primary, [customerId])).toEqual([{ id: 'bo' }])
  })

  it('takes the next day of a deleted follow-up away with it', async () => {
    const customerId = await customer()
    const follow = async (content: string, nextAt: string): Promise<string> =>
      (await sales.post<Saved>('/v2/crm/followUp/save', { customerId, way: 'phone', content, result: 'interested', nextAt })).data
        .id
    await follow('介绍了印尼线路的价格与量级', '2099-01-01T02:00:00.000Z')
    const past = {
      customerId,
      way: 'phone',
      content: '约定在昨天之前再次沟通',
      result: 'interested',
      nextAt: '2020-01-01T02:00:00Z',
    }
    expect(await sales.post('/v2/crm/followUp/save', past)).toMatchObject({
      code: 10010005,
      data: { errors: [{ rule: 'future' }] },
    })
    test.clock.forward(60)
    const second = await follow('约定下周再次沟通合同细节', '2099-02-01T02:00:00.000Z')
    expect((await sales.get(`/v2/crm/followUp/delete/${second}`)).code).toBe(0)
    expect(new Date(String((await customerRow(customerId))?.nextFollowAt)).toISOString()).toBe('2099-01-01T02:00:00.000Z')
  })
})

describe('an appeal that its leader accepts (CRM rule 9.1)', () => {
  const ask = (values: object): Promise<Answer<{ id: string }>> =>
    sales.post<{ id: string }>('/v2/crm/customer/appeal', { values, note: '注册号不同，是另一家' })
  const accept = async (id: string): Promise<Answer> => {
    const [owner] = await sql(`select owner_id as id from crm_dup_appeal where id = $1`, [id])
    const leader = owner?.id === LEAD ? lead : await test.signIn(String(owner?.id).replace('st-s', 'S'), DEMO_PASSWORD)
    return move(leader, 'dupAppeal', id, 'accept', { decisionNote: '已核对' })
  }
  const customerOf = (id: string) =>
    sql(`select c.id, c.scale, c.level from crm_dup_appeal a join crm_customer c on c.id = a.customer_id where a.id = $1`, [id])
  /** The customer template, with these rows from now on. */
  const template = (rows: object[]) =>
    insert('sys.ruleSet', {
      ...{ id: newId(), key: 'crm.template', versionNo: (made += 1), params: { fields: rows } },
      effectiveFrom: test.clock.now().toISOString(),
    })
  const everywhere = { partyType: null, tradeType: null, stages: [], shown: true, required: false, defaultValue: null }

  it('makes no customer above the cap of the person who asked (CRM rule 9.4)', async () => {
    await customer()
    const asked = await ask(typedCustomer(nameOf(made)))
    const cap = { id: newId(), ruleKey: 'crm.retention', targetType: 'staff', targetId: OWNER, reason: 'a test' }
    await insert('sys.ruleOverride', { ...cap, params: { default: 1, senior: 1, manager: 1, newcomer: 1 } })
    const lift = () => sql(`update sys_rule_override set deleted_at = now() where id = $1`, [cap.id])
    onTestFinished(async () => void (await lift()))
    const full = await accept(asked.data.id)
    expect([reasonOf(full), full.msg]).toEqual([[10030002, 'capFull'], expect.stringContaining('须先退回一些客户')])
    expect(await customerOf(asked.data.id)).toEqual([])
    await lift()
    expect((await accept(asked.data.id)).code).toBe(0)
    expect(await customerOf(asked.data.id)).toHaveLength(1)
  })

  it('keeps to the customer template: what it asks for, hides and gives; and to the level that nobody types', async () => {
    await customer()
    const values = typedCustomer(nameOf(made))
    const early = await ask(values)
    onTestFinished(async () => {
      await template([])
    })
    await template([
      { ...everywhere, field: 'industry', required: true },
      { ...everywhere, field: 'remark', shown: false },
      { ...everywhere, field: 'scale', defaultValue: 's2' },
    ])
    const errors = ({ data }: Answer): unknown =>
      (data as { errors?: { field: string; rule: string }[] } | null)?.errors?.map(({ field, rule }) => [field, rule])
    const wrong = await ask({ ...values, remark: '不该有', level: 'a' })
    expect([wrong.code, errors(wrong)]).toEqual([
      10010005,
      expect.arrayContaining([
        ['industry', 'template'],
        ['remark', 'template'],
        ['level', 'levelByRule'],
      ]),
    ])
    const late = await accept(early.data.id)
    expect([late.code, errors(late)]).toEqual([10010005, [['industry', 'template']]])
    const asked = await ask({ ...values, industry: 'ecommerce' })
    const done = await accept(asked.data.id)
    expect(done.code, done.msg).toBe(0)
    expect(await customerOf(asked.data.id)).toMatchObject([{ scale: 's2', level: 'd' }])
  })

  it('makes no customer that is barred meanwhile, and a partner with its profile', async () => {
    await customer({ partyType: 'partner' })
    const values = typedCustomer(nameOf(made), { partyType: 'partner', partnerType: 'referrer', commissionRate: '7' })
    const asked = await ask(values)
    expect(asked.code, asked.msg).toBe(0)
    await barred(values.name)
    expect((await accept(asked.data.id)).code).toBe(10030003)
    await sql(`update crm_blacklist set status = 'lifted' where name = $1`, [values.name])
    const done = await accept(asked.data.id)
    expect(done.code, done.msg).toBe(0)
    expect(
      await sql(
        `select p.partner_type as id, p.commission_rate::float as rate from crm_dup_appeal a join crm_partner_profile p on p.customer_id = a.customer_id where a.id = $1`,
        [asked.data.id],
      ),
    ).toEqual([{ id: 'referrer', rate: 7 }])
  })
})

describe('a rejected Buka application (CRM rule 9.11)', () => {
  it('stands neither in the way of a new one nor of a merge, which keeps the account', async () => {
    const [stays, goes] = [await customer({ regNo: 'RB1' }), await customer({ regNo: 'RB2' })]
    const account = (customerId: string, status: string, mail: string) => {
      const opened = { customerId, status, loginEmail: mail, products: ['sms'], trialCredit: '1.00', registeredBy: 'staff' }
      return insert('crm.bukaAccount', { id: newId(), ...opened })
    }
    await account(stays, 'rejected', 'old@rejected.example')
    const anew = { customerId: stays, loginEmail: 'new@rejected.example', products: ['sms'] }
    const opened = await sales.post<Saved>('/v2/crm/bukaAccount/save', anew)
    expect(opened.code, opened.msg).toBe(0)
    await sql(`update crm_buka_account set status = 'rejected' where id = $1`, [opened.data.id])
    await account(goes, 'active', 'live@rejected.example')
    const merged = await lead.post('/v2/crm/customer/merge', {
      ...{ targetId: stays, loserIds: [goes], fields: {}, reason: '同一家公司' },
    })
    expect(merged.code, merged.msg).toBe(0)
    const left = `select customer_id as id, login_email as mail from crm_buka_account where customer_id = any($1::text[]) and deleted_at is null`
    expect(await sql(left, [[stays, goes]])).toEqual([{ id: stays, mail: 'live@rejected.example' }])
  })

  it('keeps no trial credit: the company gets it with its next application', async () => {
    const id = await customer({ regNo: 'RB3' })
    const rejected = {
      customerId: id,
      status: 'rejected',
      loginEmail: 'old@credit.example',
      products: ['sms'],
      registeredBy: 'staff',
    }
    await insert('crm.bukaAccount', { id: newId(), ...rejected, trialCredit: '1.00' })
    const asked = { customerId: id, loginEmail: 'new@credit.example', products: ['sms'] }
    const opened = await sales.post<Saved>('/v2/crm/bukaAccount/save', asked)
    expect([opened.code, opened.data.record.trialCredit]).toEqual([0, '1.00'])
  })
})

describe('a name that resembles a barred one (CRM rule 9.6)', () => {
  it('is told to whoever imports it: with its row in the check and in the result, and by a notice', async () => {
    await barred('Falcon Gulf Messaging Testing FZE')
    const file = [
      'name,nameEn,customerType,countryCode,source',
      'Quiet Harbour Lines Testing LLC,Quiet,enterprise,AE,website',
      'Falcon Gulf Messagings Testing FZE,Falcon,enterprise,AE,website',
    ]
    const form = new FormData()
    form.append('file', new Blob([file.join('\n')]), 'similar.csv')
    const seen = await sales.raw('POST', '/v2/crm/customer/import/preview', { method: 'POST', body: form })
    const { data } = (await seen.json()) as Answer<{ importId: string; errors: unknown[]; warnings: unknown[] }>
    const [entry] = await sql(`select code as id from crm_blacklist where name = 'Falcon Gulf Messaging Testing FZE'`, [])
    const warned = [{ row: 3, message: `名称与黑名单 ${String(entry?.id)} 相似，风控会核实。` }]
    expect(data).toMatchObject({ errors: [], warnings: warned })
    const saved = await sales.post('/v2/crm/customer/import/commit', { importId: data.importId })
    expect(saved).toMatchObject({ code: 0, data: { created: 2, warned, warnedTotal: 1 } })
    const told = `select t.kind as id, c.risk_level as risk from sys_message t join crm_customer c on c.id = t.subject_id
      where t.receiver_id = $1 and c.name like 'Falcon Gulf Messagings%'`
    expect(await sql(told, [OWNER])).toEqual([{ id: 'notice', risk: 'medium' }])
  })
})
