import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chownSync, closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { StartupError } from '../../lifecycle/index'
import { processIsAlive } from '../processes'
import type { DatabaseLogger } from '../types'
import type { Binaries } from './binaries'
import { clusterPath, readPassword, SUPERUSER } from './cluster'
import type { ClusterPaths } from './cluster'
import type { Identity } from './identity'
import { clearPostmaster, isServing, readPostmaster } from './postmaster'
import { serverSettings } from './settings'

/** Longest path of a unix socket that every system takes, without the file's own name. */
const SOCKET_PATH_LIMIT = 100 - '/.s.PGSQL.5432'.length
const SOCKET_PORT = 5432
const LOG_LIMIT = 10 * 1024 * 1024
/** Milliseconds a clean stop may take before the server is told more firmly. */
const STOP_PATIENCE = 20_000
const READY_PATIENCE = 600_000
/** A killed server's children hold its memory for a moment; a port may be taken just now. */
const LAUNCH_ATTEMPTS = 40

export interface ServerProcess {
  pid: number
  connection: pg.ClientConfig
  /** Resolves when the process is gone, however that happened. */
  gone: Promise<void>
}

export interface ServerOptions {
  /** Instead of the release's own settings, or beside them: for a server whose data nobody keeps. */
  settings?: Readonly<Record<string, string>>
  paths: ClusterPaths
  binaries: Binaries
  identity: Identity | undefined
  logger: DatabaseLogger
  onProgress?: (message: string) => void
}

/** A server of an earlier gateway that still runs on this cluster (the gateway was killed): it is used as it is. */
export async function adoptServer({ paths, onProgress }: ServerOptions): Promise<ServerProcess | undefined> {
  for (let told = false; ; told = true) {
    const found = readPostmaster(paths.cluster)
    if (!found) return undefined
    if (!isServing(found, paths.cluster)) {
      clearPostmaster(paths.cluster)
      return undefined
    }
    if (found.status === 'ready') {
      const host = found.socketFolder || found.address
      return { pid: found.pid, connection: connectionTo(paths, host, found.port), gone: watch(found.pid) }
    }
    if (!told) onProgress?.('waiting for the database server of an earlier run')
    await wait(50)
  }
}

/** Starts the server and resolves when it takes connections. */
export async function launchServer(options: ServerOptions): Promise<ServerProcess> {
  let socket = process.platform !== 'win32' && options.paths.cluster.length <= SOCKET_PATH_LIMIT
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await launchOnce(options, socket)
    if ('pid' in outcome) return outcome
    const { said } = outcome
    if (socket && /could not create any Unix-domain sockets|Unix-domain socket path/.test(said)) socket = false
    else if (
      !/pre-existing shared memory|Address already in use|could not create any TCP\/IP sockets/.test(said) ||
      attempt >= LAUNCH_ATTEMPTS
    ) {
      throw launchFailed(options.paths, said)
    }
    await wait(Math.min(50 * attempt, 500))
  }
}

/** Ends the server: connections are cut, everything is written, the process is gone afterwards. */
export async function stopServer(
  server: ServerProcess,
  { paths, binaries }: Pick<ServerOptions, 'paths' | 'binaries'>,
): Promise<void> {
  if (process.platform === 'win32') {
    spawnSync(binaries.pgCtl, ['stop', '-D', paths.cluster, '-m', 'fast', '-w'])
    return
  }
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    try {
      process.kill(server.pid, signal)
    } catch {
      return
    }
    // The timer also keeps Node alive until the server is gone; the child itself does not.
    const patience = new AbortController()
    const late = wait(STOP_PATIENCE, false, { signal: patience.signal }).catch(() => false)
    const over = await Promise.race([server.gone.then(() => true), late])
    patience.abort()
    if (over) return
  }
}

/** A clock that faketime moves for the gateway is moved for its database alike: both tell the time of what they write. */
function movedClock(): NodeJS.ProcessEnv {
  const { FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC, LD_PRELOAD } = process.env
  return FAKETIME === undefined ? {} : { FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC, FAKETIME_DISABLE_SHM: '1', LD_PRELOAD }
}

