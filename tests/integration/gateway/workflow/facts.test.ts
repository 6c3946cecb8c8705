import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../gateway/platform/http'
import type { ProcessDocument } from '../../../../src/schema/generated/process'
import { formPage, rightsOf } from '../../../../src/schema/process'
import { startGateway, type Caller, type TestGateway } from '../../../support/gateway'

const label = (zh: string, en: string) => ({ zh, en })

/** Reads a customer that is named, the person behind it, figures that only some may see, and how many contacts it has. */
const process: ProcessDocument = {
  formatVersion: 3,
  name: 'visit',
  label: label('拜访', 'Visit'),
  group: 'ops',
  prefix: 'VIS',
  form: {
    fields: {
      customerId: { type: 'string', 'x-ref': 'crm.customer', 'x-label': label('客户', 'Customer') },
      city: { type: 'string', value: '{{ customerId.city }}', 'x-label': label('城市', 'City') },
      owner: { type: 'string', value: '{{ customerId.ownerId.name }}', 'x-label': label('负责人', 'Owner') },
      taxNo: { type: 'string', value: '{{ customerId.taxNo }}', 'x-label': label('税号', 'Tax number') },
      limit: {
        type: 'string',
        format: 'money',
        'x-money': 'CNY',
        value: '{{ customerId.creditLimit }}',
        'x-label': label('额度', 'Limit'),
      },
      contacts: { type: 'integer', value: '{{ people }}', 'x-label': label('联系人', 'Contacts') },
      firstName: { type: 'string', value: '{{ person.name }}', 'x-label': label('联系人', 'Contact') },
      team: { type: 'string', value: '{{ applicant.departmentName }}', 'x-label': label('部门', 'Department') },
      stops: {
        type: 'array',
        'x-label': label('其他', 'Stops'),
        rows: {
          fields: {
            otherId: { type: 'string', 'x-ref': 'crm.customer', 'x-label': label('客户', 'Customer') },
            where: { type: 'string', value: '{{ otherId.city }}', 'x-label': label('城市', 'City') },
          },
        },
      },
    },
    required: ['customerId'],
    lookups: {
      people: { count: 'crm.contact', where: [{ field: 'customerId', operator: 'eq', value: '{{ customerId }}' }] },
      person: { first: 'crm.contact', where: [{ field: 'customerId', operator: 'eq', value: '{{ customerId }}' }] },
    },
  },
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'boss', kind: 'approve', label: label('主管', 'Boss'), assignees: [{ rule: 'staff', staff: ['boss'] }] },
    { id: 'end', kind: 'end' },
  ],
}

let test: TestGateway
let seller: Caller
let other: Caller
beforeAll(async () => {
  test = await startGateway()
  const crm = { 'crm.customer': ['own' as const], 'crm.contact': ['own' as const] }
  await test.addStaff({ id: 'designer', jobNumber: 'W0001', keys: ['wf:design', 'wf:admin'] })
  await test.addStaff({ id: 'seller', jobNumber: 'W0002', name: 'Lin', scopes: crm })
  await test.addStaff({ id: 'other', jobNumber: 'W0003', scopes: crm, keys: ['crm:customer:viewSensitive'] })
  await test.addStaff({ id: 'boss', jobNumber: 'W0004' })
  await test.addStaff({ id: 'reader', jobNumber: 'W0005', keys: ['wf:design'], scopes: { '*': ['all'] } })
  const { engine, clock } = test.gateway
  const base = { version: 1, createdAt: clock.now().toISOString() }
  await engine.transaction(systemContext({ now: clock.now() }), async (entities) => {
    const own = (id: string, ownerId: string, city: string) => ({
      ...{ ...base, id, name: id, code: id, ownerId, ownedAt: base.createdAt, holding: 'private', city },
      ...{
        partyType: 'customer',
        tradeType: 'domestic',
        platform: 'sms',
        customerType: 'enterprise',
        countryCode: 'CN',
        source: 'visit',
        level: 'b',
      },
      ...{ taxNo: '91330100MA27X0YQ1P', creditLimit: '1200.50' },
    })
    await entities.insertMany('crm.customer', [own('mine', 'seller', 'Hangzhou'), own('yours', 'other', 'Suzhou')])
    await entities.insertMany('crm.contact', [
      { ...base, id: 'c1', customerId: 'mine', name: 'Ann', email: 'ann@example.com' },
      { ...base, id: 'c2', customerId: 'yours', name: 'Bob', email: 'bob@example.com' },
    ])
  })
  seller = await test.signIn('W0002')
  other = await test.signIn('W0003')
  const designer = await test.signIn('W0001')
  const saved = await designer.post('/v2/workflow/process/save', { document: process })
  expect([saved.code, saved.msg]).toEqual([0, expect.anything()])
}, 120_000)
afterAll(() => test.close())

