import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/** What Linux says of a process; undefined elsewhere and for a process that is gone. */
function linuxStat(pid: number): { name: string; state: string; started: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text.slice(end + 2).split(' ')
    return { name: text.slice(text.indexOf('(') + 1, end), state: fields[0] ?? '', started: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

/** Alive and not a zombie: a dead child that nobody has waited for still answers to signal 0. */
export function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const state = linuxStat(pid)?.state
  return state !== 'Z' && state !== 'X'
}

/** When the process started, in the words of the system: equal for the same process only. Undefined when it is gone. */
export function processStart(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxStat(pid)?.started
  if (process.platform === 'win32') return undefined
  const { stdout, status } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** The command name of a process, without its path; undefined when unknown. */
export function processName(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxStat(pid)?.name
  if (process.platform === 'win32') return undefined
  const { stdout, status } = spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' })
  return status === 0 ? stdout.trim().replace(/^.*\//, '') : undefined
}

/** The working folder of a process where the system tells it (Linux). */
export function processFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}
