import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DerivedRow, Entities } from '../../../../gateway/entities'
import type { EntityRecord } from '../../../../gateway/entities/calls'
import { addDays, dayOf } from '../../../../gateway/platform/calendar'
import { systemContext } from '../../../../gateway/platform/http'
import { client, note, share } from '../../../fixtures/entities/documents'
import { handOverDictionaries, handOverEntities } from '../../../fixtures/entities/handOver'
import { renewedDocuments } from '../../../fixtures/entities/renewed'
import { countingStatements } from './countStatements'
import { openWorld, PEOPLE, type World } from './world'

const ZONE = 'Asia/Shanghai'
/** What the function reads besides the record. */
const rule = { extra: 0, most: 100, remindDays: [3, 1] }
const asked: DerivedRow[][] = []

const base = [client, note, share, ...handOverEntities]

let world: World
beforeAll(async () => {
  world = await openWorld([...base, ...renewedDocuments], handOverDictionaries)
  world.engine.registerDerivation('test.callOn', ({ now, timeZone }, rows) => {
    asked.push(structuredClone([...rows]))
    return Promise.resolve(
      rows.map(({ record: { days } }) =>
        typeof days === 'number'
          ? { callOn: addDays(dayOf(now, timeZone), days + rule.extra), why: `in ${days + rule.extra} days` }
          : {},
      ),
    )
  })
  world.engine.registerRules('test', (...[, , , all]) => Promise.resolve({ version: 1, params: all.map(() => rule) }))
  await world.database.query(`update sys_staff set status = 'active'`)
})
beforeEach(() => {
  Object.assign(rule, { extra: 0, most: 100 })
  asked.length = 0
})
afterAll(() => world.close())

const NOW = new Date('2026-03-10T02:00:00Z')
const within = <Result>(work: (entities: Entities) => Promise<Result>, now = NOW): Promise<Result> =>
  world.engine.transaction(systemContext({ now }), work)
const save = (values: EntityRecord): Promise<EntityRecord> => within((entities) => entities.save('test.promise', values))
const find = async (entity: string, id: unknown): Promise<EntityRecord> =>
  (await within((entities) => entities.find(entity, String(id))))!

