import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, vi } from 'vitest'
import { freePort } from '../../../../support/freePort'
import { fillData } from '../../../../support/gateway'
import { startKillableGateway, type KillableGateway } from '../../../../support/killableGateway'
import { ScriptedImap } from '../../../../support/scriptedImap'
import { ScriptedSmtp } from '../../../../support/scriptedSmtp'

export const LOCAL = 'wang@switchboard.example'
const FOREIGN = 'wang@company.example'
export const PATIENCE = { timeout: 60_000, interval: 100 }

/** A gateway in a process of its own, with a mailbox of the portal and one of servers that do what they are told. */
export class KilledOffice {
  /** Subjects of what the server's Sent folder has. */
  readonly filed = new Set<string>()
  local = ''
  foreign = ''

  private constructor(
    readonly gateway: KillableGateway,
    readonly imap: ScriptedImap,
    readonly smtp: ScriptedSmtp,
    readonly database: pg.Client,
    /** Holds what the gateway waits for. */
    readonly holder: pg.Client,
    readonly smtpPort: number,
    /** Where its data lie, for another gateway beside it. */
    readonly data: { folder: string; url: string },
    private readonly clean: () => Promise<void>,
  ) {}

  static async open(): Promise<KilledOffice> {
    const folder = await mkdtemp(join(tmpdir(), 'gw-mail-kill-'))
    const data = await fillData(folder)
    const [imap, smtp, port] = [await new ScriptedImap().start(), await new ScriptedSmtp().start(), await freePort()]
    const gateway = await startKillableGateway(folder, {
      ...{ DATABASE_URL: data.url, JOBS: 'true', MAIL_PRIVATE_HOSTS: '127.0.0.1', MAIL_SMTP_LISTEN: `127.0.0.1:${port}` },
    })
    const database = new pg.Client({ connectionString: data.url })
    const holder = new pg.Client({ connectionString: data.url })
    await Promise.all([database.connect(), holder.connect()])
    const office = new KilledOffice(gateway, imap, smtp, database, holder, port, { folder, url: data.url ?? '' }, async () => {
      await data.drop()
      await rm(folder, { recursive: true, force: true })
    })
    office.serveSent()
    await office.bindBoth().catch(async (error: unknown) => {
      await office.close()
      throw error
    })
    return office
  }

  private async bindBoth(): Promise<void> {
    const { imap, smtp } = this
    this.local = await this.bind({ address: LOCAL, transport: 'local' })
    this.foreign = await this.bind({
      ...{ address: FOREIGN, transport: 'imapSmtp', authKind: 'password', login: FOREIGN, secret: 'horse' },
      ...{ imapHost: '127.0.0.1', imapPort: imap.port, imapSecurity: 'none' },
      ...{ smtpHost: '127.0.0.1', smtpPort: smtp.port, smtpSecurity: 'none' },
    })
    await vi.waitFor(
      async () => expect(await this.value(`select state from mail_account where id = '${this.foreign}'`)).toBe('active'),
      PATIENCE,
    )
  }

  /** The Sent folder finds by its Message-ID what was handed over and is filed. */
  private serveSent(): void {
    this.imap.folders.push({ path: 'Sent', flags: '\\HasNoChildren \\Sent', messages: [] })
    this.imap.rule = ({ tag, verb, rest, socket }) => {
      const id = verb === 'UID SEARCH' ? /HEADER message-id "?(<[^>]+>)/iu.exec(rest)?.[1] : undefined
      if (id === undefined) return false
      const isThere = this.smtp.handed.some(({ text, subject }) => text.includes(id) && this.filed.has(subject))
      socket.write(`* SEARCH${isThere ? ' 1' : ''}\r\n${tag} OK done\r\n`)
      return true
    }
  }

  private async bind(values: object): Promise<string> {
    const given = { displayName: 'Wang', kind: 'personal', ...values }
    const { data, text } = await this.gateway.caller.post<{ id: string }>('/v2/mail/account/save', given)
    expect(text).toContain('"code":0')
    return data.id
  }

  /** Takes a mail on its way, of which nobody waits for the end of the undo. */
  async send(accountId: string, to: string, subject: string): Promise<void> {
    const { text } = await this.gateway.caller.post('/v2/emailbox/email/send', {
      ...{ accountId, to: [{ email: to }], subject, content: '<p>Hello</p>' },
    })
    expect(text).toContain('"code":0')
    await this.database.query(`update mail_outgoing set due_at = now() - interval '1 second' where state = 'undo'`)
    await this.database.query(`update pgboss.job set start_after = now() where name = 'mail.sending' and state = 'created'`)
  }

  async value(question: string): Promise<unknown> {
    const { rows } = await this.database.query<Record<string, unknown>>(question)
    return rows[0] && Object.values(rows[0])[0]
  }

  /** Subjects of what is to be sent with their states. */
  async states(): Promise<Record<string, string>> {
    const { rows } = await this.database.query<{ subject: string; state: string }>('select subject, state from mail_outgoing')
    return Object.fromEntries(rows.map(({ subject, state }) => [subject, state]))
  }

  /** How often a mail lies in a folder of the portal. */
  async lying(subject: string, role: 'inbox' | 'sent'): Promise<number> {
    return Number(
      await this.value(
        `select count(*) from mail_message m join mail_folder f on f.id = m.folder_id where m.subject = '${subject}' and f.role = '${role}' and m.deleted_at is null`,
      ),
    )
  }

  /** Statements of the gateway that wait for a lock. */
  waiting(): Promise<unknown> {
    return this.value(
      `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
    )
  }

  /** kill -9; then as long passes as its messages, leases and mailboxes are left to it, and another one begins. */
  async killAndStart(unlock: () => Promise<unknown>): Promise<void> {
    const ended = this.gateway.ended()
    this.gateway.kill()
    await ended
    await unlock()
    await this.database.query(`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`)
    await this.database.query(`update mail_outgoing set lease_until = now() - interval '1 second' where state = 'sending'`)
    await this.database.query(`update mail_account set sync_until = now() - interval '1 second'`)
    await this.gateway.start()
  }

  async close(): Promise<void> {
    await this.gateway.stop()
    await Promise.all([this.database.end(), this.holder.end()])
    await this.imap.stop()
    await this.smtp.stop()
    await this.clean()
  }
}
