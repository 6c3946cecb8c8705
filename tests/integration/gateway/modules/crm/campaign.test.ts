import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressesFor } from '../../../../../gateway/modules/crm/campaigns/addresses'
import { headersOf } from '../../../../../gateway/modules/crm/campaigns/letter'
import { systemContext } from '../../../../../gateway/platform/http'
import { PICTURE_AGENT } from '../../../../../gateway/platform/outside'
import { linksOf } from '../../../../../gateway/platform/mail'
import { CampaignOffice, type Person } from './campaignOffice'
import { answerTo, bounceOf, complaintOf, receiveAt } from './campaignReturns'

let office: CampaignOffice
beforeAll(async () => {
  office = await CampaignOffice.open()
  await office.customers('wang', PEOPLE)
  await office.customers('li', [{ id: 'lis' }])
})
afterAll(() => office.close())

const PEOPLE: Person[] = [
  { id: 'anna', name: 'Anna <b>', country: 'DE', level: 'a' },
  { id: 'bao', name: '包小姐', company: '星河通信', country: 'CN', level: 'a' },
  { id: 'chen', country: 'SG' },
  { id: 'left', unsubscribed: true },
  { id: 'dead', bounces: 1 },
  { id: 'debt', blacklisted: true },
  { id: 'twin', email: 'anna@client.example' },
  { id: 'odd', email: 'not an address' },
]

interface Reached {
  total: number
  skipped: Record<string, number>
  sample: { name: string }[]
  tracked: boolean
  missing: { variable: string; readers: number }[]
  sender: { dailyLimit: number; share: number } | null
  expectedEnd: string | null
}
const reach = (name: string, values: Record<string, unknown>): Promise<Reached> =>
  office.done(name, '/v2/crm/mailCampaign/audience', { values: { senderId: office.mailbox, ...values } })
const MINE = { audienceKind: 'customers', audienceOwner: 'mine' }

describe('whom a campaign reaches', () => {
  it('M13 counts who gets it and who is passed over for which reason, in the caller’s row scope', async () => {
    expect(await reach('wang', MINE)).toMatchObject({
      total: 3,
      skipped: { unsubscribed: 1, invalid: 2, blacklisted: 1, duplicate: 1 },
      tracked: true,
      sender: { dailyLimit: 6_000, share: 4_800 },
    })
    expect(await reach('wang', { ...MINE, audienceOwner: 'visible', countries: ['CN', 'SG'] })).toMatchObject({ total: 2 })
    expect(await reach('wang', { ...MINE, levels: ['a'], roles: ['business'] })).toMatchObject({ total: 2 })
    // what is seen of others is theirs; a mailbox of others is none
    const others = await reach('li', { ...MINE, audienceOwner: 'visible' })
    expect([others.total, others.sample.map(({ name }) => name), others.sender]).toEqual([1, ['Person lis'], null])
  })

  it('typed addresses are read as they are written; what contacts said holds for them too', async () => {
    const addresses = 'Zoe, Z <zoe@else.example>; left@client.example\nzoe@else.example，wrong@'
    expect(await reach('wang', { audienceKind: 'addresses', addresses })).toMatchObject({
      total: 1,
      skipped: { unsubscribed: 1, duplicate: 1, invalid: 1 },
    })
    const values = { audienceKind: 'addresses', addresses: 'x@else.example', subject: 'Hi {{contact.name}}', body: 'x' }
    expect((await reach('wang', values)).missing).toMatchObject([{ variable: 'contact.name', readers: 1 }])
    expect((await reach('wang', { ...values, contactFallback: 'you' })).missing).toEqual([])
  })

  it('without the right nobody asks, previews or sends', async () => {
    await office.gateway.addStaff({ id: 'guest', jobNumber: 'C0009', name: 'guest', menus: ['crm:sendList'] })
    const guest = await office.gateway.signIn('C0009')
    for (const path of ['audience', 'preview', 'test'])
      expect((await guest.post(`/v2/crm/mailCampaign/${path}`, { values: MINE })).code).toBe(10010003)
    expect((await guest.post('/v2/crm/mailCampaign/save', { name: 'x' })).code).toBe(10010003)
  })

  it('is previewed in both languages, values in place and markup of names as text', async () => {
    const values = {
      ...{ ...MINE, senderId: office.mailbox, subject: '您好 {{contact.name}}', body: '<p>{{customer.name}}</p>' },
      ...{ subjectEn: 'Dear {{contact.name}}', bodyEn: '<p>For {{contact.name}}</p><script>alert(1)</script>' },
    }
    const zh = await office.done<{ subject: string; html: string }>('wang', '/v2/crm/mailCampaign/preview', {
      values,
      locale: 'zh',
    })
    expect(zh.subject).toBe('您好 包小姐')
    expect(zh.html).toMatch(/星河通信[\s\S]*退订/u)
    const en = await office.done<{ subject: string; html: string }>('wang', '/v2/crm/mailCampaign/preview', {
      values,
      locale: 'en',
    })
    expect(en.subject).toBe('Dear Anna <b>')
    expect(en.html).toMatch(/For Anna &lt;b&gt;[\s\S]*Unsubscribe/u)
    expect(en.html).not.toContain('script')
  })

  it('a test goes to the writer alone, in each language, with no address of a recipient in it', async () => {
    const values = {
      ...MINE,
      senderId: office.mailbox,
      subject: '你好',
      body: '<p>正文</p>',
      subjectEn: 'Hello',
      bodyEn: '<p>Text</p>',
    }
    expect(await office.done('wang', '/v2/crm/mailCampaign/test', { values })).toEqual({
      to: 'wang@switchboard.example',
      mails: 2,
    })
    await office.later()
    const tests = office.taken.splice(0)
    expect(tests.map(({ to }) => to)).toEqual(['wang@switchboard.example', 'wang@switchboard.example'])
    expect(tests.some(({ raw }) => raw.includes('/v2/crm/mail/'))).toBe(false)
    expect((await office.post('li', '/v2/crm/mailCampaign/test', { values })).code).toBe(10010007)
  })
})