describe('a derived value of a function', () => {
  it('is set with its record and follows the fields that it reads, all fields of a function by one call, without version or history', async () => {
    const made = await save({ name: 'A', days: 3 })
    expect(made).toMatchObject({ callOn: '2026-03-13', why: 'in 3 days', shown: 'A: in 3 days', version: 1 })
    expect(asked.map((rows) => rows.map(({ before }) => before))).toEqual([[null]])
    expect(await save({ id: made.id, days: 5 })).toMatchObject({ callOn: '2026-03-15', version: 2 })
    expect(asked[1]).toMatchObject([{ before: { days: 3 }, record: { days: 5, callOn: '2026-03-13' } }])
    // what it does not read asks nobody
    await save({ id: made.id, name: 'B' })
    expect(asked).toHaveLength(2)
    expect(await find('test.promise', made.id)).toMatchObject({ shown: 'B: in 5 days', version: 3 })
    const { rows } = await world.database.query<{ changes: { field: string }[] }>(
      `select changes from sys_audit_log where record_id = $1 and action = 'update'`,
      [made.id],
    )
    expect(rows.flatMap(({ changes }) => changes.map(({ field }) => field)).sort()).toEqual(['days', 'name'])
    await expect(save({ id: made.id, callOn: '2030-01-01' })).rejects.toThrow()
  })

  it('feeds rollups, can be filtered by, and stays as it is outside its states', async () => {
    const caller = await within((entities) => entities.save('test.caller', { name: 'C' }))
    const made = await save({ name: 'D', days: 1, callerId: caller.id })
    await save({ name: 'E', callerId: caller.id })
    expect(await find('test.caller', caller.id)).toMatchObject({ calls: 1 })
    const page = await world.engine.queryPage('test.promise', systemContext(), {
      where: [
        { field: 'callerId', operator: 'eq', value: caller.id },
        { field: 'callOn', operator: 'lte', value: '2026-03-12' },
      ],
    })
    expect(page.records.map(({ id }) => id)).toEqual([made.id])
    await within((entities) => entities.transition('test.promise', String(made.id), 'keep'))
    await save({ id: made.id, days: 9 })
    expect(await find('test.promise', made.id)).toMatchObject({ days: 9, callOn: '2026-03-11' })
  })

  it('is worked out for many records by as many statements as for one, and in bulk changes', async () => {
    const statements = (count: number): Promise<number> =>
      world.engine.transaction(systemContext({ now: NOW }), (entities, tx) =>
        countingStatements(tx, async () => {
          const rows = Array.from({ length: count }, (_, at) => ({
            id: `many${count}-${at}`,
            name: 'M',
            status: 'open',
            days: 1,
          }))
          await entities.insertMany('test.promise', rows)
          await entities.changeMany('test.promise', new Map(rows.map(({ id }) => [id, { days: 2 }])), { reason: 'test' })
        }),
      )
    const one = await statements(1)
    asked.length = 0
    expect(await statements(200)).toBe(one)
    expect(asked.map((rows) => rows.length)).toEqual([200, 200])
    expect(await find('test.promise', 'many200-7')).toMatchObject({ callOn: '2026-03-12', version: 2 })
  })

  it('is renewed every night and with a new version of its rules, only where it differs, and what follows from it too', async () => {
    await world.database.query('truncate test_promise, test_caller')
    const caller = await within((entities) => entities.save('test.caller', { name: 'N' }))
    const open = await save({ name: 'F', days: 2, callerId: caller.id })
    const kept = await save({ name: 'G', days: 2 })
    await within((entities) => entities.transition('test.promise', String(kept.id), 'keep'))
    const tomorrow = new Date('2026-03-11T02:00:00Z')
    const run = (dry: boolean) =>
      world.engine.renewal.run({ now: tomorrow, day: dayOf(tomorrow, ZONE), dry, startedBy: null }, () => undefined)
    const figures = [
      { id: 'test.promise.callOn', title: { zh: '承诺：回电日', en: 'Promise: Call on' }, value: 1 },
      { id: 'test.promise.why', title: { zh: '承诺：原因', en: 'Promise: Why' }, value: 0 },
    ]
    expect((await run(true)).figures).toEqual(figures)
    expect(await find('test.promise', open.id)).toMatchObject({ callOn: '2026-03-12' })
    expect((await run(false)).figures).toEqual(figures)
    expect(await find('test.promise', open.id)).toMatchObject({ callOn: '2026-03-13', version: 1, updatedAt: open.updatedAt })
    expect(await find('test.promise', kept.id)).toMatchObject({ callOn: '2026-03-12' })
    expect((await run(false)).figures.map(({ value }) => value)).toEqual([0, 0])

    rule.extra = 4
    expect(await world.engine.renew('test.other', tomorrow)).toEqual([])
    expect(await world.engine.renew('test.call', tomorrow)).toMatchObject([{ rows: 1, changed: 1 }, { changed: 1 }])
    expect(await find('test.promise', open.id)).toMatchObject({ callOn: '2026-03-17', shown: 'F: in 6 days' })
    expect(await find('test.caller', caller.id)).toMatchObject({ calls: 1 })
    expect((await world.engine.reconcile()).filter(({ drifted }) => drifted > 0)).toEqual([])
  })

  it('fills records that were there before, and names a function that nobody registered', async () => {
    await world.database.query(`update test_promise set call_on = null, why = null where status = 'open'`)
    await world.database.query(`delete from entity_kept_field`)
    await world.engine.fillKept()
    const { rows } = await world.database.query<{ why: string }>(`select why from test_promise where status = 'open'`)
    expect(rows).toEqual([{ why: 'in 2 days' }])
    const [caller, promise] = renewedDocuments
    const { callOn, ...others } = promise!.properties
    const wrong = { ...callOn!, 'x-derived': { ...callOn!['x-derived'], function: 'test.nowhere' } }
    world.engine.use([...base, caller!, { ...promise!, properties: { ...others, callOn: wrong } }])
    await expect(save({ name: 'H', days: 1 })).rejects.toThrow('test.nowhere')
    world.engine.use([...base, ...renewedDocuments])
  })
})

