import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Entities } from '../../../../gateway/entities'
import { systemContext } from '../../../../gateway/platform/http'
import type { EntityRecord } from '../../../../gateway/entities/calls'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import { documents } from '../../../fixtures/entities/documents'
import { keptDocuments } from '../../../fixtures/entities/kept'
import { openWorld, startEngine, type World } from './world'

let world: World
beforeAll(async () => {
  world = await openWorld([...documents, ...keptDocuments])
  world.engine.registerEntityService('test.order.addFee', {
    effect: async ({ entities, record }) => {
      await entities.save('test.orderLine', { orderId: record.id, kind: 'fee', quantity: '1', price: '9' })
      record.regionId = null
    },
  })
})
afterAll(() => world.close())

const within = <Result>(work: (entities: Entities) => Promise<Result>): Promise<Result> =>
  world.engine.transaction(systemContext(), work)
const save = (entity: string, values: EntityRecord): Promise<EntityRecord> => within((entities) => entities.save(entity, values))
const find = async (entity: string, id: unknown): Promise<EntityRecord> =>
  (await within((entities) => entities.find(entity, String(id))))!

async function orderWith(lines: readonly EntityRecord[], values: EntityRecord = {}) {
  const region = await save('test.region', { name: 'North', rate: '0.5' })
  const order = await save('test.order', { name: 'A', regionId: region.id, ...values })
  const made: EntityRecord[] = []
  for (const line of lines) made.push(await save('test.orderLine', { orderId: order.id, ...line }))
  return { region, order, lines: made }
}

describe('stored derived fields', () => {
  it('are set with their record, read each other and what stands behind references, and can be filtered and sorted by', async () => {
    const { order, region } = await orderWith([])
    expect(order).toMatchObject({ shownAs: 'A / North', short: 'A / NORTH' })
    const page = await world.engine.queryPage('test.order', systemContext(), {
      where: [{ field: 'shownAs', operator: 'eq', value: 'A / North' }],
      sort: [{ field: 'short', order: 'asc' }],
    })
    expect(page.records.map(({ id }) => id)).toContain(order.id)
    const other = await save('test.region', { name: 'South' })
    const moved = await save('test.order', { id: order.id, regionId: other.id })
    expect(moved).toMatchObject({ shownAs: 'A / South', version: 2 })
    expect(region.name).toBe('North')
  })

  it('follow a changed record across references, two steps too, without touching version or history', async () => {
    const { order, region, lines } = await orderWith([{ quantity: '2', price: '3' }])
    await save('test.region', { id: region.id, name: 'East' })
    expect(await find('test.order', order.id)).toMatchObject({ shownAs: 'A / East', short: 'A / EAST', version: 1 })
    const line = await find('test.orderLine', lines[0]!.id)
    expect(line).toMatchObject({ regionName: 'East', version: 1, updatedAt: lines[0]!.updatedAt })
  })

  it('are read by the rules of their record', async () => {
    const { order } = await orderWith([])
    await expect(save('test.order', { id: order.id, name: 'x'.repeat(60) })).rejects.toMatchObject({ reason: 'validationFailed' })
  })

  it('stay as they are outside their states, those of the head for a line', async () => {
    const { order, lines } = await orderWith([{ quantity: '2', price: '3' }])
    expect(lines[0]).toMatchObject({ amount: '6' })
    await within((entities) => entities.transition('test.order', String(order.id), 'sign'))
    const frozen = await save('test.orderLine', { id: lines[0]!.id, price: '4' })
    expect(frozen).toMatchObject({ price: '4', amount: '6' })
    await within((entities) => entities.transition('test.order', String(order.id), 'reopen'))
    expect(await find('test.orderLine', lines[0]!.id)).toMatchObject({ amount: '8' })
    expect(await find('test.order', order.id)).toMatchObject({ total: '8' })
  })

  it('are nobody’s to set, a trusted service’s neither', async () => {
    const { order } = await orderWith([])
    for (const values of [{ shownAs: 'mine' }, { lines: 7 }])
      await expect(save('test.order', { id: order.id, ...values })).rejects.toMatchObject({ reason: 'validationFailed' })
    await expect(
      within((entities) => entities.changeMany('test.order', new Map([[String(order.id), { lines: 7 }]]))),
    ).rejects.toMatchObject({ reason: 'validationFailed' })
    expect(await save('test.order', { id: order.id, name: 'B', lines: 0, shownAs: 'A / North' })).toMatchObject({
      shownAs: 'B / North',
    })
  })

  it('follow a bulk change', async () => {
    const { order, region } = await orderWith([])
    await within((entities) => entities.changeMany('test.order', new Map([[String(order.id), { name: 'C' }]])))
    expect(await find('test.order', order.id)).toMatchObject({ shownAs: 'C / North', short: 'C / NORTH', version: 2 })
    await within((entities) => entities.changeMany('test.region', new Map([[String(region.id), { name: 'West' }]])))
    expect(await find('test.order', order.id)).toMatchObject({ shownAs: 'C / West', version: 2 })
  })
})

