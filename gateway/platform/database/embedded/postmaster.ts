import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { processFolder, processIsAlive, processName } from '../processes'

/** What a running server wrote into postmaster.pid. */
export interface Postmaster {
  pid: number
  port: number
  /** Folder of the unix socket, or empty. */
  socketFolder: string
  /** TCP address, or empty. */
  address: string
  /** `starting`, `ready`, `stopping`, ... */
  status: string
}

/** The server that says it runs on this cluster; undefined when the file is absent or incomplete. */
export function readPostmaster(cluster: string): Postmaster | undefined {
  let text: string
  try {
    text = readFileSync(join(cluster, 'postmaster.pid'), 'utf8')
  } catch {
    return undefined
  }
  const [pid = '', , , port = '', socketFolder = '', address = '', , status = ''] = text.split('\n').map((line) => line.trim())
  if (!/^\d+$/.test(pid)) return undefined
  return {
    pid: Number(pid),
    port: Number(port),
    socketFolder: socketFolder && !isAbsolute(socketFolder) ? join(cluster, socketFolder) : socketFolder,
    address: address === '*' ? '127.0.0.1' : address,
    status,
  }
}

/**
 * Whether that process is alive, no zombie, and really a PostgreSQL of this cluster. After a restart of a container or
 * machine the number may belong to any other program.
 */
export function isServing({ pid }: Postmaster, cluster: string): boolean {
  if (pid === process.pid || !processIsAlive(pid)) return false
  const name = processName(pid)
  if (name !== undefined && name !== 'postgres') return false
  const folder = processFolder(pid)
  return folder === undefined || folder === realpathSync(cluster)
}

/** Takes away what a dead server left; PostgreSQL itself would take a zombie or a reused number for a living one. */
export function clearPostmaster(cluster: string): void {
  for (const file of ['postmaster.pid', '.s.PGSQL.5432.lock', '.s.PGSQL.5432']) rmSync(join(cluster, file), { force: true })
}
