import type { Executor } from '../database'
import type { Sealed, SecretKeys } from './keys'

/** Secrets in rows of a table, one an owner: they are kept encrypted, and go only to what they are for. */
export class KeptSecrets {
  /**
   * @param table its columns are the owner (primary key), `key_id`, `iv`, `data`, `tag` and `updated_at`
   * @param column the column of the owner
   */
  constructor(
    private readonly keys: Promise<SecretKeys>,
    private readonly table: string,
    private readonly column: string,
  ) {}

  /** Encrypts anew what the key before encrypted. @throws StartupError where something was encrypted by a key that is not here */
  async adopt(db: Executor, now: Date): Promise<void> {
    const keys = await this.keys
    const { rows } = await db.query<Sealed & { owner: string }>(
      `select ${this.column} as owner, key_id as "keyId", iv, data, tag from ${this.table} where key_id <> $1`,
      [keys.id],
    )
    for (const { owner, ...sealed } of rows) await this.keep(db, owner, keys.unseal(owner, sealed), now)
  }

  /** Keeps the secret of an owner in the place of the one before. */
  async keep(db: Executor, owner: string, secret: string, now: Date): Promise<void> {
    const { keyId, iv, data, tag } = (await this.keys).seal(owner, secret)
    await db.query(
      `insert into ${this.table} (${this.column}, key_id, iv, data, tag, updated_at) values ($1, $2, $3, $4, $5, $6)
       on conflict (${this.column}) do update set key_id = $2, iv = $3, data = $4, tag = $5, updated_at = $6`,
      [owner, keyId, iv, data, tag, now.toISOString()],
    )
  }

  /** The secret of an owner; null where there is none. */
  async of(db: Executor, owner: string): Promise<string | null> {
    const { rows } = await db.query<Sealed>(
      `select key_id as "keyId", iv, data, tag from ${this.table} where ${this.column} = $1`,
      [owner],
    )
    return rows[0] ? (await this.keys).unseal(owner, rows[0]) : null
  }

  async forget(db: Executor, owner: string): Promise<void> {
    await db.query(`delete from ${this.table} where ${this.column} = $1`, [owner])
  }
}
