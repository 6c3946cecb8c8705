import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../gateway/platform/http'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { QueryCondition, QueryWhere } from '../../../../src/schema/model'
import { client, documents } from '../../../fixtures/entities/documents'
import { sale } from '../../../fixtures/entities/sale'
import { as, clientRow, openWorld, PEOPLE, type World } from './world'

let world: World
const COUNT = 64
const levelOf = (index: number) => 'abcd'[index % 4]
const idOf = (index: number) => `c${String(index).padStart(2, '0')}`

const either = (...or: QueryWhere[]): QueryWhere => ({ or })
const both = (...and: QueryWhere[]): QueryWhere => ({ and })
const eq = (field: string, value: unknown): QueryCondition => ({ field, operator: 'eq', value })

/** The clients of the fixture with a view of a group, and one whose agents are chosen by a group. */
const withGroups: EntityDocument = {
  ...client,
  'x-views': [
    ...client['x-views']!,
    {
      id: 'goodOrVip',
      scope: 'own',
      where: [
        {
          or: [
            { field: 'level', operator: 'eq', value: 'a' },
            { field: 'vip', operator: 'eq', value: true },
          ],
        },
      ],
    },
  ],
  properties: {
    ...client.properties,
    agentId: {
      ...client.properties.agentId!,
      'x-refFilter': [
        {
          or: [
            { field: 'vip', operator: 'eq', value: true },
            { field: 'level', operator: 'eq', value: '{{ level }}' },
          ],
        },
      ],
    },
  },
}

beforeAll(async () => {
  world = await openWorld([withGroups, ...documents.slice(1), sale])
  const rows = Array.from({ length: COUNT }, (_, index) =>
    clientRow({
      id: idOf(index),
      name: `客户${index}`,
      email: `g${index}@x.com`,
      level: levelOf(index),
      staff: index,
      vip: index % 3 === 0,
      country: index % 5 === 0 ? null : 'CN',
      agentId: index % 6 === 0 ? null : idOf(Math.floor(index / 2)),
      ownerId: PEOPLE.wang,
    }),
  )
  await world.engine.transaction(systemContext(), (entities) => entities.insertMany('test.client', rows))
})
afterAll(() => world.close())

const idsOf = async (where: readonly QueryWhere[], view?: string): Promise<string[]> => {
  const { records, total } = await world.engine.queryPage('test.client', as(PEOPLE.wang), { where, view, pageSize: 1000 })
  expect(total).toBe(records.length)
  return records.map(({ id }) => id as string).sort()
}
const idsWith = (holds: (index: number) => boolean) =>
  Array.from({ length: COUNT }, (_, index) => index)
    .filter(holds)
    .map(idOf)

interface Known {
  where: QueryWhere
  holds: (index: number) => boolean
}
const agentOf = (index: number): number | undefined => (index % 6 === 0 ? undefined : Math.floor(index / 2))
const LEAVES: readonly Known[] = [
  { where: eq('level', 'a'), holds: (index) => index % 4 === 0 },
  { where: { field: 'staff', operator: 'gte', value: 40 }, holds: (index) => index >= 40 },
  { where: eq('vip', true), holds: (index) => index % 3 === 0 },
  { where: { field: 'country', operator: 'empty' }, holds: (index) => index % 5 === 0 },
  { where: eq('agentId.level', 'b'), holds: (index) => agentOf(index) !== undefined && agentOf(index)! % 4 === 1 },
  {
    where: { field: 'agentId.vip', operator: 'ne', value: true },
    holds: (index) => agentOf(index) === undefined || agentOf(index)! % 3 !== 0,
  },
]
const { tree } = fc.letrec<{ tree: Known; group: Known }>((tie) => ({
  tree: fc.oneof({ maxDepth: 3, depthIdentifier: 'where' }, fc.constantFrom(...LEAVES), tie('group')),
  group: fc
    .tuple(fc.boolean(), fc.array(tie('tree'), { minLength: 1, maxLength: 3, depthIdentifier: 'where' }))
    .map(([any, terms]) => ({
      where: any ? either(...terms.map(({ where }) => where)) : both(...terms.map(({ where }) => where)),
      holds: (index: number) => (any ? terms.some(({ holds }) => holds(index)) : terms.every(({ holds }) => holds(index))),
    })),
}))

