import { isConnectionLoss, newId } from '../database'
import type { Database, Executor } from '../database'
import { ServiceError } from '../http'
import type { Answer } from '../http'

/** Milliseconds between two signs of life, and after which silence means death. */
export const HEARTBEAT = 3000
const SILENCE_SECONDS = 15
const KEPT_SECONDS = 24 * 3600

interface KeyRow {
  fingerprint: string
  content: string | null
  holder: string
  instance: string
  alive: boolean
  old: boolean
  status: number | null
  answer: Answer | null
}

/** A key, and the request that holds it. */
export interface Held {
  staffId: string
  key: string
  holder: string
}

/** What is kept under a key. */
export interface Outcome {
  status: number
  answer: Answer
  /** Digest of the parts of a multipart payload. */
  content: string | null
}

/** What to do with a request that carries a key. */
export type Claim =
  | { kind: 'run'; holder: string }
  | { kind: 'replay'; status: number; answer: Answer; content: string | null }
  | { kind: 'mismatch' }
  | { kind: 'running' }

/** Idempotence keys in the database: who holds which, and what was answered. */
export class KeyStore {
  /** Holders whose requests run here. A key of this instance with another holder belongs to nobody any more. */
  private readonly running = new Set<string>()
  /** What could not be written when a request ended, because the database was away. */
  private owed: (() => Promise<void>)[] = []

  constructor(
    private readonly database: Database,
    private readonly instance: string,
  ) {}

  /** Tells the other instances that this one lives, and writes what it could not write before. */
  async beat(): Promise<void> {
    await this.database.query(
      `insert into gateway_instance (id, started_at, seen_at) values ($1, now(), now()) on conflict (id) do update set seen_at = now()`,
      [this.instance],
    )
    const { owed } = this
    this.owed = []
    for (const pay of owed) await pay().catch(() => this.owed.push(pay))
  }

  /** A gateway that owns its database alone: whatever was running before died with its predecessor. */
  async releaseOthers(): Promise<void> {
    await this.database.query('delete from idempotence_key where answer is null and instance <> $1', [this.instance])
    await this.database.query('delete from gateway_instance where id <> $1', [this.instance])
  }

  async leave(): Promise<void> {
    await this.database.query('delete from idempotence_key where answer is null and instance = $1', [this.instance])
    await this.database.query('delete from gateway_instance where id = $1', [this.instance])
  }

  async claim(staffId: string, key: string, fingerprint: string): Promise<Claim> {
    const holder = newId()
    this.running.add(holder)
    try {
      const claim = await this.tryClaim(staffId, key, fingerprint, holder)
      if (claim.kind !== 'run') this.running.delete(holder)
      return claim
    } catch (error) {
      // The claim may stand although its answer was lost.
      await this.end({ staffId, key, holder })
      throw error
    }
  }

  /** Stores the answer. In the write's transaction both stand or fall together; a holder that was taken for dead fails here. */
  async settle(executor: Executor, { staffId, key, holder }: Held, { status, answer, content }: Outcome): Promise<void> {
    const { rowCount } = await executor.query(
      `update idempotence_key set status = $4, answer = $5::jsonb, content = $6
       where staff_id = $1 and key = $2 and holder = $3 and answer is null`,
      [staffId, key, holder, status, JSON.stringify(answer), content],
    )
    if (rowCount !== 1) throw new ServiceError('idempotenceRunning')
  }

  /**
   * Stores the answer of a call that has written, right before it is sent, and ends the request. When the database is away the
   * answer goes out all the same and is stored once the database is back; until then the key counts as running.
   */
  async settleAtEnd(held: Held, outcome: Outcome): Promise<void> {
    const settle = async () => {
      await this.settle(this.database, held, outcome)
      this.running.delete(held.holder)
    }
    try {
      await settle()
    } catch (error) {
      if (!isConnectionLoss(error)) throw error
      this.owed.push(() =>
        settle().catch((failure: unknown) => {
          if (isConnectionLoss(failure)) throw failure
          this.running.delete(held.holder)
        }),
      )
    }
  }

  /** The request is over. A key without an answer is free again, as soon as the database can be told: nothing was written. */
  async end({ staffId, key, holder }: Held): Promise<void> {
    this.running.delete(holder)
    const release = async () => {
      await this.database.query(
        'delete from idempotence_key where staff_id = $1 and key = $2 and holder = $3 and answer is null',
        [staffId, key, holder],
      )
    }
    await release().catch(() => this.owed.push(release))
  }

  async sweep(): Promise<void> {
    await this.database.query(`delete from idempotence_key where created_at < now() - make_interval(secs => $1)`, [KEPT_SECONDS])
    await this.database.query(`delete from gateway_instance where seen_at < now() - interval '1 day'`)
  }

  private async tryClaim(staffId: string, key: string, fingerprint: string, holder: string): Promise<Claim> {
    const values = [staffId, key, fingerprint, holder, this.instance]
    const inserted = await this.database.query(
      `insert into idempotence_key (staff_id, key, fingerprint, holder, instance, created_at) values ($1, $2, $3, $4, $5, now()) on conflict do nothing`,
      values,
    )
    if (inserted.rowCount === 1) return { kind: 'run', holder }
    const row = await this.read(staffId, key)
    if (!row) return this.tryClaim(staffId, key, fingerprint, holder)
    const dead = row.answer === null && !this.isRunning(row)
    if (row.old || dead) {
      const taken = await this.database.query(
        `update idempotence_key set fingerprint = $3, holder = $4, instance = $5, created_at = now(), status = null, answer = null, content = null
         where staff_id = $1 and key = $2 and holder = $6 and (answer is null or $7)`,
        [...values, row.holder, row.old],
      )
      return taken.rowCount === 1 ? { kind: 'run', holder } : this.tryClaim(staffId, key, fingerprint, holder)
    }
    if (row.fingerprint !== fingerprint) return { kind: 'mismatch' }
    if (row.answer === null) return { kind: 'running' }
    return { kind: 'replay', status: row.status ?? 200, answer: row.answer, content: row.content }
  }

  private isRunning(row: KeyRow): boolean {
    return row.instance === this.instance ? this.running.has(row.holder) : row.alive
  }

  private async read(staffId: string, key: string): Promise<KeyRow | undefined> {
    const { rows } = await this.database.query<KeyRow>(
      `select k.fingerprint, k.content, k.holder, k.instance, k.status, k.answer, k.created_at < now() - make_interval(secs => $3) as old,
         exists (select 1 from gateway_instance i where i.id = k.instance and i.seen_at > now() - make_interval(secs => $4)) as alive
       from idempotence_key k where k.staff_id = $1 and k.key = $2`,
      [staffId, key, KEPT_SECONDS, SILENCE_SECONDS],
    )
    return rows[0]
  }
}
