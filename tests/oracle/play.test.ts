import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyModules } from '../../gateway/modules'
import { startGateway, type TestGateway } from '../support/gateway'
import { ACTS } from './acts'
import { BEGIN, COMPANY } from './company'
import { differences, table } from './compare'
import { Driver, KEYS, MENUS, TOKEN_SECONDS } from './drive'
import { foundIn } from './found'
import { findings, MUTANTS } from './mutants'
import { reckon } from './reckon'
import { seed } from './seed'

let test: TestGateway
let driver: Driver
beforeAll(async () => {
  test = await startGateway({ environment: { SESSION_TOKEN_SECONDS: String(TOKEN_SECONDS) } })
  test.clock.forward((Date.parse(BEGIN) - test.clock.now().getTime()) / 1000)
  await seed(test)
  await test.addStaff({ id: 'oracle-1', jobNumber: 'O1', keys: KEYS, menus: MENUS, scopes: { '*': ['all'] } })
  await test.addStaff({ id: 'oracle-2', jobNumber: 'O2', keys: KEYS, menus: MENUS, scopes: { '*': ['all'] } })
  driver = new Driver(test)
  await driver.play(ACTS)
})
afterAll(() => test.close())

describe('the play', () => {
  it('has no act that is refused', () => {
    expect(driver.refused.map(({ act, why }) => `${act} | ${why}`)).toEqual([])
  })

  it('comes to the figures of the reckoning', async () => {
    const found = await foundIn(test, driver.documents)
    const all = differences(reckon(COMPANY, ACTS, BEGIN.slice(0, 10)), found)
    expect(table(all)).toBe('')
  })
})

describe('reconcile', () => {
  it('finds nothing after the play', async () => {
    expect((await verifyModules(test.gateway.database, { fix: false })).filter(({ drifted }) => drifted > 0)).toEqual([])
  })

  it.each(MUTANTS.map((mutant) => [mutant.fault, mutant] as const))('finds it when %s', async (_, mutant) => {
    expect(await findings(test.gateway.database, mutant)).toContainEqual(expect.stringMatching(mutant.found))
  })
})
