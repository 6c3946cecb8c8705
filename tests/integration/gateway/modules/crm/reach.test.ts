import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, dayOf, instantAt } from '../../../../../gateway/platform/calendar'
import { newId } from '../../../../../gateway/platform/database'
import { systemContext } from '../../../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway, type Caller, type TestGateway } from '../../../../support/gateway'
import { privateCustomer } from '../../../../support/privateCustomer'

/**
 * Who sees a customer changes: a share begins and ends, a transfer is accepted, a leader changes department, a customer goes to the
 * sea. Every call that could show the customer, or what hangs on it, follows at once.
 */

type Row = Record<string, unknown> & { id: string }
const ZONE = 'Asia/Shanghai'
/** China team 1: two sales people and their lead. */
const [OWNER, OTHER, LEAD] = ['st-s0006', 'st-s0008', 'st-s0005']
const [TEAM, NEXT_TEAM] = ['dp-s-cn1', 'dp-s-cn2']
let test: TestGateway
let owner: Caller
let other: Caller
let lead: Caller
let admin: Caller

const signIn = async (): Promise<void> => {
  const enter = (jobNumber: string) => test.signIn(jobNumber, DEMO_PASSWORD)
  ;[owner, other, lead, admin] = await Promise.all([enter('S0006'), enter('S0008'), enter('S0005'), enter('S0067')])
}
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  await signIn()
})
afterAll(() => test.close())

interface Known {
  id: string
  code: string
  contact: string
  opportunity: string
}
let made = 0
/** A customer of the owner with one of everything that hangs on it. */
async function customer(): Promise<Known> {
  made += 1
  const [id, contact, opportunity, account] = [newId(), newId(), newId(), newId()]
  const name = `可见范围${String.fromCharCode(0x6c00 + made * 37)}试验`
  const code = `RE${2000 + made}`
  const now = test.clock.now()
  const at = now.toISOString()
  const owned = { ownerId: OWNER, ownerDeptId: TEAM, ownedAt: at }
  await test.gateway.engine.transaction(systemContext({ now }), async (entities) => {
    await entities.insertMany('crm.customer', [privateCustomer({ id, code, name, stage: 'following', ...owned })])
    await entities.insertMany('crm.contact', [{ id: contact, customerId: id, name: '林晓', email: `a${made}@reach.example` }])
    await entities.insertMany('crm.followUp', [
      {
        id: newId(),
        customerId: id,
        way: 'phone',
        content: '谈了印尼线路的价格和量级',
        result: 'interested',
        createdAt: at,
        createdBy: OWNER,
      },
    ])
    await entities.insertMany('crm.opportunity', [
      {
        ...{ id: opportunity, code: `RB${2000 + made}`, name: `${name}商机`, customerId: id, product: 'sms', countries: ['ID'] },
        ...{ stage: 's1', monthlyVolume: 1000, currency: 'USD', expectedPrice: '0.01', expectedOn: dayOf(now, ZONE), ...owned },
      },
    ])
    await entities.insertMany('fin.customerAccount', [
      {
        id: account,
        code: `RA${2000 + made}`,
        name,
        customerId: id,
        product: 'sms',
        payMode: 'prepaid',
        currency: 'USD',
        status: 'active',
      },
    ])
    await entities.insertMany('fin.accountDay', [
      {
        id: newId(),
        accountId: account,
        day: addDays(dayOf(now, ZONE), -2),
        test: false,
        volume: 10,
        currency: 'USD',
        revenue: '1',
        cost: '1',
      },
    ])
  })
  return { id, code, contact, opportunity }
}

/** Which calls show the customer, or something that hangs on it, to somebody. */
async function shownTo(caller: Caller, { id, code, contact, opportunity }: Known): Promise<string[]> {
  const total = async (entity: string, body: object): Promise<boolean> =>
    (await caller.post<{ total: number }>(`/v2/${entity}/queryPage`, { pageSize: 1, ...body })).data.total > 0
  const below = { where: [{ field: 'customerId', operator: 'eq', value: id }] }
  const opened = async (path: string): Promise<boolean> => (await caller.get(path)).code === 0
  const exported = async (path: string, body: object): Promise<boolean> => {
    const response = await caller.raw('POST', path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ columns: [{ field: 'id', title: 'id' }], format: 'csv', ...body }),
    })
    return (await response.text()).split(/\r?\n/).filter((line) => line !== '').length > 1 && response.status === 200
  }
  const calls: Record<string, () => Promise<boolean>> = {
    list: () => total('crm/customer', { where: [{ field: 'code', operator: 'eq', value: code }] }),
    search: () => total('crm/customer', { keyword: code }),
    selectList: async () => (await caller.post<Row[]>('/v2/crm/customer/select', { ids: [id] })).data.length > 0,
    selectSearch: async () => (await caller.post<Row[]>('/v2/crm/customer/select', { keyword: code })).data.length > 0,
    detail: () => opened(`/v2/crm/customer/view/${id}`),
    history: () => opened(`/v2/crm/customer/log/${id}`),
    export: () => exported('/v2/crm/customer/export', { ids: [id] }),
    contacts: () => total('crm/contact', below),
    contact: () => opened(`/v2/crm/contact/view/${contact}`),
    contactExport: () => exported('/v2/crm/contact/export', below),
    followUps: () => total('crm/followUp', below),
    opportunities: () => total('crm/opportunity', below),
    opportunity: () => opened(`/v2/crm/opportunity/view/${opportunity}`),
    accounts: () => total('fin/customerAccount', below),
    traffic: async () => (await caller.get<unknown[]>(`/v2/crm/customer/traffic/${id}`)).data.length > 0,
  }
  const shown: string[] = []
  for (const [name, call] of Object.entries(calls)) if (await call()) shown.push(name)
  return shown
}
const move = async (caller: Caller, entity: string, id: string, transition: string, values: object = {}): Promise<void> => {
  const answer = await caller.post<{ refused: unknown[] }>(`/v2/crm/${entity}/stateUpdate`, { ids: [id], transition, values })
  expect([answer.code, answer.data.refused], answer.text).toEqual([0, []])
}
let all: readonly string[] = []

