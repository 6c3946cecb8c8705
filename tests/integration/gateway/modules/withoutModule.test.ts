import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../../../..')
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** The project without both folders of some modules. */
function without(modules: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'switchboard-without-'))
  folders.push(copy)
  for (const part of ['gateway', 'schemas', 'scripts', 'src', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true, filter: (file) => basename(file) !== 'node_modules' })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const module of modules)
    for (const parent of ['schemas', 'gateway/modules']) rmSync(join(copy, parent, module), { recursive: true, force: true })
  return copy
}

const tsx = (copy: string): string => join(copy, 'node_modules/tsx/dist/cli.mjs')

/** Starts the gateway of a copy with a demo world; answers the address at which it is ready. */
async function started(copy: string): Promise<string> {
  const environment = { PORT: '0', DATA_DIR: join(copy, 'data'), DEMO_SCALE: '0.1', JOBS: 'false', LOG_LEVEL: 'error' }
  const gateway = spawn(process.execPath, [tsx(copy), 'gateway/main.ts'], { cwd: copy, env: { ...process.env, ...environment } })
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
    const { status } = await fetch(`${address}/ready`)
    return String(status)
  } finally {
    gateway.kill('SIGTERM')
    await ended
  }
}

describe('The portal without a module, when both its folders are deleted', () => {
  it.each([['srm'], ['csc'], ['crm, csc, fin, biz and srm']])('is checked and starts without %s', async (names) => {
    const copy = without(names.split(/, | and /))
    await run(process.execPath, [tsx(copy), 'scripts/generate.ts'], { cwd: copy })
    const { stdout } = await run(process.execPath, [tsx(copy), 'scripts/check-schemas.ts'], { cwd: copy }).catch(
      (failure: unknown) => ({ stdout: String((failure as { stdout?: string }).stdout) }),
    )
    expect(stdout).toContain(' 0 errors, ')
    await expect(started(copy)).resolves.toBe('200')
  })

  it('says what a module needs that is not there', async () => {
    const copy = without(['crm'])
    await expect(run(process.execPath, [tsx(copy), 'scripts/generate.ts'], { cwd: copy })).rejects.toThrow(
      'The module "csc" needs the module "crm", which is not there.',
    )
  })
})
