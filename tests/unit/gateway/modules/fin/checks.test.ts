import { describe, expect, it } from 'vitest'
import {
  comparedTotals,
  compareFigures,
  differenceOf,
  vosDifference,
  type Figure,
} from '../../../../../gateway/modules/fin/checks/rules'
import { costAdjust, entitySettle, priced } from '../../../../../gateway/modules/fin/ledger/rules'
import { settlementDay } from '../../../../../gateway/modules/fin/settle/entities'

const figure = (day: string, amount: string, more: Partial<Figure> = {}): Figure => ({
  ...{ day, amount, countryCode: null, network: null, reference: null, qty: null },
  ...more,
})
const traffic = { by: 'traffic', tolerancePct: '0.5' } as const
const short = (ours: readonly Figure[], theirs: readonly Figure[], by: 'traffic' | 'reference' = 'traffic') =>
  compareFigures(ours, theirs, { by, tolerancePct: '0.5' }).map(({ key, result, diffAmount, cause }) => [
    key,
    result,
    diffAmount,
    cause,
  ])

describe('what VOS may differ by (money 4.2)', () => {
  it('tolerates a cent, or 0.05 % of ours', () => {
    expect(vosDifference('10000.01', '10000')).toEqual({ diff: '0.01', diffPct: '0.0001', within: true })
    expect(vosDifference('10005', '10000')).toMatchObject({ diff: '5', within: true })
    expect(vosDifference('10005.01', '10000')).toMatchObject({ diff: '5.01', within: false })
    expect(vosDifference('0.01', '0')).toEqual({ diff: '0.01', diffPct: null, within: true })
  })

  it('S02 of the cast: 18.32 of a day is beyond it', () => {
    expect(vosDifference('1018.32', '1000')).toEqual({ diff: '18.32', diffPct: '1.832', within: false })
  })

  it('of a negative balance, too', () => {
    expect(vosDifference('-1000.5', '-1000')).toEqual({ diff: '-0.5', diffPct: '-0.05', within: true })
    expect(differenceOf('0', '0', '0.5')).toEqual({ diff: '0', diffPct: null, within: true })
  })
})

