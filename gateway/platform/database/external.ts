import pg from 'pg'
import { StartupError } from '../lifecycle/index'
import type { Engine } from './engine'

const OLDEST = 150_000
const CONNECT_PATIENCE = 10_000

/**
 * A PostgreSQL server of yours. It is asked once whether it will do.
 * @throws StartupError with one sentence for everything that can be wrong with DATABASE_URL; never shows the password
 */
export async function connectExternal(databaseUrl: string): Promise<Engine> {
  const connection = parseUrl(databaseUrl)
  const location = redact(databaseUrl)
  const notes = await check(connection, location)
  return {
    kind: 'postgres',
    connection,
    single: false,
    restarts: false,
    ready: () => Promise.resolve(),
    describe: () => ({ location, notes }),
    stop: () => Promise.resolve(),
  }
}

function parseUrl(databaseUrl: string): pg.ClientConfig {
  let url: URL
  try {
    url = new URL(databaseUrl)
  } catch (cause) {
    throw wrong('DATABASE_URL is not an address; write it as postgres://user:password@host:5432/database.', cause)
  }
  if (!/^postgres(ql)?:$/.test(url.protocol)) {
    throw wrong(`DATABASE_URL begins with "${url.protocol}//", but must begin with "postgres://".`)
  }
  if (url.pathname.length < 2) throw wrong(`DATABASE_URL (${redact(databaseUrl)}) names no database; add "/database" at its end.`)
  return { connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_PATIENCE }
}

async function check(connection: pg.ClientConfig, location: string): Promise<string[]> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    throw connectFailed(error, location)
  }
  try {
    const { rows } = await client.query<Facts>(FACTS)
    const facts = rows[0]
    if (!facts) throw wrong(`the server of DATABASE_URL (${location}) gave no answer.`)
    if (facts.number < OLDEST) {
      throw wrong(`the server of DATABASE_URL (${location}) is PostgreSQL ${facts.version}, but Switchboard needs 15 or newer.`)
    }
    if (facts.encoding !== 'UTF8') {
      throw wrong(
        `the database of DATABASE_URL (${location}) stores ${facts.encoding}, but Switchboard needs UTF8; make one with: create database switchboard encoding 'UTF8' template template0.`,
      )
    }
    if (facts.standby)
      throw wrong(`the server of DATABASE_URL (${location}) is a read-only standby; use the address of the primary.`)
    if (!facts.may_create) {
      throw wrong(
        `user "${facts.user}" of DATABASE_URL (${location}) may not create tables in the schema "${facts.schema ?? 'public'}"; make the user owner of the database, or grant it.`,
      )
    }
    return []
  } catch (error) {
    if (error instanceof StartupError) throw error
    const detail = error instanceof Error ? error.message : String(error)
    throw wrong(`what answers at DATABASE_URL (${location}) does not behave like PostgreSQL 15 or newer (${detail}).`, error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

interface Facts {
  number: number
  version: string
  encoding: string
  standby: boolean
  user: string
  schema: string | null
  may_create: boolean
}

const FACTS = `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
  current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby, current_user::text as user, current_schema()::text as schema,
  coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_create`

function connectFailed(error: unknown, location: string): StartupError {
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) }
  const host = safeHost(location)
  const say = (reason: string, kind: 'unavailable' | 'configuration' = 'configuration') =>
    new StartupError(kind, `the database of DATABASE_URL (${location}) cannot be used: ${reason}`, { cause: error })
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return say(`the host name "${host}" cannot be resolved; check its spelling and the name service.`)
    case 'ECONNREFUSED':
      return say(`nothing answers there (connection refused); is the server running, and are host and port right?`, 'unavailable')
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return say('the host cannot be reached; check the network and the firewall.', 'unavailable')
    case '28P01':
      return say('the server refuses the user name or the password.')
    case '28000':
      return say(
        `the server refuses this user from here (${message}); check pg_hba.conf and, if it wants encryption, add "?sslmode=require".`,
      )
    case '3D000':
      return say('the server has no such database; create it, or correct the name at the end of the address.')
    case '53300':
      return say('the server has no free connection left; raise max_connections or close other programs.', 'unavailable')
    case '57P03':
      return say('the server is still starting or already stopping; try again in a moment.', 'unavailable')
    case '42501':
      return say(`this user may not connect to the database (${message}).`)
  }
  if (/SSL/.test(message)) return say(`encryption does not work (${message}); check "sslmode" in the address.`)
  if (/timeout/.test(message))
    return say(
      `nothing that speaks PostgreSQL answered within ${CONNECT_PATIENCE / 1000} seconds; check host and port.`,
      'unavailable',
    )
  if (/terminated unexpectedly|ended by|ECONNRESET/.test(`${message} ${code}`)) {
    return say('the other side closed the connection; is it a PostgreSQL server?', 'unavailable')
  }
  return say(`${message}.`)
}

function safeHost(location: string): string {
  return location.replace(/^.*@/, '').replace(/[:/?].*$/, '')
}

/** The address without password and parameters, for messages and the log. */
export function redact(databaseUrl: string): string {
  try {
    const { username, host, pathname } = new URL(databaseUrl)
    return `${username ? `${decodeURIComponent(username)}@` : ''}${host || 'localhost'}${pathname}`
  } catch {
    return 'unreadable address'
  }
}

function wrong(message: string, cause?: unknown): StartupError {
  return new StartupError('configuration', message, { cause })
}
