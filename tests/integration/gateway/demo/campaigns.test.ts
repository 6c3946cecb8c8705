import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../../support/gateway'

let test: TestGateway
beforeAll(async () => {
  test = await startGateway({ demo: true })
}, 240_000)
afterAll(() => test.close())

const rows = async <T extends object>(statement: string): Promise<T[]> =>
  (await test.gateway.database.query<T>(statement, [])).rows
const one = async (statement: string): Promise<number> => (await rows<{ n: number }>(`select (${statement})::int as n`))[0]!.n

it('the demo company has sent 36 campaigns to 11,000 people, opened by 24 to 41 % and clicked by 2 to 7 % of those they reached', async () => {
  expect(await one('select count(*) from crm_mail_campaign')).toBe(36)
  const recipients = await one('select count(*) from crm_mail_recipient')
  expect([recipients >= 10_400, recipients <= 11_100]).toEqual([true, true])
  const events = await one('select count(*) from crm_mail_event')
  expect([events >= 28_000, events <= 34_000]).toEqual([true, true])
  const [all] = await rows<Record<string, number>>(
    `select sum(opened)::float / sum(delivered) as opened, sum(clicked)::float / sum(delivered) as clicked, sum(bounced)::float / sum(sent) as bounced from crm_mail_campaign`,
  )
  expect([all!.opened! > 0.24 && all!.opened! < 0.41, all!.clicked! > 0.02 && all!.clicked! < 0.07]).toEqual([true, true])
  expect(all!.bounced! > 0.01 && all!.bounced! < 0.04).toBe(true)
  expect(await one('select count(*) from crm_mail_event where at > now()')).toBe(0)
  // whoever unsubscribed gets nothing afterwards, and nobody more than two in seven days
  expect(
    await one(
      `select count(*) from crm_mail_recipient r join crm_mail_recipient u on u.email = r.email and u.unsubscribed_at is not null where r.sent_at > u.unsubscribed_at`,
    ),
  ).toBe(0)
  expect(
    await one(`select coalesce(max(n), 0) from (select (select count(*) from crm_mail_recipient b where b.email = a.email and b.sent_at between a.sent_at and a.sent_at + interval '7 days') as n
      from crm_mail_recipient a where a.sent_at is not null) c`),
  ).toBeLessThanOrEqual(2)
  // the senders are mailboxes of people who sell
  expect(
    await one(
      `select count(*) from crm_mail_campaign c join mail_account a on a.id = c.sender_id join sys_staff s on s.id = a.owner_id where s.position not like 'sales%'`,
    ),
  ).toBe(0)
  const drifts = await test.gateway.engine.reconcile()
  expect(drifts.filter(({ field, drifted }) => field.startsWith('crm.mail') && drifted > 0)).toEqual([])
})
