import { afterAll, beforeAll, expect, it } from 'vitest'
import { job as numberFees } from '../../../../../gateway/modules/biz/jobs/number-fees/job'
import { job as usage } from '../../../../../gateway/modules/biz/jobs/usage/job'
import { job as bills } from '../../../../../gateway/modules/fin/jobs/bills/job'
import type { ModuleJob } from '../../../../../gateway/modules/module'
import { dayOf, instantAt } from '../../../../../gateway/platform/calendar'
import { readConfiguration } from '../../../../../gateway/platform/configuration'
import { systemContext } from '../../../../../gateway/platform/http'
import type { Caller } from '../../../../support/gateway'
import { openCompany, type Company } from '../fin/books'

/** The first month of a company: one of each kind of traffic comes in, is posted to both sides, and stands on the bills of the month. */

const ZONE = 'Asia/Hong_Kong'
let company: Company
let operator: Caller
let month: string
const now = (): Date => company.test.clock.now()

beforeAll(async () => {
  company = await openCompany()
  month = dayOf(now(), ZONE).slice(0, 7)
  const keys = ['biz:record:view', 'biz:record:import', 'biz:content:view', 'biz:number:view', 'biz:number:edit', 'qm:cost:view']
  await company.test.addStaff({ id: 'op', jobNumber: 'T1', keys, menus: [], scopes: { '*': ['all'] } })
  operator = await company.test.signIn('T1')
  const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
  const account = (id: string, product: string) => ({
    ...{ ...stamp, id, code: id, name: id, customerId: 'c-A09', product, currency: 'USD', payMode: 'postpaid', status: 'active' },
    ...{ companyEntityId: 'hk', timezone: ZONE, termDays: 15, graceDays: 7 },
  })
  const rate = (side: 'customer' | 'supplier', rateKey: string, price: string, party: string, more: object = {}) => ({
    ...{ ...stamp, id: `${party} ${rateKey}`, rateKey, price, product: rateKey.split('|')[0], billingMode: 'sent' },
    ...{ effectiveFrom: '2026-01-01T00:00:00.000Z', effectiveTo: null, status: 'active', source: 'opening', unit: 'message' },
    ...(side === 'customer'
      ? { accountId: party, customerId: 'c-A09', currency: 'USD' }
      : { supplierAccountId: party, supplierId: 'sp1', currency: 'EUR' }),
    ...more,
  })
  const minute = { incFirst: 60, incNext: 60, unit: 'minute', prefix: '44' }
  await company.test.gateway.engine.transaction(systemContext({ now: now() }), async (entities) => {
    await entities.insertMany('fin.customerAccount', [
      account('SMS', 'sms'),
      account('VOICE', 'voice'),
      account('WA', 'whatsapp'),
      account('OTP', 'otp'),
    ])
    await entities.insertMany('qm.customerRate', [
      rate('customer', 'sms|IN|*|direct', '1.25', 'SMS', { unit: 'segment' }),
      rate('customer', 'mail|*', '0.1', 'SMS'),
      rate('customer', 'voice|44|cli', '0.6', 'VOICE', minute),
      rate('customer', 'whatsapp|IN|marketing', '0.3', 'WA'),
      rate('customer', 'otpSms|IN|*', '0.2', 'OTP', { unit: 'segment' }),
    ])
    await entities.insertMany('qm.supplierRate', [
      rate('supplier', 'sms|IN|*|direct', '0.5', 'S01', { unit: 'segment' }),
      rate('supplier', 'mail|*', '0.04', 'S01'),
      rate('supplier', 'voice|44|cli', '0.25', 'S01', minute),
      rate('supplier', 'whatsapp|IN|marketing', '0.11', 'S01'),
      rate('supplier', 'otpSms|IN|*', '0.07', 'S01', { unit: 'segment' }),
    ])
  })
  await company.rows(`update fin_customer_account set bill_cycle_id = 'month', cycle_from = $1 where customer_id = 'c-A09'`, [
    `${month}-01`,
  ])
  await traffic()
})
afterAll(() => company.test.close())

const save = async (entity: string, values: object): Promise<string> => {
  const { code, msg, data } = await operator.post<{ id: string }>(`/v2/biz/${entity}/save`, values)
  expect([code, msg], JSON.stringify(values)).toEqual([0, expect.anything()])
  return data.id
}
const move = async (id: string, transition: string, values: object = {}): Promise<void> => {
  const { code, msg } = await operator.post('/v2/biz/numberAsset/stateUpdate', { ids: [id], transition, values })
  expect([code, msg], transition).toEqual([0, expect.anything()])
}
const run = (job: ModuleJob) => {
  const { engine, database } = company.test.gateway
  const at = { now: now(), day: dayOf(now(), ZONE), dry: false, startedBy: null }
  return job({ engine, database, configuration: readConfiguration({}) }).run(at, () => undefined)
}

