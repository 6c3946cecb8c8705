import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext, type RequestContext } from '../../../../gateway/platform/http'
import { dayOf } from '../../../../gateway/platform/calendar'
import type { AggregateMeasure, AggregateRequest, AggregateRow, QueryCondition } from '../../../../src/schema/model'
import { documents } from '../../../fixtures/entities/documents'
import { exchangeRate, sale } from '../../../fixtures/entities/sale'
import { as, clientRow, openWorld, PEOPLE, type World } from './world'

const ZONE = 'Asia/Shanghai'
const ROWS = 240

let world: World
/** A small generator of its own, so that the world is the same in each run. */
let seed = 7
const below = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)]!

interface Sale extends Record<string, unknown> {
  id: string
  clientId: string | null
  region: string | null
  day: string | null
  soldAt: string | null
  amount: string | null
  currency: string | null
  cost: string | null
  weight: string | null
  pieces: number | null
  paid: boolean | null
  ownerId: string | null
}
let sales: Sale[] = []
const clients: Record<string, unknown>[] = []

function makeSale(index: number): Sale {
  const at = Date.UTC(2025, 10, 1) + below(200 * 24 * 60) * 60_000
  return {
    id: `s${String(index).padStart(4, '0')}`,
    title: `Sale ${index}`,
    clientId: below(8) === 0 ? null : `c${below(12)}`,
    region: oneOf(['a', 'b', 'c', null]),
    day: below(10) === 0 ? null : new Date(at).toISOString().slice(0, 10),
    soldAt: below(10) === 0 ? null : new Date(at).toISOString(),
    amount: below(9) === 0 ? null : `${below(1_000_000)}.${String(below(100)).padStart(2, '0')}`,
    currency: oneOf(['USD', 'EUR', 'JPY', null]),
    cost: below(5) === 0 ? null : `${below(1000)}.${below(10)}`,
    weight: below(6) === 0 ? null : `${below(1000) - 500}.${String(below(1_000_000)).padStart(6, '0')}`,
    pieces: below(6) === 0 ? null : below(50) - 10,
    paid: oneOf([true, false, null]),
    buyer: oneOf(['Ann', 'Bob']),
    buyerCopy: oneOf(['Ann', 'Bob']),
    watched: 'w',
    tags: ['sms'],
    note: 'n',
    ownerId: oneOf([PEOPLE.wang, PEOPLE.li, null]),
    ownerDeptId: 'd2',
  }
}

beforeAll(async () => {
  world = await openWorld([...documents, sale, exchangeRate])
  // clients 0 to 5 belong to wang, the others to somebody out of his reach
  for (let index = 0; index < 12; index += 1) {
    clients.push(
      clientRow({
        id: `c${index}`,
        name: `客户${index}`,
        email: `c${index}@x.com`,
        level: 'abcd'[index % 4],
        country: ['CN', 'US', null][index % 3],
        ownerId: index < 6 ? PEOPLE.wang : PEOPLE.other,
        ownerDeptId: index < 6 ? 'd2' : 'd4',
      }),
    )
  }
  sales = Array.from({ length: ROWS }, (_, index) => makeSale(index))
  const rates = [
    ['USD', '2025-01-01', '7'],
    ['EUR', '2025-01-01', '8'],
    ['EUR', '2026-01-01', '8.5'],
  ]
  await world.engine.transaction(systemContext(), async (entities) => {
    await entities.insertMany('test.client', clients)
    await entities.insertMany('test.sale', sales)
    await entities.insertMany(
      'sys.exchangeRate',
      rates.map(([base, date, rate], index) => ({ id: `r${index}`, base, quote: 'CNY', date, rate, kind: 'performance' })),
    )
  })
})
afterAll(() => world.close())

const all = (): RequestContext => ({ ...as(PEOPLE.wang), scopes: { 'test.sale': ['all'], 'test.client': ['own'] } })
const own = (): RequestContext => ({ ...as(PEOPLE.wang), scopes: { 'test.sale': ['own'], 'test.client': ['own'] } })
const ask = (request: AggregateRequest, context = all()) => world.engine.aggregate('test.sale', context, request)
const count: AggregateMeasure = { id: 'n', count: true }
const badRequest = { reason: 'badRequest' }

/*
 * The oracle: the same figures, worked out row by row with whole numbers.
 */
