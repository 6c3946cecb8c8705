import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DictionaryBook } from '../../../../gateway/pages'
import { startGateway, type Answer, type Caller, type TestGateway } from '../../../support/gateway'
import { typedCustomer } from '../../../support/privateCustomer'

interface Item {
  code: string
  label: { zh: string; en: string }
  color: string | null
  retired: boolean
  origin: string
}
interface Detail {
  version: number
  mayEdit: boolean
  items: Item[]
}

const DICT = '/v2/sys/staff/sysDict'
const PAGE = '/v2/sys/page/bundle?path=/crm/client-partner/my-client'
let test: TestGateway
let admin: Caller
let sales: Caller
let viewer: Caller

beforeAll(async () => {
  test = await startGateway({})
  const settings = ['setModule:setModule', 'setModule:crm', 'setModule:crm:dictionary']
  await test.addStaff({ id: 'admin', jobNumber: 'D0001', menus: settings, keys: ['setModule:crm:edit'] })
  await test.addStaff({ id: 'viewer', jobNumber: 'D0002', menus: settings })
  await test.addStaff({
    id: 'sales',
    jobNumber: 'D0003',
    menus: ['crm:crm', 'crm:client-partner', 'crm:client-partner:my-client'],
    keys: ['crm:customer:add', 'crm:customer:edit', 'crm:customer:import'],
    scopes: { 'crm.customer': ['own'] },
  })
  admin = await test.signIn('D0001')
  viewer = await test.signIn('D0002')
  sales = await test.signIn('D0003')
})
afterAll(() => test.close())

const detail = async (dictionary: string, who = admin): Promise<Detail> =>
  (await who.get<Detail>(`${DICT}/values?dictionary=${dictionary}`)).data
const write = async (path: string, dictionary: string, body: object, who = admin): Promise<Answer> =>
  who.post(`${DICT}/${path}`, { dictionary, version: (await detail(dictionary, who)).version, ...body })
const add = (code: string, zh: string, en: string): Promise<Answer> =>
  write('saveOrUpdateSysDict', 'industry', { code, zh, en, color: 'blue', create: true })
const customer = (name: string, industry: string, more: object = {}): Promise<Answer<{ id: string; version: number }>> =>
  sales.post('/v2/crm/customer/save', typedCustomer(name, { industry, ...more }))
const bundle = async (etag?: string) => {
  const response = await sales.raw('GET', PAGE, { headers: etag ? { 'if-none-match': etag } : {} })
  const body =
    response.status === 304 ? null : ((await response.json()) as { data: { dictionaries: Record<string, { items: Item[] }> } })
  return {
    status: response.status,
    etag: response.headers.get('etag') ?? '',
    items: body?.data.dictionaries.industry?.items ?? [],
  }
}

describe('A value that an administrator adds', () => {
  it('is there at once: in the bundle of a page with another ETag, in saves and in the import template', async () => {
    const before = await bundle()
    expect((await bundle(before.etag)).status).toBe(304)
    expect((await customer('未来能源', 'energy')).code).toBe(10010005)
    expect(await add('energy', '能源', 'Energy')).toMatchObject({ code: 0, data: { version: 1 } })
    const after = await bundle(before.etag)
    expect(after.status).toBe(200)
    expect(after.items.at(-1)).toEqual({ code: 'energy', label: { zh: '能源', en: 'Energy' }, color: 'blue' })
    expect((await customer('未来能源', 'energy')).code).toBe(0)
    const template = await sales.raw('GET', '/v2/crm/customer/import/template')
    expect(template.status).toBe(200)
  })

  it('needs words and a code that no other value has', async () => {
    expect(await add('energy', '能源二', 'Energy 2')).toMatchObject({ code: 10010005, data: { errors: [{ field: 'code' }] } })
    expect(await add('energy2', '能源', 'Fintech')).toMatchObject({
      code: 10010005,
      data: { errors: [{ field: 'zh' }, { field: 'en' }] },
    })
    expect((await add('no spaces', '空', 'Space')).code).toBe(10010001)
  })

  it('is renamed and recoloured, and put into another order', async () => {
    expect(
      (await write('saveOrUpdateSysDict', 'industry', { code: 'gaming', zh: '游戏娱乐', en: 'Games', color: null })).code,
    ).toBe(0)
    const codes = (await detail('industry')).items.map(({ code }) => code)
    expect((await write('order', 'industry', { codes: [...codes].reverse() })).code).toBe(0)
    expect((await write('order', 'industry', { codes: codes.slice(1) })).code).toBe(10010005)
    const { items } = await bundle()
    expect(items.map(({ code }) => code)).toEqual([...codes].reverse())
    expect(items.find(({ code }) => code === 'gaming')).toEqual({ code: 'gaming', label: { zh: '游戏娱乐', en: 'Games' } })
  })
})