/** One of each kind, and what the jobs of the day make of it. */
async function traffic(): Promise<void> {
  const ago = (seconds: number): string => new Date(now().getTime() - seconds * 1000).toISOString()
  const supplierAccountId = 'S01'
  const message = { toNumber: '+919810000002', country: 'IN', mccmnc: '40410', content: 'Sale', status: 'delivered' }
  const times = { submittedAt: ago(9), sentAt: ago(8) }
  await save('smsRecord', { ...message, ...times, supplierAccountId, msgId: 'm1', accountId: 'SMS' })
  await save('smsRecord', { ...message, ...times, supplierAccountId, msgId: 'm2', accountId: 'OTP', product: 'otpSms' })
  await save('mailRecord', {
    supplierAccountId,
    submittedAt: ago(9),
    mailId: 'e1',
    accountId: 'SMS',
    toEmail: 'ann@example.com',
    status: 'delivered',
  })
  await save('waRecord', {
    supplierAccountId,
    submittedAt: ago(9),
    waId: 'w1',
    accountId: 'WA',
    wabaNumber: '+6531580100',
    toNumber: '+919810000001',
    category: 'marketing',
    status: 'delivered',
  })
  await save('callRecord', {
    supplierAccountId,
    callId: 'c1',
    accountId: 'VOICE',
    callee: '+442079460000',
    releaseCause: 'normal',
    startAt: ago(200),
    answerAt: ago(190),
    endAt: ago(110),
  })
  const number = {
    number: '+14155550100',
    country: 'US',
    numberType: 'local',
    supplierAccountId,
    costMrc: '3',
    costNrc: '0.5',
    costCurrency: 'EUR',
  }
  const id = await save('numberAsset', number)
  await move(id, 'store')
  const activatedAt = instantAt(`${month}-01`, '12:00', ZONE).toISOString()
  await move(id, 'assign', { accountId: 'A09', activatedAt, mrc: '5', nrc: '1', currency: 'USD' })
  for (const job of [usage, numberFees]) await run(job)
}

it('owes the supplier for each kind of traffic', async () => {
  const owed = await company.rows<{ product: string; cost: string }>(
    `select product, trim_scale(-sum(signed_amount))::text as cost from fin_ledger_entry where account_kind = 'supplier' and account_id = 'S01' and type = 'cost' group by 1 order by 1`,
  )
  expect(owed.map(({ product, cost }) => [product, cost])).toEqual([
    ['mail', '0.04'],
    ['number', '3.5'],
    ['otpSms', '0.07'],
    ['sms', '0.5'],
    ['voice', '0.5'],
    ['whatsapp', '0.11'],
  ])
})

it('bills each kind of traffic of the month', async () => {
  const [year, which] = month.split('-').map(Number) as [number, number]
  const next = which === 12 ? `${year + 1}-01` : `${year}-${String(which + 1).padStart(2, '0')}`
  company.test.clock.forward((instantAt(`${next}-05`, '12:00', ZONE).getTime() - now().getTime()) / 1000)
  for (const job of [usage, numberFees, bills]) await run(job)

  const made = await company.rows<{ account: string; used: string; fees: string; total: string; status: string }>(
    `select account_id as account, trim_scale(usage_amount)::text as used, trim_scale(fee_amount)::text as fees, trim_scale(total)::text as total, status from fin_bill
      where customer_id = 'c-A09' and period_from = $1 order by 1`,
    [`${month}-01`],
  )
  expect(made.map(({ account, used, fees, total, status }) => [account, used, fees, total, status])).toEqual([
    ['A09', '0', '6', '6', 'draft'],
    ['OTP', '0.2', '0', '0.2', 'draft'],
    ['SMS', '1.35', '0', '1.35', 'draft'],
    ['VOICE', '1.2', '0', '1.2', 'draft'],
    ['WA', '0.3', '0', '0.3', 'draft'],
  ])
  const lines = await company.rows<{ account: string; product: string; amount: string }>(
    `select b.account_id as account, l.product, trim_scale(sum(l.amount))::text as amount from fin_bill_line l join fin_bill b on b.id = l.bill_id
      where b.customer_id = 'c-A09' and b.period_from = $1 group by 1, 2 order by 1, 2`,
    [`${month}-01`],
  )
  expect(lines.map(({ account, product, amount }) => [account, product, amount])).toEqual([
    ['A09', 'number', '6'],
    ['OTP', 'otpSms', '0.2'],
    ['SMS', 'mail', '0.1'],
    ['SMS', 'sms', '1.25'],
    ['VOICE', 'voice', '1.2'],
    ['WA', 'whatsapp', '0.3'],
  ])
})
