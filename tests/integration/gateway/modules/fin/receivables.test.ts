import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntityRecord } from '../../../../../gateway/entities'
import { closePeriod, finalBill } from '../../../../../gateway/modules/fin/bills/books'
import { postUsage } from '../../../../../gateway/modules/fin'
import { customerAccount } from '../../../../../gateway/modules/fin/facts'
import { post } from '../../../../../gateway/modules/fin/ledger/post'
import { gift as giftLegs } from '../../../../../gateway/modules/fin/ledger/rules'
import { verifyLedger } from '../../../../../gateway/modules/fin/ledger/verify'
import { adjust, writeOff } from '../../../../../gateway/modules/fin/acts/adjust'
import { changePayMode } from '../../../../../gateway/modules/fin/acts/changes'
import { checkClosing, closeAccount } from '../../../../../gateway/modules/fin/acts/closing'
import { refund } from '../../../../../gateway/modules/fin/acts/pay'
import { recharge } from '../../../../../gateway/modules/fin/acts/recharge'
import { addDays, dayOf } from '../../../../../gateway/platform/calendar'
import type { ServiceError } from '../../../../../gateway/platform/http'
import type { JobReport } from '../../../../../gateway/platform/jobs'
import { openCompany, type Company } from './books'

let company: Company
let today: string
beforeAll(async () => {
  company = await openCompany()
  today = dayOf(company.test.clock.now(), 'Asia/Hong_Kong')
})
afterAll(() => company.test.close())

const refused = async (attempt: Promise<unknown>): Promise<ServiceError> => {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown as ServiceError,
  )
  if (!error) throw new Error('it was not refused')
  return error
}

let made = 0
const next = (): number => (made += 1)

/** A post-paid account of its own, billed by half months from a day on. */
async function opened(id: string, more: EntityRecord = {}): Promise<void> {
  const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
  const customer = { ...stamp, id: `c-${id}`, code: `CU-${id}`, name: id, nameKey: id.toLowerCase(), status: 'active' }
  const account = {
    ...{
      ...stamp,
      id,
      code: id,
      name: `Account ${id}`,
      customerId: `c-${id}`,
      product: 'sms',
      currency: 'USD',
      payMode: 'postpaid',
      status: 'active',
    },
    ...{
      companyEntityId: 'hk',
      timezone: 'Asia/Hong_Kong',
      termDays: 15,
      graceDays: 7,
      billCycleId: 'half',
      cycleFrom: '2026-03-01',
    },
    ...more,
  }
  await company.inTransaction(async ({ entities }) => {
    await entities.insertMany('crm.customer', [customer])
    await entities.insertMany('fin.customerAccount', [account])
  })
}

const used = (accountId: string, amount: string, billDay: string) =>
  company.inTransaction((fin) =>
    postUsage(fin, [{ accountId, product: 'sms', billDay, amount, batchStart: new Date(next() * 1000) }]),
  )

const billed = (accountId: string, from: string, to: string, issue = true) =>
  company.inTransaction(async (fin) => closePeriod(fin, await customerAccount(fin, accountId), { from, to }, { issue }))

const paid = async (accountId: string, amount: string, payDate: string, billIds: unknown[] = []): Promise<string> => {
  const instanceId = `r${next()}`
  await company.effect(recharge, {
    ...{
      instanceId,
      instanceCode: instanceId,
      customerId: `c-${accountId}`,
      rechargeType: 'receipt',
      bankAccountId: 'usd',
      payCurrency: 'USD',
    },
    ...{
      payAmount: amount,
      bankFee: '0',
      feeBearer: 'us',
      payDate,
      bankRef: instanceId,
      lines: [{ accountId, amount }],
      billIds,
    },
  })
  return instanceId
}

const refunded = async (accountId: string, amount: string, more: EntityRecord = {}): Promise<string> => {
  const instanceId = `t${next()}`
  await company.effect(refund, {
    instanceId,
    instanceCode: instanceId,
    accountId,
    amount,
    bankAccountId: 'usd',
    paidAt: '2026-05-02',
    ...more,
  })
  return instanceId
}

