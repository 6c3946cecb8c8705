import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '../../../../gateway/platform/calendar'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import type { JobReport } from '../../../../gateway/platform/jobs'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import { documents } from '../../../fixtures/entities/documents'
import { offer, offerWith } from '../../../fixtures/entities/offer'
import { openWorld, type World } from './world'

const ZONE = 'Asia/Shanghai'
type Deadlines = NonNullable<EntityDocument['x-deadlines']>

let world: World
beforeAll(async () => {
  const all = offerWith(
    { id: 'moment', at: 'expiresAt', in: ['accepted'], transition: 'end' },
    { id: 'day', at: 'until', in: ['accepted'], transition: 'end' },
    { id: 'kept', at: 'createdAt', plus: 'P18M', delete: true },
  )
  world = await openWorld([...documents, all])
  world.engine.registerEntityService('test.offer.look', {
    effect: ({ record }) => void Object.assign(record, { seen: Number(record.seen) + 1 }),
  })
})
afterAll(() => world.close())

/** The deadlines that hold from now on, on a table without rows. */
async function given(...deadlines: Deadlines): Promise<void> {
  world.engine.use([...documents, offerWith(...deadlines)])
  await world.database.query('truncate test_offer, entity_deadline_parked, entity_deadline_done, entity_deadline_night')
}
async function offers(...rows: readonly Record<string, unknown>[]): Promise<string[]> {
  const made = rows.map((row) => ({ id: newId(), name: '报价', status: 'accepted', seen: 0, held: false, ...row }))
  await world.engine.transaction(systemContext(), (entities) => entities.insertMany('test.offer', made))
  return made.map(({ id }) => id)
}
const run = (now: string, more: { dry?: boolean } = {}): Promise<JobReport> =>
  world.engine.deadlines.run({ now: new Date(now), day: dayOf(now, ZONE), dry: false, startedBy: null, ...more }, () => undefined)
const waiting = (now: string): Promise<boolean> => world.engine.deadlines.waiting(new Date(now))
const stored = async (id: string): Promise<Record<string, unknown> | null> =>
  world.engine.transaction(systemContext(), (entities) => entities.find('test.offer', id))
const statusOf = async (ids: readonly string[]): Promise<unknown[]> =>
  Promise.all(ids.map(async (id) => (await stored(id))?.status ?? null))
const count = (report: JobReport, id: string): number => report.figures.find((figure) => figure.id === id)?.value ?? 0

/** Counts how often it was reminded. */
const reminder = (id: string, before: string): NonNullable<Deadlines[number]['remind']>[number] => ({
  id,
  before,
  effects: [{ id: 'count', do: 'set', with: { seen: '{{ seen + 1 }}' } }],
})

