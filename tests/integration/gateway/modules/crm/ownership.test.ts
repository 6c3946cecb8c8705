import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId } from '../../../../../gateway/platform/database'
import { ConnectionTransaction } from '../../../../../gateway/platform/database/transaction'
import { systemContext } from '../../../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway, type Caller, type TestGateway } from '../../../../support/gateway'
import { privateCustomer } from '../../../../support/privateCustomer'

interface Bulk {
  done: string[]
  refused: { id: string; reason: string }[]
}
const OWNER = 'st-s0006'
let test: TestGateway
let owner: Caller
let lead: Caller

beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  ;[owner, lead] = await Promise.all([test.signIn('S0006', DEMO_PASSWORD), test.signIn('S0005', DEMO_PASSWORD)])
})
afterAll(() => test.close())

let made = 0
async function customers(count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => {
    made += 1
    const [id, name] = [newId(), `归属试验${String.fromCharCode(0x6c00 + made * 41)}`]
    const owned = { ownerId: OWNER, ownerDeptId: 'dp-s-cn1', ownedAt: test.clock.now().toISOString() }
    return { ...privateCustomer({ id, code: `OW${1000 + made}`, name, ...owned }), id }
  })
  const context = systemContext({ now: test.clock.now() })
  await test.gateway.engine.transaction(context, (entities) => entities.insertMany('crm.customer', rows))
  return rows.map(({ id }) => id)
}
/** Statements that a step of so many customers sends. */
async function statements(caller: Caller, ids: readonly string[], transition: string, values: object): Promise<number> {
  const query = vi.spyOn(ConnectionTransaction.prototype, 'query')
  const { data } = await caller.post<Bulk>('/v2/crm/customer/stateUpdate', { ids, transition, values })
  const { length } = query.mock.calls
  query.mockRestore()
  expect([data.refused, data.done.length]).toEqual([[], ids.length])
  return length
}

describe('what happens to customers', () => {
  it('asks as many statements for many as for a few: released, assigned, frozen, given back', async () => {
    const [few, many] = [await customers(2), await customers(60)]
    const steps: [Caller, string, object][] = [
      [owner, 'release', { releaseReason: 'notFit' }],
      [lead, 'assign', { assignTo: 'st-s0008', assignReason: '区域调整' }],
      [lead, 'freeze', { freezeReason: '争议' }],
      [lead, 'unfreeze', {}],
    ]
    for (const [caller, transition, values] of steps) {
      const first = await statements(caller, few, transition, values)
      expect(await statements(caller, many, transition, values), transition).toBeLessThanOrEqual(first + 2)
    }
    const { rows } = await test.gateway.database.query<{ holding: string; owner: string; actions: string[] }>(
      `select c.holding, c.owner_id as owner, (select array_agg(l.action order by l.at, l.id) from crm_owner_log l where l.customer_id = c.id) as actions
       from crm_customer c where c.id = any($1::text[])`,
      [many],
    )
    for (const row of rows) {
      expect([row.holding, row.owner]).toEqual(['private', 'st-s0008'])
      expect(row.actions.toSorted()).toEqual(['assign', 'release', 'unfreeze'])
    }
  })
})
