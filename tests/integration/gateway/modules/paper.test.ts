import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntityRecord } from '../../../../gateway/entities'
import { postUsage } from '../../../../gateway/modules/fin'
import { closePeriod } from '../../../../gateway/modules/fin/bills/books'
import { customerAccount } from '../../../../gateway/modules/fin/facts'
import { verifyLedger } from '../../../../gateway/modules/fin/ledger/verify'
import { PAPER_LANGUAGES } from '../../../../gateway/papers'
import { read, type Caller } from '../../../support/gateway'
import { openCompany, type Company } from './fin/books'

let company: Company
let [finance, stranger]: Caller[] = []
const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null, status: 'active' }

beforeAll(async () => {
  company = await openCompany()
  const menus = ['financial:financial', 'financial:account', 'financial:account:consumer', 'financial:account:consumer:bill']
  const keys = ['fin:bill:view', 'fin:bill:issue', 'fin:bill:pay', 'fin:ledger:view']
  const scopes = (scope: string) => ({ 'crm.customer': [scope] })
  await company.test.addStaff({ id: 'ar', jobNumber: 'AR1', menus, keys, scopes: scopes('all') })
  await company.test.addStaff({ id: 'else', jobNumber: 'SE1', menus, keys, scopes: scopes('own') })
  ;[finance, stranger] = [await company.test.signIn('AR1'), await company.test.signIn('SE1')]
  await company.inTransaction(({ entities }) =>
    entities.changeMany(
      'sys.bankAccount',
      new Map([['usd', { bankName: '汇丰银行', accountNo: '012-345-6789', isDefault: true }]]),
    ),
  )
})
afterAll(() => company.test.close())

let made = 0
/** A post-paid account with an issued bill. */
async function billOf(id: string, amount: string): Promise<EntityRecord> {
  await company.inTransaction(async ({ entities }) => {
    await entities.insertMany('crm.customer', [
      { ...stamp, id: `c-${id}`, code: `CU-${id}`, name: `客户${id}`, nameEn: `Party ${id}`, nameKey: id },
    ])
    await entities.insertMany('fin.customerAccount', [
      {
        ...{ ...stamp, id, code: id, name: `Account ${id}`, customerId: `c-${id}`, product: 'sms', currency: 'USD' },
        ...{
          payMode: 'postpaid',
          status: 'active',
          companyEntityId: 'hk',
          timezone: 'Asia/Hong_Kong',
          termDays: 15,
          graceDays: 7,
        },
        ...{ billCycleId: 'half', cycleFrom: '2026-03-01' },
      },
    ])
  })
  made += 1
  await company.inTransaction((fin) =>
    postUsage(fin, [{ accountId: id, product: 'sms', billDay: '2026-03-05', amount, batchStart: new Date(made * 1000) }]),
  )
  const bill = await company.inTransaction(async (fin) =>
    closePeriod(fin, await customerAccount(fin, id), { from: '2026-03-01', to: '2026-03-15' }, { issue: true }),
  )
  return bill as EntityRecord
}

const textOf = async (bytes: Buffer): Promise<string> => {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })
  return text.replace(/\s+/g, '')
}
const paper = (by: Caller, id: unknown, query = ''): Promise<Response> =>
  by.raw('GET', `/v2/sys/paper/fin.bill/${String(id)}${query}`)

describe('a bill as PDF', () => {
  it('has lines, totals and bank details in each language, and is one file as long as the bill is the same', async () => {
    const { id, code } = await billOf('P1', '120.5')
    const texts: Record<string, string> = {}
    for (const language of PAPER_LANGUAGES) {
      const answer = await paper(finance!, id, `?language=${language}`)
      expect(answer.headers.get('content-type')).toBe('application/pdf')
      expect(answer.headers.get('content-disposition')).toContain(`${String(code)}.pdf`)
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(bytes.length).toBeLessThan(200_000)
      texts[language] = await textOf(bytes)
    }
    for (const text of Object.values(texts))
      for (const said of [String(code), '120.50USD', '012-345-6789']) expect(text).toContain(said)
    expect(texts.zh).toContain('应付金额')
    expect(texts.zh).not.toContain('Amountdue')
    expect(texts.en).toContain('Amountdue')
    expect(texts.both).toContain('应付金额Amountdue')
    await paper(finance!, id)
    const kept = await company.rows(`select id from sys_file where entity = 'fin.bill' and record_id = $1`, [id])
    expect(kept).toHaveLength(3)
  })

  it('is nothing for whoever does not see the bill, nor where there is no such paper', async () => {
    const { id } = await billOf('P2', '1')
    const code = async (answer: Promise<Response>): Promise<number> => (await read(await answer)).code
    expect(await code(paper(stranger!, id))).toBe(10010004)
    expect(await code(paper(company.test.anybody, id))).not.toBe(0)
    expect(await code(finance!.raw('GET', `/v2/sys/paper/fin.none/${String(id)}`))).toBe(10010004)
  })
})