describe('a campaign that is sent', () => {
  let id: string
  let unsubscribe: string
  let recipients: Record<string, Record<string, unknown>>
  const recipient = (email: string) => recipients[email]!
  const load = async (): Promise<void> => {
    const rows = await office.rows('wang', 'mailRecipient', id)
    recipients = Object.fromEntries(rows.map((row) => [String(row.email), row]))
  }

  it('M13 freezes its recipients and the reasons of the others; nobody else sends or sees it', async () => {
    const values = {
      name: 'x',
      senderId: office.mailbox,
      subject: 'x',
      body: '<p>{{customer.slogan}}</p>',
      audienceKind: 'customers',
    }
    const unknown = await office.post('wang', '/v2/crm/mailCampaign/save', values)
    expect([unknown.code, unknown.text.includes('customer.slogan')]).toEqual([10010005, true])
    id = await office.draft('wang')
    expect((await office.who('li').get(`/v2/crm/mailCampaign/view/${id}`)).code).toBe(10010004)
    expect((await office.move('li', id, 'send')).code).not.toBe(0)
    await office.send('wang', id)
    expect(await office.campaign('wang', id)).toMatchObject({ status: 'scheduled', total: 3, skipped: 5, tracked: true })
    expect((await office.post('wang', '/v2/crm/mailCampaign/save', { id, subject: 'Other' })).code).not.toBe(0)
    expect((await office.rows('li', 'mailRecipient', id)).length).toBe(0)
    await office.later()
    await office.later()
    expect(office.taken.map(({ to }) => to).sort()).toEqual(['anna@client.example', 'bao@client.example', 'chen@client.example'])
    await office.later()
    expect(await office.campaign('wang', id)).toMatchObject({ status: 'done', sent: 3, delivered: 0 })
  })

  it('each mail has its own values, return path, and headers to unsubscribe by one click (RFC 8058)', async () => {
    const mail = await office.mailTo('anna@client.example')
    expect([mail.subject, mail.sender.email]).toEqual(['Hello Anna <b>', 'wang@sender.example'])
    expect(mail.html).toContain('Dear Anna &lt;b&gt; of Company anna')
    expect(mail.from).toMatch(/^wang\+b-[0-9a-v]{20}@sender\.example$/u)
    const head = mail.raw.slice(0, mail.raw.indexOf('\r\n\r\n')).replace(/\r\n\s+/gu, ' ')
    expect(head).toMatch(/^Precedence: bulk$/imu)
    expect(head).toMatch(/^Auto-Submitted: auto-generated$/imu)
    unsubscribe = /^List-Unsubscribe: <(http:[^>]+)>, <mailto:/imu.exec(head)![1]!
    expect(mail.html).toContain(unsubscribe)
    // one click is for addresses over https only
    const addresses = addressesFor('https://portal.example', 'key', '0'.repeat(20))
    expect(headersOf({ addresses, replyTo: 'wang@sender.example' })).toMatchObject({
      'List-Unsubscribe': expect.stringMatching(/^<https:\/\/portal\.example\/v2\/crm\/mail\/unsubscribe\//u) as string,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
  })

  it('M14 an opening counts once a person; what is loaded ahead or by ourselves does not', async () => {
    const pixel = /<img [^>]*src="([^"]+\/open\/[^"]+)"/u.exec((await office.mailTo('anna@client.example')).html ?? '')![1]!
    const load1 = (headers: Record<string, string>) => office.ask(pixel, { headers })
    const ahead: Record<string, string>[] = [
      { 'sec-purpose': 'prefetch' },
      { purpose: 'preview' },
      { 'user-agent': PICTURE_AGENT },
    ]
    for (const headers of ahead) expect((await load1(headers)).headers.get('content-type')).toBe('image/gif')
    expect((await office.campaign('wang', id)).opened).toBe(0)
    await load1({ 'user-agent': 'Outlook' })
    await load1({ 'user-agent': 'Outlook' })
    await office.ask(`${pixel.slice(0, -1)}${pixel.endsWith('A') ? 'B' : 'A'}`)
    expect(await office.campaign('wang', id)).toMatchObject({ opened: 1, delivered: 1, openRate: '100' })
  })

  it('a click leads to where the campaign says, and nowhere else', async () => {
    const html = (await office.mailTo('bao@client.example')).html ?? ''
    const [click] = linksOf(html).filter(({ href }) => href.includes('/click/'))
    const answer = await office.ask(click!.href)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://switchboard.example/rates?a=1&b=2'])
    await office.ask(click!.href)
    for (const forged of [
      click!.href.replace('/0/', '/1/'),
      click!.href.replace(/.{22}$/u, 'A'.repeat(22)),
      `${click!.href}?url=https://evil.example`,
    ]) {
      const { status, headers } = await office.ask(forged)
      expect(status === 404 || headers.get('location') === 'https://switchboard.example/rates?a=1&b=2').toBe(true)
      if (!forged.includes('?')) expect(status).toBe(404)
    }
    expect(await office.campaign('wang', id)).toMatchObject({ clicked: 1, opened: 1 })
    const [link] = await office.rows('wang', 'mailLink', id)
    expect(link).toMatchObject({ people: 1, clicks: 3 })
  })

  it('M13 one click unsubscribes without signing in, for the contact and every later campaign; whoever wishes comes back', async () => {
    const asked = await office.ask(unsubscribe)
    expect(await asked.text()).toContain('anna@client.example')
    expect((await office.campaign('wang', id)).unsubscribed).toBe(0)
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await office.ask(unsubscribe, { method: 'POST', body })).status).toBe(200)
    await office.ask(unsubscribe, { method: 'POST', body })
    expect((await office.campaign('wang', id)).unsubscribed).toBe(1)
    expect((await office.view<Record<string, unknown>>('wang', 'contact', 'co-anna')).record.unsubscribedAt).not.toBeNull()
    expect((await reach('wang', { audienceKind: 'addresses', addresses: 'anna@client.example' })).skipped).toEqual({
      unsubscribed: 1,
    })
    await office.ask(unsubscribe, { method: 'POST', body: new URLSearchParams({ wish: 'subscribe' }) })
    expect((await reach('wang', { audienceKind: 'addresses', addresses: 'anna@client.example' })).total).toBe(1)
    const wrong = await office.ask(unsubscribe.replace(/.{22}$/u, 'B'.repeat(22)), { method: 'POST', body })
    expect(wrong.status).toBe(404)
  })

  it('a bounce is known by its return path, counts at the contact and makes the address invalid; an answer is no bounce', async () => {
    const chen = await office.mailTo('chen@client.example')
    await receiveAt(office, bounceOf(chen.from, 'chen@client.example').raw)
    await load()
    expect(recipient('chen@client.example')).toMatchObject({
      status: 'bounced',
      bounceReason: expect.stringContaining('5.1.1') as string,
    })
    expect((await office.view<Record<string, unknown>>('wang', 'contact', 'co-chen')).record.bounceCount).toBe(1)
    expect((await reach('wang', { audienceKind: 'addresses', addresses: 'chen@client.example' })).skipped).toEqual({ invalid: 1 })
    const bao = await office.mailTo('bao@client.example')
    await receiveAt(office, answerTo(bao.messageId!, 'bao@client.example'))
    expect(await office.campaign('wang', id)).toMatchObject({ bounced: 1, replied: 1 })
  })

  it('a complaint of a provider (RFC 5965) unsubscribes whoever complained, for every later campaign', async () => {
    const bao = await office.mailTo('bao@client.example')
    await receiveAt(office, complaintOf(bao.messageId!))
    expect(await office.campaign('wang', id)).toMatchObject({ complained: 1, replied: 1 })
    const typed = { audienceKind: 'addresses', addresses: 'bao@client.example' }
    expect((await reach('wang', typed)).skipped).toEqual({ unsubscribed: 1 })
  })

  it('M13 who answered or opened is left out of the next one to non-openers', async () => {
    expect((await office.move('wang', id, 'again')).code).toBe(0)
    expect(await reach('wang', { audienceKind: 'nonOpeners', sourceId: id })).toMatchObject({ total: 0, skipped: {} })
    // of others nobody is told
    expect(await reach('li', { audienceKind: 'nonOpeners', sourceId: id })).toMatchObject({ total: 0, skipped: {} })
  })

  it('an opportunity within 90 days of a click is a result of it', async () => {
    const of = async (name: string) =>
      (
        await office.done<{ total: number }>(name, '/v2/crm/opportunity/queryPage', {
          where: [{ field: 'afterCampaign', operator: 'eq', value: id }],
        })
      ).total
    expect(await of('wang')).toBe(0)
    await office.opportunity('wang', 'cu-bao')
    await office.opportunity('wang', 'cu-chen')
    expect([await of('wang'), await of('li')]).toEqual([1, 0])
    const started = { where: [{ field: 'startedAfterCampaign', operator: 'eq', value: id }] }
    expect((await office.done<{ total: number }>('wang', '/v2/crm/customer/queryPage', started)).total).toBe(0)
  })
})

describe('the mailbox of somebody who leaves', () => {
  it('goes with the customers whom it wrote with, to whoever has them now', async () => {
    const { database, engine, clock } = { ...office.gateway.gateway, clock: office.gateway.clock }
    await database.query(`update crm_customer set owner_id = 'li' where id = 'cu-bao'`)
    await engine.transaction(systemContext({ now: clock.now() }), (entities) => entities.transition('sys.staff', 'wang', 'leave'))
    const { rows } = await database.query(
      `select a.kind, a.owner_id as owner, a.state, m.staff_id as member, m."right" from mail_account a join mail_account_staff m on m.account_id = a.id and m.deleted_at is null
       where a.id = $1`,
      [office.mailbox],
    )
    expect(rows).toEqual([{ kind: 'shared', owner: null, state: 'active', member: 'li', right: 'manage' }])
  })
})
