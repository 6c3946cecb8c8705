import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { demoAccounts } from '../../../gateway/world'
import { beginSignIn, sendPassword, startGateway } from '../../support/gateway'

const folders: string[] = []
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gw-start-'))
  folders.push(folder)
  return folder
}
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

describe('a start with the demo world', () => {
  it('fills it once', async () => {
    const folder = await newFolder()
    const options = { folder, demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.2', DEMO_NOW: '2026-11-20' } }
    const test = await startGateway(options)
    const { rows: people } = await test.gateway.database.query<{ count: number }>('select count(*) as count from sys_staff')
    expect(Number(people[0]!.count)).toBeGreaterThan(20)
    await test.close()

    const again = await startGateway(options)
    const { rows } = await again.gateway.database.query<{ count: number }>('select count(*) as count from sys_staff')
    expect(rows).toEqual(people)
    expect(again.gateway.world.demo).toBe(true)
    await again.close()
  })

  it('gives its people a password that nobody knows where they may not be chosen', async () => {
    const test = await startGateway({
      folder: await newFolder(),
      demo: true,
      environment: { ENVIRONMENT_NAME: 'production', DEMO_SCALE: '0.1' },
    })
    const { demoPassword } = test.gateway.world
    expect(demoPassword).toMatch(/^.{12,}$/)
    const [account] = await demoAccounts(test.gateway.database)
    expect(
      (
        await sendPassword(test.base, {
          request: await beginSignIn(test.base),
          name: account?.jobNumber ?? '',
          password: 'switchboard1',
        })
      ).status,
    ).toBe(200)
    expect((await test.signIn(account?.jobNumber ?? '', demoPassword ?? '')).token).not.toBeNull()
    await test.close()
  })
})
