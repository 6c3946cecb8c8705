import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfiguration } from '../../../gateway/platform/configuration'
import { reconcile } from '../../../gateway/reconcile'
import { startGateway, type TestGateway } from '../../support/gateway'
import { walksOf } from '../../support/walkPart'
import { quietLogger } from '../testDatabase'

const { walksAll } = walksOf(import.meta.filename)

let test: TestGateway
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: walksAll ? '0.3' : '0.1' } })
})
afterAll(() => test.close())

it('finds no drift in the demo world, then a value that was broken, and mends it', async () => {
  const { configuration, database } = test.gateway
  const { rows } = await database.query<{ id: string }>(
    'select id from crm_transfer where accepted_count > 0 order by id limit 1',
  )
  const run = async (fix: boolean): Promise<[code: number, lines: string[]]> => {
    const lines: string[] = []
    return [
      await reconcile(
        readConfiguration({ DATA_DIR: test.folder, SCHEMAS_DIR: 'schemas', DATABASE_URL: configuration.databaseUrl }),
        { fix, logger: quietLogger, print: (line) => lines.push(line) },
      ),
      lines,
    ]
  }
  expect((await test.gateway.engine.reconcile()).filter(({ drifted }) => drifted > 0)).toEqual([])
  await database.query('update crm_transfer set accepted_count = 99 where id = $1', [rows[0]!.id])
  const [found, told] = await run(false)
  expect(found).toBe(2)
  expect(told.find((line) => line.startsWith('crm.transfer.acceptedCount'))).toMatch(/ 1$/)
  expect((await run(true))[0]).toBe(2)
  expect((await run(false))[0]).toBe(0)
})
