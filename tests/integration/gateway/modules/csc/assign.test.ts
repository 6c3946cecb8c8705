import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway, type Caller, type TestGateway } from '../../../../support/gateway'

let test: TestGateway
let desk: Caller
let sales: Caller

beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const [service] = await sql<{ jobNumber: string }>(
    `select s.job_number as "jobNumber" from sys_staff s join sys_role_member m on m.staff_id = s.id join sys_role r on r.id = m.role_id where r.code = 'service' and s.status = 'active' order by 1 limit 1`,
  )
  desk = await test.signIn(service!.jobNumber, DEMO_PASSWORD)
  sales = await test.signIn('S0006', DEMO_PASSWORD)
})
afterAll(() => test.close())

const sql = async <T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
  (await test.gateway.database.query<T>(text, values)).rows
const enter = async (more: object): Promise<string> => {
  const answer = await desk.post<{ id: string }>('/v2/csc/clue/save', {
    ...{
      company: 'Blue Harbor Media',
      contactName: 'Ada',
      email: 'ada@blue-harbor.example',
      countryCode: 'SG',
      source: 'website',
    },
    ...{ products: ['sms'], volume: 'v3', ...more },
  })
  expect([answer.code, answer.msg]).toEqual([0, expect.anything()])
  return answer.data.id
}
const run = async (): Promise<void> => {
  const { scheduler } = test.gateway
  await scheduler.runNow(scheduler.find('csc.assign')!, { dry: false, startedBy: null })
}
const clue = async (id: string) =>
  (
    await sql<{ status: string; owner: string | null; reason: string | null; respond: Date | null }>(
      'select status, owner_id as owner, invalid_reason as reason, respond_by as respond from csc_clue where id = $1',
      [id],
    )
  )[0]!

describe('leads find their people', () => {
  it('a lead gets the person of the first rule that matches, is told why, and has its time to respond', async () => {
    const id = await enter({})
    await run()
    const found = await clue(id)
    expect(found).toMatchObject({ status: 'assigned', owner: expect.any(String) })
    expect(found.respond).not.toBeNull()
    const [log] = await sql<{ id: string; mode: string; rule: string }>(
      'select id, mode, rule_id as rule from csc_assign_log where clue_id = $1',
      [id],
    )
    expect(log).toMatchObject({ mode: 'rule', rule: 'ar-apac' })
    const looked = await sql<{ outcome: string }>('select outcome from csc_assign_candidate where log_id = $1', [log!.id])
    expect(looked.filter(({ outcome }) => outcome === 'chosen')).toHaveLength(1)
  })

  it('one of the registration blacklist, and a double of an open lead, become invalid and say so', async () => {
    const barred = await enter({ company: 'Spam Ltd', email: 'x@eu.mailinator.com' })
    const double = await enter({ company: 'Another name', email: 'ada@blue-harbor.example' })
    await run()
    expect(await clue(barred)).toMatchObject({ status: 'invalid', reason: 'blacklist', owner: null })
    expect(await clue(double)).toMatchObject({ status: 'invalid', reason: 'duplicate', owner: null })
    const [row] = await sql<{ hits: number }>(`select hits from csc_register_black where value = 'mailinator.com'`)
    expect(row!.hits).toBe(42)
  })

  it('nobody gets the lead twice that he gave back', async () => {
    const id = await enter({ company: 'Return Co', email: 'r@return-co.example' })
    await run()
    const first = (await clue(id)).owner
    await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
      entities.transition('csc.clue', id, 'timeOut'),
    )
    expect(await clue(id)).toMatchObject({ status: 'pool', owner: null })
    await run()
    const second = await clue(id)
    expect(second.status).toBe('assigned')
    expect(second.owner).not.toBe(first)
  })

  it('32 leads at once are handed out in turn by the weights', async () => {
    const ids = await Promise.all(
      Array.from({ length: 32 }, (_, index) => enter({ company: `Turn ${index}`, email: `a@turn-${index}.example` })),
    )
    await Promise.all([run(), run()])
    const shares = await sql<{ count: number }>(
      `select count(*)::int as count from csc_clue where id = any($1::text[]) and status = 'assigned' group by owner_id order by 1 desc`,
      [ids],
    )
    expect(shares.reduce((sum, { count }) => sum + count, 0)).toBe(32)
    expect(shares[0]!.count - 16).toBeLessThanOrEqual(4)
  })

  it('sales may not run the rules nor read the blacklist', async () => {
    expect((await sales.post('/v2/csc/registerBlack/queryPage', {})).code).toBe(10010003)
    const id = await enter({ company: 'Own Co', email: 'o@own-co.example' })
    const answer = await sales.post('/v2/csc/clue/stateUpdate', { ids: [id], transition: 'autoAssign' })
    expect(answer.code).not.toBe(0)
  })

  it('a domain that everybody has, and a range that is too wide, are refused with a sentence', async () => {
    const add = (values: object) =>
      desk.post<{ errors: { message: string }[] }>(
        '/v2/csc/registerBlack/save',
        { reason: 'spam', ...values },
        { 'accept-language': 'en' },
      )
    expect((await add({ kind: 'domain', value: 'gmail.com' })).text).toContain('domain whitelist')
    expect((await add({ kind: 'cidr', value: '10.0.0.0/8' })).text).toContain('at most /16')
    expect((await add({ kind: 'phone', value: '0086 139 1111 2222' })).code).toBe(0)
    expect(await sql(`select 1 from csc_register_black where value = '+8613911112222'`)).toHaveLength(1)
  })
})
