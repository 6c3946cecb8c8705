import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startKillableGateway, type KillableGateway } from '../../../../support/killableGateway'

let gateway: KillableGateway
const write = (name: string, key: string, die?: string) =>
  gateway.caller.post<{ name: string; at: string }>(
    '/v2/test/write',
    { name },
    { 'idempotency-key': key, ...(die ? { 'x-die': die } : {}) },
  )
const written = async () => (await gateway.caller.get<string[]>('/v2/test/written')).data

beforeAll(async () => {
  gateway = await startKillableGateway()
})
afterAll(() => gateway.stop())

describe('kill -9 of the gateway during a write with a key (R283, R284)', () => {
  it('before the commit: nothing was written, and the same key runs again', async () => {
    const ended = gateway.ended()
    await expect(write('one', 'key-before-commit', 'before')).rejects.toThrow()
    await ended
    await gateway.start()
    expect(await written()).toEqual([])
    const again = await write('one', 'key-before-commit')
    expect([again.code, again.headers.get('x-idempotent-replay')]).toEqual([0, null])
    expect(await written()).toEqual(['one'])
  })

  it('after the commit: the row is there once, and the same key gets the stored answer', async () => {
    const ended = gateway.ended()
    await expect(write('two', 'key-after-commit', 'after')).rejects.toThrow()
    await ended
    await gateway.start()
    const again = await write('two', 'key-after-commit')
    expect([again.code, again.data.name, again.headers.get('x-idempotent-replay')]).toEqual([0, 'two', 'true'])
    expect(await written()).toEqual(['one', 'two'])
  })
})
