import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../gateway/platform/http'
import { weave, type Listener } from '../../../../src/schema/effect/weave'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { ListenerDocument } from '../../../../src/schema/generated/listener'
import type { TemplateDocument } from '../../../../src/schema/generated/template'
import { client, note, share } from '../../../fixtures/entities/documents'
import { handOverDictionaries, handOverEntities } from '../../../fixtures/entities/handOver'
import { as, clientRow, openWorld, PEOPLE, type World } from './world'

const hears = (module: string, on: string, id: string, effects: object[]): Listener => ({
  module,
  document: { formatVersion: 3, on, id, effects } as unknown as ListenerDocument,
})

const noteOf = (text: string) => ({
  id: 'note',
  do: 'create',
  with: { entity: 'test.note', values: { clientId: '{{ id }}', text } },
})
/** Two modules that hear that a client is lost, and one that hears that clients are made and changed. */
const LISTENERS: readonly Listener[] = [
  hears('alpha', 'test.client.lose', 'write', [noteOf('alpha heard {{ lostReason }}')]),
  hears('beta', 'test.client.lose', 'write', [noteOf('beta heard {{ lostReason }}')]),
  hears('beta', 'test.client.lose', 'zStop', [{ id: 'stop', do: 'beta.stop', when: "{{ lostReason === 'stop' }}", with: {} }]),
  hears('alpha', 'test.client.create', 'greet', [noteOf('new: {{ name }}')]),
  hears('alpha', 'test.client.change', 'rename', [
    { id: 'tell', do: 'notify', when: '{{ before.name !== name }}', with: { to: ['owner'], template: 'alpha.renamed' } },
  ]),
]
const RENAMED = {
  formatVersion: 3,
  name: 'alpha.renamed',
  entity: 'test.client',
  type: '5',
  title: { zh: '{{ before.name }} 改名为 {{ name }}', en: '{{ before.name }} is now {{ name }}' },
  text: { zh: '请核对。', en: 'Look at it.' },
  link: '/clients?id={{ id }}',
  todo: false,
} as TemplateDocument

let world: World
beforeAll(async () => {
  const additions = { templates: new Map([[RENAMED.name, RENAMED]]), listeners: LISTENERS }
  const documents = [client, note, share, ...handOverEntities].map((entity: EntityDocument) => weave(entity, additions))
  world = await openWorld(documents, handOverDictionaries)
  world.engine.registerVerb('beta.stop', () => Promise.reject(new Error('beta stops it')))
  await world.database.query(`update sys_staff set status = 'active'`)
})
afterAll(() => world.close())

const notesOf = async (clientId: unknown) =>
  (
    await world.database.query<{ text: string }>(`select text from test_note where client_id = $1 order by created_at, id`, [
      clientId,
    ])
  ).rows.map(({ text }) => text)

const lose = (id: unknown, lostReason: string) =>
  world.engine.stateUpdate('test.client', as(PEOPLE.wang), {
    ids: [String(id)],
    transition: 'lose',
    field: 'stage',
    values: { lostReason },
  })
/** A client, without what is heard of it. */
async function stored(): Promise<string> {
  const row = clientRow({ name: '某公司', ownerId: PEOPLE.wang })
  await world.engine.transaction(systemContext(), (entities) => entities.insertMany('test.client', [row]))
  return String(row.id)
}

describe('a listener', () => {
  it('acts in the transaction of the transition, after its own effects, in the order of modules, and the history names it', async () => {
    const id = await stored()
    expect((await lose(id, 'price')).refused).toEqual([])
    expect(await notesOf(id)).toEqual(['alpha heard price', 'beta heard price'])
    const { rows } = await world.database.query<{ cause: string }>(
      `select cause from sys_audit_log where entity = 'test.note' and cause like $1 order by at, id`,
      [`%${id}%`],
    )
    expect(rows.map(({ cause }) => cause)).toEqual([
      `test.client/${id} lose.alpha.write.note`,
      `test.client/${id} lose.beta.write.note`,
    ])
  })

  it('takes the transition with it when it fails', async () => {
    const id = await stored()
    await expect(lose(id, 'stop')).rejects.toThrow('beta stops it')
    expect((await world.engine.view('test.client', systemContext(), id)).record.stage).toBe('open')
    expect(await notesOf(id)).toEqual([])
  })

  it('hears that records are made and changed, and tells by a template', async () => {
    const { id, version } = await world.engine.save('test.client', as(PEOPLE.li), { name: '新公司' })
    expect(await notesOf(id)).toEqual(['new: 新公司'])
    await world.engine.save('test.client', as(PEOPLE.boss, { scope: ['all'], keys: ['test:client:manage'] }), {
      id,
      version,
      name: '老公司',
    })
    const { rows } = await world.database.query(
      `select receiver_id as receiver, sender_id as sender, type, title_zh as zh, title_en as en, text_en as text, link, status from sys_message where subject_id = $1`,
      [id],
    )
    expect(rows).toEqual([
      {
        receiver: PEOPLE.li,
        sender: PEOPLE.boss,
        type: '5',
        zh: '新公司 改名为 老公司',
        en: '新公司 is now 老公司',
        text: 'Look at it.',
        link: `/clients?id=${id}`,
        status: 'unread',
      },
    ])
    expect((await world.database.query(`select 1 from sys_todo where subject_id = $1`, [id])).rowCount).toBe(0)
  })
})
