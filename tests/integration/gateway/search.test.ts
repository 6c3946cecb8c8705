import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../gateway/world'
import { startGateway, type Caller, type TestGateway } from '../../support/gateway'
import { typedCustomer } from '../../support/privateCustomer'

/** One search over the records of all entities: what it finds, and for whom. */

interface Hit {
  id: string
  title: string
  line: string
  open: string
  why?: { label: string; value?: string }
}
interface Answer {
  groups: { entity: string; label: string; hits: Hit[]; more: boolean }[]
  similar: boolean
}

let test: TestGateway
let sales: Caller
let other: Caller
let manager: Caller
let buyer: Caller
let customer: string
let code: string
const NAME = '重庆曾氏单孔（巴渝）通讯有限公司'
const MANY = 1_500
const ENGLISH = 'Zengshi Lanternfish Networks'

beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const enter = (jobNumber: string): Promise<Caller> => test.signIn(jobNumber, DEMO_PASSWORD)
  ;[sales, other, manager, buyer] = await Promise.all([enter('S0006'), enter('S0007'), enter('S0001'), enter('S0046')])
  const saved = await sales.post<{ id: string; record: { code: string } }>(
    '/v2/crm/customer/save',
    typedCustomer(NAME, { nameEn: ENGLISH }),
  )
  expect(saved.code, saved.msg).toBe(0)
  customer = saved.data.id
  code = saved.data.record.code
  const contact = await sales.post('/v2/crm/contact/save', {
    customerId: customer,
    name: '单雄信',
    mobile: '+8613987650417',
    email: 'shan@lanternfish.example',
  })
  expect(contact.code, contact.msg).toBe(0)
  const english = await sales.post('/v2/crm/contact/save', {
    customerId: customer,
    name: 'Quorvexil Tan',
    mobile: '+8613987650418',
  })
  expect(english.code, english.msg).toBe(0)
  await makeMany()
})
/** More rows with one beginning than are put into order, of which the oldest is called just so; the table is no longer read whole. */
async function makeMany(): Promise<void> {
  await test.gateway.database.query(
    `insert into crm_customer select (jsonb_populate_record(null::crm_customer, to_jsonb(c) || jsonb_build_object(
       'id', 'many-' || n, 'code', 'RK' || lpad(n::text, 7, '0'), 'alias', 'many' || n,
       'name', case when n = $2 then '量级科技' else '量级科技' || n end, 'name_en', null, 'name__spoken', null, 'name__near', null,
       'name_en__spoken', null, 'name_en__near', null, 'updated_at', c.updated_at - n * interval '1 minute'))).*
     from crm_customer c, generate_series(1, $2::int) n where c.id = $1`,
    [customer, MANY],
  )
}
afterAll(() => test.close())

const search = async (caller: Caller, text: string): Promise<Answer> => {
  const answer = await caller.post<Answer>('/v2/sys/search', { text })
  expect(answer.code, `${text}: ${answer.msg}`).toBe(0)
  return answer.data
}
const found = async (caller: Caller, text: string, entity = 'crm.customer'): Promise<string[]> =>
  (await search(caller, text)).groups
    .filter((group) => group.entity === entity)
    .flatMap(({ hits }) => hits.map(({ title }) => title))

