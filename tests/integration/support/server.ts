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

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's PostgreSQL server without a database name at its end. */
    postgresServer: string
  }
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * One embedded PostgreSQL for a whole run of integration tests; every test file takes databases of its own from it. Beside it a
 * folder for the data of whole gateways, which are made once and copied.
 */
export default async function startServer(project: TestProject): Promise<() => Promise<void>> {
  const removeData = prepareData()
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-test-'))
  const paths = clusterPaths(folder)
  const identity = serverIdentity(paths.cluster)
  const binaries = findBinaries(identity)
  if ('missing' in binaries) throw new Error(`The integration tests need PostgreSQL, but ${binaries.missing}.`)
  const engine = await EmbeddedEngine.start({ paths, binaries, identity, logger: quiet }, await lockFolder(folder))
  const { user, password, host, port } = engine.connection
  project.provide('postgresServer', `postgres://${user}:${String(password)}@${encodeURIComponent(host ?? '')}:${port}`)
  return async () => {
    await engine.stop()
    removeData()
    rmSync(folder, { recursive: true, force: true })
  }
}
