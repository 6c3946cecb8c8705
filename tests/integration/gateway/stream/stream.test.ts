import { EventSourceParserStream } from 'eventsource-parser/stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller, TestGateway } from '../../../support/gateway'
import { startGateway } from '../../../support/gateway'

let gateway: TestGateway
let admin: Caller
beforeAll(async () => {
  gateway = await startGateway({})
  await gateway.addStaff({ id: 'admin', jobNumber: 'T0001', keys: ['setModule:pages', 'setModule:pages:release'] })
  admin = await gateway.signIn('T0001')
})
afterAll(() => gateway.close())

const connect = async (token: string | null = null) => {
  const abort = new AbortController()
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(`${gateway.base}/v2/sys/mc/sse/connection`, { headers, signal: abort.signal })
  const reader = response.ok
    ? response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
    : null
  const next = async () => {
    const part = await reader?.read()
    return part?.value ? (JSON.parse(part.value.data) as { event: string }) : null
  }
  return { status: response.status, type: response.headers.get('content-type'), next, close: () => abort.abort() }
}

/** Which schemas are served now, as every answer says it. */
const served = async (headers: Record<string, string> = {}) =>
  (await fetch(`${gateway.base}/v2/sys/page/routes`, { headers })).headers.get('x-schema-revision')

const release = async (width: number, stage: 'all' | 'gray' = 'all') => {
  const target = 'page:crm/my-client'
  await admin.post('/v2/sys/schema/draft/save', { target, version: 0, changes: [{ at: 'columns/level/width', set: width }] })
  const body = { drafts: [{ target, version: 1 }], stage, title: 't', reason: 'test', accepted: [] }
  expect((await admin.post('/v2/sys/schema/release', body)).code).toBe(0)
}

it('The stream opens with a token only, says that it stands, and tells every open browser of a release (R328, R329, R330)', async () => {
  expect((await connect()).status).toBe(401)
  const [one, other] = [await connect(admin.token), await connect(admin.token)]
  expect(one.type).toContain('text/event-stream')
  expect(await one.next()).toEqual({ event: 'connection' })
  expect(await other.next()).toEqual({ event: 'connection' })
  await release(200)
  const revision = await served()
  expect(await one.next()).toEqual({ event: 'schema', revision, gray: revision })
  expect(await other.next()).toEqual({ event: 'schema', revision, gray: revision })
  await release(202, 'gray')
  const gray = await served({ 'x-gray-version': 'gray' })
  expect(gray).not.toBe(revision)
  expect(await one.next()).toEqual({ event: 'schema', revision, gray })
  one.close()
  other.close()
})

it('Every answer says which schemas are served, so that a browser without a stream learns of a release too', async () => {
  const before = await served()
  expect(before).toMatch(/^sha256-/)
  expect(await served()).toBe(before)
  await release(201)
  expect(await served()).not.toBe(before)
})
