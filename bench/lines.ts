import { createEntityEngine, type EntityRecord } from '../gateway/entities'
import { migrate, newId, openDatabase } from '../gateway/platform/database'
import { systemContext } from '../gateway/platform/http'
import { dictionaries } from '../tests/fixtures/entities/documents'
import { orderDocuments } from '../tests/fixtures/entities/orders'
import { percentile } from './gatewayServer'

/**
 * Saves of a document with many lines, over an embedded PostgreSQL that holds 2,000 further ones:
 * `npx tsx bench/lines.ts [data folder] [lines] [rounds]`; the method stands in bench/README.md.
 */
const [dataDir = 'data/bench-lines', given = '500', turns = '30'] = process.argv.slice(2)
const [LINES, ROUNDS] = [Number(given), Number(turns)]
const logger = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }

const byName = new Map(dictionaries.map((dictionary) => [dictionary.name, dictionary]))
const database = await openDatabase({ dataDir, logger, poolSize: 4 })
const engine = createEntityEngine({ database, entities: orderDocuments, dictionary: (name) => byName.get(name) })
await migrate(database, engine.tables({ trigram: true }), [], { extensions: ['pg_trgm'] })

const products = Array.from({ length: LINES }, () => newId())
const context = () => systemContext({ now: new Date() })
await engine.transaction(context(), (entities) =>
  entities.insertMany(
    'test.product',
    products.map((id) => ({ id, name: 'Product' })),
  ),
)
const line = (index: number): EntityRecord => ({
  name: `line ${index}`,
  quantity: 1 + (index % 9),
  price: '12.50',
  productId: products[index],
})
const lines = Array.from({ length: LINES }, (_, index) => line(index))
const save = (body: EntityRecord) => engine.save('test.order', context(), body)

await engine.transaction(context(), async (entities) => {
  for (let order = 0; order < 2_000; order += 1) {
    const id = newId()
    await entities.insertMany('test.order', [{ id, code: id.slice(-20) }])
    await entities.insertMany(
      'test.orderLine',
      Array.from({ length: 25 }, (_, index) => ({ ...line(index), id: newId(), orderId: id, position: index + 1 })),
    )
  }
})

const measured = new Map<string, number[]>()
async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now()
  const result = await work()
  const times = measured.get(what) ?? []
  measured.set(what, [...times, performance.now() - start])
  return result
}
for (let round = 0; round < ROUNDS; round += 1) {
  const code = newId().slice(-20)
  const { id } = await timed('new', () => save({ code, lines }))
  const { record } = await timed('read', () => engine.view('test.order', context(), id))
  const stored = record.lines as EntityRecord[]
  const all = stored.map((row) => ({ ...row, quantity: Number(row.quantity) + 1 }))
  await timed('all changed', () => save({ id, lines: all }))
  await timed('one changed', () => save({ id, lines: all.map((row, index) => (index === 0 ? { ...row, quantity: 77 } : row)) }))
  await timed('all replaced', () => save({ id, lines }))
}
for (const [what, times] of measured)
  console.log(
    `${what}: p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms (${LINES} lines)`,
  )
await database.close()
