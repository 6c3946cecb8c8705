import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Spool } from './spool'
import type { FileStore } from './store'

/** Bytes that are kept as they came, each once by its hash: what something really was. */
export class HashedBytes {
  private readonly spool: Spool

  /** @param kind the part of the store that they lie in */
  constructor(
    private readonly store: FileStore,
    dataDir: string,
    private readonly kind: string,
  ) {
    this.spool = new Spool(dataDir)
  }

  /** Keeps bytes; answers their hash. */
  async keep(bytes: Buffer): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex')
    const key = this.keyOf(hash)
    if ((await this.store.size(key)) === bytes.length) return hash
    const path = await this.spool.newPath()
    try {
      await writeFile(path, bytes)
      await this.store.put(key, path)
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
    return hash
  }

  /** @throws Error when there is nothing under the hash */
  async read(hash: string): Promise<Buffer> {
    return buffer(await this.store.read(this.keyOf(hash)))
  }

  private keyOf(hash: string): string {
    return `${this.kind}/${hash.slice(0, 2)}/${hash}`
  }
}
