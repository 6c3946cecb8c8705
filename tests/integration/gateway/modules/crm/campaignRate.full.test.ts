import { afterAll, beforeAll, expect, it } from 'vitest'
import { CampaignOffice } from './campaignOffice'

let office: CampaignOffice
beforeAll(async () => {
  office = await CampaignOffice.open()
}, 120_000)
afterAll(() => office.close())

const HOUR = 3_600_000
/** 5,000 as in the worked example take a quarter of an hour: `RECIPIENTS=5000` asks for them. The share of the day and several hours are met by fewer. */
const RECIPIENTS = Number(process.env.RECIPIENTS ?? 1_100)
const PER_HOUR = 200

/** How far the campaign is; days go by, and nobody stays signed in for them. */
const stateOf = async (id: string) =>
  (
    await office.gateway.gateway.database.query<{
      status: string
      sent: number
      waitsFor: string | null
      expectedEnd: string | null
    }>(
      'select status, sent::int as sent, waits_for as "waitsFor", expected_end as "expectedEnd" from crm_mail_campaign where id = $1',
      [id],
    )
  ).rows[0]!

/** The most mails that left within any hour, both ends of it wherever they are. */
function mostInAnHour(moments: readonly number[]): number {
  let [most, first] = [0, 0]
  moments.forEach((moment, index) => {
    while (moments[first]! <= moment - HOUR) first += 1
    most = Math.max(most, index - first + 1)
  })
  return most
}

it(`M13 ${RECIPIENTS} at 200 an hour from an account of 6,000 a day: never above in any sliding hour, over a pause, within 80 % of the day`, async () => {
  const addresses = Array.from({ length: RECIPIENTS }, (_, index) => `p${index}@client.example`).join('\n')
  const id = await office.draft('wang', {
    ...{ audienceKind: 'addresses', addresses, perHour: PER_HOUR },
    ...{ subject: 'Rates', body: '<p>Our rates</p>' },
  })
  await office.send('wang', id)
  const before = await office.campaign('wang', id)
  expect(before.total).toBe(RECIPIENTS)
  const five = async (): Promise<void> => office.later(300)
  // somebody writes 4,300 mails of his own today: of the campaign's share of the day 500 are left
  const day = (
    await office.gateway.gateway.database.query<{ day: string }>(
      `select (($1::timestamptz) at time zone 'Asia/Shanghai')::date::text as day`,
      [office.gateway.clock.now().toISOString()],
    )
  ).rows[0]!.day
  await office.gateway.gateway.database.query('update mail_account set sent_today = 4300, sent_on = $2::date where id = $1', [
    office.mailbox,
    day,
  ])
  let paused = false
  let waited = false
  for (let step = 0; step < 1_000; step += 1) {
    await five()
    if (office.taken.length > 150 && !paused) {
      paused = true
      expect((await office.move('wang', id, 'pause')).code).toBe(0)
      const there = office.taken.length
      await five()
      await five()
      expect(office.taken.length).toBe(there)
      expect((await office.move('wang', id, 'resume')).code).toBe(0)
      await five()
    }
    const campaign = await stateOf(id)
    if (campaign.waitsFor) waited = true
    if (campaign.status === 'done') break
    if (campaign.status === 'sending' && step > 2) expect(campaign.expectedEnd).not.toBeNull()
  }
  expect(await stateOf(id)).toMatchObject({ status: 'done', sent: RECIPIENTS, expectedEnd: null })
  const moments = office.taken.map(({ at }) => at.getTime())
  expect(mostInAnHour(moments)).toBeLessThanOrEqual(PER_HOUR)
  // nobody got it twice
  expect(new Set(office.taken.map(({ to }) => to)).size).toBe(RECIPIENTS)
  const today = office.taken.filter(({ at }) => new Date(at.getTime() + 8 * HOUR).toISOString().startsWith(day)).length
  expect(today).toBeLessThanOrEqual(500)
  expect(waited).toBe(today === 500)
}, 1_800_000)
