import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { convertedSql } from '../../../../gateway/entities'
import { newId } from '../../../../gateway/platform/database'
import { systemContext, type ServiceError } from '../../../../gateway/platform/http'
import { moneyDocuments } from '../../../fixtures/entities/money'
import { as, openWorld, PEOPLE, type World } from './world'

let world: World
beforeAll(async () => {
  world = await openWorld(moneyDocuments)
})
afterAll(() => world.close())

const boss = () => as(PEOPLE.boss)
const save = (values: Record<string, unknown>) => world.engine.save('test.bill', boss(), values)
const refusedWith = async (attempt: Promise<unknown>): Promise<string[]> => {
  const error = (await attempt.catch((thrown: unknown) => thrown)) as ServiceError & { data: { errors: { message: string }[] } }
  return error.data.errors.map(({ message }) => message)
}
const setRate = (base: string, date: string, rate: string, kind = 'xe', quote = 'CNY') =>
  world.engine.save('sys.exchangeRate', systemContext(), { base, quote, date, rate, kind })

describe('amounts of a record', () => {
  it('are compared and calculated as numbers when rules are checked and derived fields are worked out', async () => {
    const { record } = await save({ price: '9', paid: '10', quantity: '1.2', currency: 'USD' })
    expect(record).toMatchObject({ open: '0.8', settled: false })
    expect(await refusedWith(save({ price: '9', paid: '10', quantity: '1', currency: 'USD' }))).toEqual([
      'More is paid than is due.',
    ])
    const even = await save({ price: '0.1', paid: '0.3', quantity: '3', currency: 'USD' })
    expect(even.record).toMatchObject({ open: '0', settled: true })
    const listed = await world.engine.queryPage('test.bill', boss(), { ids: [even.id, record.id as string] })
    expect(listed.records.map(({ open }) => open).sort()).toEqual(['0', '0.8'])
  })

  it('of an unknown currency are not compared with others', async () => {
    const [problem] = await refusedWith(save({ price: '9', paid: '1' }))
    expect(problem).toContain('currency of an amount is not known')
  })
})

describe('exchange rates', () => {
  it('convert what a record holds at the rate of its day, and refuse it where there is none', async () => {
    await setRate('USD', '2026-03-01', '7.2')
    await setRate('USD', '2026-03-10', '7.1')
    const bill = { price: '100', paid: '0', currency: 'USD' }
    expect((await save({ ...bill, day: '2026-03-09' })).record).toMatchObject({ yuan: '720.00' })
    expect((await save({ ...bill, day: '2026-03-10' })).record).toMatchObject({ yuan: '710.00' })
    const refused = await refusedWith(save({ ...bill, day: '2026-02-28' }))
    expect(refused).toEqual(['There is no exchange rate from USD to CNY on 2026-02-28 or before: enter it first.'])
    expect(await refusedWith(save({ ...bill, price: '140000', day: '2026-03-09' }))).toEqual(['It is more than a million yuan.'])
  })

  it('hold at once when one is corrected, deleted or written past the engine', async () => {
    const { id } = await setRate('EUR', '2026-03-01', '8')
    const convert = () => world.engine.convert('10', 'EUR', 'CNY', '2026-03-05')
    expect(await convert()).toBe('80.00')
    const { record: bill } = await save({ price: '10', paid: '0', currency: 'EUR', day: '2026-03-05' })
    await world.engine.save('sys.exchangeRate', systemContext(), { id, rate: '8.5', version: 1 })
    expect(await convert()).toBe('85.00')
    expect((await world.engine.view('test.bill', boss(), bill.id as string)).record).toMatchObject({ yuan: '85.00' })
    await world.database.query(`insert into sys_exchange_rate (id, base, quote, date, rate, kind, created_at, updated_at, version)
      values ('raw', 'EUR', 'CNY', '2026-03-04', 9, 'xe', now(), now(), 1)`)
    expect(await convert()).toBe('90.00')
    await world.database.query(`delete from sys_exchange_rate where id = 'raw'`)
    await world.engine.remove('sys.exchangeRate', systemContext(), id)
    expect(await convert()).toBeUndefined()
  })

  it('are the same in expressions and in SQL: own pairs, then across the base, the last up to the day', async () => {
    await world.database.query('delete from sys_exchange_rate')
    const currency = fc.constantFrom('CNY', 'USD', 'JPY', 'GBP')
    const day = fc.integer({ min: 1, max: 28 }).map((number) => `2026-04-${String(number).padStart(2, '0')}`)
    const rates = fc.uniqueArray(
      fc.record({
        base: currency,
        quote: fc.constantFrom('CNY', 'CNY', 'USD'),
        date: day,
        rate: fc.integer({ min: 1, max: 10 ** 9 }).map((number) => (number / 10 ** 6).toFixed(6)),
        kind: fc.constantFrom('xe', 'performance'),
      }),
      { selector: ({ base, quote, date, kind }) => `${base}${quote}${date}${kind}`, maxLength: 25 },
    )
    await fc.assert(
      fc.asyncProperty(rates, currency, currency, day, async (rows, from, to, on) => {
        await world.database.query('delete from sys_exchange_rate')
        await world.engine.transaction(systemContext(), (entities) =>
          entities.insertMany(
            'sys.exchangeRate',
            rows.filter(({ base, quote }) => base !== quote).map((row) => ({ id: newId(), ...row })),
          ),
        )
        const { rows: found } = await world.database.query<{ value: string | null }>(
          sql`select round(${convertedSql({ amount: sql`1234.56`, currency: sql`${from}::text`, day: sql`${on}::date` }, to)}, ${to === 'JPY' ? 0 : 2})::text as "value"`,
        )
        expect(found[0]!.value ?? undefined).toBe(await world.engine.convert('1234.56', from, to, on))
      }),
      { numRuns: 60 },
    )
  })
})
