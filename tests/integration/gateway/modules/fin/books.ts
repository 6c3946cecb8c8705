import type { EntityRecord } from '../../../../../gateway/entities'
import { Given, type FinContext } from '../../../../../gateway/modules/fin/facts'
import { addDays, dayOf } from '../../../../../gateway/platform/calendar'
import { systemContext } from '../../../../../gateway/platform/http'
import { startGateway, type TestGateway } from '../../../../support/gateway'
import { ratesMayBeOld } from '../../../../support/rates'

type Work = (fin: FinContext, given: Given) => Promise<unknown>

/** A gateway with a small company: one entity, two bank accounts, fixed rates, customers and suppliers with the accounts of the worked examples. */
export interface Company {
  test: TestGateway
  /** What a verb does, in a transaction of its own. */
  effect(work: Work, values: EntityRecord): Promise<unknown>
  inTransaction<Result>(work: (fin: FinContext) => Promise<Result>): Promise<Result>
  rows<Row extends object = EntityRecord>(text: string, params?: readonly unknown[]): Promise<Row[]>
  account(id: string): Promise<EntityRecord>
  balance(id: string): Promise<string>
}

const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
const customer = (id: string) => ({ ...stamp, id, code: `CU-${id}`, name: id, nameKey: id.toLowerCase(), status: 'active' })
const account = (id: string, currency: string, product: string, more: object = {}) => ({
  ...stamp,
  ...{ id, code: id, name: `Account ${id}`, customerId: `c-${id}`, product, currency, payMode: 'prepaid', status: 'active' },
  ...{ companyEntityId: 'hk', timezone: 'Asia/Hong_Kong', termDays: 15, graceDays: 7 },
  ...more,
})
const supplierAccount = (id: string, currency: string) => ({
  ...stamp,
  ...{
    id,
    code: id,
    name: `Account ${id}`,
    supplierId: 'sp1',
    kind: 'sms',
    currency,
    payMode: 'prepaid',
    status: 'active',
    balance: '0',
  },
})

export async function openCompany(options: Parameters<typeof startGateway>[0] = {}): Promise<Company> {
  const test = await startGateway(options)
  const { engine, database } = test.gateway
  await ratesMayBeOld(test)
  const context = (): ReturnType<typeof systemContext> => systemContext({ now: test.clock.now() })
  const today = dayOf(test.clock.now(), 'Asia/Hong_Kong')
  await engine.transaction(context(), async (entities) => {
    await entities.insertMany('sys.companyEntity', [
      { ...stamp, id: 'hk', code: 'hk', name: '香港', countryCode: 'HK', baseCurrency: 'CNY', enabled: true, sortNo: 0 },
    ])
    await entities.insertMany('sys.bankAccount', [
      { ...stamp, id: 'usd', code: 'USD', name: 'USD', companyEntityId: 'hk', currency: 'USD', enabled: true },
      { ...stamp, id: 'eur', code: 'EUR', name: 'EUR', companyEntityId: 'hk', currency: 'EUR', enabled: true },
    ])
    await entities.insertMany('sys.exchangeRate', [
      { ...stamp, id: 'x1', base: 'USD', quote: 'CNY', date: '2026-01-01', rate: '7.1', kind: 'xe' },
      { ...stamp, id: 'x2', base: 'EUR', quote: 'CNY', date: '2026-01-01', rate: '7.7035', kind: 'xe' },
    ])
    await entities.insertMany('fin.billCycle', [
      { ...stamp, id: 'half', code: 'half', name: '半月', kind: 'halfMonth', startDay: 1, termDays: 15, enabled: true },
      {
        ...stamp,
        id: 'ten',
        code: 'ten',
        name: '十天',
        kind: 'days',
        lengthDays: 10,
        autoIssue: true,
        dlrWaitHours: 72,
        termDays: 15,
        enabled: true,
      },
      { ...stamp, id: 'month', code: 'month', name: '月', kind: 'monthly', startDay: 1, termDays: 15, enabled: true },
    ])
    const accounts = [
      account('A01', 'USD', 'sms'),
      account('A02', 'EUR', 'sms'),
      account('A03', 'USD', 'otp', { payMode: 'postpaid' }),
      account('A04', 'USD', 'sms'),
      account('A05', 'USD', 'voice'),
      account('A06', 'USD', 'sms', { payMode: 'postpaid' }),
      account('A07', 'USD', 'whatsapp'),
      account('A08', 'USD', 'sms', { payMode: 'postpaid', taxRate: '6', billCycleId: 'ten', cycleFrom: addDays(today, -24) }),
      account('A09', 'USD', 'number', { payMode: 'postpaid' }),
      account('C', 'USD', 'sms', { payMode: 'postpaid' }),
    ]
    await entities.insertMany(
      'crm.customer',
      accounts.map(({ customerId }) => customer(customerId)),
    )
    await entities.insertMany('fin.customerAccount', accounts)
    await entities.insertMany('srm.supplier', [{ ...stamp, id: 'sp1', code: 'SP1', name: 'BlueRoute', nameKey: 'blueroute' }])
    await entities.insertMany('srm.supplierAccount', [supplierAccount('S01', 'EUR'), supplierAccount('S', 'EUR')])
  })
  const inTransaction = <Result>(work: (fin: FinContext) => Promise<Result>): Promise<Result> => {
    const caller = context()
    return engine.transaction(caller, (entities, tx) => work({ tx, context: caller, now: caller.now, entities }), { retries: 5 })
  }
  const rows = async <Row extends object>(text: string, params: readonly unknown[] = []): Promise<Row[]> =>
    (await database.query<Row>(text, params)).rows
  return {
    test,
    inTransaction,
    rows,
    effect: (work, values) => inTransaction((fin) => work(fin, new Given('test', values))),
    account: async (id) => (await rows<EntityRecord>('select * from fin_customer_account where id = $1', [id]))[0]!,
    balance: async (id) =>
      String(
        (
          await rows<{ balance: string }>(
            'select trim_scale(balance)::text as balance from fin_account_balance where account_id = $1',
            [id],
          )
        )[0]?.balance ?? '0',
      ),
  }
}
