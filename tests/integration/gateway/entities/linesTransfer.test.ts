import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntityRecord } from '../../../../gateway/entities'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import { orderDocuments } from '../../../fixtures/entities/orders'
import { as, openWorld, PEOPLE, type World } from './world'

let world: World
let folder: string
const screw = newId()
beforeAll(async () => {
  world = await openWorld(orderDocuments)
  folder = await mkdtemp(join(tmpdir(), 'lines-'))
  await world.engine.transaction(systemContext(), (entities) =>
    entities.insertMany('test.product', [{ id: screw, code: 'P1', name: 'Screw' }]),
  )
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true })
})

const wang = () => ({ ...as(PEOPLE.wang), scopes: { 'test.order': ['own' as const] } })
const preview = async (rows: readonly (readonly unknown[])[]) => {
  const path = join(folder, `${newId()}.csv`)
  await writeFile(path, rows.map((row) => row.join(',')).join('\n'))
  return world.engine.importPreview('test.order', wang(), { name: 'orders.csv', path })
}
const orders = async () =>
  (await world.engine.queryPage('test.order', wang(), { sort: [{ field: 'code', order: 'asc' }] })).records
const linesOf = async (id: unknown) => (await world.engine.view('test.order', wang(), String(id))).record.lines as EntityRecord[]

describe('a sheet of records with lines', () => {
  it('is imported with a row a line: rows of one key are one record, its columns may stay empty', async () => {
    const checked = await preview([
      ['Number', 'Currency', 'Lines: Name', 'Lines: Quantity', 'Lines: Product'],
      ['A1', 'EUR', 'a', 1, 'P1'],
      ['A1', 'EUR', 'b', 2, ''],
      ['', '', 'c', 3, ''],
      ['A2', 'USD', 'd', 4, ''],
    ])
    expect(checked).toMatchObject({ total: 4, valid: 4, errors: [] })
    const done = await world.engine.importCommit('test.order', wang(), { importId: checked.importId, skipFaulty: false })
    expect(done).toMatchObject({ created: 2, refusedTotal: 0 })
    const [first, second] = await orders()
    expect(first).toMatchObject({ code: 'A1', currency: 'EUR' })
    expect(await linesOf(first!.id)).toMatchObject([
      { name: 'a', quantity: 1, productId: screw, position: 1 },
      { name: 'b', quantity: 2 },
      { name: 'c', quantity: 3, position: 3 },
    ])
    expect(await linesOf(second!.id)).toMatchObject([{ name: 'd', quantity: 4 }])
  })

  it('tells each fault with its row and cell, and one keeps the whole record from being saved', async () => {
    const checked = await preview([
      ['Number', 'Currency', 'Lines: Name', 'Lines: Quantity', 'Lines: Price'],
      ['B1', 'JPY', 'a', 1, '1.5'],
      ['B1', 'JPY', 'b', 'many', ''],
      ['B1', 'USD', 'c', 3, ''],
      ['B2', 'USD', '', 3, ''],
      ['B3', 'USD', 'e', 3, ''],
    ])
    expect(checked).toMatchObject({ total: 5, valid: 1 })
    expect(checked.errors.map(({ row, column, field }) => ({ row, column, field }))).toEqual([
      { row: 2, column: 'E', field: 'price' },
      { row: 3, column: 'D', field: 'quantity' },
      { row: 4, column: 'B', field: 'currency' },
      { row: 5, column: 'C', field: 'name' },
    ])
    const done = await world.engine.importCommit('test.order', wang(), { importId: checked.importId, skipFaulty: true })
    expect(done).toMatchObject({ created: 1 })
    expect((await orders()).map(({ code }) => code)).toEqual(['A1', 'A2', 'B3'])
  })

  it('takes 10,000 lines in one go, in one record', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => [index === 0 ? 'C1' : '', `n${index}`, index + 1])
    const checked = await preview([['Number', 'Lines: Name', 'Lines: Quantity'], ...rows])
    expect(checked).toMatchObject({ total: 10_000, valid: 10_000 })
    const done = await world.engine.importCommit('test.order', wang(), { importId: checked.importId, skipFaulty: false })
    expect(done).toMatchObject({ created: 1 })
    const { rows: stored } = await world.database.query<{ count: number; last: number }>(
      'select count(*) as count, max(position) as last from test_order_line l join test_order o on o.id = l.order_id where o.code = $1',
      ['C1'],
    )
    expect(stored).toMatchObject([{ count: 10_000, last: 10_000 }])
    const [large] = (await orders()).filter(({ code }) => code === 'C1')
    expect(await linesOf(large!.id)).toBeNull()
    // what was not read is not saved over: a list of none of them is refused
    await expect(world.engine.save('test.order', wang(), { id: large!.id, lines: [] })).rejects.toMatchObject({
      reason: 'validationFailed',
    })
  }, 60_000)

  it('is exported with a row a line, the columns of the record repeated', async () => {
    const stream = new PassThrough()
    const written = text(stream)
    await world.engine.exportTo(stream, 'test.order', wang(), {
      columns: [
        { field: 'code', title: 'Number' },
        { field: 'lines.name', title: 'Line' },
        { field: 'lines.productId', title: 'Product' },
      ],
      sort: [{ field: 'code', order: 'asc' }],
      where: [{ field: 'code', operator: 'in', value: ['A1', 'A2'] }],
      format: 'csv',
    })
    expect((await written).replace('\ufeff', '').trim().split(/\r?\n/)).toEqual([
      'Number,Line,Product',
      'A1,a,Screw',
      'A1,b,',
      'A1,c,',
      'A2,d,',
    ])
    const both = world.engine.exportTo(new PassThrough(), 'test.order', wang(), {
      columns: [
        { field: 'lines.name', title: 'Line' },
        { field: 'sheet.name', title: 'Row' },
      ],
      format: 'csv',
    })
    await expect(both).rejects.toMatchObject({ reason: 'badRequest' })
  })
})