async function launchOnce(options: ServerOptions, socket: boolean): Promise<ServerProcess | { said: string }> {
  const { paths, binaries, identity, onProgress } = options
  const left = readPostmaster(paths.cluster)
  if (left && !isServing(left, paths.cluster)) clearPostmaster(paths.cluster)
  const port = socket ? SOCKET_PORT : await freePort()
  const settings = {
    ...serverSettings(),
    ...options.settings,
    port: String(port),
    listen_addresses: socket ? '' : '127.0.0.1',
    unix_socket_directories: socket ? '.' : '',
    unix_socket_permissions: '0700',
  }
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openLog(paths)
  const start = statSync(paths.log).size
  let child: ChildProcess
  try {
    child = spawn(binaries.postgres, ['-D', clusterPath(paths, identity), ...parameters], {
      ...identity,
      cwd: paths.cluster,
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...movedClock() },
      stdio: ['ignore', log, log],
      // Its own session: Ctrl-C at the terminal is the gateway's to handle, the database stops last.
      detached: true,
    })
  } finally {
    closeSync(log)
  }
  let ended = false
  const gone = new Promise<void>((resolve) => {
    child.on('exit', () => resolve())
    child.on('error', () => resolve())
  }).then(() => {
    ended = true
  })
  child.unref()
  const started = Date.now()
  let told = false
  while (!ended && Date.now() - started < READY_PATIENCE) {
    const found = readPostmaster(paths.cluster)
    if (found && found.pid === child.pid && found.status === 'ready') {
      return { pid: child.pid, connection: connectionTo(paths, socket ? paths.cluster : '127.0.0.1', port), gone }
    }
    if (!told && Date.now() - started > 1_000) {
      told = true
      onProgress?.('waiting for the database server (it may be recovering after a crash)')
    }
    await wait(10)
  }
  if (!ended) child.kill('SIGQUIT')
  return { said: readFileSync(paths.log).subarray(start).toString('utf8') }
}

function connectionTo(paths: ClusterPaths, host: string, port: number): pg.ClientConfig {
  return { host, port, user: SUPERUSER, password: readPassword(paths), database: 'postgres', ssl: false }
}

/** Resolves when a process that is not our child has ended. */
async function watch(pid: number): Promise<void> {
  while (processIsAlive(pid)) await wait(250, undefined, { ref: false })
}

function openLog(paths: ClusterPaths): number {
  if (existsSync(paths.log) && statSync(paths.log).size > LOG_LIMIT) renameSync(paths.log, `${paths.log}.old`)
  const log = openSync(paths.log, 'a', 0o600)
  const { uid, gid } = statSync(paths.home)
  if (process.getuid?.() === 0) chownSync(paths.log, uid, gid)
  return log
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function launchFailed(paths: ClusterPaths, said: string): StartupError {
  const lines = said.split('\n').filter((line) => /FATAL|PANIC|ERROR/.test(line))
  const last = (lines.at(-1) ?? said.trim().split('\n').at(-1) ?? '').replace(/^.*?(FATAL|PANIC|ERROR): +/, '')
  if (/No space left|Disk quota/.test(said)) {
    return new StartupError(
      'cannotWrite',
      `the disk that holds ${paths.home} is full, so the database cannot start; free some space and start again.`,
    )
  }
  if (/lock file "postmaster\.pid" already exists/.test(said)) {
    return new StartupError(
      'locked',
      `another database server runs on ${paths.cluster}; stop it, or start with another DATA_DIR.`,
    )
  }
  if (/could not map anonymous shared memory|Cannot allocate memory/.test(said)) {
    return new StartupError(
      'unavailable',
      `there is not enough memory for the database (${last}); free some memory and start again.`,
    )
  }
  if (/PANIC|invalid checkpoint|invalid|could not (open|read|locate|find)|checksum|incorrect|corrupt/i.test(said)) {
    return new StartupError(
      'damaged',
      `the database in ${paths.cluster} is damaged (${last}); restore the data folder from a back-up, or start afresh with "npm start -- --reset". Details: ${paths.log}.`,
    )
  }
  return new StartupError(
    'internal',
    `the database server in ${paths.cluster} does not start (${last || 'it said nothing'}). Details: ${paths.log}.`,
  )
}