describe('rollups', () => {
  it('count, sum up and keep the least, the most and the last, and what is made of them follows', async () => {
    const { order, region, lines } = await orderWith([
      { kind: 'goods', quantity: '1.50', price: '2', position: 1 },
      { kind: 'service', quantity: '4', price: '1', position: 2 },
    ])
    expect(await find('test.order', order.id)).toMatchObject({
      lines: 2,
      goods: 1,
      total: '7',
      pieces: '5.5',
      least: '1.5',
      most: '4',
      lastKind: 'service',
      tax: '2.75',
      version: 1,
    })
    expect(await find('test.region', region.id)).toMatchObject({ orders: 1, pieces: '5.5', crowded: false, version: 1 })
    await save('test.orderLine', { id: lines[1]!.id, quantity: '1', kind: 'gift', position: 0 })
    expect(await find('test.order', order.id)).toMatchObject({ goods: 2, total: '4', least: '1', most: '1.5', lastKind: 'goods' })
    await within((entities) => entities.remove('test.orderLine', String(lines[0]!.id)))
    expect(await find('test.order', order.id)).toMatchObject({ lines: 1, total: '1', most: '1', lastKind: 'gift' })
    await world.engine.restore('test.orderLine', systemContext(), String(lines[0]!.id))
    expect(await find('test.order', order.id)).toMatchObject({ lines: 2, total: '4', most: '1.5', tax: '1.25' })
  })

  it('follow a record that moves to another parent', async () => {
    const { order, lines } = await orderWith([{ quantity: '2', price: '1' }])
    const other = await save('test.order', { name: 'B' })
    await save('test.orderLine', { id: lines[0]!.id, orderId: other.id })
    expect([await find('test.order', order.id), await find('test.order', other.id)]).toMatchObject([
      { lines: 0, total: '0', most: null },
      { lines: 1, total: '2', most: '2' },
    ])
  })

  it('are counted once where a service writes records that count while their parent is being written', async () => {
    const { order, region } = await orderWith([{ quantity: '2', price: '1' }])
    const moved = await within((entities) => entities.transition('test.order', String(order.id), 'addFee'))
    expect(moved).toMatchObject({ lines: 2, total: '11', pieces: '3', regionId: null, tax: '0', shownAs: 'A / -', version: 2 })
    expect(await find('test.order', order.id)).toMatchObject({ lines: 2, total: '11', pieces: '3', tax: '0' })
    expect(await find('test.region', region.id)).toMatchObject({ orders: 0, pieces: '0' })
    expect((await world.engine.reconcile()).filter(({ drifted }) => drifted > 0)).toEqual([])
  })

  it('never add two currencies', async () => {
    const { order } = await orderWith([{ quantity: '2', price: '1' }])
    // the currency of the lines follows the head's: all of them at once, so that the sum keeps one currency
    await save('test.order', { id: order.id, currency: 'EUR' })
    expect(await find('test.order', order.id)).toMatchObject({ total: '2', currency: 'EUR' })
    const account = await save('test.account', { name: 'Acme', currency: 'USD' })
    await expect(save('test.entry', { accountId: account.id, amount: '5', currency: 'EUR' })).rejects.toMatchObject({
      reason: 'limitRefused',
    })
    await save('test.entry', { accountId: account.id, amount: '5' })
    await expect(save('test.account', { id: account.id, currency: 'EUR' })).rejects.toMatchObject({ reason: 'limitRefused' })
  })

  it('stand when a record and what follows from it are written from both ends at once', async () => {
    const { order, region } = await orderWith([])
    const others = await Promise.all(Array.from({ length: 6 }, () => save('test.order', { name: 'B', regionId: region.id })))
    const system = systemContext()
    const names = Array.from({ length: 8 }, (_, index) =>
      world.engine.save('test.region', system, { id: region.id, name: `N${index}` }),
    )
    const moves = [...others, order].map(({ id }) => world.engine.save('test.order', system, { id, regionId: null }))
    await Promise.all([...names, ...moves])
    expect(await find('test.region', region.id)).toMatchObject({ orders: 0, version: 9 })
    expect((await world.engine.reconcile()).filter(({ drifted }) => drifted > 0)).toEqual([])
  })

  it('are asked for with as many statements for two hundred records as for one', async () => {
    const { order } = await orderWith([])
    const statements = async (count: number): Promise<number> => {
      let asked = 0
      await world.engine.transaction(systemContext(), async (_, tx) => {
        const counting = Object.assign(Object.create(tx) as typeof tx, {
          query: (...given: Parameters<typeof tx.query>) => {
            asked += 1
            return tx.query(...given)
          },
        })
        const lines = Array.from({ length: count }, (_one, index) => ({
          id: `line-${count}-${index}`,
          orderId: order.id,
          quantity: '1',
          price: '1',
        }))
        await world.engine.entities(counting, systemContext()).insertMany('test.orderLine', lines)
      })
      return asked
    }
    expect(await statements(200)).toBe(await statements(1))
    expect(await find('test.order', order.id)).toMatchObject({ lines: 201, total: '201' })
  })
})

