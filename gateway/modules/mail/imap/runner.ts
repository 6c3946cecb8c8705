import type { ImapFlow } from 'imapflow'
import { systemContext } from '../../../platform/http'
import { push } from '../../../todos'
import { countFolders, findAccount, type Account } from '../accounts'
import type { MailParts } from '../parts'
import { connectTo } from './connect'
import { faultInWords, leave, whileItAnswers } from '../../../platform/mail'
import { followFolders, storedFolders, type Folder } from './folders'
import { syncFolder } from './sync'

/** Mailboxes that one gateway keeps a connection for. */
const MOST = 500
/** Mailboxes that fetch at the same time. */
const FETCHING = 20
const LOOK_EVERY = 5_000
/** Seconds for which a mailbox is a gateway's: another one takes it over within a minute after that one's end. */
const LEASE = 45
const POLL = 60_000
const OTHER_FOLDERS = 5 * 60_000
/** Folders without a role that are looked at in one go; the inbox does not wait for thousands of them. */
const MOST_FOLDERS = 200
/** Minutes after so many failures in a row. */
const BACK_OFF = [1, 2, 5, 15, 60] as const

/** The channel on which gateways hear that somebody wants a mailbox synchronised at once. */
export const SYNC_CHANNEL = 'mail_sync'

interface Held {
  stop: AbortController
  wake: () => void
  done: Promise<void>
}

/** Keeps the mailboxes of servers up to date: each by one gateway, which says so by a lease. */
export class SyncRunner {
  private readonly held = new Map<string, Held>()
  private timer: NodeJS.Timeout | null = null
  private unlisten: (() => Promise<void>) | null = null
  private fetching = 0
  private readonly waiting: (() => void)[] = []
  private looking: Promise<void> = Promise.resolve()

  constructor(private readonly parts: MailParts) {}

  async start(): Promise<void> {
    this.unlisten = await this.parts.database.listen(SYNC_CHANNEL, (accountId) => {
      this.held.get(accountId)?.wake()
      void this.look()
    })
    this.timer = setInterval(() => void this.look(), LOOK_EVERY).unref()
    void this.look()
  }

  /** Ends all connections and lets go of the mailboxes, so that others take them over at once. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer)
    await this.unlisten?.()
    await this.looking
    for (const { stop } of this.held.values()) stop.abort()
    await Promise.all([...this.held.values()].map(({ done }) => done))
  }

  /** Renews the leases of what this gateway holds, and takes what nobody holds. */
  look(): Promise<void> {
    this.looking = this.looking
      .then(() => this.renewAndClaim())
      .catch((error: unknown) => this.parts.onError(error, 'the mailboxes could not be looked after'))
    return this.looking
  }

  private async renewAndClaim(): Promise<void> {
    const { database, now } = this.parts
    const until = new Date(now().getTime() + LEASE * 1000).toISOString()
    const ids = [...this.held.keys()]
    const { rows: ours } = await database.query<{ id: string }>(
      `update mail_account set sync_until = $3 where id = any($1::text[]) and sync_by = $2 and state in ('unverified', 'active', 'failing') and deleted_at is null returning id`,
      [ids, database.instance, until],
    )
    const kept = new Set(ours.map(({ id }) => id))
    for (const [id, { stop }] of this.held) if (!kept.has(id)) stop.abort()
    const room = MOST - this.held.size
    if (room <= 0) return
    const { rows: claimed } = await database.query<{ id: string }>(
      `update mail_account set sync_by = $1, sync_until = $2 where id in (
         select id from mail_account where transport = 'imapSmtp' and state in ('unverified', 'active', 'failing') and deleted_at is null
           and (sync_until is null or sync_until < $3) and (retry_at is null or retry_at <= $3) and id <> all($5::text[]) order by retry_at nulls first, id limit $4 for update skip locked)
       returning id`,
      [database.instance, until, now().toISOString(), room, ids],
    )
    for (const { id } of claimed) this.hold(id)
  }

  private hold(accountId: string): void {
    const stop = new AbortController()
    const held: Held = { stop, wake: () => undefined, done: Promise.resolve() }
    this.held.set(accountId, held)
    held.done = this.keep(accountId, held)
      .catch((error: unknown) => (stop.signal.aborted ? undefined : this.failed(accountId, error)))
      .catch((error: unknown) => this.parts.onError(error, 'a mailbox could not be let go'))
      .then(() => void this.held.delete(accountId))
  }

