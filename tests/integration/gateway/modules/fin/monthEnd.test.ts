import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntityRecord } from '../../../../../gateway/entities'
import { accountDay, postCost, postUsage, zoneSql } from '../../../../../gateway/modules/fin'
import { closePeriod } from '../../../../../gateway/modules/fin/bills/books'
import { weekdaysOfCycles } from '../../../../../gateway/modules/fin/bills/steps'
import { customerAccount } from '../../../../../gateway/modules/fin/facts'
import { post } from '../../../../../gateway/modules/fin/ledger/post'
import { revalue, unvalued } from '../../../../../gateway/modules/fin/ledger/revalue'
import { opening, system } from '../../../../../gateway/modules/fin/ledger/rules'
import type { LedgerAccount } from '../../../../../gateway/modules/fin/ledger/types'
import { verifyLedger } from '../../../../../gateway/modules/fin/ledger/verify'
import { recharge } from '../../../../../gateway/modules/fin/acts/recharge'
import type { ServiceError } from '../../../../../gateway/platform/http'
import type { JobReport } from '../../../../../gateway/platform/jobs'
import { openCompany, type Company } from './books'

let company: Company
beforeAll(async () => {
  company = await openCompany()
})
afterAll(() => company.test.close())

const at = (moment: string): void => company.test.clock.forward((Date.parse(moment) - company.test.clock.now().getTime()) / 1000)
const refused = async (attempt: Promise<unknown>): Promise<ServiceError> => {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown as ServiceError,
  )
  if (!error) throw new Error('it was not refused')
  return error
}
const rate = (base: string, date: string, value: string) =>
  company.rows(
    `insert into sys_exchange_rate (id, base, quote, date, rate, kind, created_at, updated_at, version) values ($1, $2, 'CNY', $3, $4, 'xe', now(), now(), 1)`,
    [`${base} ${date}`, base, date, value],
  )
const job = async (): Promise<JobReport> => {
  const { scheduler } = company.test.gateway
  const id = await scheduler.runNow(scheduler.find('fin.revalue')!, { dry: false, startedBy: null })
  const [run] = await company.rows<{ error: string | null; report: JobReport }>(
    'select error, report from sys_job_run where id = $1',
    [id],
  )
  expect(run?.error).toBeNull()
  return run!.report
}
const figures = ({ figures }: JobReport) => Object.fromEntries(figures.map(({ id, value }) => [id, value]))
/** What the revaluation of an account posted: key, day, side, amount, base. */
const entries = (accountId: string) =>
  company.rows(
    `select p.idem_key as key, e.biz_date::text as day, e.direction, trim_scale(e.amount)::text as amount, trim_scale(e.base_amount)::text as base
      from fin_ledger_entry e join fin_posting p on p.id = e.posting_id where e.type = 'fxRevalue' and e.account_id = $1 order by e.account_seq`,
    [accountId],
  )
/** Balance and base of an account up to a day, as its entries have them. */
const worth = async (accountId: string, day: string) =>
  (
    await company.rows(
      `select trim_scale(sum(signed_amount))::text as balance, trim_scale(sum(case when (direction = 'credit') = (account_kind in ('customer', 'main')) then base_amount else -base_amount end))::text as base
        from fin_ledger_entry where account_id = $1 and biz_date <= $2::date`,
      [accountId, day],
    )
  )[0]
const used = (accountId: string, amount: string, billDay: string) =>
  company.inTransaction((fin) =>
    postUsage(fin, [{ accountId, product: 'sms', billDay, amount, batchStart: new Date(`${billDay}T00:00:00Z`) }]),
  )
const opened = (account: LedgerAccount, balance: string) =>
  company.inTransaction((fin) =>
    post(fin, {
      ...{ type: 'opening', bizDate: '2026-03-02', companyEntityId: 'hk', sourceType: 'opening', sourceId: account.id },
      ...{ idemKey: `opening:${account.kind}:${account.id}:${account.currency}`, legs: opening(account, balance) },
    }),
  )

