import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import { application } from '../../../fixtures/entities/constraints'
import { documents } from '../../../fixtures/entities/documents'
import { as, clientRow, openWorld, PEOPLE, startEngine, type World } from './world'
import { countingStatements } from './countStatements'

let world: World
let clients: string[]
const me = as(PEOPLE.wang)

beforeAll(async () => {
  world = await openWorld([...documents, application])
})
afterAll(() => world.close())
beforeEach(async () => {
  clients = Array.from({ length: 3 }, () => newId())
  await world.engine.transaction(systemContext(), async (entities, tx) => {
    await tx.query('delete from test_application')
    await entities.insertMany(
      'test.client',
      clients.map((id) => clientRow({ id, ownerId: PEOPLE.wang })),
    )
  })
})

const apply = (body: Record<string, unknown>) => world.engine.save('test.application', me, { title: 'A', ...body })
const statesOf = async (clientId: string | null): Promise<string[]> => {
  const { rows } = await world.database.query<{ status: string }>(
    'select status from test_application where client_id is not distinct from $1 order by status',
    [clientId],
  )
  return rows.map(({ status }) => status)
}
const refused = (attempt: Promise<unknown>) =>
  attempt.then(
    () => undefined,
    (error: { code?: number; message: string; data: unknown }) => ({
      code: error.code,
      message: error.message,
      data: error.data,
    }),
  )

describe('x-unique with conditions', () => {
  it('lets one row of a key meet them at a time, and tells its own sentence with its own code', async () => {
    const first = await apply({ clientId: clients[0], status: 'pending' })
    await apply({ clientId: clients[0], status: 'draft' })
    await apply({ clientId: clients[0], status: 'pending', urgent: true, most: 9 })
    await apply({ clientId: clients[1], status: 'pending' })
    expect(await refused(apply({ clientId: clients[0], status: "asked'back" }))).toMatchObject({
      code: 10060053,
      message: 'An application for this client is running.',
      data: { errors: [{ field: 'clientId', message: 'An application for this client is running.' }] },
    })
    await world.engine.save('test.application', me, { id: first.id, status: 'done' })
    await apply({ clientId: clients[0], status: "asked'back" })
    expect(await statesOf(clients[0]!)).toEqual(["asked'back", 'done', 'draft', 'pending'])
  })

  it('never finds rows with an empty key the same', async () => {
    const both = [await apply({ status: 'pending' }), await apply({ status: 'pending' })]
    expect(new Set(both.map(({ id }) => id)).size).toBe(2)
    expect(await statesOf(null)).toEqual(['pending', 'pending'])
  })

  it('is made anew by the migrator when its conditions change', async () => {
    const [running] = application['x-unique']!
    const open = { ...running!, where: [{ field: 'status', operator: 'eq' as const, value: 'open' as never }] }
    const names = async () => {
      const { rows } = await world.database.query<{ name: string }>(
        `select indexname as name from pg_indexes where indexname like 'test_application_client_id_%key'`,
      )
      return rows.map(({ name }) => name)
    }
    const before = await names()
    expect(before).toHaveLength(1)
    await startEngine(world.database, [...documents, { ...application, 'x-unique': [open] }])
    const after = await names()
    expect(after).toHaveLength(1)
    expect(after).not.toEqual(before)
    await startEngine(world.database, [...documents, application])
    expect(await names()).toEqual(before)
  })
})

describe('x-limits', () => {
  const accepted = () => apply({ toStaffId: PEOPLE.li, status: 'accepted' })

  it('refuses the row that is one too many, whether it comes new, is changed to count, or is restored', async () => {
    const [first] = [await accepted(), await accepted(), await accepted()]
    const message = 'A person receives at most 3 applications.'
    expect(await refused(accepted())).toMatchObject({ code: 10030002, message, data: { reason: 'received' } })
    const draft = await apply({ toStaffId: PEOPLE.li })
    expect(await refused(world.engine.save('test.application', me, { id: draft.id, status: 'accepted' }))).toMatchObject({
      message,
    })
    const other = await apply({ toStaffId: PEOPLE.zhao, status: 'accepted' })
    expect(await refused(world.engine.save('test.application', me, { id: other.id, toStaffId: PEOPLE.li }))).toMatchObject({
      message,
    })
    await world.engine.save('test.application', me, { id: first!.id, title: 'A counted row may change' })
    await world.engine.remove('test.application', me, first!.id)
    await accepted()
    expect(await refused(world.engine.restore('test.application', me, first!.id))).toMatchObject({ message })
  })

  it('reads how many from the record, and says its sentence and code', async () => {
    const urgent = () => apply({ clientId: clients[0], status: 'x', urgent: true, most: 2 })
    await urgent()
    await urgent()
    expect(await refused(urgent())).toMatchObject({
      code: 10060054,
      message: 'This client has 2 urgent applications, 2 at most.',
    })
    await apply({ clientId: clients[0], status: 'x', urgent: true })
  })

  it('holds for bulk changes that do not read its fields', async () => {
    const drafts = [await apply({ toStaffId: PEOPLE.li }), await apply({ toStaffId: PEOPLE.li })]
    await accepted()
    const change = (ids: readonly { id: string }[]) =>
      world.engine.transaction(systemContext({ locale: 'en' }), (entities) =>
        entities.changeMany('test.application', new Map(ids.map(({ id }) => [id, { status: 'accepted' }]))),
      )
    await change(drafts)
    expect(await refused(change([await apply({ toStaffId: PEOPLE.li })]))).toMatchObject({ code: 10030002 })
    expect(await refused(accepted())).toMatchObject({ code: 10030002 })
  })

  it('holds against 32 writers at once', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 32 }, accepted))
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const { rows } = await world.database.query(`select 1 from test_application where status = 'accepted'`)
    expect(rows).toHaveLength(3)
  })

  it('asks the database as often for 200 rows as for one', async () => {
    const ids = (count: number) => Array.from({ length: count }, () => newId())
    const statementsFor = (count: number) =>
      world.engine.transaction(systemContext(), async (entities, tx) => {
        const rows = ids(count).map((id, index) => ({
          id,
          title: 'A',
          toStaffId: `many${index}`,
          clientId: newId(),
          urgent: true,
          most: 5,
        }))
        await entities.insertMany('test.application', rows)
        return countingStatements(tx, () =>
          entities.changeMany('test.application', new Map(rows.map(({ id }) => [id, { status: 'accepted' }]))),
        )
      })
    expect(await statementsFor(200)).toBe(await statementsFor(1))
  })
})
