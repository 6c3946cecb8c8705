import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { BulkAnswer, Entities, EntityRecord } from '../../../../gateway/entities'
import { newId } from '../../../../gateway/platform/database'
import { ConnectionTransaction } from '../../../../gateway/platform/database/transaction'
import { systemContext, type ServiceError } from '../../../../gateway/platform/http'
import { readSchemas } from '../../../../gateway/pages'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import { client, note, share } from '../../../fixtures/entities/documents'
import { handOverDictionaries, handOverEntities } from '../../../fixtures/entities/handOver'
import { as, clientRow, openWorld, PEOPLE, type World } from './world'

let world: World
/** Places that a function of the module knows, and of how many records it was asked at once. */
let room = 1_000
let askedOf: number[] = []
beforeAll(async () => {
  const asset = await readSchemas('tests/fixtures/cases/asset-module')
  const ofType = <Kind>(type: string): Kind[] =>
    asset.flatMap((one) => (one.type === type ? [JSON.parse(one.text ?? '') as Kind] : []))
  // a rule of a line that reads behind its reference and what it belongs to
  const lineRule = {
    id: 'power',
    field: 'accessories',
    when: "{{ assetId.kind === 'modem' && !accessories && head.note !== 'bare' }}",
    message: { zh: '请写明电源。', en: 'Name the power supply.' },
  }
  const assets = ofType<EntityDocument>('entity').map((one) =>
    one.name === 'asset.assignmentLine' ? { ...one, 'x-rules': [lineRule] } : one,
  )
  world = await openWorld(
    [client, note, share, ...handOverEntities, ...assets],
    [...handOverDictionaries, ...ofType<DictionaryDocument>('dictionary')],
  )
  world.engine.registerFunction('test.room', (_call, asked) => {
    for (const { staffId } of asked) expect(staffId).toBe(PEOPLE.li)
    askedOf.push(asked.length)
    return Promise.resolve(asked.map((_, index) => ({ left: room - index })))
  })
  await world.database.query(`update sys_staff set status = 'active'`)
  await world.database.query(`update sys_department set leader_id = 'staff1' where id = 'd1'`)
})
afterAll(() => world.close())

const sender = as(PEOPLE.wang)
const receiver = as(PEOPLE.li)

/** A hand-over of clients, as a draft of the sender. */
async function draftOf(levels: readonly string[], most: number | null = null): Promise<{ id: string; clients: string[] }> {
  const clients = levels.map((level, index) => clientRow({ level, name: `公司 ${index}`, ownerId: PEOPLE.wang }))
  const saved = await world.engine.save('test.handOver', sender, { subject: '离职', toStaffId: PEOPLE.li, most })
  await world.engine.transaction(systemContext(), async (entities) => {
    await entities.insertMany('test.client', clients)
    await entities.insertMany(
      'test.handOverItem',
      clients.map(({ id }) => ({ id: newId(), handOverId: saved.id, clientId: id, result: 'waiting' })),
    )
  })
  return { id: saved.id, clients: clients.map(({ id }) => String(id)) }
}
const move = (context: ReturnType<typeof as>, id: string, transition: string, values: EntityRecord = {}): Promise<BulkAnswer> =>
  world.engine.stateUpdate('test.handOver', context, { ids: [id], transition, values })
