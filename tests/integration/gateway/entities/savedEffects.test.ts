import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { EntityRecord } from '../../../../gateway/entities'
import { ConnectionTransaction } from '../../../../gateway/platform/database/transaction'
import { systemContext, type ServiceError } from '../../../../gateway/platform/http'
import { booking } from '../../../fixtures/entities/booking'
import { documents } from '../../../fixtures/entities/documents'
import { as, clientRow, openWorld, PEOPLE, type World } from './world'

let world: World
beforeAll(async () => {
  world = await openWorld([...documents, booking])
})
afterAll(() => world.close())

const wang = as(PEOPLE.wang)

async function clientOf(level = 'b'): Promise<string> {
  const row = clientRow({ level, name: '公司', ownerId: PEOPLE.wang })
  await world.engine.transaction(systemContext(), (entities) => entities.insertMany('test.client', [row]))
  return String(row.id)
}
const notesOf = async (clientId: string): Promise<string[]> => {
  const { rows } = await world.database.query<{ text: string }>(
    'select text from test_note where client_id = $1 order by created_at, id',
    [clientId],
  )
  return rows.map(({ text }) => text)
}
const save = (values: EntityRecord) => world.engine.save('test.booking', wang, values)
const refused = async (attempt: Promise<unknown>): Promise<ServiceError> => {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown as ServiceError,
  )
  if (!error) throw new Error('it was not refused')
  return error
}

describe('invariants that ask the database', () => {
  it('refuse a save by what others hold, in a sentence with the figure, at the field', async () => {
    const clientId = await clientOf()
    await save({ clientId, room: 'full', seats: 8 })
    const error = await refused(save({ clientId, room: 'full', seats: 3 }))
    expect(error.code).toBe(10010005)
    expect(error.data).toMatchObject({
      errors: [{ field: 'seats', rule: 'full', message: expect.stringContaining('2') as string }],
    })
    await save({ clientId, room: 'full', seats: 2 })
  })

  it('read what stands behind a reference, and leave what was there before the rule alone', async () => {
    const clientId = await clientOf('c')
    expect(((await refused(save({ clientId, room: 'c', seats: 1 }))).data as { errors: unknown[] }).errors).toEqual([
      expect.objectContaining({ field: 'clientId', rule: 'level' }),
    ])
    const good = await clientOf()
    const { id, version } = await save({ clientId: good, room: 'c', seats: 1 })
    await world.database.query(`update test_client set level = 'c' where id = $1`, [good])
    await save({ id, version, room: 'd' })
  })

  it('compare with what is stored, and answer with the code that the schema names', async () => {
    const clientId = await clientOf()
    const { id, version } = await save({ clientId, room: 'less', seats: 4 })
    const error = await refused(save({ id, version, seats: 3 }))
    expect(error.code).toBe(10030002)
    expect(error.messageIn('en')).toBe('Seats are never taken back')
  })
})

describe('what a plain save does besides', () => {
  it('sets fields of a new record before it is checked, and creates others with it', async () => {
    const clientId = await clientOf()
    const { id } = await save({ clientId, room: 'new', seats: 1 })
    const { record } = await world.engine.view('test.booking', systemContext(), id)
    const held = Date.parse(String(record.until)) - Date.parse(String(record.createdAt))
    expect(Math.round(held / 3_600_000)).toBe(72)
    expect(await notesOf(clientId)).toEqual(['new: 1'])
  })

  it('does at a change what reads the change', async () => {
    const clientId = await clientOf()
    const { id, version } = await save({ clientId, room: 'one', seats: 1 })
    const changed = await save({ id, version, seats: 2 })
    await save({ id, version: changed.version, room: 'two' })
    expect(await notesOf(clientId)).toEqual(['one: 1', 'one -> two'])
  })

  it('does at a deletion what the entity says of it, and at no other change', async () => {
    const clientId = await clientOf()
    const { id } = await save({ clientId, room: 'left', seats: 1 })
    await world.engine.remove('test.booking', wang, id)
    expect(await notesOf(clientId)).toEqual(['left: 1', 'left is free'])
  })

  it('asks as many statements for 100 new records as for one', async () => {
    const clientId = await clientOf()
    const statements = async (room: string, count: number): Promise<number> => {
      const asked = vi.spyOn(ConnectionTransaction.prototype, 'query')
      await world.engine.transaction(systemContext(), (entities) =>
        entities.createMany(
          'test.booking',
          Array.from({ length: count }, (_, index) => ({ clientId, room: `${room}${index}`, seats: 1 })),
        ),
      )
      const { length } = asked.mock.calls
      asked.mockRestore()
      return length
    }
    expect(await statements('many', 100)).toBe(await statements('single', 1))
  })
})
