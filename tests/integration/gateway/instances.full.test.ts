import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../support/gateway'
import { testDatabase, type TestDatabase } from '../testDatabase'

let shared: TestDatabase
let both: TestGateway[] = []
beforeAll(async () => {
  shared = await testDatabase()
  const options = { demo: true, environment: { DATABASE_URL: shared.url, DEMO_SCALE: '0.1', DEMO_SIGN_IN: 'true' } }
  both = await Promise.all([startGateway(options), startGateway(options)])
})
afterAll(async () => {
  await Promise.all(both.map((gateway) => gateway.close()))
  await shared.drop()
})

it('Two gateways that start at the same moment on an empty database fill it with one demo world', async () => {
  const { rows } = await shared.database.query<{ code: string; count: number }>(
    'select code, count(*) as count from sys_role group by code having count(*) > 1',
  )
  expect(rows).toEqual([])
  const { rows: roles } = await shared.database.query<{ count: number }>('select count(*)::int as count from sys_role')
  expect(roles[0]!.count).toBeGreaterThan(10)
  expect(both.map(({ gateway }) => gateway.world.demo)).toEqual([true, true])
})
