import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../../../../gateway/platform/database'
import { Queue, type Line, type Work } from '../../../../../gateway/platform/queue'
import { temporaryFolder, testDatabase, type TestDatabase } from '../../../testDatabase'

const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
let there: TestDatabase
let database: Database
let gateways: Queue[] = []
beforeAll(async () => {
  there = await testDatabase()
  ;({ database } = there)
})
afterEach(async () => {
  await Promise.all(gateways.map((queue) => queue.stop()))
  gateways = []
})
afterAll(() => there.drop())

/** A gateway on the database that works on one line. */
async function gateway(line: Line<object>, now = () => new Date(), works = true): Promise<Queue> {
  const queue = new Queue({ database, logger, now })
  gateways.push(queue)
  queue.define(line)
  await queue.open()
  if (works) await queue.work(line.name)
  return queue
}
const stateOf = async (name: string, key: string): Promise<string | undefined> => {
  const { rows } = await database.query<{ state: string }>(
    `select state::text from pgboss.job where name = $1 and singleton_key = $2 order by created_on desc limit 1`,
    [name, key],
  )
  return rows[0]?.state
}

describe('the queue', () => {
  it('sends what is sent in a transaction when that commits, and never when it is undone', async () => {
    const done: string[] = []
    const queue = await gateway({ name: 'test.sent', handle: ({ key }) => Promise.resolve(void done.push(key)) })
    await expect(
      database.transaction(async (tx) => {
        await queue.send(tx, 'test.sent', [{ key: 'undone' }])
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    await database.transaction(async (tx) => {
      await queue.send(tx, 'test.sent', [{ key: 'kept' }, { key: 'kept' }])
      await sleep(200)
      expect(done).toEqual([])
    })
    await expect.poll(() => done).toEqual(['kept'])
    await expect.poll(() => stateOf('test.sent', 'kept')).toBe('completed')
    expect(await stateOf('test.sent', 'undone')).toBeUndefined()
  })

  it('hands a message to one of several gateways, and of one key one at a time', async () => {
    const done: string[] = []
    const at = new Map<string, number>()
    let most = 0
    const handle = async ({ key }: Work<object>): Promise<void> => {
      at.set(key, (at.get(key) ?? 0) + 1)
      most = Math.max(most, at.get(key) ?? 0)
      await sleep(20)
      at.set(key, (at.get(key) ?? 0) - 1)
      done.push(key)
    }
    const [first] = [
      await gateway({ name: 'test.shared', concurrency: 3, handle }),
      await gateway({ name: 'test.shared', concurrency: 3, handle }),
    ]
    const keys = Array.from({ length: 30 }, (_, index) => `m${index}`)
    await first.send(
      database,
      'test.shared',
      keys.map((key) => ({ key })),
    )
    await expect.poll(() => done.length, { timeout: 10_000 }).toBe(30)
    expect([...done].sort()).toEqual([...keys].sort())
    for (let count = 0; count < 5; count += 1) {
      await first.send(database, 'test.shared', [{ key: 'same' }])
      await sleep(10)
    }
    await expect.poll(() => first.keys('test.shared').then(({ size }) => size), { timeout: 10_000 }).toBe(0)
    expect(most).toBe(1)
  })

  it('goes in turns: what stands behind waits for the first of everybody', async () => {
    const done: string[] = []
    const queue = await gateway(
      { name: 'test.turns', handle: ({ key }) => Promise.resolve(void done.push(key)) },
      undefined,
      false,
    )
    await queue.send(database, 'test.turns', [{ key: 'greedy1' }])
    for (const behind of [1, 2]) await queue.send(database, 'test.turns', [{ key: `greedy${behind + 1}`, behind }])
    await queue.send(database, 'test.turns', [{ key: 'modest' }])
    await queue.work('test.turns')
    await expect.poll(() => done).toEqual(['greedy1', 'modest', 'greedy2', 'greedy3'])
  })

  it('tries again what fails, and what a gateway left that is gone', async () => {
    const attempts: number[] = []
    const queue = await gateway({
      name: 'test.again',
      retry: { limit: 2 },
      handle: ({ attempt }) => {
        attempts.push(attempt)
        return Promise.reject(new Error('no'))
      },
    })
    await queue.send(database, 'test.again', [{ key: 'fails' }])
    await expect.poll(() => stateOf('test.again', 'fails'), { timeout: 15_000 }).toBe('failed')
    expect(attempts).toEqual([1, 2, 3])
    await queue.send(database, 'test.again', [{ key: 'later', at: new Date(Date.now() + 3_600_000) }])
    await database.query(
      `update pgboss.job set state = 'active', started_on = now() - interval '46 seconds' where singleton_key = 'later'`,
    )
    await expect.poll(() => attempts.length, { timeout: 40_000 }).toBeGreaterThan(3)
    expect(attempts[3]).toBe(2)
  }, 60_000)

  it('puts back what a stopping gateway interrupts, and waits for what does not hear of it', async () => {
    let finished = false
    const taken: string[] = []
    const handle = async ({ key, signal }: Work<object>): Promise<void> => {
      taken.push(key)
      if (key === 'deaf') await sleep(500)
      else await sleep(60_000, undefined, { signal })
      finished = true
    }
    const queue = await gateway({ name: 'test.stop', concurrency: 2, handle })
    await queue.send(database, 'test.stop', [{ key: 'hears' }, { key: 'deaf' }])
    await expect.poll(() => taken.length).toBe(2)
    await queue.stop()
    expect(finished).toBe(true)
    expect([await stateOf('test.stop', 'deaf'), await stateOf('test.stop', 'hears')]).toEqual(['completed', 'created'])
    const other: Work<object>[] = []
    await gateway({ name: 'test.stop', handle: (work) => Promise.resolve(void other.push(work)) })
    await expect.poll(() => other).toMatchObject([{ key: 'hears', attempt: 1 }])
  })

  it('works on the single connection of PGlite, also from within a transaction', async () => {
    const single = await openDatabase({ dataDir: temporaryFolder(), engine: 'pglite', logger })
    const queue = new Queue({ database: single, logger, now: () => new Date() })
    const done: string[] = []
    queue.define({
      name: 'test.single',
      concurrency: 2,
      retry: { limit: 1 },
      handle: async ({ key, attempt }) => {
        if (key === 'second' && attempt === 1) throw new Error('no')
        await single.transaction(async (tx) => {
          done.push(`${key} ${attempt}`)
          if (key === 'first') await queue.send(tx, 'test.single', [{ key: 'third' }])
        })
      },
    })
    await queue.open()
    await queue.work('test.single')
    await single.transaction((tx) => queue.send(tx, 'test.single', [{ key: 'first' }, { key: 'second' }]))
    await expect.poll(() => [...done].sort(), { timeout: 20_000 }).toEqual(['first 1', 'second 2', 'third 1'])
    await queue.stop()
    await single.close()
  }, 60_000)

  it('follows a clock that is moved', async () => {
    let now = new Date('2031-03-03T12:00:00Z')
    const seen: string[] = []
    const queue = await gateway(
      {
        name: 'test.clock',
        handle: ({ key, at }) => {
          if (at > now) return Promise.resolve({ again: at })
          seen.push(key)
          return Promise.resolve({ did: true })
        },
      },
      () => now,
      false,
    )
    const day = (days: number): Date => new Date(now.getTime() + days * 86_400_000)
    await queue.send(database, 'test.clock', [
      { key: 'third', at: day(3) },
      { key: 'second', at: day(2) },
      { key: 'first', at: day(1) },
    ])
    expect(await queue.hurry(['test.clock'])).toEqual([])
    now = day(2)
    expect(await queue.hurry(['test.clock'])).toEqual(['first', 'second'])
    expect([...(await queue.keys('test.clock'))]).toEqual(['third'])
    expect(seen).toEqual(['first', 'second'])
  })
})
