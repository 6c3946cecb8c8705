import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JobReport } from '../../../../../gateway/platform/jobs'
import type { TestGateway } from '../../../../support/gateway'
import { startGateway } from '../../../../support/gateway'

/** More than fit into two of the transactions in which customers go to the sea. */
const CUSTOMERS = 1_300
/** Somebody in the middle of them. */
const UNLUCKY = 'c00700'
/** Somebody of the second page of those whose days are renewed. */
const UNLUCKY_RENEWAL = 'c01200'

let test: TestGateway
const sql = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  (await test.gateway.database.query<Row>(text, values)).rows
const count = async (from: string): Promise<number> =>
  Number((await sql<{ n: number }>(`select count(*) as n from ${from}`))[0]?.n)

beforeAll(async () => {
  test = await startGateway({ demo: false })
  await test.addStaff({ id: 'wang', jobNumber: 'T0001' })
  // owned for a year and never followed up: all of them are late, each a bit later than the one before
  await sql(
    `insert into crm_customer (id, created_at, updated_at, version, code, name, party_type, country_code, level, stage, holding, owner_id, owned_at)
     select 'c' || lpad(n::text, 5, '0'), now(), now(), 1, 'C' || n, '客户 ' || n, 'customer', 'CN', 'd', 'potential', 'private', 'wang',
       now() - interval '400 days' + n * interval '1 minute' from generate_series(1, $1::int) n`,
    [CUSTOMERS],
  )
  await sql(`insert into sys_rule_set (id, key, version_no, params, effective_from, created_at, updated_at, version)
    values ('all', 'crm.sea', 1, '{"maxPerNight": 5000}', now() - interval '1 day', now(), now(), 1)`)
  await sql(`create function unlucky() returns trigger language plpgsql as $$ begin raise exception 'no luck'; end $$`)
})
afterAll(() => test.close())

/** A night: days are renewed, then what is due is done. */
const night = async (
  jobs = ['sys.renewal', 'sys.deadlines'],
): Promise<{ error: string | null; figures: Record<string, number> }> => {
  const { scheduler } = test.gateway
  const figures: Record<string, number> = {}
  for (const job of jobs) {
    const id = await scheduler.runNow(scheduler.find(job)!, { dry: false, startedBy: null })
    const [run] = await sql<{ error: string | null; report: JobReport | null }>(
      'select error, report from sys_job_run where id = $1',
      [id],
    )
    if (!run || run.error !== null) return { error: run?.error ?? job, figures }
    for (const { id: name, value } of run.report?.figures ?? []) figures[name] = value
  }
  return { error: null, figures }
}
const RENEWED = 'crm.customer.recycleOn'
const REMINDED = 'crm.customer.recycle.remind'
const TAKEN = 'crm.customer.recycle'

it('A night that fails while it renews recycling days leaves some renewed and the others as they were, and the next one renews the rest', async () => {
  await sql(
    `create trigger unlucky before update of recycle_on on crm_customer for each row when (old.id = '${UNLUCKY_RENEWAL}') execute function unlucky()`,
  )
  expect((await night()).error).toContain('no luck')
  const renewed = await count('crm_customer where recycle_on is not null')
  expect(renewed).toBeGreaterThan(0)
  expect(renewed).toBeLessThan(CUSTOMERS)
  expect(await count(`crm_customer where holding <> 'private' or version <> 1`)).toBe(0)
  expect(await count('sys_todo')).toBe(0)

  await sql('drop trigger unlucky on crm_customer')
  // nobody goes without notice: a day that comes nearer is three days away
  expect(await night()).toMatchObject({ error: null, figures: { [RENEWED]: CUSTOMERS - renewed, [REMINDED]: CUSTOMERS } })
  expect((await night()).figures[TAKEN]).toBeUndefined()
  expect(await count(`sys_todo where kind = 'recycleSoon' and status = 'open'`)).toBe(CUSTOMERS)
  expect(await count(`crm_customer where version <> 1`)).toBe(0)
})

it('A nearer reminder takes the place of the earlier one, also of one that somebody had who owned the customer before', async () => {
  const open = `sys_todo where kind = 'recycleSoon' and status = 'open'`
  const before = (await sql<{ id: string }>(`select id from ${open} order by id`)).map(({ id }) => id)
  await test.addStaff({ id: 'chen', jobNumber: 'T0002' })
  await sql(
    `insert into sys_todo (id, staff_id, kind, title_zh, title_en, subject_entity, subject_id, unique_key, status, created_at, updated_at, version)
     select 'chens', 'chen', kind, title_zh, title_en, subject_entity, subject_id, 'recycleSoon/of chen', status, created_at, updated_at, 1
     from ${open} and subject_id = $1`,
    [UNLUCKY],
  )
  test.clock.forward(2 * 86_400)
  expect((await night()).figures).toMatchObject({ [RENEWED]: 0, [REMINDED]: CUSTOMERS })

  expect((await sql<{ id: string }>(`select id from ${open} order by id`)).map(({ id }) => id)).toEqual(before)
  expect(
    await count(`${open} and staff_id = 'wang' and unique_key like 'recycleSoon/%/1/%' and title_en like '% tomorrow (%'`),
  ).toBe(CUSTOMERS)
  expect(await sql(`select id, staff_id from sys_todo where kind = 'recycleSoon' and status = 'dropped'`)).toEqual([
    { id: 'chens', staff_id: 'chen' },
  ])
  expect((await night()).figures[REMINDED]).toBeUndefined()
  await sql(`delete from sys_todo where id = 'chens'`)
})

it('A customer that cannot be taken stays wholly as it was and is told, all others are taken, and it goes when it can, everybody once', async () => {
  test.clock.forward(2 * 86_400)
  await sql(
    `create trigger unlucky before insert on crm_sea_record for each row when (new.customer_id = '${UNLUCKY}') execute function unlucky()`,
  )
  const { error, figures } = await night()
  expect(error).toBeNull()
  expect(figures).toMatchObject({ [TAKEN]: CUSTOMERS - 1, failed: 1 })
  await expectWhole(CUSTOMERS - 1)
  expect(await sql('select holding, owner_id from crm_customer where id = $1', [UNLUCKY])).toEqual([
    { holding: 'private', owner_id: 'wang' },
  ])

  await sql('drop trigger unlucky on crm_sea_record')
  test.clock.forward(120)
  expect((await night()).figures).toMatchObject({ [TAKEN]: 1 })
  await expectWhole(CUSTOMERS)
})

/** So many are in the sea, each with one stay, one line of its history, one word to the owner, and no reminder left; all others wholly as before. */
async function expectWhole(taken: number): Promise<void> {
  const inSea = `(select id from crm_customer where holding = 'sea' and owner_id is null and recycle_on is null and version = 2)`
  expect(await count(inSea)).toBe(taken)
  for (const told of [
    'crm_sea_record where left_at is null and customer_id in ',
    `crm_owner_log where action = 'recycle' and customer_id in `,
    `sys_todo where kind = 'recycled' and status = 'open' and subject_id in `,
    `sys_todo where kind = 'recycleSoon' and status = 'dropped' and subject_id in `,
    `sys_audit_log where entity = 'crm.customer' and action = 'state' and record_id in `,
  ])
    expect(await count(told + inSea), told).toBe(taken)
  expect(await count(`crm_sea_record`)).toBe(taken)
  expect(await count(`sys_todo where kind = 'recycleSoon' and status = 'open'`)).toBe(CUSTOMERS - taken)
  expect(await count(`crm_customer where holding = 'private' and owner_id = 'wang' and version = 1`)).toBe(CUSTOMERS - taken)
}
