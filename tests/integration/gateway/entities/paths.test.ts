import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext, type RequestContext } from '../../../../gateway/platform/http'
import type { QuerySort } from '../../../../src/schema/model'
import { documents } from '../../../fixtures/entities/documents'
import { sale } from '../../../fixtures/entities/sale'
import { as, clientRow, openWorld, PEOPLE, type World } from './world'

let world: World
const SALES = 40
const idOf = (index: number) => `s${String(index).padStart(2, '0')}`
/** Ten clients; those from 6 on are out of reach. */
const clientOf = (index: number): number | null => (index % 8 === 7 ? null : (index * 7) % 10)

beforeAll(async () => {
  world = await openWorld([...documents, sale])
  const clients = Array.from({ length: 10 }, (_, index) =>
    clientRow({
      id: `c${index}`,
      name: `客户${index}`,
      email: `p${index}@x.com`,
      staff: (index * 3) % 10,
      taxNo: `T${index}`,
      agentId: index === 0 ? null : 'c0',
      ownerId: index < 6 ? PEOPLE.wang : PEOPLE.other,
    }),
  )
  const sales = Array.from({ length: SALES }, (_, index) => ({
    id: idOf(index),
    title: `Sale ${index}`,
    clientId: clientOf(index) === null ? null : `c${clientOf(index)}`,
    ownerId: PEOPLE.wang,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
  }))
  await world.engine.transaction(systemContext(), async (entities) => {
    await entities.insertMany('test.client', clients)
    await entities.insertMany('test.sale', sales)
  })
})
afterAll(() => world.close())

const me = (): RequestContext => ({ ...as(PEOPLE.wang), scopes: { 'test.sale': ['own'], 'test.client': ['own'] } })
const staffOf = (index: number): number | null => {
  const client = clientOf(index)
  return client === null || client >= 6 ? null : (client * 3) % 10
}
/** Sales in the order of the headcount of their client, those without a value last or first, then by id. */
const ordered = (descending: boolean, emptyFirst = false): string[] =>
  Array.from({ length: SALES }, (_, index) => index)
    .sort((a, b) => {
      const [first, second] = [staffOf(a), staffOf(b)]
      const direction = descending ? -1 : 1
      if (first === second) return (a - b) * direction
      if (first === null || second === null) return (first === null ? 1 : -1) * (emptyFirst ? -1 : 1)
      return (first - second) * direction
    })
    .map(idOf)
const sortOf = (order: 'asc' | 'desc', nulls?: 'first'): QuerySort[] => [
  { field: 'clientId.staff', order, ...(nulls ? { nulls } : {}) },
]

describe('An order by what lies behind references', () => {
  it.each<[string, QuerySort[], string[]]>([
    ['upwards', sortOf('asc'), ordered(false)],
    ['downwards', sortOf('desc'), ordered(true)],
    ['with empty values first', sortOf('desc', 'first'), ordered(true, true)],
  ])('%s: records out of reach have no value; pages, searches and cursors agree', async (_, sort, wanted) => {
    const page = async (request: object) => world.engine.queryPage('test.sale', me(), { sort, pageSize: 7, ...request })
    const pages: string[] = []
    for (let pageNo = 1; pageNo <= 6; pageNo += 1) pages.push(...(await page({ pageNo })).records.map(({ id }) => id as string))
    expect(pages).toEqual(wanted)
    const searched = await page({ keyword: 'sale', pageSize: 100 })
    expect(searched.records.map(({ id }) => id)).toEqual(wanted)
    expect(searched.total).toBe(SALES)
    const met: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer: Awaited<ReturnType<typeof page>> = await page({ cursor })
      met.push(...answer.records.map(({ id }) => id as string))
      cursor = answer.next ?? null
    }
    expect(met).toEqual(wanted)
  })

  it('goes through several references, stands in exports and in what services read', async () => {
    const two = await world.engine.queryPage('test.sale', me(), {
      sort: [
        { field: 'clientId.agentId.name', order: 'asc' },
        { field: 'title', order: 'asc' },
      ],
    })
    expect(two.records).toHaveLength(20)
    const sort = sortOf('desc')
    const rows = await world.engine.transaction(systemContext(), (entities) => entities.list('test.sale', { sort, lock: true }))
    expect(rows).toHaveLength(SALES)
    const chunks: Buffer[] = []
    const { Writable } = await import('node:stream')
    const stream = new Writable({ write: (chunk: Buffer, _, done) => (chunks.push(chunk), done()) })
    await world.engine.exportTo(stream, 'test.sale', me(), { columns: [{ field: 'title', title: 'Title' }], format: 'csv', sort })
    const lines = Buffer.concat(chunks).toString('utf8').trim().split(/\r?\n/).slice(1)
    expect(lines.map((line) => idOf(Number(/\d+/.exec(line)?.[0])))).toEqual(ordered(true))
  })

  it.each<[string, string, RequestContext?]>([
    ['a step through no reference', 'title.name'],
    ['a field that is not there', 'clientId.nmae'],
    ['too many steps', 'clientId.agentId.agentId.agentId.name'],
    ['a list', 'clientId.products'],
    [
      'what the caller sees masked',
      'clientId.taxNo',
      { ...as(PEOPLE.wang, { without: ['test:client:viewSensitive'] }), scopes: { 'test.sale': ['own'] } },
    ],
    [
      'what lies behind a hidden reference',
      'clientId.name',
      { ...as(PEOPLE.wang, { fieldRules: { 'test.sale.clientId': 'hide' } }), scopes: { 'test.sale': ['own'] } },
    ],
  ])('is refused for %s', async (_, field, context = me()) => {
    await expect(world.engine.queryPage('test.sale', context, { sort: [{ field, order: 'asc' }] })).rejects.toMatchObject({
      reason: 'badRequest',
    })
  })
})