const { facts: asked } = formPage(process, rightsOf(process, 'start'))
const ask = async (caller: Caller, values: object, of: readonly string[] = asked!.of) => {
  const { code, data, msg } = await caller.post<{ facts: Record<string, unknown> }>('/v2/workflow/form/facts', {
    ...asked!.params,
    of,
    values,
  })
  expect([code, msg]).toEqual([0, expect.anything()])
  return data.facts
}

describe('form/facts', () => {
  it('answers what stands behind references by the record that is named, amounts as numbers, and look-ups by their name', async () => {
    expect(await ask(seller, { customerId: 'mine', stops: [{ otherId: 'mine' }] })).toEqual({
      'customerId.city': { mine: 'Hangzhou' },
      'customerId.ownerId.name': { mine: 'Lin' },
      'customerId.taxNo': { mine: null },
      'customerId.creditLimit': { mine: 1200.5 },
      'stops.otherId.city': { mine: 'Hangzhou' },
      people: 1,
      person: { name: 'Ann' },
      applicant: { departmentName: expect.any(String) },
    })
  })

  it('tells nothing of records out of reach, not by look-ups either, and nothing that needs another key', async () => {
    const facts = await ask(seller, { customerId: 'yours', stops: [{ otherId: 'yours' }] })
    expect(facts).toMatchObject({
      'customerId.city': { yours: null },
      'customerId.ownerId.name': { yours: null },
      'stops.otherId.city': { yours: null },
      people: 0,
      person: null,
    })
    expect(await ask(other, { customerId: 'yours' })).toMatchObject({
      'customerId.city': { yours: 'Suzhou' },
      'customerId.taxNo': { yours: '91330100MA27X0YQ1P' },
    })
  })

  it('answers what the form reads and nothing else, whatever is asked and given', async () => {
    expect(await ask(seller, { customerId: 'mine' }, ['customerId.remark', 'people.secret', 'user', 'person'])).toEqual({
      person: { name: 'Ann' },
    })
    expect(await ask(seller, { customerId: { id: 'mine' }, stops: [null, 7, { otherId: ['mine'] }] })).toMatchObject({
      'customerId.city': {},
      people: 0,
    })
    const unknown = await seller.post('/v2/workflow/form/facts', { code: 'nothing', of: [], values: {} })
    expect(unknown.code).toBe(10010004)
  })

  it('tells a process that somebody may not start only to whoever has an application of it', async () => {
    const designer = await test.signIn('W0001')
    const closed = { ...process, name: 'closedVisit', prefix: 'CVI', startScope: [{ staff: 'other' }] }
    expect((await designer.post('/v2/workflow/process/save', { document: closed })).code).toBe(0)
    const body = { code: 'closedVisit', of: asked!.of, values: { customerId: 'mine' } }
    expect((await seller.post('/v2/workflow/form/facts', body)).code).toBe(10010004)
    expect((await other.post('/v2/workflow/form/facts', body)).code).toBe(0)
  })

  it('answers the forms of all shipped processes, filled in or empty, and what an empty application lacks is told', async () => {
    const designer = await test.signIn('W0001')
    const reader = await test.signIn('W0005')
    const { rows } = await test.gateway.database.query<{ id: string; code: string; document: string }>(
      `select p.id, p.code, v.document from wf_process p join wf_process_version v on v.id = p.current_version_id where p.source = 'file'`,
    )
    expect(rows.length).toBeGreaterThan(20)
    for (const { id, code, document } of rows) {
      const shipped = JSON.parse(document) as ProcessDocument
      const { facts } = formPage(shipped, rightsOf(shipped, 'start'))
      // what is wrong with an empty form is told; nothing fails
      const tried = await reader.post('/v2/workflow/operate/start', { processId: id, formData: {}, dryRun: true })
      expect([code, tried.code === 10010099 ? tried.text : '']).toEqual([code, ''])
      if (!facts) continue
      const some = Object.fromEntries(
        facts.reads.map((name) => [name, shipped.form.fields[name]?.type === 'array' ? ['mine'] : 'mine']),
      )
      for (const [caller, values] of [
        [designer, {}],
        [designer, some],
        [reader, some],
      ] as const) {
        const answer = await caller.post('/v2/workflow/form/facts', { ...facts.params, of: facts.of, values })
        expect([code, answer.code, answer.code === 0 ? '' : answer.text]).toEqual([code, 0, ''])
      }
    }
  })
})