describe('the end of a month (money 1.3 `fxRevalue`, L7)', () => {
  let bill: EntityRecord

  it('L7: 31 March at 7.12 D A03 200 · C FXD 200, taken back on 1 April; the balance itself does not move', async () => {
    await rate('USD', '2026-03-31', '7.12')
    await rate('EUR', '2026-03-31', '7.8')
    await rate('USD', '2026-04-08', '7.05')
    await rate('SGD', '2026-03-01', '5.3')
    at('2026-04-01T03:10:00+08:00')
    await used('A03', '10000', '2026-03-20')
    bill = await company.inTransaction(async (fin) =>
      closePeriod(fin, await customerAccount(fin, 'A03'), { from: '2026-03-01', to: '2026-03-31' }, { issue: true }),
    )
    await company.inTransaction((fin) =>
      postCost(fin, [
        {
          accountId: 'S01',
          product: 'sms',
          billDay: '2026-03-20',
          amount: '10000',
          batchStart: new Date('2026-03-20T00:00:00Z'),
        },
      ]),
    )
    await opened({ kind: 'bank', id: 'eur', currency: 'EUR' }, '300')
    await opened({ kind: 'main', id: 'm-sgd', currency: 'SGD' }, '10')
    await opened(system('SUS', 'USD'), '50')
    await opened({ kind: 'customer', id: 'A-cny', currency: 'CNY' }, '10')
    await company.rows(`update sys_exchange_rate set deleted_at = now() where base = 'SGD'`)
    const before = await company.account('A03')

    const report = await job()
    expect(figures(report)).toEqual({ accounts: 4, failed: 1 })
    expect(report.rows[0]).toMatchObject({ account: 'm-sgd', month: '2026-03', why: expect.stringContaining('SGD') as string })
    expect(report.rows.find(({ account }) => account === 'A03 Account A03')).toMatchObject({ difference: '200', rate: '7.12' })
    expect(await entries('A03')).toEqual([
      { key: 'fxrev:A03:202603', day: '2026-03-31', direction: 'debit', amount: '0', base: '200' },
      { key: 'fxrev:A03:202603:rev', day: '2026-04-01', direction: 'credit', amount: '0', base: '200' },
    ])
    expect([await worth('A03', '2026-03-31'), await worth('A03', '2026-04-01')]).toEqual([
      { balance: '-10000', base: '-71200' },
      { balance: '-10000', base: '-71000' },
    ])
    const after = await company.account('A03')
    expect([after.balance, after.available, after.stage]).toEqual([before.balance, before.available, before.stage])
  })

  it('mirrored at a supplier whom we owe: C S01 965 · D FXD 965; banks and unclaimed receipts likewise, sales, cost and CNY not', async () => {
    expect(await entries('S01')).toMatchObject([
      { day: '2026-03-31', direction: 'credit', amount: '0', base: '965' },
      { day: '2026-04-01', direction: 'debit', amount: '0', base: '965' },
    ])
    expect(await worth('S01', '2026-03-31')).toEqual({ balance: '-10000', base: '-78000' })
    expect(await worth('eur', '2026-03-31')).toEqual({ balance: '300', base: '2340' })
    expect((await entries('SUS@hk:USD'))[0]).toMatchObject({ direction: 'credit', base: '1' })
    const others = await company.rows(
      `select distinct split_part(account_id, '@', 1) as account from fin_ledger_entry where type = 'fxRevalue' and (account_kind = 'system' or account_id = 'A-cny')`,
    )
    expect(others.map(({ account }) => account).sort()).toEqual(['FXD', 'SUS'])
    // 200 and 1 of USD, 965 and 28.95 of EUR
    expect((await worth('FXD@hk:CNY', '2026-03-31'))?.base).toBe('737.05')
    expect((await worth('FXD@hk:CNY', '2026-04-01'))?.base).toBe('0')
  })

  it('runs again, and twice at once, without another posting', async () => {
    const count = async () => (await company.rows(`select count(*)::int as n from fin_posting where type = 'fxRevalue'`))[0]
    const first = await count()
    expect(figures(await job())).toEqual({ accounts: 0, failed: 1 })
    expect(await count()).toEqual(first)
    await used('A03', '100', '2026-03-21')
    const [late] = (await unvalued(company.test.gateway.database, { from: '2026-03-01', through: '2026-03-01' })).filter(
      ({ accountId }) => accountId === 'A03',
    )
    expect(late).toMatchObject({ balance: expect.stringMatching(/^-10100/) as string, nth: 2 })
    await Promise.all([1, 2].map(() => company.inTransaction((fin) => revalue(fin, late!))))
    expect((await entries('A03')).slice(2)).toEqual([
      { key: 'fxrev:A03:202603:2', day: '2026-03-31', direction: 'debit', amount: '0', base: '2' },
      { key: 'fxrev:A03:202603:2:rev', day: '2026-04-01', direction: 'credit', amount: '0', base: '2' },
    ])
    expect(await worth('A03', '2026-03-31')).toEqual({ balance: '-10100', base: '-71912' })
  })

  it('L7: what is realised when the bill is paid at 7.05 is 500.00, whatever was revalued', async () => {
    at('2026-04-08T12:00:00+08:00')
    await company.effect(recharge, {
      ...{ instanceId: 'i7', instanceCode: 'CZ7', customerId: 'c-A03', rechargeType: 'receipt', bankAccountId: 'usd' },
      ...{ payCurrency: 'USD', payAmount: '10000', bankFee: '0', feeBearer: 'us', payDate: '2026-04-08', bankRef: 'TT-7' },
      ...{ lines: [{ accountId: 'A03', amount: '10000' }], billIds: [bill.id] },
    })
    const [loss] = await company.rows(
      `select trim_scale(sum(base_amount))::text as base from fin_ledger_entry where type = 'fxRealised' and account_kind = 'system' and direction = 'debit'`,
    )
    expect(loss?.base).toBe('500')
    // the 100 that came late stand at 7.10
    expect(await worth('A03', '2026-04-08')).toEqual({ balance: '-100', base: '-710' })
  })

  it('catches up with months that were missed, and leaves closed ones', async () => {
    at('2026-05-15T12:00:00+08:00')
    await company.inTransaction(async ({ entities }) => {
      const period = await entities.save('fin.period', { companyEntityId: 'hk', month: '2026-05-01' })
      expect((await refused(entities.transition('fin.period', String(period.id), 'close'))).message).toContain(
        '2026-05 is not over',
      )
    })
    await rate('USD', '2026-05-29', '7')
    at('2026-06-02T09:00:00+08:00')
    await job()
    expect((await entries('A03')).slice(4)).toEqual([
      // at 7.05 of 8 April, which is the last rate of that month
      { key: 'fxrev:A03:202604', day: '2026-04-30', direction: 'credit', amount: '0', base: '5' },
      { key: 'fxrev:A03:202604:rev', day: '2026-05-01', direction: 'debit', amount: '0', base: '5' },
      { key: 'fxrev:A03:202605', day: '2026-05-31', direction: 'credit', amount: '0', base: '10' },
      { key: 'fxrev:A03:202605:rev', day: '2026-06-01', direction: 'debit', amount: '0', base: '10' },
    ])
  })

  it('closing a month counts what is not revalued, revalues it, and is refused while an account cannot be', async () => {
    await used('A04', '10', '2026-03-05')
    const period = await company.inTransaction(({ entities }) =>
      entities.save('fin.period', { companyEntityId: 'hk', month: '2026-03-01' }),
    )
    const move = (transition: string) =>
      company.inTransaction(({ entities }) => entities.transition('fin.period', String(period.id), transition))
    await move('check')
    expect((await company.rows('select unvalued from fin_period where id = $1', [period.id]))[0]).toEqual({ unvalued: 2 })
    expect((await refused(move('close'))).message).toContain('SGD')
    expect(await entries('A04')).toEqual([])
    await company.rows(`update sys_exchange_rate set deleted_at = null where base = 'SGD'`)
    expect(await move('close')).toMatchObject({ status: 'closed' })
    expect(await worth('A04', '2026-03-31')).toEqual({ balance: '-10', base: '-71.2' })
  })

  it('leaves a ledger in which everything agrees, but for the 50 USD that no unclaimed receipt brought', async () => {
    const drifts = await verifyLedger(company.test.gateway.database)
    expect(drifts.filter(({ drifted }) => drifted > 0)).toEqual([
      { field: 'fin.accountBalance SUS = fin.unclaimedReceipt.openAmount', rows: 1, drifted: 1 },
    ])
    expect(await company.rows(`select 1 from fin_kingdee_doc where source_type = 'fx'`)).toEqual([])
  })
})

