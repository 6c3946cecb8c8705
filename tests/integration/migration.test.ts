import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  numeric,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import type { PgTable } from 'drizzle-orm/pg-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate, MigrationRefusedError, openDatabase } from '../../gateway/platform/database'
import type { Refusal, SqlStep } from '../../gateway/platform/database'
import { quietLogger, testDatabase } from './testDatabase'
import type { TestDatabase } from './testDatabase'

const owner = pgTable('owner', { id: text('id').primaryKey() })
const first = pgTable(
  'thing',
  {
    id: text('id').primaryKey(),
    name: varchar('name', { length: 20 }).notNull(),
    size: integer('size'),
    price: numeric('price', { precision: 10, scale: 2 }),
    old: text('old').notNull(),
    state: text('state').default('new').notNull(),
    at: timestamp('at', { withTimezone: true, mode: 'string' }).defaultNow(),
  },
  (table) => [
    index('thing_name').on(table.name),
    uniqueIndex('thing_open')
      .on(table.size)
      .where(sql`${table.state} = 'open'`),
  ],
)

let test: TestDatabase

beforeEach(async () => {
  test = await testDatabase()
})
afterEach(() => test.drop())

async function refusals(tables: PgTable[]): Promise<readonly Refusal[]> {
  const error: unknown = await migrate(test.database, tables).then(
    () => undefined,
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(MigrationRefusedError)
  return (error as MigrationRefusedError).refusals
}

async function insertThing(values: Record<string, unknown> = {}): Promise<void> {
  const row = { id: Math.random().toString(36), name: 'n', old: 'o', ...values }
  const names = Object.keys(row)
  await test.database.query(
    `insert into thing (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
    Object.values(row),
  )
}

describe('a migration', () => {
  it('creates what is wanted and finds nothing to do the second time', async () => {
    const report = await migrate(test.database, [owner, first])
    expect(report).toMatchObject({ createdTables: ['owner', 'thing'], createdIndexes: ['thing_name', 'thing_open'] })
    const again = await migrate(test.database, [owner, first])
    expect(again).toEqual({
      createdTables: [],
      addedColumns: [],
      changedColumns: [],
      createdIndexes: [],
      droppedIndexes: [],
      constraints: [],
      keptColumns: [],
      steps: [],
      warnings: [],
      milliseconds: expect.any(Number),
    })
  })

  it('adds, widens and relaxes with data in the table, and keeps columns that nobody wants', async () => {
    await migrate(test.database, [owner, first])
    await insertThing({ id: 'a', name: 'x'.repeat(20), size: 7, price: '1.25', old: 'kept' })
    const second = pgTable(
      'thing',
      {
        id: text('id').primaryKey(),
        name: text('name'),
        size: bigint('size', { mode: 'number' }),
        price: numeric('price', { precision: 18, scale: 4 }),
        state: text('state').default('fresh').notNull(),
        at: timestamp('at', { withTimezone: true, mode: 'string' }).defaultNow(),
        level: text('level').default('A').notNull(),
        ownerId: text('owner_id'),
      },
      (table) => [
        index('thing_name').on(table.name, table.level),
        unique('thing_owner').on(table.ownerId, table.name),
        check('thing_size', sql`${table.size} > 0`),
        foreignKey({ name: 'thing_owner_fk', columns: [table.ownerId], foreignColumns: [owner.id] }),
      ],
    )
    const report = await migrate(test.database, [owner, second])
    expect(report.addedColumns).toEqual(['thing.level', 'thing.owner_id'])
    expect(report.changedColumns).toEqual([
      'thing.name: character varying(20) -> text',
      'thing.name: optional',
      'thing.size: integer -> bigint',
      'thing.price: numeric(10,2) -> numeric(18,4)',
    ])
    expect(report.keptColumns).toEqual(['thing.old'])
    expect(report).toMatchObject({ createdIndexes: ['thing_name'], droppedIndexes: ['thing_open'] })
    expect(report.constraints.sort()).toEqual(['thing.thing_owner', 'thing.thing_owner_fk', 'thing.thing_size'])
    await test.database.query(`insert into thing (id, name) values ('b', 'without the old column')`)
    const { rows } = await test.database.query(`select id, size, price, old, state, level from thing order by id`)
    expect(rows).toEqual([
      { id: 'a', size: 7, price: '1.2500', old: 'kept', state: 'new', level: 'A' },
      { id: 'b', size: null, price: null, old: null, state: 'fresh', level: 'A' },
    ])
    await expect(test.database.query(`insert into thing (id, size) values ('c', 0)`)).rejects.toThrow(/thing_size/)
    expect((await migrate(test.database, [owner, second])).changedColumns).toEqual([])
  })

  it('narrows and requires when no stored row stands against it', async () => {
    await migrate(test.database, [first])
    await insertThing({ name: 'short', size: 3, price: '9.50' })
    const narrow = pgTable('thing', {
      id: text('id').primaryKey(),
      name: varchar('name', { length: 5 }).notNull(),
      size: integer('size').notNull(),
      price: numeric('price', { precision: 4, scale: 1 }),
      old: text('old').notNull(),
    })
    const { changedColumns } = await migrate(test.database, [narrow])
    expect(changedColumns).toContain('thing.name: character varying(20) -> character varying(5)')
    expect(changedColumns).toContain('thing.size: required')
  })

  it('refuses with every reason at once, and leaves everything as it was, where stored data would be lost', async () => {
    await migrate(test.database, [first])
    await insertThing({ name: 'far too long', price: '99.99', size: 1 })
    await insertThing({ name: 'far too long', size: 1 })
    const wanted = pgTable(
      'thing',
      {
        id: text('id').primaryKey(),
        name: varchar('name', { length: 5 }).notNull(),
        size: integer('size'),
        price: integer('price').notNull(),
        old: timestamp('old', { withTimezone: true }).notNull(),
        code: text('code').notNull(),
        added: text('added'),
      },
      (table) => [uniqueIndex('thing_once').on(table.name), check('thing_small', sql`${table.size} > 1`)],
    )
    const found = await refusals([wanted])
    expect(found.map(({ part, rows }) => [part, rows])).toEqual([
      ['name', 2],
      ['price', 1],
      ['price', 1],
      ['old', 2],
      ['code', 2],
      ['thing_small', 2],
      ['thing_once', 1],
    ])
    expect(found[0]).toEqual({
      table: 'thing',
      part: 'name',
      stored: 'character varying(20)',
      wanted: 'character varying(5)',
      rows: 2,
      why: expect.stringContaining('shorten them'),
    })
    const { rows } = await test.database.query(
      `select column_name from information_schema.columns where table_name = 'thing' and column_name = 'added'`,
    )
    expect(rows).toEqual([])
    expect((await migrate(test.database, [first])).changedColumns).toEqual([])
  })

  it('refuses a reference to rows that are missing', async () => {
    await migrate(test.database, [owner, first])
    await insertThing({ old: 'nobody' })
    const wanted = pgTable('thing', { id: text('id').primaryKey(), old: text('old').notNull() }, (table) => [
      foreignKey({ name: 'thing_old_fk', columns: [table.old], foreignColumns: [owner.id] }),
    ])
    expect(await refusals([owner, wanted])).toMatchObject([{ part: 'thing_old_fk', rows: 1 }])
  })

  it('leaves an index of the operator alone', async () => {
    await migrate(test.database, [first])
    await test.database.query('create index my_own on thing (size)')
    expect((await migrate(test.database, [first])).droppedIndexes).toEqual([])
    expect((await test.database.query(`select 1 from pg_indexes where indexname = 'my_own'`)).rowCount).toBe(1)
  })

  it('runs each step once, in order; steps for old tables are only noted on a fresh database', async () => {
    const steps: SqlStep[] = [
      { id: '1-rename', when: 'before', run: 'alter table thing rename column old to renamed' },
      { id: '2-fill', run: `insert into thing (id, name, old) values ('s', 'step', 'x')` },
      { id: '3-fill', run: async (tx) => void (await tx.query(`update thing set name = name || '!' where id = 's'`)) },
    ]
    expect((await migrate(test.database, [first], steps)).steps).toEqual(['2-fill', '3-fill'])
    expect((await migrate(test.database, [first], steps)).steps).toEqual([])
    expect((await test.database.query('select name from thing')).rows).toEqual([{ name: 'step!' }])
    const changed = [{ ...steps[1]!, run: 'select 1' }]
    expect((await migrate(test.database, [first], changed)).warnings).toEqual(
      expect.arrayContaining([
        expect.stringContaining('2-fill was changed'),
        expect.stringContaining('3-fill was run by a release that knows more'),
      ]),
    )
  })

  it('runs a step for old tables before they are compared', async () => {
    await migrate(test.database, [first])
    await insertThing({ id: 'r', old: 'moves' })
    const renamed = pgTable('thing', { id: text('id').primaryKey(), renamed: text('renamed').notNull() })
    const step: SqlStep = { id: 'rename', when: 'before', run: 'alter table thing rename column old to renamed' }
    const report = await migrate(test.database, [renamed], [step])
    expect(report).toMatchObject({ steps: ['rename'], addedColumns: [] })
    expect((await test.database.query('select renamed from thing')).rows).toEqual([{ renamed: 'moves' }])
  })

  it('undoes everything when a step fails', async () => {
    await expect(migrate(test.database, [first], [{ id: 'bad', run: 'select 1 / 0' }])).rejects.toThrow(/division by zero/)
    expect((await test.database.query(`select to_regclass('thing') as thing`)).rows).toEqual([{ thing: null }])
  })

  it('lets several instances start at once: one migrates, the others find nothing to do', async () => {
    const others = await Promise.all(
      Array.from({ length: 3 }, () =>
        openDatabase({ databaseUrl: test.url, dataDir: '/nowhere', logger: quietLogger, poolSize: 2 }),
      ),
    )
    const reports = await Promise.all(
      others.map((database) => migrate(database, [owner, first], [{ id: 'once', run: `insert into owner values ('o')` }])),
    )
    expect(reports.filter(({ createdTables }) => createdTables.length > 0)).toHaveLength(1)
    expect(reports.flatMap(({ steps }) => steps)).toEqual(['once'])
    await Promise.all(others.map((database) => database.close()))
  })
})
