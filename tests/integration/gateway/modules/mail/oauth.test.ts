import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasDovecot, startDovecot, type Dovecot } from '../../../../support/dovecot'
import { freePort } from '../../../../support/freePort'
import { TokenServer } from '../../../../support/tokenServer'
import { MailOffice } from './office'

const ADDRESS = 'wang@company.example'
const PATIENCE = { timeout: 60_000, interval: 200 }

describe.skipIf(!hasDovecot())('a mailbox that signs in by OAuth2', () => {
  const provider = new TokenServer(ADDRESS, 'portal', 'client-secret')
  const signedIn: string[] = []
  const taken: string[] = []
  let relay: SMTPServer
  let dovecot: Dovecot
  let office: MailOffice
  let account: string
  beforeAll(async () => {
    const tokens = await provider.start()
    dovecot = await startDovecot(`${tokens}/introspect?token=`)
    relay = new SMTPServer({
      ...{ disabledCommands: ['STARTTLS'], authMethods: ['XOAUTH2'], allowInsecureAuth: true, logger: false },
      onAuth: ({ accessToken = '', username }, _session, done) => {
        signedIn.push(accessToken)
        if (provider.valid.has(accessToken)) done(null, { user: username })
        else done(new Error('token refused'))
      },
      onData: (stream, _session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          taken.push(Buffer.concat(chunks).toString())
          done()
        })
      },
    })
    const smtpPort = await freePort()
    await new Promise<void>((wake) => relay.listen(smtpPort, '127.0.0.1', () => wake()))
    const client = { tokenUrl: `${tokens}/token`, clientId: 'portal', clientSecret: 'client-secret', scope: 'mail' }
    const clients = JSON.stringify({ '127.0.0.1': client })
    office = await MailOffice.open(
      { MAIL_PRIVATE_HOSTS: '127.0.0.1', MAIL_SMTP_LISTEN: 'off', JOBS: 'true', MAIL_OAUTH_CLIENTS: clients },
      ['wang'],
    )
    account = await office.bind('wang', {
      ...{ address: ADDRESS, transport: 'imapSmtp', authKind: 'oauth2', login: ADDRESS, secret: provider.refreshToken },
      ...{ imapHost: '127.0.0.1', imapPort: dovecot.port, imapSecurity: 'none' },
      ...{ smtpHost: '127.0.0.1', smtpPort, smtpSecurity: 'none' },
    })
  })
  afterAll(async () => {
    await office.close()
    await new Promise<void>((wake) => relay.close(() => wake()))
    await dovecot.close()
    await provider.stop()
  })
  const state = async (): Promise<Record<string, unknown>> =>
    (await office.get<{ accounts: Record<string, unknown>[] }>('wang', 'account/staff/state')).data.accounts[0] ?? {}
  const sync = (): Promise<unknown> => office.done('wang', 'receive/sync', { accountIds: [account] })

  it('has an access token for its refresh token, as the client that is configured, and keeps the next refresh token encrypted', async () => {
    await expect.poll(async () => (await state()).state, PATIENCE).toBe('active')
    expect(provider.asked).toEqual([
      {
        client_id: 'portal',
        client_secret: 'client-secret',
        grant_type: 'refresh_token',
        refresh_token: 'refresh-0',
        scope: 'mail',
      },
    ])
    const { rows } = await office.gateway.gateway.database.query('select data from mail_secret')
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows) + office.gateway.logs.join('')).not.toMatch(/refresh-\d|access-\d|client-secret/u)
  })

  it('sends by the same token until it runs out, then by another one', async () => {
    await office.send('wang', account, ['kunde@c.io'], { subject: 'First' })
    await office.later()
    await expect.poll(() => taken.length, PATIENCE).toBe(1)
    expect(taken[0]).toContain('Subject: First')
    expect(signedIn).toEqual(['access-1'])
    expect(provider.asked).toHaveLength(1)
    office.gateway.clock.forward(3_600)
    await office.send('wang', account, ['kunde@c.io'], { subject: 'Second' })
    await office.later()
    await expect.poll(() => taken.length, PATIENCE).toBe(2)
    expect(signedIn).toEqual(['access-1', 'access-2'])
    expect(provider.asked.map(({ refresh_token: token }) => token)).toEqual(['refresh-0', 'refresh-1'])
  })

  it('says what to do when its provider takes the refresh token no more, and works with a new one', async () => {
    provider.valid.clear()
    provider.refreshToken = 'given-anew'
    await dovecot.stop()
    await dovecot.start()
    await expect
      .poll(async () => {
        await sync()
        return (await state()).syncError
      }, PATIENCE)
      .toContain('give it anew')
    expect((await state()).state).toBe('failing')
    const { data } = await office.who('wang').get<{ record: { version: number } }>(`/v2/mail/account/view/${account}`)
    const saved = await office
      .who('wang')
      .post('/v2/mail/account/save', { id: account, version: data.record.version, secret: 'given-anew' })
    expect(saved.code).toBe(0)
    await expect.poll(async () => (await state()).state, PATIENCE).toBe('active')
  })
})