describe('hot sums', () => {
  it('are seen in views, lists, filters and orders, and hold their bound', async () => {
    const account = await save('test.account', { name: 'Hot', credit: '10' })
    await save('test.entry', { accountId: account.id, amount: '5' })
    await save('test.entry', { accountId: account.id, amount: '-15' })
    const { record } = await world.engine.view('test.account', systemContext(), String(account.id))
    expect(record).toMatchObject({ balance: '-10', version: 1 })
    const page = await world.engine.queryPage('test.account', systemContext(), {
      where: [{ field: 'balance', operator: 'lte', value: '-10' }],
      sort: [{ field: 'balance', order: 'asc' }],
    })
    expect(page.records).toMatchObject([{ id: account.id, balance: '-10' }])
    await expect(save('test.entry', { accountId: account.id, amount: '-0.01' })).rejects.toMatchObject({ reason: 'limitRefused' })
    // less credit is no withdrawal, and what comes in is welcome below the bound
    await save('test.account', { id: account.id, credit: '0' })
    await save('test.entry', { accountId: account.id, amount: '1' })
    expect(await find('test.account', account.id)).toMatchObject({ balance: '-9' })
    await expect(save('test.entry', { accountId: account.id, amount: '-1' })).rejects.toMatchObject({ reason: 'limitRefused' })
  })

  it('hold their bound exactly under 32 writers at once', async () => {
    const account = await save('test.account', { name: 'Busy', credit: '100' })
    const results = await Promise.allSettled(
      Array.from({ length: 32 }, async () => {
        let done = 0
        for (let index = 0; index < 5; index += 1) {
          try {
            await save('test.entry', { accountId: account.id, amount: '-1' })
            done += 1
          } catch (error) {
            expect(error).toMatchObject({ reason: 'limitRefused' })
          }
        }
        return done
      }),
    )
    const done = results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : NaN), 0)
    expect(done).toBe(100)
    expect(await find('test.account', account.id)).toMatchObject({ balance: '-100' })
  })
})

