import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import type { OutsideOrder } from '../../../../gateway/entities'
import { mkdtemp, cp, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway, type Caller, type TestGateway } from '../../../support/gateway'
import { gatewayDatabase, type TestDatabase } from '../../testDatabase'

type Row = Record<string, unknown> & { id: string }
const text = (zh: string, en: string) => ({ zh, en })

/** A letter that is given to another system. */
const letter = {
  $schema: '../../meta/entity.json',
  formatVersion: 3,
  name: 'sys.letter',
  label: text('信件', 'Letter'),
  titleField: 'name',
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 50, 'x-label': text('名称', 'Name') },
    status: { type: 'string', 'x-dictionary': 'outboxStatus', 'x-label': text('状态', 'Status'), readOnly: true },
    receipt: { type: 'string', maxLength: 50, 'x-label': text('回执', 'Receipt'), readOnly: true },
  },
  required: ['name'],
  'x-scope': 'public',
  'x-permissions': { add: 'crm:param:manage', edit: 'crm:param:manage' },
  'x-states': [
    {
      field: 'status',
      initial: 'waiting',
      transitions: [
        {
          id: 'send',
          label: text('寄出', 'Send'),
          from: ['waiting'],
          to: 'running',
          effects: [
            {
              id: 'post',
              do: 'sys.post',
              with: { what: '{{ name }}' },
              later: { retry: ['PT1M', 'PT5M'], within: 'PT2S', done: 'arrive', failed: 'lose', link: '/letters?id={{ id }}' },
            },
            { id: 'check', do: 'sys.check', with: {} },
          ],
        },
        {
          id: 'arrive',
          label: text('到达', 'Arrive'),
          by: ['system'],
          from: ['running', 'failed'],
          to: 'done',
          fields: ['receipt'],
        },
        { id: 'lose', label: text('丢失', 'Lose'), by: ['system'], from: ['running'], to: 'failed' },
      ],
    },
  ],
}

let shared: TestDatabase
let test: TestGateway
let admin: Caller
let orders: OutsideOrder[] = []
let post: (order: OutsideOrder) => Promise<Record<string, unknown> | void> = () => Promise.resolve()
let refuses = false
beforeAll(async () => {
  const schemas = await mkdtemp(join(tmpdir(), 'schemas-'))
  await cp('schemas', schemas, { recursive: true })
  await mkdir(join(schemas, 'sys/entities'), { recursive: true })
  await writeFile(join(schemas, 'sys/entities/letter.json'), JSON.stringify(letter))
  shared = await gatewayDatabase()
  test = await startGateway({
    environment: { SCHEMAS_DIR: schemas, DATABASE_URL: shared.url },
    routes: (_, { engine }) => {
      engine.registerOutsideVerb('sys.post', (order) => {
        orders.push(order)
        return post(order)
      })
      engine.registerVerb('sys.check', () => (refuses ? Promise.reject(new Error('refused')) : Promise.resolve()))
    },
  })
  await test.addStaff({ id: 'admin', jobNumber: 'S0042', keys: ['crm:param:manage'] })
  admin = await test.signIn('S0042')
})
afterAll(async () => {
  await test.close()
  await shared.drop()
})

const made = async (): Promise<string> => {
  orders = []
  const { data } = await admin.post<{ id: string }>('/v2/sys/letter/save', { name: `Letter ${newId()}` })
  return data.id
}
const send = (id: string) => admin.post('/v2/sys/letter/stateUpdate', { ids: [id], transition: 'send' })
const letterOf = async (id: string): Promise<Row> =>
  (await test.gateway.engine.transaction(systemContext(), (entities) => entities.find('sys.letter', id))) as Row
const requestOf = async (recordId: string): Promise<Row | undefined> =>
  (
    await admin.post<{ records: Row[] }>('/v2/sys/outbox/queryPage', {
      where: [{ field: 'recordId', operator: 'eq', value: recordId }],
    })
  ).data.records[0]
const hurry = (): Promise<string[]> => test.gateway.queue.hurry(['outbox'])

