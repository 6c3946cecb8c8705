import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heldDays, isLocked, lockDays } from '../../../../../gateway/modules/biz/lock/lock'
import { leaveToSends } from '../../../../../gateway/modules/biz/usage/codes'
import { rateAgain } from '../../../../../gateway/modules/biz/usage/rerate'
import { openCharges, postCharges } from '../../../../../gateway/modules/fin'
import { verifyLedger } from '../../../../../gateway/modules/fin/ledger/verify'
import { addDays, dayOf } from '../../../../../gateway/platform/calendar'
import { systemContext } from '../../../../../gateway/platform/http'
import type { TestGateway } from '../../../../support/gateway'
import { openCompany, type Company } from '../fin/books'

const MINUTE = 60_000
const HOUR = 60
const ZONE = 'Asia/Hong_Kong'
let company: Company
let test: TestGateway
const now = (): Date => test.clock.now()
const ago = (minutes: number): string => new Date(now().getTime() - minutes * MINUTE).toISOString()
const dayAgo = (minutes: number): string => dayOf(new Date(now().getTime() - minutes * MINUTE), ZONE)

const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
const rate = (account: string, rateKey: string, price: string, more: object = {}) => ({
  ...{ ...stamp, effectiveFrom: '2026-01-01T00:00:00.000Z', effectiveTo: null, status: 'active', source: 'opening' },
  ...{ id: `${account} ${rateKey}`, rateKey, price, product: rateKey.split('|')[0], billingMode: 'sent', unit: 'message' },
  ...(account.startsWith('S')
    ? { supplierAccountId: account, supplierId: 'sp1', currency: 'EUR' }
    : { accountId: account, customerId: `c-${account}`, currency: 'USD' }),
  ...more,
})

beforeAll(async () => {
  company = await openCompany()
  ;({ test } = company)
  const minute = { unit: 'minute', prefix: '1', incFirst: 60, incNext: 60 }
  await test.gateway.engine.transaction(systemContext({ now: now() }), async (entities) => {
    await entities.insertMany('qm.customerRate', [
      rate('A05', 'voice|1|cli', '0.06', minute),
      rate('A07', 'whatsapp|US|marketing', '0.02'),
      rate('A06', 'mail|*', '0.001'),
      rate('A03', 'otpSms|US|*', '0.05'),
      rate('A01', 'sms|US|*|direct', '0.01', { unit: 'segment' }),
      rate('A04', 'sms|US|*|direct', '0.01', { unit: 'segment' }),
    ])
    await entities.insertMany('qm.supplierRate', [
      rate('S01', 'voice|1|cli', '0.03', minute),
      rate('S01', 'whatsapp|US|marketing', '0.01'),
      rate('S01', 'mail|*', '0.0004'),
      rate('S01', 'otpSms|US|*', '0.02'),
      rate('S01', 'sms|US|*|direct', '0.004', { unit: 'segment' }),
    ])
  })
})
afterAll(() => test.close())

const make = (entity: string, records: readonly object[]) =>
  test.gateway.engine.transaction(systemContext({ now: now() }), (entities) => entities.createMany(entity, records as never[]))
const call = (callId: string, minutes: number, more: object = {}) => ({
  ...{
    callId,
    startAt: ago(minutes),
    answerAt: ago(minutes),
    endAt: ago(minutes - 1),
    accountId: 'A05',
    supplierAccountId: 'S01',
  },
  ...{ callee: '+14155550123', releaseCause: 'normal', ...more },
})
const sms = (msgId: string, minutes: number, more: object = {}) => ({
  ...{ msgId, submittedAt: ago(minutes), sentAt: ago(minutes), accountId: 'A01', toNumber: '+14155550123', country: 'US' },
  ...{ content: 'Hello', status: 'sent', supplierAccountId: 'S01', ...more },
})
const code = (otpId: string, more: object = {}) => ({
  ...{ otpId, requestedAt: ago(10), accountId: 'A03', toNumber: '+14155550123', country: 'US', channel: 'sms' },
  ...{ status: 'verified', verifiedAt: ago(9), supplierAccountId: 'S01', ...more },
})
const post = () => {
  test.clock.forward(300)
  return postCharges({ engine: test.gateway.engine, database: test.gateway.database, now: now(), isLocked })
}
const open = (asked = {}) => openCharges(test.gateway.database, asked)
const lock = () => test.gateway.database.transaction((tx) => lockDays(tx, now()))
/** Entries of a customer's account, or of one at a supplier for a product: type, amount that is owed, business day, day of service. */
const entries = (account: string, product = '%') =>
  company.rows(
    `select e.type, trim_scale(-e.signed_amount)::text as amount, e.biz_date::text as day, e.service_day::text as service from fin_ledger_entry e
      join fin_ledger_entry o on o.posting_id = e.posting_id and o.account_kind = 'system' and o.product like $2
      where e.account_id = $1 order by e.account_seq`,
    [account, product],
  )