describe('what people see of a customer', () => {
  it('is everything for its owner and the lead of his team, and nothing for a colleague (R298)', async () => {
    const known = await customer()
    all = await shownTo(owner, known)
    expect(all.length).toBeGreaterThan(12)
    expect(await shownTo(lead, known)).toEqual(all)
    expect(await shownTo(other, known)).toEqual([])
  })

  it('begins with a share that is accepted, and ends with it, by word or by its last day in the zone of the company', async () => {
    const known = await customer()
    const share = async (until?: string): Promise<string> => {
      const body = { customerId: known.id, toStaffId: OTHER, mode: 'read', reason: '一起跟进', ...(until ? { until } : {}) }
      const { code, data, text } = await owner.post<{ id: string }>('/v2/crm/share/save', body)
      expect(code, text).toBe(0)
      return data.id
    }
    const first = await share()
    expect(await shownTo(other, known)).toEqual([])
    await move(other, 'share', first, 'accept')
    expect(await shownTo(other, known)).toEqual(all)
    await move(owner, 'share', first, 'end')
    expect(await shownTo(other, known)).toEqual([])

    const last = addDays(dayOf(test.clock.now(), ZONE), 1)
    await move(other, 'share', await share(last), 'accept')
    // one o'clock at night in the zone of the company, when UTC still has the last day; no job has run yet
    const night = instantAt(addDays(last, 1), '01:00', ZONE)
    test.clock.forward((night.getTime() - test.clock.now().getTime()) / 1000)
    await signIn()
    expect(await shownTo(other, known)).toEqual([])
  })

  it('goes over with a transfer: all of it for the new owner, nothing for the former one', async () => {
    const known = await customer()
    const { data } = await owner.post<{ id: string }>('/v2/crm/transfer/save', {
      customerIds: [known.id],
      toStaffId: OTHER,
      reason: 'fit',
    })
    expect(await shownTo(other, known)).toEqual([])
    await move(other, 'transfer', data.id, 'accept')
    expect(await shownTo(other, known)).toEqual(all)
    expect(await shownTo(owner, known)).toEqual([])
    expect(await shownTo(lead, known)).toEqual(all)
  })

  it('stays behind when a lead changes department, and what he owns himself goes with him', async () => {
    const known = await customer()
    const own = await customer()
    await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
      await entities.save('crm.customer', { id: own.id, ownerId: LEAD })
      await entities.save('crm.opportunity', { id: own.opportunity, ownerId: LEAD })
    })
    const department = (id: string, leaderId: string | null) => admin.post('/v2/sys/department/save', { id, leaderId })
    const moved = (mainDeptId: string) => admin.post('/v2/sys/staff/user/save', { id: LEAD, mainDeptId })
    for (const answer of [await department(TEAM, OWNER), await moved(NEXT_TEAM)]) expect(answer.code, answer.text).toBe(0)
    expect(await shownTo(lead, known)).toEqual([])
    expect(await shownTo(lead, own)).toEqual(all)
    // the team that he left no longer sees what went with him
    expect(await shownTo(other, own)).toEqual([])
    for (const answer of [await department(TEAM, LEAD), await moved(TEAM)]) expect(answer.code, answer.text).toBe(0)
    expect(await shownTo(lead, known)).toEqual(all)
  })

  it('is masked for everybody in the sea, and its contacts stand there for nobody in clear', async () => {
    const known = await customer()
    await move(owner, 'customer', known.id, 'release', { releaseReason: 'notFit' })
    for (const caller of [owner, other, lead]) {
      const plain = await shownTo(caller, known)
      // an opportunity stays with whoever owned it, and tells nothing of the contacts
      expect(plain.filter((name) => ['list', 'detail', 'export', 'contact', 'contactExport'].includes(name))).toEqual([])
      const { data } = await caller.post<{ records: Row[] }>('/v2/crm/contact/queryPage', {
        view: 'sea',
        where: [{ field: 'customerId', operator: 'eq', value: known.id }],
      })
      for (const row of data.records) expect(String(row.email)).toContain('*')
    }
  })
})