describe('form/rate', () => {
  it('answers the last rate up to the day, across the base too, and null where no rate says so', async () => {
    const { clock, engine } = test.gateway
    await engine.transaction(systemContext({ now: clock.now() }), async (entities) => {
      const rate = (id: string, base: string, date: string, value: string) => ({
        ...{ id, kind: 'xe', base, quote: 'CNY', date, rate: value, source: 'manual' },
        ...{ version: 1, createdAt: clock.now().toISOString() },
      })
      await entities.insertMany('sys.exchangeRate', [
        rate('r1', 'USD', '2026-01-01', '7'),
        rate('r2', 'USD', '2026-02-01', '7.2'),
        rate('r3', 'EUR', '2026-01-01', '7.7'),
      ])
    })
    const rateOf = async (from: string, to: string, day: string) => {
      const { code, data } = await seller.get<{ rate: string | null }>(
        `/v2/workflow/form/rate?from=${from}&to=${to}&day=${day}&kind=xe`,
      )
      return [code, data?.rate]
    }
    expect(await rateOf('USD', 'CNY', '2026-01-31')).toEqual([0, '7'])
    expect(await rateOf('USD', 'CNY', '2026-03-01')).toEqual([0, '7.2'])
    expect(await rateOf('EUR', 'USD', '2026-01-31')).toEqual([0, '1.1'])
    expect(await rateOf('USD', 'CNY', '2025-12-31')).toEqual([0, null])
  })
})

describe('Actions that start a process', () => {
  it('are named to a page as closed for whoever may not start it', async () => {
    await test.addStaff({ id: 'ledger', jobNumber: 'W0006', keys: ['financial:recharge-apply:manual'] })
    const closed = async (): Promise<readonly string[]> => {
      const { code, data } = await (
        await test.signIn('W0006')
      ).get<{ closedStarts?: readonly string[] }>('/v2/sys/page/bundle?path=/financial/recharge-apply/manual')
      expect(code).toBe(0)
      return data.closedStarts ?? []
    }
    const address = '/general/process/sponsor/submit?code=manualRecharge'
    expect(await closed()).toContain(address)
    const { clock, engine } = test.gateway
    await engine.transaction(systemContext({ now: clock.now() }), async (entities) => {
      const [role] = await entities.list('wf.role', { where: [{ field: 'code', operator: 'eq', value: 'fin.ar' }], limit: 1 })
      await entities.insertMany('wf.roleMember', [
        {
          ...{ id: 'member', roleId: role!['id'], staffId: 'ledger', scopeType: 'all' },
          ...{ version: 1, createdAt: clock.now().toISOString() },
        },
      ])
    })
    expect(await closed()).not.toContain(address)
  })
})
