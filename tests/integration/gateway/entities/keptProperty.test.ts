import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemContext } from '../../../../gateway/platform/http'
import { documents } from '../../../fixtures/entities/documents'
import { keptDocuments } from '../../../fixtures/entities/kept'
import { openWorld, type World } from './world'

let world: World
beforeAll(async () => {
  world = await openWorld([...documents, ...keptDocuments])
})
afterAll(() => world.close())

const REGIONS = 2
const ORDERS = 3
const quantity = fc.constantFrom('0.5', '1', '2.25', '-3', null)
const line = fc.record({
  order: fc.nat(ORDERS - 1),
  quantity,
  price: fc.constantFrom('1', '2.5', null),
  kind: fc.constantFrom('goods', 'gift', 'fee'),
  position: fc.nat(5),
})
const step = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), lines: fc.array(line, { minLength: 1, maxLength: 4 }) }),
  fc.record({ do: fc.constant('change' as const), at: fc.nat(20), to: line }),
  fc.record({ do: fc.constant('bulk' as const), from: fc.nat(20), quantity }),
  fc.record({ do: fc.constant('delete' as const), at: fc.nat(20), bulk: fc.boolean() }),
  fc.record({ do: fc.constant('restore' as const) }),
  fc.record({
    do: fc.constant('rename' as const),
    region: fc.nat(REGIONS - 1),
    name: fc.constantFrom('North', 'South'),
    rate: quantity,
  }),
  fc.record({ do: fc.constant('move' as const), order: fc.nat(ORDERS - 1), region: fc.option(fc.nat(REGIONS - 1)) }),
  fc.record({ do: fc.constant('state' as const), order: fc.nat(ORDERS - 1) }),
)

it('stay what they are made of, whatever is written in which order', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const { engine, database } = world
      const system = systemContext()
      for (const table of ['test_region', 'test_order', 'test_order_line']) await database.query(`delete from ${table}`)
      await engine.transaction(system, async (entities) => {
        for (let at = 0; at < REGIONS; at += 1)
          await entities.insertMany('test.region', [{ id: `r${at}`, name: `R${at}`, rate: '1' }])
        for (let at = 0; at < ORDERS; at += 1)
          await entities.insertMany('test.order', [
            { id: `o${at}`, name: `O${at}`, regionId: `r${at % REGIONS}`, currency: 'USD', status: 'draft' },
          ])
      })
      const [live, gone]: [string[], string[]] = [[], []]
      const pick = (at: number): string | undefined => live[at % Math.max(1, live.length)]
      const values = ({ order, ...rest }: { order: number }): Record<string, unknown> => ({ orderId: `o${order}`, ...rest })
      for (const [number, one] of steps.entries())
        await engine
          .transaction(system, async (entities) => {
            switch (one.do) {
              case 'insert': {
                const lines: Record<string, unknown>[] = one.lines.map((each, index) => ({
                  id: `l${number}-${index}`,
                  ...values(each),
                }))
                await entities.insertMany('test.orderLine', lines)
                return void live.push(...lines.map(({ id }) => String(id)))
              }
              case 'change': {
                const id = pick(one.at)
                if (id !== undefined) await entities.save('test.orderLine', { id, ...values(one.to) })
                return
              }
              case 'bulk':
                return void (await entities.changeMany(
                  'test.orderLine',
                  new Map(live.slice(one.from).map((id) => [id, { quantity: one.quantity }])),
                ))
              case 'delete': {
                const id = pick(one.at)
                if (id === undefined) return
                live.splice(live.indexOf(id), 1)
                if (one.bulk)
                  return void (await entities.changeMany(
                    'test.orderLine',
                    new Map([[id, { deletedAt: system.now.toISOString() }]]),
                  ))
                gone.push(id)
                return entities.remove('test.orderLine', id)
              }
              case 'restore':
                return
              case 'rename':
                return void (await entities.save('test.region', { id: `r${one.region}`, name: one.name, rate: one.rate }))
              case 'move':
                return void (await entities.save('test.order', {
                  id: `o${one.order}`,
                  regionId: one.region === null ? null : `r${one.region}`,
                }))
              case 'state': {
                const order = await entities.find('test.order', `o${one.order}`)
                await entities.transition('test.order', `o${one.order}`, order?.status === 'draft' ? 'sign' : 'reopen')
              }
            }
          })
          .then(async () => {
            const id = one.do === 'restore' ? gone.pop() : undefined
            if (id === undefined) return
            await engine.restore('test.orderLine', system, id)
            live.push(id)
          })
      expect((await engine.reconcile()).filter(({ drifted }) => drifted > 0)).toEqual([])
      const { rows } = await database.query(
        `select o.id, o.lines, o.goods, o.total::text, o.most::text, o.least::text from test_order o order by o.id`,
      )
      const { rows: oracle } = await database.query(
        `select o.id, count(l.id) as lines, count(l.id) filter (where l.kind in ('goods', 'gift')) as goods, coalesce(sum(l.amount), 0)::text as total,
           max(l.quantity)::text as most, min(l.quantity)::text as least
         from test_order o left join test_order_line l on l.order_id = o.id and l.deleted_at is null group by o.id order by o.id`,
      )
      const plain = (row: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries(row).map(([key, value]) => [key, value === null || key === 'id' ? value : Number(value)]),
        )
      expect(rows.map(plain)).toEqual(oracle.map(plain))
    }),
    { numRuns: 25 },
  )
})
