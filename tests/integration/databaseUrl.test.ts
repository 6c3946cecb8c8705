import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrate, newId, openDatabase } from '../../gateway/platform/database'
import { EXIT } from '../../gateway/platform/lifecycle'
import { serverIdentity } from '../../gateway/platform/database/embedded/identity'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { quietLogger, testDatabase, urlOf } from './testDatabase'

async function refusal(databaseUrl: string): Promise<{ message: string; exitCode: number }> {
  const error: unknown = await openDatabase({ databaseUrl, dataDir: '/nowhere', logger: quietLogger }).then(
    () => undefined,
    (caught: unknown) => caught,
  )
  expect(error).toMatchObject({ name: 'StartupError' })
  return error as { message: string; exitCode: number }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

describe('a wrong DATABASE_URL is one clear sentence', () => {
  it.each([
    ['mysql://u:secret@h/x', /begins with "mysql:\/\/", but must begin with "postgres:\/\/"/],
    ['nonsense', /is not an address/],
    ['postgres://u:secret@h', /names no database/],
    ['postgres://u:secret@no-such-host.invalid/x', /host name "no-such-host.invalid" cannot be resolved/],
    ['postgres://u:secret@127.0.0.1:1/x', /connection refused/],
  ])('%s', async (url, sentence) => {
    const { message } = await refusal(url)
    expect(message).toMatch(sentence)
    expect(message).not.toContain('secret')
  })

  it('bad password, unknown user, unknown database', async () => {
    const good = urlOf('postgres')
    expect((await refusal(good.replace(/:[^:@/]+@/, ':wrong@'))).message).toMatch(/refuses the user name or the password/)
    expect((await refusal(good.replace('switchboard:', 'stranger:'))).message).toMatch(/refuses the user name or the password/)
    expect(await refusal(urlOf('no_such_database'))).toMatchObject({
      message: expect.stringContaining('the server has no such database'),
      exitCode: EXIT.configuration,
    })
  })

  it('a user who may not create tables, and a database that is not UTF8', async () => {
    const { database, drop } = await testDatabase()
    onTestFinished(drop)
    await database.query(`drop role if exists reader`)
    await database.query(`create role reader login password 'reader'`)
    const { rows } = await database.query<{ name: string }>('select current_database() as name')
    const url = urlOf(rows[0]!.name).replace(/\/\/[^@]+@/, '//reader:reader@')
    expect((await refusal(url)).message).toMatch(/user "reader" .* may not create tables/)
    await database.query(`create database latin encoding 'LATIN1' locale_provider libc locale 'C' template template0`)
    onTestFinished(() => database.query('drop database latin').then(() => undefined))
    expect((await refusal(urlOf('latin'))).message).toMatch(/stores LATIN1, but Switchboard needs UTF8/)
  })

  it('a web server, and a server that is too old', async () => {
    const web = await listen(createServer())
    expect((await refusal(`postgres://u:p@127.0.0.1:${web}/x`)).message).toMatch(/is it a PostgreSQL server/)
    const old = await listen(
      createTcpServer((socket) => void socket.on('data', (data) => socket.write(answerLikeAnOldServer(data)))),
    )
    expect((await refusal(`postgres://u:p@127.0.0.1:${old}/x`)).message).toMatch(
      /is PostgreSQL 14.5, but Switchboard needs 15 or newer/,
    )
  })
})

/** Where Linux distributions put a server of version 15; there the dialect is tried at its oldest. */
const FIFTEEN = '/usr/lib/postgresql/15/bin'

describe.runIf(existsSync(`${FIFTEEN}/initdb`))('PostgreSQL 15', () => {
  it('takes the same migrations, queries and notifications', async () => {
    const folder = mkdtempSync('/tmp/switchboard-test-')
    const owner = serverIdentity(folder)
    const identity = owner ?? {}
    if (owner) spawnSync('chown', [`${owner.uid}:${owner.gid}`, folder])
    const tool = (name: string, args: string[]) =>
      spawnSync(`${FIFTEEN}/${name}`, args, { ...identity, cwd: '/', encoding: 'utf8' })
    expect(
      tool('initdb', ['-D', `${folder}/c`, '-U', 'me', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '-N']).stderr,
    ).toBe('')
    tool('pg_ctl', [
      'start',
      '-w',
      '-D',
      `${folder}/c`,
      '-l',
      `${folder}/log`,
      '-o',
      `-c listen_addresses= -c fsync=off -k ${folder}`,
    ])
    onTestFinished(() => {
      tool('pg_ctl', ['stop', '-m', 'immediate', '-D', `${folder}/c`])
      rmSync(folder, { recursive: true, force: true })
    })
    const databaseUrl = `postgres://me@${encodeURIComponent(folder)}/postgres`
    const database = await openDatabase({ databaseUrl, dataDir: '/nowhere', logger: quietLogger })
    const kept = pgTable('kept', { id: text('id').primaryKey(), name: text('name').default('x').notNull() })
    await migrate(database, [kept], [], { extensions: existsSync(`${FIFTEEN}/../lib/pg_trgm.so`) ? ['pg_trgm'] : [] })
    const seen: string[] = []
    await database.listen('changes', (payload) => seen.push(payload))
    await database.transaction(async (tx) => {
      await tx.drizzle.insert(kept).values({ id: newId() })
      await tx.notify('changes', 'one')
    })
    await expect.poll(() => seen).toEqual(['one'])
    expect(database.describe()).toMatchObject({ kind: 'postgres', version: expect.stringMatching(/^15/) })
    await database.close()
  })
})

/** Just enough of the protocol to say "version 14.5" to the question about the server's facts. */
function answerLikeAnOldServer(data: Buffer): Buffer {
  const message = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts)
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const short = (value: number) => Buffer.from([value >> 8, value & 255])
  const long = (value: number) => Buffer.concat([short(value >> 16), short(value & 65535)])
  const ready = message('Z', Buffer.from('I'))
  if (data[0] === 0) return Buffer.concat([message('R', long(0)), ready])
  if (data[0] !== 0x51) return Buffer.alloc(0)
  const facts: [string, number, string][] = [
    ['number', 23, '140005'],
    ['version', 25, '14.5'],
    ['encoding', 25, 'UTF8'],
    ['standby', 16, 'f'],
    ['user', 25, 'u'],
    ['schema', 25, 'public'],
    ['may_create', 16, 't'],
  ]
  const columns = facts.map(([name, type]) =>
    Buffer.concat([Buffer.from(`${name}\0`), long(0), short(0), long(type), short(65535), long(0), short(0)]),
  )
  const values = facts.map(([, , value]) => Buffer.concat([long(value.length), Buffer.from(value)]))
  return Buffer.concat([
    message('T', short(facts.length), ...columns),
    message('D', short(facts.length), ...values),
    message('C', Buffer.from('SELECT 1\0')),
    ready,
  ])
}