describe('a deadline', () => {
  it('on a moment takes its transition once it has passed, with the state, the conditions and what is added', async () => {
    await given({
      id: 'moment',
      at: 'expiresAt',
      plus: 'PT2H',
      in: ['accepted'],
      where: [{ field: 'name', operator: 'ne', value: '不算' as never }],
      transition: 'end',
      values: { endReason: '{{ name + "过期" }}' },
    })
    const ids = await offers(
      { expiresAt: '2026-03-01T10:00:00.000Z', name: '甲' },
      { expiresAt: '2026-03-01T10:00:00.001Z', name: '乙' },
      { expiresAt: '2026-03-01T09:00:00Z', name: '不算' },
      { expiresAt: '2026-03-01T09:00:00Z', status: 'ended' },
      { expiresAt: null },
    )
    expect(await waiting('2026-03-01T11:59:59.999Z')).toBe(false)
    expect(await waiting('2026-03-01T12:00:00Z')).toBe(true)
    const report = await run('2026-03-01T12:00:00Z')
    expect(count(report, 'test.offer.moment')).toBe(1)
    expect(report.rows).toEqual([
      {
        id: ids[0],
        deadline: { zh: '报价：结束', en: 'Offer: End' },
        code: '甲',
        status: { zh: '已结束', en: 'Ended' },
        error: null,
      },
    ])
    expect(await statusOf(ids)).toEqual(['ended', 'accepted', 'accepted', 'ended', 'accepted'])
    expect(await stored(ids[0]!)).toMatchObject({ endReason: '甲过期', version: 2 })
    expect((await run('2026-03-01T12:00:00Z')).figures).toEqual([])
  })

  it('adds months as the calendar counts them', async () => {
    await given({ id: 'moment', at: 'expiresAt', plus: 'P1M', transition: 'end' })
    // 31 January in Shanghai: a month later is 28 February there
    await offers({ expiresAt: '2026-01-31T01:00:00Z' })
    expect(await waiting('2026-02-28T00:59:59Z')).toBe(false)
    expect(await waiting('2026-02-28T01:00:00Z')).toBe(true)
  })

  it('on a date is due when the day has ended in the company’s zone, or at its time of that day', async () => {
    await given({ id: 'day', at: 'until', transition: 'end' })
    await offers({ until: '2026-03-10' })
    expect([await waiting('2026-03-10T15:59:59Z'), await waiting('2026-03-10T16:00:00Z')]).toEqual([false, true])
    await given({ id: 'night', at: 'until', time: '02:00', transition: 'end' })
    await offers({ until: '2026-03-10' })
    expect([await waiting('2026-03-09T17:59:59Z'), await waiting('2026-03-09T18:00:00Z')]).toEqual([false, true])
    await given({ id: 'later', at: 'until', plus: 'P3D', time: '02:00', transition: 'end' })
    await offers({ until: '2026-03-10' })
    expect([await waiting('2026-03-12T17:59:59Z'), await waiting('2026-03-12T18:00:00Z')]).toEqual([false, true])
  })

  it('shows dry what it would do, for another day too, and writes nothing', async () => {
    await given({ id: 'moment', at: 'expiresAt', transition: 'end' })
    const ids = await offers({ expiresAt: '2026-03-02T10:00:00Z' }, { expiresAt: '2026-03-02T11:00:00Z', held: true })
    const run = { now: new Date('2026-03-01T00:00:00Z'), day: '2026-03-02', dry: true, startedBy: null }
    const report = await world.engine.deadlines.run(run, () => undefined)
    expect([count(report, 'test.offer.moment'), count(report, 'failed')]).toEqual([1, 1])
    expect(await statusOf(ids)).toEqual(['accepted', 'accepted'])
    expect((await world.database.query('select 1 from entity_deadline_parked')).rowCount).toBe(0)
  })

  it('leaves a record that fails alone, lets the others go on, and tries it again later or when it is edited', async () => {
    await given({ id: 'moment', at: 'expiresAt', transition: 'end' })
    const at = '2026-03-01T10:00:00Z'
    const ids = await offers(
      ...Array.from({ length: 7 }, (_, index) => ({ expiresAt: at, held: index === 3, name: `第${index}` })),
    )
    const report = await run('2026-03-01T10:00:00Z')
    expect([count(report, 'test.offer.moment'), count(report, 'failed')]).toEqual([6, 1])
    expect(report.rows[0]).toMatchObject({
      id: ids[3],
      code: '第3',
      status: { en: 'Not done' },
      error: { zh: '已保留，不能结束。', en: 'It is held and cannot end.' },
    })
    expect(await statusOf(ids)).toEqual(ids.map((_, index) => (index === 3 ? 'accepted' : 'ended')))
    expect(await waiting('2026-03-01T10:00:30Z')).toBe(false)
    expect(await waiting('2026-03-01T10:01:01Z')).toBe(true)
    const again = await run('2026-03-01T10:01:01Z')
    expect([count(again, 'test.offer.moment'), count(again, 'failed')]).toEqual([0, 1])
    expect(await waiting('2026-03-01T10:03:00Z')).toBe(false)
    await world.engine.transaction(systemContext(), (entities) => entities.save('test.offer', { id: ids[3], held: false }))
    expect(await waiting('2026-03-01T10:03:00Z')).toBe(true)
    expect(count(await run('2026-03-01T10:03:00Z'), 'test.offer.moment')).toBe(1)
    expect((await world.database.query('select 1 from entity_deadline_parked')).rowCount).toBe(0)
  })

  it('names what still fails in every report', async () => {
    await given({ id: 'moment', at: 'expiresAt', transition: 'end' })
    const [held] = await offers({ expiresAt: '2026-03-01T10:00:00Z', held: true })
    await run('2026-03-01T10:00:00Z')
    const next = await run('2026-03-01T10:00:20Z')
    expect(next.rows).toEqual([
      expect.objectContaining({ id: held, error: expect.objectContaining({ en: 'It is held and cannot end.' }) as unknown }),
    ])
  })

  it('takes no more than its most a night, the earliest first, and the rest in the next', async () => {
    await given({ id: 'night', at: 'until', time: '02:00', most: 2, transition: 'end' })
    const ids = await offers({ until: '2026-03-09' }, { until: '2026-03-07' }, { until: '2026-03-08' })
    expect(count(await run('2026-03-09T19:00:00Z'), 'test.offer.night')).toBe(2)
    expect(await statusOf(ids)).toEqual(['accepted', 'ended', 'ended'])
    // the same night, after midnight of another zone
    expect(count(await run('2026-03-10T17:00:00Z'), 'test.offer.night')).toBe(0)
    expect(count(await run('2026-03-10T18:00:00Z'), 'test.offer.night')).toBe(1)
  })

  it('acts once for a moment when the record stays in its state, and anew for another', async () => {
    await given({ id: 'look', at: 'expiresAt', in: ['accepted'], transition: 'look' })
    const [id = ''] = await offers({ expiresAt: '2026-03-01T10:00:00Z' })
    await run('2026-03-01T10:00:00Z')
    expect(await waiting('2026-03-05T10:00:00Z')).toBe(false)
    await run('2026-03-05T10:00:00Z')
    expect(await stored(id)).toMatchObject({ seen: 1 })
    await world.engine.transaction(systemContext(), (entities) =>
      entities.save('test.offer', { id, expiresAt: '2026-03-04T10:00:00Z' }),
    )
    await run('2026-03-05T10:00:00Z')
    expect(await stored(id)).toMatchObject({ seen: 2 })
  })

  it('never acts twice when two gateways look at the same time', async () => {
    await given({ id: 'look', at: 'expiresAt', in: ['accepted'], transition: 'look' })
    const ids = await offers(...Array.from({ length: 450 }, () => ({ expiresAt: '2026-03-01T10:00:00Z' })))
    const reports = await Promise.all([run('2026-03-01T10:00:00Z'), run('2026-03-01T10:00:00Z')])
    expect(reports.reduce((sum, report) => sum + count(report, 'test.offer.look'), 0)).toBe(450)
    const { rows } = await world.database.query<{ seen: number }>('select distinct seen from test_offer')
    expect([rows, ids.length]).toEqual([[{ seen: 1 }], 450])
  })

  it('reminds once for a moment, and anew when the moment changes', async () => {
    await given({ id: 'moment', at: 'expiresAt', in: ['accepted'], transition: 'end', remind: [reminder('soon', 'P1D')] })
    const [id = ''] = await offers({ expiresAt: '2026-03-10T10:00:00Z', name: '甲' })
    expect(await waiting('2026-03-09T09:59:59Z')).toBe(false)
    expect(await waiting('2026-03-09T10:00:00Z')).toBe(true)
    const report = await run('2026-03-09T10:00:00Z')
    expect([count(report, 'test.offer.moment.remind'), report.rows[0]]).toMatchObject([
      1,
      { code: '甲', status: { en: 'Reminded' } },
    ])
    expect(await stored(id)).toMatchObject({ seen: 1, status: 'accepted' })
    expect(await waiting('2026-03-10T09:00:00Z')).toBe(false)
    await world.engine.transaction(systemContext(), (entities) =>
      entities.save('test.offer', { id, expiresAt: '2026-03-12T10:00:00Z' }),
    )
    await run('2026-03-10T10:00:00Z')
    expect(await stored(id)).toMatchObject({ seen: 1 })
    await run('2026-03-11T10:00:00Z')
    expect(await stored(id)).toMatchObject({ seen: 2 })
  })

  it('reminds late once, by the nearest reminder, and not of what is due already', async () => {
    const remind = [reminder('early', 'P7D'), reminder('late', 'P1D')] as const
    await given({ id: 'day', at: 'until', in: ['accepted'], transition: 'end', remind: [...remind] })
    const ids = await offers({ until: '2026-03-10' }, { until: '2026-03-09' }, { until: '2026-03-16' })
    // nobody looked for days: the first is a day away, the second is over, the third a week away
    const report = await run('2026-03-09T17:00:00Z')
    expect([count(report, 'test.offer.day'), count(report, 'test.offer.day.remind')]).toEqual([1, 2])
    expect(await Promise.all(ids.map(async (id) => (await stored(id))?.seen))).toEqual([1, 0, 1])
    expect(await waiting('2026-03-09T18:00:00Z')).toBe(false)
  })

  it('takes its lengths of time and its limit from rules, as they are now', async () => {
    const rules = { days: 3, most: 1 }
    world.engine.registerRules('test', (...[, , , asked]) => Promise.resolve({ version: 1, params: asked.map(() => rules) }))
    const all = offerWith({ id: 'night', at: 'until', plus: 'P{{ rule.days }}D', most: '{{ rule.most }}', transition: 'end' })
    world.engine.use([...documents, { ...all, 'x-lookups': { rule: { rules: 'test.offer' } } }])
    await world.database.query('truncate test_offer, entity_deadline_parked, entity_deadline_done, entity_deadline_night')
    await offers({ until: '2026-03-10' }, { until: '2026-03-10' })
    expect(await waiting('2026-03-13T15:00:00Z')).toBe(false)
    expect(count(await run('2026-03-13T16:00:00Z'), 'test.offer.night')).toBe(1)
    rules.most = 2
    expect(count(await run('2026-03-13T16:00:00Z'), 'test.offer.night')).toBe(1)
  })

  it('that cannot be worked out is told, and the other deadlines go on', async () => {
    await given(
      { id: 'broken', at: 'until', plus: 'P{{ 1 / 0 }}D', transition: 'end' },
      { id: 'moment', at: 'expiresAt', transition: 'end' },
    )
    await offers({ expiresAt: '2026-03-01T10:00:00Z' })
    const report = await run('2026-03-01T10:00:00Z')
    expect([count(report, 'failed'), count(report, 'test.offer.moment')]).toEqual([1, 1])
  })

  it('says how far it is', async () => {
    await given({ id: 'moment', at: 'expiresAt', transition: 'end', label: { zh: '失效', en: 'Ending offers' } })
    await offers(...Array.from({ length: 3 }, () => ({ expiresAt: '2026-03-01T10:00:00Z' })))
    const told: unknown[] = []
    const now = new Date('2026-03-01T10:00:00Z')
    await world.engine.deadlines.run({ now, day: '2026-03-01', dry: false, startedBy: null }, ({ stage, done, total }) =>
      told.push([stage.en, done, total]),
    )
    expect([told[0], told.at(-1)]).toEqual([
      ['Ending offers', 0, 3],
      ['Ending offers', 3, 3],
    ])
  })

  it('deletes for good what was kept long enough, deleted rows and their history with it', async () => {
    await given({ id: 'kept', at: 'createdAt', plus: 'P18M', delete: true })
    const ids = await offers(
      { createdAt: '2024-08-01T00:00:00Z' },
      { createdAt: '2024-08-01T00:00:00Z', deletedAt: '2025-01-01T00:00:00Z' },
      { createdAt: '2025-08-01T00:00:00Z' },
    )
    await world.engine.transaction(systemContext(), async (entities) => {
      for (const id of [ids[0], ids[2]]) await entities.save('test.offer', { id, name: '改过' })
    })
    expect(count(await run('2026-03-01T00:00:00Z'), 'test.offer.kept')).toBe(2)
    const { rows } = await world.database.query<{ id: string }>('select id from test_offer')
    expect(rows).toEqual([{ id: ids[2] }])
    const log = await world.database.query<{ id: string }>(
      `select distinct record_id as id from sys_audit_log where entity = 'test.offer' and record_id = any($1)`,
      [ids],
    )
    expect(log.rows).toEqual([{ id: ids[2] }])
  })

  it('stands on an index of its own, unless the entity has one that serves it', async () => {
    const { rows } = await world.database.query<{ name: string }>(
      `select indexname as name from pg_indexes where tablename = 'test_offer' and indexname like '%status%' or indexname like 'test_offer%kept' order by 1`,
    )
    expect(rows.map(({ name }) => name)).toEqual([
      'test_offer_created_at_kept',
      'test_offer_status_expires_at_idx',
      'test_offer_status_until_idx',
    ])
    expect(offer['x-indexes']).toBeUndefined()
  })
})