const refusalOf = async (attempt: Promise<unknown>): Promise<{ code: number; message: string }> => {
  const error = (await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as ServiceError
  expect(error, 'it was not refused').toBeDefined()
  return { code: error.code, message: error.messageIn('en') }
}
const statusOf = async (id: string): Promise<unknown> =>
  (await world.engine.view('test.handOver', systemContext(), id)).record.status
const todosOf = async (id: string) =>
  (
    await world.database.query<{ staff: string; kind: string; title: string; status: string }>(
      'select staff_id as staff, kind, title_en as title, status from sys_todo where subject_id = $1 order by created_at, id',
      [id],
    )
  ).rows

describe('a transition written as data', () => {
  it('says who may, made into a sentence from the people of the schema; the permission is needed too', async () => {
    const { id } = await draftOf(['b'])
    expect((await refusalOf(move(receiver, id, 'send'))).message).toBe('Only its creator may do this: Send.')
    await move(sender, id, 'send')
    expect((await refusalOf(move(sender, id, 'accept'))).message).toBe('Only the receiver may do this: Accept.')
    expect((await refusalOf(move(as(PEOPLE.li, { without: ['test:client:edit'] }), id, 'accept'))).code).toBe(10010003)
    expect((await refusalOf(move(as(PEOPLE.other), id, 'decline', { declined: '不要' }))).message).toBe(
      'Only the receiver or the leader of the receiver may do this: Decline.',
    )
    await move(as(PEOPLE.boss), id, 'decline', { declined: '不合适' })
    expect(await statusOf(id)).toBe('declined')
  })

  it('refuses by what a look-up counts, in words that say the figures, with the code that the schema names', async () => {
    const nothing = await draftOf([])
    expect((await refusalOf(move(sender, nothing.id, 'send'))).message).toBe('There is nothing to hand over')
    const many = await draftOf(['b', 'b', 'b'], 2)
    expect(await refusalOf(move(sender, many.id, 'send'))).toEqual({ code: 10030002, message: 'At most 2 items, there are 3' })
    const { can } = await world.engine.view('test.handOver', sender, many.id)
    expect(can.transitions.send).toBe('At most 2 items, there are 3')
  })

  it('tells the receiver, and closes what it asked when the record leaves its state: done for whoever acted', async () => {
    const { id } = await draftOf(['b'])
    await move(sender, id, 'send')
    expect(await todosOf(id)).toEqual([{ staff: PEOPLE.li, kind: 'decide', title: 'To accept: 离职', status: 'open' }])
    await move(receiver, id, 'decline', { declined: '太多了' })
    expect(await todosOf(id)).toEqual([
      { staff: PEOPLE.li, kind: 'decide', title: 'To accept: 离职', status: 'done' },
      { staff: PEOPLE.wang, kind: 'notice', title: 'Declined: 太多了', status: 'open' },
    ])
  })

  it('takes children through theirs, leaves those that refuse with the reason, and follows the data by itself', async () => {
    const { id, clients } = await draftOf(['b', 'a', 'c'])
    await move(sender, id, 'send')
    await move(receiver, id, 'accept')
    expect(await statusOf(id)).toBe('done')
    const items = await world.database.query<{ client: string; result: string; why: string | null }>(
      'select client_id as client, result, why from test_hand_over_item where hand_over_id = $1',
      [id],
    )
    expect(Object.fromEntries(items.rows.map(({ client: of, result, why }) => [of, [result, why]]))).toEqual({
      [clients[0]!]: ['taken', null],
      [clients[1]!]: ['left', 'Level A stays'],
      [clients[2]!]: ['taken', null],
    })
    const owners = await world.database.query<{ owner: string; version: number }>(
      'select owner_id as owner, version from test_client where id = any($1) order by name',
      [clients],
    )
    expect(owners.rows).toEqual([
      { owner: PEOPLE.li, version: 2 },
      { owner: PEOPLE.wang, version: 1 },
      { owner: PEOPLE.li, version: 2 },
    ])
    const notes = await world.database.query('select text from test_note where client_id = any($1)', [clients])
    expect(notes.rowCount).toBe(2)
  })

  it('ends as declined when nothing could be taken, and nothing is half done', async () => {
    const { id } = await draftOf(['a', 'a'])
    await move(sender, id, 'send')
    await move(receiver, id, 'accept')
    expect(await statusOf(id)).toBe('declined')
  })

  it('asks a function of the module once for all records, and refuses everything with its code when none is taken', async () => {
    const { id, clients } = await draftOf(['b', 'b', 'b'])
    await move(sender, id, 'send')
    room = 0
    const error = await move(receiver, id, 'acceptSome').catch((thrown: unknown) => thrown as ServiceError)
    expect(error).toMatchObject({ code: 10030002, data: { transition: 'take', reason: 'full' } })
    expect(await statusOf(id)).toBe('pending')
    ;[room, askedOf] = [2, []]
    await move(receiver, id, 'acceptSome')
    room = 1_000
    expect(askedOf).toEqual([3])
    expect(await statusOf(id)).toBe('done')
    const { rows } = await world.database.query(
      `select result, why, count(*)::int as items from test_hand_over_item where hand_over_id = $1 group by 1, 2 order by 3`,
      [id],
    )
    expect(rows).toEqual([
      { result: 'left', why: 'There is no room', items: 1 },
      { result: 'taken', why: null, items: 2 },
    ])
    expect(clients).toHaveLength(3)
  })

  it('says of each row why it refuses a transition, whoever reads it, and follows the data of children that go one by one', async () => {
    const { id } = await draftOf(['a', 'b'])
    await move(sender, id, 'send')
    const rows = async () =>
      (await world.engine.queryPage('test.handOverItem', sender, { where: [{ field: 'handOverId', operator: 'eq', value: id }] }))
        .records
    const [barred, free] = [...(await rows())].sort((a, b) => String(b.barred).localeCompare(String(a.barred)))
    expect([free?.barred, barred?.barred].sort()).toEqual(['Level A stays', null])
    const take = (row: EntityRecord | undefined, transition: string) =>
      world.engine.stateUpdate('test.handOverItem', sender, { ids: [String(row?.id)], transition })
    const [one, two] = barred?.barred === null ? [free, barred] : [barred, free]
    await take(two, 'take')
    expect(await statusOf(id)).toBe('pending')
    await take(one, 'leave')
    expect(await statusOf(id)).toBe('done')
    expect((await rows()).map((row) => row.barred)).toEqual([null, null])
  })

  it('answers a save with what the data led to by itself', async () => {
    const { id } = await draftOf(['b'])
    const ended = await world.engine.save('test.handOver', sender, { id, subject: '作废' })
    expect(ended.record.status).toBe('dropped')
    expect(ended.version).toBe(3)
  })

  it('leads back to the state that the record was in, and does with every change of state what the machine says', async () => {
    const { id } = await draftOf(['b'])
    await move(sender, id, 'send')
    await move(receiver, id, 'decline', { declined: '太多了' })
    await move(sender, id, 'reopen')
    const { record } = await world.engine.view('test.handOver', systemContext(), id)
    expect([record.status, record.wasIn]).toEqual(['pending', 'declined'])
    await world.database.query(`update test_hand_over set status = 'declined', was_in = null where id = $1`, [id])
    await move(sender, id, 'reopen')
    expect(await statusOf(id)).toBe('draft')
  })

  it('is named by whoever may act on what it names, where the reference asks for that', async () => {
    const { id } = await draftOf([])
    const [seen, own] = [clientRow({ ownerId: PEOPLE.li, ownerDeptId: 'd1' }), clientRow({ ownerId: PEOPLE.wang })]
    await world.engine.transaction(systemContext(), (entities) => entities.insertMany('test.client', [seen, own]))
    const everything = as(PEOPLE.wang, { scope: ['all'] })
    expect((await world.engine.view('test.client', everything, String(seen.id))).record.id).toBe(seen.id)
    const add = (clientId: unknown) => world.engine.save('test.handOverItem', everything, { handOverId: id, clientId })
    expect((await refusalOf(add(seen.id))).code).toBe(10010005)
    expect((await add(own.id)).record.clientId).toBe(own.id)
  })

  it('tells in the history of every touched record what led to it', async () => {
    const { id, clients } = await draftOf(['b'])
    await move(sender, id, 'send')
    await move(receiver, id, 'accept')
    const { rows } = await world.database.query<{ cause: string; staff: string }>(
      `select cause, staff_id as staff from sys_audit_log where record_id = $1 and entity = 'test.client'`,
      [clients[0]],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.staff).toBe(PEOPLE.li)
    expect(rows[0]?.cause).toMatch(new RegExp(`^test.handOverItem/.+ take.owner < test.handOver/${id} accept.items$`))
  })

  it('forbids others what it names while it runs, and no longer', async () => {
    const { id, clients } = await draftOf(['b'])
    const release = () =>
      world.engine.stateUpdate('test.client', sender, {
        ids: [clients[0]!],
        transition: 'release',
        values: { reason: '没有意向' },
      })
    expect((await refusalOf(release())).message).toBe('It is being handed over and cannot be released')
    await move(sender, id, 'send')
    await move(receiver, id, 'accept')
    const owner = as(PEOPLE.li)
    const answer = await world.engine.stateUpdate('test.client', owner, {
      ids: [clients[0]!],
      transition: 'release',
      values: { reason: '没有意向' },
    })
    expect(answer.done).toEqual(clients)
  })

  it('is changed and deleted by whom the entity grants it, in the states and fields that it names', async () => {
    const { id } = await draftOf(['b'])
    let names = 0
    const rename = (context: ReturnType<typeof as>) =>
      world.engine.save('test.handOver', context, { id, subject: `改名 ${++names}` })
    expect((await refusalOf(rename(receiver))).message).toBe('Only a draft can be changed')
    expect((await rename(sender)).record.subject).toBe('改名 2')
    await move(sender, id, 'send')
    expect((await refusalOf(rename(sender))).message).toBe('Only a draft can be changed')
    expect((await refusalOf(rename(receiver))).message).toBe('Only a draft can be changed')
    expect((await world.engine.save('test.handOver', receiver, { id, most: 5 })).record.most).toBe(5)
    expect((await refusalOf(world.engine.remove('test.handOver', sender, id))).message).toBe(
      'You may not delete this hand-over now.',
    )
    const { record } = await world.engine.view('test.handOver', sender, id)
    expect(record.$refused).toEqual({
      edit: 'Only a draft can be changed',
      delete: 'You may not delete this hand-over now.',
    })
    const other = await draftOf([])
    await world.engine.remove('test.handOver', sender, other.id)
  })

  it('asks as many statements for 200 items as for one', async () => {
    const count = async (levels: readonly string[]): Promise<number> => {
      const { id } = await draftOf(levels)
      await move(sender, id, 'send')
      const asked = vi.spyOn(ConnectionTransaction.prototype, 'query')
      await move(receiver, id, 'accept')
      const calls = asked.mock.calls.length
      asked.mockRestore()
      expect(await statusOf(id)).toBe('done')
      return calls
    }
    const one = await count(['b'])
    expect(await count(Array.from({ length: 200 }, () => 'b'))).toBe(one)
  })

  it('moves many records in one call as it moves one: each is refused with its own reason', async () => {
    const [good, bad] = [await draftOf(['b']), await draftOf([])]
    const answer = await world.engine.stateUpdate('test.handOver', sender, { ids: [good.id, bad.id], transition: 'send' })
    expect(answer.done).toEqual([good.id])
    expect(answer.refused).toEqual([{ id: bad.id, title: '离职', reason: 'There is nothing to hand over' }])
  })
})

describe('states', () => {
  it('are written by transitions alone: no service moves one, and a new record starts in the initial one', async () => {
    const { id } = await draftOf(['b'])
    const write = (work: (entities: Entities) => Promise<unknown>) => world.engine.transaction(systemContext(), work)
    const past = /Only transitions write test\.handOver\.status/
    await expect(write((entities) => entities.save('test.handOver', { id, status: 'done' }))).rejects.toThrow(past)
    await expect(write((entities) => entities.changeMany('test.handOver', new Map([[id, { status: 'done' }]])))).rejects.toThrow(
      past,
    )
    await expect(
      write((entities) => entities.save('test.handOver', { subject: 's', toStaffId: PEOPLE.li, status: 'done' })),
    ).rejects.toThrow(past)
    expect(await statusOf(id)).toBe('draft')
  })
})

describe('the case asset-module', () => {
  const keeper = {
    ...as(PEOPLE.wang, {
      keys: ['assets:asset', 'assets:assignment', 'assignment:add', 'assignment:edit', 'assignment:return'].map(
        (key) => `asset:${key}`,
      ),
    }),
    scopes: { 'asset.asset': ['all' as const], 'asset.assignment': ['all' as const] },
  }
  const assets = async (): Promise<string[]> =>
    (
      await world.database.query<{ told: string }>(
        `select name || ' ' || status || ' ' || coalesce(holder_id, '-') as told from asset_asset order by name`,
      )
    ).rows.map(({ told }) => told)
  const take = (id: string, transition: string): Promise<BulkAnswer> =>
    world.engine.stateUpdate('asset.assignment', keeper, { ids: [id], transition, values: {} })

  it('what is handed out and taken back are the assets of the lines of the document, and no others', async () => {
    const [laptop, phone, modem] = [newId(), newId(), newId()]
    await world.engine.transaction(systemContext(), (entities) =>
      entities.insertMany('asset.asset', [
        { id: laptop, code: 'AS1', name: 'laptop', kind: 'laptop', status: 'stock' },
        { id: phone, code: 'AS2', name: 'phone', kind: 'phone', status: 'stock' },
        { id: modem, code: 'AS3', name: 'modem', kind: 'modem', status: 'stock' },
      ]),
    )
    const head = { staffId: PEOPLE.li, dueOn: '2099-01-31' }
    const { id } = await world.engine.save('asset.assignment', keeper, {
      ...head,
      lines: [{ assetId: laptop }, { assetId: modem, accessories: 'power supply' }],
    })
    expect((await take(id, 'give')).refused).toEqual([])
    expect(await assets()).toEqual([`laptop used ${PEOPLE.li}`, `modem used ${PEOPLE.li}`, 'phone stock -'])
    expect((await take(id, 'return')).refused).toEqual([])
    expect(await assets()).toEqual(['laptop stock -', 'modem stock -', 'phone stock -'])
    const bare = await world.engine.save('asset.assignment', keeper, { ...head, lines: [] })
    await expect(take(bare.id, 'give')).rejects.toMatchObject({ text: { en: 'There are no lines.' } })
  })

  it('lines are asked the rules that read behind their references and in what they belong to', async () => {
    const modem = newId()
    await world.engine.transaction(systemContext(), (entities) =>
      entities.insertMany('asset.asset', [{ id: modem, code: 'AS9', name: 'second modem', kind: 'modem', status: 'stock' }]),
    )
    const head = { staffId: PEOPLE.li, dueOn: '2099-01-31', lines: [{ assetId: modem }] }
    const save = (body: EntityRecord) => world.engine.save('asset.assignment', keeper, body)
    await expect(save(head)).rejects.toMatchObject({
      data: { errors: [{ field: 'lines.0.accessories', message: 'Name the power supply.' }] },
    })
    const { id } = await save({ ...head, note: 'bare' })
    // the line stays as it is, and what it belongs to no longer allows it
    await expect(save({ id, note: 'whole' })).rejects.toMatchObject({
      data: { errors: [{ field: 'lines.0.accessories' }] },
    })
    await save({ id, note: 'whole', lines: [{ assetId: modem, accessories: 'power supply' }] })
  })
})
