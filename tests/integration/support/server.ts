import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findBinaries } from '../../../gateway/platform/database/embedded/binaries'
import { clusterPaths } from '../../../gateway/platform/database/embedded/cluster'
import { EmbeddedEngine } from '../../../gateway/platform/database/embedded/engine'
import { serverIdentity } from '../../../gateway/platform/database/embedded/identity'
import { lockFolder } from '../../../gateway/platform/database/folderLock'
import { prepareData } from '../../support/preparedData'
import { nameServer } from '../../support/gatewayDatabase'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's PostgreSQL server without a database name at its end. */
    postgresServer: string
  }
}

/** The data ends with the run: nothing waits for the disk. Many gateways have connections at once. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * One embedded PostgreSQL for a whole run of integration tests; every test file takes databases of its own from it. Beside it a
 * folder for the data of whole gateways, which are made once and copied, as their databases are.
 */
export default async function startServer(project: TestProject): Promise<() => Promise<void>> {
  const removeData = prepareData()
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-test-'))
  const paths = clusterPaths(folder)
  const identity = serverIdentity(paths.cluster)
  const binaries = findBinaries(identity)
  if ('missing' in binaries) throw new Error(`The integration tests need PostgreSQL, but ${binaries.missing}.`)
  const engine = await EmbeddedEngine.start(
    { paths, binaries, identity, logger: quiet, settings: SETTINGS },
    await lockFolder(folder),
  )
  const { user, password, host, port } = engine.connection
  const address = `postgres://${user}:${String(password)}@${encodeURIComponent(host ?? '')}:${port}`
  project.provide('postgresServer', address)
  nameServer(address)
  return async () => {
    await engine.stop()
    removeData()
    rmSync(folder, { recursive: true, force: true })
  }
}