describe('billing cycles of weeks', () => {
  const cycle = { code: 'ZZW52', name: '周结', nameEn: 'Weekly 20', kind: 'weekly', startDay: 20, termDays: 15 }
  const save = (values: EntityRecord) => company.inTransaction(({ entities }) => entities.save('fin.billCycle', values))

  it('begin on 1 to 7, of months on 1 to 28; another day is refused with what to give', async () => {
    expect((await refused(save(cycle))).message).toContain('give 1 (Monday) to 7 (Sunday)')
    expect(await save({ ...cycle, code: 'ZZW7', startDay: 7 })).toMatchObject({ startDay: 7 })
    expect(await save({ ...cycle, code: 'ZZM28', kind: 'monthly', startDay: 28 })).toMatchObject({ startDay: 28 })
    await refused(save({ ...cycle, code: 'ZZM29', kind: 'monthly', startDay: 29 }))
  })

  it('that were stored with another day begin on its day of the week, and finance is told which', async () => {
    await company.test.addStaff({ id: 'fin1', jobNumber: 'F001' })
    await company.rows(
      `insert into sys_role_member (id, staff_id, role_id, created_at, updated_at, version) select 'rm-fin1', 'fin1', id, now(), now(), 1 from sys_role where code = 'finance'`,
    )
    await company.inTransaction(async ({ tx, entities }) => {
      await entities.insertMany(
        'fin.billCycle',
        [20, 7, 14, 21, 28, 8].map((startDay) => ({
          ...{ ...cycle, id: `w${startDay}`, code: `W${startDay}`, startDay },
          createdAt: '2026-01-01T00:00:00.000Z',
        })),
      )
      if (typeof weekdaysOfCycles.run === 'string') throw new Error('a function was expected')
      await weekdaysOfCycles.run(tx)
    })
    expect(
      await company.rows(`select code, start_day as day from fin_bill_cycle where code ~ '^W[0-9]' order by length(code), code`),
    ).toEqual([
      { code: 'W7', day: 7 },
      { code: 'W8', day: 1 },
      { code: 'W14', day: 7 },
      { code: 'W20', day: 6 },
      { code: 'W21', day: 7 },
      { code: 'W28', day: 7 },
    ])
    const told = await company.rows<{ text: string }>(`select text_en as text from sys_message where receiver_id = 'fin1'`)
    expect(told.map(({ text }) => text)).toEqual(['W14 14 → 7, W20 20 → 6, W21 21 → 7, W28 28 → 7, W8 8 → 1 (1 = Monday)'])
  })
})

