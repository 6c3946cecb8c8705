import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job } from '../../../../../gateway/modules/biz/jobs/number-fees/job'
import { makeFees } from '../../../../../gateway/modules/biz/numbers/make'
import { addDays, dayOf, instantAt } from '../../../../../gateway/platform/calendar'
import { readConfiguration } from '../../../../../gateway/platform/configuration'
import { systemContext } from '../../../../../gateway/platform/http'
import { openCompany, type Company } from '../fin/books'

/** Fees of numbers (quotes-traffic 5.6) through the job: what is charged, when, to whom, and that nothing is charged twice. */

let company: Company
beforeAll(async () => {
  company = await openCompany()
  const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
  const account = {
    ...stamp,
    customerId: 'c-A09',
    product: 'number',
    currency: 'USD',
    payMode: 'postpaid',
    status: 'active',
    companyEntityId: 'hk',
  }
  await company.inTransaction(async ({ entities }) => {
    await entities.insertMany('fin.customerAccount', [
      { ...account, id: 'NY', customerId: 'c-A01', code: 'NY', name: 'New York', timezone: 'America/New_York' },
      { ...account, id: 'SHUT', customerId: 'c-A02', code: 'SHUT', name: 'Shut', timezone: 'Asia/Shanghai' },
    ])
  })
})
afterAll(() => company.test.close())

const at = (text: string): Date => new Date(text)
const noon = (day: string): Date => at(`${day}T04:00:00.000Z`)
const act = <Result>(
  now: Date,
  work: (entities: Parameters<Parameters<typeof company.test.gateway.engine.transaction>[1]>[0]) => Promise<Result>,
): Promise<Result> => company.test.gateway.engine.transaction(systemContext({ now }), (entities) => work(entities))
const run = (now: Date) => {
  const { engine, database } = company.test.gateway
  const parts = { engine, database, configuration: readConfiguration({}) }
  return job(parts).run({ now, day: dayOf(now, 'Asia/Shanghai'), dry: false, startedBy: null }, () => undefined)
}

let numbers = 0
/** A number in stock, of 5.00 USD a month and 1.00 for its set-up, that costs 3.00 and 0.50 EUR. */
const number = async (more: object = {}): Promise<string> => {
  const id = `n${(numbers += 1)}`
  const values = {
    number: `+1415555${String(1000 + numbers)}`,
    country: 'US',
    numberType: 'local',
    supplierAccountId: 'S01',
    supplierId: 'sp1',
    status: 'stock',
  }
  const prices = { mrc: '5', nrc: '1', currency: 'USD', costMrc: '3', costNrc: '0.5', costCurrency: 'EUR' }
  await act(noon('2026-01-01'), (entities) =>
    entities.insertMany('biz.numberAsset', [
      { createdAt: '2026-01-01T00:00:00.000Z', createdBy: '', id, ...values, ...prices, ...more },
    ]),
  )
  return id
}
const move = (id: string, transition: string, now: Date, values: object = {}) =>
  act(now, (entities) => entities.transition('biz.numberAsset', id, transition, { ...values }))
const assign = (id: string, now: Date, values: object = {}) =>
  move(id, 'assign', now, { accountId: 'A09', activatedAt: now.toISOString(), mrc: '5', nrc: '1', currency: 'USD', ...values })
const save = (id: string, now: Date, values: object) =>
  act(now, (entities) => entities.save('biz.numberAsset', { id, ...values }))

interface Fee {
  month: string
  kind: string
  day: string | null
  amount: string | null
  cost: string | null
}
const fees = (id: string): Promise<Fee[]> =>
  company.rows<Fee>(
    `select to_char(month, 'YYYY-MM') as month, kind, day::text, trim_scale(amount)::text as amount, trim_scale(cost_amount)::text as cost from biz_number_fee
      where asset_id = $1 order by month, kind`,
    [id],
  )
const charged = async (id: string): Promise<string[]> =>
  (await fees(id)).map(({ month, kind, amount }) => `${month} ${kind} ${amount}`)
