import { newId } from '../database'
import type { Database, Executor } from '../database'
import { ServiceError } from '../http'
import type { Answer } from '../http'

/** Milliseconds between two signs of life, and after which silence means death. */
export const HEARTBEAT = 3000
const SILENCE_SECONDS = 15
const KEPT_SECONDS = 24 * 3600

interface KeyRow {
  fingerprint: string
  holder: string
  alive: boolean
  old: boolean
  status: number | null
  answer: Answer | null
}

/** What to do with a request that carries a key. */
export type Claim =
  | { kind: 'run'; holder: string }
  | { kind: 'replay'; status: number; answer: Answer }
  | { kind: 'mismatch' }
  | { kind: 'running' }

/** Idempotence keys in the database: who holds which, and what was answered. */
export class KeyStore {
  constructor(
    private readonly database: Database,
    private readonly instance: string,
  ) {}

  /** Tells the other instances that this one lives. */
  async beat(): Promise<void> {
    await this.database.query(
      `insert into gateway_instance (id, started_at, seen_at) values ($1, now(), now()) on conflict (id) do update set seen_at = now()`,
      [this.instance],
    )
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
    const values = [staffId, key, fingerprint, holder, this.instance]
    const inserted = await this.database.query(
      `insert into idempotence_key (staff_id, key, fingerprint, holder, instance, created_at) values ($1, $2, $3, $4, $5, now()) on conflict do nothing`,
      values,
    )
    if (inserted.rowCount === 1) return { kind: 'run', holder }
    const row = await this.read(staffId, key)
    if (!row) return this.claim(staffId, key, fingerprint)
    const dead = row.answer === null && !row.alive
    if (row.old || dead) {
      const taken = await this.database.query(
        `update idempotence_key set fingerprint = $3, holder = $4, instance = $5, created_at = now(), status = null, answer = null
         where staff_id = $1 and key = $2 and holder = $6`,
        [...values, row.holder],
      )
      return taken.rowCount === 1 ? { kind: 'run', holder } : { kind: 'running' }
    }
    if (row.fingerprint !== fingerprint) return { kind: 'mismatch' }
    if (row.answer === null) return { kind: 'running' }
    return { kind: 'replay', status: row.status ?? 200, answer: row.answer }
  }

  /** Stores the answer. In the write's transaction both stand or fall together; a holder that was taken for dead fails here. */
  async settle(executor: Executor, staffId: string, key: string, holder: string, status: number, answer: Answer): Promise<void> {
    const { rowCount } = await executor.query(
      'update idempotence_key set status = $4, answer = $5::jsonb where staff_id = $1 and key = $2 and holder = $3 and answer is null',
      [staffId, key, holder, status, JSON.stringify(answer)],
    )
    if (rowCount !== 1) throw new ServiceError('idempotenceRunning')
  }

  /** Nothing was written: the same key may try again. */
  async release(staffId: string, key: string, holder: string): Promise<void> {
    await this.database.query('delete from idempotence_key where staff_id = $1 and key = $2 and holder = $3 and answer is null', [
      staffId,
      key,
      holder,
    ])
  }

  async sweep(): Promise<void> {
    await this.database.query(`delete from idempotence_key where created_at < now() - make_interval(secs => $1)`, [KEPT_SECONDS])
    await this.database.query(`delete from gateway_instance where seen_at < now() - interval '1 day'`)
  }

  private async read(staffId: string, key: string): Promise<KeyRow | undefined> {
    const { rows } = await this.database.query<KeyRow>(
      `select k.fingerprint, k.holder, k.status, k.answer, k.created_at < now() - make_interval(secs => $3) as old,
         exists (select 1 from gateway_instance i where i.id = k.instance and i.seen_at > now() - make_interval(secs => $4)) as alive
       from idempotence_key k where k.staff_id = $1 and k.key = $2`,
      [staffId, key, KEPT_SECONDS, SILENCE_SECONDS],
    )
    return rows[0]
  }
}