describe('a deadline on a day that a function says', () => {
  const run = (now: string) =>
    world.engine.deadlines.run({ now: new Date(now), day: dayOf(now, ZONE), dry: false, startedBy: null }, () => undefined)
  const figures = async (now: string) => Object.fromEntries((await run(now)).figures.map(({ id, value }) => [id, value]))
  const todos = async () =>
    (
      await world.database.query<{ id: string; staff: string; title: string; status: string }>(
        `select id, staff_id as staff, title_en as title, status from sys_todo order by status, title_en, staff_id`,
      )
    ).rows
  const stored = (rows: readonly EntityRecord[]) =>
    within((entities) =>
      entities.insertMany(
        'test.promise',
        rows.map((row) => ({ status: 'open', ...row })),
      ),
    )

  beforeEach(async () => {
    await world.database.query(
      'truncate test_promise, sys_todo, entity_deadline_done, entity_deadline_night, entity_deadline_parked',
    )
  })

  it('asks the function again right before, keeps what is not due any more, and says why the others went', async () => {
    await stored([
      { id: 'p1', name: 'A', days: 1 },
      { id: 'p2', name: 'B', days: 1 },
    ])
    await world.database.query(`update test_promise set days = 0 where id = 'p2'`)
    // the stored day of p1 was true on the 10th; a day later the function says another one
    const report = await run('2026-03-11T02:00:00Z')
    expect(report.figures.map(({ id, value }) => [id, value])).toEqual([
      ['test.promise.call', 1],
      ['kept', 1],
      ['test.promise.call.remind', 1],
    ])
    expect(report.rows.map(({ id, status, error }) => [id, (status as { en: string }).en, error])).toEqual([
      ['p2', expect.any(String), { zh: 'in 0 days', en: 'in 0 days' }],
      ['p1', 'Kept after a second look', { zh: 'in 1 days', en: 'in 1 days' }],
      ['p1', 'Reminded', null],
    ])
    expect(await find('test.promise', 'p1')).toMatchObject({ status: 'open', callOn: '2026-03-12', version: 1 })
    expect(await find('test.promise', 'p2')).toMatchObject({ status: 'missed' })
  })

  it('tells how many a full night leaves, and does not look again before the next one', async () => {
    rule.most = 1
    await stored([
      { id: 'q1', name: 'A', days: 0 },
      { id: 'q2', name: 'B', days: 0 },
    ])
    const at = '2026-03-10T02:00:00Z'
    expect(await world.engine.deadlines.waiting(new Date(at))).toBe(true)
    expect(await figures(at)).toEqual({ 'test.promise.call': 1, left: 1 })
    expect(await world.engine.deadlines.waiting(new Date(at))).toBe(false)
  })

  it('reminds so many days before as rules say, one by one, the newer in place of the earlier, until it is over', async () => {
    const many = Array.from({ length: 25 }, (_, at) => ({ id: `r${at}`, name: `N${at}`, days: 3, holderId: PEOPLE.wang }))
    await stored(many)
    expect(await figures('2026-03-10T02:00:00Z')).toEqual({ 'test.promise.call.remind': 25 })
    const before = await todos()
    expect(before).toHaveLength(25)
    expect(await figures('2026-03-11T02:00:00Z')).toEqual({})
    // it is somebody else's by then
    await world.database.query(`update test_promise set holder_id = $1 where id = 'r0'`, [PEOPLE.li])
    expect(await figures('2026-03-12T02:00:00Z')).toEqual({ 'test.promise.call.remind': 25 })
    const after = await todos()
    expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort())
    expect(after[0]).toMatchObject({ staff: PEOPLE.li, title: 'N0 on 2026-03-13', status: 'open' })
    await world.database.query(`update test_promise set days = 0`)
    expect(await figures('2026-03-13T02:00:00Z')).toMatchObject({ 'test.promise.call': 25 })
    expect((await todos()).map(({ status }) => status)).toEqual(Array(25).fill('dropped'))
  })
})