const DIGITS = 12
const SCALE = 10n ** BigInt(DIGITS)
const exact = (text: string): bigint => {
  const [, sign, units = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!
  const value = BigInt(units) * SCALE + BigInt(decimals.padEnd(DIGITS, '0').slice(0, DIGITS))
  return sign === '-' ? -value : value
}
const clientOf = (row: Sale) => clients.find(({ id, ownerId }) => id === row.clientId && ownerId === PEOPLE.wang)

function bucketStart(day: string, bucket: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (bucket === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  if (bucket === 'month') date.setUTCDate(1)
  if (bucket === 'quarter') date.setUTCMonth(Math.floor(date.getUTCMonth() / 3) * 3, 1)
  if (bucket === 'year') date.setUTCMonth(0, 1)
  return date.toISOString().slice(0, 10)
}

interface OracleDimension {
  path: string
  bucket?: 'day' | 'week' | 'month' | 'quarter' | 'year'
}
function keyOf(row: Sale, { path, bucket }: OracleDimension): unknown {
  const [first, second] = path.split('.')
  const value = second ? (clientOf(row)?.[second] ?? null) : (row[first!] ?? null)
  if (value === null || bucket === undefined) return value
  return bucketStart(dayOf(value as string, ZONE), bucket)
}

/** A condition as the oracle knows it. */
const CONDITIONS: readonly { condition: QueryCondition; holds: (row: Sale) => boolean }[] = [
  { condition: { field: 'paid', operator: 'eq', value: true }, holds: (row) => row.paid === true },
  { condition: { field: 'region', operator: 'in', value: ['a', 'b'] }, holds: (row) => ['a', 'b'].includes(row.region ?? '') },
  { condition: { field: 'clientId.level', operator: 'eq', value: 'a' }, holds: (row) => clientOf(row)?.level === 'a' },
  { condition: { field: 'clientId.country', operator: 'empty' }, holds: (row) => (clientOf(row)?.country ?? null) === null },
  {
    condition: { field: 'soldAt', operator: 'between', value: ['2026-01-01', '2026-02-28'] },
    holds: ({ soldAt }) => soldAt !== null && dayOf(soldAt, ZONE) >= '2026-01-01' && dayOf(soldAt, ZONE) <= '2026-02-28',
  },
]

/** What an amount is worth in CNY by the rate of its day; null where none says so. */
function rateOf(currency: string | null, day: string | null, to: string): number | null {
  if (currency === to) return 7
  if (day === null || (currency !== 'USD' && currency !== 'EUR')) return null
  return currency === 'USD' ? 7 : day < '2026-01-01' ? 8 : 8.5
}
/** The amounts of rows that have a rate, each in seventieths of a dollar (tenths of a yuan), which are whole. */
function converted(rows: readonly Sale[], measure: AggregateMeasure): bigint[] {
  const field = (measure.sum ?? measure.avg ?? measure.min ?? measure.max ?? measure.median) as 'amount' | 'cost'
  return rows.flatMap((row) => {
    const [value, amount] = [row[measure.day!] as string | null, row[field]]
    const to = measure.currency!.slice(-3)
    const rate = rateOf(field === 'cost' ? 'USD' : row.currency, value && dayOf(value, ZONE), to)
    return amount === null || rate === null ? [] : [exact(amount) * BigInt(rate * 10)]
  })
}
/** Rounded half up to six digits. */
const told = (over: bigint, under: bigint): bigint => {
  const unit = (SCALE / 1_000_000n) * under
  return ((over * 2n + unit) / (unit * 2n)) * (SCALE / 1_000_000n)
}

function convertedOracle(rows: readonly Sale[], measure: AggregateMeasure): bigint | null {
  const values = converted(rows, measure).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const under = measure.currency === 'convert:USD' ? 70n : 10n
  if (values.length === 0) return null
  const sum = values.reduce((total, value) => total + value, 0n)
  if (measure.sum) return told(sum, under)
  if (measure.avg) return told(sum, under * BigInt(values.length))
  if (measure.min) return told(values[0]!, under)
  if (measure.max) return told(values.at(-1)!, under)
  return told(values[(values.length - 1) >> 1]! + values[values.length >> 1]!, under * 2n)
}

function oracle(rows: readonly Sale[], measure: AggregateMeasure): unknown {
  if (measure.currency) return convertedOracle(rows, measure)
  const values = (field: string) => rows.map((row) => row[field]).filter((value) => value !== null) as (string | number)[]
  const sumOf = (field: string) => values(field).reduce((sum, value) => sum + exact(String(value)), 0n)
  if (measure.count) return rows.length
  if (measure.distinct) return new Set(values(measure.distinct)).size
  if (measure.sum === 'amount') {
    const sums: Record<string, bigint> = {}
    for (const { amount, currency } of rows)
      if (amount !== null) sums[currency ?? ''] = (sums[currency ?? ''] ?? 0n) + exact(amount)
    return sums
  }
  if (measure.sum) return values(measure.sum).length === 0 ? null : sumOf(measure.sum)
  const given = values((measure.avg ?? measure.min ?? measure.max ?? measure.median)!)
  if (given.length === 0) return null
  const sorted = given.map((value) => exact(String(value))).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  if (measure.avg) return sumOf(measure.avg) / BigInt(given.length)
  if (measure.min) return sorted[0]
  if (measure.max) return sorted.at(-1)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2n
}

function expectSame(measure: AggregateMeasure, value: unknown, wanted: unknown): void {
  if (wanted === null || typeof wanted === 'number') return expect(value, measure.id).toEqual(wanted)
  if (typeof wanted === 'bigint') {
    expect(value, measure.id).not.toBeNull()
    const difference = exact(String(value)) - wanted
    // quotients are told with ten digits
    const room = measure.avg ? SCALE / 10n ** (measure.currency ? 6n : 10n) : 0n
    return expect(difference <= room && difference >= -room, `${measure.id}: ${String(value)} is not ${wanted}`).toBe(true)
  }
  const sums = Object.entries(value as Record<string, string>).map(([code, amount]) => [code, exact(amount)])
  expect(Object.fromEntries(sums), measure.id).toEqual(wanted)
}

const MEASURES: readonly AggregateMeasure[] = [
  count,
  { id: 'clients', distinct: 'clientId' },
  { id: 'amount', sum: 'amount' },
  { id: 'sumWeight', sum: 'weight' },
  { id: 'meanWeight', avg: 'weight' },
  { id: 'sumPieces', sum: 'pieces' },
  { id: 'least', min: 'weight' },
  { id: 'most', max: 'pieces' },
  { id: 'middle', median: 'weight' },
  { id: 'middlePieces', median: 'pieces' },
  { id: 'usd', sum: 'amount', currency: 'convert:USD', day: 'day' },
  { id: 'usdOfMoment', sum: 'amount', currency: 'convert:USD', day: 'soldAt' },
  { id: 'cny', sum: 'amount', currency: 'convert:CNY', day: 'day' },
  { id: 'costCny', sum: 'cost', currency: 'convert:CNY', day: 'day' },
  { id: 'meanUsd', avg: 'amount', currency: 'convert:USD', day: 'day' },
  { id: 'leastUsd', min: 'amount', currency: 'convert:USD', day: 'day' },
  { id: 'mostUsd', max: 'amount', currency: 'convert:USD', day: 'soldAt' },
  { id: 'middleUsd', median: 'amount', currency: 'convert:USD', day: 'day' },
]
const DIMENSIONS: readonly OracleDimension[] = [
  { path: 'region' },
  { path: 'currency' },
  { path: 'paid' },
  { path: 'pieces' },
  { path: 'weight' },
  { path: 'clientId' },
  { path: 'clientId.level' },
  { path: 'clientId.country' },
  { path: 'clientId.ownerId' },
  { path: 'day' },
  ...(['day', 'week', 'month', 'quarter', 'year'] as const).flatMap((bucket) => [
    { path: 'day', bucket },
    { path: 'soldAt', bucket },
  ]),
]
const grouping = fc.uniqueArray(fc.constantFrom(...DIMENSIONS), { maxLength: 3, selector: ({ path }) => path })
const some = fc.uniqueArray(fc.constantFrom(...MEASURES), { minLength: 1, maxLength: 5, selector: ({ id }) => id })
const conditions = fc.subarray([...CONDITIONS], { maxLength: 2 })

describe('Figures by group', () => {
  it('are what counting and adding up the rows one by one gives, exactly', async () => {
    await fc.assert(
      fc.asyncProperty(
        grouping,
        some,
        conditions,
        conditions,
        fc.boolean(),
        async (dimensions, measures, where, filters, mine) => {
          const asked = measures.map((measure, index) =>
            index === 0 && filters.length > 0 ? { ...measure, where: filters.map(({ condition }) => condition) } : measure,
          )
          const answer = await ask(
            { dimensions, measures: asked, where: where.map(({ condition }) => condition), totals: true, limit: 10_000 },
            mine ? own() : all(),
          )
          const rows = sales.filter((row) => where.every(({ holds }) => holds(row)) && (!mine || row.ownerId === PEOPLE.wang))
          const groups = new Map<string, Sale[]>()
          for (const row of rows) {
            const key = JSON.stringify(dimensions.map((dimension) => keyOf(row, dimension)))
            groups.set(key, [...(groups.get(key) ?? []), row])
          }
          if (dimensions.length === 0) groups.set('[]', rows)
          const keys = answer.rows.map(({ key }) => JSON.stringify(dimensions.map(({ path }) => key[path] ?? null)))
          const plain = (key: string) => key.replaceAll(/"(-?\d+\.\d+)"/g, (_, value: string) => String(exact(value)))
          expect(keys.map(plain).sort()).toEqual([...groups.keys()].map(plain).sort())
          const byKey = new Map([...groups].map(([key, found]) => [plain(key), found]))
          for (const [index, row] of answer.rows.entries()) check(asked, filters, row, byKey.get(plain(keys[index]!))!)
          check(asked, filters, answer.totals!, rows)
        },
      ),
      { numRuns: 120, seed: 14 },
    )
  })

  function check(
    asked: readonly AggregateMeasure[],
    filters: typeof CONDITIONS,
    { measures, unconverted = {} }: Pick<AggregateRow, 'measures' | 'unconverted'>,
    rows: readonly Sale[],
  ) {
    for (const measure of asked) {
      const counted = measure.where ? rows.filter((row) => filters.every(({ holds }) => holds(row))) : rows
      expectSame(measure, measures[measure.id], oracle(counted, measure))
      if (!measure.currency) continue
      const given = counted.filter((row) => row[measure.sum === 'cost' ? 'cost' : 'amount'] !== null).length
      expect(unconverted[measure.id] ?? 0, measure.id).toBe(given - converted(counted, measure).length)
    }
  }

  it('lead to their rows: a list with the conditions of a group shows as many as were counted', async () => {
    await fc.assert(
      fc.asyncProperty(grouping, conditions, fc.boolean(), async (dimensions, where, mine) => {
        const context = mine ? own() : all()
        const base = where.map(({ condition }) => condition)
        const measure: AggregateMeasure = { id: 'ofPaid', count: true, where: [CONDITIONS[0]!.condition] }
        const answer = await ask({ dimensions, measures: [count, measure], where: base, keyword: 'sale' }, context)
        for (const row of answer.rows.slice(0, 12)) {
          const total = async (further: AggregateMeasure['where'] = []) =>
            world.engine.count('test.sale', context, { where: [...base, ...row.where, ...further], keyword: 'sale' })
          expect(await total(), JSON.stringify(row.where)).toBe(row.measures.n)
          expect(await total(measure.where)).toBe(row.measures.ofPaid)
        }
      }),
      { numRuns: 40, seed: 14 },
    )
  })
})

describe('What an answer says', () => {
  it('amounts by currency, a ratio of two measures, titles and labels, in the order that was asked for', async () => {
    const answer = await ask({
      dimensions: [{ id: 'level', path: 'clientId.level' }, { id: 'owner', path: 'clientId.ownerId' }, { field: 'region' }],
      measures: [
        { id: 'paid', count: true, where: [{ field: 'paid', operator: 'eq', value: true }] },
        count,
        { id: 'rate', ratio: ['paid', 'n'] },
      ],
      sort: [{ by: 'rate', order: 'desc' }],
      limit: 3,
    })
    expect(answer.dimensions).toEqual([
      { id: 'level', label: 'Level', kind: 'dictionary' },
      { id: 'owner', label: 'Owner', kind: 'ref' },
      { id: 'region', label: 'Region', kind: 'dictionary' },
    ])
    expect(answer.rows).toHaveLength(3)
    expect(answer.more).toBe(true)
    const rates = answer.rows.map(({ measures }) => Number(measures.rate))
    expect(rates).toEqual([...rates].sort((a, b) => b - a))
    for (const { measures } of answer.rows)
      expect(Number(measures.rate)).toBeCloseTo(Number(measures.paid) / Number(measures.n), 9)
    const whole = await ask({ dimensions: [{ field: 'region' }, { path: 'clientId.ownerId' }], measures: [count] })
    expect(whole.labels.region).toMatchObject({ a: 'Level A', b: 'Level B' })
    expect(whole.refs['sys.staff']?.[PEOPLE.wang]?.title).toContain('S0002')
    // the owners of clients out of reach have no value
    expect(Object.keys(whole.refs['sys.staff'] ?? {})).toEqual([PEOPLE.wang])
  })

  it('converts amounts by the rate of their day, and counts those that have none', async () => {
    const answer = await ask({
      measures: [
        { id: 'usd', sum: 'amount', currency: 'convert:USD', day: 'day' },
        { id: 'middle', median: 'amount' },
      ],
      totals: true,
    })
    const given = sales.filter(({ amount }) => amount !== null)
    // nothing is rounded before all is added up: 70 parts of a dollar are whole
    const seventieths = converted(given, { id: 'usd', sum: 'amount', currency: 'convert:USD', day: 'day' }).reduce(
      (sum, value) => sum + value,
      0n,
    )
    expect(exact(answer.rows[0]!.measures.usd as string)).toBe(told(seventieths, 70n))
    expect(answer.rows[0]!.unconverted).toEqual({
      usd: given.filter((row) => rateOf(row.currency, row.day, 'USD') === null).length,
    })
    expect(answer.totals).toEqual({ measures: answer.rows[0]!.measures, unconverted: answer.rows[0]!.unconverted })
    expect(answer.measures).toEqual([
      { id: 'usd', kind: 'money', currency: 'USD' },
      { id: 'middle', kind: 'money' },
    ])
  })

  it('compares with the period before: groups of the same key, buckets of the same place', async () => {
    const answer = await ask({
      where: [{ field: 'soldAt', operator: 'between', value: ['2026-02-01', '2026-03-31'] }],
      dimensions: [{ id: 'month', field: 'soldAt', bucket: 'month' }, { field: 'region' }],
      measures: [count],
      totals: true,
      compare: 'previousPeriod',
    })
    expect(answer.compare).toMatchObject({ field: 'soldAt', from: '2025-12-01', to: '2026-01-31' })
    const countOf = (month: string, region: unknown) =>
      sales.filter((row) => row.soldAt !== null && dayOf(row.soldAt, ZONE).startsWith(month) && row.region === region).length
    for (const { key, before, measures } of answer.rows) {
      const [now, then] = key.month === '2026-02-01' ? ['2026-02', '2025-12'] : ['2026-03', '2026-01']
      expect(measures.n).toBe(countOf(now!, key.region))
      expect(before?.measures.n ?? 0).toBe(countOf(then!, key.region))
      expect(await world.engine.count('test.sale', all(), { where: [...answer.compare!.where, ...(before?.where ?? [])] })).toBe(
        before?.measures.n ?? answer.compare!.totals!.measures.n,
      )
    }
    const gone = await ask({
      where: [{ field: 'day', operator: 'eq', value: '2026-01-15' }],
      dimensions: [{ field: 'clientId' }],
      measures: [count],
      compare: 'previousYear',
      compareBy: 'day',
    })
    expect(gone.compare).toMatchObject({ from: '2025-01-15', to: '2025-01-15', gone: [] })
    await expect(ask({ measures: [count], compare: 'previousYear' })).rejects.toMatchObject(badRequest)
  })

  it('is one row of nothing where there are no rows', async () => {
    const nothing = { where: [{ field: 'title', operator: 'eq' as const, value: 'nobody' }] }
    const answer = await ask({
      ...nothing,
      measures: [count, { id: 'amount', sum: 'amount' }, { id: 'pieces', sum: 'pieces' }],
      totals: true,
    })
    expect(answer.rows).toEqual([{ key: {}, where: [], measures: { n: 0, amount: {}, pieces: null } }])
    expect(answer.totals!.measures).toEqual({ n: 0, amount: {}, pieces: null })
    expect((await ask({ ...nothing, dimensions: [{ field: 'region' }], measures: [count] })).rows).toEqual([])
  })
})

describe('What cannot be asked', () => {
  it.each<[string, AggregateRequest]>([
    ['a list as a dimension', { dimensions: [{ field: 'tags' }], measures: [count] }],
    ['prose as a dimension', { dimensions: [{ field: 'note' }], measures: [count] }],
    ['a computed field', { dimensions: [{ field: 'length' }], measures: [count] }],
    ['an internal field', { dimensions: [{ field: 'hidden' }], measures: [count] }],
    ['a field that is not there', { measures: [{ id: 'x', sum: 'amont' }] }],
    ['months of a text', { dimensions: [{ field: 'region', bucket: 'month' }], measures: [count] }],
    ['a sum of texts', { measures: [{ id: 'x', sum: 'region' }] }],
    ['two functions in one measure', { measures: [{ id: 'x', sum: 'pieces', avg: 'pieces' }] }],
    ['no function', { measures: [{ id: 'x' }] }],
    ['the same id twice', { measures: [count, count] }],
    ['a ratio of amounts by currency', { measures: [count, { id: 'a', sum: 'amount' }, { id: 'r', ratio: ['a', 'n'] }] }],
    ['a ratio of what is not there', { measures: [count, { id: 'r', ratio: ['m', 'n'] }] }],
    ['an order by amounts by currency', { measures: [{ id: 'a', sum: 'amount' }], sort: [{ by: 'a' }] }],
    ['an order by what is not there', { measures: [count], sort: [{ by: 'm' }] }],
    ['four steps', { dimensions: [{ path: 'clientId.agentId.agentId.agentId.level' }], measures: [count] }],
    ['a step through no reference', { dimensions: [{ path: 'region.level' }], measures: [count] }],
    ['a conversion of pieces', { measures: [{ id: 'x', sum: 'pieces', currency: 'convert:USD' }] }],
    ['values of which each reading is logged', { dimensions: [{ field: 'watched' }], measures: [count] }],
  ])('%s', async (_, request) => {
    await expect(ask(request)).rejects.toMatchObject(badRequest)
  })

  /** Every way in which a call can read a field. */
  const readings = (path: string): AggregateRequest[] => [
    { dimensions: [{ path }], measures: [count] },
    ...(['distinct', 'sum', 'avg', 'min', 'max', 'median'] as const).map((deed) => ({ measures: [{ id: 'x', [deed]: path }] })),
    { measures: [count], where: [{ field: path, operator: 'notEmpty' }] },
    { measures: [{ ...count, where: [{ field: path, operator: 'notEmpty' }] }] },
    { measures: [{ id: 'x', sum: 'amount', currency: 'convert:USD', day: path }] },
    { measures: [count], compare: 'previousYear', compareBy: path },
  ]

  it('A field that the caller sees masked or not at all is read by no dimension, measure, condition or path', async () => {
    const closed = [
      { path: 'buyer', context: as(PEOPLE.wang, { without: ['test:client:viewSensitive'] }) },
      { path: 'buyerCopy', context: as(PEOPLE.wang, { without: ['test:client:viewSensitive'] }) },
      { path: 'clientId.taxNo', context: as(PEOPLE.wang, { without: ['test:client:viewSensitive'] }) },
      ...(['hide', 'mask'] as const).flatMap((rule) => [
        { path: 'weight', context: as(PEOPLE.wang, { fieldRules: { 'test.sale.weight': rule } }) },
        { path: 'day', context: as(PEOPLE.wang, { fieldRules: { 'test.sale.day': rule } }) },
        { path: 'clientId.level', context: as(PEOPLE.wang, { fieldRules: { 'test.sale.clientId': rule } }) },
        { path: 'clientId.staff', context: as(PEOPLE.wang, { fieldRules: { 'test.client.staff': rule } }) },
      ]),
    ]
    for (const { path, context } of closed)
      for (const request of readings(path))
        await expect(
          ask(request, { ...context, scopes: all().scopes }),
          `${path} ${JSON.stringify(request)}`,
        ).rejects.toMatchObject(badRequest)
    // amounts say nothing without their currency
    const blind = as(PEOPLE.wang, { fieldRules: { 'test.sale.currency': 'mask' } })
    await expect(ask({ measures: [{ id: 'x', sum: 'amount' }] }, { ...blind, scopes: all().scopes })).rejects.toMatchObject(
      badRequest,
    )
  })

  it('The rules of a view hold, and a pool needs its key', async () => {
    const pool = { ...as(PEOPLE.wang, { keys: ['test:pool:view'] }), scopes: all().scopes }
    const nobody = sales.filter(({ ownerId }) => ownerId === null).length
    expect((await ask({ view: 'pool', measures: [count] }, pool)).rows[0]!.measures.n).toBe(nobody)
    await expect(ask({ view: 'pool', measures: [{ id: 'x', sum: 'amount' }] }, pool)).rejects.toMatchObject(badRequest)
    await expect(ask({ view: 'pool', dimensions: [{ field: 'region' }], measures: [count] }, pool)).rejects.toMatchObject(
      badRequest,
    )
    await expect(ask({ view: 'pool', measures: [count] })).rejects.toMatchObject({ reason: 'noPermission' })
    await expect(ask({ measures: [count] }, { ...all(), scopes: {} })).rejects.toMatchObject({ reason: 'noPermission' })
  })
})
