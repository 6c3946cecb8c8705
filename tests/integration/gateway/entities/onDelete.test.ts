import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import { folder, paper, seal } from '../../../fixtures/entities/constraints'
import { documents } from '../../../fixtures/entities/documents'
import { countingStatements } from './countStatements'
import { as, openWorld, PEOPLE, type World } from './world'

let world: World
const me = as(PEOPLE.wang)
const removed: string[] = []

beforeAll(async () => {
  world = await openWorld([...documents, folder, paper, seal])
  world.engine.registerEntityService('test.paper', {
    beforeDelete: ({ record }) => void removed.push(`before ${String(record.name)}`),
    afterDelete: ({ record }) => void removed.push(`after ${String(record.name)}`),
    afterRestore: ({ record }) => void removed.push(`back ${String(record.name)}`),
  })
})
afterAll(() => world.close())
beforeEach(() => void removed.splice(0))

const make = async (entity: string, values: Record<string, unknown>) =>
  (await world.engine.save(`test.${entity}`, me, { name: entity, ...values })).id
const live = async (entity: string, id: string) =>
  await world.engine.transaction(systemContext(), (entities) => entities.find(`test.${entity}`, id))
const refused = (attempt: Promise<unknown>) =>
  attempt.then(
    () => undefined,
    (error: { code?: number; text: { zh: string; en: string }; data: unknown }) => ({
      code: error.code,
      ...error.text,
      data: error.data,
    }),
  )

describe('x-onDelete', () => {
  it('restrict refuses and names the records that still refer, those that the caller may see by their titles', async () => {
    const parent = await make('folder', { name: 'Top' })
    const below = await Promise.all(['A', 'B', 'C', 'D'].map((name) => make('folder', { name, parentId: parent })))
    const told = await refused(world.engine.remove('test.folder', me, parent))
    expect(told).toMatchObject({
      code: 10010007,
      data: { reason: 'referred', referrers: [{ entity: 'test.folder', field: 'parentId', label: 'Folder', count: 4 }] },
    })
    expect(told!.en).toMatch(/^4 folders \([A-D], [A-D], [A-D], …\) still refer to this folder\. Delete or change them first\.$/)
    expect(told!.zh).toMatch(/^还有 4 条文件夹（.*）使用该文件夹，请先删除或改为其他文件夹。$/)

    const sealed = await make('paper', {})
    await world.engine.save('test.seal', as(PEOPLE.wang), { name: 'Mine', paperId: sealed, ownedBy: PEOPLE.wang })
    await world.engine.save('test.seal', as(PEOPLE.li), { name: 'Hers', paperId: sealed, ownedBy: PEOPLE.li })
    expect((await refused(world.engine.remove('test.paper', me, sealed)))!.en).toBe(
      '2 seals (Mine, …) still refer to this paper. Delete or change them first.',
    )

    for (const id of below) await world.engine.remove('test.folder', me, id)
    await world.engine.remove('test.folder', me, parent)
    expect(await live('folder', parent)).toBeNull()
  })

  it('cascade deletes along with hooks and history, and what went along comes back with the record', async () => {
    const box = await make('folder', {})
    const [first, second] = [
      await make('paper', { name: 'P1', folderId: box }),
      await make('paper', { name: 'P2', folderId: box }),
    ]
    await world.engine.remove('test.paper', as(PEOPLE.wang, { now: new Date(Date.now() - 60_000) }), second)
    removed.splice(0)
    await world.engine.remove('test.folder', me, box)
    expect(removed).toEqual(['before P1', 'after P1'])
    expect(await live('paper', first)).toBeNull()
    const { rows } = await world.database.query<{ action: string; staff: string }>(
      `select action, staff_id as staff from sys_audit_log where record_id = $1 order by id`,
      [first],
    )
    expect(rows).toEqual([
      { action: 'create', staff: PEOPLE.wang },
      { action: 'delete', staff: PEOPLE.wang },
    ])

    await world.engine.restore('test.folder', me, box)
    expect(await live('paper', first)).toMatchObject({ name: 'P1', version: 3 })
    expect(await live('paper', second)).toBeNull()
    expect(removed.at(-1)).toBe('back P1')
  })

  it('is undone as a whole when something that goes along is held', async () => {
    const box = await make('folder', {})
    const held = await make('paper', { folderId: box })
    await world.engine.save('test.seal', me, { name: 'S', paperId: held, ownedBy: PEOPLE.wang })
    expect((await refused(world.engine.remove('test.folder', me, box)))!.en).toContain('1 seal (S) still refers to this paper.')
    expect(await live('folder', box)).not.toBeNull()
    expect(await live('paper', held)).not.toBeNull()
  })

  it('clear empties the reference, and takes one out of a list', async () => {
    const [hint, other] = [await make('folder', {}), await make('folder', {})]
    const one = await make('paper', { hintId: hint, seeIds: [hint, other] })
    await world.engine.remove('test.folder', me, hint)
    expect(await live('paper', one)).toMatchObject({ hintId: null, seeIds: [other], version: 3 })
  })

  it('lets nobody refer to a record while it is deleted, nor delete it while somebody refers to it', async () => {
    for (let round = 0; round < 8; round++) {
      const parent = await make('folder', {})
      const below = newId()
      const [deletion, reference] = await Promise.allSettled([
        world.engine.remove('test.folder', me, parent),
        world.engine.transaction(systemContext(), (entities) => entities.save('test.folder', { name: below, parentId: parent })),
      ])
      expect([deletion.status, reference.status].sort()).toEqual(['fulfilled', 'rejected'])
    }
  })

  it('does not keep those waiting who refer to the same record, nor those who change it', async () => {
    const parent = await make('folder', {})
    await world.engine.transaction(systemContext(), async (entities) => {
      await entities.find('test.folder', parent, { lock: true })
      await make('folder', { parentId: parent })
    })
    await world.engine.transaction(systemContext(), async (entities) => {
      await entities.save('test.folder', { name: 'first', parentId: parent })
      await make('folder', { parentId: parent })
      await world.engine.save('test.folder', me, { id: parent, name: 'Renamed' })
    })
  })

  it('asks the database as often for 200 records as for one', async () => {
    const statementsFor = async (count: number) => {
      const box = newId()
      const papers = Array.from({ length: count }, () => ({ id: newId(), name: 'P', folderId: box }))
      await world.engine.transaction(systemContext(), async (entities) => {
        await entities.insertMany('test.folder', [{ id: box, name: 'Box' }])
        await entities.insertMany('test.paper', papers)
      })
      return world.engine.transaction(systemContext(), (entities, tx) =>
        countingStatements(tx, () => entities.remove('test.folder', box)),
      )
    }
    expect(await statementsFor(200)).toBe(await statementsFor(1))
  })
})