const reversed = async (entity: string, table: string, instanceId: string): Promise<void> => {
  const [row] = await company.rows<{ id: string }>(`select id from ${table} where instance_id = $1`, [instanceId])
  await company.inTransaction(({ entities }) => entities.transition(entity, row!.id, 'reverse', { note: 'entered by mistake' }))
}

const bills = (accountId: string) =>
  company.rows<{ id: string; from: string; total: string; open: string; status: string }>(
    `select id, period_from::text as from, trim_scale(total)::text as total, trim_scale(open_amount)::text as open, status from fin_bill where account_id = $1 order by period_from, created_at`,
    [accountId],
  )
const told = async (accountId: string): Promise<string[]> =>
  (await bills(accountId)).map(({ from, total, open, status }) => `${from} ${total} ${open} ${status}`)
const rows = async (accountId: string): Promise<string[]> =>
  (
    await company.rows<{ said: string }>(
      `select concat_ws(' ', kind, trim_scale(amount), trim_scale(allocated_amount), trim_scale(unallocated), status) as said from fin_bill_refund where account_id = $1 order by created_at, id`,
      [accountId],
    )
  ).map(({ said }) => said)
const drifted = async (): Promise<string[]> =>
  (await verifyLedger(company.test.gateway.database)).filter(({ drifted }) => drifted > 0).map(({ field }) => field)

describe('a bill takes whatever is unbilled (money 2.4)', () => {
  it('usage dated into a period that has a bill, even a draft, comes with the next bill and says its day; lines add up to the total', async () => {
    await opened('late')
    await used('late', '100', '2026-03-05')
    await billed('late', '2026-03-01', '2026-03-15', false)
    await used('late', '7.255', '2026-03-10')
    await used('late', '50', '2026-03-20')
    const second = await billed('late', '2026-03-16', '2026-03-31')
    expect(await told('late')).toEqual(['2026-03-01 100 100 draft', '2026-03-16 57.26 57.26 issued'])
    expect(
      await company.rows(
        `select kind, product, service_day::text as day, trim_scale(amount)::text as amount from fin_bill_line where bill_id = $1 order by kind, service_day`,
        [second.id],
      ),
    ).toEqual([
      { kind: 'rounding', product: 'sms', day: null, amount: '0.005' },
      { kind: 'usage', product: 'sms', day: '2026-03-10', amount: '7.255' },
      { kind: 'usage', product: 'sms', day: null, amount: '50' },
    ])
  })

  it('what stood on a bill that is void comes with the next one; the period alone is billed again while no later bill is there', async () => {
    await opened('void')
    await used('void', '10245.25', '2026-03-05')
    const first = await billed('void', '2026-03-01', '2026-03-15')
    const move = (id: unknown) =>
      company.inTransaction(({ entities }) => entities.transition('fin.bill', String(id), 'void', { note: 'wrong price' }))
    await move(first.id)
    const again = await billed('void', '2026-03-01', '2026-03-15')
    await billed('void', '2026-03-16', '2026-03-31')
    await move(again.id)
    await used('void', '4.75', '2026-04-02')
    await billed('void', '2026-04-01', '2026-04-15')
    expect(await told('void')).toEqual([
      '2026-03-01 10245.25 0 void',
      '2026-03-01 10245.25 0 void',
      '2026-03-16 0 0 paid',
      '2026-04-01 10250 10250 issued',
    ])
  })

  it('a bill below 0 is a credit that pays the next one, and stays while it does', async () => {
    await opened('below')
    await company.effect(adjust, {
      instanceId: 'bn1',
      instanceCode: 'BN1',
      kind: 'creditNote',
      accountId: 'below',
      amount: '30',
      reason: 'price',
    })
    const first = await billed('below', '2026-03-01', today)
    expect(await rows('below')).toEqual(['billCredit 30 0 30 posted'])
    await used('below', '20', today)
    await billed('below', addDays(today, 1), addDays(today, 2))
    expect([await told('below'), await rows('below')]).toEqual([
      ['2026-03-01 -30 0 paid', `${addDays(today, 1)} 20 0 paid`],
      ['billCredit 30 20 10 posted'],
    ])
    expect((await bills('below'))[0]!.id).toBe(first.id)
  })
})

