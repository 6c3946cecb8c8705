import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postUsage } from '../../../../../gateway/modules/fin'
import { recharge } from '../../../../../gateway/modules/fin/acts/recharge'
import { addDays, dayOf } from '../../../../../gateway/platform/calendar'
import { openCompany, type Company } from './books'

let company: Company
let today: string
beforeAll(async () => {
  company = await openCompany()
  today = dayOf(company.test.clock.now(), 'Asia/Hong_Kong')
})
afterAll(() => company.test.close())

/** The sentence of a refusal in English; undefined for what goes through. */
const refused = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  )
const batch = (accountId: string, billDay: string) => ({
  accountId,
  product: 'sms',
  billDay,
  batchStart: company.test.clock.now(),
  amount: '1',
})
const post = (accountId: string, day: string) => refused(company.inTransaction((fin) => postUsage(fin, [batch(accountId, day)])))
const typed = (accountId: string, day: string, reference: string) =>
  refused(
    company.inTransaction(({ entities }) =>
      entities.save('fin.usage', { accountId, day, product: 'sms', countryCode: 'ES', units: 1, price: '1', reference }),
    ),
  )
const move = (id: string, transition: string) =>
  company.inTransaction(({ entities }) =>
    entities.transition('fin.customerAccount', id, transition, { note: 'The reason of it' }),
  )

describe('usage is charged to an account that is in use', () => {
  it('not while it is opened, whether it was rated or typed', async () => {
    await company.rows(`update fin_customer_account set status = 'opening' where id = 'A04'`)
    expect(await post('A04', today)).toContain('is not active yet')
    expect(await typed('A04', today, 'opening')).toContain('The account is not active yet')
    await company.rows(`update fin_customer_account set status = 'active' where id = 'A04'`)
    expect([await post('A04', today), await typed('A04', today, 'active')]).toEqual([undefined, undefined])
  })

  it('of a suspended one up to the day on which it was suspended, of one that is closing all that it had', async () => {
    await move('A04', 'suspend')
    const [{ on }] = (await company.rows<{ on: string }>(
      `select suspended_on::text as "on" from fin_customer_account where id = 'A04'`,
    )) as [{ on: string }]
    expect(on).toBe(today)
    expect([await post('A04', addDays(today, -3)), await typed('A04', today, 'suspended')]).toEqual([undefined, undefined])
    await company.rows(`update fin_customer_account set suspended_on = suspended_on - 2 where id = 'A04'`)
    expect(await post('A04', addDays(today, -1))).toContain(`was suspended on ${addDays(today, -2)}`)
    expect(await typed('A04', addDays(today, -1), 'after')).toContain(`was suspended on ${addDays(today, -2)}`)
    await move('A04', 'resume')
    expect([await post('A04', addDays(today, -1)), (await company.account('A04')).suspended_on]).toEqual([undefined, null])
    await company.rows(`update fin_customer_account set status = 'closing' where id = 'A04'`)
    expect([await post('A04', addDays(today, -4)), await typed('A04', today, 'closing')]).toEqual([undefined, undefined])
    await company.rows(`update fin_customer_account set status = 'closed' where id = 'A04'`)
    expect(await post('A04', today)).toContain('is closed')
    expect(await typed('A04', today, 'closed')).toContain('The account is closed')
  })
})

describe('a rate', () => {
  const receipt = (payDate: string, instanceId: string) =>
    refused(
      company.effect(recharge, {
        instanceId,
        customerId: 'c-A01',
        rechargeType: 'gift',
        payDate,
        lines: [{ accountId: 'A01', amount: '5' }],
      }),
    )

  it('is five days old at most, or the posting waits for one; a setting says how many', async () => {
    await company.rows(`delete from sys_rule_set where key = 'sys.rates'`)
    await company.rows(
      `insert into sys_exchange_rate (id, base, quote, date, rate, kind, created_at, updated_at, version) values ('then', 'USD', 'CNY', $1, 7.2, 'xe', now(), now(), 1)`,
      [addDays(today, -10)],
    )
    expect(await receipt(addDays(today, -5), 'five')).toBeUndefined()
    expect(await receipt(addDays(today, -4), 'six')).toContain(
      `no rate of USD in CNY for ${addDays(today, -4)}: the last one, of ${addDays(today, -10)}`,
    )
    expect(await company.rows(`select 1 from fin_posting where source_id = 'six'`)).toEqual([])
    await company.inTransaction(({ entities, now }) =>
      entities.insertMany('sys.ruleSet', [
        {
          id: 'older',
          key: 'sys.rates',
          versionNo: 1,
          params: { maxAgeDays: 10 },
          effectiveFrom: now.toISOString(),
          changeReason: 'A long holiday',
        },
      ]),
    )
    expect(await receipt(addDays(today, -4), 'six')).toBeUndefined()
  })
})