/** What the ledger has of a number: type, day, product and what accounts of customers and suppliers changed by. */
const entries = (id: string) =>
  company.rows<{ type: string; kind: string; day: string; service: string; amount: string; key: string }>(
    `select e.type, e.account_kind as kind, e.biz_date::text as day, e.service_day::text as service, trim_scale(e.signed_amount)::text as amount, p.idem_key as key from fin_ledger_entry e join fin_posting p on p.id = e.posting_id
      where e.source_id = $1 and e.account_kind <> 'system' order by e.biz_date, p.idem_key collate "C"`,
    [id],
  )

describe('what a number is charged', () => {
  it.each([
    ['2026-04-11', '5.00', ['2026-04 mrc 3.3333', '2026-04 nrc 1', '2026-05 mrc 5']],
    ['2027-02-15', '1.20', ['2027-02 mrc 0.6', '2027-02 nrc 1', '2027-03 mrc 1.2']],
    ['2026-01-31', '5.00', ['2026-01 mrc 0.1613', '2026-01 nrc 1', '2026-02 mrc 5']],
    ['2026-03-15', '5.00', ['2026-03 mrc 2.7419', '2026-03 nrc 1', '2026-04 mrc 5']],
    ['2026-06-01', '5.00', ['2026-06 mrc 5', '2026-06 nrc 1', '2026-07 mrc 5']],
  ])('from %s on at %s a month', async (day, mrc, expected) => {
    const id = await number()
    await assign(id, noon(day), { mrc })
    await run(noon(day))
    await run(noon(`${expected[2]!.slice(0, 7)}-01`))
    expect(await charged(id)).toEqual(expected)
    await move(id, 'release', noon(addDays(`${expected[2]!.slice(0, 7)}-01`, 1)))
  })

  it('posts it to the customer and its cost to the supplier, once however often the job runs', async () => {
    const id = await number()
    await assign(id, noon('2026-04-11'))
    await Promise.all([run(noon('2026-04-11')), run(noon('2026-04-11'))])
    await run(noon('2026-04-12'))
    expect(await entries(id)).toEqual([
      { type: 'fee', kind: 'customer', day: '2026-04-11', service: '2026-04-11', amount: '-3.3333', key: `fee:${id}:202604` },
      { type: 'fee', kind: 'customer', day: '2026-04-11', service: '2026-04-11', amount: '-1', key: `fee:${id}:202604:nrc` },
      { type: 'cost', kind: 'supplier', day: '2026-04-11', service: '2026-04-11', amount: '-2', key: `feeCost:${id}:202604` },
      {
        type: 'cost',
        kind: 'supplier',
        day: '2026-04-11',
        service: '2026-04-11',
        amount: '-0.5',
        key: `feeCost:${id}:202604:nrc`,
      },
    ])
    const products = await company.rows(
      `select distinct e.product, split_part(e.account_id, '@', 1) as account from fin_ledger_entry e where e.source_id = $1 and e.account_kind = 'system' order by 2`,
      [id],
    )
    expect(products).toEqual([
      { product: 'number', account: 'COS:number' },
      { product: 'number', account: 'REV:number' },
    ])
    await move(id, 'release', noon('2026-04-13'))
  })

  it('catches up the months that were missed, at the prices of their days, also while it is suspended', async () => {
    const id = await number()
    await assign(id, noon('2026-02-10'))
    await move(id, 'suspend', noon('2026-03-05'))
    await save(id, noon('2026-04-20'), { mrc: '8', costMrc: '4' })
    await run(noon('2026-06-02'))
    expect(await fees(id)).toEqual([
      { month: '2026-02', kind: 'mrc', day: '2026-02-10', amount: '3.3929', cost: '2.0357' },
      { month: '2026-02', kind: 'nrc', day: '2026-02-10', amount: '1', cost: '0.5' },
      { month: '2026-03', kind: 'mrc', day: '2026-03-01', amount: '5', cost: '3' },
      { month: '2026-04', kind: 'mrc', day: '2026-04-01', amount: '5', cost: '3' },
      { month: '2026-05', kind: 'mrc', day: '2026-05-01', amount: '8', cost: '4' },
      { month: '2026-06', kind: 'mrc', day: '2026-06-01', amount: '8', cost: '4' },
    ])
    await move(id, 'release', noon('2026-06-03'))
  })

  it('counts days in the zone of each account: at midnight of New York it is noon in Hong Kong', async () => {
    const id = await number()
    // 31 March 23:30 in New York, 1 April 11:30 in Shanghai, where the supplier is counted
    await assign(id, at('2026-04-01T03:30:00.000Z'), { accountId: 'NY' })
    await run(at('2026-04-01T03:59:59.999Z'))
    expect(await fees(id)).toEqual([
      { month: '2026-03', kind: 'mrc', day: '2026-03-31', amount: '0.1613', cost: null },
      { month: '2026-03', kind: 'nrc', day: '2026-03-31', amount: '1', cost: null },
      { month: '2026-04', kind: 'mrc', day: null, amount: null, cost: '3' },
      { month: '2026-04', kind: 'nrc', day: null, amount: null, cost: '0.5' },
    ])
    await run(at('2026-04-01T04:00:00.000Z'))
    expect((await fees(id))[2]).toMatchObject({ month: '2026-04', day: '2026-04-01', amount: '5', cost: '3' })
    await move(id, 'release', noon('2026-04-02'))
  })

  it('charges a number that is released on the day of its activation once, and nothing before that day', async () => {
    const [late, short] = [await number(), await number()]
    await assign(short, at('2026-03-31T02:00:00.000Z'))
    await move(short, 'release', at('2026-03-31T09:00:00.000Z'))
    await assign(late, noon('2026-03-01'), { activatedAt: '2026-03-20T04:00:00.000Z' })
    await run(noon('2026-03-19'))
    expect(await charged(late)).toEqual([])
    await run(noon('2026-04-05'))
    expect(await charged(short)).toEqual(['2026-03 mrc 0.1613', '2026-03 nrc 1'])
    expect(await charged(late)).toEqual(['2026-03 mrc 1.9355', '2026-03 nrc 1', '2026-04 mrc 5'])
    await move(late, 'release', noon('2026-04-05'))
  })

  it('goes on when a release is taken back', async () => {
    const id = await number()
    await assign(id, noon('2026-04-11'))
    await move(id, 'release', noon('2026-04-30'))
    await run(noon('2026-05-01'))
    expect(await charged(id)).toEqual(['2026-04 mrc 3.3333', '2026-04 nrc 1'])
    await move(id, 'takeBack', at('2026-05-01T04:00:01.000Z'))
    await run(noon('2026-05-02'))
    expect(await charged(id)).toEqual(['2026-04 mrc 3.3333', '2026-04 nrc 1', '2026-05 mrc 5'])
    await move(id, 'release', noon('2026-05-03'))
  })
})

