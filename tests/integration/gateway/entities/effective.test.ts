import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import { duty, price } from '../../../fixtures/entities/constraints'
import { documents } from '../../../fixtures/entities/documents'
import { countingStatements } from './countStatements'
import { as, openWorld, PEOPLE, startEngine, type World } from './world'

let world: World
let client: string
const me = as(PEOPLE.wang, { now: new Date('2026-06-15T04:00:00Z') })

beforeAll(async () => {
  world = await openWorld([...documents, price, duty])
})
afterAll(() => world.close())
beforeEach(() => void (client = newId()))

const set = (begins: string | null, more: Record<string, unknown> = {}) =>
  world.engine.save('test.price', me, { name: `from ${begins}`, clientId: client, begins, ...more })
const list = async (request: object = {}) =>
  (
    await world.engine.queryPage('test.price', me, {
      where: [{ field: 'clientId', operator: 'eq', value: client }],
      sort: [{ field: 'begins', order: 'asc' }],
      ...request,
    })
  ).records.map(({ begins, ends, validity }) => [begins, ends, validity])
const refused = (attempt: Promise<unknown>) =>
  attempt.then(
    () => undefined,
    (error: { code?: number; message: string }) => ({ code: error.code, message: error.message }),
  )

describe('x-effective', () => {
  it('ends the row before when a new one begins, with its history, and itself where the next begins', async () => {
    const first = await set('2026-01-01')
    await set('2026-09-01')
    const between = await set('2026-06-01')
    expect(between.record).toMatchObject({ ends: '2026-08-31' })
    await set('2026-06-01', { operator: 'another' })
    expect(
      await list({
        where: [
          { field: 'clientId', operator: 'eq', value: client },
          { field: 'operator', operator: 'empty' },
        ],
      }),
    ).toEqual([
      ['2026-01-01', '2026-05-31', 'past'],
      ['2026-06-01', '2026-08-31', 'live'],
      ['2026-09-01', null, 'future'],
    ])
    const log = await world.engine.log('test.price', me, first.id)
    expect(log.records.map(({ action, changes }) => [action, changes.map(({ field, after }) => [field, after])])).toEqual([
      ['update', [['ends', '2026-05-31']]],
      ['update', [['ends', '2026-08-31']]],
      ['create', expect.anything()],
    ])
  })

  it('shows what held on a day, and lists by validity, which nobody has to change at midnight', async () => {
    await set('2026-01-01')
    await set('2026-06-15')
    await set('2026-07-01')
    expect(await list({ asOf: '2026-06-14' })).toEqual([['2026-01-01', '2026-06-14', 'past']])
    expect(await list({ asOf: '2026-07-01' })).toEqual([['2026-07-01', null, 'future']])
    expect(await list({ asOf: '2025-12-31' })).toEqual([])
    const by = (operator: string, value: unknown) =>
      list({
        where: [
          { field: 'clientId', operator: 'eq', value: client },
          { field: 'validity', operator, value },
        ],
      })
    expect(await by('eq', 'live')).toEqual([['2026-06-15', '2026-06-30', 'live']])
    expect((await by('in', ['past', 'future'])).map(([begins]) => begins)).toEqual(['2026-01-01', '2026-07-01'])
    expect(await refused(list({ asOf: '2026-02-30' }))).toMatchObject({ code: 10010001 })
    expect(await refused(world.engine.queryPage('test.note', me, { asOf: '2026-02-01' }))).toMatchObject({ code: 10010001 })
  })

  it('refuses what would overlap all the same, and a row that ends before it begins', async () => {
    await set('2026-01-01')
    const second = await set('2026-06-01')
    expect(await refused(set('2026-06-01'))).toEqual({
      code: 10010005,
      message: 'It overlaps another price that holds from 2026-06-01 until further notice.',
    })
    expect(await refused(set('2026-05-01', { ends: '2026-06-02' }))).toMatchObject({ code: 10010005 })
    expect(await refused(world.engine.save('test.price', me, { id: second.id, begins: '2026-05-01' }))).toMatchObject({
      code: 10010005,
    })
    expect(await refused(set('2026-05-01', { ends: '2026-04-01' }))).toMatchObject({
      message: '"Until" cannot be before "From".',
    })
    const draft = await set('2026-06-01', { draft: true })
    expect(await refused(world.engine.save('test.price', me, { id: draft.id, draft: false }))).toMatchObject({ code: 10010005 })
  })

  it('is held by the database against whoever writes past the engine, and only for rows that count', async () => {
    await set('2026-01-01')
    const raw = (values: string) =>
      world.database
        .query(`insert into test_price (id, name, client_id, begins, created_at, updated_at, version, draft, deleted_at)
      values ('${newId()}', 'raw', '${client}', '2026-03-01', now(), now(), 1, ${values})`)
    await raw('true, null')
    await raw('false, now()')
    await expect(raw('false, null')).rejects.toThrow(/excl/)
  })

  it('leaves one row of each day when 16 write at once', async () => {
    const days = Array.from({ length: 16 }, (_, index) => `2026-07-${String(index + 1).padStart(2, '0')}`)
    await Promise.all(days.map((day) => set(day)))
    const rows = await list()
    expect(rows.map(([begins]) => begins)).toEqual(days)
    expect(rows.map(([, ends]) => ends)).toEqual([...days.slice(0, -1), null])
  })

  it('knows moments, whose end does not belong to them', async () => {
    const put = (since: string, until: string | null) =>
      world.engine.save('test.duty', me, { name: 'D', team: client, since, until })
    await put('2026-06-15T00:00:00Z', '2026-06-15T04:00:00Z')
    const now = await put('2026-06-15T04:00:00Z', null)
    expect(now.record.validity).toBe('live')
    expect(await refused(put('2026-06-15T03:00:00Z', '2026-06-15T03:30:00Z'))).toMatchObject({ code: 10010005 })
    const past = await world.engine.queryPage('test.duty', me, {
      where: [
        { field: 'team', operator: 'eq', value: client },
        { field: 'validity', operator: 'eq', value: 'past' },
      ],
    })
    expect(past.records).toHaveLength(1)
  })

  it('is taken up by the migrator with the rows that are there, and again when it changes', async () => {
    const constraints = async () =>
      (
        await world.database.query<{ text: string }>(
          `select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = 'test_price'::regclass and contype = 'x'`,
        )
      ).rows
    const { 'x-effective': word, ...plain } = price
    await world.database.query('delete from test_price')
    await startEngine(world.database, [...documents, plain, duty])
    expect(await constraints()).toEqual([])
    const double = newId()
    for (const id of [newId(), newId()])
      await world.database.query(
        `insert into test_price (id, name, client_id, begins, created_at, updated_at, version) values ('${id}', 'x', '${double}', '2026-01-01', now(), now(), 1)`,
      )
    await expect(startEngine(world.database, [...documents, price, duty])).rejects.toThrow(/break the new rule/)
    await world.database.query(`delete from test_price where client_id = '${double}'`)
    await startEngine(world.database, [...documents, { ...price, 'x-effective': { ...word!, key: ['clientId'] } }, duty])
    const [narrow] = await constraints()
    await startEngine(world.database, [...documents, price, duty])
    expect(await constraints()).not.toEqual([narrow])
  })

  it('asks the database as often for 200 rows as for one', async () => {
    const statementsFor = (count: number) =>
      world.engine.transaction(systemContext(), async (entities, tx) => {
        const rows = Array.from({ length: count }, () => ({
          id: newId(),
          name: 'P',
          clientId: newId(),
          begins: '2026-01-01',
          draft: true,
        }))
        await entities.insertMany('test.price', rows)
        return countingStatements(tx, () =>
          entities.changeMany('test.price', new Map(rows.map(({ id }) => [id, { draft: false }]))),
        )
      })
    expect(await statementsFor(200)).toBe(await statementsFor(1))
  })
})
