import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { systemContext, type ServiceError } from '../../../../gateway/platform/http'
import { changeDictionaries, changeEntities } from '../../../fixtures/entities/change'
import { client, note, share } from '../../../fixtures/entities/documents'
import { handOverDictionaries, handOverEntities } from '../../../fixtures/entities/handOver'
import { as, clientRow, openWorld, PEOPLE, type World } from './world'

let world: World
beforeAll(async () => {
  world = await openWorld(
    [client, note, share, ...handOverEntities, ...changeEntities],
    [...handOverDictionaries, ...changeDictionaries],
  )
})
afterAll(() => world.close())

const owner = as(PEOPLE.wang)

const insertClient = async (): Promise<string> => {
  const row = clientRow({ name: '变更公司', ownerId: PEOPLE.wang })
  await world.engine.transaction(systemContext(), (entities) => entities.insertMany('test.client', [row]))
  return String(row.id)
}
const change = (clientId: string, code: string, more: object = {}) =>
  world.engine.save('test.change', owner, { clientId, code, ...more })
const refusalOf = async (attempt: Promise<unknown>) => {
  const error = (await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as ServiceError
  expect(error, 'it was not refused').toBeDefined()
  return { code: error.code, message: error.messageIn('en'), data: error.data }
}
const addParts = (changeId: string, count: number) =>
  world.engine.transaction(systemContext(), async (entities) => {
    const ids = Array.from({ length: count }, () => newId())
    await entities.insertMany(
      'test.part',
      ids.map((id) => ({ id, changeId, state: 'open' })),
    )
    return ids
  })
const closeParts = (ids: readonly string[]) =>
  world.engine.stateUpdate('test.part', systemContext(), { ids: [...ids], transition: 'close' })
const statusOf = async (id: string): Promise<unknown> =>
  (await world.engine.view('test.change', systemContext(), id)).record.status

it('a running record forbids transitions and deletion of what it names, and what refers to that, with data; not what it does itself', async () => {
  const clientId = await insertClient()
  const { id, record } = await change(clientId, 'C1')
  // its own note is written though notes are forbidden
  expect(record.status).toBe('running')
  const forbidden = {
    code: 10030002,
    message: 'Change C1 is unfinished',
    data: { change: id, done: 0, client: '变更公司' },
  }
  const release = () =>
    world.engine.stateUpdate('test.client', owner, { ids: [clientId], transition: 'release', values: { reason: '没有意向' } })
  const addNote = (text: string) => world.engine.save('test.note', owner, { clientId, text })
  expect(await refusalOf(release())).toEqual(forbidden)
  expect(await refusalOf(world.engine.remove('test.client', systemContext(), clientId))).toEqual(forbidden)
  expect(await refusalOf(addNote('x'))).toEqual(forbidden)
  await world.engine.transaction(systemContext(), async (entities) => {
    const told = await entities.forbidden('test.client', [clientId, await insertClient()])
    expect([...told].map(([of, { data }]) => [of, data])).toEqual([[clientId, forbidden.data]])
  })
  await closeParts(await addParts(id, 1))
  await addNote('y')
  expect((await release()).done).toEqual([clientId])
})

it('a binding automatic transition refuses the write that it is refused in; a draft waits for it', async () => {
  const clientId = await insertClient()
  const first = await change(clientId, 'C2')
  expect((await refusalOf(change(clientId, 'C3'))).message).toBe('Change C2 is unfinished')
  const draft = await change(clientId, 'C4', { draft: true })
  expect(draft.record.status).toBe('draft')
  const start = () => world.engine.stateUpdate('test.change', owner, { ids: [draft.id], transition: 'start' })
  expect((await refusalOf(start())).message).toBe('Change C2 is unfinished')
  await closeParts(await addParts(first.id, 1))
  await start()
  expect(await statusOf(draft.id)).toBe('running')
})

it('an automatic transition follows what is counted of others, once all of them are there, for many records at once', async () => {
  const ids = [await insertClient(), await insertClient()]
  const changes = [await change(ids[0]!, 'C5'), await change(ids[1]!, 'C6')]
  const [first, second] = [await addParts(changes[0]!.id, 2), await addParts(changes[1]!.id, 1)]
  await closeParts([first[0]!])
  expect(await statusOf(changes[0]!.id)).toBe('running')
  await closeParts([first[1]!, ...second])
  expect(await Promise.all(changes.map(({ id }) => statusOf(id)))).toEqual(['done', 'done'])
  const { rows } = await world.database.query<{ cause: string }>(
    `select cause from sys_audit_log where entity = 'test.change' and record_id = $1 and action = 'state' order by record_version desc limit 1`,
    [changes[0]!.id],
  )
  expect(rows[0]?.cause).toMatch(/^test.change\/.+ finish.auto/)
})
