import { createEntityEngine } from './entities'
import { verifyModules } from './modules'
import { LiveSchemas, readReleasedSchemas } from './pages'
import type { Configuration } from './platform/configuration'
import { openDatabase } from './platform/database'
import type { DatabaseLogger } from './platform/database'
import { lastRunAt } from './platform/jobs'
import { serviceNames } from './services'

/** How the command ends when something differed, mended or not. */
const DRIFTED = 2

/**
 * Compares every stored derived field, rollup and hot sum, and what modules keep by themselves, with what it is made of, and prints a line a field; with `fix` what differs
 * is mended. Only reads without it. Answers the exit code.
 */
export async function reconcile(
  configuration: Configuration,
  { fix, logger, print }: { fix: boolean; logger: DatabaseLogger; print: (line: string) => void },
): Promise<number> {
  const validation = { services: serviceNames() }
  const warn = (text: string): void => logger.warn({ schema: text }, 'a schema could be better')
  const files = await readReleasedSchemas(configuration.schemasDir, { validation, dataDir: configuration.dataDir, warn })
  const database = await openDatabase({
    dataDir: configuration.dataDir,
    databaseUrl: configuration.databaseUrl,
    engine: configuration.databaseEngine,
    companyTimeZone: configuration.companyTimeZone,
    logger,
  })
  try {
    const live = await LiveSchemas.open({ database, files, validation, now: () => new Date(), warn })
    const engine = createEntityEngine({
      database,
      entities: live.entities,
      dictionary: (name) => live.dictionary(name),
      timeZone: configuration.companyTimeZone,
    })
    // what the jobs of later moments will do is not missing yet
    const now = (await lastRunAt(database)) ?? new Date()
    const drifts = [...(await engine.reconcile({ fix })), ...(await verifyModules(database, { fix, now }))]
    const width = Math.max(5, ...drifts.map(({ field }) => field.length))
    print(`${'field'.padEnd(width)}  ${'rows'.padStart(10)}  ${'drifted'.padStart(10)}`)
    for (const { field, rows, drifted } of drifts)
      print(`${field.padEnd(width)}  ${String(rows).padStart(10)}  ${String(drifted).padStart(10)}`)
    const drifted = drifts.reduce((sum, drift) => sum + drift.drifted, 0)
    if (drifted === 0) print('No drift.')
    else print(fix ? `${drifted} values were mended.` : `${drifted} values differ; run it with --fix to mend them.`)
    return drifted === 0 ? 0 : DRIFTED
  } finally {
    await database.close()
  }
}
