import { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasDovecot, startDovecot, type Dovecot } from '../../../../support/dovecot'
import { letter } from '../../../../support/scriptedImap'
import { MailOffice, type Listed } from './office'

const WAIT = { timeout: 120_000, interval: 100 }
const DOUBLED = 15
const FOREIGN = 'wang@company.example'

describe.skipIf(!hasDovecot())('a mailbox of 32,768 messages', () => {
  let dovecot: Dovecot
  let office: MailOffice
  let account: string
  beforeAll(async () => {
    dovecot = await startDovecot()
    await inInbox((client) => client.append('INBOX', letter('many'), [], new Date('2026-01-01')).then(() => client.noop()))
    office = await MailOffice.open({ MAIL_PRIVATE_HOSTS: '127.0.0.1', MAIL_SMTP_LISTEN: 'off', JOBS: 'true' }, ['wang'])
    account = await office.bind('wang', {
      ...{ address: FOREIGN, transport: 'imapSmtp', authKind: 'password', login: FOREIGN, secret: dovecot.password },
      ...{ imapHost: '127.0.0.1', imapPort: dovecot.port, imapSecurity: 'none' },
      ...{ smtpHost: '127.0.0.1', smtpPort: 1, smtpSecurity: 'none' },
    })
  })
  afterAll(async () => {
    await office.close()
    await dovecot.close()
  })

  async function inInbox<Result>(work: (client: ImapFlow) => Promise<Result>): Promise<Result> {
    const auth = { user: FOREIGN, pass: dovecot.password }
    const client = new ImapFlow({ host: '127.0.0.1', port: dovecot.port, secure: false, doSTARTTLS: false, auth, logger: false })
    await client.connect()
    await client.mailboxOpen('INBOX')
    try {
      return await work(client)
    } finally {
      await client.logout()
    }
  }
  const value = async (question: string): Promise<unknown> => {
    const { rows } = await office.gateway.gateway.database.query<Record<string, unknown>>(question, [account])
    return rows[0] && Object.values(rows[0])[0]
  }
  const say = (transition: string) => office.who('wang').post('/v2/mail/account/stateUpdate', { ids: [account], transition })

  it('takes 30,000 changed flags over in batches within seconds, without a trace of each, and stays usable meanwhile', async () => {
    const state = () => value('select state from mail_account where id = $1')
    await expect.poll(state, WAIT).toBe('active')
    await say('stop')
    await expect.poll(() => value('select sync_by from mail_account where id = $1'), WAIT).toBe(null)
    const facts = await inInbox(async (client) => {
      for (let doubled = 0; doubled < DOUBLED; doubled += 1) await client.messageCopy('1:*', 'INBOX')
      return client.status('INBOX', { uidNext: true, highestModseq: true, messages: true })
    })
    if (facts === false) throw new Error('the server does not say how many it has')
    expect(facts.messages).toBe(2 ** DOUBLED)
    // as a long synchronisation before would have left them
    const { database } = office.gateway.gateway
    await database.query(
      `insert into mail_message select (jsonb_populate_record(m, jsonb_build_object('id', m.id || '-' || n, 'uid', n))).* from mail_message m, generate_series(2, $2::int) n where m.account_id = $1`,
      [account, facts.messages],
    )
    await database.query(`update mail_folder set uid_next = $2, highest_mod_seq = $3 where account_id = $1 and role = 'inbox'`, [
      account,
      facts.uidNext,
      String(facts.highestModseq),
    ])
    await say('start')
    await expect.poll(state, WAIT).toBe('active')
    const unseen = () => value('select count(*)::int from mail_message where account_id = $1 and not seen and deleted_at is null')
    expect(await unseen()).toBe(2 ** DOUBLED)
    const traces = () => value(`select count(*)::int from sys_audit_log where $1 <> ''`)
    const before = await traces()
    const begun = performance.now()
    await inInbox((client) => client.messageFlagsAdd('1:30000', ['\\Seen'], { silent: true }))
    const waited: number[] = []
    await expect
      .poll(async () => {
        const asked = performance.now()
        await office.done<Listed>('wang', 'receive/query', { page: 1, size: 20 })
        waited.push(performance.now() - asked)
        return unseen()
      }, WAIT)
      .toBe(2 ** DOUBLED - 30_000)
    expect((performance.now() - begun) / 1_000).toBeLessThan(60)
    expect(Math.max(...waited)).toBeLessThan(3_000)
    expect(await traces()).toBe(before)
    expect(await value(`select unread::int from mail_folder where account_id = $1 and role = 'inbox'`)).toBeGreaterThanOrEqual(0)
  })

  it('M11 finds all of them again when the server numbers them anew: the same rows, marks, read states and follow-ups, and nobody is told', async () => {
    const { database } = office.gateway.gateway
    await database.query(
      `update mail_message set marks = '["urgent"]', follow_state = 'answered' where account_id = $1 and uid % 10 = 0`,
      [account],
    )
    const all = () =>
      value(
        `select md5(string_agg(concat(id, seen, starred, marks, follow_state), ' ' order by id)) from mail_message where account_id = $1 and deleted_at is null`,
      )
    const told = () => value(`select count(*)::int from sys_message where $1 <> ''`)
    const before = [await all(), await told()]
    await database.query(`update mail_folder set uid_validity = '1' where account_id = $1 and role = 'inbox'`, [account])
    await office.done('wang', 'receive/sync', {})
    const anew = () => value(`select uid_validity <> '1' from mail_folder where account_id = $1 and role = 'inbox'`)
    await expect.poll(anew, WAIT).toBe(true)
    expect([await all(), await told()]).toEqual(before)
  })
})
