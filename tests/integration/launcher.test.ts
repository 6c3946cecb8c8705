import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EXIT } from '../../gateway/platform/lifecycle'
import { temporaryFolder } from './testDatabase'

function launch(script: string, flags: string[], environment: Record<string, string> = {}) {
  const { status, stderr, stdout } = spawnSync(process.execPath, [`scripts/${script}`, ...flags], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { status, stderr, stdout }
}

describe('npm start', () => {
  it('says at once that the port is taken, before it installs or builds anything', async () => {
    const other = createServer()
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    onTestFinished(() => void other.close())
    const port = String((other.address() as AddressInfo).port)
    expect(launch('start.mjs', [], { PORT: port, HOST: '127.0.0.1' })).toEqual({
      status: EXIT.unavailable,
      stderr: `\nSwitchboard cannot start: port ${port} is taken by another program; stop it, or choose another port with PORT=<number>.\n`,
      stdout: '',
    })
  })

  it('refuses a flag that it does not know', () => {
    expect(launch('start.mjs', ['--emtpy'])).toMatchObject({
      status: EXIT.usage,
      stderr: expect.stringContaining('"--emtpy" is unknown'),
    })
  })

  it('deletes nothing without a terminal to ask at, unless told to', () => {
    const folder = join(temporaryFolder(), 'data')
    mkdirSync(folder)
    expect(launch('start.mjs', ['--reset'], { DATA_DIR: folder, PORT: '4619' })).toMatchObject({
      status: EXIT.usage,
      stderr: expect.stringContaining(`--reset would delete all data in ${folder} and cannot ask here; add --yes`),
    })
  })
})

describe('npm test', () => {
  it('refuses a step that it does not have, and lists those that it has', () => {
    expect(launch('test.mjs', ['--only', 'unit,everything'])).toMatchObject({
      status: EXIT.usage,
      stderr: expect.stringMatching(/no step "everything"; there are generate, types, lint, .*e2e/),
    })
  })
})
