import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EntityRecord } from '../../../../gateway/entities'
import { newId, type Database } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import { order, orderDocuments } from '../../../fixtures/entities/orders'
import { as, openWorld, PEOPLE, type World } from './world'

let world: World
const [screw, nut] = [newId(), newId()]
beforeAll(async () => {
  world = await openWorld(orderDocuments)
  await world.engine.transaction(systemContext(), (entities) =>
    entities.insertMany('test.product', [
      { id: screw, code: 'P1', name: 'Screw' },
      { id: nut, code: 'P2', name: 'Nut' },
    ]),
  )
})
afterAll(() => world.close())

const wang = (options: Parameters<typeof as>[1] = {}) => ({
  ...as(PEOPLE.wang, options),
  scopes: { 'test.order': ['own' as const] },
})
let number = 0
const save = (body: EntityRecord, context = wang()) =>
  world.engine.save('test.order', context, { ...(body.id ? {} : { code: `O${(number += 1)}` }), ...body })
const view = async (id: string, context = wang()) => (await world.engine.view('test.order', context, id)).record
type Line = { id: string; name: string; quantity: number; position: number; parts: Line[] }
const linesOf = async (id: string) => (await view(id)).lines as Line[]
const errorsOf = async (attempt: Promise<unknown>) => {
  const error = (await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as { reason: string; data: { errors: { field: string; message: string; rule?: string }[] } }
  expect(error).toBeDefined()
  return { reason: error.reason, errors: error.data.errors.map(({ field, rule }) => ({ field, rule })) }
}

/** The statements that the database gets while something runs. */
async function statements(database: Database, work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const original = database.transaction.bind(database)
  const spied: Database['transaction'] = (inner, options) =>
    original((tx) => {
      const query = tx.query.bind(tx)
      tx.query = ((...given: Parameters<typeof query>) => {
        count += 1
        return query(...given)
      }) as typeof tx.query
      return inner(tx)
    }, options)
  database.transaction = spied
  try {
    await work()
  } finally {
    database.transaction = original
  }
  return count
}

describe('lines', () => {
  it('are saved with their head in one call, in their order, and answered with it', async () => {
    const { id, record } = await save({
      lines: [
        { name: 'a', quantity: 2, productId: screw },
        { name: 'b', quantity: 1 },
      ],
    })
    expect(record.lines).toMatchObject([{ name: 'a' }, { name: 'b' }])
    const answer = await world.engine.view('test.order', wang(), id)
    expect(answer.record.lines).toMatchObject([
      { name: 'a', quantity: 2, position: 1, productId: screw, orderId: id },
      { name: 'b', quantity: 1, position: 2 },
    ])
    expect(answer.refs['test.product']?.[screw]?.title).toBe('Screw')
    const listed = await world.engine.queryPage('test.order', wang(), { ids: [id] })
    expect(listed.records[0]).not.toHaveProperty('lines')
  })

  it('are the whole list where they are given and untouched where they are not', async () => {
    const { id, version } = await save({
      lines: [
        { name: 'a', quantity: 1 },
        { name: 'b', quantity: 2 },
        { name: 'c', quantity: 3 },
      ],
    })
    const renamed = await save({ id, version, remark: 'x' })
    expect((await linesOf(id)).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    const [a, , c] = await linesOf(id)
    const changed = await save({
      id,
      version: renamed.version,
      lines: [{ id: c!.id, quantity: 30 }, { name: 'new', quantity: 9 }, { ...a! }],
    })
    expect(changed.version).toBe(3)
    expect(await linesOf(id)).toMatchObject([
      { id: c!.id, name: 'c', quantity: 30, position: 1 },
      { name: 'new', position: 2 },
      { id: a!.id, name: 'a', quantity: 1, position: 3 },
    ])
    await save({ id, lines: [] })
    expect(await linesOf(id)).toEqual([])
  })

  it('raise the version of the head, which refuses whoever read an older one', async () => {
    const { id, version } = await save({ lines: [{ name: 'a', quantity: 1 }] })
    const [line] = await linesOf(id)
    const same = await save({ id, version, lines: [line!] })
    expect(same.version).toBe(version)
    const next = await save({ id, version, lines: [{ id: line!.id, quantity: 5 }] })
    expect(next.version).toBe(version + 1)
    const error = (await save({ id, version, lines: [] }).catch((thrown: unknown) => thrown)) as {
      reason: string
      data: { changes: EntityRecord[] }
    }
    expect(error.reason).toBe('stale')
    expect(error.data.changes).toMatchObject([
      {
        field: 'lines',
        lines: {
          entries: [{ kind: 'changed', position: 1, title: 'a', cells: [{ label: 'Quantity', before: '1', after: '5' }] }],
        },
      },
    ])
  })

  it('are checked by the rules of their entity, each problem with its place', async () => {
    const refused = await errorsOf(
      save({
        lines: [
          { name: 'a', quantity: 1 },
          { quantity: 0 },
          { name: 'c', quantity: 2, productId: newId() },
          { name: 'd', quantity: 1, colour: 1 },
        ],
      }),
    )
    expect(refused.reason).toBe('validationFailed')
    expect(refused.errors).toEqual([
      { field: 'lines.1.quantity', rule: 'format' },
      { field: 'lines.1.name', rule: 'required' },
      { field: 'lines.2.productId', rule: 'reference' },
      { field: 'lines.3.colour', rule: 'unknown' },
    ])
  })

  it('tell a value that stands twice among them, and one that a line is not there any more', async () => {
    const twice = save({
      lines: [
        { name: 'a', quantity: 1, productId: nut },
        { name: 'b', quantity: 1, productId: nut },
      ],
    })
    expect((await errorsOf(twice)).errors).toEqual([{ field: 'lines.1.productId', rule: 'unique' }])
    const { id } = await save({ lines: [{ name: 'a', quantity: 1 }] })
    expect((await errorsOf(save({ id, lines: [{ id: 'elsewhere', quantity: 1 }] }))).errors).toEqual([
      { field: 'lines.0.name', rule: 'line' },
    ])
  })

  it('may give a unique value from a line that goes to one that comes', async () => {
    const { id } = await save({ lines: [{ name: 'a', quantity: 1, productId: screw }] })
    await save({ id, lines: [{ name: 'b', quantity: 1, productId: screw }] })
    expect(await linesOf(id)).toMatchObject([{ name: 'b' }])
  })

  it('are read by rules of the head, and read the head in rules of their own', async () => {
    const refused = await errorsOf(
      save({
        limit: 5,
        lines: [
          { name: 'a', quantity: 3 },
          { name: 'b', quantity: 3 },
        ],
      }),
    )
    expect(refused.errors).toEqual([{ field: 'limit', rule: 'limit' }])
    const { id } = await save({ limit: 9, lines: [{ name: 'a', quantity: 6, price: '1.5' }] })
    expect((await errorsOf(save({ id, limit: 5 }))).errors).toEqual([{ field: 'limit', rule: 'limit' }])
    expect((await errorsOf(save({ id, currency: 'JPY' }))).errors).toEqual([{ field: 'lines.0.price', rule: 'priceInYen' }])
  })

  it('may have lines themselves, with their places', async () => {
    const { id } = await save({
      lines: [
        {
          name: 'a',
          quantity: 1,
          parts: [
            { name: 'p', pieces: 2 },
            { name: 'q', pieces: 1 },
          ],
        },
        { name: 'b', quantity: 1 },
      ],
    })
    const [a, b] = await linesOf(id)
    expect(a!.parts).toMatchObject([
      { name: 'p', position: 1 },
      { name: 'q', position: 2 },
    ])
    expect(b!.parts).toEqual([])
    await save({
      id,
      lines: [
        { ...b!, parts: [{ name: 'r', pieces: 1 }] },
        { id: a!.id, parts: [{ id: a!.parts[1]!.id, pieces: 7 }] },
      ],
    })
    expect(await linesOf(id)).toMatchObject([
      { name: 'b', parts: [{ name: 'r' }] },
      { name: 'a', parts: [{ name: 'q', pieces: 7, position: 1 }] },
    ])
    const refused = await errorsOf(save({ id, lines: [{ id: a!.id, parts: [{ name: 'x' }] }] }))
    expect(refused.errors).toEqual([{ field: 'lines.0.parts.0.pieces', rule: 'required' }])
  })

  it('go with their head and come back with it, but for those that went before', async () => {
    const { id } = await save({
      lines: [
        { name: 'a', quantity: 1, parts: [{ name: 'p', pieces: 1 }] },
        { name: 'b', quantity: 1 },
      ],
    })
    const [a] = await linesOf(id)
    await save({ id, lines: [a!] })
    await world.engine.remove('test.order', wang(), id)
    const live = async () =>
      (
        await world.database.query<{ name: string }>(
          'select name from test_order_line where order_id = $1 and deleted_at is null',
          [id],
        )
      ).rows
    expect(await live()).toEqual([])
    await world.engine.restore('test.order', wang(), id)
    expect(await live()).toEqual([{ name: 'a' }])
    expect((await linesOf(id))[0]!.parts).toMatchObject([{ name: 'p' }])
  })

  it('are hidden with their field and from whoever may not write them', async () => {
    const { id } = await save({ lines: [{ name: 'a', quantity: 1, price: '7' }] })
    const [line] = await linesOf(id)
    const blind = wang({ fieldRules: { 'test.order.lines': 'hide' } })
    expect(await view(id, blind)).not.toHaveProperty('lines')
    await expect(save({ id, lines: [] }, blind)).rejects.toMatchObject({ reason: 'noPermission' })
    const priceless = wang({ fieldRules: { 'test.orderLine.price': 'hide' } })
    const seen = (await view(id, priceless)).lines as EntityRecord[]
    expect(seen[0]).not.toHaveProperty('price')
    await save({ id, lines: [{ ...seen[0], quantity: 2 }] }, priceless)
    expect(await linesOf(id)).toMatchObject([{ id: line!.id, quantity: 2, price: '7' }])
  })

  it('stand in the history of their head: what came, what went, which cells changed', async () => {
    const { id } = await save({
      lines: [
        { name: 'a', quantity: 1 },
        { name: 'b', quantity: 2 },
      ],
    })
    const [a] = await linesOf(id)
    await save({
      id,
      lines: [
        { name: 'c', quantity: 3, productId: screw },
        { id: a!.id, quantity: 4 },
      ],
    })
    const { records } = await world.engine.log('test.order', wang(), id)
    expect(records).toHaveLength(2)
    expect(records[0]!.changes.find(({ field }) => field === 'lines')).toMatchObject({
      lines: {
        entries: [
          {
            kind: 'added',
            position: 1,
            title: 'c',
            cells: [
              { label: 'Name', after: 'c' },
              { label: 'Product', after: 'Screw' },
              { label: 'Quantity', after: '3' },
            ],
          },
          { kind: 'changed', position: 2, title: 'a', cells: [{ label: 'Quantity', before: '1', after: '4' }] },
          { kind: 'removed', position: 2, title: 'b' },
        ],
      },
    })
    const { rows } = await world.database.query(`select 1 from sys_audit_log where entity = 'test.orderLine'`)
    expect(rows).toEqual([])
  })

  it('of a large sheet are saved in parts, each checked, and counted with the last one', async () => {
    const { id, version } = await save({})
    const part = (body: { version: number; rows: EntityRecord[]; removed?: string[]; total?: number }) =>
      world.engine.saveLines('test.order', wang(), 'sheet', { id, ...body })
    const rows = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ name: `r${from + index}` }))
    const first = await part({ version, rows: rows(1, 1_500) })
    expect(first).toMatchObject({ version: version + 1, total: 1_500 })
    await expect(part({ version, rows: [] })).rejects.toMatchObject({ reason: 'stale' })
    expect((await errorsOf(part({ version: first.version, rows: [{ name: 'x', rate: 'y' }] }))).errors).toEqual([
      { field: 'sheet.0.rate', rule: 'format' },
    ])
    const wrong = part({ version: first.version, rows: rows(1_501, 1_500), total: 3_001 })
    expect((await errorsOf(wrong)).errors).toEqual([{ field: 'sheet', rule: 'count' }])
    const second = await part({ version: first.version, rows: rows(1_501, 1_500), total: 3_000 })
    const third = await part({
      version: second.version,
      rows: [{ id: first.ids[6], rate: '0.5' }, { name: 'last' }],
      removed: [first.ids[0]!],
      total: 3_000,
    })
    expect(third.total).toBe(3_000)
    const { rows: stored } = await world.database.query(
      `select name, position, rate::text from test_order_cell where order_id = $1 and deleted_at is null and (rate is not null or position in (2, 3000, 3001)) order by position`,
      [id],
    )
    expect(stored).toEqual([
      { name: 'r2', position: 2, rate: null },
      { name: 'r7', position: 7, rate: '0.5' },
      { name: 'r3000', position: 3_000, rate: null },
      { name: 'last', position: 3_001, rate: null },
    ])
    const { records } = await world.engine.log('test.order', wang(), id)
    expect(records[0]!.changes).toMatchObject([
      {
        field: 'sheet',
        lines: { entries: [{ kind: 'changed', position: 7, title: 'r7' }, { kind: 'added' }, { kind: 'removed' }] },
      },
    ])
  })

  describe('the number of statements', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `n${index}`, quantity: 1 + index, parts: [{ name: 'p', pieces: 1 }] }))
    beforeEach(() => save({ lines: many(2) }))
    it('is the same for 1 line and for 500: new, changed, replaced and deleted ones', async () => {
      const count = async (size: number): Promise<number[]> => {
        let id = ''
        const created = await statements(world.database, async () => void ({ id } = await save({ lines: many(size) })))
        const stored = await linesOf(id)
        const changed = await statements(world.database, () =>
          save({ id, lines: stored.map((line) => ({ ...line, quantity: line.quantity + 1 })) }),
        )
        const replaced = await statements(world.database, () => save({ id, lines: many(size) }))
        const removed = await statements(world.database, () => world.engine.remove('test.order', wang(), id))
        return [created, changed, replaced, removed]
      }
      const one = await count(1)
      for (const statements of one) expect(statements).toBeGreaterThan(3)
      expect(await count(500)).toEqual(one)
    })
  })
})