describe('zones of accounts', () => {
  it('another zone applies from a day on; the database and the portal say the same day, and earlier instants keep theirs', async () => {
    at('2026-12-10T11:00:00+08:00')
    const save = (entity: string, id: string, timezone: string) =>
      company.inTransaction(({ entities }) => entities.save(entity, { id, timezone }))
    const customer = await save('fin.customerAccount', 'A05', 'America/New_York')
    expect(customer.zoneFrom).toBe('2026-12-11T05:00:00.000Z')
    const supplier = await save('srm.supplierAccount', 'S', 'Europe/Berlin')
    expect(supplier.zoneFrom).toBe('2026-12-10T23:00:00.000Z')
    const instants = [
      '2026-12-09T15:59:00Z',
      '2026-12-10T17:00:00Z',
      '2026-12-11T04:59:00Z',
      '2026-12-11T05:00:00Z',
      '2026-12-12T04:00:00Z',
    ]
    for (const [entity, table, id] of [
      ['fin.customerAccount', 'fin_customer_account', 'A05'],
      ['srm.supplierAccount', 'srm_supplier_account', 'S'],
    ] as const)
      for (const instant of instants) {
        const record = await company.inTransaction(({ entities }) => entities.find(entity, id))
        const { rows } = await company.test.gateway.database.query<{ day: string }>(
          sql`select (${instant}::timestamptz at time zone ${zoneSql('a', sql`${instant}::timestamptz`, 'Asia/Shanghai')})::date::text as day from ${sql.raw(table)} a where a.id = ${id}`,
        )
        expect([id, instant, rows[0]?.day]).toEqual([id, instant, accountDay(record!, new Date(instant), 'Asia/Shanghai')])
      }
    const record = await company.inTransaction(({ entities }) => entities.find('fin.customerAccount', 'A05'))
    expect(instants.map((instant) => accountDay(record!, new Date(instant), 'Asia/Shanghai'))).toEqual([
      ...['2026-12-09', '2026-12-11', '2026-12-11', '2026-12-11', '2026-12-11'],
    ])
    // back before it applied: nothing has changed
    expect(await save('fin.customerAccount', 'A05', 'Asia/Hong_Kong')).toMatchObject({ zoneFrom: null, zonesBefore: [] })
  })

  it('a cost stands on the day of the supplier account, before and after its zone changed', async () => {
    at('2026-12-12T11:00:00+08:00')
    const sent = async (msgId: string, submittedAt: string) => {
      const made = await company.inTransaction(({ entities }) =>
        entities.save('biz.smsRecord', {
          ...{ msgId, submittedAt, accountId: 'A04', toNumber: '+14155550123', country: 'US', status: 'delivered' },
          supplierAccountId: 'S',
        }),
      )
      return [made.billDay, made.costDay]
    }
    expect(await sent('z1', '2026-12-10T17:00:00Z')).toEqual(['2026-12-11', '2026-12-11'])
    expect(await sent('z2', '2026-12-10T23:30:00Z')).toEqual(['2026-12-11', '2026-12-11'])
    expect(await sent('z3', '2026-12-11T17:00:00Z')).toEqual(['2026-12-12', '2026-12-11'])
  })

  it('between zones more than a day apart it is refused, saying why', async () => {
    const save = (timezone: string) =>
      company.inTransaction(({ entities }) => entities.save('fin.customerAccount', { id: 'A02', timezone }))
    await company.rows(`update fin_customer_account set timezone = 'Pacific/Midway' where id = 'A02'`)
    expect((await refused(save('Pacific/Kiritimati'))).message).toContain('more than a day apart')
  })
})