describe('a refund takes what had come in (money 2.5)', () => {
  it('the newest that is free first, so that the next bill is not paid by money that is gone', async () => {
    await opened('back')
    await used('back', '500', '2026-03-05')
    await billed('back', '2026-03-01', '2026-03-15')
    await paid('back', '600', '2026-04-01')
    await paid('back', '759.17', '2026-04-02')
    const instance = await refunded('back', '859.17')
    expect(await rows('back')).toEqual([
      'collection 600 600 0 posted',
      'collection 759.17 759.17 0 posted',
      'refund 859.17 859.17 0 posted',
    ])
    await used('back', '859.17', '2026-03-20')
    await billed('back', '2026-03-16', '2026-03-31')
    expect([await told('back'), await company.balance('back')]).toEqual([
      ['2026-03-01 500 0 paid', '2026-03-16 859.17 859.17 issued'],
      '-859.17',
    ])
    await reversed('fin.billRefund', 'fin_bill_refund', instance)
    expect([await told('back'), await company.balance('back')]).toEqual([
      ['2026-03-01 500 0 paid', '2026-03-16 859.17 0 paid'],
      '0',
    ])
  })

  it('a receipt that the form names is taken off the bill that it had paid, which is open again; the rest of it stays there', async () => {
    await opened('named')
    await used('named', '100', '2026-03-05')
    const bill = await billed('named', '2026-03-01', '2026-03-15')
    await paid('named', '100', '2026-04-01', [bill.id])
    await paid('named', '40', '2026-04-02')
    const [first] = await company.rows<{ id: string }>(
      `select id from fin_bill_refund where account_id = 'named' order by paid_at limit 1`,
    )
    const instance = await refunded('named', '30', { collectionIds: [first!.id] })
    expect([await told('named'), await rows('named'), await company.balance('named')]).toEqual([
      ['2026-03-01 100 30 partPaid'],
      ['collection 100 100 0 posted', 'collection 40 0 40 posted', 'refund 30 30 0 posted'],
      '10',
    ])
    await reversed('fin.billRefund', 'fin_bill_refund', instance)
    expect(await told('named')).toEqual(['2026-03-01 100 0 paid'])
  })

  it('a receipt that is reversed after it was paid out is owed, and the next money covers that first', async () => {
    await opened('owed')
    const receipt = await paid('owed', '100', '2026-04-01')
    await refunded('owed', '100')
    await reversed('fin.recharge', 'fin_recharge', receipt)
    expect([await rows('owed'), await company.balance('owed')]).toEqual([
      ['collection 100 0 0 reversed', 'refund 100 0 -100 posted'],
      '-100',
    ])
    await paid('owed', '150', '2026-04-03')
    expect((await rows('owed')).slice(1)).toEqual(['refund 100 100 0 posted', 'collection 150 100 50 posted'])
  })

  it('whatever would leave a post-paid balance that nothing explains is refused at the commit', async () => {
    await opened('odd')
    const error = await refused(
      company.inTransaction(async (fin) =>
        post(fin, {
          ...{ type: 'gift', bizDate: today, companyEntityId: 'hk', sourceType: 'manual', sourceId: 'odd', idemKey: 'odd' },
          legs: giftLegs(await customerAccount(fin, 'odd'), '5'),
        }),
      ),
    )
    expect([error.code, error.message]).toEqual([10060059, expect.stringContaining('would not add up')])
    expect(await company.balance('odd')).toBe('0')
  })
})