const move = async (entity: string, ids: unknown[], transition: string, values: object = {}): Promise<string> => {
  const { msg, data } = await finance!.post<{ refused: { reason: string }[] } | null>(
    `/v2/fin/${entity}/stateUpdate`,
    { ids, transition, ...values },
    { 'accept-language': 'en' },
  )
  return data?.refused?.[0]?.reason ?? msg
}
const bills = (...ids: unknown[]) =>
  company.rows<{ status: string; open: string }>(
    `select status, trim_scale(open_amount)::text as open from fin_bill where id = any($1::text[]) order by code`,
    [ids],
  )

describe('a payment on bills', () => {
  it('settles the bill into the usual bank account and leaves what is left to the balance', async () => {
    const { id } = await billOf('P3', '100')
    expect(await move('bill', [id], 'pay', { amount: '130', bankRef: 'B-1' })).toBe('OK')
    expect(await bills(id)).toEqual([{ status: 'paid', open: '0' }])
    expect(await company.balance('P3')).toBe('30')
    expect(
      await company.rows(`select bank_account_id, bank_ref, kind, status from fin_recharge where customer_id = 'c-P3'`),
    ).toEqual([{ bank_account_id: 'usd', bank_ref: 'B-1', kind: 'manual', status: 'posted' }])
  })

  it('in part, in another currency, and of a reference that is used already', async () => {
    const { id } = await billOf('P4', '100')
    expect(await move('bill', [id], 'pay', { amount: '40', bankRef: 'B-1' })).toContain('B-1')
    // 50 EUR at 7.7035 to 7.1
    expect(await move('bill', [id], 'pay', { amount: '50', bankAccountId: 'eur', bankRef: 'B-2' })).toBe('OK')
    expect(await bills(id)).toEqual([{ status: 'partPaid', open: '45.75' }])
  })

  it('is one receipt for several bills of a customer', async () => {
    const first = await billOf('P9', '60')
    await company.inTransaction((fin) =>
      postUsage(fin, [{ accountId: 'P9', product: 'sms', billDay: '2026-03-20', amount: '25', batchStart: new Date(9_000_000) }]),
    )
    const second = await company.inTransaction(async (fin) =>
      closePeriod(fin, await customerAccount(fin, 'P9'), { from: '2026-03-16', to: '2026-03-31' }, { issue: true }),
    )
    const ids = [second!.id, first.id]
    expect((await finance!.post('/v2/fin/bill/payment', { ids, amount: '70', bankRef: 'B-4' })).code).toBe(0)
    expect(await bills(...ids)).toEqual([
      { status: 'paid', open: '0' },
      { status: 'partPaid', open: '15' },
    ])
  })

  it('of several customers at once is refused', async () => {
    const [one, other] = [await billOf('P5', '10'), await billOf('P6', '20')]
    const together = { ids: [one.id, other.id], amount: '30', bankRef: 'B-3' }
    expect((await finance!.post('/v2/fin/bill/payment', together, { 'accept-language': 'en' })).msg).toMatch(
      /different customers/,
    )
    expect((await stranger!.post('/v2/fin/bill/payment', together)).code).toBe(10010004)
    expect(await bills(one.id, other.id)).toEqual([
      { status: 'issued', open: '10' },
      { status: 'issued', open: '20' },
    ])
  })
})

describe('lines of a bank statement', () => {
  it('find their bills, are booked together, and what nothing was found for stays to be looked at', async () => {
    const [first, second] = [await billOf('P7', '70'), await billOf('P8', '80')]
    const line = (values: object) =>
      finance!.post<{ record: EntityRecord }>('/v2/fin/bankLine/save', { bankAccountId: 'usd', payDate: '2026-04-01', ...values })
    const lines = [
      await line({ amount: '70', payer: 'Unknown', bankRef: 'L-1', note: `for ${String(first.code)}` }),
      await line({ amount: '80', payer: '客户P8', bankRef: 'L-2' }),
      await line({ amount: '5.55', payer: 'Nobody', bankRef: 'L-3' }),
    ].map(({ data }) => data.record)
    expect(lines.map(({ billId, matchedBy }) => [billId, matchedBy])).toEqual([
      [first.id, 'reference'],
      [second.id, 'nameAmount'],
      [null, 'none'],
    ])
    expect(await move('bankLine', [lines[2]!.id], 'book')).toMatch(/No bill was found/)
    expect(
      await move(
        'bankLine',
        lines.slice(0, 2).map(({ id }) => id),
        'book',
      ),
    ).toBe('OK')
    expect(await bills(first.id, second.id)).toEqual([
      { status: 'paid', open: '0' },
      { status: 'paid', open: '0' },
    ])
    expect(
      await company.rows(`select status from fin_bank_line where bank_ref <> 'L-3' and recharge_id is not null`),
    ).toHaveLength(2)
  })
})

describe('the books', () => {
  it('add up after it', async () => {
    const drifts = await verifyLedger(company.test.gateway.database, { fix: false })
    expect(drifts.filter(({ drifted }) => drifted > 0)).toEqual([])
  })
})
