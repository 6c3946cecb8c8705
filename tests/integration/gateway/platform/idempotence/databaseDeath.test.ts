import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contextOf, ok } from '../../../../../gateway/platform/http'
import type { Answer, Caller, TestGateway } from '../../../../support/gateway'
import { startGateway } from '../../../../support/gateway'
import type { TestDatabase } from '../../../testDatabase'
import { gatewayDatabase, urlOf } from '../../../testDatabase'

type Written = Answer<{ name: string }>

let shared: TestDatabase
let test: TestGateway
let server: pg.Client
let name: string
let wang: Caller

async function takeDatabaseAway(): Promise<void> {
  await server.query(`alter database ${name} allow_connections false`)
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
}
const giveDatabaseBack = () => server.query(`alter database ${name} allow_connections true`)

beforeAll(async () => {
  shared = await gatewayDatabase()
  name = new URL(shared.url).pathname.slice(1)
  server = new pg.Client({ connectionString: urlOf('postgres') })
  await server.connect()
  const insert = 'insert into test_write (name) values ($1)'
  test = await startGateway({
    environment: { DATABASE_URL: shared.url },
    routes: async (app, { database }) => {
      await database.query('create table test_write (name text)')
      app.post<{ Body: { name: string } }>('/v2/test/write', async (request) => {
        const answer = ok({ name: request.body.name })
        const { idempotence } = contextOf(request)
        await database.transaction(async (tx) => {
          await tx.query(insert, [request.body.name])
          await idempotence?.settle(tx, answer)
          if (request.headers['x-strike']) await takeDatabaseAway()
        })
        return answer
      })
      app.post<{ Body: { name: string } }>('/v2/test/writeAlone', async (request) => {
        await database.query(insert, [request.body.name])
        if (request.headers['x-strike']) await takeDatabaseAway()
        return ok({ name: request.body.name })
      })
    },
  })
  await test.addStaff({ id: 'wang', jobNumber: 'S0042' })
  wang = await test.signIn('S0042')
})
afterAll(async () => {
  await test.close()
  await server.end()
  await shared.drop()
})

const call = (path: string, key: string, headers: Record<string, string> = {}): Promise<Written> =>
  wang.post(path, { name: key }, { 'idempotency-key': key, ...headers })

/** The same call until it succeeds; a key that stays "still running" never does. */
async function retry(path: string, key: string): Promise<Written> {
  const end = Date.now() + 20_000
  for (;;) {
    const answer = await call(path, key)
    if (answer.code === 0 || Date.now() > end) return answer
    await sleep(200)
  }
}

const written = async (key: string) =>
  (await test.gateway.database.query('select 1 from test_write where name = $1', [key])).rowCount

describe('a database that goes away in a write with a key (R283, R284)', () => {
  it('leaves no key that is "still running": once it is back the same key runs again, and the row is there once', async () => {
    const keys = Array.from({ length: 6 }, (_, index) => `database-away-${index}`)
    const broken = await Promise.all(keys.map((key) => call('/v2/test/write', key, { 'x-strike': '1' })))
    expect(broken.map((answer) => answer.code)).not.toContain(0)
    await giveDatabaseBack()
    for (const key of keys) {
      expect((await retry('/v2/test/write', key)).data).toEqual({ name: key })
      expect((await call('/v2/test/write', key)).headers.get('x-idempotent-replay')).toBe('true')
      expect(await written(key)).toBe(1)
    }
  })

  it('does not take the answer away from a write that is done: it is kept once the database is back, and nothing is doubled', async () => {
    const key = 'away-after-write'
    expect((await call('/v2/test/writeAlone', key, { 'x-strike': '1' })).data).toEqual({ name: key })
    await giveDatabaseBack()
    const again = await retry('/v2/test/writeAlone', key)
    expect([again.data, again.headers.get('x-idempotent-replay')]).toEqual([{ name: key }, 'true'])
    expect(await written(key)).toBe(1)
  })
})