describe('a change of payment method (money 8.4)', () => {
  const change = (accountId: string, toMode: string) => {
    const instanceId = `m${next()}`
    return company.effect(changePayMode, {
      instanceId,
      instanceCode: instanceId,
      accountId,
      toMode,
      billCycleId: 'half',
      termDays: 15,
      limit: '1000',
    })
  }

  it('prepaid usage is never asked for again, also when it is posted late; the balance of before pays first', async () => {
    await opened('pre', { payMode: 'prepaid', billCycleId: null, cycleFrom: null })
    await paid('pre', '230', '2026-03-01')
    await used('pre', '20', addDays(today, -3))
    await change('pre', 'postpaid')
    expect(await rows('pre')).toEqual(['balance 210 0 210 posted'])
    await used('pre', '10', addDays(today, -2))
    await used('pre', '1000', today)
    await billed('pre', today, today)
    expect([await told('pre'), await rows('pre'), await company.balance('pre')]).toEqual([
      [`${today} 1000 800 partPaid`],
      ['balance 210 210 0 posted', 'toPrepaid 10 10 0 posted'],
      '-800',
    ])
  })

  it('what a post-paid account used is asked for also after it became prepaid, and paid from its balance', async () => {
    await opened('post', { cycleFrom: addDays(today, -40) })
    await used('post', '100', addDays(today, -5))
    await change('post', 'prepaid')
    const [total] = (await bills('post')).slice(-1)
    expect([total?.total, total?.status]).toEqual(['100', 'issued'])
    await paid('post', '180', today)
    await used('post', '20', addDays(today, -2))
    const mode = async () =>
      (
        await company.rows<{ mode: string }>(
          `select pay_mode as mode from fin_ledger_entry where account_id = 'post' and type = 'usage' order by account_seq`,
        )
      ).map((row) => row.mode)
    expect(await mode()).toEqual(['postpaid', 'postpaid'])
    const last = () => company.inTransaction(async (fin) => finalBill(fin, await customerAccount(fin, 'post'), today))
    expect([(await last())?.total, await last()]).toEqual(['20', null])
    expect((await bills('post')).slice(-2).map(({ total, open, status }) => [total, open, status])).toEqual([
      ['100', '0', 'paid'],
      ['20', '0', 'paid'],
    ])
    expect(await company.balance('post')).toBe('60')
    await used('post', '5', today)
    expect((await mode()).at(-1)).toBe('prepaid')
  })

  it('the job makes the last bill of an account that has no next one, once, and names what is on none', async () => {
    await opened('left', { cycleFrom: addDays(today, -40) })
    await opened('none', { billCycleId: null, cycleFrom: null })
    await used('left', '30', addDays(today, -10))
    await used('none', '7', addDays(today, -10))
    await company.rows(
      `update fin_customer_account set pay_mode = 'prepaid', bill_cycle_id = null, cycle_from = null where id = 'left'`,
    )
    const { scheduler } = company.test.gateway
    const ran = () => scheduler.runNow(scheduler.find('fin.bills')!, { dry: false, startedBy: null })
    await ran()
    const id = await ran()
    expect(await told('left')).toEqual([`${addDays(today, -10)} 30 30 issued`])
    const [run] = await company.rows<{ report: JobReport }>('select report from sys_job_run where id = $1', [id])
    expect(run?.report.rows.filter(({ id }) => id === 'none-open')).toMatchObject([
      { total: '7', why: expect.stringContaining('no billing cycle') },
    ])
  })
})

