import { ImapFlow } from 'imapflow'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ABSENCE_LINE } from '../../../../../gateway/modules/mail/receive/absence'
import { WAKING_LINE } from '../../../../../gateway/modules/mail/send/outgoing'
import { hasDovecot, startDovecot, type Dovecot } from '../../../../support/dovecot'
import { freePort } from '../../../../support/freePort'
import { MailOffice, type Listed } from './office'

const ADDRESS = 'wang@company.example'
const PATIENCE = { timeout: 60_000, interval: 200 }

/** A server that takes mail by SMTP and can be told to refuse or to fall silent. */
class Relay {
  readonly taken: { to: string[]; text: string }[] = []
  refusing: number | null = null
  isSilent = false
  private server: SMTPServer | null = null

  constructor(readonly port: number) {}

  start(): Promise<void> {
    this.server = new SMTPServer({
      ...{ authOptional: true, disabledCommands: ['STARTTLS'], allowInsecureAuth: true, logger: false },
      onAuth: ({ username }, _session, done) => done(null, { user: username }),
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('nobody') ? Object.assign(new Error('5.1.1 no such user'), { responseCode: 550 }) : null),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          if (this.refusing !== null) return done(Object.assign(new Error('not now'), { responseCode: this.refusing }))
          this.taken.push({ to: session.envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString() })
          // the answer never comes: the connection breaks
          if (this.isSilent) return void [...this.server!.connections].forEach((connection) => connection._socket.destroy())
          done()
        })
      },
    })
    return new Promise((resolve) => this.server!.listen(this.port, '127.0.0.1', () => resolve()))
  }

  stop(): Promise<void> {
    return new Promise((resolve) => (this.server ? this.server.close(() => resolve()) : resolve()))
  }
}

