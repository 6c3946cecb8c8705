import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { nanoid } from 'nanoid'

/** A file that has come in completely, not yet accepted. */
export interface SpooledFile {
  path: string
  size: number
  /** Hex. */
  sha256: string
  /** More came than allowed; what is on disk is only its beginning. */
  tooLarge: boolean
}

const HOUR = 3_600_000

/** A folder for what is coming in; half a file never lies where whole ones do. */
export class Spool {
  private readonly folder: string

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'files', '.incoming')
  }

  async newPath(): Promise<string> {
    await mkdir(this.folder, { recursive: true })
    return join(this.folder, nanoid())
  }

  /** Writes a stream to disk with flat memory. What exceeds the limit is read and thrown away, so that the sender gets an answer. */
  async receive(stream: Readable, limit: number): Promise<SpooledFile> {
    const path = await this.newPath()
    const hash = createHash('sha256')
    let size = 0
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length
        if (size > limit) return done()
        hash.update(chunk)
        return done(null, chunk)
      },
    })
    try {
      await pipeline(stream, counter, createWriteStream(path))
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
    return { path, size, sha256: hash.digest('hex'), tooLarge: size > limit }
  }

  /** Size and digest of a file that lies in the spool already. */
  async measure(path: string, limit: number): Promise<SpooledFile> {
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    const { size } = await stat(path)
    return { path, size, sha256: hash.digest('hex'), tooLarge: size > limit }
  }

  discard(file: Pick<SpooledFile, 'path'>): Promise<void> {
    return rm(file.path, { force: true })
  }

  /** Removes what broken connections and killed gateways left behind. */
  async sweep(): Promise<void> {
    const names = await readdir(this.folder).catch(() => [])
    for (const name of names) {
      const path = join(this.folder, name)
      const facts = await stat(path).catch(() => null)
      if (facts && Date.now() - facts.mtimeMs > HOUR) await rm(path, { force: true })
    }
  }
}
