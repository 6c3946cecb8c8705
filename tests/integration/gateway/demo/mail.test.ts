import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHARSETS } from '../../../../gateway/modules/mail/demo/odd'
import { openedParts } from '../../../../gateway/modules/mail/parts'
import { systemContext } from '../../../../gateway/platform/http'
import { attachmentOf, readMail } from '../../../../gateway/platform/mail'
import { DEMO_PASSWORD } from '../../../../gateway/world'
import { startGateway, type TestGateway } from '../../../support/gateway'
import { sheetsOf } from '../../../support/workbook'

let test: TestGateway
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true' } })
}, 240_000)
afterAll(() => test.close())

const rows = async <T extends object>(statement: string, values: unknown[] = []): Promise<T[]> =>
  (await test.gateway.database.query<T>(statement, values)).rows
const one = async (statement: string): Promise<number> => (await rows<{ n: number }>(`select (${statement})::int as n`))[0]!.n

describe('the mail of the demo company', () => {
  it('is 2,500 messages of sixty days in fifteen mailboxes, none of them later than now', async () => {
    expect(await one('select count(*) from mail_message')).toBeGreaterThanOrEqual(2_490)
    expect(await one('select count(*) from mail_message')).toBeLessThanOrEqual(2_515)
    expect(await one(`select count(*) from mail_account where state = 'active'`)).toBe(15)
    expect(await rows(`select kind, count(*)::int as n from mail_account group by kind order by kind`)).toEqual([
      { kind: 'personal', n: 12 },
      { kind: 'shared', n: 2 },
      { kind: 'system', n: 1 },
    ])
    expect(
      await one(`select count(*) from mail_message where receive_time > now() or receive_time < now() - interval '61 days'`),
    ).toBe(0)
    expect(
      await one(`select count(*) from mail_message m join mail_folder f on f.id = m.folder_id where f.role = 'junk'`),
    ).toBeGreaterThanOrEqual(40)
    expect(await one(`select count(*) from mail_message where has_attachment`)).toBeGreaterThanOrEqual(200)
    expect(await rows(`select state, count(*)::int as n from mail_outgoing group by state order by state`)).toEqual([
      { state: 'failed', n: 2 },
      { state: 'scheduled', n: 1 },
    ])
    expect(await one('select count(*) from mail_draft')).toBe(3)
  })

  it('says what its quotes and bills say', async () => {
    expect(
      await one(`select count(*) from qm_quote_mail q left join mail_message m on m.id = q.mailbox_message_id
        where m.id is null or m.subject <> q.subject or m.receive_time <> q.at or q.customer_id is not null and m.customer_id <> q.customer_id`),
    ).toBe(0)
    expect(await one('select count(*) from qm_quote_mail where mailbox_message_id is not null')).toBeGreaterThan(20)
    const unsaid = await rows(
      `select b.code from fin_bill b where b.sent_at is not null and not exists (
         select from mail_message m where m.direction = 'out' and m.customer_id = b.customer_id and m.receive_time = b.sent_at and m.subject like '%' || b.code
           and m.text_body like '%' || b.total::text || '%' and m.receiver_email_list -> 0 ->> 'email' = b.sent_to)`,
    )
    expect(unsaid).toEqual([])
    expect(await one('select count(*) from fin_bill where sent_at is not null')).toBeGreaterThan(20)
  })

  it('is of people whom the company knows, from when it knows them', async () => {
    expect(
      await one(`select count(*) from mail_message m join crm_contact c on c.id = m.contact_id where c.customer_id <> m.customer_id
        or lower(c.email) not in (select lower(e ->> 'email') from jsonb_array_elements(m.receiver_email_list) e union select lower(m.sender_email))`),
    ).toBe(0)
    expect(
      await one(
        `select count(*) from mail_message m join crm_customer c on c.id = m.customer_id where m.receive_time < c.created_at`,
      ),
    ).toBe(0)
  })

  it('has every message as bytes that say what its row says', async () => {
    const { raw } = openedParts(test.gateway.engine)
    const messages = await rows<Record<string, unknown> & { rawHash: string; size: number; attachments: object[] }>(
      `select subject, sender_email as "senderEmail", message_id as "messageId", in_reply_to as "inReplyTo", text_body as "textBody", raw_hash as "rawHash", size::int as size,
         coalesce(attachments, '[]') as attachments, charset_guessed as "charsetGuessed" from mail_message order by md5(id) limit 150`,
    )
    for (const { rawHash, size, attachments, ...row } of messages) {
      const bytes = await raw.read(rawHash)
      expect(bytes.length).toBe(size)
      const { text, sender, ...mail } = await readMail(bytes)
      const { subject, messageId, inReplyTo, charsetGuessed } = mail
      expect({ subject, messageId, inReplyTo, charsetGuessed, senderEmail: sender.email, textBody: text.trim() }).toEqual({
        ...row,
        textBody: String(row['textBody']).trim(),
      })
      expect(mail.attachments.map(({ name, size: bytesOf }) => [name, bytesOf])).toEqual(
        (attachments as { name: string; size: number }[]).map(({ name, size: bytesOf }) => [name, bytesOf]),
      )
    }
  })

  it('comes in twelve charsets and is read right', async () => {
    const found = await rows<{ text: string }>(
      `select text_body as text from mail_message where subject like 'Charset %' order by receive_time desc`,
    )
    expect(found.map(({ text }) => text.trim())).toEqual(CHARSETS.map(([, , text]) => text))
  })
})

