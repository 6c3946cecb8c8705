import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import { dossier, memo } from '../../../fixtures/entities/constraints'
import { documents } from '../../../fixtures/entities/documents'
import { as, clientRow, openWorld, PEOPLE, type World } from './world'

let world: World
let client: string

beforeAll(async () => {
  world = await openWorld([...documents, memo, dossier])
})
afterAll(() => world.close())
beforeEach(async () => {
  client = newId()
  await world.engine.transaction(systemContext(), async (entities, tx) => {
    await tx.query('delete from test_memo')
    await entities.insertMany('test.client', [clientRow({ id: client, ownerId: PEOPLE.boss, holding: 'private' })])
  })
})

const person = (staffId: string, keys: readonly string[] = []) => {
  const context = as(staffId, { keys })
  return { ...context, scopes: { ...context.scopes, 'test.memo': ['own' as const] } }
}
const write = async (values: Record<string, unknown>) => {
  const id = newId()
  await world.engine.transaction(systemContext(), (entities) =>
    entities.insertMany('test.memo', [{ id, name: 'Memo', ownerId: PEOPLE.other, sent: false, ...values }]),
  )
  return id
}
/** What a person may do with the only memo: nothing, see it, or change it. */
const may = async (staffId: string, keys: readonly string[] = []) => {
  const { records } = await world.engine.queryPage('test.memo', person(staffId, keys), {})
  return records.map(({ $write }) => ($write ? 'edit' : 'read'))[0] ?? 'nothing'
}

describe('x-participants', () => {
  it('gives sight and action to whom a field names, while the record meets fixed conditions', async () => {
    const id = await write({ toStaffId: PEOPLE.li })
    expect([await may(PEOPLE.other), await may(PEOPLE.li), await may(PEOPLE.wang)]).toEqual(['edit', 'nothing', 'nothing'])
    await world.database.query('update test_memo set sent = true')
    expect([await may(PEOPLE.li), await may(PEOPLE.wang)]).toEqual(['edit', 'nothing'])
    await world.engine.save('test.memo', person(PEOPLE.li), { id, name: 'Changed by its receiver' })
    await expect(world.engine.save('test.memo', person(PEOPLE.wang), { id, name: 'X' })).rejects.toMatchObject({
      reason: 'notFound',
    })
  })

  it('gives sight to readers in a list and to a department, not action', async () => {
    const id = await write({ readerIds: [PEOPLE.wang, PEOPLE.zhao], toDeptId: 'd4' })
    await world.database.query(`update test_memo set owner_id = '${PEOPLE.boss}'`)
    expect([await may(PEOPLE.zhao), await may(PEOPLE.other), await may(PEOPLE.li)]).toEqual(['read', 'read', 'nothing'])
    await expect(world.engine.save('test.memo', person(PEOPLE.zhao), { id, name: 'X' })).rejects.toMatchObject({
      reason: 'noPermission',
    })
  })

  it('goes through a reference: whoever owns that record or has it shared', async () => {
    await write({ clientId: client })
    expect([await may(PEOPLE.boss), await may(PEOPLE.wang)]).toEqual(['read', 'nothing'])
    await world.engine.transaction(systemContext(), (entities) =>
      entities.insertMany('test.share', [
        { id: newId(), clientId: client, toStaffId: PEOPLE.wang, mode: 'read', status: 'accepted' },
      ]),
    )
    expect([await may(PEOPLE.wang), await may(PEOPLE.li)]).toEqual(['read', 'nothing'])
  })

  it('asks for a key, which alone lets act on what is seen and opens nothing', async () => {
    await write({ clientId: client, readerIds: [PEOPLE.wang] })
    expect([await may(PEOPLE.li, ['test:pool:view']), await may(PEOPLE.li, ['test:memo:desk'])]).toEqual(['nothing', 'nothing'])
    expect([await may(PEOPLE.wang), await may(PEOPLE.wang, ['test:memo:desk'])]).toEqual(['read', 'edit'])
    await world.database.query(`update test_client set holding = 'sea' where id = '${client}'`)
    expect([await may(PEOPLE.li, ['test:pool:view']), await may(PEOPLE.li)]).toEqual(['read', 'nothing'])
  })

  it('goes through records of another entity that name the same as this one', async () => {
    await write({ clientId: client })
    const note = (text: string, createdBy: string) =>
      world.engine.transaction(systemContext(), (entities) =>
        entities.insertMany('test.note', [{ id: newId(), clientId: client, text, createdBy }]),
      )
    await note('closed', PEOPLE.wang)
    await note('open', PEOPLE.li)
    expect([await may(PEOPLE.wang), await may(PEOPLE.li)]).toEqual(['nothing', 'read'])
  })

  it('has an index for every field that names people', async () => {
    const { rows } = await world.database.query<{ text: string }>(
      `select string_agg(indexdef, ' ') as text from pg_indexes where tablename = 'test_memo'`,
    )
    for (const column of ['to_staff_id', 'to_dept_id', 'reader_ids', 'client_id', 'owner_id'])
      expect(rows[0]!.text).toContain(`(${column})`)
  })

  it('opens rows of a restricted entity to whom they name, and to nobody else without its key', async () => {
    const rows = [PEOPLE.li, PEOPLE.wang].map((keeperId) => ({ id: newId(), name: 'Dossier', keeperId }))
    await world.engine.transaction(systemContext(), (entities) => entities.insertMany('test.dossier', rows))
    const seen = async (staffId: string, keys: readonly string[] = []) =>
      (await world.engine.queryPage('test.dossier', person(staffId, keys), {})).records.map(({ keeperId, $write }) => [
        keeperId,
        $write,
      ])
    expect(await seen(PEOPLE.li)).toEqual([[PEOPLE.li, false]])
    expect(await seen(PEOPLE.zhao)).toEqual([])
    expect(await seen(PEOPLE.zhao, ['test:dossier:view'])).toHaveLength(2)
  })
})
