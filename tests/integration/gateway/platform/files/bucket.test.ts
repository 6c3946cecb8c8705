import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileStore, newKey, type FileStore } from '../../../../../gateway/platform/files'
import { read, startGateway } from '../../../../support/gateway'
import type { TestGateway } from '../../../../support/gateway'

const REGION = 'eu-test-1'
const SECRET = 'the-secret'
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Why a request is not signed as "Signature Version 4" asks for, worked out step by step as its documentation has it; or null. */
function signatureFault(request: IncomingMessage, body: Buffer): string | null {
  const { authorization = '', ...headers } = request.headers
  const found =
    /^AWS4-HMAC-SHA256 Credential=the-key\/(\d{8})\/([a-z0-9-]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    )
  if (!found) return 'AuthorizationHeaderMalformed'
  const [, day = '', region = '', signed = '', signature = ''] = found
  const moment = String(headers['x-amz-date'])
  const payload = String(headers['x-amz-content-sha256'])
  const at = Date.parse(moment.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(at - Date.now()) < 15 * 60_000) || !moment.startsWith(day)) return 'RequestTimeTooSkewed'
  for (const name of ['host', 'x-amz-date', 'x-amz-content-sha256'])
    if (!signed.split(';').includes(name)) return 'MissingSecurityHeader'
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const url = new URL(request.url ?? '', 'http://bucket')
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}\n`)
  const path = url.pathname.split('/').map((part) => encoded(decodeURIComponent(part)))
  const canonical = [request.method, path.join('/'), query.join('&'), lines.join(''), signed, payload].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${SECRET}`, day), region), 's3'), 'aws4_request')
  return region === REGION && hmac(key, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
}

interface Answer {
  status: number
  body?: Buffer | string
  headers?: Record<string, string>
}