describe('a bill', () => {
  interface Sent {
    id: string
    code: string
    sentAt: string | null
    sentTo: string | null
    lastError: string | null
    mailingSince: string | null
  }
  const bill = async (condition: string): Promise<Sent> =>
    (
      await rows<Sent>(
        `select id, code, sent_at as "sentAt", sent_to as "sentTo", last_error as "lastError", mailing_since as "mailingSince" from fin_bill
         where side = 'customer' and status in ('issued', 'partPaid', 'paid') and ${condition} order by code desc limit 1`,
      )
    )[0]!
  const send = async (id: string, to: string): Promise<void> => {
    const { engine } = test.gateway
    await engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
      entities.transition('fin.bill', id, 'send', { to }),
    )
    await expect
      .poll(
        async () => {
          const { sentAt, lastError } = await bill(`id = '${id}'`)
          return sentAt ?? lastError
        },
        { timeout: 30_000, interval: 200 },
      )
      .not.toBeNull()
  }

  it('is sent by mail once: when it left and to whom is a fact, and it has arrived', async () => {
    const { id, code } = await bill('sent_at is null')
    const to = 'zhiqiang.xu.6@switchboard.example'
    await send(id, to)
    expect(await bill(`id = '${id}'`)).toMatchObject({ sentTo: to, lastError: null, mailingSince: null })
    const arrived = await rows<{ sender: string; address: string }>(
      `select m.sender_email as sender, a.address from mail_message m join mail_account a on a.id = m.account_id
       where m.direction = 'in' and m.subject = $1`,
      [`账单 Bill ${code}`],
    )
    expect(arrived).toEqual([{ sender: 'quotes@cloudbridge.example', address: to }])
  })
})