  /** One mailbox, from its connection to its end. */
  private async keep(accountId: string, held: Held): Promise<void> {
    const { database, settings } = this.parts
    const account = await findAccount(database, accountId)
    if (!account) return
    const { signal } = held.stop
    const client = await connectTo(this.parts, database, account, signal)
    const end = () => client.close()
    signal.addEventListener('abort', end)
    try {
      let othersAt = 0
      while (!signal.aborted && client.usable) {
        const isTimeForOthers = Date.now() - othersAt >= OTHER_FOLDERS
        const isBehind = await this.withRoom(() =>
          whileItAnswers(client, settings.mailPatience, async () => {
            const next = await this.round(client, account, isTimeForOthers, signal)
            // of which the server tells from here on; what came meanwhile it told nobody
            return (await client.mailboxOpen('INBOX')).uidNext > next
          }),
        )
        if (isTimeForOthers) othersAt = Date.now()
        if (!isBehind) await this.quiet(client, held, signal)
      }
      if (!signal.aborted) throw Object.assign(new Error('the connection ended'), { code: 'EConnectionClosed' })
    } finally {
      signal.removeEventListener('abort', end)
      await leave(client)
      await database.query(`update mail_account set sync_by = null, sync_until = null where id = $1 and sync_by = $2`, [
        accountId,
        database.instance,
      ])
    }
  }

  /** The inbox, and from time to time everything else. Answers the number that the next message of the inbox had when it was looked at. */
  private async round(client: ImapFlow, account: Account, isWhole: boolean, signal: AbortSignal): Promise<number> {
    const { database, engine, now } = this.parts
    const folders: Folder[] = isWhole
      ? await followFolders(database, client, account.id, now())
      : await storedFolders(database, account.id, ['INBOX'])
    const unnamed = folders.filter(({ role }) => role === 'other')
    unnamed.sort((a, b) => (a.syncedAt ? new Date(a.syncedAt).getTime() : 0) - (b.syncedAt ? new Date(b.syncedAt).getTime() : 0))
    const named = folders.filter(({ role }) => role !== 'other')
    let next = Infinity
    let isCounted = true
    for (const folder of [...named, ...unnamed.slice(0, MOST_FOLDERS)]) {
      signal.throwIfAborted()
      const synced = await syncFolder(this.parts, client, account, folder, signal)
      isCounted &&= synced.isCounted
      if (folder.role !== 'inbox') continue
      next = synced.next
      if (!isCounted) await countFolders(database, account.id)
      isCounted = true
    }
    if (!isCounted) await countFolders(database, account.id)
    const at = now().toISOString()
    await engine.transaction(systemContext({ now: now() }), async (entities, tx) => {
      const stored = await findAccount(tx, account.id)
      if (stored?.state === 'unverified' || stored?.state === 'failing')
        await entities.transition('mail.account', account.id, 'verify')
      await tx.query('update mail_account set last_sync_at = $2, lag_sec = 0, failures = 0, retry_at = null where id = $1', [
        account.id,
        at,
      ])
      const { rows: members } = await tx.query<{ staffId: string }>(
        'select staff_id as "staffId" from mail_account_staff where account_id = $1 and deleted_at is null',
        [account.id],
      )
      await push(
        tx,
        members.map(({ staffId }) => ({ staffId, event: 'mail' })),
      )
    })
    return next
  }

  /** Waits for the server to say something, for a wish, or for the next look. */
  private quiet(client: ImapFlow, held: Held, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const events = ['exists', 'expunge', 'flags', 'close'] as const
      const timer = setTimeout(over, POLL)
      for (const event of events) client.on(event, over)
      signal.addEventListener('abort', over)
      held.wake = over
      function over(): void {
        clearTimeout(timer)
        for (const event of events) client.off(event, over)
        signal.removeEventListener('abort', over)
        held.wake = () => undefined
        resolve()
      }
      if (signal.aborted || !client.usable) over()
      else client.idle().catch(over)
    })
  }

  /** Lets at most so many fetch at once; a slow server delays its own mailbox only. */
  private async withRoom<Done>(work: () => Promise<Done>): Promise<Done> {
    if (this.fetching >= FETCHING) await new Promise<void>((resolve) => this.waiting.push(resolve))
    this.fetching += 1
    try {
      return await work()
    } finally {
      this.fetching -= 1
      this.waiting.shift()?.()
    }
  }

  /** Says on the mailbox what is wrong, and when it is tried again. */
  private async failed(accountId: string, error: unknown): Promise<void> {
    const { engine, now } = this.parts
    const at = now()
    const words = faultInWords(error)
    await engine.transaction(systemContext({ now: at }), async (entities, tx) => {
      const { rows } = await tx.query<{ failures: number; state: string; lastSyncAt: string | null }>(
        `select coalesce(failures, 0)::int as failures, state, last_sync_at as "lastSyncAt" from mail_account where id = $1 for update`,
        [accountId],
      )
      const [found] = rows
      if (!found || !['unverified', 'active', 'failing'].includes(found.state)) return
      const minutes = BACK_OFF[Math.min(found.failures, BACK_OFF.length - 1)]!
      const lag = found.lastSyncAt === null ? null : Math.round((at.getTime() - new Date(found.lastSyncAt).getTime()) / 1000)
      await entities.transition('mail.account', accountId, 'fail', { syncError: `${words.zh} / ${words.en}`.slice(0, 500) })
      await tx.query(
        `update mail_account set failures = $2, retry_at = $3, lag_sec = $4, sync_by = null, sync_until = null where id = $1`,
        [accountId, found.failures + 1, new Date(at.getTime() + minutes * 60_000).toISOString(), lag],
      )
    })
  }
}