describe.skipIf(!hasDovecot())('a mailbox of a server', () => {
  let dovecot: Dovecot
  let relay: Relay
  let office: MailOffice
  let account: string
  beforeAll(async () => {
    dovecot = await startDovecot()
    relay = new Relay(await freePort())
    await relay.start()
    await overImap(async (client) => {
      for (let number = 1; number <= 30; number += 1)
        await client.append(
          'INBOX',
          mail(`Old ${number}`, `<old-${number}@c.io>`),
          number % 2 ? ['\\Seen'] : [],
          new Date('2026-01-01'),
        )
    })
    office = await MailOffice.open({ MAIL_PRIVATE_HOSTS: '127.0.0.1', MAIL_SMTP_LISTEN: 'off', JOBS: 'true' }, ['wang'])
  })
  afterAll(async () => {
    await office.close()
    await relay.stop()
    await dovecot.close()
  })

  const mail = (subject: string, id: string, more = ''): Buffer =>
    Buffer.from(
      `From: Kunde <kunde@c.io>\r\nTo: ${ADDRESS}\r\nSubject: ${subject}\r\nMessage-ID: ${id}\r\nDate: Thu, 01 Jan 2026 00:00:00 +0000\r\n${more}\r\nText of ${subject}\r\n`,
    )
  async function overImap<Result>(work: (client: ImapFlow) => Promise<Result>): Promise<Result> {
    const { port, password } = dovecot
    const client = new ImapFlow({
      host: '127.0.0.1',
      port,
      secure: false,
      doSTARTTLS: false,
      auth: { user: ADDRESS, pass: password },
      logger: false,
    })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.logout()
    }
  }
  const inbox = (filter: Record<string, unknown> = {}): Promise<Listed> =>
    office.done<Listed>('wang', 'receive/query', { page: 1, size: 100, ...filter })
  const settings = () => ({
    ...{ address: ADDRESS, transport: 'imapSmtp', authKind: 'password', login: ADDRESS },
    ...{
      imapHost: '127.0.0.1',
      imapPort: dovecot.port,
      imapSecurity: 'none',
      smtpHost: '127.0.0.1',
      smtpPort: relay.port,
      smtpSecurity: 'none',
    },
  })
  const state = async (): Promise<Record<string, unknown>> =>
    (await office.get<{ accounts: Record<string, unknown>[] }>('wang', 'account/staff/state')).data.accounts[0] ?? {}

  it('says what is wrong with it, and its password is nowhere to be read', async () => {
    account = await office.bind('wang', { ...settings(), secret: 'wrong-battery' })
    await expect.poll(async () => (await state()).state, PATIENCE).toBe('failing')
    expect((await state()).syncError).toContain('The login or the password is wrong.')
    const view = await office.who('wang').get(`/v2/mail/account/view/${account}`)
    const log = await office.who('wang').get(`/v2/mail/account/log/${account}`)
    const { rows } = await office.gateway.gateway.database.query('select data from mail_secret')
    expect(rows).toHaveLength(1)
    for (const text of [view.text, log.text, JSON.stringify(rows), office.gateway.logs.join('')])
      expect(text).not.toContain('wrong-battery')
  })

  it('brings its old mail without telling of it, once the password is right', async () => {
    const { data } = await office.who('wang').get<{ record: { version: number } }>(`/v2/mail/account/view/${account}`)
    const saved = await office
      .who('wang')
      .post('/v2/mail/account/save', { id: account, version: data.record.version, secret: dovecot.password })
    expect(saved.code).toBe(0)
    await expect.poll(async () => (await state()).state, PATIENCE).toBe('active')
    await expect.poll(async () => (await inbox()).total, PATIENCE).toBe(30)
    expect((await office.done<{ receiveUnReadNum: number }>('wang', 'message/non/read')).receiveUnReadNum).toBe(15)
    const messages = await office
      .who('wang')
      .post<{ total: number }>('/v2/mail/log/queryPage', { where: [{ field: 'action', operator: 'eq', value: 'received' }] })
    expect(messages.data.total).toBe(0)
  })

  it('has bodies of old mail when it is opened', async () => {
    const [first] = (await inbox({ keyword: 'Old' })).list
    const detail = await office.done<{ content: string }>('wang', 'email/detail', { messageId: first!.id })
    expect(detail.content).toContain('Text of Old')
    expect(await office.done('wang', 'receive/query', { page: 1, size: 1, keyword: 'Old' })).toMatchObject({ searching: true })
  })

  it('brings new mail at once, with flags both ways', async () => {
    await overImap((client) => client.append('INBOX', mail('Fresh', '<fresh@c.io>'), []))
    await expect.poll(async () => (await inbox({ keyword: 'Fresh' })).total, PATIENCE).toBe(1)
    const [fresh] = (await inbox({ keyword: 'Fresh' })).list
    await office.done('wang', 'receive/mark', { messageIds: [fresh!.id], seen: true, starred: true })
    const flags = (): Promise<string[]> =>
      overImap(async (client) => {
        const lock = await client.getMailboxLock('INBOX')
        try {
          const found = await client.search({ header: { 'message-id': '<fresh@c.io>' } }, { uid: true })
          const message = Array.isArray(found) ? await client.fetchOne(String(found[0]), { flags: true }, { uid: true }) : false
          return message === false ? [] : [...(message.flags ?? [])].filter((flag) => flag !== '\\Recent').sort()
        } finally {
          lock.release()
        }
      })
    await expect.poll(flags, PATIENCE).toEqual(['\\Flagged', '\\Seen'])
    await overImap(async (client) => {
      const lock = await client.getMailboxLock('INBOX')
      const found = await client.search({ header: { 'message-id': '<fresh@c.io>' } }, { uid: true })
      if (Array.isArray(found)) await client.messageFlagsRemove(found, ['\\Flagged'], { uid: true })
      lock.release()
    })
    await expect.poll(async () => (await inbox({ keyword: 'Fresh' })).list[0]?.starred, PATIENCE).toBe(false)
    const snoozedUntil = new Date(office.gateway.clock.now().getTime() + 5_000).toISOString()
    await office.done('wang', 'receive/mark', { messageIds: [fresh!.id], snoozedUntil })
    await office.later(6, [WAKING_LINE])
    await expect.poll(flags, PATIENCE).toEqual([])
  })

  it('keeps a message that was moved elsewhere as the same row, and lets go of what is gone', async () => {
    const [fresh] = (await inbox({ keyword: 'Fresh' })).list
    const on = async (work: (client: ImapFlow, uids: number[]) => Promise<unknown>, id: string): Promise<void> =>
      overImap(async (client) => {
        const lock = await client.getMailboxLock('INBOX')
        const found = await client.search({ header: { 'message-id': id } }, { uid: true })
        if (Array.isArray(found)) await work(client, found)
        lock.release()
      })
    await on((client, uids) => client.messageDelete(uids, { uid: true }), '<old-1@c.io>')
    await expect
      .poll(
        async () =>
          (await inbox({ keyword: '"Old 1"'.replaceAll('"', '') })).list.filter(({ subject }) => subject === 'Old 1').length,
        PATIENCE,
      )
      .toBe(0)
    await office.done('wang', 'junk/move', { messageIds: [fresh!.id], to: 'junk' })
    expect(await office.newest('wang', 'junk')).toMatchObject({ id: fresh!.id, emailType: '3' })
    await expect
      .poll(
        () =>
          overImap(async (client) => {
            const lock = await client.getMailboxLock('Junk')
            const found = await client.search({ header: { 'message-id': '<fresh@c.io>' } }, { uid: true })
            lock.release()
            return Array.isArray(found) ? found.length : -1
          }),
        PATIENCE,
      )
      .toBe(1)
    expect((await office.done<Listed>('wang', 'junk/query', { page: 1, size: 20 })).list.map(({ id }) => id)).toEqual([fresh!.id])
  })

  it('finds its mail again when the server numbers it anew: the same rows, marks and read states (UIDVALIDITY)', async () => {
    const before = (await inbox()).list.map(({ id, subject, seen }) => ({ id, subject, seen }))
    await office.done('wang', 'receive/mark', { messageIds: [before[0]!.id], starred: true })
    await overImap(async (client) => {
      const lock = await client.getMailboxLock('INBOX')
      const kept: { source: Buffer; flags: string[]; at: Date }[] = []
      for await (const { source, flags, internalDate } of client.fetch(
        '1:*',
        { source: true, flags: true, internalDate: true },
        { uid: true },
      ))
        kept.push({
          source: source!,
          flags: [...(flags ?? [])].filter((flag) => flag !== '\\Recent'),
          at: new Date(internalDate ?? 0),
        })
      lock.release()
      await client.mailboxCreate('Other')
      for (const { source, flags, at } of kept) await client.append('Other', source, flags, at)
    })
    const { database } = office.gateway.gateway
    await database.query(`update mail_folder set uid_validity = '1' where account_id = $1 and role = 'inbox'`, [account])
    await office.done('wang', 'receive/sync', {})
    await expect
      .poll(
        async () =>
          (
            await database.query(`select 1 from mail_folder where account_id = $1 and role = 'inbox' and uid_validity <> '1'`, [
              account,
            ])
          ).rowCount,
        PATIENCE,
      )
      .toBe(1)
    const after = (await inbox()).list.map(({ id, subject, seen }) => ({ id, subject, seen }))
    expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort())
    expect((await inbox({ starred: true, accountIds: [account] })).list.map(({ id }) => id)).toContain(before[0]!.id)
  })

  it('sends over its server and files it in Sent, once; refused recipients are told one by one', async () => {
    await office.send('wang', account, ['kunde@c.io', 'nobody@c.io'], { subject: 'Offer' })
    await office.later()
    expect(relay.taken).toMatchObject([{ to: ['kunde@c.io'] }])
    expect(await office.newest('wang', 'send')).toMatchObject({ subject: 'Offer', direction: 'out' })
    const { data } = await office.who('wang').post<{ records: Record<string, unknown>[] }>('/v2/mail/outgoing/queryPage', {})
    expect(data.records[0]).toMatchObject({ state: 'sent', refused: [{ email: 'nobody@c.io' }] })
    const filed = (): Promise<number> =>
      overImap(async (client) => {
        const lock = await client.getMailboxLock('Sent')
        const found = await client.search({ subject: 'Offer' }, { uid: true })
        lock.release()
        return Array.isArray(found) ? found.length : -1
      })
    await expect.poll(filed, PATIENCE).toBe(1)
    await office.done('wang', 'receive/sync', {})
    await expect
      .poll(
        async () => (await office.done<Listed>('wang', 'send/query', { page: 1, size: 20, keyword: 'Offer' })).total,
        PATIENCE,
      )
      .toBe(1)
  })

  it('answers for whoever is away: a person, once; no newsletter', async () => {
    const at = office.gateway.clock.now()
    const day = at.toISOString().slice(0, 10)
    const { data } = await office.who('wang').get<{ record: { version: number } }>(`/v2/mail/account/view/${account}`)
    const away = {
      absentFrom: day,
      absentUntil: new Date(at.getTime() + 86_400_000).toISOString().slice(0, 10),
      absentText: '周一返回',
    }
    const saved = await office.who('wang').post('/v2/mail/account/save', { id: account, version: data.record.version, ...away })
    expect([saved.code, saved.msg]).toEqual([0, 'OK'])
    relay.taken.length = 0
    await overImap(async (client) => {
      await client.append('INBOX', mail('Weekly', '<weekly@c.io>', 'List-Unsubscribe: <mailto:off@c.io>\r\n'), [], at)
      for (const id of ['<ask-1@c.io>', '<ask-2@c.io>']) await client.append('INBOX', mail('Ask', id), [], at)
    })
    await expect.poll(async () => (await inbox({ keyword: 'Ask' })).total, PATIENCE).toBe(2)
    await office.later(1, [ABSENCE_LINE])
    await office.later(1)
    expect(relay.taken).toMatchObject([{ to: ['kunde@c.io'] }])
    const text = relay.taken[0]?.text ?? ''
    for (const header of [/^In-Reply-To: <ask-[12]@c\.io>/mu, /^Auto-Submitted: auto-replied/mu]) expect(text).toMatch(header)
    const now = await office.who('wang').get<{ record: { version: number } }>(`/v2/mail/account/view/${account}`)
    const ended = { id: account, version: now.data.record.version, absentFrom: null, absentUntil: null }
    expect((await office.who('wang').post('/v2/mail/account/save', ended)).code).toBe(0)
    relay.taken.length = 0
  })

  it('tries again what is refused for now, gives up what is refused for good, and asks a person where nobody knows', async () => {
    const states = async (): Promise<Record<string, unknown>> => {
      const { data } = await office
        .who('wang')
        .post<{ records: { subject: string; state: string }[] }>('/v2/mail/outgoing/queryPage', {})
      return Object.fromEntries(data.records.map(({ subject, state: is }) => [subject, is]))
    }
    relay.refusing = 451
    await office.send('wang', account, ['kunde@c.io'], { subject: 'Later' })
    await office.later()
    expect((await states()).Later).toBe('queued')
    relay.refusing = null
    await office.later(61)
    expect((await states()).Later).toBe('sent')
    relay.refusing = 554
    await office.send('wang', account, ['kunde@c.io'], { subject: 'Never' })
    await office.later()
    expect((await states()).Never).toBe('failed')
    relay.refusing = null
    relay.isSilent = true
    await office.send('wang', account, ['kunde@c.io'], { subject: 'Doubt' })
    await office.later()
    expect((await states()).Doubt).toBe('uncertain')
    relay.isSilent = false
    const taken = relay.taken.length
    await office.later(3_600)
    expect([relay.taken.length, (await states()).Doubt]).toEqual([taken, 'uncertain'])
    const { data } = await office.who('wang').post<{ records: { id: string }[] }>('/v2/mail/outgoing/queryPage', {
      where: [{ field: 'state', operator: 'eq', value: 'uncertain' }],
    })
    const again = await office
      .who('wang')
      .post('/v2/mail/outgoing/stateUpdate', { ids: [data.records[0]!.id], transition: 'arrived' })
    expect([again.code, (await states()).Doubt]).toEqual([0, 'sent'])
  })

  it('goes to no inner host that nobody allowed', async () => {
    const inner = await office.who('wang').post<{ id: string }>('/v2/mail/account/save', {
      ...settings(),
      ...{ address: 'other@company.example', displayName: 'x', kind: 'personal', imapHost: 'localhost', secret: 'x' },
    })
    expect(inner.code).toBe(0)
    const stateOf = async (): Promise<string> => {
      const { data } = await office.get<{ accounts: { address: string; syncError: string | null }[] }>(
        'wang',
        'account/staff/state',
      )
      return data.accounts.find(({ address }) => address === 'other@company.example')?.syncError ?? ''
    }
    await expect.poll(stateOf, PATIENCE).toContain('MAIL_PRIVATE_HOSTS')
  })
})
