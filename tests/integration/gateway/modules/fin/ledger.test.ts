import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, reverse } from '../../../../../gateway/modules/fin/ledger/post'
import { gift, moved, system } from '../../../../../gateway/modules/fin/ledger/rules'
import type { LedgerAccount, PostingDraft } from '../../../../../gateway/modules/fin/ledger/types'
import type { ServiceError } from '../../../../../gateway/platform/http'
import { openCompany, type Company } from './books'

let company: Company
beforeAll(async () => {
  company = await openCompany()
})
afterAll(() => company.test.close())

const A05: LedgerAccount = { kind: 'customer', id: 'A05', currency: 'USD', customerId: 'c-A05' }
const draft = (key: string, amount: string, more: Partial<PostingDraft> = {}): PostingDraft => ({
  type: 'gift',
  bizDate: '2026-03-02',
  companyEntityId: 'hk',
  sourceType: 'manual',
  sourceId: key,
  idemKey: `manual:${key}:gift`,
  legs: gift(A05, amount),
  ...more,
})
const written = (key: string, amount: string, more?: Partial<PostingDraft>) =>
  company.inTransaction((fin) => post(fin, draft(key, amount, more)))
const refused = async (attempt: Promise<unknown>): Promise<ServiceError> => {
  const error = await attempt.then(() => undefined, (thrown: unknown) => thrown as ServiceError) // prettier-ignore
  if (!error) throw new Error('it was not refused')
  return error
}

describe('a posting (money 1)', () => {
  it('I3, I4: 32 at once on one account stand in one row without gaps, and the balance is that of the last', async () => {
    await Promise.all(Array.from({ length: 32 }, (_, index) => written(`many-${index}`, '1.5')))
    const entries = await company.rows<{ seq: number; after: string; change: string }>(
      `select account_seq as seq, balance_after::text as after, signed_amount::text as change from fin_ledger_entry where account_id = 'A05' order by account_seq`,
    )
    expect(entries.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 32 }, (_, index) => index + 1))
    expect(entries.map(({ after }) => Number(after))).toEqual(Array.from({ length: 32 }, (_, index) => (index + 1) * 1.5))
    expect(await company.balance('A05')).toBe('48')
    expect(await company.account('A05')).toMatchObject({ balance: '48.0', gift_balance: expect.stringMatching(/^48/) as string })
  })

  it('I13: the same key with the same content is the first posting, also from two at once', async () => {
    const before = await company.balance('A05')
    const [first, second] = await Promise.all([written('twice', '10'), written('twice', '10')])
    expect(second.postingId).toBe(first.postingId)
    expect([first.first, second.first].sort()).toEqual([false, true])
    expect(await written('twice', '10')).toEqual({ postingId: first.postingId, first: false })
    expect(Number(await company.balance('A05'))).toBe(Number(before) + 10)
  })

  it('refuses the same key with other content (10060058)', async () => {
    await written('other', '10')
    expect(await refused(written('other', '11'))).toMatchObject({ code: 10060058 })
  })

  it('leaves nothing when its transaction dies before the commit, and is written by the next attempt', async () => {
    const before = await company.balance('A05')
    await expect(
      company.inTransaction(async (fin) => {
        await post(fin, draft('died', '7'))
        throw new Error('the process died')
      }),
    ).rejects.toThrow('the process died')
    expect(await company.balance('A05')).toBe(before)
    expect((await written('died', '7')).first).toBe(true)
    expect(Number(await company.balance('A05'))).toBe(Number(before) + 7)
  })

  it('is undone with the savepoint that it was made behind', async () => {
    const before = await company.balance('A05')
    await company.inTransaction(async ({ tx, ...fin }) => {
      await tx
        .transaction(async (inner) => {
          await post({ ...fin, tx: inner }, draft('savepoint', '5'))
          throw new Error('the effect failed')
        })
        .catch(() => undefined)
    })
    expect(await company.balance('A05')).toBe(before)
  })

  it('I12: refuses a day of a closed period, and a reversal is dated with the first open day', async () => {
    const { postingId } = await written('april', '3', { bizDate: '2026-04-15' })
    await company.inTransaction(async ({ entities }) => {
      const period = await entities.save('fin.period', { companyEntityId: 'hk', month: '2026-04-01' })
      await entities.transition('fin.period', String(period.id), 'close')
    })
    const error = await refused(written('late', '3', { bizDate: '2026-04-30' }))
    expect(error.code).toBe(10060058)
    expect(error.message).toContain('2026-04')
    expect((await written('april', '3', { bizDate: '2026-04-15' })).first).toBe(false)
    const reversal = await company.inTransaction((fin) => reverse(fin, postingId, 'wrong account'))
    const [posting] = await company.rows<{ day: string }>('select biz_date::text as day from fin_posting where id = $1', [
      reversal.postingId,
    ])
    expect(posting?.day).toBe('2026-05-01')
    expect(await refused(company.inTransaction((fin) => reverse(fin, postingId, 'again')))).toMatchObject({ code: 10060058 })
  })

  it('a leg may say what its account must not fall below (10060059)', async () => {
    const legs = moved({ from: A05, fromAmount: '100000', to: system('SUS', 'USD'), toAmount: '100000', atLeast: '0' })
    expect(await refused(written('bound', '0', { legs, type: 'transfer' }))).toMatchObject({ code: 10060059 })
  })

  it('refuses a currency without a rate, naming it', async () => {
    const legs = gift({ kind: 'customer', id: 'A05', currency: 'SGD' }, '1')
    expect((await refused(written('rate', '1', { legs }))).message).toContain('SGD')
  })
})

describe('the database itself', () => {
  it('I6: neither changes nor deletes entries; the bill alone is written, once', async () => {
    await expect(company.rows('update fin_ledger_entry set amount = 1')).rejects.toThrow('never changed or deleted')
    await expect(company.rows('delete from fin_ledger_entry')).rejects.toThrow('never changed or deleted')
    await company.rows(`update fin_ledger_entry set bill_id = 'b1' where account_id = 'A05' and account_seq = 1`)
    await expect(
      company.rows(`update fin_ledger_entry set bill_id = 'b2' where account_id = 'A05' and account_seq = 1`),
    ).rejects.toThrow('never changed or deleted')
  })

  it('I1: takes no legs that do not balance', async () => {
    await expect(
      company.rows(
        `insert into fin_ledger_entry select (jsonb_populate_record(e, '{"id":"bad","posting_id":"bad","leg_no":1,"account_seq":999,"bill_id":null,"reverses_id":null}')).* from fin_ledger_entry e where account_id = 'A05' and account_seq = 2`,
      ),
    ).rejects.toThrow('does not balance')
  })

  it('I1, I2, I9: everything that was posted balances', async () => {
    const [wrong] = await company.rows<{ count: number }>(
      `select count(*) as count from (select posting_id from fin_ledger_entry group by posting_id, currency having sum(case direction when 'debit' then amount else -amount end) <> 0
        union all select posting_id from fin_ledger_entry group by posting_id having sum(case direction when 'debit' then base_amount else -base_amount end) <> 0) x`,
    )
    expect(Number(wrong?.count)).toBe(0)
  })
})