describe('what goes back at a release', () => {
  it('is nothing, unless the rules of billing on that day say so; then the whole days that are left', async () => {
    const [before, after, owing] = [await number(), await number(), await number({ costFrom: '2026-04-01' })]
    for (const id of [before, after, owing]) await assign(id, noon('2026-04-11'))
    await move(before, 'release', noon('2026-04-19'))
    await act(noon('2026-04-20'), (entities) =>
      entities.insertMany('sys.ruleSet', [
        {
          id: 'refund',
          key: 'fin.billing',
          params: { refundOnRelease: true, costRefundOnRelease: true },
          effectiveFrom: '2026-04-19T16:00:00.000Z',
          versionNo: 1,
          createdAt: '2026-04-19T16:00:00.000Z',
          createdBy: '',
        },
      ]),
    )
    for (const id of [after, owing]) await move(id, 'release', noon('2026-04-20'))
    await run(noon('2026-04-20'))
    expect(await charged(after)).toEqual(['2026-04 mrc 3.3333', '2026-04 nrc 1'])
    for (const id of [before, after, owing]) await move(id, 'rest', noon('2026-04-21'))
    await run(noon('2026-04-21'))
    await run(noon('2026-04-22'))
    expect(await charged(before)).toEqual(['2026-04 mrc 3.3333', '2026-04 nrc 1'])
    expect((await fees(after)).slice(2)).toEqual([
      { month: '2026-04', kind: 'refund', day: '2026-04-20', amount: '-1.6667', cost: '-1' },
    ])
    // the supplier goes on charging what is in stock
    expect((await fees(owing)).at(-1)).toMatchObject({ kind: 'refund', amount: '-1.6667', cost: null })
    expect((await entries(after)).filter(({ key }) => key.endsWith('refund'))).toEqual([
      {
        type: 'fee',
        kind: 'customer',
        day: '2026-04-20',
        service: '2026-04-20',
        amount: '1.6667',
        key: `fee:${after}:202604:refund`,
      },
      {
        type: 'cost',
        kind: 'supplier',
        day: '2026-04-20',
        service: '2026-04-20',
        amount: '1',
        key: `feeCost:${after}:202604:refund`,
      },
    ])
    await company.rows(`delete from sys_rule_set where id = 'refund'`)
  })
})