describe('Conditions in groups', () => {
  it('find the rows for which any, or all, of a group hold, however they stand inside one another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 2 }), async (terms) => {
        const where = terms.map((term) => term.where)
        expect(await idsOf(where)).toEqual(idsWith((index) => terms.every(({ holds }) => holds(index))))
        const { rows } = await world.engine.aggregate('test.client', as(PEOPLE.wang), {
          where,
          measures: [{ id: 'n', count: true }],
        })
        expect(rows[0]!.measures.n).toBe(await world.engine.count('test.client', as(PEOPLE.wang), { where }))
      }),
      { numRuns: 80, seed: 5 },
    )
  })

  it('stand in views, in select lists, in measures, and in what a service reads', async () => {
    expect(await idsOf([], 'goodOrVip')).toEqual(idsWith((index) => index % 4 === 0 || index % 3 === 0))
    const wanted = idsWith((index) => index === 3 || index === 5)
    const where = [either(eq('staff', 3), eq('staff', 5))]
    const found = await world.engine.select('test.client', as(PEOPLE.wang), { where })
    expect(found.map(({ id }) => id).sort()).toEqual(wanted)
    const read = await world.engine.transaction(systemContext(), (entities) => entities.list('test.client', { where }))
    expect(read.map(({ id }) => id as string).sort()).toEqual(wanted)
    const { rows } = await world.engine.aggregate('test.client', as(PEOPLE.wang), { measures: [{ id: 'n', count: true, where }] })
    expect(rows[0]!.measures.n).toBe(2)
  })

  it('choose what a reference may name; the save checks the same', async () => {
    const save = (agentId: string) =>
      world.engine.save('test.client', as(PEOPLE.wang), { id: idOf(1), agentId, version: undefined })
    // 1 is of level b: an agent is a VIP or of that level
    await expect(save(idOf(2))).rejects.toMatchObject({ reason: 'validationFailed' })
    await expect(save(idOf(3))).resolves.toMatchObject({ record: { agentId: idOf(3) } })
    await expect(save(idOf(5))).resolves.toMatchObject({ record: { agentId: idOf(5) } })
    await expect(save(idOf(0))).resolves.toMatchObject({ record: { agentId: idOf(0) } })
  })

  it.each<[string, unknown]>([
    ['five groups inside one another', [either(both(either(both(either(eq('level', 'a'))))))]],
    ['more than fifty conditions', [either(...Array.from({ length: 51 }, () => eq('level', 'a')))]],
    ['a group of nothing', [either()]],
    ['a group of no list', [{ or: 5 }]],
    ['a group that says both', [{ or: [eq('level', 'a')], and: [eq('level', 'a')] }]],
    ['a group with a field', [{ or: [eq('level', 'a')], field: 'level' }]],
    ['nothing inside a group', [{ or: [null] }]],
    ['no field', [{ and: [{}] }]],
    ['a field that is not there, in a group', [either(eq('levle', 'a'))]],
  ])('refuse %s', async (_, where) => {
    await expect(idsOf(where as QueryWhere[])).rejects.toMatchObject({ reason: 'badRequest' })
  })

  it('do not ask, in any group, for what the caller sees masked', async () => {
    const blind = as(PEOPLE.wang, { without: ['test:client:viewSensitive'] })
    const where = [either(eq('level', 'a'), both(eq('taxNo', 'x')))]
    await expect(world.engine.queryPage('test.client', blind, { where })).rejects.toMatchObject({ reason: 'badRequest' })
  })
})
