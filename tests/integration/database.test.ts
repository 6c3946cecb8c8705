import { sql } from 'drizzle-orm'
import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isUniqueViolation, jsonb, migrate, newId, openDatabase, sqlState } from '../../gateway/platform/database'
import type { Database, Transaction } from '../../gateway/platform/database'
import { quietLogger, temporaryFolder, testDatabase } from './testDatabase'

const note = pgTable('note', {
  id: text('id').primaryKey(),
  body: jsonb<unknown>('body'),
  at: timestamp('at', { withTimezone: true, mode: 'string', precision: 3 }),
})

const engines: [string, () => Promise<{ database: Database; drop: () => Promise<void> }>][] = [
  ['PostgreSQL', () => testDatabase()],
  [
    'PGlite',
    async () => {
      const { mkdtempSync, rmSync } = await import('node:fs')
      const folder = mkdtempSync('/tmp/switchboard-test-')
      const database = await openDatabase({ dataDir: folder, engine: 'pglite', logger: quietLogger })
      return {
        database,
        async drop() {
          await database.close()
          rmSync(folder, { recursive: true, force: true })
        },
      }
    },
  ],
]

describe.each(engines)('the database on %s', (_name, start) => {
  let database: Database
  let drop: () => Promise<void>

  beforeAll(async () => {
    ;({ database, drop } = await start())
    await migrate(database, [note], [], { extensions: ['pg_trgm', 'unaccent'] })
  })
  afterAll(() => drop())

  it('gives values as documented, whatever way they are read', async () => {
    const statement = sql`select 5::int8 as int8, 9007199254740993::int8 as big, count(*) as count, 1.50::numeric as numeric, ${'2026-01-01T08:00:00.1+08:00'}::timestamptz as at,
      '{"a":[1]}'::jsonb as json, array[1,2]::int8[] as ints, date '2026-02-03' as day, array[1.10, null]::numeric[] as decimals, true as yes, '\\x01'::bytea as bytes from (select 1) one`
    const wanted = {
      int8: 5,
      big: '9007199254740993',
      count: 1,
      numeric: '1.50',
      at: '2026-01-01T00:00:00.100Z',
      json: { a: [1] },
      ints: [1, 2],
      day: '2026-02-03',
      decimals: ['1.10', null],
      yes: true,
      bytes: Buffer.from([1]),
    }
    expect((await database.query(statement)).rows).toEqual([wanted])
    expect((await database.drizzle.execute(statement)).rows).toEqual([wanted])
    for await (const batch of database.stream(statement)) expect(batch).toEqual([wanted])
  })

  it('stores what toISOString wrote and any JSON value, and gives both back unchanged', async () => {
    const at = new Date('2026-03-04T05:06:07.089Z').toISOString()
    for (const body of ['123', '"quoted"', { a: null }, [1, 'x'], 7, true]) {
      const id = newId()
      await database.drizzle.insert(note).values({ id, body, at })
      expect(
        await database.drizzle
          .select()
          .from(note)
          .where(sql`${note.id} = ${id}`),
      ).toEqual([{ id, body, at }])
    }
  })

  it('undoes everything when the work of a transaction fails', async () => {
    const id = newId()
    const work = database.transaction(async (tx) => {
      await tx.drizzle.insert(note).values({ id })
      throw new Error('stop')
    })
    await expect(work).rejects.toThrow('stop')
    expect((await database.query('select 1 from note where id = $1', [id])).rowCount).toBe(0)
  })

  it('undoes only the inner work when a nested transaction fails, and runs hooks after the commit', async () => {
    const outer = newId()
    const inner = newId()
    const hooks: string[] = []
    await database.transaction(async (tx) => {
      await tx.drizzle.insert(note).values({ id: outer })
      tx.afterCommit(() => void hooks.push('outer'))
      const failed = tx.transaction(async (nested) => {
        nested.afterCommit(() => void hooks.push('inner'))
        await nested.drizzle.insert(note).values({ id: inner })
        await nested.drizzle.insert(note).values({ id: outer })
      })
      await expect(failed).rejects.toSatisfy((error) => isUniqueViolation(error, 'note_pkey'))
      expect(hooks).toEqual([])
    })
    const { rows } = await database.query('select id from note where id = any($1)', [[outer, inner]])
    expect(rows).toEqual([{ id: outer }])
    expect(hooks).toEqual(['outer'])
  })

  it('does right before the commit, once, what was gathered for it; what was undone is forgotten, and an error undoes all', async () => {
    const [kept, lost] = [newId(), newId()]
    const done: (readonly string[])[] = []
    const write = async (tx: Transaction, ids: readonly string[]): Promise<void> => {
      done.push(ids)
      for (const id of ids) await tx.drizzle.insert(note).values({ id })
    }
    await database.transaction(async (tx) => {
      const failed = tx.transaction((nested) => {
        nested.beforeCommit(write, lost)
        throw new Error('undone')
      })
      await expect(failed).rejects.toThrow('undone')
      await tx.transaction((nested) => Promise.resolve(nested.beforeCommit(write, kept)))
      expect(done).toEqual([])
    })
    expect(done).toEqual([[kept]])
    const twice = database.transaction(async (tx) => {
      await tx.drizzle.insert(note).values({ id: lost })
      tx.beforeCommit(write, kept)
    })
    await expect(twice).rejects.toSatisfy((error) => isUniqueViolation(error, 'note_pkey'))
    const { rows } = await database.query('select id from note where id = any($1)', [[kept, lost]])
    expect(rows).toEqual([{ id: kept }])
  })

  it('refuses to commit when the error of a statement was swallowed', async () => {
    const work = database.transaction(async (tx) => {
      await tx.query('select 1 / 0').catch(() => undefined)
    })
    await expect(work).rejects.toThrow(/rolled back/)
  })

  it('refuses a statement that comes after the end of its transaction', async () => {
    const kept = await database.transaction(async (tx) => tx)
    await expect(kept.query('select 1')).rejects.toThrow(/transaction is over/)
  })

  it('answers a plain query made while the caller holds a transaction', async () => {
    const rows = await database.transaction(async () => (await database.query('select 1 as one')).rows)
    expect(rows).toEqual([{ one: 1 }])
    await Promise.all(Array.from({ length: 20 }, (_, n) => database.transaction((tx) => tx.query('select $1::int', [n]))))
  })

  it('answers queries beside transactions that hold every connection of the pool', async () => {
    const asked = Array.from({ length: 20 }, (_, n) =>
      database.transaction(async (tx) => {
        await tx.query('select 1')
        return (await database.query<{ n: number }>('select $1::int as n', [n])).rows[0]!.n
      }),
    )
    expect(await Promise.all(asked)).toEqual(asked.map((_, n) => n))
  })

  it('streams in batches and closes the cursor when the reader leaves early', async () => {
    const sizes: number[] = []
    for await (const batch of database.stream('select n from generate_series(1, $1::int) n', [2500], { batchSize: 1000 }))
      sizes.push(batch.length)
    expect(sizes).toEqual([1000, 1000, 500])
    for await (const batch of database.stream('select n from generate_series(1, 5000) n')) {
      expect(batch).toHaveLength(1000)
      break
    }
    expect((await database.query(`select 1 from pg_cursors where name like 'reader%'`)).rowCount).toBe(0)
    expect(database.usage().inUse).toBe(0)
  })

  it('delivers notifications at the commit only, and to current subscribers only', async () => {
    const seen: string[] = []
    const end = await database.listen('changes', (payload) => seen.push(payload))
    await expect(
      database.transaction(async (tx) => {
        await tx.notify('changes', 'never')
        throw new Error('stop')
      }),
    ).rejects.toThrow('stop')
    await database.transaction((tx) => tx.notify('changes', 'first'))
    await database.notify('changes', 'second')
    await expect.poll(() => seen).toEqual(['first', 'second'])
    await end()
    await database.notify('changes', 'third')
    await database.query('select 1')
    expect(seen).toEqual(['first', 'second'])
    await expect(database.notify('changes', 'x'.repeat(8000))).rejects.toThrow(RangeError)
  })

  it('names the SQLSTATE of an error also when drizzle has wrapped it, and keeps the values out of its message', async () => {
    const id = newId()
    await database.drizzle.insert(note).values({ id })
    const error: unknown = await database.drizzle
      .insert(note)
      .values({ id })
      .then(
        () => undefined,
        (caught: unknown) => caught,
      )
    expect(sqlState(error)).toBe('23505')
    expect(String((error as Error).message)).not.toContain(id)
  })

  it('searches Chinese letters by trigrams', async () => {
    const { rows } = await database.query<{ near: number }>(`select similarity('中国移动通信', '中国移动') as near`)
    expect(rows[0]?.near).toBeGreaterThan(0.4)
  })
})

describe('a folder that PGlite holds', () => {
  it('is not opened twice and opens again with its data after a clean close', async () => {
    const folder = temporaryFolder()
    const first = await openDatabase({ dataDir: folder, engine: 'pglite', logger: quietLogger })
    await expect(openDatabase({ dataDir: folder, logger: quietLogger })).rejects.toThrow(/in use by another Switchboard/)
    await first.query('create table kept (n int)')
    await first.query('insert into kept values (7)')
    await first.close()
    await expect(openDatabase({ dataDir: folder, engine: 'embedded', logger: quietLogger })).rejects.toThrow(
      /was made with "pglite"/,
    )
    const again = await openDatabase({ dataDir: folder, logger: quietLogger })
    expect(again.describe()).toMatchObject({ kind: 'pglite', notes: [expect.stringContaining('made with it')] })
    expect((await again.query('select n from kept')).rows).toEqual([{ n: 7 }])
    await again.close()
  })
})