describe('an effect with later', () => {
  it('is asked of the other system after the commit, outside of any transaction; what it answers goes into the transition that follows', async () => {
    const free: number[] = []
    post = async ({ recordId }) => {
      const { rows } = await test.gateway.database.query<{ free: number }>(
        `select count(*)::int as free from (select 1 from sys_letter where id = $1 and status = 'running' for update skip locked) seen`,
        [recordId],
      )
      free.push(rows[0]?.free ?? 0)
      return { receipt: 'R-1' }
    }
    const id = await made()
    expect((await send(id)).code).toBe(0)
    await expect.poll(async () => (await letterOf(id)).status).toBe('done')
    expect(await letterOf(id)).toMatchObject({ receipt: 'R-1' })
    expect(free).toEqual([1])
    const request = await requestOf(id)
    expect(request).toMatchObject({
      status: 'done',
      attempts: 1,
      verb: 'sys.post',
      entity: 'sys.letter',
      link: `/letters?id=${id}`,
      lastError: null,
    })
    expect(orders).toMatchObject([{ key: request?.id, attempt: 1, with: { what: (await letterOf(id)).name } }])
  })

  it('is never asked when its transaction is undone', async () => {
    const id = await made()
    refuses = true
    expect((await send(id)).code).not.toBe(0)
    refuses = false
    await hurry()
    expect([orders, await requestOf(id)]).toEqual([[], undefined])
  })

  it('is asked again after its waits with the same key, fails in the end, and is retried or given up by an administrator', async () => {
    post = () => Promise.reject(new Error('HTTP 503: busy'))
    const id = await made()
    await send(id)
    await expect.poll(async () => (await requestOf(id))?.attempts).toBe(1)
    await expect.poll(async () => (await requestOf(id))?.status).toBe('waiting')
    expect(await requestOf(id)).toMatchObject({ lastError: 'HTTP 503: busy', nextAt: expect.any(String) as string })
    test.clock.forward(30)
    await hurry()
    expect(orders.length).toBe(1)
    test.clock.forward(31)
    await hurry()
    expect(orders.length).toBe(2)
    test.clock.forward(301)
    await hurry()
    expect(await requestOf(id)).toMatchObject({ status: 'failed', attempts: 3 })
    expect((await letterOf(id)).status).toBe('failed')
    expect(new Set(orders.map(({ key }) => key)).size).toBe(1)
    test.clock.forward(3600)
    await hurry()
    expect(orders.length).toBe(3)

    const request = await requestOf(id)
    const move = (caller: Caller, transition: string) =>
      caller.post('/v2/sys/outbox/stateUpdate', { ids: [request?.id], transition })
    await test.addStaff({ id: 'nobody', jobNumber: 'S0043' })
    expect((await move(await test.signIn('S0043'), 'retry')).code).toBe(10010003)
    expect((await move(admin, 'finish')).code).not.toBe(0)
    post = () => Promise.resolve({ receipt: 'R-2' })
    admin = await test.signIn('S0042')
    expect((await move(admin, 'retry')).code).toBe(0)
    await expect.poll(async () => (await letterOf(id)).status).toBe('done')
    expect(await requestOf(id)).toMatchObject({ status: 'done', attempts: 1 })

    post = () => Promise.reject(new Error('no'))
    const other = await made()
    await send(other)
    for (const seconds of [0, 61, 301]) {
      test.clock.forward(seconds)
      await hurry()
    }
    await expect.poll(async () => (await requestOf(other))?.status).toBe('failed')
    const { id: given } = (await requestOf(other))!
    expect((await admin.post('/v2/sys/outbox/stateUpdate', { ids: [given], transition: 'giveUp' })).code).toBe(0)
    expect(await requestOf(other)).toMatchObject({ status: 'dropped' })
  })

  it('counts as failed when there is no answer in time', async () => {
    post = ({ signal }) => new Promise((_, fail) => signal.addEventListener('abort', () => fail(new Error('aborted'))))
    const id = await made()
    await send(id)
    await expect.poll(async () => (await requestOf(id))?.status, { timeout: 10_000 }).toBe('running')
    await expect.poll(async () => (await requestOf(id))?.status, { timeout: 10_000 }).toBe('waiting')
    expect(await requestOf(id)).toMatchObject({ lastError: 'No answer within PT2S.', attempts: 1 })
  })

  it('is asked anew, with the same key, when the gateway died of it', async () => {
    const { database } = test.gateway
    post = () => Promise.resolve({ receipt: 'R-3' })
    const id = await made()
    await database.transaction(async (tx) => {
      await test.gateway.engine.entities(tx, systemContext({ now: test.clock.now() })).transition('sys.letter', id, 'send')
      // a gateway took it at once, and died
      await tx.query(`update sys_outbox set status = 'running', attempts = 1 where record_id = $1`, [id])
      await tx.query(
        `update pgboss.job set state = 'active', started_on = now() - interval '1 hour' where name = 'outbox' and state = 'created'`,
      )
    })
    await expect.poll(async () => (await letterOf(id)).status, { timeout: 40_000 }).toBe('done')
    expect(orders).toMatchObject([{ key: (await requestOf(id))?.id, attempt: 2 }])
  }, 60_000)
})
