import { createGateway } from './gateway'
import type { Gateway } from './gateway'
import { moduleSettings } from './modules'
import { configurationHelp, readConfiguration } from './platform/configuration'
import type { Configuration } from './platform/configuration'
import { resetData } from './platform/database'
import { createLogger } from './platform/http'
import { reportStartupError, stopGracefully, stopOnSignals } from './platform/lifecycle'
import type { Stoppable } from './platform/lifecycle'
import { reconcile } from './reconcile'
import { demoAccounts } from './world'

/** Starts the gateway with the flags of the command line; resolves when it listens. */
async function main(flags: readonly string[], parts: Stoppable): Promise<void> {
  if (flags.includes('--help')) {
    console.log(configurationHelp(moduleSettings()))
    return
  }
  const configuration = readConfiguration(process.env, process.cwd(), moduleSettings())
  const logger = createLogger({ level: configuration.logLevel })
  stopOnSignals(() => stopGracefully(parts, logger))
  if (flags.includes('--reconcile')) {
    const print = (line: string): void => console.log(line)
    process.exit(await reconcile(configuration, { fix: flags.includes('--fix'), logger, print }))
  }
  if (flags.includes('--reset')) await resetData(configuration)
  const gateway = await createGateway(configuration, {
    logger,
    demo: !flags.includes('--empty'),
    onProgress: (message) => console.error(`  ${message}`),
  })
  parts.endStreams = () => gateway.endStreams()
  parts.closeServer = () => gateway.app.close()
  parts.cutConnections = () => gateway.app.server.closeAllConnections()
  parts.stopJobs = () => gateway.stopJobs()
  parts.closeDatabase = () => gateway.database.close()
  await gateway.listen()
  await announce(gateway, configuration)
}

const LOCAL = new Set(['localhost', '127.0.0.1', '::1'])

/** What the person at the terminal needs to know. */
async function announce({ app, database, world }: Gateway, configuration: Configuration): Promise<void> {
  const { location, notes } = database.describe()
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : configuration.port
  const lines = [``, `Switchboard runs at ${configuration.publicUrls[0] ?? `http://localhost:${port}`}`, `Data: ${location}`]
  if (configuration.publicUrls.length === 0 && !LOCAL.has(configuration.host))
    lines.push('Note: browsers on other machines are refused until PUBLIC_URL names the address that they use.')
  for (const note of notes) lines.push(`Note: ${note}`)
  if (world.administrator) {
    const { name, jobNumber, password } = world.administrator
    lines.push(`First sign-in: ${jobNumber} (${name}), one-time password ${password}`)
  }
  if (world.demo && world.demoPassword) {
    lines.push(`Demo accounts (password ${world.demoPassword} for all; the sign-in page lists everybody):`)
    for (const { jobNumber, name, role } of await demoAccounts(database)) lines.push(`  ${jobNumber}  ${name}  ${role}`)
  }
  console.log(lines.join('\n') + '\n')
}

const parts: Stoppable = {}
main(process.argv.slice(2), parts).catch(async (error: unknown) => {
  const code = reportStartupError(error)
  await stopGracefully(parts, { info: () => undefined, error: () => undefined })
  process.exit(code)
})
