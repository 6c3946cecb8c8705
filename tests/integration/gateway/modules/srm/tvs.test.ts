import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { read, startGateway } from '../../../../support/gateway'
import type { Caller, TestGateway } from '../../../../support/gateway'

type Row = Record<string, unknown> & { id: string }

let test: TestGateway
let lead: Caller
let chief: Caller
let money: Caller
let seller: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const enter = (jobNumber: string): Promise<Caller> => test.signIn(jobNumber, DEMO_PASSWORD)
  ;[lead, chief, money, seller] = await Promise.all(
    ['S0045', 'S0001', 'S0052', 'S0006'].map(enter) as [Promise<Caller>, Promise<Caller>, Promise<Caller>, Promise<Caller>],
  )
})
afterAll(() => test.close())

const save = (who: Caller, entity: string, values: object) => who.post<{ id: string }>(`/v2/srm/${entity}/save`, values)
const saved = async (entity: string, values: object): Promise<string> => {
  const answer = await save(lead, entity, values)
  expect(answer.msg).toBe('OK')
  return answer.data.id
}
const view = async (entity: string, id: string): Promise<Row> =>
  (await lead.get<{ record: Row }>(`/v2/srm/${entity}/view/${id}`)).data.record
const move = (who: Caller, entity: string, id: string, transition: string, values: object = {}) =>
  who.post('/v2/srm/' + entity + '/stateUpdate', { ids: [id], transition, values })
const list = async (who: Caller, path: string, where: object[] = []): Promise<Row[]> =>
  (await who.post<{ records: Row[] }>(`${path}/queryPage`, { pageNo: 1, pageSize: 100, where })).data.records
const eq = (field: string, value: unknown) => ({ field, operator: 'eq', value })

/** A voucher that finance has uploaded. */
async function uploaded(): Promise<object> {
  const form = new FormData()
  form.append('file', new Blob(['%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n'], { type: 'application/pdf' }), 'voucher.pdf')
  const answer = await read<{ id: string; name: string; size: number }>(
    await money.raw('POST', '/v2/workflow/file/upload', { body: form }),
  )
  return answer.data
}

let count = 0
/** An account of a vendor who earned so much. */
async function account(earned: string): Promise<Row> {
  const [known] = await list(lead, '/v2/srm/tvsAccount')
  const { supplierId, supplierAccountId } = known!
  const id = await saved('tvsAccount', {
    ...{ loginName: `shop${(count += 1)}`, vendorName: `Shop ${count}`, supplierId, supplierAccountId, countryCode: 'PH' },
    ...{ payoutMethod: 'bank', payoutAccount: `62220${count}`, currency: 'USD' },
  })
  const earning = { accountId: id, day: '2026-01-05', countryCode: 'PH', sent: 1000, delivered: 1000, reference: 'B1' }
  await saved('tvsEarning', { ...earning, unitEarning: String(Number(earned) / 1000) })
  return view('tvsAccount', id)
}

