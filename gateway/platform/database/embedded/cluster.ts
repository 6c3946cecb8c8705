import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { StartupError } from '../../lifecycle/index'
import { makeFolder } from '../folderLock'
import type { Binaries } from './binaries'
import { canReach } from './identity'
import type { Identity } from './identity'

/** Where the embedded server keeps its things inside the data folder. */
export interface ClusterPaths {
  /** `<data>/postgres`, owned by the server's user. */
  home: string
  /** PostgreSQL's own data directory. */
  cluster: string
  log: string
  /** Password of the superuser, readable by the gateway's user only. */
  password: string
}

export const SUPERUSER = 'switchboard'

/** Bytes that must be free to make a database, and to start one. */
const SPACE_TO_MAKE = 160 * 1024 * 1024
const SPACE_TO_START = 24 * 1024 * 1024

export function clusterPaths(dataDir: string): ClusterPaths {
  const home = join(dataDir, 'postgres')
  return { home, cluster: join(home, 'cluster'), log: join(home, 'server.log'), password: join(home, 'password') }
}

/**
 * How the server's user names the cluster folder. It may be unable to walk there from the root (a data folder inside
 * root's home); then it is started inside the folder, and Linux has a name for "where I am" that needs no walk.
 */
export function clusterPath(paths: ClusterPaths, identity: Identity | undefined, cluster = paths.cluster): string {
  if (!identity || canReach(identity, cluster)) return cluster
  if (process.platform === 'linux') return '/proc/self/cwd'
  throw new StartupError(
    'cannotWrite',
    `PostgreSQL runs as user ${identity.uid}, because it refuses root, and that user cannot enter ${paths.home}; start Switchboard as an ordinary user, or set DATA_DIR to a folder that every user can reach.`,
  )
}

/** Makes the home folder and gives it, with everything in it, to the server's user when that changed. */
export function prepareHome(paths: ClusterPaths, identity: Identity | undefined): void {
  makeFolder(paths.home)
  if (!identity) return
  chownSync(paths.home, identity.uid, identity.gid)
  if (existsSync(paths.cluster) && statSync(paths.cluster).uid !== identity.uid) giveAll(paths.cluster, identity)
}

/**
 * Makes a new cluster: in a folder beside, which gets its name only when it is complete, so that a start that was cut
 * off leaves nothing half made.
 */
export async function makeCluster(paths: ClusterPaths, binaries: Binaries, identity: Identity | undefined): Promise<void> {
  checkSpace(paths.home, SPACE_TO_MAKE)
  const making = `${paths.cluster}.new`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  const secret = randomBytes(24).toString('base64url')
  const passwordFile = `${paths.cluster}.password`
  writeFileSync(passwordFile, secret, { mode: 0o600 })
  if (identity) {
    chownSync(making, identity.uid, identity.gid)
    chownSync(passwordFile, identity.uid, identity.gid)
  }
  try {
    const path = clusterPath(paths, identity, making)
    const passwordPath = path === making ? passwordFile : `${path}/../cluster.password`
    const options = [
      '-D',
      path,
      '-U',
      SUPERUSER,
      `--pwfile=${passwordPath}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--no-instructions',
    ]
    const sorting = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--lc-messages=C', '--text-search-config=simple']
    const initdb = (locale: string) => runTool(binaries.initdb, [...options, ...sorting, `--locale=${locale}`], making, identity)
    // pg_trgm sees Chinese letters only under a UTF-8 character type; a system without C.UTF-8 makes do with C.
    const failure = (await initdb('C.UTF-8')) && (await initdb('C'))
    if (failure) throw initFailed(paths, failure)
    writeFileSync(paths.password, secret, { mode: 0o600 })
    chmodSync(paths.password, 0o600)
    renameSync(making, paths.cluster)
  } finally {
    rmSync(passwordFile, { force: true })
    rmSync(making, { recursive: true, force: true })
  }
}

/**
 * Looks whether an existing cluster can be what we made, before the server is asked.
 * @throws StartupError `damaged` or `cannotWrite`, or because of another major version
 */
export function checkCluster(paths: ClusterPaths, binaries: Binaries): void {
  const damaged = (what: string) =>
    new StartupError(
      'damaged',
      `the database in ${paths.cluster} is damaged: ${what}; restore the data folder from a back-up, or start afresh with "npm start -- --reset".`,
    )
  for (const part of ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal']) {
    if (!existsSync(join(paths.cluster, part))) throw damaged(`${part} is missing`)
  }
  const made = readFileSync(join(paths.cluster, 'PG_VERSION'), 'utf8').trim()
  const major = binaries.version.split('.')[0]
  if (made !== major) {
    throw new StartupError(
      'damaged',
      `the database in ${paths.cluster} was made by PostgreSQL ${made || '(unknown)'}, this release runs ${major}; export it with the release that made it and import it here (docs/operators.md, "Upgrade").`,
    )
  }
  if (!existsSync(paths.password)) throw damaged('its password file is missing')
  checkSpace(paths.home, SPACE_TO_START)
}

export function readPassword(paths: ClusterPaths): string {
  return readFileSync(paths.password, 'utf8').trim()
}

function checkSpace(folder: string, needed: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= needed) return
  const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024)
  throw new StartupError(
    'cannotWrite',
    `the disk that holds ${folder} is full: ${megabytes(free)} MB are free, the database needs ${megabytes(needed)} MB to start; free some space and start again.`,
  )
}

/** Runs a tool of PostgreSQL as the server's user; resolves to what it complained about, or undefined when it succeeded. */
function runTool(tool: string, args: string[], cwd: string, identity: Identity | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(tool, args, {
      ...identity,
      cwd,
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code) => resolve(code === 0 ? undefined : complaint.trim() || `exit code ${code}`))
  })
}

function initFailed(paths: ClusterPaths, complaint: string): StartupError {
  if (/No space left|Disk quota/.test(complaint)) {
    return new StartupError(
      'cannotWrite',
      `the disk that holds ${paths.home} is full: the database could not be made; free some space and start again.`,
    )
  }
  return new StartupError('internal', `the database could not be made in ${paths.cluster}: ${complaint.split('\n').at(-1)}`)
}

function giveAll(folder: string, { uid, gid }: Identity): void {
  chownSync(folder, uid, gid)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) giveAll(path, { uid, gid })
    else lchownSync(path, uid, gid)
  }
}
