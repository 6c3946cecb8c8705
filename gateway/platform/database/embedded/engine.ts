import pg from 'pg'
import { setTimeout as wait } from 'node:timers/promises'
import { StartupError } from '../../lifecycle/index'
import type { Engine } from '../engine'
import type { FolderLock } from '../folderLock'
import { sqlState } from '../sqlErrors'
import { checkCluster, makeCluster, prepareHome } from './cluster'
import { adoptServer, launchServer, stopServer } from './server'
import type { ServerOptions, ServerProcess } from './server'
import { existsSync } from 'node:fs'

export const DATABASE_NAME = 'switchboard'
/** Milliseconds between attempts to bring a server back; the last one is used again and again. */
const RESTART_WAITS = [0, 200, 500, 1_000, 2_000, 5_000]
/** Milliseconds a caller waits for a restart before it is told. */
const READY_PATIENCE = 10_000

/** The PostgreSQL that the gateway starts, watches and stops. */
export class EmbeddedEngine implements Engine {
  readonly kind = 'embedded'
  readonly single = false
  readonly restarts = true
  private stopping = false
  private up: Promise<void> = Promise.resolve()

  private constructor(
    private readonly options: ServerOptions,
    private readonly lock: FolderLock,
    private server: ServerProcess,
  ) {
    this.watch(server)
  }

  /** Makes the cluster when there is none, then adopts or starts its server. */
  static async start(options: ServerOptions, lock: FolderLock): Promise<EmbeddedEngine> {
    const { paths, binaries, identity, onProgress, logger } = options
    prepareHome(paths, identity)
    if (existsSync(paths.cluster)) {
      checkCluster(paths, binaries)
    } else {
      onProgress?.('creating the database')
      await makeCluster(paths, binaries, identity)
    }
    let server = await adoptServer(options)
    if (server) {
      const version = await serverVersion(server).catch(() => undefined)
      if (version === binaries.version) {
        logger.info({ pid: server.pid }, 'the database server of an earlier run is used')
      } else {
        logger.info({ pid: server.pid, version }, 'the database server of an earlier run is replaced')
        await stopServer(server, options)
        server = undefined
      }
    }
    server ??= await launchServer(options)
    await ensureDatabase(server.connection)
    return new EmbeddedEngine(options, lock, server)
  }

  get connection(): pg.ClientConfig {
    return { ...this.server.connection, database: DATABASE_NAME }
  }

  async ready(): Promise<void> {
    if (this.stopping) throw new Error('The database is closed.')
    const late = wait(READY_PATIENCE, 'late' as const, { ref: false })
    if ((await Promise.race([this.up, late])) === 'late') {
      throw Object.assign(new Error('The database server ended and is being restarted; it does not answer yet.'), {
        code: '57P03',
      })
    }
  }

  describe() {
    return { location: `PostgreSQL in ${this.options.paths.home}`, folder: this.options.paths.home, notes: [] }
  }

  async stop(): Promise<void> {
    if (this.stopping) return
    this.stopping = true
    try {
      await stopServer(this.server, this.options)
    } finally {
      this.lock.release()
    }
  }

  private watch(server: ServerProcess): void {
    void server.gone.then(() => {
      if (this.stopping) return
      this.options.logger.error({ pid: server.pid }, 'the database server ended unexpectedly and is started again')
      this.up = this.restart()
    })
  }

  private async restart(): Promise<void> {
    for (let attempt = 0; !this.stopping; attempt += 1) {
      await wait(RESTART_WAITS[Math.min(attempt, RESTART_WAITS.length - 1)], undefined, { ref: false })
      if (this.stopping) return
      try {
        this.server = (await adoptServer(this.options)) ?? (await launchServer(this.options))
        if (this.stopping) return await stopServer(this.server, this.options)
        this.watch(this.server)
        this.options.logger.info({ pid: this.server.pid }, 'the database server is back')
        return
      } catch (error) {
        this.options.logger.error(
          { error: error instanceof Error ? error.message : String(error) },
          'the database server does not start',
        )
      }
    }
  }
}

/** A connection for one question; when the server ends meanwhile, the question fails and nothing else. */
function clientFor(connection: pg.ClientConfig): pg.Client {
  return new pg.Client(connection).on('error', () => undefined)
}

async function serverVersion(server: ServerProcess): Promise<string> {
  const client = clientFor(server.connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ version: string }>(
      `select split_part(current_setting('server_version'), ' ', 1) as version`,
    )
    return rows[0]?.version ?? ''
  } finally {
    await client.end()
  }
}

async function ensureDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = clientFor({ ...connection, database: DATABASE_NAME })
  try {
    await client.connect()
    await client.end()
    return
  } catch (error) {
    const state = sqlState(error)
    if (state === '28P01') {
      throw new StartupError(
        'damaged',
        'the password file of the embedded database does not fit its data; restore both from the same back-up.',
        { cause: error },
      )
    }
    if (state !== '3D000') throw error
  }
  const maintenance = clientFor(connection)
  await maintenance.connect()
  try {
    await maintenance.query(`create database ${DATABASE_NAME}`)
  } finally {
    await maintenance.end()
  }
}