describe('a quote', () => {
  interface QuoteMail extends Record<'lastError' | 'bounceReason' | 'mailboxMessageId' | 'mailFrom', string | null> {
    status: string
  }
  const mailOf = async (sheetId: string): Promise<QuoteMail | undefined> =>
    (
      await rows<QuoteMail>(
        `select status, last_error as "lastError", bounce_reason as "bounceReason", mailbox_message_id as "mailboxMessageId", mail_from as "mailFrom" from qm_quote_mail
         where sheet_id = $1 order by created_at desc limit 1`,
        [sheetId],
      )
    )[0]
  /** A sheet of a customer of somebody who sells and has a mailbox, and what it takes to send it. */
  const seller = async () => {
    const [sheet] = await rows<{ id: string; code: string; lines: number; number: string; address: string; staffId: string }>(
      `select s.id, s.code, p.job_number as number, p.id as "staffId", a.address, (select count(*)::int from qm_rate_sheet_line l where l.sheet_id = s.id and l.hidden is not true) as lines
       from qm_rate_sheet s join crm_customer c on c.id = s.customer_id join sys_staff p on p.id = c.owner_id join mail_account a on a.owner_id = p.id and a.kind = 'personal'
       where s.status = 'sent' and s.direction = 'customer' and s.line_count > 2 order by s.code desc limit 1`,
    )
    const caller = await test.signIn(sheet!.number, DEMO_PASSWORD)
    const send = async (to: string): Promise<QuoteMail> => {
      const asked = { ids: [sheet!.id], transition: 'mail', values: { to } }
      expect((await caller.post('/v2/qm/rateSheet/stateUpdate', asked)).code).toBe(0)
      await expect.poll(async () => (await mailOf(sheet!.id))?.status, { timeout: 30_000, interval: 200 }).not.toBe('sending')
      return (await mailOf(sheet!.id))!
    }
    return { sheet: sheet!, caller, send }
  }

  it('goes from the mailbox of who sends it, with its prices and without their cost, and names the mail that it became', async () => {
    const { sheet, send } = await seller()
    const to = (
      await rows<{ address: string }>(`select address from mail_account where kind = 'shared' order by address limit 1`)
    )[0]!.address
    const mail = await send(to)
    expect(mail).toMatchObject({ status: 'sent', lastError: null, mailFrom: sheet.address })
    const [copy] = await rows<{ hash: string; folder: string }>(
      'select m.raw_hash as hash, f.role as folder from mail_message m join mail_folder f on f.id = m.folder_id where m.id = $1',
      [mail.mailboxMessageId],
    )
    expect(copy!.folder).toBe('sent')
    const raw = await openedParts(test.gateway.engine).raw.read(copy!.hash)
    const read = await readMail(raw)
    expect([read.sender.email, read.to.map(({ email }) => email)]).toEqual([sheet.address, [to]])
    const [attached] = read.attachments
    expect(attached!.name).toBe(`${sheet.code}.xlsx`)
    const file = await attachmentOf(raw, attached!.index)
    const [titles, ...lines] = sheetsOf(file!.content)[0]!.rows
    expect(lines).toHaveLength(sheet.lines)
    expect(titles!.join()).toMatch(/Price|单价/)
    expect(titles!.join()).not.toMatch(/Cost|Margin|成本|毛利/)
  })

  it('that came back is a bounce, with the reason, and something to do for who sent it', async () => {
    const { sheet } = await seller()
    const { mailboxMessageId: id } = (await mailOf(sheet.id))!
    const now = test.clock.now()
    await test.gateway.engine.transaction(systemContext({ now }), (entities) =>
      entities.transition('mail.message', id!, 'returned', { bounceReason: '550 5.1.1 no such user' }),
    )
    expect(await mailOf(sheet.id)).toMatchObject({ status: 'bounced', bounceReason: '550 5.1.1 no such user' })
  })

  it('that cannot be sent says so to its sender at once, with the reason and what to do', async () => {
    const { sheet, send } = await seller()
    const mail = await send('rates@nowhere.example')
    expect(mail.status).toBe('failed')
    expect(mail.lastError).toContain('rates@nowhere.example is not connected')
    const [told] = await rows<{ title: string; text: string; link: string }>(
      `select title_en as title, text_en as text, link from sys_message where receiver_id = $1 and title_en like 'The quote was not sent%' order by created_at desc limit 1`,
      [sheet.staffId],
    )
    expect(told!.text).toMatch(/nowhere\.example is not connected.*send it again from the sheet/s)
    expect(told!.link).toContain(sheet.id)
  })
})
