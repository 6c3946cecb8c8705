import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemContext, type ServiceError } from '../../../../gateway/platform/http'
import { seriesDocuments } from '../../../fixtures/entities/series'
import { as, openWorld, PEOPLE, type World } from './world'

let world: World
beforeAll(async () => {
  world = await openWorld(seriesDocuments)
  world.engine.registerEntityService('test.invoice', {
    afterSave: ({ record }) => {
      if (record.note === 'fails') throw new Error('the write fails at its very end')
    },
    afterEffect: ({ record }) => {
      if (record.note === 'fails late') throw new Error('the transition fails at its very end')
    },
  })
})
afterAll(() => world.close())
beforeEach(() => world.database.query('truncate test_invoice, entity_sequence'))

const on = (day: string) => as(PEOPLE.boss, { now: new Date(`${day}T04:00:00.000Z`) })
const save = async (values: Record<string, unknown>, day = '2026-05-04') =>
  (await world.engine.save('test.invoice', on(day), { note: 'fine', company: 'hk', ...values })).record
const issue = async (ids: readonly unknown[], day = '2026-05-04') =>
  world.engine.stateUpdate('test.invoice', on(day), { ids: ids as string[], transition: 'issue' })
const numbers = async (field: string, where = 'true') =>
  (
    await world.database.query<{ value: string }>(
      `select ${field} as value from test_invoice where ${field} is not null and ${where} order by 1`,
    )
  ).rows.map(({ value }) => value)

describe('series of numbers', () => {
  it('count by the values of fields, and by the year with which the number starts', async () => {
    expect((await save({})).draft).toBe('D0001')
    expect((await save({})).draft).toBe('D0002')
    expect((await save({ vat: true })).draft).toBe('D0001')
    expect((await save({ company: 'sg' })).draft).toBe('D0001')
    expect(await save({}, '2027-01-01')).toMatchObject({ draft: 'D0003', slip: 'S270101-001', code: null })
    const refused = (await save({ company: null }).catch((error: unknown) => error)) as ServiceError & {
      data: { errors: { field: string; message: string }[] }
    }
    expect(refused.data.errors).toEqual([
      expect.objectContaining({ field: 'company', message: '"Company" is required: "Draft number" is numbered by it.' }),
    ])
  })

  it('are given with a transition, once, and stand in the answer of reading and in the history', async () => {
    const [first, second] = [await save({}), await save({ company: 'sg' })]
    expect([first.code, second.code]).toEqual([null, null])
    await issue([first.id])
    await issue([second.id])
    const read = async (id: unknown) => (await world.engine.view('test.invoice', on('2026-05-04'), id as string)).record.code
    expect([await read(first.id), await read(second.id)]).toEqual(['INV2026-000001', 'INV2026-000001'])
    const { records } = await world.engine.log('test.invoice', systemContext(), first.id as string)
    expect(JSON.stringify(records[0])).toContain('INV2026-000001')
    await world.engine.stateUpdate('test.invoice', on('2027-02-01'), { ids: [first.id as string], transition: 'reopen' })
    await issue([first.id], '2027-02-01')
    expect(await read(first.id)).toBe('INV2026-000001')
    const [third, fourth] = [await save({}), await save({})]
    await issue([third.id, fourth.id], '2027-02-01')
    expect([await read(third.id), await read(fourth.id)].sort()).toEqual(['INV2027-000001', 'INV2027-000002'])
  })

  it('without gaps go back with a write that fails, whoever writes beside it', async () => {
    const write = fc.record({
      company: fc.constantFrom('hk', 'sg'),
      fate: fc.constantFrom('kept', 'kept', 'fails', 'fails late', 'draft'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 24 }), async (writes) => {
        await world.database.query('truncate test_invoice, entity_sequence')
        await Promise.all(
          writes.map(async ({ company, fate }) => {
            const saved = await save({ company, note: fate }).catch(() => undefined)
            if (saved && fate !== 'draft') await issue([saved.id]).catch(() => undefined)
          }),
        )
        const count = (company: string, fates: readonly string[]) =>
          writes.filter((each) => company.includes(each.company) && fates.includes(each.fate)).length
        const upTo = (last: number, shown: (number: number) => string) =>
          Array.from({ length: last }, (_, index) => shown(index + 1))
        for (const company of ['hk', 'sg']) {
          expect(await numbers('code', `company = '${company}'`)).toEqual(
            upTo(count(company, ['kept']), (number) => `INV2026-${String(number).padStart(6, '0')}`),
          )
        }
        expect(await numbers('slip')).toEqual(
          upTo(count('hk sg', ['kept', 'draft', 'fails late']), (number) => `S260504-${String(number).padStart(3, '0')}`),
        )
      }),
      { numRuns: 12 },
    )
  })
})
