import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { Spool, type FileStore } from '../../platform/files'

const keyOf = (hash: string): string => `mail/${hash.slice(0, 2)}/${hash}`

/** Raw messages, each once by its hash, as they came: what a mail really was. */
export class RawMessages {
  private readonly spool: Spool

  constructor(
    private readonly store: FileStore,
    dataDir: string,
  ) {
    this.spool = new Spool(dataDir)
  }

  /** Keeps the bytes of a message; answers their hash. */
  async keep(raw: Buffer): Promise<string> {
    const hash = createHash('sha256').update(raw).digest('hex')
    const key = keyOf(hash)
    if ((await this.store.size(key)) === raw.length) return hash
    const path = await this.spool.newPath()
    await writeFile(path, raw)
    await this.store.put(key, path)
    return hash
  }

  /** @throws Error when there is nothing under the hash */
  async read(hash: string): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of await this.store.read(keyOf(hash))) parts.push(part as Buffer)
    return Buffer.concat(parts)
  }
}