/** As much of S3 as the gateway uses: signed calls for objects, whole and in parts, of a bucket that is addressed by path. */
class Bucket {
  readonly objects = new Map<string, Buffer>()
  /** Parts of uploads that were begun, by their id. */
  readonly uploads = new Map<string, Map<number, Buffer>>()
  broken = false
  /** A part of this number is refused. */
  brokenPart = 0
  /** Bytes that it takes at once. */
  most = Infinity
  private server: Server | undefined

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      void this.answer(request).then(({ status, body = '', headers = {} }) => {
        const bytes = Buffer.from(body as string)
        response.writeHead(status, { 'content-length': bytes.length, ...headers })
        response.end(request.method === 'HEAD' ? undefined : bytes)
      })
    })
    await new Promise<void>((done) => this.server?.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  stop(): Promise<void> {
    return new Promise((done) => this.server?.close(() => done()))
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    const fault = this.broken ? 'AccessDenied' : signatureFault(request, bytes)
    if (fault) return { status: 403, body: `<Error><Code>${fault}</Code></Error>` }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket')
    if (!pathname.startsWith('/files-of-ours/')) return { status: 404 }
    if (bytes.length > this.most) return { status: 400, body: '<Error><Code>EntityTooLarge</Code></Error>' }
    if (searchParams.has('uploads') || searchParams.has('uploadId'))
      return this.inParts(`${request.method} ${pathname}`, searchParams, bytes)
    if (request.method === 'PUT') {
      this.objects.set(pathname, bytes)
      return { status: 200 }
    }
    if (request.method === 'DELETE') return { status: this.objects.delete(pathname) ? 204 : 404 }
    const body = this.objects.get(pathname)
    return body ? { status: 200, body } : { status: 404 }
  }

  private inParts(call: string, query: URLSearchParams, bytes: Buffer): Answer {
    const [method, key = ''] = call.split(' ')
    if (query.has('uploads')) {
      const id = `up+load/${this.uploads.size}=`
      this.uploads.set(id, new Map())
      return { status: 200, body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>` }
    }
    const id = query.get('uploadId') ?? ''
    const parts = this.uploads.get(id)
    if (!parts) return { status: 404, body: '<Error><Code>NoSuchUpload</Code></Error>' }
    const number = Number(query.get('partNumber'))
    if (method === 'PUT') {
      if (number === this.brokenPart) return { status: 500, body: '<Error><Code>InternalError</Code></Error>' }
      parts.set(number, bytes)
      return { status: 200, headers: { etag: `"${sha256(bytes).slice(0, 32)}"` } }
    }
    this.uploads.delete(id)
    if (method === 'DELETE') return { status: 204 }
    const named = [...bytes.toString().matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>"([^"]*)"<\/ETag><\/Part>/g)]
    const whole = named.map(([, at, tag]) => {
      const part = parts.get(Number(at))
      return part && sha256(part).startsWith(tag!) ? part : undefined
    })
    // S3 tells such a fault with status 200
    if (whole.length !== parts.size || whole.includes(undefined))
      return { status: 200, body: '<Error><Code>InvalidPart</Code></Error>' }
    this.objects.set(key, Buffer.concat(whole as Buffer[]))
    return { status: 200, body: '<CompleteMultipartUploadResult/>' }
  }
}

const bucket = new Bucket()
let test: TestGateway
let endpoint: string
beforeAll(async () => {
  endpoint = await bucket.start()
  test = await startGateway({
    environment: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: 'files-of-ours',
      S3_REGION: REGION,
      S3_KEY: 'the-key',
      S3_SECRET: SECRET,
    },
  })
  await test.addStaff({ id: 'wang', jobNumber: 'S0042' })
})
afterAll(async () => {
  await test.close()
  await bucket.stop()
})

describe('files in an S3-compatible bucket', () => {
  const BASE = '/v2/download/downloadCenter/api'
  it('are stored, read and swept there, signed, with keys of ours', async () => {
    const wang = await test.signIn('S0042')
    const body = new FormData()
    body.append('file', new Blob(['内容'.repeat(10_000)]), '../合同.txt')
    const { data } = await read<{ id: string }>(await wang.raw('POST', `${BASE}/upload`, { body }))
    expect([...bucket.objects.keys()]).toEqual([expect.stringMatching(/^\/files-of-ours\/file\/[\w-]{2}\/[\w-]{32}$/)])
    expect(await (await wang.raw('GET', `${BASE}/file/${data.id}`)).text()).toBe('内容'.repeat(10_000))
    test.clock.forward(25 * 3600)
    await test.gateway.files.sweep()
    expect(bucket.objects.size).toBe(0)
  })

  it('are a fault of the gateway when the storage refuses, and no secret is told or logged', async () => {
    const wang = await test.signIn('S0042')
    bucket.broken = true
    const body = new FormData()
    body.append('file', new Blob(['x']), 'a.txt')
    const answer = await read(await wang.raw('POST', `${BASE}/upload`, { body }))
    expect([answer.status, answer.code]).toEqual([500, 10010099])
    const log = test.logs.join('')
    expect(log).toContain('AccessDenied')
    expect(log).not.toContain('the-secret')
    const { rowCount } = await test.gateway.database.query(`select 1 from sys_file where name = 'a.txt'`)
    expect(rowCount).toBe(0)
    bucket.broken = false
  })

  describe('larger than a storage takes at once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bucket-'))
    afterAll(() => rmSync(folder, { recursive: true }))
    const storeWith = (given: Partial<Record<'secretAccessKey' | 'region', string>> = {}): FileStore =>
      createFileStore({
        ...{ kind: 's3', endpoint, bucket: 'files-of-ours', region: REGION, accessKeyId: 'the-key', secretAccessKey: SECRET },
        ...{ ...given, partBytes: 65_536 },
      })
    const local = (bytes: Buffer): string => {
      const path = join(folder, 'local')
      writeFileSync(path, bytes)
      return path
    }

    it.each([0, 65_536, 65_537, 200_000])('are sent in signed parts and read as one: %i bytes', async (size) => {
      bucket.most = 65_536
      const [store, key, bytes] = [storeWith(), newKey('file'), randomBytes(size)]
      const path = local(bytes)
      await store.put(key, path)
      expect(existsSync(path)).toBe(false)
      expect([await store.size(key), bucket.uploads.size]).toEqual([size, 0])
      expect((await buffer(await store.read(key))).equals(bytes)).toBe(true)
      bucket.most = Infinity
    })

    it('leave nothing behind when a part is refused, and the local file where it is', async () => {
      const [store, key] = [storeWith(), newKey('file')]
      const path = local(randomBytes(150_000))
      bucket.brokenPart = 2
      await expect(store.put(key, path)).rejects.toThrow(/status 500 \(InternalError\)/)
      bucket.brokenPart = 0
      expect([await store.size(key), bucket.uploads.size, existsSync(path)]).toEqual([null, 0, true])
    })

    it.each([{ secretAccessKey: 'another-secret' }, { region: 'eu-test-2' }])(
      'are refused with %o: the storage checks each signature',
      async (given) => {
        const [store, key] = [storeWith(given), newKey('file')]
        await expect(store.put(key, local(Buffer.from('x')))).rejects.toThrow(/status 403 \(SignatureDoesNotMatch\)/)
        await expect(store.put(key, local(randomBytes(70_000)))).rejects.toThrow(/SignatureDoesNotMatch/)
        await expect(store.read(key)).rejects.toThrow(/status 403/)
        expect([...bucket.objects.keys()].some((known) => known.endsWith(key))).toBe(false)
      },
    )
  })
})
