import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readConfiguration } from '../../../gateway/platform/configuration'
import { reconcile } from '../../../gateway/reconcile'
import { startGateway } from '../../support/gateway'
import { quietLogger } from '../testDatabase'

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

it('finds no drift in the demo world, then a value that was broken, and mends it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gw-reconcile-'))
  folders.push(folder)
  const test = await startGateway({ demo: true, folder, environment: { DEMO_SCALE: '0.3' } })
  const { configuration, database } = test.gateway
  const { rows } = await database.query<{ id: string }>(
    'select id from crm_transfer where accepted_count > 0 order by id limit 1',
  )
  const run = async (fix: boolean): Promise<[code: number, lines: string[]]> => {
    const lines: string[] = []
    return [
      await reconcile(
        readConfiguration({ DATA_DIR: test.folder, SCHEMAS_DIR: 'schemas', DATABASE_ENGINE: process.env.DATABASE_ENGINE }),
        { fix, logger: quietLogger, print: (line) => lines.push(line) },
      ),
      lines,
    ]
  }
  expect(configuration.dataDir).toBe(test.folder)
  expect((await test.gateway.engine.reconcile()).filter(({ drifted }) => drifted > 0)).toEqual([])
  await database.query('update crm_transfer set accepted_count = 99 where id = $1', [rows[0]!.id])
  await test.gateway.close()
  const [found, told] = await run(false)
  expect(found).toBe(2)
  expect(told.find((line) => line.startsWith('crm.transfer.acceptedCount'))).toMatch(/ 1$/)
  expect((await run(true))[0]).toBe(2)
  expect((await run(false))[0]).toBe(0)
})
