import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../lifecycle'

/** A secret as it is kept: which key encrypted it, and what is needed to open it again. */
export interface Sealed {
  keyId: string
  iv: string
  data: string
  tag: string
}

interface Key {
  id: string
  bytes: Buffer
}

/** Where the keys come from. */
export interface KeyOptions {
  /** Where the key is made that nobody gave. */
  dataDir: string
  /** Name of the file there. */
  file: string
  /** Name of the variable, with its value: 32 bytes in base64. */
  variable: string
  key: string | undefined
  /** The key before: what it encrypted can be opened still. */
  before: string | undefined
}

const BYTES = 32

const keyOf = (bytes: Buffer): Key => ({ id: createHash('sha256').update(bytes).digest('hex').slice(0, 12), bytes })

function given(text: string, source: string): Key {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== BYTES)
    throw new StartupError('configuration', `${source} must be 32 bytes in base64, e.g. from \`openssl rand -base64 32\`.`)
  return keyOf(bytes)
}

/** The key of the data folder, made at the first start; nobody but its owner may read it. Two gateways of one folder never make two. */
async function ofFolder({ dataDir, file }: KeyOptions): Promise<Key> {
  const path = join(dataDir, file)
  await mkdir(dataDir, { recursive: true })
  await writeFile(path, `${randomBytes(BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  })
  return given((await readFile(path, 'utf8')).trim(), path)
}

/** Encrypts secrets (AES-256-GCM), each bound to whom it belongs to: moved to another row it cannot be opened. */
export class SecretKeys {
  private constructor(
    private readonly key: Key,
    private readonly before: Key | null,
    private readonly variable: string,
  ) {}

  /** @throws StartupError for a key that is none */
  static async open(options: KeyOptions): Promise<SecretKeys> {
    const { variable, key, before } = options
    const present = key === undefined ? await ofFolder(options) : given(key, variable)
    return new SecretKeys(present, before === undefined ? null : given(before, `${variable}_BEFORE`), variable)
  }

  /** Names the key that encrypts now. */
  get id(): string {
    return this.key.id
  }

  seal(owner: string, secret: string): Sealed {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.key.bytes, iv).setAAD(Buffer.from(owner))
    const data = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    const text = (bytes: Buffer): string => bytes.toString('base64')
    return { keyId: this.key.id, iv: text(iv), data: text(data), tag: text(cipher.getAuthTag()) }
  }

  /** @throws StartupError where another key encrypted it; Error where it was changed or belongs to somebody else */
  unseal(owner: string, { keyId, iv, data, tag }: Sealed): string {
    const key = [this.key, this.before].find((one) => one?.id === keyId)
    if (!key)
      throw new StartupError(
        'configuration',
        `secrets in the database were encrypted by another key (${keyId}). Set ${this.variable} to it, or ${this.variable}_BEFORE if ${this.variable} is a new one.`,
      )
    const bytes = (text: string): Buffer => Buffer.from(text, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes(iv)).setAAD(Buffer.from(owner)).setAuthTag(bytes(tag))
    return Buffer.concat([decipher.update(bytes(data)), decipher.final()]).toString('utf8')
  }
}