describe('what suppliers charge for stock', () => {
  it('runs from the day that is given until the number is given back, whoever rents it', async () => {
    const id = await number({ costFrom: '2026-02-15', costTo: '2026-05-10' })
    await assign(id, noon('2026-03-11'))
    await move(id, 'release', noon('2026-03-12'))
    await run(noon('2026-07-01'))
    expect((await fees(id)).map(({ month, kind, amount, cost }) => [month, kind, amount, cost])).toEqual([
      ['2026-02', 'mrc', null, '1.5'],
      ['2026-02', 'nrc', null, '0.5'],
      ['2026-03', 'mrc', '3.3871', '3'],
      ['2026-03', 'nrc', '1', null],
      ['2026-04', 'mrc', null, '3'],
      ['2026-05', 'mrc', null, '3'],
    ])
    await expect(save(id, noon('2026-07-02'), { costFrom: '2026-01-01' })).rejects.toThrow()
  })

  it('waits for a cost that nobody knows, names the number, and charges it when it comes', async () => {
    const id = await number({ costMrc: null })
    await assign(id, noon('2026-04-11'))
    const told = await run(noon('2026-04-12'))
    expect(told.rows).toContainEqual({ about: `+1415555${1000 + numbers}`, side: 'cost', since: '2026-04-11', why: null })
    await save(id, noon('2026-04-15'), { costMrc: '3' })
    await run(noon('2026-04-16'))
    expect((await fees(id))[0]).toMatchObject({ kind: 'mrc', cost: '2' })
    await move(id, 'release', noon('2026-04-17'))
  })
})

describe('what refuses', () => {
  it('a price in another currency than the account, on either side, when it is given', async () => {
    const id = await number()
    await expect(assign(id, noon('2026-04-11'), { currency: 'EUR' })).rejects.toThrow(/USD/)
    await expect(save(id, noon('2026-04-11'), { costCurrency: 'USD' })).rejects.toThrow(/EUR/)
  })

  it('an activation within the quarantine of the customer before', async () => {
    const id = await number({ releasedAt: '2026-04-01T04:00:00.000Z' })
    await expect(assign(id, noon('2026-08-01'), { activatedAt: '2026-05-01T04:00:00.000Z' })).rejects.toThrow()
    await assign(id, noon('2026-08-01'))
    await move(id, 'release', noon('2026-08-02'))
  })

  it('an account that is closed leaves the others, is named, and is charged once it is open again', async () => {
    const [shut, fine] = [await number(), await number()]
    await assign(shut, noon('2026-04-11'), { accountId: 'SHUT' })
    await assign(fine, noon('2026-04-11'))
    await company.rows(`update fin_customer_account set status = 'closed' where id = 'SHUT'`)
    const told = await run(noon('2026-04-12'))
    expect(told.rows).toEqual([
      expect.objectContaining({ about: 'SHUT Shut', side: 'revenue', why: expect.stringContaining('closed') }),
    ])
    expect((await entries(fine)).length).toBe(4)
    expect((await entries(shut)).map(({ type }) => type)).toEqual(['cost', 'cost'])
    await company.rows(`update fin_customer_account set status = 'active' where id = 'SHUT'`)
    await run(noon('2026-04-13'))
    expect((await entries(shut)).length).toBe(4)
    for (const id of [shut, fine]) await move(id, 'release', noon('2026-04-14'))
  })

  it('to close an account on which numbers are rented', async () => {
    await company.rows(`update biz_number_asset set status = 'quarantine' where account_id = 'NY' and status = 'released'`)
    const id = await number()
    const close = () => act(noon('2026-04-12'), (entities) => entities.transition('fin.customerAccount', 'NY', 'close'))
    await assign(id, noon('2026-04-11'), { accountId: 'NY' })
    await expect(close()).rejects.toThrow(`+1415555${1000 + numbers}`)
    await move(id, 'release', noon('2026-04-12'))
    await move(id, 'rest', noon('2026-04-13'))
    await run(noon('2026-04-13'))
    await expect(close()).rejects.toThrow(/balance/)
  })

  it('a closed month: the fee stands on the first open day', async () => {
    const id = await number()
    await company.inTransaction(({ entities }) =>
      entities.insertMany('fin.period', [
        {
          id: 'p',
          companyEntityId: 'hk',
          month: '2026-04-01',
          status: 'closed',
          createdAt: '2026-05-05T00:00:00.000Z',
          createdBy: '',
        },
      ]),
    )
    await assign(id, noon('2026-04-29'))
    await run(noon('2026-05-05'))
    expect(
      (await entries(id)).filter(({ kind }) => kind === 'customer').map(({ day, service, amount }) => [day, service, amount]),
    ).toEqual([
      ['2026-05-01', '2026-04-29', '-0.3333'],
      ['2026-05-01', '2026-04-29', '-1'],
      ['2026-05-01', '2026-05-01', '-5'],
    ])
    await company.rows(`delete from fin_period where id = 'p'`)
    await move(id, 'release', noon('2026-05-06'))
  })
})

