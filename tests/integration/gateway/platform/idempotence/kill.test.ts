import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../../support/freePort'
import { PASSWORD, signIn } from '../../../../support/gateway'
import type { Caller } from '../../../../support/gateway'

let port: number
let folder: string
let child: ChildProcess
let caller: Caller

async function start(): Promise<void> {
  child = spawn(process.execPath, ['--import', 'tsx', 'tests/support/gatewayProcess.ts', folder, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((done, fail) => {
    child.stdout?.on('data', (chunk) => String(chunk).includes('ready') && done())
    child.once('exit', () => fail(new Error('the gateway ended before it was ready')))
  })
}
const write = (name: string, key: string, die?: string) =>
  caller.post<{ name: string; at: string }>(
    '/v2/test/write',
    { name },
    { 'idempotency-key': key, ...(die ? { 'x-die': die } : {}) },
  )
const written = async () => (await caller.get<string[]>('/v2/test/written')).data

beforeAll(async () => {
  port = await freePort()
  folder = await mkdtemp(join(tmpdir(), 'gw-kill-'))
  await start()
  caller = await signIn(`http://127.0.0.1:${port}`, 'S0042', PASSWORD)
})
afterAll(async () => {
  // Let the embedded database stop cleanly: a killed gateway would leave it running.
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  await rm(folder, { recursive: true, force: true })
})

describe('kill -9 of the gateway during a write with a key (R283, R284)', () => {
  it('before the commit: nothing was written, and the same key runs again', async () => {
    const ended = once(child, 'exit')
    await expect(write('one', 'key-before-commit', 'before')).rejects.toThrow()
    await ended
    await start()
    expect(await written()).toEqual([])
    const again = await write('one', 'key-before-commit')
    expect([again.code, again.headers.get('x-idempotent-replay')]).toEqual([0, null])
    expect(await written()).toEqual(['one'])
  })

  it('after the commit: the row is there once, and the same key gets the stored answer', async () => {
    const ended = once(child, 'exit')
    await expect(write('two', 'key-after-commit', 'after')).rejects.toThrow()
    await ended
    await start()
    const again = await write('two', 'key-after-commit')
    expect([again.code, again.data.name, again.headers.get('x-idempotent-replay')]).toEqual([0, 'two', 'true'])
    expect(await written()).toEqual(['one', 'two'])
  })
})