describe('A value that rows hold', () => {
  it('cannot be removed: the refusal says how many and where', async () => {
    const usage = await admin.get<{ used: Record<string, { count: number }[]> }>(`${DICT}/usage?dictionary=industry`)
    expect(usage.data.used.energy).toMatchObject([{ entity: 'crm.customer', field: 'industry', count: 1 }])
    const refused = await write('remove', 'industry', { code: 'energy' })
    expect(refused).toMatchObject({ code: 10030002, data: { reason: 'used', places: [{ entity: 'crm.customer', count: 1 }] } })
    expect(refused.msg).toContain('1 条记录')
    expect(await write('remove', 'industry', { code: 'retail' })).toMatchObject({ code: 10030002, data: { reason: 'released' } })
  })

  it('can be retired: refused for new choices, kept and editable on old rows, and it comes back', async () => {
    const saved = await customer('老能源', 'energy')
    expect(saved.code).toBe(0)
    expect((await write('retire', 'industry', { code: 'energy', retired: true })).code).toBe(0)
    expect((await bundle()).items.find(({ code }) => code === 'energy')).toMatchObject({ retired: true })
    expect(await customer('新能源车', 'energy')).toMatchObject({
      code: 10010005,
      data: { errors: [{ field: 'industry', rule: 'retired' }] },
    })
    const again = await sales.post('/v2/crm/customer/save', {
      id: saved.data.id,
      version: saved.data.version,
      remark: '旧记录',
      industry: 'energy',
    })
    expect(again.code).toBe(0)
    expect((await write('retire', 'industry', { code: 'energy', retired: false })).code).toBe(0)
    expect((await customer('新能源车', 'energy')).code).toBe(0)
  })

  it('is removed when nothing holds it', async () => {
    expect((await add('nobody', '无人', 'Nobody')).code).toBe(0)
    expect((await write('remove', 'industry', { code: 'nobody' })).code).toBe(0)
    expect((await detail('industry')).items.some(({ code }) => code === 'nobody')).toBe(false)
  })
})

describe('What must stay', () => {
  it('a value that code, a default or a state needs is never retired', async () => {
    expect(await write('retire', 'customerTag', { code: 'keep', retired: true })).toMatchObject({
      code: 10030002,
      data: { reason: 'fixed' },
    })
    expect(await write('retire', 'agentLevel', { code: 'silver', retired: true })).toMatchObject({
      code: 10030002,
      data: { reason: 'needed' },
    })
  })
  it('a dictionary that code depends on can only be looked at', async () => {
    expect((await detail('customerStage')).mayEdit).toBe(false)
    expect(await write('saveOrUpdateSysDict', 'customerStage', { code: 'x', zh: '新', en: 'New', create: true })).toMatchObject({
      code: 10030002,
    })
  })
  it('the version that the page showed: who comes second is told, and changes nothing', async () => {
    const { version } = await detail('industry')
    const body = { dictionary: 'industry', code: 'saas', zh: '软件', en: 'Software' }
    expect((await admin.post(`${DICT}/saveOrUpdateSysDict`, { ...body, version })).code).toBe(0)
    expect(await admin.post(`${DICT}/saveOrUpdateSysDict`, { ...body, zh: '软件二', version })).toMatchObject({ code: 10010006 })
  })
})

describe('A release that gives up values', () => {
  it('keeps those that rows hold, retired, and lets the others go; the changes of administrators stay', async () => {
    const { database, registry, engine } = test.gateway
    const given = ['old', 'unused'].map((code) => ({ code, label: { zh: `旧${code}`, en: `Old ${code}` } }))
    await database.query(`update dictionary_release set items = (items::jsonb || $1::jsonb)::json where name = 'industry'`, [
      JSON.stringify(given),
    ])
    await database.query(`update crm_customer set industry = 'old' where industry = 'energy' and remark = '旧记录'`)
    const stop = await new DictionaryBook(database, registry, engine).open((error) => expect(error).toBeUndefined())
    await stop()
    // the gateway hears of it as of a change of another instance
    const old = async () => (await detail('industry')).items.find(({ code }) => code === 'old')
    await expect.poll(old).toMatchObject({ origin: 'kept', retired: true, label: { zh: '旧old' } })
    const { items } = await detail('industry')
    expect(items.some(({ code }) => code === 'unused')).toBe(false)
    expect(items.find(({ code }) => code === 'gaming')).toMatchObject({ label: { zh: '游戏娱乐', en: 'Games' } })
    expect((await bundle()).items.find(({ code }) => code === 'old')).toMatchObject({ retired: true })
  })
})

describe('Who may', () => {
  it('look needs the menu, change needs the key, of the module of the dictionary', async () => {
    expect((await sales.post(`${DICT}/pageSysDict`, { module: 'crm' })).code).toBe(10010003)
    expect((await sales.get(`${DICT}/values?dictionary=industry`)).code).toBe(10010003)
    expect((await viewer.post<{ total: number }>(`${DICT}/pageSysDict`, { module: 'crm' })).data.total).toBeGreaterThan(10)
    expect((await viewer.post(`${DICT}/pageSysDict`, { module: 'csc' })).code).toBe(10010003)
    expect((await viewer.get(`${DICT}/values?dictionary=clueSource`)).code).toBe(10010003)
    expect((await write('retire', 'industry', { code: 'saas', retired: true }, viewer)).code).toBe(10010003)
  })
  it('and every change is in the log with who, before and after', async () => {
    const { records } = (await admin.get<{ records: { changes: object[] }[] }>(`${DICT}/log?dictionary=industry`)).data
    expect(records[0]?.changes).toContainEqual({ field: 'saas.zh', before: '企业软件', after: '软件' })
    expect(records.length).toBeGreaterThan(5)
  })
})
