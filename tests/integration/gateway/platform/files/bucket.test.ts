import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { read, startGateway } from '../../../../support/gateway'
import type { TestGateway } from '../../../../support/gateway'

/** As much of S3 as the gateway uses: signed PUT, GET, HEAD and DELETE of objects in a bucket addressed by path. */
class Bucket {
  readonly objects = new Map<string, Buffer>()
  broken = false
  private server: Server | undefined

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      void this.answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-length': body.length })
        response.end(request.method === 'HEAD' ? undefined : body)
      })
    })
    await new Promise<void>((done) => this.server?.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  stop(): Promise<void> {
    return new Promise((done) => this.server?.close(() => done()))
  }

  private async answer(request: IncomingMessage): Promise<{ status: number; body: Buffer }> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const nothing = Buffer.alloc(0)
    if (this.broken) return { status: 403, body: Buffer.from('<Error><Code>AccessDenied</Code></Error>') }
    if (!/^AWS4-HMAC-SHA256 Credential=the-key\/\d{8}\/eu-test-1\/s3\/aws4_request/.test(request.headers.authorization ?? ''))
      return { status: 403, body: nothing }
    const key = request.url ?? ''
    if (!key.startsWith('/files-of-ours/')) return { status: 404, body: nothing }
    if (request.method === 'PUT') {
      this.objects.set(key, Buffer.concat(chunks))
      return { status: 200, body: nothing }
    }
    const found = this.objects.get(key)
    if (request.method === 'DELETE') return { status: this.objects.delete(key) ? 204 : 404, body: nothing }
    return found ? { status: 200, body: found } : { status: 404, body: nothing }
  }
}

const bucket = new Bucket()
let test: TestGateway
beforeAll(async () => {
  const endpoint = await bucket.start()
  test = await startGateway({
    environment: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: 'files-of-ours',
      S3_REGION: 'eu-test-1',
      S3_KEY: 'the-key',
      S3_SECRET: 'the-secret',
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
  })
})
