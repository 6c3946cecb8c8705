import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SecretKeys } from '../../../../../gateway/platform/secrets'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'keys-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const newKey = (): string => randomBytes(32).toString('base64')
const open = (key?: string, before?: string): Promise<SecretKeys> =>
  SecretKeys.open({ dataDir, file: 'a.key', variable: 'A_KEY', key, before })

describe('secrets at rest', () => {
  it('are opened by the key that encrypted them, for whom they belong to, unchanged', async () => {
    const keys = await open(newKey())
    const sealed = keys.seal('one', 'geheim 密码')
    expect(JSON.stringify(sealed)).not.toContain('geheim')
    expect(keys.seal('one', 'geheim 密码').data).not.toBe(sealed.data)
    expect(keys.unseal('one', sealed)).toBe('geheim 密码')
    expect(() => keys.unseal('two', sealed)).toThrow()
    expect(() => keys.unseal('one', { ...sealed, data: Buffer.from('x').toString('base64') })).toThrow()
  })
  it('have a key beside the data where nobody gives one, which nobody else may read', async () => {
    const sealed = (await open()).seal('one', 'x')
    expect((await stat(join(dataDir, 'a.key'))).mode & 0o777).toBe(0o600)
    const first = await readFile(join(dataDir, 'a.key'), 'utf8')
    expect((await open()).unseal('one', sealed)).toBe('x')
    expect(await readFile(join(dataDir, 'a.key'), 'utf8')).toBe(first)
  })
  it('are opened by the key before, too; another one is told in a sentence', async () => {
    const [old, fresh] = [newKey(), newKey()]
    const sealed = (await open(old)).seal('one', 'x')
    expect((await open(fresh, old)).unseal('one', sealed)).toBe('x')
    const other = await open(fresh)
    expect(() => other.unseal('one', sealed)).toThrow(/A_KEY_BEFORE/u)
    await expect(open('dG9vIHNob3J0')).rejects.toThrow('A_KEY must be 32 bytes in base64')
  })
})
