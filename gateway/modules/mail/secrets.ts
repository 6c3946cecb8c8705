import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Executor } from '../../platform/database'
import { StartupError } from '../../platform/lifecycle'

/** A key with the name by which what it encrypted knows it. */
interface Key {
  id: string
  bytes: Buffer
}

interface Sealed {
  keyId: string
  iv: string
  data: string
  tag: string
}

const FILE = 'mail.key'
const BYTES = 32

const keyOf = (bytes: Buffer): Key => ({ id: createHash('sha256').update(bytes).digest('hex').slice(0, 12), bytes })

function given(text: string, variable: string): Key {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== BYTES)
    throw new StartupError('configuration', `${variable} must be 32 bytes in base64, e.g. from \`openssl rand -base64 32\`.`)
  return keyOf(bytes)
}

/** The key of the data folder, made at the first start; nobody but its owner may read it. */
async function ofFolder(dataDir: string): Promise<Key> {
  const path = join(dataDir, FILE)
  await mkdir(dataDir, { recursive: true })
  try {
    // two gateways of one folder never make two keys
    writeFileSync(path, `${randomBytes(BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return given(readFileSync(path, 'utf8').trim(), path)
}

/** Passwords and tokens of mailboxes, kept encrypted (AES-256-GCM) and bound to their mailbox. */
export class Secrets {
  private constructor(
    private readonly key: Key,
    private readonly before: Key | null,
  ) {}

  /** @throws StartupError for a key that is none */
  static async open(options: { dataDir: string; key: string | undefined; before: string | undefined }): Promise<Secrets> {
    const { dataDir, key, before } = options
    return new Secrets(
      key === undefined ? await ofFolder(dataDir) : given(key, 'MAIL_KEY'),
      before === undefined ? null : given(before, 'MAIL_KEY_BEFORE'),
    )
  }

  /**
   * Encrypts anew what the key before encrypted.
   * @throws StartupError where something was encrypted by a key that is not here
   */
  async adopt(db: Executor, now: Date): Promise<void> {
    const { rows } = await db.query<Sealed & { accountId: string }>(
      `select account_id as "accountId", key_id as "keyId", iv, data, tag from mail_secret where key_id <> $1`,
      [this.key.id],
    )
    for (const { accountId, ...sealed } of rows) await this.keep(db, accountId, this.unseal(accountId, sealed), now)
  }

  /** Keeps the secret of a mailbox in the place of the one before. */
  async keep(db: Executor, accountId: string, secret: string, now: Date): Promise<void> {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.key.bytes, iv)
    cipher.setAAD(Buffer.from(accountId))
    const data = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    await db.query(
      `insert into mail_secret (account_id, key_id, iv, data, tag, updated_at) values ($1, $2, $3, $4, $5, $6)
       on conflict (account_id) do update set key_id = $2, iv = $3, data = $4, tag = $5, updated_at = $6`,
      [
        ...[accountId, this.key.id, iv.toString('base64'), data.toString('base64'), cipher.getAuthTag().toString('base64')],
        now.toISOString(),
      ],
    )
  }

  /** The secret of a mailbox, to sign in with; null where there is none. It goes nowhere else. */
  async of(db: Executor, accountId: string): Promise<string | null> {
    const { rows } = await db.query<Sealed>(`select key_id as "keyId", iv, data, tag from mail_secret where account_id = $1`, [
      accountId,
    ])
    return rows[0] ? this.unseal(accountId, rows[0]) : null
  }

  async forget(db: Executor, accountId: string): Promise<void> {
    await db.query('delete from mail_secret where account_id = $1', [accountId])
  }

  private unseal(accountId: string, { keyId, iv, data, tag }: Sealed): string {
    const key = [this.key, this.before].find((one) => one?.id === keyId)
    if (!key)
      throw new StartupError(
        'configuration',
        `the passwords of mailboxes were encrypted by another key (${keyId}). Set MAIL_KEY to it, or MAIL_KEY_BEFORE if MAIL_KEY is a new one.`,
      )
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(iv, 'base64'))
    decipher.setAAD(Buffer.from(accountId))
    decipher.setAuthTag(Buffer.from(tag, 'base64'))
    return Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString('utf8')
  }
}