describe('the ends of an account', () => {
  it('its first day is that of its own zone', async () => {
    await opened('unused')
    // one in the morning of the company is the day before in the west
    const hour = Number(company.test.clock.now().toISOString().slice(11, 13))
    company.test.clock.forward(((41 - hour) % 24) * 3_600)
    const made = await company.inTransaction(({ entities }) =>
      entities.save('fin.customerAccount', {
        ...{ name: 'West', customerId: 'c-unused', product: 'voice', currency: 'USD', payMode: 'postpaid', billCycleId: 'half' },
        ...{ companyEntityId: 'hk', timezone: 'America/Los_Angeles' },
      }),
    )
    const [row] = await company.rows<{ since: string }>(
      'select cycle_from::text as since from fin_customer_account where id = $1',
      [made.id],
    )
    expect(row?.since).toBe(addDays(dayOf(company.test.clock.now(), 'Asia/Shanghai'), -1))
  })

  it('is not closed while anything is unbilled or open, and says what; its last bill is made with it', async () => {
    await opened('end')
    const day = dayOf(company.test.clock.now(), 'Asia/Hong_Kong')
    await used('end', '50', day)
    const error = await refused(company.effect(closeAccount, { accountId: 'end', instanceId: 'x' }))
    expect([error.code, error.message]).toEqual([10060059, expect.stringContaining('50 USD on no bill')])
    expect(await bills('end')).toEqual([])
    await paid('end', '50', day)
    await company.effect(checkClosing, { accountId: 'end' })
    expect([await told('end'), await company.balance('end')]).toEqual([[`${day} 50 0 paid`], '0'])
    await company.effect(closeAccount, { accountId: 'end', instanceId: 'x' })
    expect((await company.account('end')).status).toBe('closed')
  })
})

describe('cash after a write-off', () => {
  it('pays the bad debt first, then bills; its reversal makes the debt bad again', async () => {
    await opened('bad')
    await used('bad', '100', '2026-03-05')
    const bill = await billed('bad', '2026-03-01', '2026-03-15')
    await company.effect(writeOff, { instanceId: 'wo1', instanceCode: 'WO1', accountId: 'bad', billIds: [bill.id] })
    await used('bad', '40', '2026-03-20')
    await billed('bad', '2026-03-16', '2026-03-31')
    const bad = async (): Promise<string> =>
      (
        await company.rows<{ balance: string }>(
          `select trim_scale(balance)::text as balance from fin_account_balance where account_id like 'BAD@%'`,
        )
      )[0]!.balance
    expect(await bad()).toBe('100')
    const receipt = await paid('bad', '130', '2026-05-01')
    expect([await bad(), await told('bad'), await rows('bad'), await company.balance('bad')]).toEqual([
      '0',
      ['2026-03-01 100 0 paid', '2026-03-16 40 10 partPaid'],
      ['writeOff 100 100 0 posted', 'collection 130 130 0 posted', 'badDebt 100 100 0 posted'],
      '-10',
    ])
    await reversed('fin.recharge', 'fin_recharge', receipt)
    expect([await bad(), await told('bad'), await company.balance('bad')]).toEqual([
      '100',
      ['2026-03-01 100 0 paid', '2026-03-16 40 40 issued'],
      '-40',
    ])
  })
})

describe('after all of it', () => {
  it('the ledger agrees, and a line, a source or a balance that is wrong is found', async () => {
    expect(await drifted()).toEqual([])
    const broken = async (statement: string, back: string): Promise<string[]> => {
      await company.rows(statement)
      const found = await drifted()
      await company.rows(back)
      return found
    }
    expect(
      await broken(
        `update fin_bill_line set amount = amount + 1 where kind = 'rounding'`,
        `update fin_bill_line set amount = amount - 1 where kind = 'rounding'`,
      ),
    ).toEqual(['fin.billLine.amount'])
    expect(
      await broken(
        `update fin_bill_refund set unallocated = unallocated + 1 where account_id = 'owed' and kind = 'refund'`,
        `update fin_bill_refund set unallocated = unallocated - 1 where account_id = 'owed' and kind = 'refund'`,
      ),
    ).toEqual(expect.arrayContaining(['fin.customerAccount.balance (receivables)', 'fin.billRefund.unallocated']))
    expect(await drifted()).toEqual([])
  })
})
