import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postUsage } from '../../../../../gateway/modules/fin'
import { closePeriod } from '../../../../../gateway/modules/fin/bills/books'
import { customerAccount } from '../../../../../gateway/modules/fin/facts'
import { post, reverse } from '../../../../../gateway/modules/fin/ledger/post'
import { gift, moved, system } from '../../../../../gateway/modules/fin/ledger/rules'
import type { LedgerAccount, PostingDraft } from '../../../../../gateway/modules/fin/ledger/types'
import { verifySnapshots, writeSnapshots } from '../../../../../gateway/modules/fin/ledger/snapshots'
import { verifyLedger } from '../../../../../gateway/modules/fin/ledger/verify'
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
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown as ServiceError,
  )
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

  it('a month that was closed takes postings again once it is reopened, until it is closed again', async () => {
    const move = (transition: string) =>
      company.inTransaction(({ entities }) => entities.transition('fin.period', String(period.id), transition))
    const late = (key: string) => written(key, '3', { bizDate: '2026-07-31' })
    const period = await company.inTransaction(({ entities }) =>
      entities.save('fin.period', { companyEntityId: 'hk', month: '2026-07-01' }),
    )
    expect((await move('close')).closedAt).not.toBeNull()
    expect((await refused(late('july'))).message).toContain('2026-07')
    expect(await move('reopen')).toMatchObject({ status: 'open', closedAt: null, closedBy: null })
    expect((await late('july')).first).toBe(true)
    await move('close')
    expect((await refused(late('july-2'))).code).toBe(10060058)
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

describe('what follows from entries is compared with them', () => {
  const DAY = '2026-05-11'
  const differs = async (field: string): Promise<number> => {
    const found = (await verifyLedger(company.test.gateway.database)).find((drift) => drift.field === field)
    expect(found?.rows).toBeGreaterThan(0)
    return found!.drifted
  }

  it('I7: usage of an account and day is what its lines come to', async () => {
    const line = { accountId: 'A04', day: DAY, product: 'sms', price: '0.01' }
    for (const [reference, units] of [
      ['i7/1', 300],
      ['i7/2', 200],
    ] as const)
      await company.inTransaction(({ entities }) => entities.save('fin.usage', { ...line, reference, units }))
    expect(await differs('fin.usage.amount (I7)')).toBe(0)
    await company.rows(`update fin_usage set amount = amount + 1 where reference = 'i7/1'`)
    expect(await differs('fin.usage.amount (I7)')).toBe(1)
    await company.rows(`update fin_usage set amount = amount - 1 where reference = 'i7/1'`)
    await company.rows(`update fin_usage set deleted_at = now() where account_id = 'A04'`)
    expect(await differs('fin.usage.amount (I7)')).toBe(1)
    await company.rows(`update fin_usage set deleted_at = null where account_id = 'A04'`)
  })

  it('I8: the total of a bill is what the entries on it come to', async () => {
    await company.inTransaction((fin) =>
      postUsage(fin, [{ accountId: 'A06', product: 'sms', billDay: DAY, amount: '80.125', batchStart: new Date(0) }]),
    )
    const bill = await company.inTransaction(async (fin) =>
      closePeriod(fin, await customerAccount(fin, 'A06'), { from: DAY, to: DAY }, { issue: true }),
    )
    expect(await differs('fin.bill.total (I8)')).toBe(0)
    await company.rows('update fin_bill set total = total + 0.01 where id = $1', [bill.id])
    expect(await differs('fin.bill.total (I8)')).toBe(1)
    await company.rows('update fin_bill set total = total - 0.01 where id = $1', [bill.id])
  })

  it('I14: the closing of a day is the opening of the next and all entries until then; what is posted into it later is marked', async () => {
    const NEXT = '2026-05-12'
    const now = company.test.clock.now()
    await written('i14', '4', { bizDate: NEXT })
    for (const day of [DAY, NEXT]) await company.inTransaction(({ tx }) => writeSnapshots(tx, day, now))
    const wrong = () =>
      company.rows(
        `select s.ledger_id from fin_account_snapshot s left join fin_account_snapshot n on n.ledger_id = s.ledger_id and n.day = s.day + 1
          where s.closing is distinct from s.opening + s.added - s.taken + s.adjusted or (s.day = $1 and n.opening is distinct from s.closing)
            or s.closing is distinct from (select sum(e.signed_amount) from fin_ledger_entry e where e.account_kind || ':' || e.account_id = s.ledger_id and e.biz_date <= s.day)`,
        [DAY],
      )
    const [own] = await company.rows<{ count: number }>(
      `select count(*)::int as count from fin_account_snapshot where ledger_id = 'customer:A05' and day in ($1, $2)`,
      [DAY, NEXT],
    )
    expect([own?.count, await wrong()]).toEqual([2, []])
    const verified = () => company.inTransaction(({ tx }) => verifySnapshots(tx, DAY, now))
    expect(await verified()).toBe(0)
    await company.rows(`update fin_account_snapshot set closing = closing + 1 where ledger_id = 'customer:A05' and day = $1`, [
      DAY,
    ])
    expect(await verified()).toBe(1)
    await company.rows(`update fin_account_snapshot set closing = closing - 1 where ledger_id = 'customer:A05' and day = $1`, [
      DAY,
    ])
    expect(await verified()).toBe(0)
    await written('i14-late', '2', { bizDate: DAY })
    expect(await verified()).toBe(1)
    expect(await wrong()).not.toEqual([])
  })
})
