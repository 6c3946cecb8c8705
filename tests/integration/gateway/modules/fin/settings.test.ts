import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, dayOf } from '../../../../../gateway/platform/calendar'
import { systemContext } from '../../../../../gateway/platform/http'
import { RULE_DEFAULTS } from '../../../../../gateway/rules'
import { startGateway, type Caller, type TestGateway } from '../../../../support/gateway'

type Row = Record<string, unknown> & { id: string }

let test: TestGateway
let finance: Caller
let reader: Caller
let today: string
const day = (back: number): string => addDays(today, -back)
beforeAll(async () => {
  test = await startGateway()
  today = dayOf(test.clock.now(), 'Asia/Shanghai')
  const menus = ['setModule:setRate', 'setModule:financial:xe-rate', 'setModule:financial:currency']
  await test.addStaff({ id: 'fin', jobNumber: 'F1', keys: ['sys:rate:edit', 'sys:setting:financial'], menus })
  await test.addStaff({ id: 'reader', jobNumber: 'F2', keys: [], menus })
  ;[finance, reader] = await Promise.all([test.signIn('F1'), test.signIn('F2')])
})
afterAll(() => test.close())

const save = (entity: string, values: object, by = finance) => by.post<{ record: Row }>(`/v2/sys/${entity}/save`, values)
const rate = (date: string, value: string, more: object = {}) =>
  save('exchangeRate', { kind: 'xe', base: 'USD', quote: 'CNY', date, rate: value, ...more })
const move = (entity: string, id: string, transition: string) =>
  finance.post<{ done: string[]; refused: { reason: string }[] }>(`/v2/sys/${entity}/stateUpdate`, { ids: [id], transition })
const stored = async (id: string): Promise<Row | undefined> =>
  (
    await test.gateway.database.query<Row>(
      'select id, status, trim_scale(rate)::text as rate, trim_scale(held_rate)::text as held from sys_exchange_rate where id = $1',
      [id],
    )
  ).rows[0]

describe('the settings of finance, on a gateway that begins empty (money 10)', () => {
  it('a rate that moves by more than 3 % is held, is not calculated with, and holds when somebody accepts it', async () => {
    const first = await rate(day(5), '7.1')
    expect([first.code, first.data.record.status, first.data.record.source]).toEqual([0, 'live', 'typed'])
    const jump = await rate(day(4), '7.5')
    expect(await stored(jump.data.record.id)).toMatchObject({ status: 'held', rate: null, held: '7.5' })
    await move('exchangeRate', jump.data.record.id, 'accept')
    expect(await stored(jump.data.record.id)).toMatchObject({ status: 'live', rate: '7.5', held: null })
  })

  it('a second rate of a pair and day, a rate of nothing and a month that begins on its third are refused', async () => {
    for (const refused of [
      await rate(day(5), '7.1'),
      await rate(day(3), '0'),
      await rate(`${today.slice(0, 8)}03`, '7.1', { kind: 'performance' }),
    ])
      expect(refused.code).not.toBe(0)
  })

  it('whoever may only read rates writes none', async () => {
    const answer = await save('exchangeRate', { kind: 'xe', base: 'EUR', quote: 'CNY', date: today, rate: '7.7' }, reader)
    expect(answer.code).not.toBe(0)
  })

  it('the averages of the month before are kept once, as performance rates too where the settings say so', async () => {
    const { scheduler, database, engine } = test.gateway
    const last = addDays(`${today.slice(0, 7)}-01`, -1)
    const month = `${last.slice(0, 7)}-01`
    await rate(month, '6.9', { base: 'HKD' })
    await engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
      entities.save('sys.ruleSet', {
        key: 'fin.averageRate',
        params: { ...RULE_DEFAULTS['fin.averageRate'], publishToSetRate: true },
        effectiveFrom: new Date(test.clock.now().getTime() - 60_000).toISOString(),
        changeReason: 'month end',
      }),
    )
    const run = () => scheduler.runNow(scheduler.find('fin.averageRates')!, { dry: false, startedBy: null })
    await run()
    await run()
    const { rows } = await database.query<{ kind: string; rate: string }>(
      `select kind, trim_scale(rate)::text as rate from sys_exchange_rate where base = 'HKD' and date = $1::date and kind <> 'xe' order by kind`,
      [month],
    )
    expect(rows).toEqual([
      { kind: 'average', rate: '6.9' },
      { kind: 'performance', rate: '6.9' },
    ])
  })

  it('a currency takes name and decimals of ISO 4217; one that is none is refused, one with accounts stays in use', async () => {
    const yen = await save('currency', { code: 'JPY', name: '日元' })
    expect(yen.data.record).toMatchObject({ nameEn: 'Yen', decimals: 0, status: 'enabled' })
    expect((await save('currency', { code: 'QQQ', name: '不存在' })).code).not.toBe(0)
    const entity = await save('companyEntity', { code: 'hk', name: '香港', countryCode: 'HK', baseCurrency: 'CNY' })
    const bank = { code: 'B1', name: 'Bank', companyEntityId: entity.data.record.id, currency: 'JPY' }
    expect((await save('bankAccount', bank)).code).toBe(0)
    const kept = await move('currency', yen.data.record.id, 'disable')
    expect(JSON.stringify(kept.data)).toMatch(/JPY/)
    expect(kept.data.done ?? []).toEqual([])
  })
})