describe('a statement beside our figures (money 4.2, match key country + network + day)', () => {
  it('matches by day, country and network, and tells what is missing on each side', () => {
    const key = { countryCode: 'DE', network: '26201' }
    const ours = [
      figure('2026-11-01', '100', key),
      figure('2026-11-02', '50', key),
      figure('2026-11-02', '7', { ...key, network: '26202' }),
    ]
    const theirs = [figure('2026-11-01', '100.4', key), figure('2026-11-02', '60', key), figure('2026-11-03', '5', key)]
    expect(short(ours, theirs)).toEqual([
      ['2026-11-01 DE 26201', 'match', '0.4', null],
      ['2026-11-02 DE 26201', 'difference', '10', null],
      ['2026-11-02 DE 26202', 'missingTheirs', '-7', 'missing'],
      ['2026-11-03 DE 26201', 'missingOurs', '5', 'missing'],
    ])
  })

  it('leaves out of the key what one side does not know, and adds up', () => {
    const ours = [figure('2026-11-01', '30')]
    const theirs = [figure('2026-11-01', '10', { countryCode: 'DE' }), figure('2026-11-01', '20', { countryCode: 'FR' })]
    expect(short(ours, theirs)).toEqual([['2026-11-01', 'match', '0', null]])
  })

  it('18.32 that the next day takes back is the time zone', () => {
    const ours = [figure('2026-11-18', '400'), figure('2026-11-19', '400')]
    const theirs = [figure('2026-11-18', '381.68'), figure('2026-11-19', '418.32')]
    expect(short(ours, theirs).map(([, , diff, cause]) => [diff, cause])).toEqual([
      ['-18.32', 'timeZone'],
      ['18.32', 'timeZone'],
    ])
  })

  it('tells another price, unknown receipts, a line twice and a rest of rounding apart', () => {
    const causeOf = (ours: Figure, ...theirs: Figure[]) =>
      compareFigures([ours], theirs, { ...traffic, tolerancePct: '0' })[0]!.cause
    const day = '2026-11-01'
    expect(causeOf(figure(day, '100', { qty: 1000 }), figure(day, '110', { qty: 1000 }))).toBe('price')
    expect(causeOf(figure(day, '100', { qty: 1000 }), figure(day, '98', { qty: 980 }))).toBe('unknownDlr')
    expect(causeOf(figure(day, '100'), figure(day, '100'), figure(day, '100'))).toBe('duplicate')
    expect(causeOf(figure(day, '100'), figure(day, '100.01'))).toBe('rounding')
  })

  it('matches bank lines by reference, and those without by equal amounts of near days, each once', () => {
    const ours = [
      figure('2026-11-02', '5000', { reference: 'TT1' }),
      figure('2026-11-02', '80', { reference: 'CZ1' }),
      figure('2026-11-02', '80', { reference: 'CZ2' }),
    ]
    const theirs = [
      figure('2026-11-03', '5000', { reference: ' tt1 ' }),
      figure('2026-11-04', '80'),
      figure('2026-11-20', '80', { reference: 'X' }),
    ]
    expect(short(ours, theirs, 'reference')).toEqual([
      ['CZ1', 'match', '0', null],
      ['CZ2', 'missingTheirs', '-80', 'missing'],
      ['TT1', 'match', '0', null],
      ['X', 'missingOurs', '80', 'missing'],
    ])
  })

  it('adds up both sides: the total decides whether it is within the tolerance', () => {
    const lines = compareFigures(
      [figure('2026-11-01', '1000', { qty: 10 }), figure('2026-11-02', '1000', { qty: 10 })],
      [figure('2026-11-01', '1020', { qty: 10 }), figure('2026-11-02', '985', { qty: 9 })],
      traffic,
    )
    expect(comparedTotals(lines, '0.5')).toEqual({
      ...{ ourQty: 20, theirQty: 19, diffQty: -1, ourAmount: '2000', theirAmount: '2005', diffAmount: '5', diffPct: '0.25' },
      ...{ within: true, lineCount: 2, diffCount: 2 },
    })
  })
})

describe('postings of checks and settlements (money 1.3)', () => {
  const rates = new Map([
    ['USD', '7.1'],
    ['CNY', '1'],
  ])
  it('entitySettle: the claim of the seller mirrors the debt of the buyer (I16)', () => {
    const given = { accountId: 'ea', currency: 'USD', product: 'sms', seller: 'hk', buyer: 'sg' }
    const { seller, buyer } = entitySettle({ ...given, amount: '106' })
    expect(seller.map(({ account, direction, amount }) => [account.id, direction, amount])).toEqual([
      ['ea:seller', 'debit', '106'],
      ['ICS:sg', 'credit', '106'],
    ])
    expect(buyer.map(({ account, direction, amount }) => [account.id, direction, amount])).toEqual([
      ['ICS:hk', 'debit', '106'],
      ['ea:buyer', 'credit', '106'],
    ])
    expect(priced([...seller, ...buyer], rates).map(({ base }) => base)).toEqual(['752.6', '752.6', '752.6', '752.6'])
    expect(entitySettle({ ...given, amount: '-6' }).seller[0]).toMatchObject({
      account: { id: 'ICS:sg' },
      direction: 'debit',
      amount: '6',
    })
  })

  it('costAdjust: D COS · C supplier, or the reverse', () => {
    const account = { kind: 'supplier', id: 'S01', currency: 'USD' } as const
    const said = (amount: string) =>
      costAdjust(account, 'voice', amount).map((leg) => [leg.account.id, leg.direction, leg.amount])
    expect(said('18.32')).toEqual([
      ['COS:voice', 'debit', '18.32'],
      ['S01', 'credit', '18.32'],
    ])
    expect(said('-18.32')).toEqual([
      ['COS:voice', 'credit', '18.32'],
      ['S01', 'debit', '18.32'],
    ])
  })

  it('a settlement is dated with the last day of its month, with today while it runs', () => {
    expect(settlementDay('2026-02-01', '2026-11-20')).toBe('2026-02-28')
    expect(settlementDay('2026-11-01', '2026-11-20')).toBe('2026-11-20')
  })
})