describe('the search over all records', () => {
  it('opens the record by its code with the first hit', async () => {
    const [group] = (await search(sales, code.toLowerCase())).groups
    expect(group).toMatchObject({ entity: 'crm.customer', hits: [{ id: customer, title: NAME }] })
    expect(group!.hits[0]!.open).toBe(`/crm/client-partner/my-client/details?id=${customer}`)
    expect(group!.hits[0]!.why).toMatchObject({ value: code })
  })

  it.each([
    ['the beginning', '重庆曾氏'],
    ['two characters from the middle', '单孔'],
    ['the whole name', NAME],
    ['brackets of the other width', '孔(巴渝)通'],
    ['one letter and a bracket', '(巴'],
    ['pinyin', 'chongqingzengshi'],
    ['pinyin with gaps', 'chong qing zeng'],
    ['another reading of 重 and 曾', 'zhongqingceng'],
    ['another reading of 单', 'shankong'],
    ['initials', 'cqzs'],
    ['two initials', 'cq'],
    ['a word of another name', 'lanternfish'],
    ['a word in capitals', 'LANTERN'],
    ['a letter that is wrong', 'lantexnfish'],
    ['a letter that is missing', 'lanterfish'],
    ['a letter too many', 'lannternfish'],
    ['two letters that changed places', 'lanetrnfish'],
  ])('finds a customer by %s', async (_, text) => {
    expect(await found(sales, text)).toContain(NAME)
  })

  it('takes brackets and commas in either width for each other, and for nothing else, in lists as well', async () => {
    for (const text of ['((', '()', '孔;巴渝', '孔巴渝', '渝，通']) expect(await found(sales, text), text).not.toContain(NAME)
    const listed = async (keyword: string): Promise<number> => {
      const page = { pageNo: 1, pageSize: 1, keyword }
      return (await sales.post<{ total: number }>('/v2/crm/customer/queryPage', page)).data.total
    }
    const totals = await Promise.all(['孔(巴渝)通', '孔（巴渝）', '(巴', '（', '((', '孔,巴渝'].map(listed))
    expect(totals).toEqual([1, 1, 1, expect.any(Number), 0, 0])
    expect(totals[3]).toBe(await listed('('))
    expect(totals[3]).toBeLessThan(await listed(''))
  })

  it('puts groups into the order of the menu, unless something is called exactly as typed', async () => {
    const order = async (text: string) => (await search(sales, text)).groups.map(({ entity }) => entity)
    const [customers, networks] = ['crm.customer', 'sys.operatorNetwork']
    const begun = await order('lan')
    expect(begun).toEqual(expect.arrayContaining([customers, networks]))
    expect(begun.indexOf(customers!)).toBeLessThan(begun.indexOf(networks!))
  })

  it('puts what is called exactly so before everything else, however much begins like it', async () => {
    expect((await found(sales, '量级科技'))[0]).toBe('量级科技')
    expect((await found(manager, '量级科技'))[0]).toBe('量级科技')
    expect(await found(sales, `RK000${MANY}`)).toEqual(['量级科技'])
    const [group] = (await search(sales, 'rk0000')).groups
    expect(group).toMatchObject({ entity: 'crm.customer', more: true })
    expect(group!.hits).toHaveLength(5)
    expect(await found(other, '量级科技')).toEqual([])
    expect(await found(other, `RK000${MANY}`)).toEqual([])
    await test.gateway.database.query(`delete from crm_customer where id like 'many-%'`)
  })

  it('forgives an error in a small table too', async () => {
    expect(await search(sales, 'quorvexxl')).toMatchObject({ similar: true, groups: [{ entity: 'crm.contact' }] })
    expect(await found(manager, 'quorvexxl', 'crm.contact')).toEqual(['Quorvexil Tan'])
    expect(await found(other, 'quorvexxl', 'crm.contact')).toEqual([])
    expect(await found(other, 'quorvexil', 'crm.contact')).toEqual([])
  })

  it('says what it does not find, and forgives one error only, in long words, and where nothing is exact', async () => {
    expect(await search(sales, 'qqqqzzzz')).toEqual({ groups: [], similar: false })
    expect(await found(sales, 'lantexxfixh')).toEqual([])
    expect(await search(sales, 'lantexnfish')).toMatchObject({ similar: true })
    expect(await search(sales, 'lanternfish')).toMatchObject({ similar: false })
    expect(await search(sales, '重')).toEqual({ groups: [], similar: false })
    for (const text of ['%%', '__', '\\\\', "'; --", '((((', 'ﬁﬁ', 'a\u001fb']) await search(sales, text)
  })

  it('finds a contact by name, mail and a part of the phone, and opens its customer', async () => {
    for (const text of ['单雄信', 'shanxiongxin', 'dxx', 'shan@lantern', '0417', '139 8765 0417', '+86 139-8765-0417']) {
      const { groups } = await search(sales, text)
      const hits = groups.find(({ entity }) => entity === 'crm.contact')?.hits ?? []
      expect(
        hits.map(({ open }) => open),
        text,
      ).toContain(`/crm/client-partner/my-client/details?id=${customer}`)
    }
  })

  it('stays within the rows of the list', async () => {
    expect(await found(other, code)).toEqual([])
    expect(await found(other, 'shankong')).toEqual([])
    expect(await found(other, 'lantexnfish')).toEqual([])
    expect(await found(other, '13987650417', 'crm.contact')).toEqual([])
    expect(await found(manager, code)).toEqual([NAME])
    for (const caller of [sales, other, buyer]) {
      const { groups } = await search(caller, '有限公司')
      for (const { entity, hits } of groups.filter(({ entity }) => entity === 'crm.customer'))
        for (const { id, open } of hits) {
          const view = open.includes('/open-sea/') ? '?view=sea' : ''
          expect((await caller.get(`/v2/crm/customer/view/${id}${view}`)).code, `${entity} ${id} ${open}`).toBe(0)
        }
    }
  })

  it('does not search entities whose pages are closed', async () => {
    const { groups } = await search(buyer, code)
    expect(groups.map(({ entity }) => entity)).not.toContain('crm.customer')
    expect((await search(manager, '有限公司')).groups.length).toBeGreaterThan(0)
    expect((await test.anybody.post('/v2/sys/search', { text: code })).code).not.toBe(0)
  })

  it('does not find by what is masked', async () => {
    const { gateway } = test
    const { rows } = await gateway.database.query<{ id: string; rules: Record<string, string> }>(
      `select r.id, r.field_rules as rules from sys_role r join sys_role_member m on m.role_id = r.id join sys_staff s on s.id = m.staff_id where s.job_number = 'S0006'`,
    )
    const closed = { 'crm.customer.name': 'mask', 'crm.customer.nameEn': 'hide' }
    const write = async (rules: (row: (typeof rows)[number]) => Record<string, string> | null): Promise<void> => {
      for (const row of rows)
        await gateway.database.query(`update sys_role set field_rules = $2 where id = $1`, [row.id, JSON.stringify(rules(row))])
      gateway.directory.forget('*')
    }
    await write((row) => ({ ...row.rules, ...closed }))
    try {
      for (const text of ['重庆曾氏', '单孔', 'chongqingzengshi', 'cqzs', 'lanternfish', 'lantexnfish'])
        expect(await found(sales, text), text).toEqual([])
      const [group] = (await search(sales, code)).groups
      expect(group!.hits).toHaveLength(1)
      expect(JSON.stringify(group)).not.toContain('曾氏')
    } finally {
      await write((row) => row.rules)
    }
    expect(await found(sales, 'cqzs')).toEqual([NAME])
  })

  it('follows a change, a deletion and a restored record, and keys of rows from before are made', async () => {
    const { engine, database } = test.gateway
    const { data } = await sales.get<{ record: { version: number } }>(`/v2/crm/customer/view/${customer}`)
    const changed = await sales.post('/v2/crm/customer/save', {
      id: customer,
      version: data.record.version,
      name: '四川省长阳谷科技有限公司',
    })
    expect(changed.code, changed.msg).toBe(0)
    expect(await found(sales, 'cqzs')).toEqual([])
    expect(await found(sales, 'changyanggu')).toEqual(['四川省长阳谷科技有限公司'])
    await engine.transaction(systemContext(), (entities) =>
      entities.changeMany('crm.customer', new Map([[customer, { deletedAt: new Date().toISOString() }]])),
    )
    expect(await found(sales, 'changyanggu')).toEqual([])
    await engine.transaction(systemContext(), (entities) =>
      entities.changeMany('crm.customer', new Map([[customer, { deletedAt: null }]]), { deleted: true }),
    )
    expect(await found(sales, 'changyanggu')).toEqual(['四川省长阳谷科技有限公司'])

    await database.query(`update crm_customer set name__spoken = null, name__near = null where id = $1`, [customer])
    expect(await found(sales, 'changyanggu')).toEqual([])
    // as at the first start with keys, interrupted before the last rows
    await database.query(`update entity_kept_field set filled_at = null, filled_to = '' where field like 'crm.customer.name#%'`)
    await engine.fillKept()
    expect(await found(sales, 'changyanggu')).toEqual(['四川省长阳谷科技有限公司'])
  })
})
