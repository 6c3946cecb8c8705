import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../gateway/platform/http'
import { documents } from '../../../fixtures/entities/documents'
import { meeting, seller, supplier, supplierCheck } from '../../../fixtures/entities/suppliers'
import { as, openWorld, PEOPLE, type World } from './world'

let world: World
const me = as(PEOPLE.wang, { keys: ['test:supplier:merge'] })

beforeAll(async () => {
  world = await openWorld([...documents, supplier, seller, supplierCheck, meeting])
})
afterAll(() => world.close())

const save = async (entity: string, values: Record<string, unknown>) =>
  (await world.engine.transaction(systemContext(), (entities) => entities.save(entity, values))).id as string
const find = (entity: string, id: string) => world.engine.transaction(systemContext(), (entities) => entities.find(entity, id))
const merge = (targetId: string, loserIds: string[], fields: Record<string, string> = {}) =>
  world.engine.merge('test.supplier', me, { targetId, loserIds, fields, reason: 'twice' })
const refused = (attempt: Promise<unknown>) =>
  attempt.then(
    () => undefined,
    (error: { code?: number; message: string }) => ({ code: error.code, message: error.message }),
  )

describe('x-merge', () => {
  it('makes one of three: chosen values, joined facts, references that follow, doubles that become one', async () => {
    const stays = await save('test.supplier', { title: 'Aurora', tags: ['a'], since: '2026-02-01', vat: 'X1' })
    const goes = await save('test.supplier', { title: 'Borealis', tags: ['b'], since: '2026-01-01', vat: 'X2' })
    const third = await save('test.supplier', { title: 'Corona', tags: ['c'] })
    const ada = await save('test.seller', { name: 'Ada', supplierId: stays, mail: 'ada@one.example' })
    const again = await save('test.seller', { name: 'Ada', supplierId: goes, mail: 'ada@one.example', phone: '+861' })
    const same = await save('test.seller', { name: 'Ada', supplierId: third, mail: 'ada@one.example', phone: '+862' })
    const bob = await save('test.seller', { name: 'Bob', supplierId: third, mail: 'bob@two.example' })
    const held = await save('test.meeting', { topic: 'x', withId: goes, aboutIds: [goes, third], sellerIds: [again, same, bob] })
    const alike = await save('test.supplier', { title: 'Delta', likeId: null })

    const preview = await world.engine.mergePreview('test.supplier', me, [stays, goes, third])
    expect(preview).toMatchObject({
      writable: [true, true, true],
      joinable: ['tags'],
      children: [{ entity: 'test.seller', counts: [1, 1, 2] }],
    })
    expect(preview.fields).toEqual(expect.arrayContaining(['title', 'vat']))
    expect(preview.fields).not.toContain('since')

    expect(await merge(stays, [goes, third], { vat: goes, tags: 'all' })).toEqual({
      id: stays,
      moved: { 'test.seller': 1, 'test.meeting': 2 },
    })
    expect(await find('test.supplier', stays)).toMatchObject({
      title: 'Aurora',
      vat: 'X2',
      tags: ['a', 'b', 'c'],
      since: '2026-01-01',
      heads: 2,
      domains: ['one.example', 'two.example'],
      likeId: null,
    })
    expect([await find('test.supplier', goes), await find('test.seller', again), await find('test.seller', same)]).toEqual([
      null,
      null,
      null,
    ])
    expect(await find('test.seller', ada)).toMatchObject({ phone: '+861', supplierId: stays })
    expect(await find('test.meeting', held)).toMatchObject({ withId: goes, aboutIds: [stays], sellerIds: [ada, bob] })
    const { rows } = await world.database.query('select like_id as pointer from test_supplier where id = any($1)', [
      [goes, third],
    ])
    expect(rows).toEqual([{ pointer: stays }, { pointer: stays }])
    expect((await find('test.supplier', alike))?.version).toBe(1)
    const log = await world.engine.log('test.seller', me, bob)
    expect(log.records[0]).toMatchObject({
      action: 'update',
      reason: 'twice',
      changes: [{ field: 'supplierId', before: third, after: stays }],
    })
  })

  it('refuses without the key, for the reasons of the entity, and choices that are none; then nothing has moved', async () => {
    const stays = await save('test.supplier', { title: 'Echo', grade: 'free' })
    const goes = await save('test.supplier', { title: 'Foxtrot' })
    const eve = await save('test.seller', { name: 'Eve', supplierId: goes })
    const without = world.engine.merge('test.supplier', as(PEOPLE.wang), {
      targetId: stays,
      loserIds: [goes],
      fields: {},
      reason: 'twice',
    })
    expect(await refused(without)).toMatchObject({ code: 10010003 })
    expect(await refused(merge(stays, [goes]))).toEqual({ code: 10010007, message: 'Foxtrot cannot go into Echo.' })
    expect(await refused(merge(goes, [stays], { since: stays }))).toMatchObject({ code: 10010001 })
    expect(await refused(merge(goes, [goes]))).toMatchObject({ code: 10010001 })
    expect(await refused(merge(goes, ['nobody']))).toMatchObject({ code: 10010004 })
    expect(await find('test.seller', eve)).toMatchObject({ supplierId: goes })
  })

  it('says that a record is not the one that it resembles', async () => {
    const other = await save('test.supplier', { title: 'Golf' })
    const id = await save('test.supplier', { title: 'Hotel', likeId: other })
    await world.engine.notDuplicate('test.supplier', me, { id, reason: 'another company' })
    expect(await find('test.supplier', id)).toMatchObject({ likeId: null, why: 'another company' })
  })
})
