import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { StartupError } from '../lifecycle/index'
import { findBinaries } from './embedded/binaries'
import { clusterPaths } from './embedded/cluster'
import { EmbeddedEngine } from './embedded/engine'
import { serverIdentity } from './embedded/identity'
import type { Engine } from './engine'
import { connectExternal } from './external'
import { lockFolder } from './folderLock'
import type { FolderLock } from './folderLock'
import { PgliteEngine, pgliteFolder } from './pglite/engine'
import { PooledDatabase } from './pooledDatabase'
import type { Database, OpenOptions } from './types'

/**
 * Opens the database: the server of `databaseUrl`, or an embedded one in `dataDir`, which is locked for this process.
 * @throws StartupError with one sentence for the person at the terminal
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const engine = options.databaseUrl ? await connectExternal(options.databaseUrl) : await openEmbedded(options)
  try {
    const database = new PooledDatabase(engine, options)
    await database.connect()
    return database
  } catch (error) {
    await engine.stop()
    throw error
  }
}

async function openEmbedded(options: OpenOptions): Promise<Engine> {
  const dataDir = resolve(options.dataDir)
  const lock = await lockFolder(dataDir)
  try {
    return await chooseEmbedded({ ...options, dataDir }, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

/** The engine that made the data stays; a new folder gets PostgreSQL where the platform has a binary. */
async function chooseEmbedded({ dataDir, engine, logger, onProgress }: OpenOptions, lock: FolderLock): Promise<Engine> {
  const paths = clusterPaths(dataDir)
  const made = existsSync(paths.cluster) ? 'embedded' : existsSync(pgliteFolder(dataDir)) ? 'pglite' : undefined
  if (made && engine && made !== engine) {
    throw new StartupError(
      'configuration',
      `DATABASE_ENGINE is "${engine}", but the data in ${dataDir} was made with "${made}"; leave the setting out, or choose another DATA_DIR.`,
    )
  }
  const wanted = engine ?? made
  if (wanted === 'pglite')
    return PgliteEngine.start(dataDir, lock, engine ? 'DATABASE_ENGINE says so' : 'the data folder was made with it')
  const identity = serverIdentity(paths.cluster)
  const binaries = findBinaries(identity)
  if ('missing' in binaries) {
    if (wanted === 'embedded') {
      throw new StartupError(
        'configuration',
        `the data in ${dataDir} needs PostgreSQL, but ${binaries.missing}; run "npm ci", or set DATABASE_URL to a server of yours.`,
      )
    }
    return PgliteEngine.start(dataDir, lock, binaries.missing)
  }
  return EmbeddedEngine.start({ paths, binaries, identity, logger, onProgress }, lock)
}