describe('new and changed definitions', () => {
  const without = (document: EntityDocument): EntityDocument => ({
    ...document,
    properties: Object.fromEntries(
      Object.entries(document.properties).filter(([, field]) => !field['x-derived'] && !field['x-rollup']),
    ),
    'x-rules': [],
  })

  it('are filled in the rows that are there, from where it was interrupted', async () => {
    const old = await openWorld([...documents, ...keptDocuments.map(without)])
    try {
      await old.engine.transaction(systemContext(), async (entities) => {
        await entities.insertMany('test.region', [{ id: 'r', name: 'North', rate: '2' }])
        await entities.insertMany(
          'test.order',
          Array.from({ length: 2_500 }, (_, index) => ({
            id: `o${String(index).padStart(4, '0')}`,
            name: 'A',
            regionId: 'r',
            currency: 'USD',
            status: 'signed',
          })),
        )
        await entities.insertMany('test.orderLine', [{ id: 'l', orderId: 'o0001', quantity: '2', price: '3', kind: 'goods' }])
        await entities.insertMany('test.account', [{ id: 'a', currency: 'USD', credit: '1' }])
        await entities.insertMany('test.entry', [{ id: 'e', accountId: 'a', currency: 'USD', amount: '7' }])
      })
      const engine = await startEngine(old.database, [...documents, ...keptDocuments])
      const told: string[] = []
      await engine.fillKept((message) => told.push(message))
      expect(told.length).toBeGreaterThan(0)
      const row = async (table: string, id: string) =>
        (await old.database.query(`select * from ${table} where id = $1`, [id])).rows[0]
      expect(await row('test_order', 'o0001')).toMatchObject({
        total: '6',
        lines: 1,
        shown_as: 'A / North',
        short: 'A / NORTH',
        tax: '4',
      })
      // frozen in its state, and filled all the same: a value is never missing
      expect(await row('test_order_line', 'l')).toMatchObject({ amount: '6', currency: 'USD' })
      expect(await row('test_region', 'r')).toMatchObject({ orders: 2_500, crowded: true })
      expect((await engine.view('test.account', systemContext(), 'a')).record).toMatchObject({ balance: '7' })
      await engine.fillKept(() => expect.unreachable('everything is filled'))

      await old.database.query(`update test_order set shown_as = null`)
      await old.database.query(
        `update entity_kept_field set filled_at = null, filled_to = 'o1999' where field = 'test.order.shownAs'`,
      )
      await engine.fillKept()
      const { rows } = await old.database.query<{ empty: number }>(
        `select count(*) as empty from test_order where shown_as is null`,
      )
      expect(rows[0]?.empty).toBe(2_000)

      const changed = keptDocuments.map((document) =>
        document.name === 'test.region'
          ? {
              ...document,
              properties: {
                ...document.properties,
                crowded: { ...document.properties.crowded!, 'x-derived': { value: '{{ orders > 9000 }}' } },
              },
            }
          : document,
      )
      engine.use([...documents, ...changed])
      await engine.fillKept()
      expect(await row('test_region', 'r')).toMatchObject({ crowded: false })
    } finally {
      await old.close()
    }
  })
})

describe('reconcile', () => {
  it('finds values that differ from what they are made of and mends them', async () => {
    const { order, lines } = await orderWith([{ quantity: '2', price: '3' }])
    const account = await save('test.account', { name: 'Drift' })
    await save('test.entry', { accountId: account.id, amount: '7' })
    expect((await world.engine.reconcile()).filter(({ drifted }) => drifted > 0)).toEqual([])
    await world.database.query(`update test_order set total = 99, shown_as = 'wrong' where id = $1`, [order.id])
    await world.database.query(`update test_order_line set region_name = null where id = $1`, [lines[0]!.id])
    await world.database.query(`update entity_hot_sum set value = 1 where record_id = $1`, [account.id])
    const wrong = (await world.engine.reconcile()).filter(({ drifted }) => drifted > 0)
    expect(wrong.map(({ field, drifted }) => [field, drifted])).toEqual([
      ['test.account.balance', 1],
      ['test.order.shownAs', 1],
      ['test.order.total', 1],
      ['test.orderLine.regionName', 1],
    ])
    await world.engine.reconcile({ fix: true })
    expect((await world.engine.reconcile()).filter(({ drifted }) => drifted > 0)).toEqual([])
    expect(await find('test.order', order.id)).toMatchObject({ total: '6', shownAs: 'A / North', version: 1 })
    expect(await find('test.account', account.id)).toMatchObject({ balance: '7' })
  })
})
