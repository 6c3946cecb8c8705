import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../../support/freePort'
import { copyData } from '../../support/preparedData'

const ROOT = resolve(import.meta.dirname, '../../..')
const ENTRY = join(ROOT, 'dist/gateway/main.js')
const START_LIMIT = 300_000
const STOP_LIMIT = 20_000
const RECONCILE_LIMIT = 300_000

export interface RealGatewayOptions {
  /** Folder of the schemas; default the project's. */
  schemasDir?: string
  /** Name of the environment; default test. */
  environment?: 'production' | 'pre-production'
  env?: Readonly<Record<string, string>>
}

/** The built gateway with the built portal, an embedded database of its own and the demo world. */
export interface RealGateway {
  /** Where the browser finds it, e.g. http://localhost:40123; the same after a restart. */
  readonly url: string
  /** Where mail from outside comes in by SMTP, on this machine. */
  readonly mailPort: number
  /** Kills the process without warning. The database keeps running, as after a crash. */
  kill(): Promise<void>
  /** Starts it again on the same data, port and schemas, unless it runs; resolves when it is ready. */
  start(): Promise<void>
  /** Stops everything, and removes the data once they agree with what they are made of (`npm run reconcile`); throws what differs. */
  stop(): Promise<void>
}

/**
 * Starts the built gateway on a free port and in a fresh data folder; resolves when it is ready. The demo world of now is a
 * copy of the one that the first gateway of this run has made; with variables of its own a gateway makes its own.
 */
export async function startRealGateway({ schemasDir, environment, env = {} }: RealGatewayOptions = {}): Promise<RealGateway> {
  if (!existsSync(ENTRY)) throw new Error('There is no built gateway: run `npm run build` first.')
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-e2e-'))
  const dataDir = join(folder, 'data')
  if (Object.keys(env).length === 0) await copyData('demo', dataDir, makeDemoData)
  const { url, mailPort, start, end, reconciled } = await gatewayOn(dataDir, {
    ...env,
    ...(schemasDir === undefined ? {} : { SCHEMAS_DIR: schemasDir }),
    ...(environment === undefined ? {} : { ENVIRONMENT_NAME: environment, DEMO_SIGN_IN: 'true' }),
  })
  await start()
  return {
    url,
    mailPort,
    start,
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGTERM')
      try {
        await reconciled()
      } finally {
        endLeftDatabase(join(dataDir, 'postgres/postmaster.pid'))
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      }
    },
  }
}

/** Makes the demo world in a data folder. */
async function makeDemoData(dataDir: string): Promise<void> {
  const { start, end } = await gatewayOn(dataDir, {})
  await start()
  await end('SIGTERM')
}

/** A gateway on a data folder and a free port, which it keeps; not started yet. `said`: what it told the terminal last. */
export async function gatewayOn(dataDir: string, env: Readonly<Record<string, string>>, flags: readonly string[] = []) {
  const port = await freePort()
  const mailPort = await freePort()
  const url = `http://localhost:${port}`
  const variables = {
    ...inherited(),
    PORT: String(port),
    DATA_DIR: dataDir,
    DEMO_SCALE: '0.6',
    LOG_LEVEL: 'warn',
    MAIL_SMTP_LISTEN: `127.0.0.1:${mailPort}`,
    ...env,
  }
  let child: ChildProcess | undefined
  let log = ''

  const start = async (): Promise<void> => {
    if (child && isRunning(child)) return
    const own = spawn(process.execPath, [ENTRY, ...flags], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: variables,
    })
    child = own
    const keep = (chunk: Buffer): void => {
      log = (log + chunk.toString('utf8')).slice(-8_000)
    }
    own.stdout.on('data', keep)
    own.stderr.on('data', keep)
    const until = Date.now() + START_LIMIT
    while (!(await isReady(url))) {
      if (!isRunning(own)) throw new Error(`The gateway ended with ${own.exitCode ?? own.signalCode}:\n${log}`)
      if (Date.now() > until) throw new Error(`The gateway was not ready in time:\n${log}`)
      await new Promise((wake) => setTimeout(wake, 150))
    }
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const own = child
    child = undefined
    if (!own || !isRunning(own)) return
    const ended = new Promise<void>((wake) => own.once('exit', () => wake()))
    own.kill(signal)
    const late = setTimeout(() => own.kill('SIGKILL'), STOP_LIMIT)
    await ended
    clearTimeout(late)
  }
  /** Compares what is stored with what it is made of, after the end. @throws Error with what differs */
  const reconciled = (): Promise<void> =>
    new Promise((agrees, differs) => {
      const options = { cwd: ROOT, env: variables, timeout: RECONCILE_LIMIT }
      execFile(process.execPath, [ENTRY, '--reconcile'], options, (error, printed, failed) => {
        if (error)
          differs(
            new Error(`The data do not agree after the tests (${error.code ?? error.signal}):\n${wrong(printed)}\n${failed}`),
          )
        else agrees()
      })
    })
  /** Milliseconds of processor that its process has taken since it started, as Linux counts them. */
  const cpu = (): number => {
    const [user = 0, system = 0] = readFileSync(`/proc/${child?.pid}/stat`, 'utf8')
      .split(') ')[1]!
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return (user + system) * 10
  }
  return { url, mailPort, start, end, reconciled, cpu, said: () => log }
}

/** The lines of a reconciliation but for those without drift. */
const wrong = (printed: string): string =>
  printed
    .split('\n')
    .filter((line) => !/ 0$/.test(line))
    .join('\n')

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

/** A database that outlived its killed gateway is ours to end. */
function endLeftDatabase(pidFile: string): void {
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 1) return
  try {
    process.kill(pid, 'SIGQUIT')
  } catch {
    // It has ended in the meantime.
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/ready`, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}

/** The test decides about database and port, whatever the shell says. */
function inherited(): NodeJS.ProcessEnv {
  const env = { ...process.env }
  for (const name of ['DATABASE_URL', 'DATABASE_ENGINE', 'HOST', 'NODE_ENV', 'ENVIRONMENT_NAME']) delete env[name]
  return env
}
