import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './freePort'
import { PASSWORD, signIn, type Caller } from './gateway'

const PROGRAM = ['--import', 'tsx', 'tests/support/gatewayProcess.ts']

/** A gateway in a process of its own (gatewayProcess.ts), which a test kills and starts again on the same data. */
export interface KillableGateway {
  /** Calls as S0042, signed in; every call goes to whatever process runs. */
  readonly caller: Caller
  /** Resolves when the process that runs now has ended. */
  ended(): Promise<unknown>
  kill(): void
  start(): Promise<void>
  /** Ends it as an operator does: a killed gateway would leave its embedded database running. */
  stop(): Promise<void>
}

/** Starts one; `folder`: with the data that are there, which stay when it stops; `settings`: what it is told beside that. */
export async function startKillableGateway(folder?: string, settings: NodeJS.ProcessEnv = {}): Promise<KillableGateway> {
  const data = folder ?? (await mkdtemp(join(tmpdir(), 'gw-kill-')))
  const port = await freePort()
  let child: ChildProcess
  const start = async (): Promise<void> => {
    child = spawn(process.execPath, [...PROGRAM, data, String(port), JSON.stringify(settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise<void>((done, fail) => {
      child.stdout?.on('data', (chunk) => String(chunk).includes('ready') && done())
      child.once('exit', () => fail(new Error('the gateway ended before it was ready')))
    })
  }
  const ended = (): Promise<unknown> => once(child, 'exit')
  await start()
  return {
    caller: await signIn(`http://127.0.0.1:${port}`, 'S0042', PASSWORD),
    ended,
    kill: () => void child.kill('SIGKILL'),
    start,
    async stop() {
      const isOver = child.exitCode !== null || child.signalCode !== null
      const over = isOver ? undefined : ended()
      child.kill('SIGTERM')
      await over
      if (folder === undefined) await rm(data, { recursive: true, force: true })
    },
  }
}
