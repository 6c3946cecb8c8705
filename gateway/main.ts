import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { configurationHelp, readConfiguration } from './platform/configuration/index'
import { openDatabase, resetData } from './platform/database/index'
import { reportStartupError, stopGracefully, stopOnSignals } from './platform/lifecycle/index'
import type { Stoppable } from './platform/lifecycle/index'

/** Starts the gateway with the flags of the command line; resolves when it listens. */
async function main(flags: readonly string[], parts: Stoppable): Promise<void> {
  if (flags.includes('--help')) {
    console.log(configurationHelp())
    return
  }
  const configuration = readConfiguration()
  const app = Fastify({
    logger: { level: configuration.logLevel === 'info' ? 'warn' : configuration.logLevel },
    trustProxy: configuration.trustProxy,
  })
  stopOnSignals(() => stopGracefully(parts, app.log))
  const { dataDir, databaseUrl } = configuration
  if (flags.includes('--reset')) await resetData({ dataDir, databaseUrl })
  const database = await openDatabase({
    dataDir,
    databaseUrl,
    engine: configuration.databaseEngine,
    poolSize: configuration.databasePoolSize,
    logger: app.log,
    onProgress: (message) => console.error(`  ${message}`),
  })
  parts.closeDatabase = () => database.close()
  parts.closeServer = () => app.close()
  parts.cutConnections = () => app.server.closeAllConnections()
  const portal = resolve('dist/portal')
  if (existsSync(portal)) await app.register(fastifyStatic, { root: portal, preCompressed: true })
  app.get('/health', async () => ({ status: 'up', database: await database.ping() }))
  await app.listen({ host: configuration.host, port: configuration.port })
  const { location, notes } = database.describe()
  console.log(`Switchboard runs at http://localhost:${configuration.port} (data: ${location}).`)
  for (const note of notes) console.log(`Note: ${note}`)
}

const parts: Stoppable = {}
main(process.argv.slice(2), parts).catch(async (error: unknown) => {
  const code = reportStartupError(error)
  await stopGracefully(parts, { info: () => undefined, error: () => undefined })
  process.exit(code)
})