describe('any rent and any schedule of the job', () => {
  const FIRST = '2026-01-01'
  const daysIn = (month: string): number =>
    new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate()
  /** Counted day by day: the months of which a day was rented, each with the days from the first of them to its end. */
  const expected = (from: string, to: string): Map<string, number> => {
    const months = new Map<string, number>()
    for (let day = from; day <= to; day = addDays(day, 1))
      if (!months.has(day.slice(0, 7))) months.set(day.slice(0, 7), daysIn(day.slice(0, 7)) - Number(day.slice(8)) + 1)
    return months
  }

  it('charges each month of which a day was rented once, for the days that were left of it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 0, max: 200 }),
        fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 12 }),
        fc.constantFrom('A09', 'NY'),
        fc.integer({ min: 0, max: 23 }),
        async (begins, lasts, schedule, accountId, hour) => {
          const zone = accountId === 'NY' ? 'America/New_York' : 'Asia/Hong_Kong'
          const [from, to] = [addDays(FIRST, begins), addDays(FIRST, begins + lasts)]
          const moment = (day: string): Date => instantAt(day, `${hour}:30`, zone)
          const id = await number({ supplierAccountId: 'S' })
          const make = (now: Date) =>
            act(now, async (entities) => {
              await makeNow(now, [(await entities.find('biz.numberAsset', id))!])
            })
          await assign(id, moment(from), { accountId })
          const looks = [...new Set(schedule)].sort((a, b) => a - b).map((days) => moment(addDays(FIRST, days)))
          const [released, end] = [moment(to), moment(addDays(FIRST, 720))]
          for (const look of looks.filter((look) => look >= moment(from) && look <= released)) await make(look)
          await move(id, 'release', released)
          for (const look of [...looks.filter((look) => look > released), end]) await make(look)
          const rows = (await fees(id)).filter(({ amount, kind }) => kind === 'mrc' && amount !== null)
          const share = (month: string, days: number): number => Math.round((50_000 * days) / daysIn(month)) / 10_000
          expect(rows.map(({ month, amount }) => [month, Number(amount)])).toEqual(
            [...expected(from, to)].map(([month, days]) => [month, share(month, days)]),
          )
        },
      ),
      { numRuns: 12 },
    )
  })

  const makeNow = (now: Date, assets: Parameters<typeof makeFees>[1]): Promise<number> =>
    makeFees(company.test.gateway.database, assets, now)
})
