import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { ConnectionTransaction } from '../../../../gateway/platform/database/transaction'
import { systemContext, type ServiceError } from '../../../../gateway/platform/http'
import { handOverDictionaries, handOverEntities } from '../../../fixtures/entities/handOver'
import { client, note } from '../../../fixtures/entities/documents'
import { seat, seatStatus } from '../../../fixtures/entities/seats'
import { as, openWorld, PEOPLE, type World } from './world'

let world: World
const asked: string[][] = []
beforeAll(async () => {
  world = await openWorld([client, note, seat, ...handOverEntities], [...handOverDictionaries, seatStatus])
  await world.database.query(`update sys_staff set status = 'active'`)
  world.engine.registerRules('test', (_db, _key, _now, subjects) => {
    asked.push(subjects.map(({ staffId, grade }) => [staffId, grade].join('/')))
    const params = subjects.map(({ staffId, grade }) => ({ most: grade === 'plain' ? 3 : 99, uncounted: 'lent', first: staffId }))
    return Promise.resolve({ version: 7, params })
  })
})
afterAll(() => world.close())

const seats = async (count: number, more: object = {}): Promise<string[]> => {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: newId(),
    name: `seat ${index}`,
    grade: 'plain',
    status: 'free',
    ...more,
  }))
  await world.engine.transaction(systemContext(), (entities) => entities.insertMany('test.seat', rows))
  return rows.map(({ id }) => id)
}
const take = (ids: readonly string[], person: string) =>
  world.engine.stateUpdate('test.seat', as(PEOPLE.wang), { ids: [...ids], transition: 'take', values: { person } })
const taken = async (person: string): Promise<number> =>
  Number(
    (await world.database.query<{ n: number }>(`select count(*) as n from test_seat where for_id = $1`, [person])).rows[0]!.n,
  )

describe('a refusal that counts', () => {
  it('binds the records of one call together, and says which of them were too many', async () => {
    const { done, refused } = await take(await seats(5), PEOPLE.li)
    expect([done.length, refused.length]).toEqual([3, 2])
    expect(refused[0]!.reason).toBe('At most 3')
    const [one] = await seats(1)
    const error = (await take([one!], PEOPLE.li).catch((thrown: unknown) => thrown)) as ServiceError
    expect([error.code, error.data]).toEqual([10030002, { transition: 'take', reason: 'tooMany' }])
  })

  it('binds everybody who writes at the same time', async () => {
    const ids = await seats(8)
    const answers = await Promise.allSettled(ids.map((id) => take([id], PEOPLE.zhao)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await taken(PEOPLE.zhao)).toBe(3)
  })

  it('asks the rules for the person of an input, with what else exceptions hold for, in as many statements for 200 records as for one', async () => {
    const statements = async (ids: readonly string[]): Promise<number> => {
      const query = vi.spyOn(ConnectionTransaction.prototype, 'query')
      expect((await take(ids, PEOPLE.boss)).done).toHaveLength(ids.length)
      const { length } = query.mock.calls
      query.mockRestore()
      return length
    }
    asked.length = 0
    const few = await statements(await seats(2, { grade: 'good', name: 'lent' }))
    expect(asked).toContainEqual([`${PEOPLE.boss}/good`])
    expect(await statements(await seats(80, { grade: 'good', name: 'lent' }))).toBe(few)
  })

  it('tells in the history which version of the rules decided', async () => {
    const [one] = await seats(1, { name: 'lent', grade: 'good' })
    await take([one!], PEOPLE.boss)
    const { rows } = await world.database.query<{ cause: string | null }>(
      `select cause from sys_audit_log where entity = 'test.seat' and record_id = $1 and action = 'state'`,
      [one],
    )
    expect(rows).toEqual([{ cause: expect.stringContaining('test.seats 7') }])
  })
})

describe('a state that is worked out', () => {
  it('may read the rules for whoever asks, and does what entering it does', async () => {
    const [plain, best] = [...(await seats(1, { name: 'lent' })), ...(await seats(1, { name: 'lent', grade: 'best' }))]
    await take([plain!], PEOPLE.other)
    await take([best!], PEOPLE.other)
    const { rows } = await world.database.query<{ status: string; at: string | null }>(
      `select status, free_from as at from test_seat where id = any($1) order by status desc`,
      [[plain, best]],
    )
    expect(rows.map(({ status, at }) => [status, at && new Date(at).toISOString()])).toEqual([
      ['taken', null],
      ['inTurn', '2026-03-09T02:00:00.000Z'],
    ])
  })
})
