import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { openDatabase } from '../../gateway/platform/database'
import type { Database, DatabaseLogger } from '../../gateway/platform/database'
import { fillData } from '../support/gateway'

export const quietLogger: DatabaseLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

export interface TestDatabase {
  database: Database
  /** For a gateway of its own on the same data: DATABASE_URL. */
  url: string
  /** Closes and drops it. */
  drop(): Promise<void>
}

const templates = new Map<string, Promise<string>>()
let counter = 0

/**
 * An empty database of its own on the run's PostgreSQL server (some 30 ms). Drop it in `afterAll`.
 * With `template`, a copy of the database that `prepare` filled: it is filled once per file, each copy is quick.
 */
export async function testDatabase(template?: {
  name: string
  prepare: (database: Database) => Promise<void>
}): Promise<TestDatabase> {
  const from = template ? await templateOf(template.name, template.prepare) : undefined
  return open(await create(from))
}

/** A database of its own as a first start leaves it, empty or with the demo world, for several gateways, or one after the other. */
export async function gatewayDatabase({ demo = false } = {}): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-shared-'))
  const { url = '', drop } = await fillData(folder, demo, { DEMO_SCALE: '0.1', DEMO_SIGN_IN: 'true' })
  const database = await openDatabase({ databaseUrl: url, dataDir: tmpdir(), logger: quietLogger, poolSize: 5 })
  return {
    database,
    url,
    async drop() {
      await database.close()
      await drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A folder that is deleted when the running test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function templateOf(name: string, prepare: (database: Database) => Promise<void>): Promise<string> {
  const known = templates.get(name)
  if (known) return known
  const making = (async () => {
    const template = await create()
    const { database } = await open(template)
    await prepare(database)
    // A database with a connection cannot be a template.
    await database.close()
    return template
  })()
  templates.set(name, making)
  return making
}

async function create(template?: string): Promise<string> {
  counter += 1
  const name = `test_${process.pid}_${Date.now().toString(36)}_${counter}`
  await administer(`create database ${name}${template ? ` template ${template}` : ''}`)
  return name
}

async function open(name: string): Promise<TestDatabase> {
  const url = urlOf(name)
  const database = await openDatabase({ databaseUrl: url, dataDir: tmpdir(), logger: quietLogger, poolSize: 5 })
  return {
    database,
    url,
    async drop() {
      await database.close()
      await administer(`drop database if exists ${name} with (force)`)
    },
  }
}

export function urlOf(name: string): string {
  return `${inject('postgresServer')}/${name}`
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
