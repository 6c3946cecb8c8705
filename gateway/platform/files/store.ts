import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsClient } from 'aws4fetch'
import { nanoid } from 'nanoid'

/** Where the bytes of files lie. Keys are ours (`newKey`), never made of what people send. */
export interface FileStore {
  /** Takes over a complete local file; afterwards the local file is gone. */
  put(key: string, localPath: string): Promise<void>
  /** @throws Error when there is nothing under the key. */
  read(key: string): Promise<Readable>
  /** Bytes under the key, or null. */
  size(key: string): Promise<number | null>
  remove(key: string): Promise<void>
}

export type FileStoreOptions =
  | { kind: 'folder'; folder: string }
  | {
      kind: 's3'
      endpoint: string
      bucket: string
      region: string
      accessKeyId: string
      secretAccessKey: string
      /** Larger files are sent in parts of this size; default 256 MiB. A storage takes at most 5 GiB at once. */
      partBytes?: number
    }

const KEY = /^[a-z]+\/[A-Za-z0-9_-]{2}\/[A-Za-z0-9_-]{8,80}$/

/** A new key, e.g. `file/Vb/Vb3...`; `kind` separates files, segments and exports. */
export function newKey(kind: 'file' | 'segment' | 'export' | 'import'): string {
  const id = nanoid(32)
  return `${kind}/${id.slice(0, 2)}/${id}`
}

export function createFileStore(options: FileStoreOptions): FileStore {
  return options.kind === 'folder' ? new FolderStore(options.folder) : new BucketStore(options)
}

/** Files in a folder of this machine. */
class FolderStore implements FileStore {
  constructor(private readonly folder: string) {}

  async put(key: string, localPath: string): Promise<void> {
    const target = this.pathOf(key)
    await mkdir(dirname(target), { recursive: true })
    await syncFile(localPath)
    try {
      await rename(localPath, target)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
      // another disk: nobody finds half a file under its name, also when there is no room for the rest
      const half = `${target}.${nanoid(8)}`
      try {
        await copyFile(localPath, half)
        await syncFile(half)
        await rename(half, target)
      } finally {
        await rm(half, { force: true })
      }
      await rm(localPath, { force: true })
    }
  }

  async read(key: string): Promise<Readable> {
    const path = this.pathOf(key)
    await stat(path)
    return createReadStream(path)
  }

  async size(key: string): Promise<number | null> {
    try {
      return (await stat(this.pathOf(key))).size
    } catch {
      return null
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true })
  }

  private pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error('This is not a key of the file store.')
    return join(this.folder, key)
  }
}

/** Files in an S3-compatible bucket (AWS, MinIO, OSS, COS ...), addressed by path. */
class BucketStore implements FileStore {
  private readonly client: AwsClient
  private readonly base: string
  private readonly partBytes: number

  constructor(options: Extract<FileStoreOptions, { kind: 's3' }>) {
    const { accessKeyId, secretAccessKey, region, endpoint, bucket, partBytes = 268_435_456 } = options
    this.partBytes = partBytes
    this.client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 })
    this.base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}/`
  }

  async put(key: string, localPath: string): Promise<void> {
    const { size } = await stat(localPath)
    const address = this.addressOf(key)
    if (size <= this.partBytes) await this.send(address, localPath, 0, size)
    else await this.putInParts(address, localPath, size)
    await rm(localPath, { force: true })
  }

  private async putInParts(address: string, localPath: string, size: number): Promise<void> {
    const begun = await this.client.fetch(`${address}?uploads`, { method: 'POST' })
    const uploadId = textIn('UploadId', await this.expect(begun, 'begin to store'))
    const upload = `uploadId=${encodeURIComponent(uploadId)}`
    try {
      const parts: string[] = []
      for (let from = 0; from < size; from += this.partBytes) {
        const number = parts.length + 1
        const to = Math.min(size, from + this.partBytes)
        const { headers } = await this.send(`${address}?partNumber=${number}&${upload}`, localPath, from, to)
        parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${headers.get('etag') ?? ''}</ETag></Part>`)
      }
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const ended = await this.client.fetch(`${address}?${upload}`, { method: 'POST', body })
      // a fault while the parts are put together is told in an answer that began well
      const text = await this.expect(ended, 'store')
      if (text.includes('<Error>')) throw refused('store', ended.status, text)
    } catch (error) {
      await this.client.fetch(`${address}?${upload}`, { method: 'DELETE' }).catch(() => undefined)
      throw error
    }
  }

  /** Sends the bytes of a local file from one place to before another. */
  private async send(address: string, localPath: string, from: number, to: number): Promise<Response> {
    const request = await this.client.sign(address, {
      method: 'PUT',
      headers: { 'content-length': String(to - from), 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
    })
    const bytes = to > from ? createReadStream(localPath, { start: from, end: to - 1 }) : Readable.from([])
    // The body is added after signing: it is a stream and its hash is not part of the signature.
    const init: RequestInit & { duplex: 'half' } = {
      method: 'PUT',
      headers: request.headers,
      body: Readable.toWeb(bytes) as ReadableStream,
      duplex: 'half',
    }
    const answer = await fetch(request.url, init)
    await this.expect(answer, 'store')
    return answer
  }

  async read(key: string): Promise<Readable> {
    const answer = await this.client.fetch(this.addressOf(key))
    if (!answer.ok || !answer.body) await this.expect(answer, 'read')
    return Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
  }

  async size(key: string): Promise<number | null> {
    const answer = await this.client.fetch(this.addressOf(key), { method: 'HEAD' })
    if (answer.status === 404) return null
    await this.expect(answer, 'look at')
    return Number(answer.headers.get('content-length') ?? 0)
  }

  async remove(key: string): Promise<void> {
    const answer = await this.client.fetch(this.addressOf(key), { method: 'DELETE' })
    if (answer.status !== 404) await this.expect(answer, 'delete')
  }

  private addressOf(key: string): string {
    if (!KEY.test(key)) throw new Error('This is not a key of the file store.')
    return this.base + key
  }

  /** The text of a good answer. */
  private async expect(answer: Response, what: string): Promise<string> {
    const text = await answer.text()
    if (!answer.ok) throw refused(what, answer.status, text)
    return text
  }
}

function refused(what: string, status: number, text: string): Error {
  const code = textIn('Code', text)
  return new Error(`The file storage could not ${what} a file: status ${status}${code ? ` (${code})` : ''}.`)
}

/** What an element of a short answer holds. */
const textIn = (element: string, text: string): string =>
  new RegExp(`<${element}>([^<]{1,1000})</${element}>`).exec(text)?.[1] ?? ''

/** What was acknowledged survives a power cut. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Writes streams one after the other into a local file. */
export async function joinStreams(streams: AsyncIterable<Readable>, path: string): Promise<void> {
  const whole = async function* () {
    for await (const stream of streams) yield* stream as AsyncIterable<Buffer>
  }
  await pipeline(whole, createWriteStream(path))
}
