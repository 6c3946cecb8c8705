import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RateBook, type Rate } from '../../../../gateway/modules/biz/rating/rates'
import { startGateway, type TestGateway } from '../../../support/gateway'

let test: TestGateway
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
}, 240_000)
afterAll(() => test.close())

const query = async <T extends object>(statement: string, values: unknown[] = []) =>
  (await test.gateway.database.query<T>(statement, values)).rows

const COUNTRIES = ['IN', 'ID', 'BR', 'PH', 'US', 'MX', 'VN', 'NG', 'TH', 'DE']

describe('the prices of the demo company', () => {
  it.each([
    ['qm_customer_rate', 'account_id'],
    ['qm_supplier_rate', 'supplier_account_id'],
  ])('rate a message to each country since the account was opened (%s)', async (table, account) => {
    const rows = await query<Record<string, string | null>>(
      `select id, ${account} as account, rate_key as "rateKey", price::text as price, currency, effective_from::text as "from", effective_to::text as until
         from ${table} where product = 'sms' and status in ('active', 'expired', 'pending')`,
    )
    const books = new Map<string, Rate[]>()
    for (const { account: of, from, until, ...rate } of rows) {
      const own = books.get(String(of)) ?? []
      books.set(String(of), own)
      own.push({ ...(rate as unknown as Rate), from: Date.parse(String(from)), until: until ? Date.parse(until) : Infinity })
    }
    expect(books.size).toBeGreaterThan(3)
    const now = test.clock.now().getTime()
    for (const rates of books.values()) {
      const book = new RateBook(rates)
      const opened = Math.min(...rates.map(({ from }) => from))
      for (const at of [opened, (opened + now) / 2, now])
        for (const country of COUNTRIES)
          expect(book.find({ product: 'sms', country, routeClass: 'direct' }, at), `${country} at ${at}`).toHaveProperty('rate')
    }
  })
})