describe('records that are charged', () => {
  it('reach the ledger of both sides, of whatever kind: calls, WhatsApp, mail and codes without a send of their own (money 1.5)', async () => {
    await make('biz.callRecord', [call('c1', 20), call('c-test', 20, { testFlag: true })])
    await make('biz.waRecord', [
      {
        waId: 'w1',
        submittedAt: ago(20),
        sentAt: ago(20),
        deliveredAt: ago(19),
        accountId: 'A07',
        wabaNumber: '+14155550100',
        toNumber: '+14155550123',
        category: 'marketing',
        status: 'delivered',
        supplierAccountId: 'S01',
      },
    ])
    await make('biz.mailRecord', [
      {
        mailId: 'm1',
        submittedAt: ago(20),
        accountId: 'A06',
        toEmail: 'a@example.com',
        status: 'delivered',
        supplierAccountId: 'S01',
      },
    ])
    await make('biz.otpRecord', [code('o1', { requestedAt: ago(20), verifiedAt: ago(19) })])
    const [day] = [dayAgo(20)]
    expect(await open({ side: 'revenue', accountIds: ['A05'], from: day, through: day })).toEqual([
      {
        entity: 'biz.callRecord',
        side: 'revenue',
        accountId: 'A05',
        day,
        product: 'voice',
        records: 1,
        amount: '0.06',
        unrated: 0,
      },
    ])
    expect(await post()).toEqual({ revenue: 4, cost: 1, refused: [] })
    const once = (type: string, amount: string) => [{ type, amount, day, service: day }]
    expect(await entries('A05')).toEqual(once('usage', '0.06'))
    expect(await entries('A07')).toEqual(once('usage', '0.02'))
    expect(await entries('A06')).toEqual(once('usage', '0.001'))
    expect(await entries('A03')).toEqual(once('usage', '0.05'))
    expect(await entries('S01', 'voice')).toEqual(once('cost', '0.03'))
    expect(await entries('S01', 'whatsapp')).toEqual(once('cost', '0.01'))
    expect(await entries('S01', 'mail')).toEqual(once('cost', '0.0004'))
    expect(await entries('S01', 'otpSms')).toEqual(once('cost', '0.02'))
    expect(await open()).toEqual([])
    expect(await post()).toEqual({ revenue: 0, cost: 0, refused: [] })
  })

  it('leave a code to its send, also one that comes after it: nothing is charged twice (quotes 2.5)', async () => {
    await make('biz.smsRecord', [sms('send-1', 10, { accountId: 'A03', product: 'otpSms' })])
    await make('biz.otpRecord', [code('o2', { msgId: 'send-1' }), code('o3', { msgId: 'send-2' })])
    await post()
    expect((await entries('A03', 'otpSms')).at(-1)).toMatchObject({ amount: '0.1' })
    await make('biz.smsRecord', [sms('send-2', 10, { accountId: 'A03', product: 'otpSms' })])
    await leaveToSends(test.gateway.database, new Date(ago(24 * HOUR)))
    expect(await company.rows(`select otp_id from biz_otp_record where charged_by_send order by 1`)).toEqual([
      { otp_id: 'o2' },
      { otp_id: 'o3' },
    ])
    await post()
    expect(await company.balance('A03')).toBe('-0.15')
    expect(await open()).toEqual([])
  })

  it('are posted however old they are, also those of an outage of six days', async () => {
    await make('biz.callRecord', [call('c-old', 6 * 24 * HOUR)])
    await post()
    const day = dayAgo(6 * 24 * HOUR + 5)
    expect((await entries('A05')).at(-1)).toEqual({ type: 'usage', amount: '0.06', day, service: day })
  })

  it('post a change as its difference, also one that gives money back', async () => {
    await company.rows(`update biz_call_record set revenue = 0.02, billable = true where call_id = 'c1'`)
    await post()
    expect((await entries('A05')).at(-1)).toMatchObject({ type: 'usage', amount: '-0.04' })
    expect(await open()).toEqual([])
  })

  it('stay open with an account that refuses, which is named and leaves the others (money 1.5)', async () => {
    await make('biz.smsRecord', [sms('good', 10), sms('bad', 10, { accountId: 'A04' })])
    await company.rows(`update fin_customer_account set status = 'closed' where id = 'A04'`)
    const { refused } = await post()
    expect(refused).toEqual([
      {
        side: 'revenue',
        accountId: 'A04',
        day: dayAgo(15),
        why: expect.objectContaining({ en: expect.stringContaining('is closed') as string }) as object,
      },
    ])
    expect((await entries('A01')).at(-1)).toMatchObject({ type: 'usage', amount: '0.01' })
    expect(await open()).toMatchObject([{ accountId: 'A04', side: 'revenue', records: 1, amount: '0.01', unrated: 0 }])
    await company.rows(`update fin_customer_account set status = 'active' where id = 'A04'`)
    expect((await post()).refused).toEqual([])
    expect((await entries('A04')).at(-1)).toMatchObject({ type: 'usage', amount: '0.01' })
  })

  it('of a closed month are posted on the first open day and keep their own (money 1.3, I12)', async () => {
    const minutes = 40 * 24 * HOUR
    const day = dayAgo(minutes)
    const month = `${day.slice(0, 7)}-01`
    await make('biz.callRecord', [call('c-closed', minutes)])
    await test.gateway.engine.transaction(systemContext({ now: now() }), (entities) =>
      entities.insertMany('fin.period', [{ ...stamp, id: 'p1', companyEntityId: 'hk', month, status: 'closed' }]),
    )
    await post()
    const opens = `${addDays(month, 32).slice(0, 7)}-01`
    expect((await entries('A05')).at(-1)).toEqual({ type: 'usage', amount: '0.06', day: opens, service: day })
    expect((await entries('S01', 'voice')).at(-1)).toEqual({ type: 'cost', amount: '0.03', day: opens, service: day })
    expect((await verifyLedger(test.gateway.database)).filter(({ drifted }) => drifted > 0)).toEqual([])
  })
})