describe('what a transition does', () => {
  const label = (name: string) => ({ zh: name, en: name })
  const ofLines = [{ field: 'id', operator: 'in', value: '{{ map(lines, line => line.productId) }}' }]
  /** Ends an order: all its products are renamed after it. */
  const ending = {
    ...order,
    properties: { ...order.properties, status: { type: 'string', 'x-dictionary': 'shareStatus', 'x-label': label('Status') } },
    'x-lookups': {
      ended: { count: 'test.product', where: [...ofLines, { field: 'name', operator: 'startsWith', value: 'Sold' }] },
    },
    'x-states': [
      {
        field: 'status',
        initial: 'accepted',
        transitions: [
          {
            ...{ id: 'end', label: label('End'), from: ['accepted'], to: 'ended' },
            refuse: [
              { id: 'none', when: '{{ len(lines) === 0 }}', message: label('It has no lines.') },
              { id: 'sold', when: '{{ ended > 0 }}', message: label('Sold already: {{ ended }}.') },
            ],
            effects: [
              {
                ...{ id: 'rename', do: 'set', on: { entity: 'test.product', where: ofLines } },
                with: { name: "{{ 'Sold by ' + code + ' x' + string(sum(lines.quantity)) }}" },
              },
            ],
          },
        ],
      },
    ],
  } as unknown as EntityDocument

  it('reads the lines of its record: in effects, in refusals and in look-ups', async () => {
    const ends = await openWorld(orderDocuments.map((document) => (document.name === 'test.order' ? ending : document)))
    const [bolt, ring, other] = [newId(), newId(), newId()]
    await ends.engine.transaction(systemContext(), (entities) =>
      entities.insertMany('test.product', [
        { id: bolt, name: 'Bolt' },
        { id: ring, name: 'Ring' },
        { id: other, name: 'Other' },
      ]),
    )
    const saved = async (code: string, lines: EntityRecord[]) =>
      (await ends.engine.save('test.order', wang(), { code, lines })).id
    const end = (id: string) =>
      ends.engine.stateUpdate('test.order', wang(), { ids: [id], transition: 'end' }).then(
        () => 'ended',
        (error: unknown) => (error as Error).message,
      )
    const id = await saved('E1', [
      { name: 'a', quantity: 2, productId: bolt },
      { name: 'b', quantity: 3, productId: ring },
    ])
    expect(await end(await saved('E0', []))).toBe('It has no lines.')
    expect(await end(id)).toBe('ended')
    const { rows } = await ends.database.query<{ name: string }>('select name from test_product order by id')
    expect(rows.map(({ name }) => name)).toEqual(['Sold by E1 x5', 'Sold by E1 x5', 'Other'])
    expect(await end(await saved('E2', [{ name: 'a', quantity: 1, productId: bolt }]))).toBe('Sold already: 1.')
    await ends.close()
  })
})
