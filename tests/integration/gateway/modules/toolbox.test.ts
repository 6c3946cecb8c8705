import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../../support/gateway'

let test: TestGateway
beforeAll(async () => {
  test = await startGateway()
})
afterAll(() => test.close())

describe('mobile networks', () => {
  it('stand in a company that begins empty, and are found by their codes', async () => {
    const { rows } = await test.gateway.database.query<{ count: number }>(
      'select count(*)::int as count from sys_operator_network',
    )
    expect(rows[0]?.count).toBeGreaterThan(2_500)
    const claro = await test.gateway.database.query(
      'select country, brand, status, mccmnc from sys_operator_network where mccmnc = $1',
      ['72405'],
    )
    expect(claro.rows).toEqual([{ country: 'BR', brand: 'Claro', status: 'operational', mccmnc: '72405' }])
  })
})