describe('the lock of a day', () => {
  const DAYS = 5 * 24 * HOUR
  let day: string

  it('waits for what has no price, and goes on when there is one (quotes 7.1)', async () => {
    await lock()
    await make('biz.callRecord', [call('c-france', 10, { callee: '+33123456789', supplierAccountId: null }), call('c-home', 10)])
    await post()
    day = dayAgo(15)
    expect(await open()).toMatchObject([
      { entity: 'biz.callRecord', side: 'revenue', accountId: 'A05', day, records: 1, amount: '0', unrated: 1 },
    ])
    test.clock.forward(DAYS * 60)
    await lock()
    expect(await heldDays(test.gateway.database, now())).toEqual([{ accountId: 'A05', day }])
    await expect(company.rows(`update biz_call_record set revenue = 1 where call_id = 'c-home'`)).resolves.toBeDefined()
    await company.rows(`update biz_call_record set revenue = 0.06 where call_id = 'c-home'`)
    expect(await rateAgain(test.gateway.engine, test.gateway.database, now())).toBe(0)
    test.clock.forward(60)
    const fresh = {
      createdAt: now().toISOString(),
      updatedAt: now().toISOString(),
      unit: 'minute',
      prefix: '33',
      incFirst: 60,
      incNext: 60,
    }
    await test.gateway.engine.transaction(systemContext({ now: now() }), (entities) =>
      entities.insertMany('qm.customerRate', [rate('A05', 'voice|33|cli', '0.09', fresh)]),
    )
    test.clock.forward(60)
    expect(await rateAgain(test.gateway.engine, test.gateway.database, now())).toBe(1)
    await post()
    expect((await entries('A05')).at(-1)).toEqual({ type: 'usage', amount: '0.09', day, service: day })
    await lock()
    expect(await heldDays(test.gateway.database, now())).toEqual([])
    for (const change of ['revenue = 1', 'cost_amount = 1', `supplier_account_id = 'S'`])
      await expect(company.rows(`update biz_call_record set ${change} where call_id = 'c-home'`), change).rejects.toThrow(
        /locked/,
      )
    await expect(company.rows(`delete from biz_call_record where call_id = 'c-home'`)).rejects.toThrow(/locked/)
    await expect(company.rows(`update biz_otp_record set revenue = 1 where otp_id = 'o1'`)).rejects.toThrow(/locked/)
  })

  it('turns a price that is found after it into an adjustment of today with the day of service, once (quotes 7.1)', async () => {
    // locked before days waited for their prices
    await make('biz.callRecord', [call('c-spain', 10, { callee: '+34123456789', supplierAccountId: null })])
    const own = dayAgo(10)
    await company.rows(`update biz_day_lock set through = $1 where account_id = 'A05'`, [own])
    test.clock.forward(60)
    const fresh = {
      createdAt: now().toISOString(),
      updatedAt: now().toISOString(),
      unit: 'minute',
      prefix: '34',
      incFirst: 60,
      incNext: 60,
    }
    await test.gateway.engine.transaction(systemContext({ now: now() }), async (entities) => {
      await entities.insertMany('qm.customerRate', [rate('A05', 'voice|34|cli', '0.07', fresh)])
    })
    test.clock.forward(24 * HOUR * 60)
    expect(await rateAgain(test.gateway.engine, test.gateway.database, now())).toBe(1)
    await post()
    expect((await entries('A05')).at(-1)).toEqual({ type: 'adjustment', amount: '0.07', day: dayOf(now(), ZONE), service: own })
    const found = await entries('A05')
    await post()
    expect(await entries('A05')).toEqual(found)
  })
})
