import pg from 'pg'
import { copyData } from './preparedData'

/** Names the PostgreSQL server of this run to its workers. */
const SERVER = 'SWITCHBOARD_TEST_SERVER'
let counter = 0

/** Before the tests of a run: the address of their server, without a database name at its end. */
export function nameServer(address: string): void {
  process.env[SERVER] = address
}

export interface GatewayDatabase {
  /** DATABASE_URL; undefined outside of a run: the database is in the data folder. */
  url?: string
  drop(): Promise<void>
}

/**
 * A copy of the data of that name: its folder at `folder`, and its database on the server of the run, which starts no server and
 * copies only what is in it. Whoever comes first makes both by `make`.
 */
export async function copyGatewayData(
  name: string,
  folder: string,
  make: (dataDir: string, databaseUrl?: string) => Promise<void>,
): Promise<GatewayDatabase> {
  const server = process.env[SERVER]
  if (server === undefined) {
    await copyData(name, folder, (dataDir) => make(dataDir))
    return { drop: async () => undefined }
  }
  const template = `made_${name.replaceAll(/\W/g, '_')}`
  await copyData(name, folder, async (dataDir) => {
    await administer(server, `drop database if exists ${template}`)
    await administer(server, `create database ${template}`)
    await make(dataDir, `${server}/${template}`)
  })
  counter += 1
  const own = `gateway_${process.pid}_${counter}`
  await administer(server, `create database ${own} template ${template} strategy file_copy`)
  return { url: `${server}/${own}`, drop: () => administer(server, `drop database if exists ${own} with (force)`) }
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
