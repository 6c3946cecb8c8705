import type { Executor } from '../../platform/database'
import type { Sealed, SecretKeys } from '../../platform/secrets'

/** Passwords and tokens of mailboxes: they are kept encrypted, and go to their servers only. */
export class Secrets {
  constructor(private readonly keys: Promise<SecretKeys>) {}

  /** Encrypts anew what the key before encrypted. @throws StartupError where something was encrypted by a key that is not here */
  async adopt(db: Executor, now: Date): Promise<void> {
    const keys = await this.keys
    const { rows } = await db.query<Sealed & { accountId: string }>(
      `select account_id as "accountId", key_id as "keyId", iv, data, tag from mail_secret where key_id <> $1`,
      [keys.id],
    )
    for (const { accountId, ...sealed } of rows) await this.keep(db, accountId, keys.unseal(accountId, sealed), now)
  }

  /** Keeps the secret of a mailbox in the place of the one before. */
  async keep(db: Executor, accountId: string, secret: string, now: Date): Promise<void> {
    const { keyId, iv, data, tag } = (await this.keys).seal(accountId, secret)
    await db.query(
      `insert into mail_secret (account_id, key_id, iv, data, tag, updated_at) values ($1, $2, $3, $4, $5, $6)
       on conflict (account_id) do update set key_id = $2, iv = $3, data = $4, tag = $5, updated_at = $6`,
      [accountId, keyId, iv, data, tag, now.toISOString()],
    )
  }

  /** The secret of a mailbox, to sign in with; null where there is none. */
  async of(db: Executor, accountId: string): Promise<string | null> {
    const { rows } = await db.query<Sealed>(`select key_id as "keyId", iv, data, tag from mail_secret where account_id = $1`, [
      accountId,
    ])
    return rows[0] ? (await this.keys).unseal(accountId, rows[0]) : null
  }

  async forget(db: Executor, accountId: string): Promise<void> {
    await db.query('delete from mail_secret where account_id = $1', [accountId])
  }
}
