import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartupError } from '../lifecycle/index'
import { clusterPaths } from './embedded/cluster'
import { isServing, readPostmaster } from './embedded/postmaster'
import { processIsAlive } from './processes'
import { lockFolder } from './folderLock'

/** What a data folder of ours may hold. Anything else in it is somebody else's, and nothing is deleted then. */
const OURS = new Set(['postgres', 'pglite', 'files', 'gateway.lock'])

/**
 * Deletes the data folder's content, the database and the files, for `npm start -- --reset`. A server left running by a
 * killed gateway is stopped first.
 * @throws StartupError `locked` while a gateway runs on it; `configuration` for DATABASE_URL and for a folder that holds
 * things that are not ours
 */
export async function resetData({ dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string }): Promise<void> {
  if (databaseUrl) {
    throw new StartupError(
      'configuration',
      '--reset does not touch the server of DATABASE_URL; drop and create its database there, then start again.',
    )
  }
  const folder = resolve(dataDir)
  if (!existsSync(folder)) return
  const foreign = readdirSync(folder).filter((name) => !OURS.has(name) && !name.startsWith('.'))
  if (foreign.length > 0) {
    throw new StartupError(
      'configuration',
      `--reset deletes nothing in ${folder}, because it holds things that are not Switchboard's (${foreign.slice(0, 3).join(', ')}); is DATA_DIR right?`,
    )
  }
  const lock = await lockFolder(folder)
  try {
    const { cluster } = clusterPaths(folder)
    const left = existsSync(cluster) ? readPostmaster(cluster) : undefined
    if (left && isServing(left, realpathSync(cluster))) {
      process.kill(left.pid, process.platform === 'win32' ? 'SIGTERM' : 'SIGQUIT')
      while (processIsAlive(left.pid)) await new Promise((done) => setTimeout(done, 50))
    }
    for (const name of OURS) if (name !== 'gateway.lock') rmSync(join(folder, name), { recursive: true, force: true })
  } finally {
    lock.release()
  }
}
