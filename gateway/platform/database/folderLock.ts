import { mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { StartupError } from '../lifecycle/index'
import { processIsAlive, processStart } from './processes'

const FILE = 'gateway.lock'
/** Milliseconds between two signs of life in the lock file. */
const HEARTBEAT = 1_000
/** How long a lock from another container or machine is watched for a sign of life. */
const WATCH = 4_000

interface Holder {
  pid: number
  /** When the process started, in the system's own words; tells a reused process number from the holder. */
  started: string | undefined
  /** Process-number space (container) of the holder. */
  space: string
}

export interface FolderLock {
  release(): void
}

/** Folders that this very process holds: a second opening here must fail as one from outside does. */
const heldHere = new Set<string>()

/**
 * Takes the data folder for this process. One folder has one gateway with an embedded database: two would corrupt it.
 * A lock left by a process that died is taken over. A holder in another container (where process numbers mean nothing)
 * is recognised by its signs of life.
 *
 * @throws StartupError `locked` naming process and folder, `cannotWrite` when the folder cannot be written
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  makeFolder(folder)
  const file = join(folder, FILE)
  const me: Holder = { pid: process.pid, started: processStart(process.pid), space: processSpace() }
  for (;;) {
    if (heldHere.has(file)) throw locked(folder, process.pid)
    try {
      writeFileSync(file, JSON.stringify(me), { flag: 'wx', mode: 0o600 })
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw notWritable(folder, error)
    }
    const holder = readHolder(file)
    if (holder && (await holds(holder, me, file))) throw locked(folder, holder.pid)
    takeAway(file)
  }
  heldHere.add(file)
  const heartbeat = setInterval(() => {
    try {
      const now = new Date()
      utimesSync(file, now, now)
    } catch {
      // The folder was taken away under us; the database itself will say what is wrong.
    }
  }, HEARTBEAT).unref()
  const release = () => {
    clearInterval(heartbeat)
    process.off('exit', release)
    if (heldHere.delete(file)) rmSync(file, { force: true })
  }
  process.on('exit', release)
  return { release }
}

/** Makes a folder that only this user reads, or says why it cannot. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!statSync(folder).isDirectory())
      throw new StartupError('cannotWrite', `${folder} is a file, but must be the data folder; set DATA_DIR to another place.`)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw notWritable(folder, error)
  }
}

async function holds(holder: Holder, me: Holder, file: string): Promise<boolean> {
  if (holder.space === me.space) {
    if (holder.pid === me.pid || !processIsAlive(holder.pid)) return false
    return holder.started === undefined || holder.started === processStart(holder.pid)
  }
  const before = modified(file)
  for (let waited = 0; waited < WATCH; waited += 250) {
    await wait(250)
    if (modified(file) !== before) return true
  }
  return false
}

function readHolder(file: string): Holder | undefined {
  try {
    const { pid, started, space } = JSON.parse(readFileSync(file, 'utf8')) as Holder
    return typeof pid === 'number' ? { pid, started, space } : undefined
  } catch {
    return undefined
  }
}

/** Moves the stale lock aside first: of two processes that find it, only one can. */
function takeAway(file: string): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    rmSync(aside, { force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function modified(file: string): number {
  try {
    return statSync(file).mtimeMs
  } catch {
    return 0
  }
}

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid') + readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return hostname()
  }
}

function locked(folder: string, pid: number): StartupError {
  return new StartupError(
    'locked',
    `the data folder ${folder} is in use by another Switchboard (process ${pid}); stop that one, or start this one with another DATA_DIR and PORT.`,
  )
}

function notWritable(folder: string, cause: unknown): StartupError {
  const code = (cause as NodeJS.ErrnoException).code
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StartupError(
      'cannotWrite',
      `the disk that holds the data folder ${folder} is full; free some space and start again.`,
      { cause },
    )
  }
  return new StartupError(
    'cannotWrite',
    `the data folder ${folder} cannot be written by this user (${code ?? String(cause)}); give the folder to this user, or set DATA_DIR to another one.`,
    { cause },
  )
}