describe('TVS accounts and withdrawals (customers-suppliers 5)', () => {
  it('keeps available = earned - withdrawn - frozen - pending, at least 0, and the fee up to the cent', async () => {
    const shop = await account('100.00')
    expect(shop).toMatchObject({ earned: '100', available: '100', deliveryRate: '100' })
    const ask = (amount: string) => save(lead, 'tvsWithdrawal', { accountId: shop.id, amount })
    expect((await ask('19.99')).code).toBe(10010005)
    expect((await ask('100.01')).code).toBe(10010005)
    const asked = await ask('63.21')
    expect(asked.msg).toBe('OK')
    expect(await view('tvsWithdrawal', asked.data.id)).toMatchObject({
      fee: '1.27',
      net: '61.94',
      status: 'requested',
      hints: ['newAccount'],
    })
    expect(await view('tvsAccount', shop.id)).toMatchObject({ pending: '63.21', available: '36.79' })
    expect((await ask('20.00')).msg).toContain('每天')
    expect((await move(lead, 'tvsAccount', shop.id, 'hold', { frozen: '36.80', note: '核查' })).code).not.toBe(0)
    expect((await move(lead, 'tvsAccount', shop.id, 'hold', { frozen: '36.79', note: '核查' })).msg).toBe('OK')
    expect((await move(lead, 'tvsWithdrawal', asked.data.id, 'reject', { note: '资料不符' })).msg).toBe('OK')
    expect(await view('tvsAccount', shop.id)).toMatchObject({ pending: '0', frozen: '36.79', available: '63.21' })
  })

  it('pays above 500.00 after two people have looked, posts it once, and leaves the books of the bank right', async () => {
    const shop = await account('900.00')
    const { id } = (await save(lead, 'tvsWithdrawal', { accountId: shop.id, amount: '600.00' })).data
    const [bank] = await list(money, '/v2/sys/bankAccount', [eq('currency', 'USD')])
    const balance = async (): Promise<number> =>
      Number((await list(money, '/v2/sys/bankAccount', [eq('id', bank!.id)]))[0]!.balance)
    expect((await move(chief, 'tvsWithdrawal', id, 'approve')).msg).toContain('初审')
    expect((await move(chief, 'tvsWithdrawal', id, 'check')).msg).toBe('OK')
    expect((await move(chief, 'tvsWithdrawal', id, 'approve')).msg).toContain('另一人')
    expect((await move(lead, 'tvsWithdrawal', id, 'approve')).code).not.toBe(0)
    expect((await move(money, 'tvsWithdrawal', id, 'approve')).msg).toBe('OK')
    expect((await move(money, 'tvsWithdrawal', id, 'pay')).msg).toBe('OK')
    expect((await move(lead, 'tvsWithdrawal', id, 'paid')).code).not.toBe(0)
    const before = await balance()
    const voucher = await uploaded()
    const done = await move(money, 'tvsWithdrawal', id, 'paid', { bankAccountId: bank!.id, bankRef: 'TT-1', voucher })
    expect(done.msg).toBe('OK')
    expect(await view('tvsWithdrawal', id)).toMatchObject({ status: 'paid', fee: '12', net: '588' })
    expect(await view('tvsAccount', shop.id)).toMatchObject({ withdrawn: '600', pending: '0', available: '300' })
    expect(await balance()).toBeCloseTo(before - 588, 2)
    const entries = await list(money, '/v2/fin/ledgerEntry', [eq('sourceId', id)])
    expect(entries.map(({ accountKind, direction, amount }) => [accountKind, direction, Number(amount)]).sort()).toEqual([
      ['bank', 'credit', 588],
      ['supplier', 'debit', 12],
      ['supplier', 'debit', 588],
      ['system', 'credit', 12],
    ])
  })

  it('stops withdrawals of a frozen account, and gives back what could not be paid', async () => {
    const shop = await account('80.00')
    const { id } = (await save(lead, 'tvsWithdrawal', { accountId: shop.id, amount: '80.00' })).data
    expect(await view('tvsAccount', shop.id)).toMatchObject({ available: '0' })
    expect((await move(lead, 'tvsAccount', shop.id, 'freeze', { note: '流量异常' })).msg).toBe('OK')
    expect((await move(chief, 'tvsWithdrawal', id, 'approve')).code).not.toBe(0)
    expect((await move(lead, 'tvsAccount', shop.id, 'unfreeze', { note: '已核实' })).msg).toBe('OK')
    for (const step of ['approve', 'pay'] as const)
      expect((await move(step === 'approve' ? chief : money, 'tvsWithdrawal', id, step)).msg).toBe('OK')
    expect((await move(money, 'tvsWithdrawal', id, 'fail', { note: '户名不符' })).msg).toBe('OK')
    expect(await view('tvsAccount', shop.id)).toMatchObject({ available: '80' })
    expect((await save(seller, 'tvsWithdrawal', { accountId: shop.id, amount: '20.00' })).code).not.toBe(0)
  })
})

describe('content rewrite (customers-suppliers 5)', () => {
  const rule = { matchKind: 'contains', action: 'replace', priority: 500, protect: ['code', 'amount', 'phone', 'urlPath'] }

  it('is written by one and published by another, refuses patterns that could hold it up, and does not change while it is on', async () => {
    const values = { ...rule, name: '统一品牌', pattern: 'Acme Corp', replacement: 'ACME', sample: 'Acme Corp: 482913' }
    expect((await save(lead, 'tvsRewriteRule', { ...values, matchKind: 'regex', pattern: '(a)\\1' })).code).toBe(10010005)
    const id = await saved('tvsRewriteRule', values)
    expect((await move(lead, 'tvsRewriteRule', id, 'publish')).code).not.toBe(0)
    expect((await move(chief, 'tvsRewriteRule', id, 'publish')).msg).toBe('OK')
    expect((await save(lead, 'tvsRewriteRule', { id, priority: 501 })).msg).toContain('停用')
    const bad = await saved('tvsRewriteRule', { ...values, name: '改验证码', pattern: '482913', replacement: '000000' })
    expect((await move(chief, 'tvsRewriteRule', bad, 'publish')).msg).toContain('样例')
  })

  it('tries a message: what comes out, its segments, and of every rule why it fired or not', async () => {
    const id = await saved('tvsRewriteLog', { before: 'Código: 482913 não partilhe', countryCode: 'PT' })
    const log = await view('tvsRewriteLog', id)
    expect(log).toMatchObject({
      after: 'Codigo: 482913 nao partilhe [ACME]',
      segmentsBefore: 1,
      segmentsAfter: 1,
      result: 'changed',
      origin: 'test',
    })
    const steps = (log.steps as Row[]).map(({ priority, outcome }) => [priority, outcome])
    expect(steps.slice(0, 2)).toEqual([
      [10, 'fired'],
      [20, 'fired'],
    ])
    expect(steps).toContainEqual([50, 'scope'])
  })
})
