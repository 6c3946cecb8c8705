import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway } from '../../../../support/gateway'
import { letter } from '../../../../support/scriptedImap'
import { KilledOffice, LOCAL, PATIENCE } from './killed'

let office: KilledOffice
beforeAll(async () => {
  office = await KilledOffice.open()
})
afterAll(() => office?.close())

const hand = (subject: string): Promise<unknown> =>
  createTransport({ host: '127.0.0.1', port: office.smtpPort, ignoreTLS: true }).sendMail({
    ...{ from: 'kunde@c.io', to: LOCAL, subject, text: 'Hello', messageId: `<${subject}@c.io>`, date: new Date('2026-01-01') },
  })

describe('a gateway that is killed (M12)', () => {
  it('loses nothing and does nothing twice, wherever it was: what nobody knows is asked', async () => {
    const { smtp, imap, holder, filed } = office
    // a mail that it has claimed: the server never takes an envelope of it
    smtp.rule = (line) => (/^RCPT TO:<claimed@/iu.test(line) ? null : undefined)
    // handed over, without an answer; or with one that the gateway hears, and cannot write down while the row is held
    smtp.verdict = () => null
    const subjects = ['claimed', 'data', 'data filed', 'accepted', 'accepted filed']
    filed.add('data filed').add('accepted filed')
    for (const subject of subjects) await office.send(office.foreign, `${subject.split(' ')[0]}@c.io`, subject)
    await expect.poll(() => smtp.handed.length, PATIENCE).toBe(4)
    await expect.poll(async () => Object.values(await office.states()), PATIENCE).toEqual(subjects.map(() => 'sending'))
    await holder.query('begin')
    await holder.query(`select 1 from mail_outgoing where subject like 'accepted%' for update`)
    for (const mail of smtp.handed) if (mail.subject.startsWith('accepted')) mail.answer('250 taken')
    // one that the portal delivers itself, and one that somebody hands it: their inbox is held
    await holder.query(`select 1 from mail_folder where account_id = '${office.local}' for update`)
    await office.send(office.local, LOCAL, 'inside')
    const refused = hand('outside').then(
      () => false,
      () => true,
    )
    // and one of which half the body came
    const answers = imap.rule
    imap.folders[0]!.messages.push(letter('fetched', 'x'.repeat(100_000)))
    const halves: number[] = []
    imap.rule = (command) => {
      if (command.verb !== 'UID FETCH' || !/BODY\.PEEK\[\]/iu.test(command.rest)) return answers(command)
      const raw = imap.folders[0]!.messages[0]!
      command.socket.write(`* 1 FETCH (UID 1 BODY[] {${raw.length}}\r\n${raw.subarray(0, 50_000).toString('latin1')}`)
      halves.push(1)
      return true
    }
    await office.gateway.caller.post('/v2/emailbox/receive/sync', {})
    await expect.poll(() => halves.length, PATIENCE).toBe(1)
    await expect.poll(() => office.waiting(), PATIENCE).toBe(4)
    imap.rule = answers
    smtp.rule = () => undefined
    smtp.verdict = () => '250 taken'
    await office.killAndStart(() => holder.query('rollback'))
    expect(await refused).toBe(true)
    await expect
      .poll(() => office.states(), PATIENCE)
      .toEqual({
        ...{ claimed: 'uncertain', data: 'uncertain', accepted: 'uncertain', inside: 'sent' },
        ...{ 'data filed': 'sent', 'accepted filed': 'sent' },
      })
    await hand('outside')
    await expect.poll(() => office.lying('fetched', 'inbox'), PATIENCE).toBe(1)
    expect(await office.value(`select body_state from mail_message where subject = 'fetched'`)).toBe('whole')
    for (const subject of ['inside', 'outside']) expect([subject, await office.lying(subject, 'inbox')]).toEqual([subject, 1])
    for (const subject of ['inside', 'data filed', 'accepted filed'])
      expect([subject, await office.lying(subject, 'sent')]).toEqual([subject, 1])
    // nothing was handed over again by itself, and a person was asked of each that nobody knows
    expect(smtp.handed.map(({ subject }) => subject).sort()).toEqual(['accepted', 'accepted filed', 'data', 'data filed'])
    expect(await office.value(`select count(*)::int from sys_message where title_en like '%Did this mail arrive%'`)).toBe(3)
  })

  it('is told what became of a doubtful mail: it goes out once more, or never', async () => {
    const { caller } = office.gateway
    const say = async (subject: string, transition: string): Promise<number> => {
      const id = await office.value(`select id from mail_outgoing where subject = '${subject}'`)
      return (await caller.post('/v2/mail/outgoing/stateUpdate', { ids: [id], transition })).code
    }
    office.filed.add('claimed')
    expect([await say('claimed', 'sendAgain'), await say('data', 'arrived'), await say('accepted', 'arrived')]).toEqual([0, 0, 0])
    await expect.poll(async () => (await office.states()).claimed, PATIENCE).toBe('sent')
    const handed = office.smtp.handed.map(({ subject }) => subject)
    expect(handed.sort()).toEqual(['accepted', 'accepted filed', 'claimed', 'data', 'data filed'])
  })

  it('is one of two on one mailbox of which only one syncs; the other takes over within a minute, and nothing is doubled', async () => {
    const { imap, data, database, gateway } = office
    const other = await startGateway({
      folder: data.folder,
      environment: { DATABASE_URL: data.url, JOBS: 'true', MAIL_PRIVATE_HOSTS: '127.0.0.1', MAIL_SMTP_LISTEN: 'off' },
    })
    try {
      const arrives = async (subject: string): Promise<void> => {
        imap.folders[0]!.messages.push(letter(subject))
        await database.query(`notify mail_sync, '${office.foreign}'`)
        await expect.poll(() => office.lying(subject, 'inbox'), PATIENCE).toBe(1)
      }
      await arrives('while both run')
      await expect.poll(() => imap.sockets.size, PATIENCE).toBe(1)
      const ended = gateway.ended()
      gateway.kill()
      await ended
      await expect.poll(() => imap.sockets.size, PATIENCE).toBe(0)
      const left = await office.value(
        `select extract(epoch from sync_until - now())::int from mail_account where id = '${office.foreign}'`,
      )
      expect(Number(left)).toBeLessThanOrEqual(50)
      other.clock.forward(46)
      await expect.poll(() => imap.sockets.size, PATIENCE).toBe(1)
      await arrives('after one died')
      for (const subject of ['fetched', 'while both run', 'after one died'])
        expect([subject, await office.lying(subject, 'inbox')]).toEqual([subject, 1])
      expect(imap.sockets.size).toBe(1)
    } finally {
      await other.close()
    }
  })
})
