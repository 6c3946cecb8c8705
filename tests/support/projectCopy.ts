import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

/** A copy of what the gateway is made of, in which files come and go. */
export class ProjectCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'switchboard-copy-'))

  constructor() {
    for (const part of ['gateway', 'schemas', 'scripts', 'src', 'package.json', 'tsconfig.json', '.prettierrc.json'])
      cpSync(join(root, part), join(this.folder, part), { recursive: true, filter: (file) => basename(file) !== 'node_modules' })
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'))
  }

  /** Deletes both folders of a module. */
  withoutModule(module: string): void {
    for (const parent of ['schemas', 'gateway/modules'])
      rmSync(join(this.folder, parent, module), { recursive: true, force: true })
  }
  write(file: string, text: string): void {
    mkdirSync(join(this.folder, dirname(file)), { recursive: true })
    writeFileSync(join(this.folder, file), text)
  }
  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8')
  }
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Runs a script; answers what it says, also when it fails. @throws Error when it fails and `orFail` */
  async script(name: string, { orFail = true } = {}): Promise<string> {
    const { stdout } = await run(process.execPath, [this.tsx, name], { cwd: this.folder }).catch((failure: unknown) => {
      if (orFail) throw failure
      return { stdout: String((failure as { stdout?: string }).stdout) }
    })
    return stdout
  }

  /** Starts the gateway with a demo world, and works with the address at which it is ready. */
  async started<Result>(work: (address: string) => Promise<Result>): Promise<Result> {
    const environment = { PORT: '0', DATA_DIR: join(this.folder, 'data'), DEMO_SCALE: '0.1', JOBS: 'false', LOG_LEVEL: 'error' }
    const gateway = spawn(process.execPath, [this.tsx, 'gateway/main.ts'], {
      cwd: this.folder,
      env: { ...process.env, ...environment },
    })
    let output = ''
    const ended = new Promise<void>((done) => void gateway.once('exit', () => done()))
    try {
      const address = await new Promise<string>((found, failed) => {
        const read = (chunk: Buffer): void => {
          output += chunk.toString()
          const [, at] = /runs at (http:\S+)/.exec(output) ?? []
          if (at !== undefined) found(at)
        }
        gateway.stdout.on('data', read)
        gateway.stderr.on('data', read)
        gateway.once('exit', () => failed(new Error(output)))
      })
      return await work(address)
    } finally {
      gateway.kill('SIGTERM')
      await ended
    }
  }

  private get tsx(): string {
    return join(this.folder, 'node_modules/tsx/dist/cli.mjs')
  }
}
